//! Socrata portals (Tyler Data & Insights).
//!
//! State: `offset`, `last` (mark of the page before).

use super::fields::{LINE, PROSE, address_of, member, moment, push_link, text_of, words};
use super::json_page::{Offsets, State, get, moved_on, value, with_query};
use super::{Connector, ConnectorDoc, Page};
use crate::probe::{Answer, Ask};
use geotrawl_model::{CatalogueRecord, Contact, Issue, RecordLink};
use serde_json::Value;
use url::Url;

/// The discovery API of Socrata.
pub struct Socrata;

static DOC: ConnectorDoc = ConnectorDoc {
    id: "socrata",
    name: "Socrata",
    what: "Reads the datasets and maps of one domain through the discovery API, by offset up to the 10,000 \
           that it gives. Filtered views and federated entries of other domains are left to those.",
    specification: "https://dev.socrata.com/docs/other/discovery",
    kinds: &["socrata"],
    incremental: false,
};

const LIMIT: u64 = 1000;
/// The API refuses to go further.
const WINDOW: u64 = 10_000;
/// Kinds of assets that hold data of their own; the rest are views of them.
const ASSETS: &str = "dataset,map,file,href";

impl Connector for Socrata {
    fn doc(&self) -> &'static ConnectorDoc {
        &DOC
    }

    fn ask(&self, at: &Url, state: &str, _since: Option<&str>) -> Ask {
        // The API takes unknown parameters for filters: only known ones are sent.
        let offset = State::read(state).number("offset").to_string();
        let limit = LIMIT.to_string();
        let pairs = [("limit", &limit[..]), ("offset", &offset), ("only", ASSETS), ("order", "dataset_id")];
        get(with_query(catalogue(at), &pairs))
    }

    fn read(&self, at: &Url, state: &str, answer: Answer<'_>) -> Page {
        let state = State::read(state);
        let doc = match value(answer) {
            Ok(doc) => doc,
            Err(issue) => return Page { failure: Some(issue), ..Page::default() },
        };
        let Some(list) = doc.get("results").and_then(Value::as_array) else {
            let issue = Issue::new("catalogue-refused", "the discovery API gave no list of results");
            return Page { failure: Some(issue), ..Page::default() };
        };
        let records: Vec<CatalogueRecord> = list.iter().filter_map(|entry| record(at, entry)).collect();
        let total = doc.get("resultSetSize").and_then(Value::as_u64);
        let mut page = Page { total, ..Page::default() };
        let offsets = Offsets { start: state.number("offset"), asked: LIMIT, got: list.len() as u64, total };
        match moved_on(&state, &records) {
            Ok(after) => match offsets.next() {
                Some(next) if next + LIMIT > WINDOW => {
                    let message = format!("the discovery API gives the first {WINDOW} entries only");
                    page.issues.push(Issue::new("paging-window", message));
                }
                Some(next) => page.next.push(after.with("offset", next).write()),
                None => {}
            },
            Err(issue) => page.issues.push(issue),
        }
        page.records = records;
        page
    }
}

/// The discovery API for the domain of an address.
pub(crate) fn catalogue(at: &Url) -> Url {
    let mut url = at.clone();
    url.set_fragment(None);
    url.set_path("/api/catalog/v1");
    url.set_query(None);
    with_query(url, &[("domains", at.host_str().unwrap_or_default())])
}

/// What an entry of the catalogue says.
pub(crate) fn record(at: &Url, entry: &Value) -> Option<CatalogueRecord> {
    let resource = entry.get("resource")?;
    let id = text_of(resource, &["id"], 64)?;
    let mut links = Vec::new();
    // An entry that only links elsewhere; where people look at the others says no more than this does.
    if let Some(url) = address_of(resource, &["url", "href"]) {
        push_link(&mut links, RecordLink { url, ..RecordLink::default() });
    }
    let kind = text_of(resource, &["type", "lens_display_type"], 64);
    let is_map = resource.get("columns_datatype").map(words).is_some_and(|types| {
        types.iter().any(|t| {
            matches!(
                t.to_ascii_lowercase().as_str(),
                "point" | "line" | "polygon" | "multipoint" | "multiline" | "multipolygon" | "location"
            )
        })
    });
    if is_map || kind.as_deref() == Some("map") {
        let mut url = at.clone();
        url.set_path(&format!("/resource/{id}.geojson"));
        url.set_query(None);
        let format = Some("GeoJSON".to_owned());
        push_link(&mut links, RecordLink { url: url.into(), format, ..RecordLink::default() });
    }
    let classification = entry.get("classification").unwrap_or(&Value::Null);
    let tags = member(classification, &["domain_tags", "tags"]).map(words).unwrap_or_default();
    let owner = entry.get("owner").and_then(|owner| text_of(owner, &["display_name"], LINE));
    Some(CatalogueRecord {
        title: text_of(resource, &["name"], LINE),
        abstract_: text_of(resource, &["description"], PROSE),
        keywords: tags,
        type_: kind,
        provider: text_of(resource, &["attribution"], LINE).or(owner),
        contact: Contact { email: text_of(resource, &["contact_email"], LINE), ..Contact::default() },
        licence: entry.get("metadata").and_then(|m| text_of(m, &["license"], LINE)),
        modified: member(resource, &["updatedAt", "data_updated_at"]).and_then(moment),
        links,
        id,
        ..CatalogueRecord::default()
    })
}
