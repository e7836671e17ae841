//! CKAN portals.

use super::portal::{PortalProbe, PortalProof, portal_resource};
use super::{CorpusLabel, DocumentClaim, DocumentReading, Kind, KindProfile};
use crate::connectors::{ckan_base, ckan_link, ckan_record, link_targets};
use crate::formats::json::JsonDocument;
use crate::formats::xml::tidy_text;
use crate::probe::{CrawlTarget, ProbeRequest, ServiceProbe};
use serde_json::Value;
use url::Url;

/// A CKAN portal.
pub struct CkanKind;

static PROFILE: KindProfile = KindProfile {
    id: "ckan",
    name: "CKAN portal",
    what: "An open data portal that runs CKAN: datasets with resources, behind an action API.",
    specification: "https://docs.ckan.org/en/latest/api/",
    evidence: "A response of the action API: help, success and result; status_show states the version.",
    false_positives: "Other portals with /dataset/ in their paths, and proxies that forward the API of another site.",
    lists_datasets: false,
    corpus_labels: &[
        CorpusLabel::plain("ckan-other"),
        CorpusLabel::plain("ckan-package-search"),
        CorpusLabel::plain("ckan-package-show"),
    ],
    terria_type: Some("ckan-group"),
    ..KindProfile::JSON_CATALOGUE
};

impl Kind for CkanKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, _at: &Url) -> Option<DocumentClaim> {
        let root = &doc.root;
        let help = root.get("help")?.as_str()?;
        let action = help.contains("/api/") || help.contains("help_show") || help.contains("package");
        let answer = root.get("success").is_some_and(Value::is_boolean)
            && (root.get("result").is_some() || root.get("error").is_some());
        (action && answer).then(DocumentClaim::default)
    }

    fn read_json(&self, doc: &JsonDocument, _claim: DocumentClaim, at: &Url) -> DocumentReading {
        let null = Value::Null;
        let result = doc.root.get("result").unwrap_or(&null);
        let mut portal = portal_resource("ckan", &ckan_base(at));
        let mut targets = Vec::new();
        let mut of_package = |package: &Value| {
            if let Some(record) = ckan_record(at, package) {
                let words = record.title.clone().unwrap_or_default();
                record.links.iter().for_each(|link| link_targets(at, link, &words, &mut targets));
            }
        };
        let document = if let Some(packages) = result.get("results").and_then(Value::as_array) {
            packages.iter().for_each(&mut of_package);
            portal.dataset_count = result.get("count").and_then(Value::as_u64).unwrap_or(0);
            "ckan-package-search"
        } else if result.get("resources").is_some_and(Value::is_array) {
            of_package(result);
            "ckan-package-show"
        } else {
            if let Some(link) = ckan_link(result) {
                link_targets(at, &link, "", &mut targets);
            }
            describe(&mut portal, result);
            "ckan-other"
        };
        keep_data(&mut targets);
        DocumentReading {
            resources: vec![portal],
            targets,
            document: Some(document),
            ..DocumentReading::default()
        }
    }

    fn url_marks(&self) -> &'static [&'static str] {
        &["/api/3/action", "/resource/", "/api/3/"]
    }

    fn probe_url(&self, url: &Url) -> Option<Url> {
        let path = url.path().to_ascii_lowercase();
        if path.contains("/api/3/action") || path.ends_with("/api/3/") {
            return Some(without_language(ckan_base(url)));
        }
        // `/dataset/name/resource/uuid`, but not the file after it.
        let (before, after) = path.split_once("/resource/")?;
        let id = after.trim_end_matches('/');
        let uuid = id.len() == 36 && id.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-');
        (uuid && before.contains("/dataset/")).then(|| without_language(ckan_base(url)))
    }

    fn start_probe(&self, at: &Url) -> Option<(Box<dyn ServiceProbe>, ProbeRequest)> {
        let base = ckan_base(at);
        let url = base.join("api/3/action/status_show").ok()?;
        Some(PortalProbe { at: base, judge, otherwise: None }.start(url))
    }
}

/// Removes the language from a URL: `/fr/` and `/pt_BR/` are languages of the portal, not other
/// portals.
fn without_language(mut base: Url) -> Url {
    let path = base.path().trim_end_matches('/');
    if let Some((before, last)) = path.rsplit_once('/') {
        let letters = |text: &str| text.len() == 2 && text.bytes().all(|b| b.is_ascii_alphabetic());
        let language = letters(last) || last.split_once('_').is_some_and(|(a, b)| letters(a) && letters(b));
        if language {
            let path = format!("{before}/");
            base.set_path(&path);
        }
    }
    base
}

/// Judges a response of the action API: `{"help": .., "success": true, "result": {"ckan_version":
/// ..}}`.
fn judge(at: &Url, doc: &Value) -> Option<PortalProof> {
    let result = doc.get("result")?;
    let version = result.get("ckan_version")?.as_str()?;
    let mut portal = portal_resource("ckan", at);
    describe(&mut portal, result);
    Some(PortalProof {
        resource: portal,
        rule: format!("status_show of CKAN {version}"),
        targets: Vec::new(),
    })
}

fn describe(portal: &mut geotrawl_model::Resource, status: &Value) {
    let word = |name: &str, cap| status.get(name).and_then(Value::as_str).and_then(|t| tidy_text(t, cap));
    if let Some(version) = word("ckan_version", 32) {
        portal.software = Some(format!("CKAN {version}"));
        portal.versions = vec![version];
        portal.title = word("site_title", 512);
        portal.abstract_ = word("site_description", 4096);
        portal.contact.email = word("error_emails_to", 256);
        portal.languages.extend(word("locale_default", 32));
    }
}

/// Keeps only links to data: a page of search results leads to these, not to the web page of every
/// dataset.
fn keep_data(targets: &mut Vec<CrawlTarget>) {
    targets.retain(|target| target.intent.is_probe());
    for target in targets {
        target.way = "catalogue:ckan".into();
    }
}
