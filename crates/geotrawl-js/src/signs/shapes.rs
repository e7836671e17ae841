//! Recognises layers by the shape of an object, for minified code: property names survive where
//! class names do not.

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

/// A URL in an object, with what the object says about it.
#[derive(Debug)]
pub struct ShapedAddress<'a> {
    pub value: &'a JsValue,
    pub uses: AddressUse,
    pub layers: Vec<String>,
    /// End of the rule's name: `shape:params-layers`.
    pub rule: &'static str,
    pub reason: &'static str,
    /// Whether the shape alone makes it a layer, so that an unknown URL is a loss.
    pub sure: bool,
}

/// What an object shows.
#[derive(Debug, Default)]
pub struct ObjectShape<'a> {
    pub found: Vec<ShapedAddress<'a>>,
    /// Whether the object holds the options of a map.
    pub is_map: bool,
    pub title: &'a str,
}

/// Members with the URL of the object itself, most certain first.
#[rustfmt::skip]
const URL_MEMBERS: &[&str] = &[
    "url", "urls", "URL", "Url", "serviceUrl", "serviceURL", "service_url", "serviceEndpoint", "baseUrl",
    "baseURL", "base_url", "serverUrl", "serverURL", "server_url", "capabilitiesUrl", "capabilitiesURL",
    "getCapabilitiesUrl", "endpoint", "uri", "src", "href", "server", "dataUrl", "data_url", "layerUrl",
    "layerURL", "layer_url", "source_url", "mapUrl", "wmsUrl", "link",
];

/// Members that tell what the URL beside them is, most certain first.
#[rustfmt::skip]
const TYPE_MEMBERS: &[&str] = &[
    "type", "typ", "serviceType", "service", "ptype", "layerType", "layer_type", "sourceType", "source_type",
    "serverType", "protocol", "format", "@@type", "xtype", "kind", "class", "provider", "service_type",
    "layertype",
];

/// Members that tell how a WMS draws; with a URL and layers they indicate a WMS.
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

/// Functions that build the URL of a tile.
#[rustfmt::skip]
const TILE_FUNCTIONS: &[&str] = &[
    "getTileUrl", "uriConstructor", "tileUrlFunction", "getURL", "getUrl", "getTileURL", "getTilesUrl",
    "tileUrl", "tileURL", "tile_url", "tilesUrl", "urlFunction", "loader", "tileLoadFunction",
    "elevationData",
];

/// Every member that [`read_object`] looks for and that is rare enough to make an object relevant.
/// Sorted.
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

/// Hash table of [`TELLING`], because every member in megabytes of code is looked up.
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

/// Returns a hash: few names share length, first, middle and last letter.
fn slot(name: &str) -> usize {
    let bytes = name.as_bytes();
    let byte = |at: usize| u32::from(bytes.get(at).copied().unwrap_or_default());
    let mixed = byte(0) | byte(bytes.len() / 2) << 8 | byte(bytes.len().saturating_sub(1)) << 16;
    ((mixed ^ (bytes.len() as u32) << 24).wrapping_mul(0x9E37_79B1) >> 22) as usize
}

/// Returns whether an object with this member is worth reading.
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

/// Returns whether the name alone tells that the member holds the URL of a service or a proxy.
pub fn is_service_member(name: &str) -> bool {
    may_be_service_name(name) && (service_of_member(name).is_some() || is_proxy_name(name))
}

/// Returns whether code keeps URLs in members with this name.
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

/// Returns the first object among the alternatives of a value.
fn inner(value: Option<&JsValue>) -> Option<&JsObject> {
    value?.alternatives().iter().find_map(|value| match value {
        JsValue::Object(object) => Some(&**object),
        _ => None,
    })
}

/// Returns whether one of the texts that a value may be passes a test.
fn text_is(value: &JsValue, test: impl Fn(&str) -> bool) -> bool {
    value.texts().into_iter().any(test)
}

/// Returns the OGC service that request parameters name, and whether they name layers.
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
            // `layers` may also be a count, such as the layers of a neural network; map layers are
            // named.
            has_layers = !matches!(value, JsValue::Number(_) | JsValue::Bool(_) | JsValue::Object(_));
        }
    }
    (kind.or(by_request), has_layers)
}

/// Returns whether an object names layers as texts or unknown values, unlike the layers of a map.
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

/// Returns what the members beside a URL say about it.
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
                "the URL belongs to an ArcGIS server and the object has layers",
                true,
            );
        }
        let kind = kind.unwrap_or("wms");
        let keys = if kind == "wfs" { FEATURE_TYPES } else { WMS_LAYERS };
        return found(
            AddressUse::Is(kind),
            keys,
            "params",
            "the object has a URL and the parameters of a service",
            true,
        );
    }
    if any(object, MATRICES) {
        return found(
            AddressUse::Is("wmts"),
            WMTS_LAYERS,
            "matrix-set",
            "the object has a URL and a tile matrix set",
            true,
        );
    }
    if object.get("collectionId").is_some() {
        return found(
            AddressUse::Is("ogcapi-features"),
            &["collectionId"],
            "collection",
            "the object has a URL and a collection",
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
            "the object has a URL and the type of a WMS server",
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
        return found(uses, keys, "type", "the object has a URL and a type", false);
    }
    if any(object, TYPE_NAMES) && !on_arcgis {
        return found(
            AddressUse::Is("wfs"),
            FEATURE_TYPES,
            "feature-type",
            "the object has a URL and a feature type",
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
            "the URL belongs to an ArcGIS server",
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
                "the object has a URL and layer names",
                any(object, LOOKS),
            );
        }
    }
    if any(object, &["crossOrigin", "attributions", "wrapX"])
        && text_is(url, |text| file_extension(text).eq_ignore_ascii_case("json"))
    {
        return found(AddressUse::Document, &[], "tile-json", "the object is the source of a layer", false);
    }
    if text_is(url, |text| tile_template_service(text).is_some()) {
        return found(
            AddressUse::Tiles,
            WMTS_LAYERS,
            "template",
            "the URL is a tile template or a map request",
            false,
        );
    }
    None
}

/// Members with layer names in typed objects: a mere `name` is the name of the layer itself.
#[rustfmt::skip]
const TYPED_LAYERS: &[&str] = &[
    "layers", "LAYERS", "layer", "layerName", "layerNames", "layername", "layer_name", "wmsLayers",
    "serverLayerName", "coverage",
];

/// Returns the type that an object states.
fn type_of(object: &JsObject) -> Option<&'static str> {
    TYPE_MEMBERS
        .iter()
        .find_map(|name| object.get(name)?.alternatives().iter().find_map(|v| service_of_type(v.as_text()?)))
}

/// Reads a source of a Mapbox GL style.
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
        reason: "the object is a source of a style",
        sure: false,
    })
}

/// Reads objects whose URL is not in a usual member.
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
        return found(tiles, uses, "tiles", "the object has tile templates", true);
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
                ..found(data, uses, "type", "the object has a URL and a type", false)?
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
            "the object has a service and layer names",
            true,
        )?;
        return Some(ShapedAddress { layers: layers(object, &["layerNames", "layers"]), ..shaped });
    }
    if let Some(style) = object.get("style")
        && any(object, &["container", "center", "zoom", "styleUrl"])
        && text_is(style, is_address)
    {
        return found(style, AddressUse::Document, "map-style", "the object has the style of a map", false);
    }
    None
}

/// Reads members whose names tell their contents.
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
            "urlTemplate" => add(value, AddressUse::Tiles, "url-template", "the member is a tile template"),
            "configUrl" | "configURL" | "localConfig"
                if text_is(value, |text| file_extension(text) == "json") =>
            {
                add(value, AddressUse::Document, "config-url", "the member is the configuration of a viewer");
            }
            "styleUrl" | "styleURL" => {
                add(value, AddressUse::Document, "style-url", "the member is the URL of a style");
            }
            name if TILE_FUNCTIONS.contains(&name) => {
                if text_is(value, |text| {
                    tile_template_service(text).is_some()
                        || contains_ignore_case(text, "bbox")
                        || text.matches(crate::model::HOLE).count() >= 3
                }) {
                    add(value, AddressUse::Tiles, "tile-function", "the function builds tile URLs");
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
                    add(value, uses, "member-name", "the name of the member tells its use");
                }
            }
        }
    }
}

/// Returns the title of an object.
fn title_of(object: &JsObject) -> &str {
    let names = ["title", "name", "label", "text", "id"];
    names.iter().find_map(|name| object.get(name).and_then(super::values::title)).unwrap_or_default()
}

/// Returns whether an object holds map options: `{target, layers, view}`,
/// `{container, style, center, zoom}`, `{center, zoom, layers}`.
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
