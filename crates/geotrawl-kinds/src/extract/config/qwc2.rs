//! QGIS Web Client 2: `themes.json`, `themesConfig.json`.

use super::MapViewer;
use super::targets::{ConfigEntry, ConfigTargets};
use super::types::{RequestKind, request_for_type};
use super::walk::walk_values;
use serde_json::Value;

pub const VIEWER: MapViewer = MapViewer {
    id: "qwc2",
    what: "QGIS Web Client 2: every theme of themes.json is a WMS of QGIS Server, with its layers",
    claims,
    read,
};

/// Checks for themes, in folders or not.
fn claims(doc: &Value) -> bool {
    doc.pointer("/themes/items").is_some_and(Value::is_array)
        || doc.pointer("/themes/subdirs").is_some_and(Value::is_array)
        || doc.pointer("/themes/groups").is_some_and(Value::is_array)
}

/// Maximum nesting of theme folders.
const DEPTH: usize = 10;

fn read(doc: &Value, finds: &mut ConfigTargets) {
    if let Some(themes) = doc.get("themes") {
        folder(themes, finds, 0);
    }
    walk_values(doc, finds);
}

fn folder(value: &Value, finds: &mut ConfigTargets, depth: usize) {
    for theme in value.get("items").and_then(Value::as_array).into_iter().flatten() {
        let word = |name: &str| theme.get(name).and_then(Value::as_str).unwrap_or_default();
        let mut layers = Vec::new();
        sublayers(theme, &mut layers, 0);
        finds.add(ConfigEntry {
            url: word("url"),
            way: Some(RequestKind::Ows("wms")),
            layers,
            words: word("title"),
        });
        external(theme, finds);
    }
    if depth < DEPTH {
        for name in ["subdirs", "groups"] {
            for inner in value.get(name).and_then(Value::as_array).into_iter().flatten() {
                folder(inner, finds, depth + 1);
            }
        }
    }
}

fn sublayers(node: &Value, out: &mut Vec<String>, depth: usize) {
    for layer in node.get("sublayers").and_then(Value::as_array).into_iter().flatten().take(1000) {
        if layer.get("sublayers").is_none() {
            out.extend(layer.get("name").and_then(Value::as_str).map(str::to_owned));
        } else if depth < DEPTH {
            sublayers(layer, out, depth + 1);
        }
    }
}

/// Adds layers of other servers, named like `"wms:https://x.org/wms?#layer"`.
fn external(theme: &Value, finds: &mut ConfigTargets) {
    for layer in theme.get("externalLayers").and_then(Value::as_array).into_iter().flatten().take(1000) {
        let Some((kind, url)) = layer.get("name").and_then(Value::as_str).and_then(|n| n.split_once(':'))
        else {
            continue;
        };
        let (url, name) = url.split_once('#').unwrap_or((url, ""));
        if let Some(way) = request_for_type(kind) {
            finds.add(ConfigEntry { url, way: Some(way), layers: vec![name.to_owned()], words: name });
        }
    }
}
