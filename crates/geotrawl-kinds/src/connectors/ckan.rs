//! CKAN portals.
//!
//! State: `start` (offset of the page), `since` (changes only), `plain=1` (the server refused sorting,
//! filtering or a thousand rows: asked in the simplest way), `last` (mark of the page before).

use super::fields::{LINE, PROSE, address_of, bbox, member, moment, push_link, text, text_of, words};
use super::json_page::{Offsets, State, below, cut_before, get, moved_on, value, with_query};
use super::{Connector, ConnectorDoc, Page};
use crate::probe::{Answer, Ask};
use geotrawl_model::{CatalogueRecord, Contact, RecordLink};
use serde_json::Value;
use url::Url;

/// The action API of CKAN 2.x.
pub struct Ckan;

static DOC: ConnectorDoc = ConnectorDoc {
    id: "ckan",
    name: "CKAN",
    what: "Reads every dataset of a CKAN portal through package_search, 1,000 at a time, wherever on its host \
           the portal stands. Goes on behind what came, since servers cap rows and count wrongly; a second \
           harvest asks for what was modified since.",
    specification: "https://docs.ckan.org/en/latest/api/",
    kinds: &["ckan"],
    incremental: true,
};

const ROWS: u64 = 1000;
const PLAIN_ROWS: u64 = 100;

impl Connector for Ckan {
    fn doc(&self) -> &'static ConnectorDoc {
        &DOC
    }

    fn ask(&self, at: &Url, state: &str, since: Option<&str>) -> Ask {
        let state = State::read(state);
        let url = below(&base(at), "api/3/action/package_search");
        let start = state.number("start").to_string();
        if state.get("plain").is_some() {
            return get(with_query(url, &[("rows", &PLAIN_ROWS.to_string()), ("start", &start)]));
        }
        let mut url = with_query(url, &[("rows", &ROWS.to_string()), ("start", &start), ("sort", "id asc")]);
        if let Some(since) = since.or_else(|| state.get("since")).and_then(solr_moment) {
            let changed = format!("metadata_modified:[{since} TO *]");
            url = with_query(url, &[("fq", &changed)]);
        }
        get(url)
    }

    fn read(&self, at: &Url, state: &str, answer: Answer<'_>) -> Page {
        let asked_url = answer.head.url.clone();
        let state = with_since(State::read(state), asked_url.as_ref());
        let plain = state.get("plain").is_some();
        let refusal = matches!(answer.head.status, 400 | 404 | 409 | 414 | 500);
        let doc = match value(answer) {
            Ok(doc) => doc,
            // Old servers know no sort, some cap rows with an error.
            Err(_) if refusal && !plain => {
                let next = vec![state.with("plain", 1).without("since").write()];
                return Page { next, ..Page::default() };
            }
            Err(issue) => return Page { failure: Some(issue), ..Page::default() },
        };
        let result = doc.get("result").unwrap_or(&doc);
        let Some(list) = result.get("results").and_then(Value::as_array) else {
            let error = doc.get("error").unwrap_or(&doc);
            let said =
                text_of(error, &["message", "__type"], LINE).unwrap_or_else(|| "no list of results".into());
            let issue =
                geotrawl_model::Issue::new("catalogue-refused", format!("package_search failed: {said}"));
            return Page { failure: Some(issue), ..Page::default() };
        };
        let records: Vec<CatalogueRecord> = list.iter().filter_map(|package| record(at, package)).collect();
        let total = result.get("count").and_then(Value::as_u64);
        let asked = if plain { PLAIN_ROWS } else { ROWS };
        let offsets = Offsets { start: state.number("start"), asked, got: list.len() as u64, total };
        let mut page = Page { total, ..Page::default() };
        match moved_on(&state, &records) {
            Ok(after) => {
                page.next =
                    offsets.next().map(|start| after.with("start", start).write()).into_iter().collect();
            }
            Err(issue) => page.issues.push(issue),
        }
        page.records = records;
        page
    }
}

/// What an answer without a state was asked for: the first page's `since` goes on with the next ones.
fn with_since(state: State, asked: Option<&Url>) -> State {
    if state.get("since").is_some() {
        return state;
    }
    let since = asked.and_then(|url| {
        let (_, filter) = url.query_pairs().find(|(key, _)| key == "fq")?;
        let from = filter.strip_prefix("metadata_modified:[")?.strip_suffix(" TO *]")?.to_owned();
        Some(from)
    });
    match since {
        Some(since) => state.with("since", since),
        None => state,
    }
}

/// Solr reads moments in UTC with a `Z` only.
fn solr_moment(text: &str) -> Option<String> {
    text.parse::<jiff::Timestamp>().ok().map(|t| t.to_string())
}

/// The portal's address.
pub(crate) fn base(at: &Url) -> Url {
    cut_before(at, &["/api/3", "/api/action", "/dataset/"])
}

/// What a package says.
pub(crate) fn record(at: &Url, package: &Value) -> Option<CatalogueRecord> {
    let id = text_of(package, &["id", "name"], LINE)?;
    let mut links = Vec::new();
    for resource in package.get("resources").and_then(Value::as_array).into_iter().flatten() {
        if let Some(link) = link(resource) {
            push_link(&mut links, link);
        }
    }
    let extra = |key: &str| {
        let extras = package.get("extras")?.as_array()?;
        extras.iter().find(|e| e.get("key").and_then(Value::as_str) == Some(key))?.get("value")
    };
    let spatial = member(package, &["spatial"]).or_else(|| extra("spatial"));
    let bbox = spatial.and_then(bbox).or_else(|| {
        let side = |name: &str| extra(name).cloned();
        let sides = ["bbox-west-long", "bbox-south-lat", "bbox-east-long", "bbox-north-lat"].map(side);
        let sides: Option<Vec<Value>> = sides.into_iter().collect();
        bbox(&Value::Array(sides?))
    });
    let span = ["temporal_coverage-from", "temporal_coverage-to", "temporal_start", "temporal_end"];
    let moments: Vec<String> =
        span.iter().filter_map(|n| text(member(package, &[n]).or_else(|| extra(n))?, 64)).collect();
    let organization = package.get("organization");
    Some(CatalogueRecord {
        title: text_of(package, &["title_translated", "title", "name"], LINE),
        abstract_: text_of(package, &["notes_translated", "notes", "description"], PROSE),
        keywords: package.get("tags").map(words).unwrap_or_default(),
        type_: text_of(package, &["type"], 64),
        bbox,
        time: if moments.is_empty() { Vec::new() } else { vec![moments.join("/")] },
        provider: organization
            .and_then(|o| text(o, LINE))
            .or_else(|| text_of(package, &["publisher", "author"], LINE)),
        contact: Contact {
            person: text_of(package, &["maintainer", "author"], LINE),
            email: text_of(package, &["maintainer_email", "author_email", "contact_email"], LINE),
            organisation: organization.and_then(|o| text_of(o, &["title"], LINE)),
            url: address_of(package, &["url"]).filter(|u| u.starts_with("http")),
            ..Contact::default()
        },
        licence: text_of(package, &["license_title", "license_url", "license_id"], LINE),
        language: text_of(package, &["language"], 32),
        modified: member(package, &["metadata_modified", "revision_timestamp"]).and_then(moment),
        links,
        deleted: package.get("state").and_then(Value::as_str) == Some("deleted"),
        id,
        ..CatalogueRecord::default()
    })
    .filter(|_| at.has_host())
}

/// Where a resource of a package leads.
pub(crate) fn link(resource: &Value) -> Option<RecordLink> {
    Some(RecordLink {
        url: address_of(resource, &["url"])?,
        protocol: text_of(resource, &["resource_locator_protocol", "protocol"], 128),
        format: text_of(resource, &["format", "mimetype"], 128),
        // The name of a resource is its title; only these are layers.
        name: text_of(resource, &["wms_layer", "wfs_layer", "layer_name"], 200),
    })
}
