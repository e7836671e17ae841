//! I3S: three-dimensional scene layers.

use super::members::{
    ResourceDraft, identifier_member, parse_corners, parse_float, prose_member, title_member,
};
use super::{
    CorpusLabel, DescriptionRequest, DocumentClaim, DocumentReading, HostingForm, Kind, KindProfile,
    MetadataDepth, arcgis,
};
use crate::formats::crs::CrsRef;
use crate::formats::json::JsonDocument;
use crate::urls;
use geotrawl_model::{Bbox, Dataset};
use serde_json::Value;
use url::Url;

/// A scene layer.
pub struct I3sKind;

const ID: &str = "i3s";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "I3S scene layer",
    what: "An indexed three-dimensional scene layer: buildings, meshes, points, point clouds. The layer is one dataset.",
    specification: "https://docs.ogc.org/cs/17-014r9/17-014r9.html",
    evidence: "A JSON object with a layerType of I3S and a store.",
    false_positives: "Layers of feature services have a type, not a layerType.",
    form: HostingForm::FileSet,
    request: DescriptionRequest::Page,
    metadata: MetadataDepth::Terse,
    corpus_labels: &[CorpusLabel::versioned("arcgis-rest-layer")],
    terria_type: Some("i3s"),
    ..KindProfile::TILES
};

const LAYER_TYPES: &[&str] =
    &["3DObject", "Building", "IntegratedMesh", "Point", "PointCloud", "Voxel", "3DNodeIndexDocument"];

/// Returns whether a JSON object describes a scene layer.
pub fn is_scene_layer(value: &Value) -> bool {
    let known = value.get("layerType").and_then(Value::as_str).is_some_and(|t| LAYER_TYPES.contains(&t));
    known && (value.get("store").is_some_and(Value::is_object) || value.get("sublayers").is_some())
}

/// Returns the box of a layer from `fullExtent`, or from `store.extent` in its coordinate system.
pub fn layer_bbox(draft: &mut ResourceDraft, layer: &Value) -> Option<Bbox> {
    let reference = layer.get("spatialReference");
    if let Some(extent) = layer.get("fullExtent").filter(|e| e.is_object()) {
        return arcgis::extent_bbox(draft, extent, reference);
    }
    let written = layer.pointer("/store/extent").and_then(parse_corners)?;
    let named = layer.pointer("/store/indexCRS").and_then(Value::as_str).and_then(CrsRef::from_text);
    let crs = reference.and_then(arcgis::crs_of).or(named).unwrap_or(CrsRef::Crs84);
    draft.place_box_in(&crs, written)
}

impl Kind for I3sKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, _at: &Url) -> Option<DocumentClaim> {
        is_scene_layer(&doc.root).then(|| DocumentClaim { version: version(doc), oddity: None })
    }

    fn read_json(&self, doc: &JsonDocument, claim: DocumentClaim, at: &Url) -> DocumentReading {
        let root = &doc.root;
        let mut draft = ResourceDraft::new(ID, urls::endpoint_url(at));
        draft.resource.versions.extend(claim.version);
        draft.resource.title = title_member(root, "name").or_else(|| title_member(root, "alias"));
        draft.resource.abstract_ = prose_member(root, "description").or_else(|| prose_member(root, "desc"));
        draft.resource.licence = super::members::stated_licence(title_member(root, "copyrightText"));
        let reference = root.get("spatialReference").and_then(arcgis::crs_of);
        draft.resource.crs = reference.and_then(|crs| crs.label()).into_iter().map(Into::into).collect();
        let bbox = layer_bbox(&mut draft, root);
        let dataset = Dataset {
            name: identifier_member(root, "id").unwrap_or_default(),
            title: draft.resource.title.clone(),
            bbox,
            formats: title_member(root, "layerType").into_iter().map(Into::into).collect(),
            ..Dataset::default()
        };
        draft.add_dataset(dataset);
        draft.note_syntax_issues(doc);
        DocumentReading {
            resources: vec![draft.finish()],
            document: Some("arcgis-rest-layer"),
            ..DocumentReading::default()
        }
    }
}

/// Returns the version of the format; the `version` of the layer itself is an identifier.
fn version(doc: &JsonDocument) -> Option<String> {
    let version = doc.root.pointer("/store/version")?;
    version
        .as_str()
        .map(str::to_owned)
        .or_else(|| parse_float(version).map(|v| v.to_string()))
        .map(|v| v.chars().take(16).collect())
}
