//! Harvests SensorThings services.
//!
//! State: `set` (`Datastreams`, or `Things` if there are none), `plain=1` (requested without
//! expansion), `next` (query of the next page), `last` (hash of the previous page).

use super::fields::{LINE, PROSE, first_member, parse_bbox, text_member, text_value};
use super::json_page::{PageState, check_progress, page_request, parse_json, url_below, with_query};
use super::{CataloguePage, Connector, ConnectorDoc};
use crate::probe::{ProbeRequest, ProbeResponse};
use geotrawl_model::{CatalogueRecord, Issue};
use serde_json::Value;
use url::Url;

/// OGC SensorThings 1.0 to 2.0.
pub struct SensorThingsConnector;

static DOC: ConnectorDoc = ConnectorDoc {
    id: "sensorthings",
    name: "SensorThings",
    what: "Reads the datastreams of a SensorThings service, 1,000 at a time, each with its thing and observed \
           property; or the things if there are no datastreams. Only the query of a next link is used, since \
           its host is often an internal one.",
    specification: "https://www.ogc.org/standard/sensorthings/",
    kinds: &["sensorthings"],
    incremental: false,
};

const EXPAND: &str = "Thing($select=name,description),ObservedProperty($select=name,definition)";

impl Connector for SensorThingsConnector {
    fn doc(&self) -> &'static ConnectorDoc {
        &DOC
    }

    fn page_request(&self, at: &Url, state: &str, _since: Option<&str>) -> ProbeRequest {
        let state = PageState::parse(state);
        let set = if state.get("set") == Some("Things") { "Things" } else { "Datastreams" };
        let mut url = url_below(at, set);
        if let Some(query) = state.get("next") {
            url.set_query(Some(query));
            return page_request(url);
        }
        url = with_query(url, &[("$top", "1000")]);
        if state.get("plain").is_some() {
            return page_request(url);
        }
        url = with_query(url, &[("$count", "true"), ("$orderby", "id asc")]);
        let expand = if set == "Things" { "Locations" } else { EXPAND };
        page_request(with_query(url, &[("$expand", expand)]))
    }

    fn parse_page(&self, _at: &Url, state: &str, answer: ProbeResponse<'_>) -> CataloguePage {
        let state = PageState::parse(state);
        let status = answer.head.status;
        let doc = match parse_json(answer) {
            Ok(doc) => doc,
            Err(_) if state.get("next").is_none() && state.get("plain").is_none() && status != 404 => {
                return CataloguePage {
                    next: vec![state.with_value("plain", 1).encode()],
                    ..CataloguePage::default()
                };
            }
            Err(_) if state.get("next").is_none() && state.get("set").is_none() => {
                return CataloguePage {
                    next: vec![PageState::default().with_value("set", "Things").encode()],
                    ..CataloguePage::default()
                };
            }
            Err(issue) => return CataloguePage { failure: Some(issue), ..CataloguePage::default() },
        };
        let Some(list) = doc.get("value").and_then(Value::as_array) else {
            let issue = Issue::new("catalogue-refused", "the service returned no list of values");
            return CataloguePage { failure: Some(issue), ..CataloguePage::default() };
        };
        let records: Vec<CatalogueRecord> = list.iter().filter_map(record).collect();
        let total = first_member(&doc, &["@iot.count", "@count"]).and_then(Value::as_u64);
        let mut page = CataloguePage { total, ..CataloguePage::default() };
        match check_progress(&state, &records) {
            Ok(after) => {
                let next = first_member(&doc, &["@iot.nextLink", "@nextLink"]).and_then(Value::as_str);
                let query = next.filter(|n| n.len() <= 4096).and_then(|n| n.split_once('?')).map(|(_, q)| q);
                let moves = query.filter(|q| !list.is_empty() && state.get("next") != Some(q));
                page.next = moves.map(|query| after.with_value("next", query).encode()).into_iter().collect();
            }
            Err(issue) => page.issues.push(issue),
        }
        page.records = records;
        page
    }
}

/// Builds the record of a datastream or thing. It keeps no links: each would be a separate request,
/// and the service is already known.
fn record(entry: &Value) -> Option<CatalogueRecord> {
    let id = text_member(entry, &["@iot.id", "@id", "id"], LINE)?;
    let thing = first_member(entry, &["Thing"]);
    let property = first_member(entry, &["ObservedProperty"]);
    let location = first_member(entry, &["observedArea"]).and_then(parse_bbox).or_else(|| {
        let locations = entry.get("Locations")?.as_array()?;
        locations.iter().take(10).find_map(|l| parse_bbox(l.get("location")?))
    });
    let unit = entry.get("unitOfMeasurement").and_then(|u| text_member(u, &["name", "symbol"], 128));
    let thing_name = thing.and_then(|t| text_member(t, &["name"], LINE));
    let name = text_member(entry, &["name"], LINE);
    let keywords = [property.and_then(|p| text_member(p, &["name"], 256)), unit, thing_name.clone()];
    let time = ["phenomenonTime", "resultTime"].iter().find_map(|n| text_value(entry.get(n)?, 128));
    Some(CatalogueRecord {
        title: name.or(thing_name),
        abstract_: text_member(entry, &["description"], PROSE)
            .or_else(|| thing.and_then(|t| text_member(t, &["description"], PROSE))),
        keywords: keywords.into_iter().flatten().collect(),
        type_: Some(
            if entry.get("unitOfMeasurement").is_some() || thing.is_some() { "datastream" } else { "thing" }
                .into(),
        ),
        bbox: location,
        time: time.into_iter().collect(),
        id,
        ..CatalogueRecord::default()
    })
}
