//! Scene services of ArcGIS.

use super::add_layers;
use super::{MARKS, is_other_type, server_version, service_draft, service_probe_url, start_service_probe};
use crate::formats::json::JsonDocument;
use crate::kinds::i3s;
use crate::kinds::{DocumentClaim, DocumentReading, Kind, KindProfile, RubricRow};
use crate::probe::{ProbeRequest, ServiceProbe};
use serde_json::Value;
use url::Url;

/// Scene services of ArcGIS.
pub struct ArcgisSceneServerKind;

const ID: &str = "arcgis-sceneserver";
const TYPE: &str = "SceneServer";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "ArcGIS scene service",
    what: "Three-dimensional layers of an ArcGIS server (I3S). Each layer is a dataset.",
    specification: "https://developers.arcgis.com/rest/services-reference/enterprise/scene-service/",
    evidence: "A JSON object with serviceVersion and layers that have a layerType and a store.",
    false_positives: "A single layer, which is I3S; feature services, which also list layers.",
    rubric_row: RubricRow::Tiles,
    terria_type: Some("i3s"),
    arcgis_type: Some(TYPE),
    ..KindProfile::ARCGIS
};

impl Kind for ArcgisSceneServerKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, at: &Url) -> Option<DocumentClaim> {
        let layers = doc.get("layers").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let scene = layers.first().is_some_and(i3s::is_scene_layer);
        let claimed = scene
            && (doc.has_member("serviceVersion")
                || doc.has_member("supportedBindings")
                || doc.has_member("serviceName"));
        (claimed && !is_other_type(at, TYPE))
            .then(|| DocumentClaim { version: server_version(doc), oddity: None })
    }

    fn read_json(&self, doc: &JsonDocument, _claim: DocumentClaim, at: &Url) -> DocumentReading {
        let mut draft = service_draft(ID, doc, at);
        draft.resource.title = draft
            .resource
            .title
            .take()
            .or_else(|| crate::kinds::members::title_member(&doc.root, "serviceName"));
        add_layers(&mut draft, doc);
        let layers = doc.get("layers").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let boxes: Vec<_> = layers.iter().map(|layer| i3s::layer_bbox(&mut draft, layer)).collect();
        for (dataset, bbox) in draft.resource.datasets.iter_mut().zip(boxes.iter().copied()) {
            dataset.bbox = bbox;
        }
        if draft.resource.bbox.is_none() {
            let mut union = crate::formats::bbox::BboxUnion::default();
            boxes.into_iter().flatten().for_each(|bbox| union.add(bbox));
            draft.resource.bbox = union.bbox();
        }
        if let Some(version) = doc.text_member("serviceVersion") {
            draft.resource.versions = vec![version.chars().take(32).collect()];
        }
        DocumentReading {
            resources: vec![draft.finish()],
            document: Some("arcgis-rest-sceneserver"),
            ..DocumentReading::default()
        }
    }

    fn url_marks(&self) -> &'static [&'static str] {
        MARKS
    }

    fn probe_url(&self, url: &Url) -> Option<Url> {
        service_probe_url(url, TYPE)
    }

    fn start_probe(&self, at: &Url) -> Option<(Box<dyn ServiceProbe>, ProbeRequest)> {
        Some(start_service_probe(at))
    }
}
