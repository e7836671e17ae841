//! Scene services of ArcGIS.

use super::add_layers;
use super::{MARKS, approach, draft, hint, is_other_type, version};
use crate::formats::json::Doc;
use crate::kinds::i3s;
use crate::kinds::{Claim, Kind, KindProfile, Reading, RubricRow};
use crate::probe::{Ask, Dialogue};
use serde_json::Value;
use url::Url;

/// Scene services of ArcGIS.
pub struct ArcgisSceneServer;

const ID: &str = "arcgis-sceneserver";
const TYPE: &str = "SceneServer";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "ArcGIS scene service",
    what: "Three-dimensional layers of an ArcGIS server (I3S). A layer is a dataset.",
    specification: "https://developers.arcgis.com/rest/services-reference/enterprise/scene-service/",
    evidence: "A JSON object with serviceVersion and layers that have a layerType and a store.",
    false_positives: "A layer alone is I3S; feature services list layers too.",
    rubric_row: RubricRow::Tiles,
    terria_type: Some("i3s"),
    arcgis_type: Some(TYPE),
    ..KindProfile::ARCGIS
};

impl Kind for ArcgisSceneServer {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claims_json(&self, doc: &Doc, at: &Url) -> Option<Claim> {
        let layers = doc.get("layers").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let scene = layers.first().is_some_and(i3s::is_layer);
        let claimed =
            scene && (doc.has("serviceVersion") || doc.has("supportedBindings") || doc.has("serviceName"));
        (claimed && !is_other_type(at, TYPE)).then(|| Claim { version: version(doc), oddity: None })
    }

    fn read_json(&self, doc: &Doc, _claim: Claim, at: &Url) -> Reading {
        let mut draft = draft(ID, doc, at);
        draft.resource.title =
            draft.resource.title.take().or_else(|| crate::kinds::members::title(&doc.root, "serviceName"));
        add_layers(&mut draft, doc);
        let layers = doc.get("layers").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let boxes: Vec<_> = layers.iter().map(|layer| i3s::place(&mut draft, layer)).collect();
        for (dataset, bbox) in draft.resource.datasets.iter_mut().zip(boxes.iter().copied()) {
            dataset.bbox = bbox;
        }
        if draft.resource.bbox.is_none() {
            let mut union = crate::formats::bbox::Union::default();
            boxes.into_iter().flatten().for_each(|bbox| union.add(bbox));
            draft.resource.bbox = union.bbox();
        }
        if let Some(version) = doc.text("serviceVersion") {
            draft.resource.versions = vec![version.chars().take(32).collect()];
        }
        Reading {
            resources: vec![draft.finish()],
            document: Some("arcgis-rest-sceneserver"),
            ..Reading::default()
        }
    }

    fn marks(&self) -> &'static [&'static str] {
        MARKS
    }

    fn hint(&self, url: &Url) -> Option<Url> {
        hint(url, TYPE)
    }

    fn approach(&self, at: &Url) -> Option<(Box<dyn Dialogue>, Ask)> {
        Some(approach(at))
    }
}
