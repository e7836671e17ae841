//! Harvests static STAC catalogues and STAC APIs.
//!
//! State: empty for the document itself; `doc` (a child catalogue or collection to read) with
//! `depth`; `next` (a page of an API's collections); `last` (hash of the previous page).

use super::fields::{
    LINE, PROSE, address_member, first_member, parse_bbox, push_link, text_member, timestamp_text, word_list,
};
use super::json_page::{
    PageState, check_progress, link_href, next_link, page_request, parse_json, url_below, with_query,
};
use super::{CataloguePage, Connector, ConnectorDoc};
use crate::probe::{ProbeRequest, ProbeResponse};
use geotrawl_model::{CatalogueRecord, Contact, Issue, RecordLink};
use serde_json::Value;
use url::Url;

/// SpatioTemporal Asset Catalogs.
pub struct StacConnector;

static DOC: ConnectorDoc = ConnectorDoc {
    id: "stac",
    name: "STAC",
    what: "Reads the collections of a STAC API page by page, and walks a static catalogue from child to child, \
           within limits. Each collection is a record; items are counted, not listed, except those that belong to \
           no collection.",
    specification: "https://stacspec.org/",
    kinds: &["stac-api", "stac-catalog"],
    incremental: false,
};

/// Maximum depth of a static catalogue.
const DEPTH: u64 = 8;
/// Maximum number of children followed per document.
const CHILDREN: usize = 2000;

impl Connector for StacConnector {
    fn doc(&self) -> &'static ConnectorDoc {
        &DOC
    }

    fn page_request(&self, at: &Url, state: &str, _since: Option<&str>) -> ProbeRequest {
        let state = PageState::parse(state);
        let next = state.get("next").or_else(|| state.get("doc")).and_then(|u| Url::parse(u).ok());
        page_request(next.unwrap_or_else(|| at.clone()))
    }

    fn parse_page(&self, at: &Url, state: &str, answer: ProbeResponse<'_>) -> CataloguePage {
        let state = PageState::parse(state);
        let answered = answer.head.url.clone().unwrap_or_else(|| at.clone());
        let doc = match parse_json(answer) {
            Ok(doc) => doc,
            // A missing child must not end the harvest of the others.
            Err(issue) if state.get("doc").is_some() => {
                return CataloguePage { issues: vec![issue], ..CataloguePage::default() };
            }
            Err(issue) => return CataloguePage { failure: Some(issue), ..CataloguePage::default() },
        };
        if state.get("next").is_some() || doc.get("collections").is_some_and(Value::is_array) {
            return read_collections(&state, &answered, &doc);
        }
        read_document(&state, at, &answered, &doc)
    }
}

fn read_collections(state: &PageState, answered: &Url, doc: &Value) -> CataloguePage {
    let Some(list) = doc.get("collections").and_then(Value::as_array) else {
        let issue = Issue::new("catalogue-refused", "the API returned no list of collections");
        return CataloguePage { failure: Some(issue), ..CataloguePage::default() };
    };
    let records: Vec<CatalogueRecord> = list.iter().filter_map(|c| record(answered, c)).collect();
    let linked = link_href(doc, &["next"])
        .and_then(|href| next_link(answered, href))
        .filter(|next| !list.is_empty() && next != answered && state.get("next") != Some(next.as_str()));
    let total = first_member(doc, &["numberMatched"]).and_then(Value::as_u64);
    let total = total
        .or_else(|| linked.is_none().then_some(list.len() as u64).filter(|_| state.get("last").is_none()));
    let mut page = CataloguePage { total, ..CataloguePage::default() };
    match check_progress(state, &records) {
        Ok(after) => page.next = linked.map(|n| after.with_value("next", n).encode()).into_iter().collect(),
        Err(issue) => page.issues.push(issue),
    }
    page.records = records;
    page
}

fn read_document(state: &PageState, at: &Url, answered: &Url, doc: &Value) -> CataloguePage {
    if doc.get("stac_version").is_none() && doc.get("links").is_none() {
        let issue = Issue::new("catalogue-refused", "the document is not a STAC catalogue");
        return CataloguePage { failure: Some(issue), ..CataloguePage::default() };
    }
    let mut page = CataloguePage::default();
    // An API lists all of its collections in one place.
    let data = link_href(doc, &["data", "http://www.opengis.net/def/rel/ogc/1.0/data-collections"]);
    let conforms = doc.get("conformsTo").is_some_and(Value::is_array);
    if data.is_some() || conforms {
        let url = match data.and_then(|href| next_link(answered, href)) {
            Some(url) => url,
            None => url_below(answered, "collections"),
        };
        let url = if url.query().is_none() { with_query(url, &[("limit", "100")]) } else { url };
        page.next.push(PageState::default().with_value("next", url).encode());
        return page;
    }
    page.records.extend(record(answered, doc));
    let depth = state.number("depth");
    if depth >= DEPTH {
        return page;
    }
    let children = links(doc, "child");
    if children.len() > CHILDREN {
        let message = format!("{} children, of which only {CHILDREN} are read", children.len());
        page.issues.push(Issue::new("catalogue-cut", message));
    }
    for href in children.into_iter().take(CHILDREN) {
        // Children may be on another host, such as an object store: that host is not an internal
        // name.
        let Ok(child) = answered.join(href) else { continue };
        if matches!(child.scheme(), "http" | "https") && child != *answered && child != *at {
            page.next
                .push(PageState::default().with_value("doc", child).with_value("depth", depth + 1).encode());
        }
    }
    page
}

fn links<'v>(doc: &'v Value, rel: &str) -> Vec<&'v str> {
    let list = doc.get("links").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    list.iter()
        .filter(|l| l.get("rel").and_then(Value::as_str) == Some(rel))
        .filter_map(|l| l.get("href")?.as_str())
        .filter(|href| href.len() <= 4096)
        .collect()
}

/// Builds the record of a collection, or of an item that belongs to none. A plain catalogue is only
/// a folder.
fn record(answered: &Url, doc: &Value) -> Option<CatalogueRecord> {
    let is_collection = doc.get("extent").is_some()
        || doc.get("type").and_then(Value::as_str) == Some("Collection")
        || doc.get("license").is_some() && doc.get("geometry").is_none();
    let is_item = doc.get("geometry").is_some() && doc.get("assets").is_some();
    let orphan = is_item && doc.get("collection").is_none();
    if !is_collection && !orphan {
        return None;
    }
    let id = text_member(doc, &["id"], LINE)?;
    let properties = doc.get("properties").unwrap_or(doc);
    let extent = doc.get("extent").unwrap_or(&Value::Null);
    let spatial = extent.get("spatial");
    let first_box = spatial.and_then(|s| parse_bbox(s.get("bbox").unwrap_or(s)));
    let mut links_out = Vec::new();
    // The collection's own URL is left out: it would be requested again for the same contents.
    let assets = doc.get("assets").and_then(Value::as_object);
    for (name, asset) in assets.into_iter().flatten().take(200) {
        let roles = asset.get("roles").map(word_list).unwrap_or_default();
        if roles.iter().any(|r| matches!(r.as_str(), "thumbnail" | "overview" | "metadata"))
            || name == "thumbnail"
        {
            continue;
        }
        if let Some(url) = address_member(asset, &["href"]).and_then(|h| answered.join(&h).ok()) {
            let format = text_member(asset, &["type"], 128);
            push_link(&mut links_out, RecordLink { url: url.into(), format, ..RecordLink::default() });
        }
    }
    let list = doc.get("links").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for link in list.iter().take(2000) {
        let rel = link.get("rel").and_then(Value::as_str).unwrap_or_default();
        // Keep web map links and bulk downloads; the rest belongs to the catalogue itself.
        if matches!(
            rel,
            "wms"
                | "wmts"
                | "xyz"
                | "tilejson"
                | "pmtiles"
                | "3d-tiles"
                | "enclosure"
                | "via"
                | "derived_from"
        ) && let Some(url) = address_member(link, &["href"])
        {
            let protocol = matches!(rel, "wms" | "wmts").then(|| rel.to_owned());
            let format = text_member(link, &["type"], 128);
            push_link(&mut links_out, RecordLink { url, protocol, format, ..RecordLink::default() });
        }
    }
    let interval = extent.get("temporal").and_then(|t| t.get("interval")).and_then(Value::as_array);
    let time = interval.into_iter().flatten().take(20).filter_map(|pair| {
        let bound = |at: usize| pair.get(at).and_then(Value::as_str).unwrap_or("..");
        pair.is_array().then(|| format!("{}/{}", bound(0), bound(1)))
    });
    let provider = doc.get("providers").and_then(Value::as_array).and_then(|list| {
        let producer = list
            .iter()
            .find(|p| p.get("roles").map(word_list).is_some_and(|r| r.iter().any(|r| r == "producer")));
        producer.or_else(|| list.first())
    });
    Some(CatalogueRecord {
        title: text_member(doc, &["title"], LINE).or_else(|| text_member(properties, &["title"], LINE)),
        abstract_: text_member(doc, &["description"], PROSE),
        keywords: doc.get("keywords").map(word_list).unwrap_or_default(),
        type_: Some(if is_collection { "collection" } else { "item" }.to_owned()),
        bbox: first_box.or_else(|| first_member(doc, &["bbox"]).and_then(parse_bbox)),
        time: time.chain(text_member(properties, &["datetime"], 64)).collect(),
        provider: provider.and_then(|p| text_member(p, &["name"], LINE)),
        contact: Contact { url: provider.and_then(|p| address_member(p, &["url"])), ..Contact::default() },
        licence: text_member(doc, &["license"], LINE),
        modified: first_member(doc, &["updated"])
            .or_else(|| first_member(properties, &["updated"]))
            .and_then(timestamp_text),
        links: links_out,
        id,
        ..CatalogueRecord::default()
    })
}
