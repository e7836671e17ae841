//! ArcGIS web maps and web scenes.

use super::MapViewer;
use super::targets::{ConfigEntry, ConfigTargets};
use super::types::{RequestKind, request_for_type};
use super::walk::walk_values;
use serde_json::Value;

pub const VIEWER: MapViewer = MapViewer {
    id: "arcgis-webmap",
    what: "ArcGIS web maps and scenes: operational layers, base maps and tables with their addresses",
    claims,
    read,
};

fn claims(doc: &Value) -> bool {
    doc.get("operationalLayers").is_some_and(Value::is_array)
        || doc.pointer("/baseMap/baseMapLayers").is_some_and(Value::is_array)
}

fn read(doc: &Value, finds: &mut ConfigTargets) {
    let mut stack: Vec<&Value> = Vec::new();
    for place in ["/operationalLayers", "/baseMap/baseMapLayers", "/tables"] {
        stack.extend(doc.pointer(place).and_then(Value::as_array).into_iter().flatten());
    }
    let mut left = 100_000;
    while let Some(layer) = stack.pop() {
        left -= 1;
        if left == 0 {
            break;
        }
        let word = |name: &str| layer.get(name).and_then(Value::as_str).unwrap_or_default();
        let way = request_for_type(word("layerType")).or_else(|| request_for_type(word("type")));
        let inner = layer.get("layers").and_then(Value::as_array);
        let mut layers = Vec::new();
        if matches!(way, Some(RequestKind::Ows(_))) {
            let names = inner.into_iter().flatten().filter_map(|l| l.get("name")?.as_str());
            layers.extend(names.map(str::to_owned));
        } else {
            // Group layers contain further layers.
            stack.extend(
                inner.into_iter().flatten().filter(|l| l.get("url").is_some() || l.get("layers").is_some()),
            );
        }
        for name in ["url", "styleUrl", "mapUrl", "templateUrl"] {
            finds.add(ConfigEntry { url: word(name), way, layers: layers.clone(), words: word("title") });
        }
        if let Some(url) = layer.pointer("/wmtsInfo/url").and_then(Value::as_str) {
            finds.add(ConfigEntry { url, way: Some(RequestKind::Ows("wmts")), layers, words: word("title") });
        }
    }
    walk_values(doc, finds);
}
