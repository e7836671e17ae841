//! Oskari: the response of `GetMapLayers`.

use super::MapViewer;
use super::targets::{ConfigEntry, ConfigTargets};
use super::types::request_for_type;
use super::walk::walk_values;
use serde_json::Value;

pub const VIEWER: MapViewer = MapViewer {
    id: "oskari",
    what: "Oskari: GetMapLayers lists layers with types such as wmslayer and, for some users, their address",
    claims,
    read,
};

/// Checks for layers whose types end with `layer`.
fn claims(doc: &Value) -> bool {
    let layers = doc.get("layers").and_then(Value::as_array);
    layers.is_some_and(|list| {
        list.iter().take(20).any(|layer| {
            layer.get("type").and_then(Value::as_str).is_some_and(|t| t.ends_with("layer") && t.len() > 5)
                && (layer.get("orgName").is_some()
                    || layer.get("organization").is_some()
                    || layer.get("layerName").is_some())
        })
    })
}

fn read(doc: &Value, finds: &mut ConfigTargets) {
    for layer in doc.get("layers").and_then(Value::as_array).into_iter().flatten() {
        let word = |name: &str| layer.get(name).and_then(Value::as_str).unwrap_or_default();
        let way = request_for_type(word("type"));
        // One string lists several hosts of the service.
        let url = word("url").split(',').next().unwrap_or_default();
        if !url.is_empty() {
            let names = word("layerName").split(',').map(str::to_owned).collect();
            finds.add(ConfigEntry { url, way, layers: names, words: word("name") });
        }
    }
    walk_values(doc, finds);
}
