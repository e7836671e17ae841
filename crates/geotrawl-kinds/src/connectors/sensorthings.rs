//! SensorThings services.
//!
//! State: `set` (`Datastreams`, or `Things` where there are none), `plain=1` (asked without expansion),
//! `next` (the query of the next page), `last` (mark of the page before).

use super::fields::{LINE, PROSE, bbox, member, text, text_of};
use super::json_page::{State, below, get, moved_on, value, with_query};
use super::{Connector, ConnectorDoc, Page};
use crate::probe::{Answer, Ask};
use geotrawl_model::{CatalogueRecord, Issue};
use serde_json::Value;
use url::Url;

/// OGC SensorThings 1.0 to 2.0.
pub struct SensorThings;

static DOC: ConnectorDoc = ConnectorDoc {
    id: "sensorthings",
    name: "SensorThings",
    what: "Reads the datastreams of a SensorThings service, 1,000 at a time, each with its thing and observed \
           property; things where there are no datastreams. Of a next link only the query is believed, since \
           its host is often one that only the server knows.",
    specification: "https://www.ogc.org/standard/sensorthings/",
    kinds: &["sensorthings"],
    incremental: false,
};

const EXPAND: &str = "Thing($select=name,description),ObservedProperty($select=name,definition)";

impl Connector for SensorThings {
    fn doc(&self) -> &'static ConnectorDoc {
        &DOC
    }

    fn ask(&self, at: &Url, state: &str, _since: Option<&str>) -> Ask {
        let state = State::read(state);
        let set = if state.get("set") == Some("Things") { "Things" } else { "Datastreams" };
        let mut url = below(at, set);
        if let Some(query) = state.get("next") {
            url.set_query(Some(query));
            return get(url);
        }
        url = with_query(url, &[("$top", "1000")]);
        if state.get("plain").is_some() {
            return get(url);
        }
        url = with_query(url, &[("$count", "true"), ("$orderby", "id asc")]);
        let expand = if set == "Things" { "Locations" } else { EXPAND };
        get(with_query(url, &[("$expand", expand)]))
    }

    fn read(&self, _at: &Url, state: &str, answer: Answer<'_>) -> Page {
        let state = State::read(state);
        let status = answer.head.status;
        let doc = match value(answer) {
            Ok(doc) => doc,
            Err(_) if state.get("next").is_none() && state.get("plain").is_none() && status != 404 => {
                return Page { next: vec![state.with("plain", 1).write()], ..Page::default() };
            }
            Err(_) if state.get("next").is_none() && state.get("set").is_none() => {
                return Page {
                    next: vec![State::default().with("set", "Things").write()],
                    ..Page::default()
                };
            }
            Err(issue) => return Page { failure: Some(issue), ..Page::default() },
        };
        let Some(list) = doc.get("value").and_then(Value::as_array) else {
            let issue = Issue::new("catalogue-refused", "the service gave no list of values");
            return Page { failure: Some(issue), ..Page::default() };
        };
        let records: Vec<CatalogueRecord> = list.iter().filter_map(record).collect();
        let total = member(&doc, &["@iot.count", "@count"]).and_then(Value::as_u64);
        let mut page = Page { total, ..Page::default() };
        match moved_on(&state, &records) {
            Ok(after) => {
                let next = member(&doc, &["@iot.nextLink", "@nextLink"]).and_then(Value::as_str);
                let query = next.filter(|n| n.len() <= 4096).and_then(|n| n.split_once('?')).map(|(_, q)| q);
                let moves = query.filter(|q| !list.is_empty() && state.get("next") != Some(q));
                page.next = moves.map(|query| after.with("next", query).write()).into_iter().collect();
            }
            Err(issue) => page.issues.push(issue),
        }
        page.records = records;
        page
    }
}

/// What a datastream or a thing says. It keeps no links: each would be a request of its own, and the
/// service is known.
fn record(entry: &Value) -> Option<CatalogueRecord> {
    let id = text_of(entry, &["@iot.id", "@id", "id"], LINE)?;
    let thing = member(entry, &["Thing"]);
    let property = member(entry, &["ObservedProperty"]);
    let location = member(entry, &["observedArea"]).and_then(bbox).or_else(|| {
        let locations = entry.get("Locations")?.as_array()?;
        locations.iter().take(10).find_map(|l| bbox(l.get("location")?))
    });
    let unit = entry.get("unitOfMeasurement").and_then(|u| text_of(u, &["name", "symbol"], 128));
    let thing_name = thing.and_then(|t| text_of(t, &["name"], LINE));
    let name = text_of(entry, &["name"], LINE);
    let keywords = [property.and_then(|p| text_of(p, &["name"], 256)), unit, thing_name.clone()];
    let time = ["phenomenonTime", "resultTime"].iter().find_map(|n| text(entry.get(n)?, 128));
    Some(CatalogueRecord {
        title: name.or(thing_name),
        abstract_: text_of(entry, &["description"], PROSE)
            .or_else(|| thing.and_then(|t| text_of(t, &["description"], PROSE))),
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
