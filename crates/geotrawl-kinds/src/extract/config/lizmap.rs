//! Lizmap: the configuration of a project.

use super::MapViewer;
use super::targets::{ConfigEntry, ConfigTargets};
use super::types::RequestKind;
use super::walk::walk_values;
use serde_json::Value;

pub const VIEWER: MapViewer = MapViewer {
    id: "lizmap",
    what: "Lizmap: a project configuration; its services are at the same address, by repository and project",
    claims,
    read,
};

/// Checks for options with a projection and a box, and layers by name.
fn claims(doc: &Value) -> bool {
    let option = |name: &str| doc.get("options").is_some_and(|o| o.get(name).is_some());
    option("projection") && option("bbox") && doc.get("layers").is_some_and(Value::is_object)
}

fn read(doc: &Value, finds: &mut ConfigTargets) {
    let at = finds.base_url().clone();
    let value = |key: &str| at.query_pairs().find(|(k, _)| k == key).map(|(_, v)| v.into_owned());
    if let (Some(repository), Some(project)) = (value("repository"), value("project"))
        && let Some((before, _)) = at.path().split_once("/lizmap/service")
    {
        let mut service = at.clone();
        service.set_path(&format!("{before}/lizmap/service"));
        service
            .query_pairs_mut()
            .clear()
            .append_pair("repository", &repository)
            .append_pair("project", &project);
        let layers = doc.get("layers").and_then(Value::as_object).into_iter().flatten();
        let layers = layers.filter(|(_, layer)| layer.get("type").and_then(Value::as_str) == Some("layer"));
        let names = layers.take(1000).map(|(name, layer)| {
            layer
                .get("shortname")
                .and_then(Value::as_str)
                .filter(|s| !s.is_empty())
                .unwrap_or(name)
                .to_owned()
        });
        let layers = names.collect();
        finds.add(ConfigEntry {
            url: service.as_str(),
            way: Some(RequestKind::Ows("wms")),
            layers,
            words: &project,
        });
    }
    walk_values(doc, finds);
}
