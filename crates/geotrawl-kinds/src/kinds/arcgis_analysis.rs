//! Services of ArcGIS that compute instead of holding data: routes on networks, and operations on geometries.

use super::arcgis::{MARKS, approach, draft, hint, is_other_type, is_type_of, version};
use super::{Claim, Kind, KindProfile, Reading, RubricRow};
use crate::formats::json::Doc;
use crate::probe::{Ask, Dialogue};
use geotrawl_model::Dataset;
use serde_json::Value;
use url::Url;

/// Network analysis: routes, service areas, closest facilities.
pub struct ArcgisNaServer;
/// Operations on geometries: buffers, projections, measurements.
pub struct ArcgisGeometryServer;

const NETWORK: &str = "NAServer";
const GEOMETRY: &str = "GeometryServer";
/// Lists of network layers, by what they analyse.
const NETWORK_LAYERS: [&str; 3] = ["routeLayers", "serviceAreaLayers", "closestFacilityLayers"];

static NETWORK_PROFILE: KindProfile = KindProfile {
    id: "arcgis-naserver",
    name: "ArcGIS network analysis service",
    what: "Finds routes, areas within reach and closest facilities on a network. A network layer is a dataset; none is \
           ever solved.",
    specification: "https://developers.arcgis.com/rest/services-reference/enterprise/network-service/",
    evidence: "A JSON object with lists of names for at least two of route, service area and closest facility layers.",
    false_positives: "Configurations of route planners that have lists of layers of their own.",
    arcgis_type: Some(NETWORK),
    ..ANALYSIS
};

static GEOMETRY_PROFILE: KindProfile = KindProfile {
    id: "arcgis-geometryserver",
    name: "ArcGIS geometry service",
    what: "Buffers, projects, cuts and measures geometries that a client sends. It holds no data.",
    specification: "https://developers.arcgis.com/rest/services-reference/enterprise/geometry-service/",
    evidence: "A JSON object with a serviceDescription and no lists, at the address of a GeometryServer.",
    false_positives: "Error reports and folders of the directory at such an address.",
    lists_datasets: false,
    arcgis_type: Some(GEOMETRY),
    ..ANALYSIS
};

/// What both have in common.
const ANALYSIS: KindProfile = KindProfile {
    has_extent: false,
    rubric_row: RubricRow::Processes,
    operation_words: ("processes", "described"),
    ..KindProfile::ARCGIS
};

impl Kind for ArcgisNaServer {
    fn profile(&self) -> &'static KindProfile {
        &NETWORK_PROFILE
    }

    fn claims_json(&self, doc: &Doc, at: &Url) -> Option<Claim> {
        let lists = NETWORK_LAYERS.iter().filter_map(|name| doc.get(name).and_then(Value::as_array));
        let claimed = lists.filter(|list| list.iter().all(Value::is_string)).count() >= 2;
        (claimed && !is_other_type(at, NETWORK)).then(|| Claim { version: version(doc), oddity: None })
    }

    fn read_json(&self, doc: &Doc, _claim: Claim, at: &Url) -> Reading {
        let mut draft = draft(NETWORK_PROFILE.id, doc, at);
        for list in NETWORK_LAYERS {
            let names =
                doc.get(list).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
            for name in names {
                draft.push(Dataset { name: name.chars().take(1000).collect(), ..Dataset::default() });
            }
        }
        let document = Some("arcgis-rest-naserver");
        Reading { resources: vec![draft.finish()], document, ..Reading::default() }
    }

    fn marks(&self) -> &'static [&'static str] {
        MARKS
    }

    fn hint(&self, url: &Url) -> Option<Url> {
        hint(url, NETWORK)
    }

    fn approach(&self, at: &Url) -> Option<(Box<dyn Dialogue>, Ask)> {
        Some(approach(at))
    }
}

impl Kind for ArcgisGeometryServer {
    fn profile(&self) -> &'static KindProfile {
        &GEOMETRY_PROFILE
    }

    fn claims_json(&self, doc: &Doc, at: &Url) -> Option<Claim> {
        let described = doc.get("serviceDescription").is_some_and(Value::is_string);
        let lists = doc.root.as_object().is_some_and(|root| root.values().any(Value::is_array));
        (described && !lists && is_type_of(at, GEOMETRY))
            .then(|| Claim { version: version(doc), oddity: None })
    }

    fn read_json(&self, doc: &Doc, _claim: Claim, at: &Url) -> Reading {
        let document = Some("arcgis-rest-geometryserver");
        let resource = draft(GEOMETRY_PROFILE.id, doc, at).finish();
        Reading { resources: vec![resource], document, ..Reading::default() }
    }

    fn marks(&self) -> &'static [&'static str] {
        MARKS
    }

    fn hint(&self, url: &Url) -> Option<Url> {
        hint(url, GEOMETRY)
    }

    fn approach(&self, at: &Url) -> Option<(Box<dyn Dialogue>, Ask)> {
        Some(approach(at))
    }
}
