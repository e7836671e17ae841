//! Harvests GeoNode.
//!
//! State: empty for the list of service endpoints; `page` of the datasets; `last` (hash of the
//! previous page).

use super::fields::{
    LINE, PROSE, address_member, first_member, parse_bbox, push_link, text_member, timestamp_text, word_list,
};
use super::json_page::{
    OffsetPaging, PageState, check_progress, cut_before, page_request, parse_json, reachable_url, url_below,
    with_query,
};
use super::{CataloguePage, Connector, ConnectorDoc, link_targets};
use crate::probe::{ProbeRequest, ProbeResponse};
use geotrawl_model::{CatalogueRecord, Contact, RecordLink};
use serde_json::Value;
use url::Url;

/// APIs of GeoNode.
pub struct GeoNodeConnector;

static DOC: ConnectorDoc = ConnectorDoc {
    id: "geonode",
    name: "GeoNode",
    what: "Reads the service endpoints of a GeoNode (CSW, WMS, WFS, WCS, WMTS), then its datasets \
           with their links, page by page.",
    specification: "https://docs.geonode.org/en/master/devel/api/V2/index.html",
    kinds: &["geonode"],
    incremental: false,
};

const SIZE: u64 = 100;

impl Connector for GeoNodeConnector {
    fn doc(&self) -> &'static ConnectorDoc {
        &DOC
    }

    fn page_request(&self, at: &Url, state: &str, _since: Option<&str>) -> ProbeRequest {
        let state = PageState::parse(state);
        match state.get("page") {
            None => page_request(url_below(&portal_base(at), "api/ows_endpoints/")),
            Some(page) => page_request(with_query(
                url_below(&portal_base(at), "api/v2/datasets/"),
                &[("page_size", &SIZE.to_string()), ("page", page)],
            )),
        }
    }

    fn parse_page(&self, at: &Url, state: &str, answer: ProbeResponse<'_>) -> CataloguePage {
        let state = PageState::parse(state);
        if state.get("page").is_none() {
            // Some versions have no such list; request the datasets anyway.
            let mut page = CataloguePage {
                next: vec![state.with_value("page", 1).encode()],
                ..CataloguePage::default()
            };
            if let Ok(doc) = parse_json(answer) {
                for link in endpoint_links(at, &doc) {
                    link_targets(at, &link, "", &mut page.targets);
                }
            }
            return page;
        }
        let doc = match parse_json(answer) {
            Ok(doc) => doc,
            // The endpoints have been read, so a version without this API is not a failure.
            Err(issue) if state.number("page") <= 1 => {
                return CataloguePage { issues: vec![issue], ..CataloguePage::default() };
            }
            Err(issue) => return CataloguePage { failure: Some(issue), ..CataloguePage::default() },
        };
        let list =
            first_member(&doc, &["datasets", "resources", "layers", "objects"]).and_then(Value::as_array);
        let list = list.map(Vec::as_slice).unwrap_or_default();
        let records: Vec<CatalogueRecord> = list.iter().filter_map(record_from_dataset).collect();
        let total = first_member(&doc, &["total", "total_count"]).and_then(Value::as_u64);
        let number = state.number("page").max(1);
        let size = doc.get("page_size").and_then(Value::as_u64).filter(|s| *s > 0).unwrap_or(SIZE);
        let offsets = OffsetPaging {
            start: (number - 1).saturating_mul(size),
            asked: size,
            got: list.len() as u64,
            total,
        };
        let has_next = doc.get("links").is_none_or(|links| links.get("next").is_none_or(|n| !n.is_null()));
        let mut page = CataloguePage { total, ..CataloguePage::default() };
        match check_progress(&state, &records) {
            Ok(after) if has_next && offsets.next_offset().is_some() => {
                page.next = vec![after.with_value("page", number + 1).encode()];
            }
            Ok(_) => {}
            Err(issue) => page.issues.push(issue),
        }
        page.records = records;
        page
    }
}

/// Returns the portal's URL.
pub(crate) fn portal_base(at: &Url) -> Url {
    cut_before(at, &["/api/", "/layers/", "/datasets/", "/catalogue/"])
}

/// Returns the services listed by a GeoNode: `{"data": [{"type": "OGC:WMS", "url": ...}]}`.
pub(crate) fn endpoint_links(at: &Url, doc: &Value) -> Vec<RecordLink> {
    let list = doc.get("data").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let link = |entry: &Value| {
        let protocol = text_member(entry, &["type"], 64)?;
        Some(RecordLink {
            url: reachable_url(at, &address_member(entry, &["url"])?),
            protocol: Some(protocol),
            ..RecordLink::default()
        })
    };
    list.iter().take(100).filter_map(link).collect()
}

/// Builds the record of a dataset.
pub(crate) fn record_from_dataset(entry: &Value) -> Option<CatalogueRecord> {
    let id = text_member(entry, &["uuid", "pk", "id"], LINE)?;
    let layer = text_member(entry, &["alternate", "typename"], 200);
    let mut links = Vec::new();
    for link in entry.get("links").and_then(Value::as_array).into_iter().flatten().take(200) {
        let Some(url) = address_member(link, &["url"]) else { continue };
        let protocol = text_member(link, &["link_type"], 64);
        // Images, previews and metadata in various formats are not data.
        if protocol.as_deref().is_some_and(|p| matches!(p, "image" | "html" | "metadata" | "uploaded")) {
            continue;
        }
        let name = layer.clone().filter(|_| protocol.as_deref().is_some_and(|p| p.starts_with("OGC:")));
        push_link(&mut links, RecordLink { url, protocol, format: text_member(link, &["mime"], 128), name });
    }
    let owner = entry.get("owner");
    Some(CatalogueRecord {
        title: text_member(entry, &["title", "name"], LINE),
        abstract_: text_member(entry, &["raw_abstract", "abstract"], PROSE),
        keywords: entry.get("keywords").map(word_list).unwrap_or_default(),
        type_: text_member(entry, &["resource_type", "subtype"], 64),
        bbox: first_member(entry, &["ll_bbox_polygon", "bbox_polygon", "extent"])
            .and_then(|v| parse_bbox(v.get("coords").unwrap_or(v))),
        crs: text_member(entry, &["srid"], 64).into_iter().collect(),
        provider: text_member(entry, &["attribution"], LINE),
        contact: Contact {
            person: owner.and_then(|o| text_member(o, &["username"], LINE)),
            organisation: owner.and_then(|o| text_member(o, &["organization"], LINE)),
            ..Contact::default()
        },
        licence: entry
            .get("license")
            .and_then(|l| text_member(l, &["name_long", "name", "identifier"], LINE)),
        language: text_member(entry, &["language"], 32),
        modified: first_member(entry, &["last_updated", "date"]).and_then(timestamp_text),
        links,
        id,
        ..CatalogueRecord::default()
    })
}
