//! Harvests GeoNetwork, versions 4 and 3.
//!
//! State: `v=3` (use the version 3 API), `after` (sort values of the last record, version 4),
//! `from` (first record of the page, version 3), `since` (changes only), `last` (hash of the
//! previous page).

use super::fields::{
    LINE, PROSE, address_member, first_member, parse_bbox, push_link, text_member, text_value,
    timestamp_text, word_list,
};
use super::json_page::{
    ACCEPT, OffsetPaging, PAGE_BYTES, PageState, check_progress, cut_before, page_request, parse_json,
    url_below, with_query,
};
use super::{CataloguePage, Connector, ConnectorDoc};
use crate::probe::{PostBody, ProbeRequest, ProbeResponse};
use geotrawl_model::{CatalogueRecord, Contact, Issue, RecordLink};
use serde_json::{Value, json};
use url::Url;

/// Search APIs of GeoNetwork.
pub struct GeoNetworkConnector;

static DOC: ConnectorDoc = ConnectorDoc {
    id: "geonetwork",
    name: "GeoNetwork",
    what: "Reads the records of GeoNetwork 4 through its search (POST, sorted by change, each page after the \
           last record of the previous one, so that deep pages are not slower); if that is missing, through the \
           version 3 API by number. Later harvests of version 4 request only what has changed since.",
    specification: "https://docs.geonetwork-opensource.org/4.4/api/the-geonetwork-api/",
    kinds: &["geonetwork"],
    incremental: true,
};

const SIZE: u64 = 200;

impl Connector for GeoNetworkConnector {
    fn doc(&self) -> &'static ConnectorDoc {
        &DOC
    }

    fn page_request(&self, at: &Url, state: &str, since: Option<&str>) -> ProbeRequest {
        let state = PageState::parse(state);
        if state.get("v") == Some("3") {
            let from = state.number("from").max(1);
            let url = url_below(&catalogue_base(at), &format!("srv/{}/q", language(at)));
            let (from, to) = (from.to_string(), (from + SIZE - 1).to_string());
            let pairs = [
                ("_content_type", "json"),
                ("fast", "index"),
                ("from", &from),
                ("to", &to),
                ("sortBy", "changeDate"),
            ];
            return page_request(with_query(url, &pairs));
        }
        let since = since.or_else(|| state.get("since")).and_then(|s| s.parse::<jiff::Timestamp>().ok());
        let mut filters = vec![json!({"terms": {"isTemplate": ["n"]}})];
        if let Some(since) = since {
            filters.push(json!({"range": {"changeDate": {"gte": since.to_string()}}}));
        }
        let mut body = json!({
            "size": SIZE,
            "track_total_hits": true,
            "query": {"bool": {"filter": filters}},
            "sort": [{"changeDate": "asc"}, {"uuid": "asc"}],
            "_source": {"excludes": ["_*", "overview.data"]},
        });
        if let Some(after) = state.get("after").and_then(|a| serde_json::from_str::<Value>(a).ok())
            && let Some(object) = body.as_object_mut()
        {
            object.insert("search_after".to_owned(), after);
        }
        let mut ask = ProbeRequest::get(search(at), ACCEPT, PAGE_BYTES);
        ask.post = Some(PostBody { content_type: "application/json", body: body.to_string() });
        ask
    }

    fn parse_page(&self, at: &Url, state: &str, answer: ProbeResponse<'_>) -> CataloguePage {
        let state = PageState::parse(state);
        let third = state.get("v") == Some("3");
        let doc = match parse_json(answer) {
            Ok(doc) => doc,
            Err(_) if !third && state.get("after").is_none() => {
                return CataloguePage {
                    next: vec![PageState::default().with_value("v", 3).encode()],
                    ..CataloguePage::default()
                };
            }
            Err(issue) => return CataloguePage { failure: Some(issue), ..CataloguePage::default() },
        };
        if third { read_third(at, &state, &doc) } else { read_fourth(at, &state, &doc) }
    }
}

/// Returns the URL without `/srv/...`.
pub(crate) fn catalogue_base(at: &Url) -> Url {
    cut_before(at, &["/srv/", "/srv"])
}

/// Returns the URL of the version 4 API.
fn search(at: &Url) -> Url {
    url_below(&catalogue_base(at), "srv/api/search/records/_search")
}

/// Returns the language in the URL, or English, which every GeoNetwork has.
fn language(at: &Url) -> String {
    let after = at.path().split("/srv/").nth(1).and_then(|rest| rest.split('/').next()).unwrap_or_default();
    let known = after.len() == 3 && after != "api" && after.bytes().all(|b| b.is_ascii_lowercase());
    if known { after.to_owned() } else { "eng".to_owned() }
}

fn read_fourth(at: &Url, state: &PageState, doc: &Value) -> CataloguePage {
    let Some(hits) = doc.get("hits") else {
        let issue = Issue::new("catalogue-refused", "the search returned no list of hits");
        return CataloguePage { failure: Some(issue), ..CataloguePage::default() };
    };
    let list = hits.get("hits").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let records: Vec<CatalogueRecord> = list.iter().filter_map(|hit| fourth_record(at, hit)).collect();
    let total = hits.get("total").and_then(|t| t.as_u64().or_else(|| t.get("value")?.as_u64()));
    let mut page = CataloguePage { total, ..CataloguePage::default() };
    match check_progress(state, &records) {
        Ok(after) => {
            // No total is needed: the last page is shorter than requested.
            let sort = list.last().and_then(|hit| hit.get("sort")).filter(|s| s.is_array());
            if let Some(sort) = sort.filter(|_| list.len() as u64 >= SIZE) {
                page.next = vec![after.with_value("after", sort).encode()];
            }
        }
        Err(issue) => page.issues.push(issue),
    }
    page.records = records;
    page
}

fn fourth_record(at: &Url, hit: &Value) -> Option<CatalogueRecord> {
    let source = hit.get("_source")?;
    let id = text_member(source, &["uuid", "metadataIdentifier"], LINE)
        .or_else(|| text_member(hit, &["_id"], LINE))?;
    let mut links = Vec::new();
    for link in source.get("link").and_then(Value::as_array).into_iter().flatten().take(500) {
        let Some(url) = address_member(link, &["urlObject", "url"]).or_else(|| address(link)) else {
            continue;
        };
        let protocol = text_member(link, &["protocol"], 128);
        let format = text_member(link, &["mimeType"], 128);
        let name = text_member(link, &["nameObject", "name"], 200);
        push_link(&mut links, RecordLink { url, protocol, format, name });
    }
    let contact = source.get("contact").or_else(|| source.get("contactForResource")).map(first);
    let span = source.get("resourceTemporalDateRange").and_then(Value::as_array);
    let time = span.into_iter().flatten().take(20).filter_map(|range| {
        let bound = |name: &str| text_value(range.get(name)?, 64);
        let (from, to) = (bound("gte"), bound("lte"));
        (from.is_some() || to.is_some())
            .then(|| format!("{}/{}", from.unwrap_or_default(), to.unwrap_or_default()))
    });
    Some(CatalogueRecord {
        title: text_member(source, &["resourceTitleObject", "resourceTitle"], LINE),
        abstract_: text_member(source, &["resourceAbstractObject", "resourceAbstract"], PROSE),
        keywords: source.get("tag").map(word_list).unwrap_or_default(),
        type_: text_member(source, &["resourceType"], 64),
        bbox: source.get("geom").and_then(parse_bbox),
        time: time.collect(),
        crs: source.get("coordinateSystem").map(word_list).unwrap_or_default(),
        provider: text_member(source, &["OrgForResource", "Org", "OrgForResourceObject"], LINE)
            .or_else(|| contact.and_then(|c| text_member(c, &["organisationObject", "organisation"], LINE))),
        contact: contact.map(contact_of).unwrap_or_default(),
        licence: text_member(source, &["licenseObject", "MD_LegalConstraintsUseLimitationObject"], LINE),
        language: text_member(source, &["mainLanguage"], 32),
        modified: first_member(source, &["changeDate", "dateStamp"]).and_then(timestamp_text),
        links,
        id,
        ..CatalogueRecord::default()
    })
    .filter(|_| at.has_host())
}

fn first(value: &Value) -> &Value {
    value.as_array().and_then(|list| list.first()).unwrap_or(value)
}

fn address(link: &Value) -> Option<String> {
    text_member(link.get("urlObject")?, &["default"], super::fields::ADDRESS)
}

fn contact_of(contact: &Value) -> Contact {
    Contact {
        person: text_member(contact, &["individual"], LINE),
        organisation: text_member(contact, &["organisationObject", "organisation"], LINE),
        email: text_member(contact, &["email"], LINE),
        phone: text_member(contact, &["phone"], 64),
        url: address_member(contact, &["website"]),
    }
}

fn read_third(at: &Url, state: &PageState, doc: &Value) -> CataloguePage {
    // A single record is an object, several are a list.
    let list: Vec<&Value> = match doc.get("metadata") {
        Some(Value::Array(list)) => list.iter().collect(),
        Some(one @ Value::Object(_)) => vec![one],
        _ => Vec::new(),
    };
    let summary = doc.get("summary").map(first);
    if list.is_empty() && summary.is_none() {
        let issue = Issue::new("catalogue-refused", "the search returned neither records nor a summary");
        return CataloguePage { failure: Some(issue), ..CataloguePage::default() };
    }
    let records: Vec<CatalogueRecord> = list.iter().filter_map(|entry| third_record(at, entry)).collect();
    let total = summary.and_then(|s| s.get("@count")).and_then(|c| text_value(c, 32)?.parse().ok());
    let start = state.number("from").max(1) - 1;
    let offsets = OffsetPaging { start, asked: SIZE, got: list.len() as u64, total };
    let mut page = CataloguePage { total, ..CataloguePage::default() };
    match check_progress(state, &records) {
        Ok(after) => {
            page.next = offsets
                .next_offset()
                .map(|next| after.with_value("from", next + 1).encode())
                .into_iter()
                .collect();
        }
        Err(issue) => page.issues.push(issue),
    }
    page.records = records;
    page
}

/// Builds a record of version 3, which packs a link into `name|description|url|protocol|mime
/// type|order`, and a box into `w|s|e|n`.
fn third_record(at: &Url, entry: &Value) -> Option<CatalogueRecord> {
    let info = entry.get("geonet:info");
    let id = info
        .and_then(|i| text_member(i, &["uuid"], LINE))
        .or_else(|| text_member(entry, &["uuid", "identifier"], LINE))?;
    let mut links = Vec::new();
    let packed: Vec<&str> = match entry.get("link") {
        Some(Value::Array(list)) => list.iter().take(500).filter_map(Value::as_str).collect(),
        Some(Value::String(one)) => vec![one],
        _ => Vec::new(),
    };
    for link in packed {
        let mut pieces = link.split('|').map(str::trim);
        let mut piece = || pieces.next().filter(|p| !p.is_empty()).map(str::to_owned);
        let (name, _, url, protocol, format) = (piece(), piece(), piece(), piece(), piece());
        if let Some(url) = url {
            push_link(&mut links, RecordLink { url, protocol, format, name });
        }
    }
    let packed_box = text_member(entry, &["geoBox"], 256).map(|b| Value::String(b.replace('|', ",")));
    Some(CatalogueRecord {
        title: text_member(entry, &["title", "defaultTitle"], LINE),
        abstract_: text_member(entry, &["abstract", "defaultAbstract"], PROSE),
        keywords: entry.get("keyword").map(word_list).unwrap_or_default(),
        type_: text_member(entry, &["type"], 64),
        bbox: packed_box.as_ref().and_then(parse_bbox),
        modified: info.and_then(|i| timestamp_text(i.get("changeDate")?)),
        provider: text_member(entry, &["orgName"], LINE),
        language: text_member(entry, &["mdLanguage", "datasetLang"], 32),
        links,
        id,
        ..CatalogueRecord::default()
    })
    .filter(|_| at.has_host())
}
