//! STAC interfaces: catalogues of scenes that can be searched.

use super::members::{Draft, MAX_DATASETS, links};
use super::one_answer::{ACCEPT, MAX_BYTES};
use super::{Claim, CorpusLabel, Kind, KindProfile, Reading, stac};
use crate::formats::json::Doc;
use crate::probe::{Answer, Ask, Dialogue, Finding, Found, Step, Target, Verdict, json_answer, read_doc};
use crate::urls;
use geotrawl_model::{Dataset, Intent, Resource};
use serde_json::Value;
use url::Url;

/// A searchable catalogue.
pub struct StacApi;

const ID: &str = "stac-api";
/// Pages of collections that are read.
const MAX_PAGES: u32 = 20;

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "STAC API",
    what: "A searchable catalogue of scenes and other data. A collection is a dataset; items are not listed.",
    specification: "https://github.com/radiantearth/stac-api-spec",
    evidence: "A landing page with stac_version and conformance classes or a search, or collections with stac_version.",
    false_positives: "Catalogues in files have no search; OGC API Features has collections without stac_version.",
    protocol: Some("STAC:API"),
    corpus_labels: &[CorpusLabel::plain("stac-api-collections"), CorpusLabel::versioned("stac-api-landing")],
    ..KindProfile::JSON_CATALOGUE
};

impl Kind for StacApi {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claims_json(&self, doc: &Doc, _at: &Url) -> Option<Claim> {
        let version = if stac::is_landing(&doc.root) { stac::version(&doc.root) } else { list_version(doc) }?;
        Some(Claim { version: Some(version.to_owned()), oddity: None })
    }

    fn read_json(&self, doc: &Doc, claim: Claim, at: &Url) -> Reading {
        let root_url = root_url(at);
        let mut draft = Draft::new(ID, root_url.clone());
        if stac::is_landing(&doc.root) {
            stac::describe(&mut draft, doc);
            draft.resource.bbox = stac::bbox(&mut draft, &doc.root);
            let children = links(&doc.root).filter(|link| link.rel == "child");
            for child in children {
                let name = child.href.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
                draft.push(Dataset {
                    name: name.chars().take(1000).collect(),
                    title: crate::formats::xml::tidy(child.title, 1024),
                    ..Dataset::default()
                });
            }
            let target = Target::new(root_url, Intent::Ask { kind: ID.to_owned() }, "content");
            return Reading {
                resources: vec![draft.finish()],
                targets: vec![target],
                document: Some("stac-api-landing"),
                ..Reading::default()
            };
        }
        draft.resource.versions.extend(claim.version);
        add_collections(&mut draft, doc);
        draft.note_form(doc);
        if let Some(count) = doc.len_at("/collections") {
            draft.resource.dataset_count = count;
        }
        let more = links(&doc.root).any(|link| link.rel == "next");
        let target = more.then(|| Target::new(root_url, Intent::Ask { kind: ID.to_owned() }, "content"));
        Reading {
            resources: vec![draft.finish()],
            targets: target.into_iter().collect(),
            document: Some("stac-api-collections"),
            ..Reading::default()
        }
    }

    fn marks(&self) -> &'static [&'static str] {
        &["stac"]
    }

    fn hint(&self, url: &Url) -> Option<Url> {
        let path = url.path().to_ascii_lowercase();
        let segments: Vec<&str> = path.split('/').filter(|s| !s.is_empty()).collect();
        let host = url.host_str().unwrap_or_default();
        let last = segments.last().copied().unwrap_or_default();
        let versioned =
            |s: &str| s.len() <= 4 && s.starts_with('v') && s[1..].starts_with(|c: char| c.is_ascii_digit());
        let named = segments.iter().any(|s| *s == "stac" || *s == "stac-api")
            || (host.starts_with("stac.") || host.starts_with("stac-api."))
                && segments.iter().all(|s| versioned(s) || matches!(*s, "collections" | "search" | "api"));
        // Documents are read as they are; other words after `stac` are pages about it.
        let end = versioned(last)
            || matches!(last, "stac" | "stac-api" | "search" | "collections" | "api")
            || last.is_empty();
        let below = segments.windows(2).any(|pair| pair[0] == "collections" && !pair[1].contains('.'));
        (named && (end || below) && !last.contains('.')).then(|| root_url(url))
    }

    fn approach(&self, at: &Url) -> Option<(Box<dyn Dialogue>, Ask)> {
        let root = root_url(at);
        let ask = Ask::get(root.clone(), ACCEPT, MAX_BYTES);
        let dialogue = StacDialogue { root, draft: None, pages: 0, count: 0 };
        Some((Box::new(dialogue), ask))
    }
}

/// The version of the first collection of a list.
fn list_version(doc: &Doc) -> Option<&str> {
    let collections = doc.get("collections")?.as_array()?;
    if doc.text("type").is_some_and(|t| t == "FeatureCollection") {
        return None;
    }
    collections
        .first()
        .filter(|first| first.get("extent").is_some() || first.get("links").is_some())
        .and_then(stac::version)
}

/// The root of the interface that an address belongs to.
fn root_url(at: &Url) -> Url {
    let mut url = urls::endpoint(at);
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

fn add_collections(draft: &mut Draft, doc: &Doc) {
    let collections = doc.get("collections").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for collection in collections {
        let dataset = stac::dataset(draft, collection);
        draft.push(dataset);
    }
}

struct StacDialogue {
    root: Url,
    /// What the landing page said.
    draft: Option<Draft>,
    pages: u32,
    count: u64,
}

impl Dialogue for StacDialogue {
    fn answer(&mut self, answer: Answer<'_>) -> Step {
        let at = answer.head.url.clone().unwrap_or_else(|| self.root.clone());
        let read = json_answer(&at, answer);
        let Some(draft) = &mut self.draft else {
            return match read {
                Ok(doc) if stac::is_landing(&doc.root) => self.landing(&at, &doc),
                Ok(doc) => Step::Done(Box::new(read_doc(&at, &doc))),
                Err(finding) => Step::Done(finding),
            };
        };
        self.pages += 1;
        let next = read.ok().and_then(|doc| {
            add_collections(draft, &doc);
            self.count += doc.len_at("/collections").unwrap_or_default();
            let next = links(&doc.root).find(|link| link.rel == "next")?;
            at.join(next.href).ok().filter(|url| *url != at && url.host_str() == at.host_str())
        });
        let room = self.pages < MAX_PAGES && draft.resource.datasets.len() < MAX_DATASETS;
        match next.filter(|_| room) {
            Some(url) => Step::Ask(Box::new(Ask::get(url, ACCEPT, MAX_BYTES))),
            None => self.done(),
        }
    }
}

impl StacDialogue {
    fn landing(&mut self, at: &Url, doc: &Doc) -> Step {
        self.root = root_url(at);
        let mut draft = Draft::new(ID, self.root.clone());
        stac::describe(&mut draft, doc);
        draft.resource.bbox = stac::bbox(&mut draft, &doc.root);
        self.draft = Some(draft);
        let mut url = links(&doc.root)
            .find(|link| matches!(link.rel, "data" | "collections"))
            .and_then(|link| at.join(link.href).ok())
            .filter(|url| url.host_str() == at.host_str());
        if url.is_none() {
            let mut own = self.root.clone();
            own.set_path(&format!("{}/collections", self.root.path().trim_end_matches('/')));
            url = Some(own);
        }
        match url {
            Some(url) => Step::Ask(Box::new(Ask::get(url, ACCEPT, MAX_BYTES))),
            None => self.done(),
        }
    }

    fn done(&mut self) -> Step {
        let mut resource = self.draft.take().map_or_else(Resource::default, Draft::finish);
        resource.dataset_count = resource.dataset_count.max(self.count);
        let found = Found::new(resource, "stac_version and conformance of the landing page");
        let finding = Finding {
            resources: vec![found],
            verdict: Verdict::Resource,
            document: Some("stac-api-landing"),
            ..Finding::default()
        };
        Step::Done(Box::new(finding))
    }
}
