//! Harvests ArcGIS Online, Portal and Hub.
//!
//! State: empty for the portal's self-description (or the first page of a Hub site); `org` (its id,
//! empty if it has none), `start`, `since` (milliseconds: changes only, and the start of a slice);
//! `webmap` (id of a web map whose layers are read); `hub=1` with `next` for the search of a Hub
//! site; `last` (hash of the previous page).

use super::fields::{
    LINE, PROSE, address_member, first_member, parse_bbox, push_link, text_member, timestamp_text, word_list,
};
use super::json_page::{
    PageState, check_progress, cut_before, page_request, parse_json, url_below, with_query,
};
use super::ogcapi_records::read_items;
use super::{CataloguePage, Connector, ConnectorDoc};
use crate::extract::config;
use crate::probe::{CrawlTarget, ProbeRequest, ProbeResponse};
use geotrawl_model::{CatalogueRecord, Intent, Issue, RecordLink};
use serde_json::Value;
use url::Url;

/// Sharing API of ArcGIS portals, and search of Hub sites.
pub struct ArcgisPortalConnector;

static DOC: ConnectorDoc = ConnectorDoc {
    id: "arcgis-portal",
    name: "ArcGIS Online, Portal and Hub",
    what: "Searches the public items of an organisation, 100 at a time, oldest change first; when the search \
           reaches its limit (10,000 items), it continues from the last change seen. The layers of every web map are \
           read by its id. Hub sites are read through their OGC API - Records search, or else their DCAT feed.",
    specification: "https://developers.arcgis.com/rest/users-groups-and-items/search/",
    kinds: &["arcgis-portal"],
    incremental: true,
};

const NUM: u64 = 100;
/// Maximum offset of the search.
const WINDOW: u64 = 10_000;

/// Types of items that are services, whose URL is that of the service.
const SERVICES: &[&str] = &[
    "Feature Service",
    "Map Service",
    "Image Service",
    "Vector Tile Service",
    "Scene Service",
    "WMS",
    "WMTS",
    "WFS",
    "OGCFeatureServer",
    "KML",
    "Geocoding Service",
    "Geoprocessing Service",
    "Stream Service",
    "Elevation Service",
    "3DTiles Service",
];
/// Types of items that are files stored by the portal.
const FILES: &[&str] = &[
    "Shapefile",
    "GeoJson",
    "GeoPackage",
    "File Geodatabase",
    "KML",
    "KML Collection",
    "CSV",
    "CSV Collection",
    "Image",
    "Scene Package",
    "Feature Collection",
    "GML",
];

impl Connector for ArcgisPortalConnector {
    fn doc(&self) -> &'static ConnectorDoc {
        &DOC
    }

    fn page_request(&self, at: &Url, state: &str, since: Option<&str>) -> ProbeRequest {
        let state = PageState::parse(state);
        let base = portal_base(at);
        if let Some(id) = state.get("webmap") {
            let url = url_below(&base, &format!("sharing/rest/content/items/{id}/data"));
            return page_request(with_query(url, &[("f", "json")]));
        }
        if is_hub(at) {
            let first = url_below(&base, "api/search/v1/collections/dataset/items");
            let next = state.get("next").and_then(|n| Url::parse(n).ok());
            return page_request(next.unwrap_or_else(|| with_query(first, &[("limit", "100")])));
        }
        let Some(org) = state.get("org") else {
            let url = with_query(url_below(&base, "sharing/rest/portals/self"), &[("f", "json")]);
            let since = since.and_then(milliseconds).map(|ms| ms.to_string());
            // The server ignores this parameter; the URL of the response carries it to the next
            // step.
            return page_request(match since {
                Some(since) => with_query(url, &[("since", &since)]),
                None => url,
            });
        };
        let start = state.number("start").max(1).to_string();
        let query = search_query(org, state.get("since"));
        let pairs = [
            ("q", query.as_str()),
            ("num", "100"),
            ("start", &start),
            ("sortField", "modified"),
            ("sortOrder", "asc"),
            ("f", "json"),
        ];
        page_request(with_query(url_below(&base, "sharing/rest/search"), &pairs))
    }

    fn parse_page(&self, at: &Url, state: &str, answer: ProbeResponse<'_>) -> CataloguePage {
        let state = PageState::parse(state);
        let answered = answer.head.url.clone().unwrap_or_else(|| at.clone());
        let doc = parse_json(answer);
        if state.get("webmap").is_some() {
            return match doc {
                Ok(doc) => read_web_map(&answered, &doc),
                Err(issue) => CataloguePage { issues: vec![issue], ..CataloguePage::default() },
            };
        }
        if is_hub(at) {
            return match doc {
                Ok(doc) => read_items(&state.with_value("hub", 1), &answered, &doc),
                // A Hub site without a search is read through its feed.
                Err(_) if state.get("next").is_none() => hub_feed(at),
                Err(issue) => CataloguePage { failure: Some(issue), ..CataloguePage::default() },
            };
        }
        let doc = match doc {
            Ok(doc) => doc,
            Err(issue) => return CataloguePage { failure: Some(issue), ..CataloguePage::default() },
        };
        if let Some(error) = doc.get("error") {
            let said = text_member(error, &["message", "code"], LINE).unwrap_or_default();
            let issue = Issue::new("catalogue-refused", format!("the portal returned an error: {said}"));
            return CataloguePage { failure: Some(issue), ..CataloguePage::default() };
        }
        if state.get("org").is_none() {
            let org =
                text_member(&doc, &["id"], 64).filter(|id| id.bytes().all(|b| b.is_ascii_alphanumeric()));
            let mut next =
                PageState::default().with_value("org", org.unwrap_or_default()).with_value("start", 1);
            if let Some((_, since)) = answered.query_pairs().find(|(key, _)| key == "since") {
                next = next.with_value("since", since);
            }
            return CataloguePage { next: vec![next.encode()], ..CataloguePage::default() };
        }
        read_search(at, &state, &doc)
    }
}

/// Returns the portal's URL: the part before `/sharing`, `/home` or `/apps`.
pub(crate) fn portal_base(at: &Url) -> Url {
    cut_before(at, &["/sharing", "/home/", "/apps/", "/api/", "/datasets/", "/search"])
}

/// Returns whether the URL belongs to a Hub site.
pub(crate) fn is_hub(at: &Url) -> bool {
    at.host_str().is_some_and(|h| h.ends_with(".hub.arcgis.com") || h.ends_with(".opendata.arcgis.com"))
}

fn milliseconds(moment: &str) -> Option<i64> {
    moment.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_millisecond)
}

fn search_query(org: &str, since: Option<&str>) -> String {
    let mut types: Vec<&str> = SERVICES.iter().chain(FILES).copied().collect();
    types.push("Web Map");
    types.sort_unstable();
    types.dedup();
    let types: Vec<String> = types.iter().map(|t| format!("type:\"{t}\"")).collect();
    let mut query = format!("({})", types.join(" OR "));
    if !org.is_empty() {
        query = format!("orgid:{org} AND {query}");
    }
    if let Some(since) = since.and_then(|s| s.parse::<u64>().ok()) {
        // The query syntax requires timestamps padded to nineteen digits.
        query = format!("{query} AND modified:[{since:019} TO 9999999999999999999]");
    }
    query
}

fn read_search(at: &Url, state: &PageState, doc: &Value) -> CataloguePage {
    let Some(list) = doc.get("results").and_then(Value::as_array) else {
        let issue = Issue::new("catalogue-refused", "the search returned no list of results");
        return CataloguePage { failure: Some(issue), ..CataloguePage::default() };
    };
    let base = portal_base(at);
    let records: Vec<CatalogueRecord> =
        list.iter().filter_map(|item| record_from_item(&base, item)).collect();
    let total = doc.get("total").and_then(Value::as_u64);
    // The total of a slice is not that of the catalogue.
    let mut page =
        CataloguePage { total: total.filter(|_| state.get("since").is_none()), ..CataloguePage::default() };
    let start = state.number("start").max(1);
    match check_progress(state, &records) {
        Ok(after) => {
            let next = doc.get("nextStart").and_then(Value::as_i64).and_then(|n| u64::try_from(n).ok());
            let next = next.filter(|next| *next > start && !list.is_empty());
            let newest = list.last().and_then(|item| item.get("modified")?.as_i64()).filter(|ms| *ms > 0);
            let capped = total.is_some_and(|t| t >= WINDOW);
            match next {
                Some(next) if next + NUM <= WINDOW + 1 => {
                    page.next.push(after.with_value("start", next).encode());
                }
                _ if (next.is_some() || capped && start + NUM > WINDOW) && !list.is_empty() => {
                    if let Some(newest) =
                        newest.filter(|n| state.get("since") != Some(n.to_string().as_str()))
                    {
                        page.next.push(after.with_value("since", newest).with_value("start", 1).encode());
                    }
                }
                _ => {}
            }
        }
        Err(issue) => page.issues.push(issue),
    }
    let web_maps = list.iter().filter(|item| item.get("type").and_then(Value::as_str) == Some("Web Map"));
    for id in web_maps.filter_map(item_id) {
        page.next.push(PageState::default().with_value("webmap", id).encode());
    }
    page.records = records;
    page
}

fn item_id(item: &Value) -> Option<&str> {
    let id = item.get("id")?.as_str()?;
    (id.len() == 32 && id.bytes().all(|b| b.is_ascii_hexdigit())).then_some(id)
}

/// Builds the record of an item.
pub(crate) fn record_from_item(base: &Url, item: &Value) -> Option<CatalogueRecord> {
    let id = text_member(item, &["id"], 64)?;
    let kind = text_member(item, &["type"], 64);
    let named = |list: &[&str]| kind.as_deref().is_some_and(|k| list.contains(&k));
    let mut links = Vec::new();
    let url = address_member(item, &["url"]).filter(|u| u.starts_with("http"));
    if let Some(url) = url.clone().filter(|_| !named(&["Web Map"])) {
        push_link(&mut links, RecordLink { url, protocol: kind.clone(), ..RecordLink::default() });
    }
    if url.is_none() && named(FILES) && item_id(item).is_some() {
        let url = url_below(base, &format!("sharing/rest/content/items/{id}/data"));
        push_link(&mut links, RecordLink { url: url.into(), format: kind.clone(), ..RecordLink::default() });
    }
    Some(CatalogueRecord {
        title: text_member(item, &["title", "name"], LINE),
        abstract_: text_member(item, &["description", "snippet"], PROSE),
        keywords: item.get("tags").map(word_list).unwrap_or_default(),
        type_: kind,
        bbox: item.get("extent").filter(|e| e.as_array().is_some_and(|a| !a.is_empty())).and_then(parse_bbox),
        crs: text_member(item, &["spatialReference"], 256).into_iter().collect(),
        provider: text_member(item, &["accessInformation"], LINE),
        contact: geotrawl_model::Contact {
            person: text_member(item, &["owner"], LINE),
            ..Default::default()
        },
        licence: text_member(item, &["licenseInfo"], PROSE),
        language: text_member(item, &["culture"], 32),
        modified: first_member(item, &["modified"]).and_then(timestamp_text),
        links,
        id,
        ..CatalogueRecord::default()
    })
}

/// Reads the layers of a web map.
fn read_web_map(answered: &Url, doc: &Value) -> CataloguePage {
    let targets = config::read_config(doc, answered).map(|(_, targets)| targets).unwrap_or_default();
    CataloguePage { targets, ..CataloguePage::default() }
}

/// Returns the feed of a Hub site without a search.
fn hub_feed(at: &Url) -> CataloguePage {
    let feed = url_below(&portal_base(at), "api/feed/dcat-us/1.1.json");
    let intent = Intent::Harvest { connector: "dcat".to_owned(), page: 0, state: String::new() };
    CataloguePage { targets: vec![CrawlTarget::new(feed, intent, "catalogue")], ..CataloguePage::default() }
}
