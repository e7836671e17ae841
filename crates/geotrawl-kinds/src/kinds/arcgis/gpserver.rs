//! Geoprocessing services of ArcGIS.

use super::{MARKS, approach, draft, hint, is_other_type, version};
use crate::formats::json::Doc;
use crate::kinds::members::words;
use crate::kinds::{Claim, Kind, KindProfile, Reading, RubricRow};
use crate::probe::{Ask, Dialogue};
use geotrawl_model::Dataset;
use serde_json::Value;
use url::Url;

/// Geoprocessing services of ArcGIS.
pub struct ArcgisGpServer;

const ID: &str = "arcgis-gpserver";
const TYPE: &str = "GPServer";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "ArcGIS geoprocessing service",
    what: "Tasks that an ArcGIS server performs. A task is a dataset; none is ever run.",
    specification: "https://developers.arcgis.com/rest/services-reference/enterprise/gp-service/",
    evidence: "A JSON object with a list of tasks and executionType.",
    false_positives: "Lists of tasks stand in many programs.",
    has_extent: false,
    rubric_row: RubricRow::Processes,
    operation_words: ("processes", "described"),
    arcgis_type: Some(TYPE),
    ..KindProfile::ARCGIS
};

impl Kind for ArcgisGpServer {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claims_json(&self, doc: &Doc, at: &Url) -> Option<Claim> {
        let claimed = doc.get("tasks").is_some_and(Value::is_array) && doc.has("executionType");
        (claimed && !is_other_type(at, TYPE)).then(|| Claim { version: version(doc), oddity: None })
    }

    fn read_json(&self, doc: &Doc, _claim: Claim, at: &Url) -> Reading {
        let mut draft = draft(ID, doc, at);
        let tasks = doc.get("tasks").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        for name in tasks.iter().filter_map(words) {
            draft.push(Dataset { name: name.chars().take(1000).collect(), ..Dataset::default() });
        }
        if let Some(count) = doc.len_at("/tasks") {
            draft.resource.dataset_count = count;
        }
        Reading {
            resources: vec![draft.finish()],
            document: Some("arcgis-rest-gpserver"),
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
