//! GeoNode.

use super::portal::{PortalProbe, PortalProof, portal_resource};
use super::{DocumentClaim, DocumentReading, Kind, KindProfile};
use crate::connectors::{geonode_base, geonode_endpoints, link_targets};
use crate::formats::json::JsonDocument;
use crate::probe::{ProbeRequest, ServiceProbe};
use serde_json::Value;
use url::Url;

/// A GeoNode portal.
pub struct GeoNodeKind;

static PROFILE: KindProfile = KindProfile {
    id: "geonode",
    name: "GeoNode",
    what: "A portal that runs GeoNode: datasets, maps and documents, served by a GeoServer or QGIS Server behind \
           it and catalogued as CSW.",
    specification: "https://docs.geonode.org/",
    evidence: "Its list of service endpoints (data with type OGC:CSW, OGC:WMS and url), or its list of datasets.",
    false_positives: "A GeoServer whose workspace is called geonode; other APIs with data or datasets.",
    lists_datasets: false,
    ..KindProfile::JSON_CATALOGUE
};

impl Kind for GeoNodeKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, at: &Url) -> Option<DocumentClaim> {
        proves(&doc.root, at).then(DocumentClaim::default)
    }

    fn read_json(&self, doc: &JsonDocument, _claim: DocumentClaim, at: &Url) -> DocumentReading {
        let proof = judge(&geonode_base(at), &doc.root);
        let (resources, targets) = proof.map(|p| (vec![p.resource], p.targets)).unwrap_or_default();
        DocumentReading { resources, targets, document: Some("geonode-api"), ..DocumentReading::default() }
    }

    fn url_marks(&self) -> &'static [&'static str] {
        &[
            "/api/ows_endpoints",
            "/api/v2/datasets",
            "/layers/geonode:",
            "/layers/geonode%3a",
            "/datasets/geonode:",
        ]
    }

    fn probe_url(&self, url: &Url) -> Option<Url> {
        Some(geonode_base(url))
    }

    fn start_probe(&self, at: &Url) -> Option<(Box<dyn ServiceProbe>, ProbeRequest)> {
        let base = geonode_base(at);
        let url = base.join("api/ows_endpoints/").ok()?;
        let datasets = base.join("api/v2/datasets?page_size=1").ok();
        Some(PortalProbe { at: base, judge, otherwise: datasets }.start(url))
    }
}

/// Returns whether JSON is a list of endpoints that all have an OGC type and a URL, or a list of
/// GeoNode datasets.
fn proves(doc: &Value, at: &Url) -> bool {
    let endpoints = doc.get("data").and_then(Value::as_array);
    let typed = |e: &Value| {
        e.get("type").and_then(Value::as_str).is_some_and(|t| t.starts_with("OGC:")) && e.get("url").is_some()
    };
    let listed = endpoints.is_some_and(|list| !list.is_empty() && list.iter().take(20).all(typed));
    let named = |d: &Value| d.get("alternate").is_some() && d.get("uuid").is_some();
    let datasets = doc.get("datasets").and_then(Value::as_array);
    listed && at.has_host()
        || datasets.is_some_and(|list| !list.is_empty() && list.iter().take(5).all(named))
            && doc.get("total").is_some()
}

fn judge(at: &Url, doc: &Value) -> Option<PortalProof> {
    if !proves(doc, at) {
        return None;
    }
    let mut portal = portal_resource("geonode", at);
    portal.software = Some("GeoNode".to_owned());
    portal.dataset_count = doc.get("total").and_then(Value::as_u64).unwrap_or(0);
    let mut targets = Vec::new();
    for link in geonode_endpoints(at, doc) {
        link_targets(at, &link, "", &mut targets);
    }
    for target in &mut targets {
        target.way = "catalogue:geonode".into();
    }
    Some(PortalProof { resource: portal, rule: "GeoNode's own API".to_owned(), targets })
}
