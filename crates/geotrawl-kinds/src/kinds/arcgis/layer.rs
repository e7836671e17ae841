//! A single layer of a map or feature service, and the results of queries.

use super::{extent_bbox, parse_address, time_of};
use crate::formats::json::JsonDocument;
use crate::kinds::DocumentReading;
use crate::kinds::i3s;
use crate::kinds::members::{ResourceDraft, identifier_member, prose_member, title_member};
use crate::probe::CrawlTarget;
use geotrawl_model::{Dataset, Intent};
use serde_json::Value;
use url::Url;

/// Returns whether a document describes a layer or table.
pub fn is_layer(doc: &JsonDocument) -> bool {
    const TYPES: [&str; 9] = [
        "feature layer",
        "group layer",
        "raster layer",
        "table",
        "annotation layer",
        "annotation sublayer",
        "dimension layer",
        "mosaic layer",
        "utility network layer",
    ];
    let known = doc.text_member("type").is_some_and(|t| TYPES.contains(&t.to_ascii_lowercase().as_str()));
    let id = doc.get("id").is_some_and(|id| id.is_u64() || id.is_i64());
    known && id && doc.text_member("name").is_some() && !i3s::is_scene_layer(&doc.root)
}

/// Returns the kind of the service that a layer belongs to, by its URL or else by its members.
pub fn owning_kind(doc: &JsonDocument, at: &Url) -> Option<&'static str> {
    if !is_layer(doc) {
        return None;
    }
    match parse_address(at).and_then(|a| a.type_).map(|t| t.to_ascii_lowercase()).as_deref() {
        Some("mapserver") => Some("arcgis-mapserver"),
        Some("featureserver") => Some("arcgis-featureserver"),
        Some(_) => None,
        None => {
            let drawn = ["canModifyLayer", "canScaleSymbols", "subLayers", "hasLabels", "effectiveMinScale"];
            let edited = ["templates", "objectIdField", "allowGeometryUpdates", "globalIdField"];
            let map = drawn.iter().any(|name| doc.has_member(name))
                && !edited.iter().any(|name| doc.has_member(name));
            Some(if map { "arcgis-mapserver" } else { "arcgis-featureserver" })
        }
    }
}

/// Returns whether a document is a query result: features in Esri's format.
pub fn is_query_result(doc: &JsonDocument) -> bool {
    let esri = doc.text_member("geometryType").is_some_and(|t| t.starts_with("esriGeometry"));
    let features = doc.get("features").and_then(Value::as_array);
    let attributes = features.is_some_and(|f| f.first().is_some_and(|f| f.get("attributes").is_some()));
    features.is_some() && (esri || attributes) && !doc.has_member("type")
}

/// Builds the service of a layer, with that layer only, since nothing is known about the others.
pub fn read_layer(mut draft: ResourceDraft, doc: &JsonDocument, at: &Url) -> DocumentReading {
    let root = &doc.root;
    let bbox =
        root.get("extent").filter(|e| e.is_object()).and_then(|extent| extent_bbox(&mut draft, extent, None));
    let dataset = Dataset {
        name: identifier_member(root, "id").unwrap_or_default(),
        title: title_member(root, "name"),
        abstract_: prose_member(root, "description"),
        bbox,
        time: time_of(root).into_iter().collect(),
        formats: title_member(root, "geometryType").into_iter().map(Into::into).collect(),
        ..Dataset::default()
    };
    draft.resource.bbox = None;
    draft.add_dataset(dataset);
    let resource = draft.finish();
    // The other layers are listed by the service.
    let below = parse_address(at).filter(|address| !address.rest.is_empty());
    let target = below.map(|address| {
        CrawlTarget::new(address.root, Intent::Ask { kind: resource.kind.clone() }, "content")
    });
    DocumentReading {
        resources: vec![resource],
        targets: target.into_iter().collect(),
        document: Some("arcgis-rest-layer"),
        ..DocumentReading::default()
    }
}
