//! TerriaJS: `config.json` and the init files, version 7 and 8.

use super::MapViewer;
use super::targets::ConfigTargets;
use super::walk::walk_values;
use serde_json::Value;

pub const VIEWER: MapViewer = MapViewer {
    id: "terria",
    what: "TerriaJS: config.json lists init files, which contain a catalogue of typed addresses",
    claims,
    read,
};

/// Checks for a catalogue of typed items, or a list of init files.
fn claims(doc: &Value) -> bool {
    let catalog = doc.get("catalog").and_then(Value::as_array);
    let typed = catalog.is_some_and(|list| list.iter().take(20).any(|item| item.get("type").is_some()));
    typed || doc.get("initializationUrls").is_some_and(Value::is_array)
}

fn read(doc: &Value, finds: &mut ConfigTargets) {
    for name in doc.get("initializationUrls").and_then(Value::as_array).into_iter().flatten().take(200) {
        let Some(name) = name.as_str().filter(|n| n.len() <= 1024) else { continue };
        // A bare name is a file in `init/`.
        if name.contains(['/', '.']) {
            finds.add_document(name);
        } else {
            finds.add_document(&format!("init/{name}.json"));
        }
    }
    walk_values(doc, finds);
}
