//! GeoMoose 3: mapbooks in JSON (XML mapbooks are read by `extract::documents`).

use super::MapViewer;
use super::targets::{ConfigEntry, ConfigTargets};
use super::types::request_for_type;
use super::walk::{collect_names, walk_values};
use serde_json::Value;

pub const VIEWER: MapViewer = MapViewer {
    id: "geomoose",
    what: "GeoMoose: map-sources with a type, several addresses and layers",
    claims,
    read,
};

fn sources(doc: &Value) -> Option<&Vec<Value>> {
    ["map-sources", "mapSources", "sources"]
        .iter()
        .find_map(|name| doc.get(name).or_else(|| doc.get("mapbook")?.get(name))?.as_array())
}

/// Checks for sources with a list of addresses.
fn claims(doc: &Value) -> bool {
    sources(doc)
        .is_some_and(|list| list.iter().take(20).any(|s| s.get("urls").is_some() && s.get("type").is_some()))
}

fn read(doc: &Value, finds: &mut ConfigTargets) {
    for source in sources(doc).into_iter().flatten() {
        let way = source.get("type").and_then(Value::as_str).and_then(request_for_type);
        let words = source.get("name").and_then(Value::as_str).unwrap_or_default();
        let mut layers = Vec::new();
        if let Some(list) = source.get("layers") {
            collect_names(list, &mut layers);
        }
        let url =
            source.get("urls").and_then(|urls| urls.as_str().or_else(|| urls.as_array()?.first()?.as_str()));
        if let Some(url) = url {
            finds.add(ConfigEntry { url, way, layers, words });
        }
    }
    walk_values(doc, finds);
}
