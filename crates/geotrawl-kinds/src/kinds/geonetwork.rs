//! GeoNetwork.

use super::portal::{PortalProbe, PortalProof, portal_resource};
use super::{DocumentClaim, DocumentReading, Kind, KindProfile};
use crate::connectors::geonetwork_base;
use crate::formats::json::JsonDocument;
use crate::formats::xml::tidy_text;
use crate::probe::{CrawlTarget, ProbeRequest, ServiceProbe};
use geotrawl_model::{Intent, Resource};
use serde_json::Value;
use url::Url;

/// A GeoNetwork catalogue.
pub struct GeoNetworkKind;

static PROFILE: KindProfile = KindProfile {
    id: "geonetwork",
    name: "GeoNetwork",
    what: "A catalogue of metadata that runs GeoNetwork, with its own search beside CSW and OAI-PMH.",
    specification: "https://docs.geonetwork-opensource.org/4.4/api/the-geonetwork-api/",
    evidence: "The site description in its API: system/site/name and system/platform/version.",
    false_positives: "Other programs below a path called /geonetwork; pages of a proxy.",
    lists_datasets: false,
    ..KindProfile::JSON_CATALOGUE
};

impl Kind for GeoNetworkKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, _at: &Url) -> Option<DocumentClaim> {
        described(&doc.root).then(DocumentClaim::default)
    }

    fn read_json(&self, doc: &JsonDocument, _claim: DocumentClaim, at: &Url) -> DocumentReading {
        let mut site = portal_resource("geonetwork", &geonetwork_base(at));
        describe(&mut site, &doc.root);
        DocumentReading {
            resources: vec![site],
            document: Some("geonetwork-site"),
            ..DocumentReading::default()
        }
    }

    fn url_marks(&self) -> &'static [&'static str] {
        &[
            "/geonetwork/srv",
            "/srv/api",
            "/srv/eng/",
            "/srv/fre/",
            "/srv/ger/",
            "/srv/spa/",
            "/srv/dut/",
            "/srv/ita/",
        ]
    }

    fn probe_url(&self, url: &Url) -> Option<Url> {
        let path = url.path().to_ascii_lowercase();
        let (_, after) = path.split_once("/srv")?;
        // These have kinds of their own.
        let own = ["csw", "oaipmh", "opensearch", "rss.search"];
        if own.iter().any(|name| after.contains(name)) {
            return None;
        }
        let file =
            after.rsplit('/').next().is_some_and(|last| last.contains('.') && !last.contains("search"));
        (!file && (after.is_empty() || after.starts_with('/'))).then(|| geonetwork_base(url))
    }

    fn start_probe(&self, at: &Url) -> Option<(Box<dyn ServiceProbe>, ProbeRequest)> {
        let base = geonetwork_base(at);
        let url = base.join("srv/api/site").ok()?;
        let old = base.join("srv/eng/q?_content_type=json&fast=index&from=1&to=1").ok();
        Some(PortalProbe { at: base, judge, otherwise: old }.start(url))
    }
}

/// Returns the setting at a path, which is one member in version 4 and nested objects in some of
/// version 3.
fn setting<'v>(doc: &'v Value, path: &str) -> Option<&'v str> {
    doc.get(path).or_else(|| doc.pointer(&format!("/{path}"))).and_then(Value::as_str)
}

fn described(doc: &Value) -> bool {
    setting(doc, "system/site/name").is_some() && setting(doc, "system/platform/version").is_some()
}

fn describe(site: &mut Resource, doc: &Value) {
    let word = |path: &str| setting(doc, path).and_then(|t| tidy_text(t, 512));
    site.title = word("system/site/name");
    site.provider = word("system/site/organization");
    if let Some(version) = word("system/platform/version") {
        site.software = Some(format!("GeoNetwork {version}"));
        site.versions = vec![version];
    }
}

fn judge(at: &Url, doc: &Value) -> Option<PortalProof> {
    let mut site = portal_resource("geonetwork", at);
    let rule = if described(doc) {
        describe(&mut site, doc);
        "site description of GeoNetwork"
    } else {
        // Version 3 and earlier: the summary of a search.
        let summary = doc.get("summary")?;
        let summary = summary.as_array().and_then(|list| list.first()).unwrap_or(summary);
        let count = summary.get("@count")?;
        site.dataset_count = count.as_u64().or_else(|| count.as_str()?.parse().ok())?;
        site.software = Some("GeoNetwork 3".to_owned());
        "search of GeoNetwork 3"
    };
    // Every GeoNetwork is also a CSW.
    let csw = at.join("srv/eng/csw").ok()?;
    let target = CrawlTarget::new(csw, Intent::Ows { kind: "csw".to_owned(), siblings: false }, "sibling");
    Some(PortalProof { resource: site, rule: rule.to_owned(), targets: vec![target] })
}
