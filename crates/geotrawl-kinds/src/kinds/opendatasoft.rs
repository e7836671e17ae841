//! OpenDataSoft portals.

use super::portal::{PortalProbe, PortalProof, portal_resource};
use super::{DocumentClaim, DocumentReading, Kind, KindProfile};
use crate::connectors::{opendatasoft_base, opendatasoft_datasets};
use crate::formats::json::JsonDocument;
use crate::probe::{ProbeRequest, ServiceProbe};
use serde_json::Value;
use url::Url;

/// An OpenDataSoft portal.
pub struct OpenDataSoftKind;

static PROFILE: KindProfile = KindProfile {
    id: "opendatasoft",
    name: "OpenDataSoft portal",
    what: "An open data portal that runs OpenDataSoft (Huwise): datasets as tables, many with geometry, behind \
           the explore API.",
    specification: "https://help.opendatasoft.com/apis/ods-explore-v2/",
    evidence: "A response of the explore API: total_count, and results with dataset_id.",
    false_positives: "Other APIs with total_count and results, whose results have no dataset_id.",
    lists_datasets: false,
    terria_type: Some("opendatasoft-group"),
    ..KindProfile::JSON_CATALOGUE
};

impl Kind for OpenDataSoftKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, _at: &Url) -> Option<DocumentClaim> {
        count(&doc.root).map(|_| DocumentClaim::default())
    }

    fn read_json(&self, doc: &JsonDocument, _claim: DocumentClaim, at: &Url) -> DocumentReading {
        let mut portal = portal_resource("opendatasoft", &opendatasoft_base(at));
        portal.dataset_count = count(&doc.root).unwrap_or(0);
        DocumentReading {
            resources: vec![portal],
            document: Some("opendatasoft-catalogue"),
            ..DocumentReading::default()
        }
    }

    fn url_marks(&self) -> &'static [&'static str] {
        &["/explore/dataset/", "/api/explore/v2", "/api/records/1.0/", "/api/datasets/1.0/"]
    }

    fn probe_url(&self, url: &Url) -> Option<Url> {
        let path = url.path().to_ascii_lowercase();
        let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        // Files are identified as files.
        let file = matches!(last, "download" | "geojson" | "shp" | "kml" | "gpx" | "fgb" | "parquet");
        (!file && !path.contains("/files/")).then(|| opendatasoft_base(url))
    }

    fn start_probe(&self, at: &Url) -> Option<(Box<dyn ServiceProbe>, ProbeRequest)> {
        let mut url = opendatasoft_datasets(at);
        url.query_pairs_mut().append_pair("limit", "1");
        Some(PortalProbe { at: opendatasoft_base(at), judge, otherwise: None }.start(url))
    }
}

fn count(doc: &Value) -> Option<u64> {
    let list = doc.get("results").or_else(|| doc.get("datasets"))?.as_array()?;
    let entry = |e: &Value| {
        let e = e.get("dataset").unwrap_or(e);
        e.get("dataset_id").is_some_and(Value::is_string) && e.get("metas").is_some()
    };
    (!list.is_empty() && list.iter().take(5).all(entry)).then(|| doc.get("total_count")?.as_u64()).flatten()
}

fn judge(at: &Url, doc: &Value) -> Option<PortalProof> {
    let count = count(doc)?;
    let mut portal = portal_resource("opendatasoft", at);
    portal.dataset_count = count;
    portal.title = at.host_str().map(str::to_owned);
    portal.software = Some("OpenDataSoft".to_owned());
    Some(PortalProof {
        resource: portal,
        rule: format!("explore API with {count} datasets"),
        targets: Vec::new(),
    })
}
