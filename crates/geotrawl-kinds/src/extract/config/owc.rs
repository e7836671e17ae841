//! OWS Context in GeoJSON.

use super::MapViewer;
use super::targets::{ConfigEntry, ConfigTargets};
use super::types::request_for_type;
use super::walk::walk_values;
use serde_json::Value;

pub const VIEWER: MapViewer = MapViewer {
    id: "owc",
    what: "OWS Context (GeoJSON): features with offerings, whose operations are requests to services",
    claims,
    read,
};

fn offerings(feature: &Value) -> Option<&Vec<Value>> {
    feature.get("offerings").or_else(|| feature.get("properties")?.get("offerings"))?.as_array()
}

fn features(doc: &Value) -> impl Iterator<Item = &Value> {
    let list = doc.get("features").and_then(Value::as_array);
    std::iter::once(doc).chain(list.into_iter().flatten())
}

fn claims(doc: &Value) -> bool {
    features(doc).take(50).any(|feature| offerings(feature).is_some())
}

fn read(doc: &Value, finds: &mut ConfigTargets) {
    for feature in features(doc) {
        let words = feature.pointer("/properties/title").and_then(Value::as_str).unwrap_or_default();
        for offering in offerings(feature).into_iter().flatten().take(100) {
            // `http://www.opengis.net/spec/owc-geojson/1.0/req/wms`
            let code = offering.get("code").and_then(Value::as_str).unwrap_or_default();
            let way = request_for_type(code.rsplit('/').next().unwrap_or_default());
            for name in ["operations", "contents"] {
                for operation in offering.get(name).and_then(Value::as_array).into_iter().flatten().take(50) {
                    let url = operation.get("href").and_then(Value::as_str);
                    if let Some(url) = url {
                        finds.add(ConfigEntry { url, way, layers: Vec::new(), words });
                    }
                }
            }
        }
    }
    walk_values(doc, finds);
}
