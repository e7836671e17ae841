//! Harvests OGC API - Records.
//!
//! State: empty for the list of collections; `c` (id of a collection), `offset`, `next` (URL of the
//! next page, as returned by the server), `small=1` (the server rejected a thousand), `last` (hash
//! of the previous page).

use super::fields::{
    LINE, PROSE, address_member, first_member, parse_bbox, push_link, text_member, text_value,
    timestamp_text, word_list,
};
use super::json_page::{
    OffsetPaging, PageState, check_progress, link_href, next_link, page_request, parse_json, url_below,
    with_query,
};
use super::{CataloguePage, Connector, ConnectorDoc};
use crate::probe::{ProbeRequest, ProbeResponse};
use geotrawl_model::{CatalogueRecord, Contact, Issue, RecordLink};
use serde_json::Value;
use url::Url;

/// OGC API - Records, final version and drafts.
pub struct OgcApiRecordsConnector;

static DOC: ConnectorDoc = ConnectorDoc {
    id: "ogcapi-records",
    name: "OGC API - Records",
    what: "Reads every record of the collections of records of an OGC API, by the server's next links (always on \
           the host that responded) or by offset if there are none.",
    specification: "https://ogcapi.ogc.org/records/",
    kinds: &["ogcapi-records"],
    incremental: false,
};

const LIMIT: u64 = 1000;
const SMALL: u64 = 100;
/// Maximum number of collections read per service.
const COLLECTIONS: usize = 2000;

impl Connector for OgcApiRecordsConnector {
    fn doc(&self) -> &'static ConnectorDoc {
        &DOC
    }

    fn page_request(&self, at: &Url, state: &str, _since: Option<&str>) -> ProbeRequest {
        let state = PageState::parse(state);
        if let Some(next) = state.get("next").and_then(|n| Url::parse(n).ok()) {
            return page_request(next);
        }
        let (root, collection) = parts(at);
        match state.get("c").map(str::to_owned).or(collection) {
            None => {
                page_request(with_query(url_below(&root, "collections"), &[("f", "json"), ("limit", "1000")]))
            }
            Some(id) => {
                let mut url = url_below(&root, "collections");
                // An id may contain any character.
                if let Ok(mut path) = url.path_segments_mut() {
                    path.push(&id).push("items");
                }
                let limit = if state.get("small").is_some() { SMALL } else { LIMIT };
                let mut url = with_query(url, &[("f", "json"), ("limit", &limit.to_string())]);
                if state.number("offset") > 0 {
                    url = with_query(url, &[("offset", &state.number("offset").to_string())]);
                }
                page_request(url)
            }
        }
    }

    fn parse_page(&self, at: &Url, state: &str, answer: ProbeResponse<'_>) -> CataloguePage {
        let state = PageState::parse(state);
        let answered = answer.head.url.clone().unwrap_or_else(|| at.clone());
        let status = answer.head.status;
        let first = state.get("next").is_none() && state.number("offset") == 0;
        let items = state.get("c").is_some() || state.get("next").is_some() || parts(at).1.is_some();
        let doc = match parse_json(answer) {
            Ok(doc) => doc,
            Err(_) if items && first && status == 400 && state.get("small").is_none() => {
                return CataloguePage {
                    next: vec![state.with_value("small", 1).encode()],
                    ..CataloguePage::default()
                };
            }
            Err(issue) => return CataloguePage { failure: Some(issue), ..CataloguePage::default() },
        };
        if items { read_items(&state, &answered, &doc) } else { read_collections(&answered, &doc) }
    }
}

/// Returns the URL of the service, and the collection if the URL belongs to one.
fn parts(at: &Url) -> (Url, Option<String>) {
    let path = at.path();
    let mut root = at.clone();
    root.set_query(None);
    if let Some((before, after)) = path.split_once("/collections/") {
        let id = after.split('/').next().filter(|id| !id.is_empty());
        let id = id.map(|id| percent_encoding::percent_decode_str(id).decode_utf8_lossy().into_owned());
        root.set_path(before);
        return (root, id);
    }
    root.set_path(path.trim_end_matches('/').trim_end_matches("/collections"));
    (root, None)
}

fn read_collections(answered: &Url, doc: &Value) -> CataloguePage {
    let Some(list) = doc.get("collections").and_then(Value::as_array) else {
        let issue = Issue::new("catalogue-refused", "the service returned no list of collections");
        return CataloguePage { failure: Some(issue), ..CataloguePage::default() };
    };
    let of_records = |c: &&Value| {
        let said = text_member(c, &["itemType"], 64).map(|t| t.to_ascii_lowercase());
        matches!(said.as_deref(), Some("record" | "records" | "catalog"))
            || text_member(c, &["type"], 64).is_some_and(|t| t.eq_ignore_ascii_case("catalog"))
    };
    let ids = list.iter().filter(of_records).filter_map(|c| c.get("id")?.as_str()).take(COLLECTIONS);
    let mut next: Vec<String> = ids.map(|id| PageState::default().with_value("c", id).encode()).collect();
    // Some servers page the list itself; its `next` link leads to another list.
    if let Some(more) = link_href(doc, &["next"]).and_then(|href| next_link(answered, href))
        && !list.is_empty()
        && more != *answered
        && more.path().ends_with("/collections")
    {
        next.push(PageState::default().with_value("next", more).with_value("list", 1).encode());
    }
    CataloguePage { next, ..CataloguePage::default() }
}

/// Parses one page of items; also used for the search of ArcGIS Hub.
pub(super) fn read_items(state: &PageState, answered: &Url, doc: &Value) -> CataloguePage {
    if state.get("list").is_some() {
        return read_collections(answered, doc);
    }
    let Some(list) = doc.get("features").and_then(Value::as_array) else {
        let issue = Issue::new("catalogue-refused", "the service returned no list of records");
        return CataloguePage { failure: Some(issue), ..CataloguePage::default() };
    };
    let records: Vec<CatalogueRecord> = list.iter().filter_map(record_from_feature).collect();
    let total = first_member(doc, &["numberMatched"]).and_then(Value::as_u64);
    let got = list.len() as u64;
    // Some servers return the page size as the total.
    let total = total.filter(|t| *t != got || link_href(doc, &["next"]).is_none());
    let mut page = CataloguePage { total, ..CataloguePage::default() };
    match check_progress(state, &records) {
        Ok(after) => {
            let linked = link_href(doc, &["next"])
                .and_then(|href| next_link(answered, href))
                .filter(|next| got > 0 && state.get("next") != Some(next.as_str()) && next != answered);
            page.next = match linked {
                Some(next) => vec![after.with_value("next", next).encode()],
                None if state.get("next").is_some() => Vec::new(),
                None => {
                    let asked = if state.get("small").is_some() { SMALL } else { LIMIT };
                    let offsets = OffsetPaging { start: state.number("offset"), asked, got, total };
                    // Without a total and links, a short page is the last.
                    let more = offsets.next_offset().filter(|_| total.is_some() || got >= asked);
                    more.map(|offset| after.with_value("offset", offset).encode()).into_iter().collect()
                }
            };
        }
        Err(issue) => page.issues.push(issue),
    }
    page.records = records;
    page
}

/// Link relations that lead back into the catalogue.
const INNER_RELS: &[&str] =
    &["self", "collection", "root", "parent", "next", "prev", "first", "last", "conformance", "service-doc"];

/// Builds the record of a feature.
pub(crate) fn record_from_feature(feature: &Value) -> Option<CatalogueRecord> {
    let properties = feature.get("properties").unwrap_or(feature);
    let id = text_member(feature, &["id"], LINE)
        .or_else(|| text_member(properties, &["id", "identifier"], LINE))?;
    let mut links = Vec::new();
    let own = feature.get("links").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let associations = properties.get("associations").and_then(Value::as_array);
    for link in own.iter().chain(associations.map(Vec::as_slice).unwrap_or_default()).take(500) {
        let rel = link.get("rel").and_then(Value::as_str).unwrap_or_default();
        // A templated link must be filled in by a person.
        let templated = link.get("templated").and_then(Value::as_bool) == Some(true);
        if templated || INNER_RELS.contains(&rel) {
            continue;
        }
        if let Some(url) = address_member(link, &["href"]) {
            // Some servers put the protocol in place of the media type.
            let media = text_member(link, &["type"], 128);
            let named = text_member(link, &["protocol"], 128);
            let protocol = named.or_else(|| media.clone().filter(|m| !m.contains('/')));
            push_link(
                &mut links,
                RecordLink { url, protocol, format: media, name: text_member(link, &["name"], 200) },
            );
        }
    }
    // ArcGIS Hub puts the URL of the service into the properties.
    if let Some(url) = address_member(properties, &["url"]).filter(|u| u.starts_with("http")) {
        let protocol = text_member(properties, &["type"], 64);
        push_link(&mut links, RecordLink { url, protocol, ..RecordLink::default() });
    }
    let geometry = first_member(feature, &["bbox"]).and_then(parse_bbox);
    let geometry = geometry.or_else(|| first_member(feature, &["geometry"]).and_then(parse_bbox));
    let geometry = geometry.or_else(|| first_member(properties, &["extent"]).and_then(parse_bbox));
    let contact = first_member(properties, &["contacts", "providers"])
        .map(|c| c.as_array().and_then(|list| list.first()).unwrap_or(c));
    let themes = properties.get("themes").and_then(Value::as_array);
    let concepts =
        themes.into_iter().flatten().take(50).filter_map(|t| t.get("concepts")?.as_array()).flatten();
    let mut keywords = first_member(properties, &["keywords", "tags"]).map(word_list).unwrap_or_default();
    for word in concepts.filter_map(|c| text_member(c, &["title", "id"], 256)) {
        if keywords.len() < super::fields::WORDS && !keywords.contains(&word) {
            keywords.push(word);
        }
    }
    Some(CatalogueRecord {
        title: text_member(properties, &["title", "name"], LINE),
        abstract_: text_member(properties, &["description", "snippet"], PROSE),
        keywords,
        type_: text_member(properties, &["type"], 64),
        bbox: geometry,
        time: time_of(feature).or_else(|| time_of(properties)).into_iter().collect(),
        provider: text_member(properties, &["publisher", "source"], LINE)
            .or_else(|| contact.and_then(|c| text_member(c, &["organization", "name"], LINE))),
        contact: contact.map(contact_of).unwrap_or_default(),
        licence: text_member(properties, &["license", "licenseInfo", "rights"], LINE),
        language: properties.get("language").and_then(|l| text_value(l.get("code").unwrap_or(l), 32)),
        modified: first_member(properties, &["updated", "recordUpdated", "modified", "record-updated"])
            .and_then(timestamp_text),
        links,
        id,
        ..CatalogueRecord::default()
    })
}

fn contact_of(contact: &Value) -> Contact {
    let inside = |list: &str| {
        let list = contact.get(list)?.as_array()?;
        text_member(list.first()?, &["value"], LINE)
    };
    Contact {
        person: text_member(contact, &["name"], LINE),
        organisation: text_member(contact, &["organization"], LINE),
        email: inside("emails").or_else(|| text_member(contact, &["email"], LINE)),
        phone: inside("phones"),
        url: contact
            .get("links")
            .and_then(Value::as_array)
            .and_then(|list| address_member(list.first()?, &["href"])),
    }
}

/// Parses `time: {"interval": [a, b]}`, `{"date": a}`, `datetime`, or a plain string.
fn time_of(object: &Value) -> Option<String> {
    let time = first_member(object, &["time", "datetime", "temporal"])?;
    match time {
        Value::String(_) => text_value(time, 128),
        Value::Object(_) => {
            if let Some(interval) = time.get("interval").and_then(Value::as_array) {
                let interval = interval.first().and_then(Value::as_array).unwrap_or(interval);
                let bound = |at: usize| {
                    interval.get(at).and_then(|v| text_value(v, 64)).unwrap_or_else(|| "..".into())
                };
                return Some(format!("{}/{}", bound(0), bound(1)));
            }
            text_member(time, &["timestamp", "date"], 64)
        }
        _ => None,
    }
}
