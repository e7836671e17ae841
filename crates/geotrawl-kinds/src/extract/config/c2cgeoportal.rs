//! c2cgeoportal and GeoMapFish: the response of `/themes`.

use super::MapViewer;
use super::targets::{ConfigEntry, ConfigTargets};
use super::types::RequestKind;
use super::walk::walk_values;
use serde_json::Value;
use std::collections::BTreeMap;

pub const VIEWER: MapViewer = MapViewer {
    id: "c2cgeoportal",
    what: "c2cgeoportal (GeoMapFish): /themes lists OGC servers and the trees of their layers",
    claims,
    read,
};

fn claims(doc: &Value) -> bool {
    doc.get("ogcServers").is_some_and(Value::is_object) && doc.get("themes").is_some()
}

fn read(doc: &Value, finds: &mut ConfigTargets) {
    let mut layers: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut stack: Vec<(&Value, Option<&str>)> = Vec::new();
    for name in ["themes", "background_layers"] {
        stack.extend(doc.get(name).and_then(Value::as_array).into_iter().flatten().map(|v| (v, None)));
    }
    let mut left = 500_000;
    while let Some((node, server)) = stack.pop() {
        left -= 1;
        if left == 0 {
            break;
        }
        // A group may name the server of all its layers.
        let server = node.get("ogcServer").and_then(Value::as_str).or(server);
        stack.extend(
            node.get("children").and_then(Value::as_array).into_iter().flatten().map(|v| (v, server)),
        );
        if let (Some(server), Some(names)) = (server, node.get("layers").and_then(Value::as_str)) {
            layers.entry(server).or_default().extend(names.split(',').take(200).map(str::to_owned));
        }
    }
    for (name, server) in doc.get("ogcServers").and_then(Value::as_object).into_iter().flatten() {
        let layers = layers.remove(name.as_str()).unwrap_or_default();
        for (key, kind) in [("url", "wms"), ("urlWfs", "wfs")] {
            if let Some(url) = server.get(key).and_then(Value::as_str) {
                finds.add(ConfigEntry {
                    url,
                    way: Some(RequestKind::Ows(kind)),
                    layers: layers.clone(),
                    words: name,
                });
            }
        }
    }
    walk_values(doc, finds);
}
