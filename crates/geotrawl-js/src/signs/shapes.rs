//! Layers by the shape of an object, for code whose names are gone: property names survive where the names of
//! classes do not.

use super::address::{
    OGC_SERVICES, arcgis_service, contains_ignore_case, file_extension, is_address, requested_ogc_service,
    tile_template_service,
};
use super::proxy::is_proxy_name;
use super::sign::{AddressUse, FEATURE_TYPES, WMS_LAYERS, WMTS_LAYERS};
use super::types::{may_be_service_name, service_of_member, service_of_type};
use super::values::{PARAMETERS, layers};
use crate::value::{JsObject, JsValue};
use std::sync::LazyLock;

/// An address in an object, and what the object says of it.
#[derive(Debug)]
pub struct ShapedAddress<'a> {
    pub value: &'a JsValue,
    pub uses: AddressUse,
    pub layers: Vec<String>,
    /// Ends the name of the rule: `shape:params-layers`.
    pub rule: &'static str,
    pub reason: &'static str,
    /// The shape alone makes it a layer, so that it is a loss when the address is not known.
    pub sure: bool,
}

/// What an object shows.
#[derive(Debug, Default)]
pub struct ObjectShape<'a> {
    pub found: Vec<ShapedAddress<'a>>,
    /// It is the options of a map.
    pub is_map: bool,
    pub title: &'a str,
}

/// Members that hold the address of what the object is, the surest first.
#[rustfmt::skip]
const URL_MEMBERS: &[&str] = &[
    "url", "urls", "URL", "Url", "serviceUrl", "serviceURL", "service_url", "serviceEndpoint", "baseUrl",
    "baseURL", "base_url", "serverUrl", "serverURL", "server_url", "capabilitiesUrl", "capabilitiesURL",
    "getCapabilitiesUrl", "endpoint", "uri", "src", "href", "server", "dataUrl", "data_url", "layerUrl",
    "layerURL", "layer_url", "source_url", "mapUrl", "wmsUrl", "link",
];

/// Members that say what the address beside them is, the surest first.
#[rustfmt::skip]
const TYPE_MEMBERS: &[&str] = &[
    "type", "typ", "serviceType", "service", "ptype", "layerType", "layer_type", "sourceType", "source_type",
    "serverType", "protocol", "format", "@@type", "xtype", "kind", "class", "provider", "service_type",
    "layertype",
];

/// Members that say how a WMS draws; beside an address and layers they make it one.
#[rustfmt::skip]
const LOOKS: &[&str] = &[
    "format", "transparent", "version", "styles", "FORMAT", "TRANSPARENT", "VERSION", "STYLES", "crs", "srs",
    "tiled", "TILED", "CRS", "SRS", "uppercase", "singleTile", "imageFormat", "wmsVersion", "opacity",
    "attribution",
];

/// Members of the options of a WMTS layer.
#[rustfmt::skip]
const MATRICES: &[&str] = &[
    "matrixSet", "tileMatrixSet", "tileMatrixSetID", "tilematrixSet", "tilematrixset", "tilematrix",
    "TILEMATRIXSET", "matrixset", "requestEncoding", "tileMatrixLabels", "matrixIds", "tileMatrixSets",
];

/// Members that name feature types.
#[rustfmt::skip]
const TYPE_NAMES: &[&str] = &[
    "typeName", "typename", "typeNames", "typenames", "featureType", "featureTypes", "featureNS", "TYPENAME",
    "featurePrefix",
];

/// Functions that make the address of a tile.
#[rustfmt::skip]
const TILE_FUNCTIONS: &[&str] = &[
    "getTileUrl", "uriConstructor", "tileUrlFunction", "getURL", "getUrl", "getTileURL", "getTilesUrl",
    "tileUrl", "tileURL", "tile_url", "tilesUrl", "urlFunction", "loader", "tileLoadFunction",
    "elevationData",
];

/// Every member that [`read`] looks for and that is rare enough to make an object worth a look. Sorted.
#[rustfmt::skip]
const TELLING: &[&str] = &[
    "@@type", "FORMAT", "LAYERS", "Layers", "TILEMATRIXSET", "TYPENAME", "URL", "Url", "baseURL", "baseUrl",
    "base_url", "capabilitiesURL", "capabilitiesUrl", "collectionId", "configURL", "configUrl", "container",
    "corsProxy", "dataUrl", "data_url", "elevationData", "endpoint", "featureNS", "featurePrefix",
    "featureType", "featureTypes", "getCapabilitiesUrl", "getTileURL", "getTileUrl", "getTilesUrl", "getURL",
    "itemId", "layer", "layerNames", "layerUrl", "layer_url", "layers", "localConfig", "mapUrl", "matrixIds",
    "matrixSet", "matrixset", "params", "portalItem", "ptype", "requestEncoding", "serverType", "serverURL",
    "serverUrl", "server_url", "serviceEndpoint", "serviceType", "serviceURL", "serviceUrl", "service_url",
    "sources", "src", "styleUrl", "tileLoadFunction", "tileMatrixLabels", "tileMatrixSet", "tileMatrixSetID",
    "tileURL", "tileUrl", "tileUrlFunction", "tile_url", "tilematrixSet", "tilematrixset", "tiles",
    "tilesUrl", "typ", "typeName", "typeNames", "typename", "typenames", "uri", "uriConstructor", "url",
    "urlTemplate", "urls", "webMapId", "webmap", "webmapId",
];

/// [`TELLING`] by hash: every member of megabytes of code is asked.
static SLOTS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let mut slots = vec![""; 1024];
    for name in TELLING {
        let mut at = slot(name);
        while slots.get(at).is_some_and(|taken| !taken.is_empty()) {
            at = (at + 1) % 1024;
        }
        if let Some(free) = slots.get_mut(at) {
            *free = name;
        }
    }
    slots
});

/// Few names share length, beginning, middle and end.
fn slot(name: &str) -> usize {
    let bytes = name.as_bytes();
    let byte = |at: usize| u32::from(bytes.get(at).copied().unwrap_or_default());
    let mixed = byte(0) | byte(bytes.len() / 2) << 8 | byte(bytes.len().saturating_sub(1)) << 16;
    ((mixed ^ (bytes.len() as u32) << 24).wrapping_mul(0x9E37_79B1) >> 22) as usize
}

/// Whether an object with such a member is worth a look.
pub fn is_relevant_name(name: &str) -> bool {
    // Most members of minified code have shorter names.
    if name.len() < 3 || name.len() > 40 {
        return false;
    }
    let mut at = slot(name);
    while let Some(known) = SLOTS.get(at).filter(|known| !known.is_empty()) {
        if *known == name {
            return true;
        }
        at = (at + 1) % 1024;
    }
    is_service_member(name)
}

/// Whether a name alone says that a service's address, or a proxy, stands under it.
pub fn is_service_member(name: &str) -> bool {
    may_be_service_name(name) && (service_of_member(name).is_some() || is_proxy_name(name))
}

/// Whether a name is one of a member under which code keeps addresses.
pub fn is_url_member(name: &str) -> bool {
    matches!(name, "urlTemplate" | "tiles" | "styleUrl")
        || URL_MEMBERS.contains(&name)
        || TILE_FUNCTIONS.contains(&name)
}

fn first<'a>(object: &'a JsObject, names: &[&str]) -> Option<&'a JsValue> {
    names.iter().find_map(|name| object.get(name))
}

fn any(object: &JsObject, names: &[&str]) -> bool {
    object.members.iter().any(|(key, _)| names.contains(&&**key))
}

/// An object in a value, whichever of its alternatives.
fn inner(value: Option<&JsValue>) -> Option<&JsObject> {
    value?.alternatives().iter().find_map(|value| match value {
        JsValue::Object(object) => Some(&**object),
        _ => None,
    })
}

/// Whether one of the texts that a value may be passes.
fn text_is(value: &JsValue, test: impl Fn(&str) -> bool) -> bool {
    value.texts().into_iter().any(test)
}

/// The OGC service that the parameters of a request name, and whether they name layers.
pub fn service_of_parameters(parameters: &JsObject) -> (Option<&'static str>, bool) {
    let mut kind = None;
    let mut by_request = None;
    let mut has_layers = false;
    for (key, value) in &parameters.members {
        let text = value.alternatives().iter().find_map(JsValue::as_text);
        if key.eq_ignore_ascii_case("service") {
            kind = text.and_then(service_of_type).filter(|kind| OGC_SERVICES.contains(kind));
        } else if key.eq_ignore_ascii_case("request") {
            by_request = text.and_then(|text| requested_ogc_service(&format!("?request={text}")));
        } else if key.eq_ignore_ascii_case("layers") {
            // The layers of a network are counted, those of a map are named.
            has_layers = !matches!(value, JsValue::Number(_) | JsValue::Bool(_) | JsValue::Object(_));
        }
    }
    (kind.or(by_request), has_layers)
}

/// Layers as texts or not known; not the layers of a map.
fn names_layers(object: &JsObject) -> bool {
    let is_name = |value: &JsValue| match value {
        JsValue::Text(text) => !text.contains('/') || text.contains(':'),
        JsValue::List(list) => list.first().is_none_or(|v| matches!(v, JsValue::Text(_) | JsValue::Unknown)),
        JsValue::Unknown => true,
        _ => false,
    };
    ["layers", "LAYERS", "Layers", "layerNames"]
        .iter()
        .any(|name| object.get(name).is_some_and(|value| value.alternatives().iter().any(is_name)))
}

/// Reads an object by its shape.
pub fn read(object: &JsObject) -> ObjectShape<'_> {
    let mut shapes =
        ObjectShape { title: title_of(object), is_map: is_map(object), ..ObjectShape::default() };
    let url = first(object, URL_MEMBERS);
    if let Some(shaped) = url.and_then(|url| of_url(object, url)).or_else(|| without_url(object)) {
        shapes.found.push(shaped);
    }
    by_names(object, &mut shapes);
    shapes
}

/// What the members beside an address say of it.
fn of_url<'a>(object: &'a JsObject, url: &'a JsValue) -> Option<ShapedAddress<'a>> {
    let found = |uses, keys: &[&str], rule, reason, sure| {
        Some(ShapedAddress { value: url, uses, layers: layers(object, keys), rule, reason, sure })
    };
    let on_arcgis = text_is(url, |text| arcgis_service(text).is_some());
    let parameters = PARAMETERS
        .iter()
        .filter_map(|name| inner(object.get(name)))
        .map(service_of_parameters)
        .find(|(kind, has_layers)| kind.is_some() || *has_layers);
    if let Some((kind, _)) = parameters {
        if on_arcgis && kind.is_none() {
            return found(
                AddressUse::Arcgis,
                WMS_LAYERS,
                "arcgis-params",
                "the address is an ArcGIS server's, with layers beside it",
                true,
            );
        }
        let kind = kind.unwrap_or("wms");
        let keys = if kind == "wfs" { FEATURE_TYPES } else { WMS_LAYERS };
        return found(
            AddressUse::Is(kind),
            keys,
            "params",
            "the parameters beside the address are a service's",
            true,
        );
    }
    if any(object, MATRICES) {
        return found(
            AddressUse::Is("wmts"),
            WMTS_LAYERS,
            "matrix-set",
            "a tile matrix set stands beside the address",
            true,
        );
    }
    if object.get("collectionId").is_some() {
        return found(
            AddressUse::Is("ogcapi-features"),
            &["collectionId"],
            "collection",
            "a collection stands beside the address",
            true,
        );
    }
    if let Some(kind) = object.get("serverType").and_then(|v| v.texts().into_iter().next())
        && matches!(kind, "geoserver" | "mapserver" | "qgis" | "carmentaserver")
        && object.get("params").is_some()
    {
        return found(
            AddressUse::Is("wms"),
            WMS_LAYERS,
            "server-type",
            "the type of a WMS server stands beside the address",
            true,
        );
    }
    if let Some(kind) = type_of(object) {
        let uses = match kind {
            crate::model::says::FILE => AddressUse::File,
            crate::model::says::DOCUMENT => AddressUse::VectorTiles,
            crate::model::says::ARCGIS => AddressUse::Arcgis,
            kind => AddressUse::Is(kind),
        };
        let keys = match kind {
            "wfs" => FEATURE_TYPES,
            "wmts" => WMTS_LAYERS,
            _ => TYPED_LAYERS,
        };
        return found(uses, keys, "type", "the type beside the address says so", false);
    }
    if any(object, TYPE_NAMES) && !on_arcgis {
        return found(
            AddressUse::Is("wfs"),
            FEATURE_TYPES,
            "feature-type",
            "a feature type stands beside the address",
            true,
        );
    }
    if let Some(shaped) = of_gl_source(object, url) {
        return Some(shaped);
    }
    if on_arcgis {
        return found(
            AddressUse::Arcgis,
            &["layers", "visibleLayers", "sublayers"],
            "arcgis-address",
            "the address is an ArcGIS server's",
            false,
        );
    }
    if names_layers(object) {
        let known = text_is(url, is_address);
        let in_text = object.get("layers").is_some_and(|v| v.as_text().is_some());
        if any(object, LOOKS) || known && in_text {
            return found(
                AddressUse::Is("wms"),
                WMS_LAYERS,
                "url-layers",
                "names of layers stand beside the address",
                any(object, LOOKS),
            );
        }
    }
    if any(object, &["crossOrigin", "attributions", "wrapX"])
        && text_is(url, |text| file_extension(text).eq_ignore_ascii_case("json"))
    {
        return found(AddressUse::Document, &[], "tile-json", "it is the source of a layer", false);
    }
    if text_is(url, |text| tile_template_service(text).is_some()) {
        return found(
            AddressUse::Tiles,
            WMTS_LAYERS,
            "template",
            "the address is a template of tiles or a request for a map",
            false,
        );
    }
    None
}

/// Names of layers in objects with a type: what is only called `name` is the layer itself.
#[rustfmt::skip]
const TYPED_LAYERS: &[&str] = &[
    "layers", "LAYERS", "layer", "layerName", "layerNames", "layername", "layer_name", "wmsLayers",
    "serverLayerName", "coverage",
];

/// What an object says it is.
fn type_of(object: &JsObject) -> Option<&'static str> {
    TYPE_MEMBERS
        .iter()
        .find_map(|name| object.get(name)?.alternatives().iter().find_map(|v| service_of_type(v.as_text()?)))
}

/// A source of a Mapbox GL style.
fn of_gl_source<'a>(object: &'a JsObject, url: &'a JsValue) -> Option<ShapedAddress<'a>> {
    let kind = object.get("type")?.alternatives().iter().find_map(JsValue::as_text)?;
    let uses = match kind {
        "raster" | "raster-dem" => AddressUse::Tiles,
        "vector" => AddressUse::VectorTiles,
        "geojson" => AddressUse::File,
        "image" => AddressUse::Picture,
        _ => return None,
    };
    Some(ShapedAddress {
        value: url,
        uses,
        layers: Vec::new(),
        rule: "gl-source",
        reason: "it is a source of a style",
        sure: false,
    })
}

/// Shapes whose address stands elsewhere.
fn without_url(object: &JsObject) -> Option<ShapedAddress<'_>> {
    let found = |value, uses, rule, reason, sure| {
        Some(ShapedAddress { value, uses, layers: Vec::new(), rule, reason, sure })
    };
    if let Some(tiles) = object.get("tiles")
        && let Some(shaped) = of_gl_source(object, tiles)
    {
        return Some(shaped);
    }
    if let Some(tiles) = object.get("tiles")
        && text_is(tiles, |text| tile_template_service(text).is_some())
    {
        let uses =
            if object.get("vector_layers").is_some() { AddressUse::VectorTiles } else { AddressUse::Tiles };
        return found(tiles, uses, "tiles", "templates of tiles", true);
    }
    if let Some(data) = object.get("data")
        && text_is(data, is_address)
    {
        if let Some(shaped) = of_gl_source(object, data) {
            return Some(shaped);
        }
        // deck.gl in JSON: {"@@type": "WMSLayer", "data": ...}.
        if let Some(kind) = object.get("@@type").and_then(JsValue::as_text).and_then(service_of_type) {
            let uses = if kind == crate::model::says::FILE { AddressUse::File } else { AddressUse::Is(kind) };
            return Some(ShapedAddress {
                layers: layers(object, WMS_LAYERS),
                ..found(data, uses, "type", "the type beside the address says so", false)?
            });
        }
    }
    if let Some(service) = object.get("service")
        && text_is(service, super::address::is_absolute)
        && names_layers(object)
    {
        let shaped = found(
            service,
            AddressUse::Is("wms"),
            "service-layers",
            "names of layers stand beside the service",
            true,
        )?;
        return Some(ShapedAddress { layers: layers(object, &["layerNames", "layers"]), ..shaped });
    }
    if let Some(style) = object.get("style")
        && any(object, &["container", "center", "zoom", "styleUrl"])
        && text_is(style, is_address)
    {
        return found(style, AddressUse::Document, "map-style", "it is the style of a map", false);
    }
    None
}

/// Members that say by their own names what stands in them.
fn by_names<'a>(object: &'a JsObject, shapes: &mut ObjectShape<'a>) {
    for (key, value) in &object.members {
        let mut add = |value, uses, rule, reason| {
            shapes.found.push(ShapedAddress { value, uses, layers: Vec::new(), rule, reason, sure: false });
        };
        match &**key {
            "portalItem" => {
                let id = match value {
                    JsValue::Made(made) => made.args.first().and_then(|arg| arg.get("id")),
                    _ => value.get("id"),
                };
                if let Some(id) = id {
                    add(id, AddressUse::Item, "portal-item", "an item of an ArcGIS portal");
                }
            }
            "webmap" | "webMapId" | "webmapId" | "webMap" | "itemId" | "item" | "webscene" => {
                add(value, AddressUse::Item, "portal-item", "an item of an ArcGIS portal");
            }
            "urlTemplate" => add(value, AddressUse::Tiles, "url-template", "a template of tiles"),
            "configUrl" | "configURL" | "localConfig"
                if text_is(value, |text| file_extension(text) == "json") =>
            {
                add(value, AddressUse::Document, "config-url", "the configuration of a viewer");
            }
            "styleUrl" | "styleURL" => {
                add(value, AddressUse::Document, "style-url", "the address of a style")
            }
            name if TILE_FUNCTIONS.contains(&name) => {
                if text_is(value, |text| {
                    tile_template_service(text).is_some()
                        || contains_ignore_case(text, "bbox")
                        || text.matches(crate::model::HOLE).count() >= 3
                }) {
                    add(
                        value,
                        AddressUse::Tiles,
                        "tile-function",
                        "a function that makes the addresses of tiles",
                    );
                }
            }
            name => {
                if let Some(kind) = service_of_member(name)
                    && text_is(value, is_address)
                {
                    let uses = match kind {
                        "" => AddressUse::Loaded,
                        crate::model::says::FILE => AddressUse::File,
                        crate::model::says::DOCUMENT => AddressUse::Document,
                        kind => AddressUse::Is(kind),
                    };
                    add(value, uses, "member-name", "the name of the member says so");
                }
            }
        }
    }
}

/// What the object is called.
fn title_of(object: &JsObject) -> &str {
    let names = ["title", "name", "label", "text", "id"];
    names.iter().find_map(|name| object.get(name).and_then(super::values::title)).unwrap_or_default()
}

/// Options of a map: `{target, layers, view}`, `{container, style, center, zoom}`, `{center, zoom, layers}`.
fn is_map(object: &JsObject) -> bool {
    let has = |name| object.get(name).is_some();
    has("view") && has("target") && (has("layers") || object.members.len() < 8)
        || has("container") && has("style") && (has("center") || has("zoom") || has("bounds"))
        || has("container") && has("map") && (has("center") || has("zoom"))
        || has("center")
            && has("zoom")
            && (has("layers") || has("maxZoom") || has("zoomControl") || has("mapTypeId"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(TELLING.is_sorted(), "{:?}", TELLING.windows(2).find(|w| w[0] > w[1]));
        assert!(TELLING.iter().all(|name| is_relevant_name(name)));
    }
}
