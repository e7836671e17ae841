//! Socrata portals.

use super::portal::{PortalProbe, PortalProof, portal_resource};
use super::{DocumentClaim, DocumentReading, Kind, KindProfile};
use crate::connectors::socrata_catalogue;
use crate::formats::json::JsonDocument;
use crate::probe::{ProbeRequest, ServiceProbe};
use serde_json::Value;
use url::Url;

/// A Socrata portal.
pub struct SocrataKind;

static PROFILE: KindProfile = KindProfile {
    id: "socrata",
    name: "Socrata portal",
    what: "An open data portal that runs Socrata (Tyler Data & Insights): datasets and maps with ids such as \
           abcd-1234.",
    specification: "https://dev.socrata.com/docs/other/discovery",
    evidence: "A response of the discovery API for the portal's own domain: resultSetSize, and results with \
               resource and permalink.",
    false_positives: "Paths whose last segment happens to look like an id; domains that only federate others.",
    lists_datasets: false,
    terria_type: Some("socrata-group"),
    ..KindProfile::JSON_CATALOGUE
};

impl Kind for SocrataKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, _at: &Url) -> Option<DocumentClaim> {
        size(&doc.root).map(|_| DocumentClaim::default())
    }

    fn read_json(&self, doc: &JsonDocument, _claim: DocumentClaim, at: &Url) -> DocumentReading {
        let mut portal = portal_resource("socrata", &base(at));
        portal.dataset_count = size(&doc.root).unwrap_or(0);
        DocumentReading {
            resources: vec![portal],
            document: Some("socrata-catalogue"),
            ..DocumentReading::default()
        }
    }

    fn url_marks(&self) -> &'static [&'static str] {
        &["/api/views/", "/api/catalog/v1", "/resource/"]
    }

    fn probe_url(&self, url: &Url) -> Option<Url> {
        let path = url.path().to_ascii_lowercase();
        if path.contains("/api/catalog/v1") {
            return Some(base(url));
        }
        let after = path.strip_prefix("/api/views/").or_else(|| path.strip_prefix("/resource/"))?;
        let id = after.get(..9).filter(|id| is_id(id))?;
        let rest = after.get(id.len()..)?;
        // Geospatial files are identified as files.
        matches!(rest, "" | "/" | ".json" | ".csv" | ".xml" | ".rdf" | "/rows.csv" | "/rows.json")
            .then(|| base(url))
    }

    fn start_probe(&self, at: &Url) -> Option<(Box<dyn ServiceProbe>, ProbeRequest)> {
        let mut url = socrata_catalogue(at);
        url.query_pairs_mut().append_pair("limit", "1");
        Some(PortalProbe { at: base(at), judge, otherwise: None }.start(url))
    }
}

/// Returns the root of the host: a portal has its own host.
fn base(at: &Url) -> Url {
    let mut url = at.clone();
    url.set_path("/");
    url.set_query(None);
    url.set_fragment(None);
    url
}

fn is_id(text: &str) -> bool {
    text.len() == 9
        && text.bytes().enumerate().all(|(at, b)| if at == 4 { b == b'-' } else { b.is_ascii_alphanumeric() })
}

/// Returns the number of entries according to the discovery API.
fn size(doc: &Value) -> Option<u64> {
    let list = doc.get("results")?.as_array()?;
    let entry =
        |e: &Value| e.get("resource").is_some_and(|r| r.get("id").is_some()) && e.get("permalink").is_some();
    list.iter().take(5).all(entry).then(|| doc.get("resultSetSize")?.as_u64()).flatten()
}

fn judge(at: &Url, doc: &Value) -> Option<PortalProof> {
    // The API responds for any domain; one without entries is not a portal.
    let count = size(doc).filter(|count| *count > 0)?;
    let mut portal = portal_resource("socrata", at);
    portal.dataset_count = count;
    portal.title = at.host_str().map(str::to_owned);
    portal.software = Some("Socrata".to_owned());
    Some(PortalProof {
        resource: portal,
        rule: format!("discovery API with {count} entries"),
        targets: Vec::new(),
    })
}
