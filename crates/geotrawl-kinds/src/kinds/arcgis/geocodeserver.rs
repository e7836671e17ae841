//! Geocoding services of ArcGIS.

use super::{MARKS, approach, draft, hint, is_other_type, version};
use crate::formats::json::Doc;
use crate::kinds::{Claim, Kind, KindProfile, Reading, RubricRow};
use crate::probe::{Ask, Dialogue};
use geotrawl_model::Dataset;
use url::Url;

/// Geocoding services of ArcGIS.
pub struct ArcgisGeocodeServer;

const ID: &str = "arcgis-geocodeserver";
const TYPE: &str = "GeocodeServer";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "ArcGIS geocode service",
    what: "Finds places by address, and addresses by place. The service is one dataset.",
    specification: "https://developers.arcgis.com/rest/services-reference/enterprise/geocode-service/",
    evidence: "A JSON object with addressFields and candidateFields or locatorProperties.",
    false_positives: "Lists of fields stand in layers too.",
    has_extent: false,
    rubric_row: RubricRow::Processes,
    arcgis_type: Some(TYPE),
    ..KindProfile::ARCGIS
};

impl Kind for ArcgisGeocodeServer {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claims_json(&self, doc: &Doc, at: &Url) -> Option<Claim> {
        let claimed = (doc.has("addressFields") || doc.has("singleLineAddressField"))
            && (doc.has("candidateFields") || doc.has("locatorProperties"));
        (claimed && !is_other_type(at, TYPE)).then(|| Claim { version: version(doc), oddity: None })
    }

    fn read_json(&self, doc: &Doc, _claim: Claim, at: &Url) -> Reading {
        let mut draft = draft(ID, doc, at);
        let name = draft.resource.title.clone().unwrap_or_default();
        draft.push(Dataset {
            name,
            title: draft.resource.title.clone(),
            bbox: draft.resource.bbox,
            ..Dataset::default()
        });
        Reading {
            resources: vec![draft.finish()],
            document: Some("arcgis-rest-geocodeserver"),
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
