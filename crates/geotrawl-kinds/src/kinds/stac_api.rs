//! STAC APIs: searchable catalogues of scenes.

use super::members::{MAX_DATASETS, ResourceDraft, document_links};
use super::single_response::{ACCEPT, MAX_BYTES};
use super::{CorpusLabel, DocumentClaim, DocumentReading, Kind, KindProfile, stac};
use crate::formats::json::JsonDocument;
use crate::probe::{
    CrawlTarget, Finding, Found, ProbeRequest, ProbeResponse, ProbeStep, ResponseClass, ServiceProbe,
    read_json_doc, read_json_response,
};
use crate::urls;
use geotrawl_model::{Dataset, Intent, Resource};
use serde_json::Value;
use url::Url;

/// A searchable STAC catalogue.
pub struct StacApiKind;

const ID: &str = "stac-api";
/// Maximum number of pages of collections.
const MAX_PAGES: u32 = 20;

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "STAC API",
    what: "A searchable catalogue of scenes and other data. Each collection is a dataset; items are not listed.",
    specification: "https://github.com/radiantearth/stac-api-spec",
    evidence: "A landing page with stac_version and conformance classes or a search, or collections with stac_version.",
    false_positives: "Static catalogues, which have no search; OGC API - Features, whose collections have no stac_version.",
    protocol: Some("STAC:API"),
    corpus_labels: &[CorpusLabel::plain("stac-api-collections"), CorpusLabel::versioned("stac-api-landing")],
    ..KindProfile::JSON_CATALOGUE
};

impl Kind for StacApiKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, _at: &Url) -> Option<DocumentClaim> {
        let version =
            if stac::is_landing(&doc.root) { stac::stac_version(&doc.root) } else { list_version(doc) }?;
        Some(DocumentClaim { version: Some(version.to_owned()), oddity: None })
    }

    fn read_json(&self, doc: &JsonDocument, claim: DocumentClaim, at: &Url) -> DocumentReading {
        let root_url = root_url(at);
        let mut draft = ResourceDraft::new(ID, root_url.clone());
        if stac::is_landing(&doc.root) {
            stac::describe_resource(&mut draft, doc);
            draft.resource.bbox = stac::first_bbox(&mut draft, &doc.root);
            let children = document_links(&doc.root).filter(|link| link.rel == "child");
            for child in children {
                let name = child.href.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
                draft.add_dataset(Dataset {
                    name: name.chars().take(1000).collect(),
                    title: crate::formats::xml::tidy_text(child.title, 1024),
                    ..Dataset::default()
                });
            }
            let target = CrawlTarget::new(root_url, Intent::Ask { kind: ID.to_owned() }, "content");
            return DocumentReading {
                resources: vec![draft.finish()],
                targets: vec![target],
                document: Some("stac-api-landing"),
                ..DocumentReading::default()
            };
        }
        draft.resource.versions.extend(claim.version);
        add_collections(&mut draft, doc);
        draft.note_syntax_issues(doc);
        if let Some(count) = doc.array_len("/collections") {
            draft.resource.dataset_count = count;
        }
        let more = document_links(&doc.root).any(|link| link.rel == "next");
        let target = more.then(|| CrawlTarget::new(root_url, Intent::Ask { kind: ID.to_owned() }, "content"));
        DocumentReading {
            resources: vec![draft.finish()],
            targets: target.into_iter().collect(),
            document: Some("stac-api-collections"),
            ..DocumentReading::default()
        }
    }

    fn url_marks(&self) -> &'static [&'static str] {
        &["stac"]
    }

    fn probe_url(&self, url: &Url) -> Option<Url> {
        let path = url.path().to_ascii_lowercase();
        let segments: Vec<&str> = path.split('/').filter(|s| !s.is_empty()).collect();
        let host = url.host_str().unwrap_or_default();
        let last = segments.last().copied().unwrap_or_default();
        let versioned =
            |s: &str| s.len() <= 4 && s.starts_with('v') && s[1..].starts_with(|c: char| c.is_ascii_digit());
        let named = segments.iter().any(|s| *s == "stac" || *s == "stac-api")
            || (host.starts_with("stac.") || host.starts_with("stac-api."))
                && segments.iter().all(|s| versioned(s) || matches!(*s, "collections" | "search" | "api"));
        // Documents are read as they are; other segments after `stac` belong to pages about it.
        let end = versioned(last)
            || matches!(last, "stac" | "stac-api" | "search" | "collections" | "api")
            || last.is_empty();
        let below = segments.windows(2).any(|pair| pair[0] == "collections" && !pair[1].contains('.'));
        (named && (end || below) && !last.contains('.')).then(|| root_url(url))
    }

    fn start_probe(&self, at: &Url) -> Option<(Box<dyn ServiceProbe>, ProbeRequest)> {
        let root = root_url(at);
        let ask = ProbeRequest::get(root.clone(), ACCEPT, MAX_BYTES);
        let dialogue = StacProbe { root, draft: None, pages: 0, count: 0 };
        Some((Box::new(dialogue), ask))
    }
}

/// Returns the version of the first collection of a list.
fn list_version(doc: &JsonDocument) -> Option<&str> {
    let collections = doc.get("collections")?.as_array()?;
    if doc.text_member("type").is_some_and(|t| t == "FeatureCollection") {
        return None;
    }
    collections
        .first()
        .filter(|first| first.get("extent").is_some() || first.get("links").is_some())
        .and_then(stac::stac_version)
}

/// Returns the root of the API that a URL belongs to.
fn root_url(at: &Url) -> Url {
    let mut url = urls::endpoint_url(at);
    let path = url.path().to_owned();
    let segments: Vec<&str> = path.split('/').collect();
    if let Some(cut) = segments
        .iter()
        .position(|s| matches!(s.to_ascii_lowercase().as_str(), "collections" | "search" | "conformance"))
    {
        let kept = segments[..cut].join("/");
        url.set_path(if kept.is_empty() { "/" } else { &kept });
        super::ogcapi::strip_below(&mut url);
    }
    url
}

fn add_collections(draft: &mut ResourceDraft, doc: &JsonDocument) {
    let collections = doc.get("collections").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for collection in collections {
        let dataset = stac::build_dataset(draft, collection);
        draft.add_dataset(dataset);
    }
}

struct StacProbe {
    root: Url,
    /// Resource built from the landing page.
    draft: Option<ResourceDraft>,
    pages: u32,
    count: u64,
}

impl ServiceProbe for StacProbe {
    fn handle_response(&mut self, answer: ProbeResponse<'_>) -> ProbeStep {
        let at = answer.head.url.clone().unwrap_or_else(|| self.root.clone());
        let read = read_json_response(&at, answer);
        let Some(draft) = &mut self.draft else {
            return match read {
                Ok(doc) if stac::is_landing(&doc.root) => self.landing(&at, &doc),
                Ok(doc) => ProbeStep::Done(Box::new(read_json_doc(&at, &doc))),
                Err(finding) => ProbeStep::Done(finding),
            };
        };
        self.pages += 1;
        let next = read.ok().and_then(|doc| {
            add_collections(draft, &doc);
            self.count += doc.array_len("/collections").unwrap_or_default();
            let next = document_links(&doc.root).find(|link| link.rel == "next")?;
            at.join(next.href).ok().filter(|url| *url != at && url.host_str() == at.host_str())
        });
        let room = self.pages < MAX_PAGES && draft.resource.datasets.len() < MAX_DATASETS;
        match next.filter(|_| room) {
            Some(url) => ProbeStep::Ask(Box::new(ProbeRequest::get(url, ACCEPT, MAX_BYTES))),
            None => self.done(),
        }
    }
}

impl StacProbe {
    fn landing(&mut self, at: &Url, doc: &JsonDocument) -> ProbeStep {
        self.root = root_url(at);
        let mut draft = ResourceDraft::new(ID, self.root.clone());
        stac::describe_resource(&mut draft, doc);
        draft.resource.bbox = stac::first_bbox(&mut draft, &doc.root);
        self.draft = Some(draft);
        let mut url = document_links(&doc.root)
            .find(|link| matches!(link.rel, "data" | "collections"))
            .and_then(|link| at.join(link.href).ok())
            .filter(|url| url.host_str() == at.host_str());
        if url.is_none() {
            let mut own = self.root.clone();
            own.set_path(&format!("{}/collections", self.root.path().trim_end_matches('/')));
            url = Some(own);
        }
        match url {
            Some(url) => ProbeStep::Ask(Box::new(ProbeRequest::get(url, ACCEPT, MAX_BYTES))),
            None => self.done(),
        }
    }

    fn done(&mut self) -> ProbeStep {
        let mut resource = self.draft.take().map_or_else(Resource::default, ResourceDraft::finish);
        resource.dataset_count = resource.dataset_count.max(self.count);
        let found = Found::new(resource, "stac_version and conformance of the landing page");
        let finding = Finding {
            resources: vec![found],
            verdict: ResponseClass::Resource,
            document: Some("stac-api-landing"),
            ..Finding::default()
        };
        ProbeStep::Done(Box::new(finding))
    }
}
