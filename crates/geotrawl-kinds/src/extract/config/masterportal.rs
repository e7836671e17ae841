//! Masterportal: `services.json`, `rest-services.json`, `config.json`.

use super::MapViewer;
use super::targets::ConfigTargets;
use super::walk::walk_values;
use serde_json::Value;

pub const VIEWER: MapViewer = MapViewer {
    id: "masterportal",
    what: "Masterportal: services.json lists layers with url and typ; config.json refers to them",
    claims,
    read,
};

/// Checks for a list of objects with `typ` and `url`, or the members of a portal configuration.
fn claims(doc: &Value) -> bool {
    match doc {
        Value::Array(list) => {
            let service =
                |item: &Value| item.get("typ").is_some_and(Value::is_string) && item.get("id").is_some();
            !list.is_empty() && list.iter().take(20).filter(|i| service(i)).count() * 2 >= list.len().min(20)
        }
        Value::Object(object) => {
            object.contains_key("Portalconfig") && object.contains_key("Themenconfig")
                || object.contains_key("portalConfig") && object.contains_key("layerConfig")
        }
        _ => false,
    }
}

fn read(doc: &Value, finds: &mut ConfigTargets) {
    walk_values(doc, finds);
}
