//! OGC API - Records.
//!
//! State: empty for the list of collections; `c` (id of a collection), `offset`, `next` (address of the next
//! page, as the server gave it), `small=1` (the server refused a thousand), `last` (mark of the page before).

use super::fields::{LINE, PROSE, address_of, bbox, member, moment, push_link, text, text_of, words};
use super::json_page::{Offsets, State, below, get, link_of, moved_on, next_link, value, with_query};
use super::{Connector, ConnectorDoc, Page};
use crate::probe::{Answer, Ask};
use geotrawl_model::{CatalogueRecord, Contact, Issue, RecordLink};
use serde_json::Value;
use url::Url;

/// OGC API - Records, final and drafts.
pub struct OgcApiRecords;

static DOC: ConnectorDoc = ConnectorDoc {
    id: "ogcapi-records",
    name: "OGC API - Records",
    what: "Reads every record of the collections of records of an OGC API, by the server's next links (on the \
           host that answers, whatever they say) or by offset where there are none.",
    specification: "https://ogcapi.ogc.org/records/",
    kinds: &["ogcapi-records"],
    incremental: false,
};

const LIMIT: u64 = 1000;
const SMALL: u64 = 100;
/// Collections of one service that are read.
const COLLECTIONS: usize = 2000;

impl Connector for OgcApiRecords {
    fn doc(&self) -> &'static ConnectorDoc {
        &DOC
    }

    fn ask(&self, at: &Url, state: &str, _since: Option<&str>) -> Ask {
        let state = State::read(state);
        if let Some(next) = state.get("next").and_then(|n| Url::parse(n).ok()) {
            return get(next);
        }
        let (root, collection) = parts(at);
        match state.get("c").map(str::to_owned).or(collection) {
            None => get(with_query(below(&root, "collections"), &[("f", "json"), ("limit", "1000")])),
            Some(id) => {
                let mut url = below(&root, "collections");
                // An id may hold any character.
                if let Ok(mut path) = url.path_segments_mut() {
                    path.push(&id).push("items");
                }
                let limit = if state.get("small").is_some() { SMALL } else { LIMIT };
                let mut url = with_query(url, &[("f", "json"), ("limit", &limit.to_string())]);
                if state.number("offset") > 0 {
                    url = with_query(url, &[("offset", &state.number("offset").to_string())]);
                }
                get(url)
            }
        }
    }

    fn read(&self, at: &Url, state: &str, answer: Answer<'_>) -> Page {
        let state = State::read(state);
        let answered = answer.head.url.clone().unwrap_or_else(|| at.clone());
        let status = answer.head.status;
        let first = state.get("next").is_none() && state.number("offset") == 0;
        let items = state.get("c").is_some() || state.get("next").is_some() || parts(at).1.is_some();
        let doc = match value(answer) {
            Ok(doc) => doc,
            Err(_) if items && first && status == 400 && state.get("small").is_none() => {
                return Page { next: vec![state.with("small", 1).write()], ..Page::default() };
            }
            Err(issue) => return Page { failure: Some(issue), ..Page::default() },
        };
        if items { read_items(&state, &answered, &doc) } else { read_collections(&answered, &doc) }
    }
}

/// The service, and the collection when the address is that of one.
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

fn read_collections(answered: &Url, doc: &Value) -> Page {
    let Some(list) = doc.get("collections").and_then(Value::as_array) else {
        let issue = Issue::new("catalogue-refused", "the service gave no list of collections");
        return Page { failure: Some(issue), ..Page::default() };
    };
    let of_records = |c: &&Value| {
        let said = text_of(c, &["itemType"], 64).map(|t| t.to_ascii_lowercase());
        matches!(said.as_deref(), Some("record" | "records" | "catalog"))
            || text_of(c, &["type"], 64).is_some_and(|t| t.eq_ignore_ascii_case("catalog"))
    };
    let ids = list.iter().filter(of_records).filter_map(|c| c.get("id")?.as_str()).take(COLLECTIONS);
    let mut next: Vec<String> = ids.map(|id| State::default().with("c", id).write()).collect();
    // The list itself is paged by some; `next` of a list is a list.
    if let Some(more) = link_of(doc, &["next"]).and_then(|href| next_link(answered, href))
        && !list.is_empty()
        && more != *answered
        && more.path().ends_with("/collections")
    {
        next.push(State::default().with("next", more).with("list", 1).write());
    }
    Page { next, ..Page::default() }
}

/// One page of items; used for the search of ArcGIS Hub, too.
pub(super) fn read_items(state: &State, answered: &Url, doc: &Value) -> Page {
    if state.get("list").is_some() {
        return read_collections(answered, doc);
    }
    let Some(list) = doc.get("features").and_then(Value::as_array) else {
        let issue = Issue::new("catalogue-refused", "the service gave no list of records");
        return Page { failure: Some(issue), ..Page::default() };
    };
    let records: Vec<CatalogueRecord> = list.iter().filter_map(record).collect();
    let total = member(doc, &["numberMatched"]).and_then(Value::as_u64);
    let got = list.len() as u64;
    // Some put the size of the page there.
    let total = total.filter(|t| *t != got || link_of(doc, &["next"]).is_none());
    let mut page = Page { total, ..Page::default() };
    match moved_on(state, &records) {
        Ok(after) => {
            let linked = link_of(doc, &["next"])
                .and_then(|href| next_link(answered, href))
                .filter(|next| got > 0 && state.get("next") != Some(next.as_str()) && next != answered);
            page.next = match linked {
                Some(next) => vec![after.with("next", next).write()],
                None if state.get("next").is_some() => Vec::new(),
                None => {
                    let asked = if state.get("small").is_some() { SMALL } else { LIMIT };
                    let offsets = Offsets { start: state.number("offset"), asked, got, total };
                    // Without a count and without links a short page is the last.
                    let more = offsets.next().filter(|_| total.is_some() || got >= asked);
                    more.map(|offset| after.with("offset", offset).write()).into_iter().collect()
                }
            };
        }
        Err(issue) => page.issues.push(issue),
    }
    page.records = records;
    page
}

/// Relations of links that lead back into the catalogue.
const INNER_RELS: &[&str] =
    &["self", "collection", "root", "parent", "next", "prev", "first", "last", "conformance", "service-doc"];

/// What a record says.
pub(crate) fn record(feature: &Value) -> Option<CatalogueRecord> {
    let properties = feature.get("properties").unwrap_or(feature);
    let id = text_of(feature, &["id"], LINE).or_else(|| text_of(properties, &["id", "identifier"], LINE))?;
    let mut links = Vec::new();
    let own = feature.get("links").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let associations = properties.get("associations").and_then(Value::as_array);
    for link in own.iter().chain(associations.map(Vec::as_slice).unwrap_or_default()).take(500) {
        let rel = link.get("rel").and_then(Value::as_str).unwrap_or_default();
        // A link with a template of its own is filled in by people only.
        let templated = link.get("templated").and_then(Value::as_bool) == Some(true);
        if templated || INNER_RELS.contains(&rel) {
            continue;
        }
        if let Some(url) = address_of(link, &["href"]) {
            // Some put the protocol where the media type belongs.
            let media = text_of(link, &["type"], 128);
            let named = text_of(link, &["protocol"], 128);
            let protocol = named.or_else(|| media.clone().filter(|m| !m.contains('/')));
            push_link(
                &mut links,
                RecordLink { url, protocol, format: media, name: text_of(link, &["name"], 200) },
            );
        }
    }
    // ArcGIS Hub puts the service beside the title.
    if let Some(url) = address_of(properties, &["url"]).filter(|u| u.starts_with("http")) {
        let protocol = text_of(properties, &["type"], 64);
        push_link(&mut links, RecordLink { url, protocol, ..RecordLink::default() });
    }
    let geometry = member(feature, &["bbox"]).and_then(bbox);
    let geometry = geometry.or_else(|| member(feature, &["geometry"]).and_then(bbox));
    let geometry = geometry.or_else(|| member(properties, &["extent"]).and_then(bbox));
    let contact = member(properties, &["contacts", "providers"])
        .map(|c| c.as_array().and_then(|list| list.first()).unwrap_or(c));
    let themes = properties.get("themes").and_then(Value::as_array);
    let concepts =
        themes.into_iter().flatten().take(50).filter_map(|t| t.get("concepts")?.as_array()).flatten();
    let mut keywords = member(properties, &["keywords", "tags"]).map(words).unwrap_or_default();
    for word in concepts.filter_map(|c| text_of(c, &["title", "id"], 256)) {
        if keywords.len() < super::fields::WORDS && !keywords.contains(&word) {
            keywords.push(word);
        }
    }
    Some(CatalogueRecord {
        title: text_of(properties, &["title", "name"], LINE),
        abstract_: text_of(properties, &["description", "snippet"], PROSE),
        keywords,
        type_: text_of(properties, &["type"], 64),
        bbox: geometry,
        time: time_of(feature).or_else(|| time_of(properties)).into_iter().collect(),
        provider: text_of(properties, &["publisher", "source"], LINE)
            .or_else(|| contact.and_then(|c| text_of(c, &["organization", "name"], LINE))),
        contact: contact.map(contact_of).unwrap_or_default(),
        licence: text_of(properties, &["license", "licenseInfo", "rights"], LINE),
        language: properties.get("language").and_then(|l| text(l.get("code").unwrap_or(l), 32)),
        modified: member(properties, &["updated", "recordUpdated", "modified", "record-updated"])
            .and_then(moment),
        links,
        id,
        ..CatalogueRecord::default()
    })
}

fn contact_of(contact: &Value) -> Contact {
    let inside = |list: &str| {
        let list = contact.get(list)?.as_array()?;
        text_of(list.first()?, &["value"], LINE)
    };
    Contact {
        person: text_of(contact, &["name"], LINE),
        organisation: text_of(contact, &["organization"], LINE),
        email: inside("emails").or_else(|| text_of(contact, &["email"], LINE)),
        phone: inside("phones"),
        url: contact
            .get("links")
            .and_then(Value::as_array)
            .and_then(|list| address_of(list.first()?, &["href"])),
    }
}

/// `time: {"interval": [a, b]}`, `{"date": a}`, `datetime`, or a plain string.
fn time_of(object: &Value) -> Option<String> {
    let time = member(object, &["time", "datetime", "temporal"])?;
    match time {
        Value::String(_) => text(time, 128),
        Value::Object(_) => {
            if let Some(interval) = time.get("interval").and_then(Value::as_array) {
                let interval = interval.first().and_then(Value::as_array).unwrap_or(interval);
                let bound =
                    |at: usize| interval.get(at).and_then(|v| text(v, 64)).unwrap_or_else(|| "..".into());
                return Some(format!("{}/{}", bound(0), bound(1)));
            }
            text_of(time, &["timestamp", "date"], 64)
        }
        _ => None,
    }
}
