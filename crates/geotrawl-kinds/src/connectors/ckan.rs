//! Harvests CKAN portals.
//!
//! State: `start` (offset of the page), `since` (changes only), `plain=1` (the server rejected
//! sorting, filtering or a thousand rows, so the simplest query is used), `last` (hash of the
//! previous page).

use super::fields::{
    LINE, PROSE, address_member, first_member, parse_bbox, push_link, text_member, text_value,
    timestamp_text, word_list,
};
use super::json_page::{
    OffsetPaging, PageState, check_progress, cut_before, page_request, parse_json, url_below, with_query,
};
use super::{CataloguePage, Connector, ConnectorDoc};
use crate::probe::{ProbeRequest, ProbeResponse};
use geotrawl_model::{CatalogueRecord, Contact, RecordLink};
use serde_json::Value;
use url::Url;

/// Action API of CKAN 2.x.
pub struct CkanConnector;

static DOC: ConnectorDoc = ConnectorDoc {
    id: "ckan",
    name: "CKAN",
    what: "Reads every dataset of a CKAN portal through package_search, 1,000 at a time, at any path of its host. \
           Continues after the rows received, since servers limit rows and miscount; later \
           harvests request only what has been modified since.",
    specification: "https://docs.ckan.org/en/latest/api/",
    kinds: &["ckan"],
    incremental: true,
};

const ROWS: u64 = 1000;
const PLAIN_ROWS: u64 = 100;

impl Connector for CkanConnector {
    fn doc(&self) -> &'static ConnectorDoc {
        &DOC
    }

    fn page_request(&self, at: &Url, state: &str, since: Option<&str>) -> ProbeRequest {
        let state = PageState::parse(state);
        let url = url_below(&portal_base(at), "api/3/action/package_search");
        let start = state.number("start").to_string();
        if state.get("plain").is_some() {
            return page_request(with_query(url, &[("rows", &PLAIN_ROWS.to_string()), ("start", &start)]));
        }
        let mut url = with_query(url, &[("rows", &ROWS.to_string()), ("start", &start), ("sort", "id asc")]);
        if let Some(since) = since.or_else(|| state.get("since")).and_then(solr_moment) {
            let changed = format!("metadata_modified:[{since} TO *]");
            url = with_query(url, &[("fq", &changed)]);
        }
        page_request(url)
    }

    fn parse_page(&self, at: &Url, state: &str, answer: ProbeResponse<'_>) -> CataloguePage {
        let asked_url = answer.head.url.clone();
        let state = with_since(PageState::parse(state), asked_url.as_ref());
        let plain = state.get("plain").is_some();
        let refusal = matches!(answer.head.status, 400 | 404 | 409 | 414 | 500);
        let doc = match parse_json(answer) {
            Ok(doc) => doc,
            // Old servers do not support sorting, and some respond to too many rows with an error.
            Err(_) if refusal && !plain => {
                let next = vec![state.with_value("plain", 1).without_value("since").encode()];
                return CataloguePage { next, ..CataloguePage::default() };
            }
            Err(issue) => return CataloguePage { failure: Some(issue), ..CataloguePage::default() },
        };
        let result = doc.get("result").unwrap_or(&doc);
        let Some(list) = result.get("results").and_then(Value::as_array) else {
            let error = doc.get("error").unwrap_or(&doc);
            let said = text_member(error, &["message", "__type"], LINE)
                .unwrap_or_else(|| "no list of results".into());
            let issue =
                geotrawl_model::Issue::new("catalogue-refused", format!("package_search failed: {said}"));
            return CataloguePage { failure: Some(issue), ..CataloguePage::default() };
        };
        let records: Vec<CatalogueRecord> =
            list.iter().filter_map(|package| record_from_package(at, package)).collect();
        let total = result.get("count").and_then(Value::as_u64);
        let asked = if plain { PLAIN_ROWS } else { ROWS };
        let offsets = OffsetPaging { start: state.number("start"), asked, got: list.len() as u64, total };
        let mut page = CataloguePage { total, ..CataloguePage::default() };
        match check_progress(&state, &records) {
            Ok(after) => {
                page.next = offsets
                    .next_offset()
                    .map(|start| after.with_value("start", start).encode())
                    .into_iter()
                    .collect();
            }
            Err(issue) => page.issues.push(issue),
        }
        page.records = records;
        page
    }
}

/// Restores `since` from the URL of the first page, which has no state to remember it.
fn with_since(state: PageState, asked: Option<&Url>) -> PageState {
    if state.get("since").is_some() {
        return state;
    }
    let since = asked.and_then(|url| {
        let (_, filter) = url.query_pairs().find(|(key, _)| key == "fq")?;
        let from = filter.strip_prefix("metadata_modified:[")?.strip_suffix(" TO *]")?.to_owned();
        Some(from)
    });
    match since {
        Some(since) => state.with_value("since", since),
        None => state,
    }
}

/// Formats a timestamp for Solr, which accepts only UTC with a `Z`.
fn solr_moment(text: &str) -> Option<String> {
    text.parse::<jiff::Timestamp>().ok().map(|t| t.to_string())
}

/// Returns the portal's URL.
pub(crate) fn portal_base(at: &Url) -> Url {
    cut_before(at, &["/api/3", "/api/action", "/dataset/"])
}

/// Builds the record of a package.
pub(crate) fn record_from_package(at: &Url, package: &Value) -> Option<CatalogueRecord> {
    let id = text_member(package, &["id", "name"], LINE)?;
    let mut links = Vec::new();
    for resource in package.get("resources").and_then(Value::as_array).into_iter().flatten() {
        if let Some(link) = link_from_resource(resource) {
            push_link(&mut links, link);
        }
    }
    let extra = |key: &str| {
        let extras = package.get("extras")?.as_array()?;
        extras.iter().find(|e| e.get("key").and_then(Value::as_str) == Some(key))?.get("value")
    };
    let spatial = first_member(package, &["spatial"]).or_else(|| extra("spatial"));
    let bbox = spatial.and_then(parse_bbox).or_else(|| {
        let side = |name: &str| extra(name).cloned();
        let sides = ["bbox-west-long", "bbox-south-lat", "bbox-east-long", "bbox-north-lat"].map(side);
        let sides: Option<Vec<Value>> = sides.into_iter().collect();
        parse_bbox(&Value::Array(sides?))
    });
    let span = ["temporal_coverage-from", "temporal_coverage-to", "temporal_start", "temporal_end"];
    let moments: Vec<String> = span
        .iter()
        .filter_map(|n| text_value(first_member(package, &[n]).or_else(|| extra(n))?, 64))
        .collect();
    let organization = package.get("organization");
    Some(CatalogueRecord {
        title: text_member(package, &["title_translated", "title", "name"], LINE),
        abstract_: text_member(package, &["notes_translated", "notes", "description"], PROSE),
        keywords: package.get("tags").map(word_list).unwrap_or_default(),
        type_: text_member(package, &["type"], 64),
        bbox,
        time: if moments.is_empty() { Vec::new() } else { vec![moments.join("/")] },
        provider: organization
            .and_then(|o| text_value(o, LINE))
            .or_else(|| text_member(package, &["publisher", "author"], LINE)),
        contact: Contact {
            person: text_member(package, &["maintainer", "author"], LINE),
            email: text_member(package, &["maintainer_email", "author_email", "contact_email"], LINE),
            organisation: organization.and_then(|o| text_member(o, &["title"], LINE)),
            url: address_member(package, &["url"]).filter(|u| u.starts_with("http")),
            ..Contact::default()
        },
        licence: text_member(package, &["license_title", "license_url", "license_id"], LINE),
        language: text_member(package, &["language"], 32),
        modified: first_member(package, &["metadata_modified", "revision_timestamp"])
            .and_then(timestamp_text),
        links,
        deleted: package.get("state").and_then(Value::as_str) == Some("deleted"),
        id,
        ..CatalogueRecord::default()
    })
    .filter(|_| at.has_host())
}

/// Builds the link of a package's resource.
pub(crate) fn link_from_resource(resource: &Value) -> Option<RecordLink> {
    Some(RecordLink {
        url: address_member(resource, &["url"])?,
        protocol: text_member(resource, &["resource_locator_protocol", "protocol"], 128),
        format: text_member(resource, &["format", "mimetype"], 128),
        // The name of a resource is its title; only these members name layers.
        name: text_member(resource, &["wms_layer", "wfs_layer", "layer_name"], 200),
    })
}
