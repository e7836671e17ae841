//! A simulated service at the address used by an application.

use super::manifest;
use crate::file::write_kml;
use crate::reply::SiteReply;
use crate::request::SiteRequest;
use crate::service::{
    self, DocumentQuirk, EndpointBehaviour, LayerGroup, OgcKind, PlannedDataset, PlannedEndpoint,
    PlannedService, ServerSoftware,
};
use serde_json::{Value, json};
use std::time::Duration;

const AREA: [f64; 4] = [5.0, 47.0, 15.0, 55.0];

/// A simulated service.
pub(crate) struct SimulatedService {
    /// Path as used by the application; for tiles with placeholders.
    path: String,
    /// Parameters that are part of the address.
    vendor: Vec<(String, String)>,
    layers: Vec<String>,
    url: String,
    what: ServiceContent,
}

enum ServiceContent {
    Ogc { endpoint: Box<PlannedEndpoint>, service: Box<PlannedService> },
    MapServer,
    FeatureServer,
    ImageServer,
    Tiles { vector: bool },
    TileJson,
    GeoJson,
    Kml,
    Features,
}

/// Other correct spellings of the address of a service: one of its layers, or its capabilities.
pub(super) fn url_spellings(kind: &str, url: &str) -> Vec<String> {
    match kind {
        "arcgis-mapserver" | "arcgis-featureserver" => vec![format!("{url}/0")],
        _ => Vec::new(),
    }
}

impl SimulatedService {
    /// Creates a service; `None` for a kind that is not supported, or a file in the application's
    /// folder.
    pub(super) fn new(described: &manifest::ManifestService, title: &str) -> Option<Self> {
        Self::from_kind(&described.kind, &described.url, &described.layers, title)
    }

    /// Creates a service of this kind at an address, with these layers.
    pub(crate) fn from_kind(kind: &str, url: &str, layers: &[String], title: &str) -> Option<Self> {
        let rest = url.split_once("://")?.1;
        let (_, target) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let vendor = query.split('&').filter_map(|pair| pair.split_once('='));
        let what = match kind {
            "wms" => ogc(OgcKind::Wms, layers, title),
            "wfs" => ogc(OgcKind::Wfs, layers, title),
            "wmts" => ogc(OgcKind::Wmts, layers, title),
            "wcs" => ogc(OgcKind::Wcs, layers, title),
            "wps" => ogc(OgcKind::Wps, layers, title),
            "csw" => ogc(OgcKind::Csw, layers, title),
            "sos" => ogc(OgcKind::Sos, layers, title),
            "ogcapi-features" => ServiceContent::Features,
            "arcgis-mapserver" => ServiceContent::MapServer,
            "arcgis-featureserver" => ServiceContent::FeatureServer,
            "arcgis-imageserver" => ServiceContent::ImageServer,
            "xyz" => ServiceContent::Tiles { vector: false },
            "mvt" => ServiceContent::Tiles { vector: true },
            "tilejson" => ServiceContent::TileJson,
            "geojson" => ServiceContent::GeoJson,
            "kml" => ServiceContent::Kml,
            _ => return None,
        };
        Some(Self {
            path: path.to_owned(),
            vendor: vendor.map(|(key, value)| (key.to_owned(), value.to_owned())).collect(),
            layers: layers.to_vec(),
            url: url.to_owned(),
            what,
        })
    }

    /// Answers a request to this host; `None` if it is for another service.
    pub(crate) fn answer(&self, request: &SiteRequest<'_>) -> Option<SiteReply> {
        let path = request.path();
        if let ServiceContent::Tiles { vector } = self.what {
            let reply =
                if vector { SiteReply::new(200, "application/x-protobuf", vector_tile()) } else { picture() };
            return fits(&self.path, path).then_some(reply);
        }
        let below = path.strip_prefix(self.path.as_str())?;
        let query = request.query();
        if !self.vendor.iter().all(|(key, value)| query.get(key) == Some(value)) {
            return None;
        }
        if let ServiceContent::MapServer | ServiceContent::FeatureServer | ServiceContent::ImageServer =
            self.what
        {
            let wanted = below.strip_prefix('/').or_else(|| below.is_empty().then_some(""))?;
            return Some(self.arcgis(wanted, query.get("f")));
        }
        if let ServiceContent::Features = self.what {
            return Some(self.features_api(below.trim_matches('/')));
        }
        if let ServiceContent::Ogc { .. } = self.what
            && let Some(tile) = service::tile_at(below)
        {
            return Some(SiteReply::new(200, "image/png", tile));
        }
        if let ServiceContent::TileJson = self.what
            && path.strip_suffix(".png").is_some()
        {
            return Some(picture());
        }
        if !below.is_empty() {
            return None;
        }
        Some(match &self.what {
            ServiceContent::Ogc { endpoint, service } => {
                service::answer_request(endpoint, std::slice::from_ref(service.as_ref()), &self.url, &query)
            }
            ServiceContent::Kml => SiteReply::new(
                200,
                "application/vnd.google-earth.kml+xml",
                write_kml("Places", AREA, 5, 0, 1),
            ),
            ServiceContent::TileJson => {
                let tiles = format!("{}/{{z}}/{{x}}/{{y}}.png", self.url.trim_end_matches(".json"));
                let name = self.layers.first().cloned().unwrap_or_default();
                json_reply(
                    &json!({"tilejson": "2.2.0", "name": name, "tiles": [tiles], "minzoom": 0, "maxzoom": 14, "bounds": AREA}),
                )
            }
            _ => {
                let mut all = features();
                all["name"] = json!(self.layers.last());
                json_reply(&all)
            }
        })
    }

    fn arcgis(&self, wanted: &str, format: Option<&str>) -> SiteReply {
        let operation = wanted.rsplit('/').next().unwrap_or("");
        if matches!(operation, "export" | "exportImage") && format != Some("json")
            || wanted.starts_with("tile/")
        {
            return picture();
        }
        if operation == "query" {
            return json_reply(
                &json!({"objectIdFieldName": "OBJECTID", "geometryType": "esriGeometryPoint", "spatialReference": {"wkid": 4326}, "fields": [], "features": [{"attributes": {"OBJECTID": 1}, "geometry": {"x": 10.0, "y": 50.0}}]}),
            );
        }
        let layer = wanted.is_empty() || wanted == "layers" || wanted.bytes().all(|b| b.is_ascii_digit());
        if !layer {
            return json_reply(&json!({"error": {"code": 400, "message": "Invalid URL", "details": []}}));
        }
        if !format.is_some_and(|f| f.eq_ignore_ascii_case("json") || f.eq_ignore_ascii_case("pjson")) {
            return SiteReply::html(200, "<html><head><title>ArcGIS REST Services Directory</title></head><body><h2>Service</h2></body></html>".to_owned());
        }
        json_reply(&if wanted.is_empty() { self.arcgis_service() } else { self.arcgis_layer() })
    }

    /// Answers as an OGC API with features below its landing page.
    fn features_api(&self, below: &str) -> SiteReply {
        let base = &self.url;
        let link = |rel: &str, href: String| json!({"rel": rel, "type": "application/json", "href": href, "title": rel});
        let collection = |name: &String| json!({"id": name, "title": name, "description": format!("All of {name}"), "itemType": "feature", "extent": {"spatial": {"bbox": [AREA], "crs": "http://www.opengis.net/def/crs/OGC/1.3/CRS84"}}, "links": [link("items", format!("{base}/collections/{name}/items")), link("self", format!("{base}/collections/{name}"))]});
        let conformance = json!([
            "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core",
            "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson"
        ]);
        let parts: Vec<&str> = below.split('/').collect();
        match parts.as_slice() {
            [""] => json_reply(
                &json!({"title": "Features", "description": "Features of the agency", "links": [link("self", base.clone()), link("data", format!("{base}/collections")), link("conformance", format!("{base}/conformance"))], "conformsTo": conformance}),
            ),
            ["conformance"] => json_reply(&json!({"conformsTo": conformance})),
            ["collections"] => {
                let all: Vec<Value> = self.layers.iter().map(collection).collect();
                json_reply(
                    &json!({"collections": all, "links": [link("self", format!("{base}/collections"))]}),
                )
            }
            ["collections", name] if self.layers.iter().any(|layer| layer == name) => {
                json_reply(&collection(&(*name).to_owned()))
            }
            ["collections", name, "items"] if self.layers.iter().any(|layer| layer == name) => {
                let mut all = features();
                all["numberMatched"] = json!(2);
                all["numberReturned"] = json!(2);
                SiteReply::new(200, "application/geo+json", all.to_string())
            }
            _ => {
                let mut reply =
                    json_reply(&json!({"code": "NotFound", "description": "There is no such thing here"}));
                reply.status = 404;
                reply
            }
        }
    }

    /// Returns the last part of the service's name.
    fn name(&self) -> &str {
        self.path.rsplit('/').nth(1).unwrap_or("Service")
    }

    fn arcgis_service(&self) -> Value {
        let name = self.name();
        let extent = extent();
        let layers = json!([{"id": 0, "name": name, "parentLayerId": -1, "defaultVisibility": true, "subLayerIds": null, "minScale": 0, "maxScale": 0, "type": "Feature Layer", "geometryType": "esriGeometryPoint"}]);
        match self.what {
            ServiceContent::MapServer => {
                json!({"currentVersion": 10.91, "serviceDescription": name, "mapName": name, "description": "", "copyrightText": "", "supportsDynamicLayers": true, "layers": layers, "tables": [], "spatialReference": {"wkid": 4326}, "singleFusedMapCache": false, "initialExtent": extent, "fullExtent": extent, "units": "esriDecimalDegrees", "supportedImageFormatTypes": "PNG32,PNG24,PNG,JPG", "documentInfo": {"Title": name}, "capabilities": "Map,Query,Data"})
            }
            ServiceContent::FeatureServer => {
                json!({"currentVersion": 10.91, "serviceDescription": name, "hasVersionedData": false, "maxRecordCount": 2000, "supportedQueryFormats": "JSON, geoJSON", "capabilities": "Query", "description": "", "copyrightText": "", "spatialReference": {"wkid": 4326}, "initialExtent": extent, "fullExtent": extent, "allowGeometryUpdates": true, "units": "esriDecimalDegrees", "layers": layers, "tables": []})
            }
            _ => {
                json!({"currentVersion": 10.91, "serviceDescription": name, "name": name, "description": "", "extent": extent, "initialExtent": extent, "fullExtent": extent, "pixelSizeX": 0.01, "pixelSizeY": 0.01, "bandCount": 1, "pixelType": "U8", "serviceDataType": "esriImageServiceDataTypeGeneric", "minValues": [0], "maxValues": [255], "copyrightText": "", "spatialReference": {"wkid": 4326}, "capabilities": "Image,Metadata"})
            }
        }
    }

    fn arcgis_layer(&self) -> Value {
        let name = self.name();
        json!({"currentVersion": 10.91, "id": 0, "name": name, "type": "Feature Layer", "description": "", "geometryType": "esriGeometryPoint", "copyrightText": "", "parentLayer": null, "subLayers": [], "minScale": 0, "maxScale": 0, "defaultVisibility": true, "extent": extent(), "hasAttachments": false, "displayField": "NAME", "objectIdField": "OBJECTID", "fields": [{"name": "OBJECTID", "type": "esriFieldTypeOID", "alias": "OBJECTID"}, {"name": "NAME", "type": "esriFieldTypeString", "alias": "Name", "length": 80}], "drawingInfo": {"renderer": {"type": "simple", "symbol": {"type": "esriSMS", "style": "esriSMSCircle", "color": [0, 0, 0, 255], "size": 4}}}, "maxRecordCount": 2000, "supportedQueryFormats": "JSON, geoJSON", "capabilities": "Query"})
    }
}

fn extent() -> Value {
    json!({"xmin": AREA[0], "ymin": AREA[1], "xmax": AREA[2], "ymax": AREA[3], "spatialReference": {"wkid": 4326}})
}

fn features() -> Value {
    let feature = |x: f64, y: f64| json!({"type": "Feature", "properties": {"name": format!("{x} {y}")}, "geometry": {"type": "Point", "coordinates": [x, y]}});
    json!({"type": "FeatureCollection", "features": [feature(AREA[0], AREA[1]), feature(AREA[2], AREA[3])]})
}

fn json_reply(value: &Value) -> SiteReply {
    SiteReply::new(200, "application/json", value.to_string())
}

fn picture() -> SiteReply {
    SiteReply::new(200, "image/png", service::sample_tile())
}

/// Returns a tile of one layer with one point.
fn vector_tile() -> Vec<u8> {
    let mut layer = vec![0x78, 2, 0x0A, 5];
    layer.extend_from_slice(b"cells");
    layer.extend_from_slice(&[0x12, 7, 0x18, 1, 0x22, 3, 9, 50, 34, 0x28, 0x80, 0x20]);
    let mut tile = vec![0x1A, layer.len() as u8];
    tile.append(&mut layer);
    tile
}

/// Whether `path` is one of the tiles of `template`: each placeholder is a run of letters and
/// digits.
fn fits(template: &str, path: &str) -> bool {
    let mut pieces = template.split('{');
    let Some(mut rest) = pieces.next().and_then(|head| path.strip_prefix(head)) else { return false };
    for piece in pieces {
        let Some((_, literal)) = piece.split_once('}') else { return false };
        let filled = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let Some(after) = rest[filled..].strip_prefix(literal).filter(|_| filled > 0) else { return false };
        rest = after;
    }
    rest.is_empty()
}

/// Returns a catalogue record for a layer.
fn record(name: &str) -> service::CatalogueEntry {
    service::CatalogueEntry {
        title: name.to_owned(),
        url: format!("http://data.example/{name}"),
        kind: "wms",
    }
}

fn ogc(kind: OgcKind, layers: &[String], title: &str) -> ServiceContent {
    let names = if layers.is_empty() { vec!["layer".to_owned()] } else { layers.to_vec() };
    let datasets = names.iter().map(|name| PlannedDataset {
        name: name.clone(),
        title: name.rsplit(':').next().unwrap_or(name).to_owned(),
        abstract_: format!("{title}, {name}"),
        keywords: vec![title.to_owned()],
        bbox: AREA,
        group: 0,
        time: None,
    });
    let service = PlannedService {
        kind,
        versions: kind.version_sets()[0].to_vec(),
        title: format!("{title} {}", kind.service_parameter()),
        abstract_: format!("Data of {title}"),
        keywords: vec![title.to_owned(), kind.service_parameter().to_owned()],
        provider: "Agency".to_owned(),
        email: "gis@agency.example".to_owned(),
        language: "en",
        datasets: datasets.collect(),
        groups: vec![LayerGroup { name: None, title: title.to_owned() }],
        root_name: None,
        bbox: AREA,
        quirk: DocumentQuirk::None,
        wcps: false,
        epsg: 25832,
        records: names.iter().map(|name| record(name)).collect(),
    };
    let endpoint = PlannedEndpoint {
        host: 0,
        path: String::new(),
        vendor: None,
        software: ServerSoftware::Plain,
        manners: EndpointBehaviour::default(),
        services: vec![0],
        hinted: true,
        restful: false,
        delay: Duration::ZERO,
        moved_from: None,
    };
    ServiceContent::Ogc { endpoint: Box::new(endpoint), service: Box::new(service) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(kind: &str, url: &str) -> SimulatedService {
        let described = manifest::ManifestService {
            kind: kind.to_owned(),
            url: url.to_owned(),
            layers: vec!["roads".to_owned()],
            level: None,
            requested: true,
            proxied: false,
            optional: false,
        };
        SimulatedService::new(&described, "Test").unwrap()
    }

    fn ask(place: &SimulatedService, target: &str) -> Option<(u16, String)> {
        let reply = place.answer(&SiteRequest { method: "GET", target, ..SiteRequest::default() })?;
        let crate::reply::ReplyBody::Bytes(bytes) = reply.body else { panic!("bytes") };
        Some((reply.status, String::from_utf8_lossy(&bytes).into_owned()))
    }

    #[test]
    fn a_service_answers_at_its_address_and_nowhere_else() {
        let wms = place("wms", "http://a.example/cgi?map=/x.map");
        let (_, body) = ask(&wms, "/cgi?map=%2Fx.map&SERVICE=WMS&REQUEST=GetCapabilities").unwrap();
        assert!(body.contains("<Name>roads</Name>"), "{body}");
        assert!(ask(&wms, "/cgi?map=/y.map&SERVICE=WMS&REQUEST=GetCapabilities").is_none());
        assert!(ask(&wms, "/cgi2?map=/x.map").is_none());
        let rest = place("arcgis-featureserver", "http://a.example/rest/services/Bins/FeatureServer");
        assert!(
            ask(&rest, "/rest/services/Bins/FeatureServer?f=json").unwrap().1.contains("hasVersionedData")
        );
        assert!(
            ask(&rest, "/rest/services/Bins/FeatureServer/0?f=pjson").unwrap().1.contains("objectIdField")
        );
        assert!(ask(&rest, "/rest/services/Bins/FeatureServerX?f=json").is_none());
    }

    #[test]
    fn tiles_fit_their_template() {
        assert!(fits("/t/{z}/{x}/{y}.png", "/t/3/4/2.png"));
        assert!(fits("/t/{quadkey}.png", "/t/120.png"));
        for other in ["/t/3/4.png", "/t/3/4/.png", "/t/3/4/2.jpg", "/t/3/4/2.png/x", "/t/{z}/{x}/{y}.png"] {
            assert!(!fits("/t/{z}/{x}/{y}.png", other), "{other}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_path_fits_or_not(template in "[/{}a-z]{0,20}", path in ".{0,20}") {
            let _ = fits(&template, &path);
        }
    }
}
