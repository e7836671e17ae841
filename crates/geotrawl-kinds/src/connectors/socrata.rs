//! Harvests Socrata portals (Tyler Data & Insights).
//!
//! State: `offset`, `last` (hash of the previous page).

use super::fields::{
    LINE, PROSE, address_member, first_member, push_link, text_member, timestamp_text, word_list,
};
use super::json_page::{OffsetPaging, PageState, check_progress, page_request, parse_json, with_query};
use super::{CataloguePage, Connector, ConnectorDoc};
use crate::probe::{ProbeRequest, ProbeResponse};
use geotrawl_model::{CatalogueRecord, Contact, Issue, RecordLink};
use serde_json::Value;
use url::Url;

/// Discovery API of Socrata.
pub struct SocrataConnector;

static DOC: ConnectorDoc = ConnectorDoc {
    id: "socrata",
    name: "Socrata",
    what: "Reads the datasets and maps of one domain through the discovery API, by offset, up to its limit of 10,000 \
           entries. Skips filtered views and federated entries of other domains.",
    specification: "https://dev.socrata.com/docs/other/discovery",
    kinds: &["socrata"],
    incremental: false,
};

const LIMIT: u64 = 1000;
/// Maximum offset of the API.
const WINDOW: u64 = 10_000;
/// Types of assets with data; all others are views of these.
const ASSETS: &str = "dataset,map,file,href";

impl Connector for SocrataConnector {
    fn doc(&self) -> &'static ConnectorDoc {
        &DOC
    }

    fn page_request(&self, at: &Url, state: &str, _since: Option<&str>) -> ProbeRequest {
        // The API treats unknown parameters as filters, so only known ones are sent.
        let offset = PageState::parse(state).number("offset").to_string();
        let limit = LIMIT.to_string();
        let pairs = [("limit", &limit[..]), ("offset", &offset), ("only", ASSETS), ("order", "dataset_id")];
        page_request(with_query(catalogue_url(at), &pairs))
    }

    fn parse_page(&self, at: &Url, state: &str, answer: ProbeResponse<'_>) -> CataloguePage {
        let state = PageState::parse(state);
        let doc = match parse_json(answer) {
            Ok(doc) => doc,
            Err(issue) => return CataloguePage { failure: Some(issue), ..CataloguePage::default() },
        };
        let Some(list) = doc.get("results").and_then(Value::as_array) else {
            let issue = Issue::new("catalogue-refused", "the discovery API returned no list of results");
            return CataloguePage { failure: Some(issue), ..CataloguePage::default() };
        };
        let records: Vec<CatalogueRecord> =
            list.iter().filter_map(|entry| record_from_entry(at, entry)).collect();
        let total = doc.get("resultSetSize").and_then(Value::as_u64);
        let mut page = CataloguePage { total, ..CataloguePage::default() };
        let offsets =
            OffsetPaging { start: state.number("offset"), asked: LIMIT, got: list.len() as u64, total };
        match check_progress(&state, &records) {
            Ok(after) => match offsets.next_offset() {
                Some(next) if next + LIMIT > WINDOW => {
                    let message = format!("the discovery API returns only the first {WINDOW} entries");
                    page.issues.push(Issue::new("paging-window", message));
                }
                Some(next) => page.next.push(after.with_value("offset", next).encode()),
                None => {}
            },
            Err(issue) => page.issues.push(issue),
        }
        page.records = records;
        page
    }
}

/// Returns the URL of the discovery API for the domain of a URL.
pub(crate) fn catalogue_url(at: &Url) -> Url {
    let mut url = at.clone();
    url.set_fragment(None);
    url.set_path("/api/catalog/v1");
    url.set_query(None);
    with_query(url, &[("domains", at.host_str().unwrap_or_default())])
}

/// Builds the record of a catalogue entry.
pub(crate) fn record_from_entry(at: &Url, entry: &Value) -> Option<CatalogueRecord> {
    let resource = entry.get("resource")?;
    let id = text_member(resource, &["id"], 64)?;
    let mut links = Vec::new();
    // An entry that only links elsewhere; for the others, the page for people adds nothing.
    if let Some(url) = address_member(resource, &["url", "href"]) {
        push_link(&mut links, RecordLink { url, ..RecordLink::default() });
    }
    let kind = text_member(resource, &["type", "lens_display_type"], 64);
    let is_map = resource.get("columns_datatype").map(word_list).is_some_and(|types| {
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
    let tags = first_member(classification, &["domain_tags", "tags"]).map(word_list).unwrap_or_default();
    let owner = entry.get("owner").and_then(|owner| text_member(owner, &["display_name"], LINE));
    Some(CatalogueRecord {
        title: text_member(resource, &["name"], LINE),
        abstract_: text_member(resource, &["description"], PROSE),
        keywords: tags,
        type_: kind,
        provider: text_member(resource, &["attribution"], LINE).or(owner),
        contact: Contact { email: text_member(resource, &["contact_email"], LINE), ..Contact::default() },
        licence: entry.get("metadata").and_then(|m| text_member(m, &["license"], LINE)),
        modified: first_member(resource, &["updatedAt", "data_updated_at"]).and_then(timestamp_text),
        links,
        id,
        ..CatalogueRecord::default()
    })
}
