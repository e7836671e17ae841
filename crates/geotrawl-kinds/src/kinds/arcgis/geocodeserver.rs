//! Geocoding services of ArcGIS.

use super::{MARKS, is_other_type, server_version, service_draft, service_probe_url, start_service_probe};
use crate::formats::json::JsonDocument;
use crate::kinds::{DocumentClaim, DocumentReading, Kind, KindProfile, RubricRow};
use crate::probe::{ProbeRequest, ServiceProbe};
use geotrawl_model::Dataset;
use url::Url;

/// Geocoding services of ArcGIS.
pub struct ArcgisGeocodeServerKind;

const ID: &str = "arcgis-geocodeserver";
const TYPE: &str = "GeocodeServer";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "ArcGIS geocode service",
    what: "Finds locations by address, and addresses by location. The service is one dataset.",
    specification: "https://developers.arcgis.com/rest/services-reference/enterprise/geocode-service/",
    evidence: "A JSON object with addressFields and candidateFields or locatorProperties.",
    false_positives: "Layers, which also have lists of fields.",
    has_extent: false,
    rubric_row: RubricRow::Processes,
    arcgis_type: Some(TYPE),
    ..KindProfile::ARCGIS
};

impl Kind for ArcgisGeocodeServerKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, at: &Url) -> Option<DocumentClaim> {
        let claimed = (doc.has_member("addressFields") || doc.has_member("singleLineAddressField"))
            && (doc.has_member("candidateFields") || doc.has_member("locatorProperties"));
        (claimed && !is_other_type(at, TYPE))
            .then(|| DocumentClaim { version: server_version(doc), oddity: None })
    }

    fn read_json(&self, doc: &JsonDocument, _claim: DocumentClaim, at: &Url) -> DocumentReading {
        let mut draft = service_draft(ID, doc, at);
        let name = draft.resource.title.clone().unwrap_or_default();
        draft.add_dataset(Dataset {
            name,
            title: draft.resource.title.clone(),
            bbox: draft.resource.bbox,
            ..Dataset::default()
        });
        DocumentReading {
            resources: vec![draft.finish()],
            document: Some("arcgis-rest-geocodeserver"),
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
