//! Geoprocessing services of ArcGIS.

use super::{MARKS, is_other_type, server_version, service_draft, service_probe_url, start_service_probe};
use crate::formats::json::JsonDocument;
use crate::kinds::members::text_in_any_form;
use crate::kinds::{DocumentClaim, DocumentReading, Kind, KindProfile, RubricRow};
use crate::probe::{ProbeRequest, ServiceProbe};
use geotrawl_model::Dataset;
use serde_json::Value;
use url::Url;

/// Geoprocessing services of ArcGIS.
pub struct ArcgisGpServerKind;

const ID: &str = "arcgis-gpserver";
const TYPE: &str = "GPServer";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "ArcGIS geoprocessing service",
    what: "Tasks that run on an ArcGIS server. Each task is a dataset; Geotrawl never runs them.",
    specification: "https://developers.arcgis.com/rest/services-reference/enterprise/gp-service/",
    evidence: "A JSON object with a list of tasks and executionType.",
    false_positives: "Documents of other programs with lists of tasks.",
    has_extent: false,
    rubric_row: RubricRow::Processes,
    operation_words: ("processes", "described"),
    arcgis_type: Some(TYPE),
    ..KindProfile::ARCGIS
};

impl Kind for ArcgisGpServerKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, at: &Url) -> Option<DocumentClaim> {
        let claimed = doc.get("tasks").is_some_and(Value::is_array) && doc.has_member("executionType");
        (claimed && !is_other_type(at, TYPE))
            .then(|| DocumentClaim { version: server_version(doc), oddity: None })
    }

    fn read_json(&self, doc: &JsonDocument, _claim: DocumentClaim, at: &Url) -> DocumentReading {
        let mut draft = service_draft(ID, doc, at);
        let tasks = doc.get("tasks").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        for name in tasks.iter().filter_map(text_in_any_form) {
            draft.add_dataset(Dataset { name: name.chars().take(1000).collect(), ..Dataset::default() });
        }
        if let Some(count) = doc.array_len("/tasks") {
            draft.resource.dataset_count = count;
        }
        DocumentReading {
            resources: vec![draft.finish()],
            document: Some("arcgis-rest-gpserver"),
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
