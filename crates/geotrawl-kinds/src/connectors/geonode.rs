//! GeoNode.
//!
//! State: empty for the list of service endpoints; `page` of the datasets; `last` (mark of the page before).

use super::fields::{LINE, PROSE, address_of, bbox, member, moment, push_link, text_of, words};
use super::json_page::{Offsets, State, below, cut_before, get, moved_on, reachable, value, with_query};
use super::{Connector, ConnectorDoc, Page, link_targets};
use crate::probe::{Answer, Ask};
use geotrawl_model::{CatalogueRecord, Contact, RecordLink};
use serde_json::Value;
use url::Url;

/// GeoNode's own interfaces.
pub struct GeoNode;

static DOC: ConnectorDoc = ConnectorDoc {
    id: "geonode",
    name: "GeoNode",
    what: "Asks a GeoNode for its service endpoints first (CSW, WMS, WFS, WCS, WMTS), then for its datasets, \
           page by page, with the links of each.",
    specification: "https://docs.geonode.org/en/master/devel/api/V2/index.html",
    kinds: &["geonode"],
    incremental: false,
};

const SIZE: u64 = 100;

impl Connector for GeoNode {
    fn doc(&self) -> &'static ConnectorDoc {
        &DOC
    }

    fn ask(&self, at: &Url, state: &str, _since: Option<&str>) -> Ask {
        let state = State::read(state);
        match state.get("page") {
            None => get(below(&base(at), "api/ows_endpoints/")),
            Some(page) => get(with_query(
                below(&base(at), "api/v2/datasets/"),
                &[("page_size", &SIZE.to_string()), ("page", page)],
            )),
        }
    }

    fn read(&self, at: &Url, state: &str, answer: Answer<'_>) -> Page {
        let state = State::read(state);
        if state.get("page").is_none() {
            // Some versions have no such list: the datasets are asked for all the same.
            let mut page = Page { next: vec![state.with("page", 1).write()], ..Page::default() };
            if let Ok(doc) = value(answer) {
                for link in endpoints(at, &doc) {
                    link_targets(at, &link, "", &mut page.targets);
                }
            }
            return page;
        }
        let doc = match value(answer) {
            Ok(doc) => doc,
            // The endpoints were read: a version without this interface is no failure.
            Err(issue) if state.number("page") <= 1 => {
                return Page { issues: vec![issue], ..Page::default() };
            }
            Err(issue) => return Page { failure: Some(issue), ..Page::default() },
        };
        let list = member(&doc, &["datasets", "resources", "layers", "objects"]).and_then(Value::as_array);
        let list = list.map(Vec::as_slice).unwrap_or_default();
        let records: Vec<CatalogueRecord> = list.iter().filter_map(record).collect();
        let total = member(&doc, &["total", "total_count"]).and_then(Value::as_u64);
        let number = state.number("page").max(1);
        let size = doc.get("page_size").and_then(Value::as_u64).filter(|s| *s > 0).unwrap_or(SIZE);
        let offsets =
            Offsets { start: (number - 1).saturating_mul(size), asked: size, got: list.len() as u64, total };
        let has_next = doc.get("links").is_none_or(|links| links.get("next").is_none_or(|n| !n.is_null()));
        let mut page = Page { total, ..Page::default() };
        match moved_on(&state, &records) {
            Ok(after) if has_next && offsets.next().is_some() => {
                page.next = vec![after.with("page", number + 1).write()];
            }
            Ok(_) => {}
            Err(issue) => page.issues.push(issue),
        }
        page.records = records;
        page
    }
}

/// The portal's address.
pub(crate) fn base(at: &Url) -> Url {
    cut_before(at, &["/api/", "/layers/", "/datasets/", "/catalogue/"])
}

/// The services that a GeoNode says it has: `{"data": [{"type": "OGC:WMS", "url": ...}]}`.
pub(crate) fn endpoints(at: &Url, doc: &Value) -> Vec<RecordLink> {
    let list = doc.get("data").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let link = |entry: &Value| {
        let protocol = text_of(entry, &["type"], 64)?;
        Some(RecordLink {
            url: reachable(at, &address_of(entry, &["url"])?),
            protocol: Some(protocol),
            ..RecordLink::default()
        })
    };
    list.iter().take(100).filter_map(link).collect()
}

/// What a dataset says.
pub(crate) fn record(entry: &Value) -> Option<CatalogueRecord> {
    let id = text_of(entry, &["uuid", "pk", "id"], LINE)?;
    let layer = text_of(entry, &["alternate", "typename"], 200);
    let mut links = Vec::new();
    for link in entry.get("links").and_then(Value::as_array).into_iter().flatten().take(200) {
        let Some(url) = address_of(link, &["url"]) else { continue };
        let protocol = text_of(link, &["link_type"], 64);
        // Pictures, previews and metadata in many formats are no data.
        if protocol.as_deref().is_some_and(|p| matches!(p, "image" | "html" | "metadata" | "uploaded")) {
            continue;
        }
        let name = layer.clone().filter(|_| protocol.as_deref().is_some_and(|p| p.starts_with("OGC:")));
        push_link(&mut links, RecordLink { url, protocol, format: text_of(link, &["mime"], 128), name });
    }
    let owner = entry.get("owner");
    Some(CatalogueRecord {
        title: text_of(entry, &["title", "name"], LINE),
        abstract_: text_of(entry, &["raw_abstract", "abstract"], PROSE),
        keywords: entry.get("keywords").map(words).unwrap_or_default(),
        type_: text_of(entry, &["resource_type", "subtype"], 64),
        bbox: member(entry, &["ll_bbox_polygon", "bbox_polygon", "extent"])
            .and_then(|v| bbox(v.get("coords").unwrap_or(v))),
        crs: text_of(entry, &["srid"], 64).into_iter().collect(),
        provider: text_of(entry, &["attribution"], LINE),
        contact: Contact {
            person: owner.and_then(|o| text_of(o, &["username"], LINE)),
            organisation: owner.and_then(|o| text_of(o, &["organization"], LINE)),
            ..Contact::default()
        },
        licence: entry.get("license").and_then(|l| text_of(l, &["name_long", "name", "identifier"], LINE)),
        language: text_of(entry, &["language"], 32),
        modified: member(entry, &["last_updated", "date"]).and_then(moment),
        links,
        id,
        ..CatalogueRecord::default()
    })
}
