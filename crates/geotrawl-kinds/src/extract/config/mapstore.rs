//! MapStore: `localConfig.json`, maps and contexts.

use super::MapViewer;
use super::targets::{ConfigEntry, ConfigTargets};
use super::types::request_for_type;
use super::walk::walk_values;
use serde_json::Value;

pub const VIEWER: MapViewer = MapViewer {
    id: "mapstore",
    what: "MapStore: maps contain typed layers, named as on the server; localConfig.json contains catalogues",
    claims,
    read,
};

/// Checks for a map with layers, or the initial state of a MapStore.
fn claims(doc: &Value) -> bool {
    let map_layers = doc.pointer("/map/layers").is_some_and(Value::is_array) && doc.get("version").is_some();
    let local = doc.get("initialState").is_some() && doc.get("plugins").is_some();
    map_layers || local || doc.pointer("/catalogServices/services").is_some_and(Value::is_object)
}

fn read(doc: &Value, finds: &mut ConfigTargets) {
    for layer in doc.pointer("/map/layers").and_then(Value::as_array).into_iter().flatten() {
        let way = layer.get("type").and_then(Value::as_str).and_then(request_for_type);
        let name = layer.get("name").and_then(Value::as_str).unwrap_or_default();
        let words = layer.get("title").and_then(Value::as_str).unwrap_or(name);
        let urls: Vec<&str> = match layer.get("url") {
            Some(Value::String(url)) => vec![url],
            Some(Value::Array(list)) => list.iter().take(8).filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        // The addresses are hosts of the same service.
        if let Some(url) = urls.first() {
            finds.add(ConfigEntry { url, way, layers: vec![name.to_owned()], words });
        }
    }
    walk_values(doc, finds);
}
