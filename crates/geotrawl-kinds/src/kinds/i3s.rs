//! I3S: layers of three-dimensional scenes.

use super::members::{Draft, corners, float, identifier, prose, title};
use super::{Claim, CorpusLabel, Form, Kind, KindProfile, Metadata, Reading, Request, arcgis};
use crate::formats::crs::CrsRef;
use crate::formats::json::Doc;
use crate::urls;
use geotrawl_model::{Bbox, Dataset};
use serde_json::Value;
use url::Url;

/// A scene layer.
pub struct I3s;

const ID: &str = "i3s";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "I3S scene layer",
    what: "An indexed three-dimensional scene layer: buildings, meshes, points, point clouds. The layer is one dataset.",
    specification: "https://docs.ogc.org/cs/17-014r9/17-014r9.html",
    evidence: "A JSON object with a layerType of I3S and a store.",
    false_positives: "Layers of feature services have a type, not a layerType.",
    form: Form::FileSet,
    request: Request::Page,
    metadata: Metadata::Terse,
    corpus_labels: &[CorpusLabel::versioned("arcgis-rest-layer")],
    terria_type: Some("i3s"),
    ..KindProfile::TILES
};

const LAYER_TYPES: &[&str] =
    &["3DObject", "Building", "IntegratedMesh", "Point", "PointCloud", "Voxel", "3DNodeIndexDocument"];

/// Whether a JSON object describes a scene layer.
pub fn is_layer(value: &Value) -> bool {
    let known = value.get("layerType").and_then(Value::as_str).is_some_and(|t| LAYER_TYPES.contains(&t));
    known && (value.get("store").is_some_and(Value::is_object) || value.get("sublayers").is_some())
}

/// The box of a layer: `store.extent` in its coordinate system, or `fullExtent`.
pub fn place(draft: &mut Draft, layer: &Value) -> Option<Bbox> {
    let reference = layer.get("spatialReference");
    if let Some(extent) = layer.get("fullExtent").filter(|e| e.is_object()) {
        return arcgis::place(draft, extent, reference);
    }
    let written = layer.pointer("/store/extent").and_then(corners)?;
    let named = layer.pointer("/store/indexCRS").and_then(Value::as_str).and_then(CrsRef::from_text);
    let crs = reference.and_then(arcgis::crs_of).or(named).unwrap_or(CrsRef::Crs84);
    draft.place_in(&crs, written)
}

impl Kind for I3s {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claims_json(&self, doc: &Doc, _at: &Url) -> Option<Claim> {
        is_layer(&doc.root).then(|| Claim { version: version(doc), oddity: None })
    }

    fn read_json(&self, doc: &Doc, claim: Claim, at: &Url) -> Reading {
        let root = &doc.root;
        let mut draft = Draft::new(ID, urls::endpoint(at));
        draft.resource.versions.extend(claim.version);
        draft.resource.title = title(root, "name").or_else(|| title(root, "alias"));
        draft.resource.abstract_ = prose(root, "description").or_else(|| prose(root, "desc"));
        draft.resource.licence = super::members::licence(title(root, "copyrightText"));
        let reference = root.get("spatialReference").and_then(arcgis::crs_of);
        draft.resource.crs = reference.and_then(|crs| crs.label()).into_iter().map(Into::into).collect();
        let bbox = place(&mut draft, root);
        let dataset = Dataset {
            name: identifier(root, "id").unwrap_or_default(),
            title: draft.resource.title.clone(),
            bbox,
            formats: title(root, "layerType").into_iter().map(Into::into).collect(),
            ..Dataset::default()
        };
        draft.push(dataset);
        draft.note_form(doc);
        Reading { resources: vec![draft.finish()], document: Some("arcgis-rest-layer"), ..Reading::default() }
    }
}

/// The version of the format; the layer's own `version` is an identifier.
fn version(doc: &Doc) -> Option<String> {
    let version = doc.root.pointer("/store/version")?;
    version
        .as_str()
        .map(str::to_owned)
        .or_else(|| float(version).map(|v| v.to_string()))
        .map(|v| v.chars().take(16).collect())
}
