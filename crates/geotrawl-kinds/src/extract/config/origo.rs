//! Origo: `index.json`.

use super::MapViewer;
use super::targets::{ConfigEntry, ConfigTargets};
use super::types::{RequestKind, request_for_type};
use super::walk::walk_values;
use serde_json::Value;
use std::collections::BTreeMap;

pub const VIEWER: MapViewer = MapViewer {
    id: "origo",
    what: "Origo: index.json holds named sources, and layers that say which source and what type",
    claims,
    read,
};

fn claims(doc: &Value) -> bool {
    doc.get("source").is_some_and(Value::is_object)
        && doc.get("layers").is_some_and(Value::is_array)
        && (doc.get("controls").is_some() || doc.get("projectionCode").is_some())
}

fn read(doc: &Value, finds: &mut ConfigTargets) {
    let mut used: BTreeMap<&str, (Option<RequestKind>, Vec<String>)> = BTreeMap::new();
    for layer in doc.get("layers").and_then(Value::as_array).into_iter().flatten().take(20_000) {
        let word = |name: &str| layer.get(name).and_then(Value::as_str);
        let way = word("type").and_then(request_for_type);
        if let (Some(RequestKind::File), Some(file)) = (way, word("source")) {
            finds.add(ConfigEntry { url: file, way, ..ConfigEntry::default() });
        }
        if let Some(source) = word("source") {
            let (said, layers) = used.entry(source).or_default();
            *said = said.or(way);
            // `layer__style` names different styles of one layer.
            layers.extend(
                word("id").or_else(|| word("name")).map(|n| n.split("__").next().unwrap_or(n).to_owned()),
            );
        }
    }
    for (name, source) in doc.get("source").and_then(Value::as_object).into_iter().flatten() {
        let (way, layers) = used.remove(name.as_str()).unwrap_or_default();
        let said = source.get("type").and_then(Value::as_str).and_then(request_for_type).or(way);
        if let Some(url) = source.get("url").and_then(Value::as_str) {
            finds.add(ConfigEntry { url, way: said, layers, words: name });
        }
    }
    walk_values(doc, finds);
}
