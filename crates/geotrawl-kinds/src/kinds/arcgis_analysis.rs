//! ArcGIS services that compute instead of holding data: network analysis and geometry operations.

use super::arcgis::{
    MARKS, is_other_type, is_type_of, server_version, service_draft, service_probe_url, start_service_probe,
};
use super::{DocumentClaim, DocumentReading, Kind, KindProfile, RubricRow};
use crate::formats::json::JsonDocument;
use crate::probe::{ProbeRequest, ServiceProbe};
use geotrawl_model::Dataset;
use serde_json::Value;
use url::Url;

/// Network analysis: routes, service areas, closest facilities.
pub struct ArcgisNaServerKind;
/// Operations on geometries: buffers, projections, measurements.
pub struct ArcgisGeometryServerKind;

const NETWORK: &str = "NAServer";
const GEOMETRY: &str = "GeometryServer";
/// Members with lists of network layers, by type of analysis.
const NETWORK_LAYERS: [&str; 3] = ["routeLayers", "serviceAreaLayers", "closestFacilityLayers"];

static NETWORK_PROFILE: KindProfile = KindProfile {
    id: "arcgis-naserver",
    name: "ArcGIS network analysis service",
    what: "Finds routes, service areas and closest facilities on a network. A network layer is a dataset; none is \
           ever run.",
    specification: "https://developers.arcgis.com/rest/services-reference/enterprise/network-service/",
    evidence: "A JSON object with lists of names for at least two of route, service area and closest facility layers.",
    false_positives: "Configurations of route planners with other lists of layers.",
    arcgis_type: Some(NETWORK),
    ..ANALYSIS
};

static GEOMETRY_PROFILE: KindProfile = KindProfile {
    id: "arcgis-geometryserver",
    name: "ArcGIS geometry service",
    what: "Buffers, projects, cuts and measures geometries sent by a client. It holds no data.",
    specification: "https://developers.arcgis.com/rest/services-reference/enterprise/geometry-service/",
    evidence: "A JSON object with a serviceDescription and no lists, at the URL of a GeometryServer.",
    false_positives: "Error reports and directory folders at such a URL.",
    lists_datasets: false,
    arcgis_type: Some(GEOMETRY),
    ..ANALYSIS
};

/// Base profile of both.
const ANALYSIS: KindProfile = KindProfile {
    has_extent: false,
    rubric_row: RubricRow::Processes,
    operation_words: ("processes", "described"),
    ..KindProfile::ARCGIS
};

impl Kind for ArcgisNaServerKind {
    fn profile(&self) -> &'static KindProfile {
        &NETWORK_PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, at: &Url) -> Option<DocumentClaim> {
        let lists = NETWORK_LAYERS.iter().filter_map(|name| doc.get(name).and_then(Value::as_array));
        let claimed = lists.filter(|list| list.iter().all(Value::is_string)).count() >= 2;
        (claimed && !is_other_type(at, NETWORK))
            .then(|| DocumentClaim { version: server_version(doc), oddity: None })
    }

    fn read_json(&self, doc: &JsonDocument, _claim: DocumentClaim, at: &Url) -> DocumentReading {
        let mut draft = service_draft(NETWORK_PROFILE.id, doc, at);
        for list in NETWORK_LAYERS {
            let names =
                doc.get(list).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
            for name in names {
                draft.add_dataset(Dataset { name: name.chars().take(1000).collect(), ..Dataset::default() });
            }
        }
        let document = Some("arcgis-rest-naserver");
        DocumentReading { resources: vec![draft.finish()], document, ..DocumentReading::default() }
    }

    fn url_marks(&self) -> &'static [&'static str] {
        MARKS
    }

    fn probe_url(&self, url: &Url) -> Option<Url> {
        service_probe_url(url, NETWORK)
    }

    fn start_probe(&self, at: &Url) -> Option<(Box<dyn ServiceProbe>, ProbeRequest)> {
        Some(start_service_probe(at))
    }
}

impl Kind for ArcgisGeometryServerKind {
    fn profile(&self) -> &'static KindProfile {
        &GEOMETRY_PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, at: &Url) -> Option<DocumentClaim> {
        let described = doc.get("serviceDescription").is_some_and(Value::is_string);
        let lists = doc.root.as_object().is_some_and(|root| root.values().any(Value::is_array));
        (described && !lists && is_type_of(at, GEOMETRY))
            .then(|| DocumentClaim { version: server_version(doc), oddity: None })
    }

    fn read_json(&self, doc: &JsonDocument, _claim: DocumentClaim, at: &Url) -> DocumentReading {
        let document = Some("arcgis-rest-geometryserver");
        let resource = service_draft(GEOMETRY_PROFILE.id, doc, at).finish();
        DocumentReading { resources: vec![resource], document, ..DocumentReading::default() }
    }

    fn url_marks(&self) -> &'static [&'static str] {
        MARKS
    }

    fn probe_url(&self, url: &Url) -> Option<Url> {
        service_probe_url(url, GEOMETRY)
    }

    fn start_probe(&self, at: &Url) -> Option<(Box<dyn ServiceProbe>, ProbeRequest)> {
        Some(start_service_probe(at))
    }
}
