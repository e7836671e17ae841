//! Harvests OpenDataSoft portals.
//!
//! State: `offset`, `since` (changes only, and the start of a slice), `last` (hash of the previous
//! page).

use super::fields::{
    LINE, PROSE, first_member, parse_bbox, push_link, text_member, text_value, timestamp_text, word_list,
};
use super::json_page::{
    OffsetPaging, PageState, check_progress, cut_before, page_request, parse_json, url_below, with_query,
};
use super::{CataloguePage, Connector, ConnectorDoc};
use crate::probe::{ProbeRequest, ProbeResponse};
use geotrawl_model::{CatalogueRecord, Contact, Issue, RecordLink};
use serde_json::Value;
use url::Url;

/// Explore API, version 2.
pub struct OpenDataSoftConnector;

static DOC: ConnectorDoc = ConnectorDoc {
    id: "opendatasoft",
    name: "OpenDataSoft",
    what: "Reads every dataset of an OpenDataSoft portal through the explore API, oldest change first and 100 \
           at a time; when the API reaches its limit (10,000 entries), it continues from the last change seen. Later \
           harvests request only what has been modified since.",
    specification: "https://help.opendatasoft.com/apis/ods-explore-v2/",
    kinds: &["opendatasoft"],
    incremental: true,
};

const LIMIT: u64 = 100;
/// Maximum offset of the API.
const WINDOW: u64 = 10_000;

impl Connector for OpenDataSoftConnector {
    fn doc(&self) -> &'static ConnectorDoc {
        &DOC
    }

    fn page_request(&self, at: &Url, state: &str, since: Option<&str>) -> ProbeRequest {
        let state = PageState::parse(state);
        let mut url = with_query(
            datasets_url(at),
            &[
                ("limit", &LIMIT.to_string()),
                ("offset", &state.number("offset").to_string()),
                ("order_by", "modified"),
            ],
        );
        let since = since.or_else(|| state.get("since"));
        if let Some(since) = since.and_then(|s| s.parse::<jiff::Timestamp>().ok()) {
            url = with_query(url, &[("where", &format!("modified>=date'{since}'"))]);
        }
        page_request(url)
    }

    fn parse_page(&self, at: &Url, state: &str, answer: ProbeResponse<'_>) -> CataloguePage {
        let asked = answer.head.url.clone();
        let mut state = PageState::parse(state);
        if state.get("since").is_none()
            && let Some(since) = asked.as_ref().and_then(asked_since)
        {
            state = state.with_value("since", since);
        }
        let doc = match parse_json(answer) {
            Ok(doc) => doc,
            Err(issue) => return CataloguePage { failure: Some(issue), ..CataloguePage::default() },
        };
        let Some(list) = first_member(&doc, &["results", "datasets"]).and_then(Value::as_array) else {
            let issue = Issue::new("catalogue-refused", "the explore API returned no list of datasets");
            return CataloguePage { failure: Some(issue), ..CataloguePage::default() };
        };
        let records: Vec<CatalogueRecord> =
            list.iter().filter_map(|entry| record_from_entry(at, entry)).collect();
        let total = doc.get("total_count").and_then(Value::as_u64);
        let mut page = CataloguePage { total, ..CataloguePage::default() };
        let offsets =
            OffsetPaging { start: state.number("offset"), asked: LIMIT, got: list.len() as u64, total };
        match check_progress(&state, &records) {
            Ok(after) => {
                let newest = records.last().and_then(|r| r.modified.clone());
                page.next = match offsets.next_offset() {
                    Some(offset) if offset + LIMIT <= WINDOW => {
                        vec![after.with_value("offset", offset).encode()]
                    }
                    // Start the next slice, but only if the dates have advanced.
                    Some(_) => newest
                        .filter(|newest| state.get("since") != Some(newest.as_str()))
                        .map(|newest| after.with_value("since", newest).with_value("offset", 0).encode())
                        .into_iter()
                        .collect(),
                    None => Vec::new(),
                };
            }
            Err(issue) => page.issues.push(issue),
        }
        page.records = records;
        page
    }
}

fn asked_since(url: &Url) -> Option<String> {
    let (_, filter) = url.query_pairs().find(|(key, _)| key == "where")?;
    filter.strip_prefix("modified>=date'")?.strip_suffix('\'').map(str::to_owned)
}

/// Returns the portal's URL.
pub(crate) fn portal_base(at: &Url) -> Url {
    cut_before(at, &["/api/explore/", "/api/records/", "/api/datasets/", "/api/v2/", "/explore/"])
}

/// Returns the URL of a portal's list of datasets.
pub(crate) fn datasets_url(at: &Url) -> Url {
    url_below(&portal_base(at), "api/explore/v2.1/catalog/datasets")
}

/// Builds the record of an entry. Version 2.0 wraps it once more.
pub(crate) fn record_from_entry(at: &Url, entry: &Value) -> Option<CatalogueRecord> {
    let entry = entry.get("dataset").filter(|d| d.is_object()).unwrap_or(entry);
    let id = text_member(entry, &["dataset_id", "datasetid"], LINE)?;
    let metas = entry.get("metas").unwrap_or(&Value::Null);
    let default = metas.get("default").unwrap_or(metas);
    let features = entry.get("features").map(word_list).unwrap_or_default();
    let mut links = Vec::new();
    let geo = features.iter().any(|f| f == "geo");
    if geo && entry.get("has_records").and_then(Value::as_bool) != Some(false) {
        let url =
            url_below(&portal_base(at), &format!("api/explore/v2.1/catalog/datasets/{id}/exports/geojson"));
        let format = Some("GeoJSON".to_owned());
        push_link(&mut links, RecordLink { url: url.into(), format, ..RecordLink::default() });
    }
    let attachments = ["attachments", "alternative_exports"];
    for file in attachments.iter().filter_map(|n| entry.get(n)?.as_array()).flatten() {
        // `ods://` is a file inside the portal.
        if let Some(url) = super::fields::address_member(file, &["url"]).filter(|u| u.starts_with("http")) {
            let format = text_member(file, &["mimetype"], 128);
            push_link(&mut links, RecordLink { url, format, ..RecordLink::default() });
        }
    }
    let extent = first_member(default, &["bbox", "geographic_reference", "geometry"])
        .and_then(parse_bbox)
        .or_else(|| default.get("bbox").and_then(|b| parse_bbox(b.get("geometry")?)));
    Some(CatalogueRecord {
        title: text_member(default, &["title"], LINE),
        abstract_: text_member(default, &["description"], PROSE),
        keywords: default.get("keyword").map(word_list).unwrap_or_default(),
        type_: Some(if geo { "geo dataset" } else { "dataset" }.to_owned()),
        bbox: extent,
        provider: text_member(default, &["publisher"], LINE),
        contact: Contact {
            email: metas.get("dcat").and_then(|d| text_member(d, &["contact_email"], LINE)),
            person: metas.get("dcat").and_then(|d| text_member(d, &["contact_name", "creator"], LINE)),
            ..Contact::default()
        },
        licence: text_member(default, &["license", "license_url"], LINE),
        language: text_member(default, &["language"], 32),
        modified: default
            .get("modified")
            .and_then(timestamp_text)
            .or_else(|| text_value(default.get("data_processed")?, 64)),
        links,
        id,
        ..CatalogueRecord::default()
    })
}
