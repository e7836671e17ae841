//! Harvests OpenSearch: fills the template of a description page by page.
//!
//! State: `t` (template), `i` (index, from 0), `io` and `po` (its offsets), `u` (URL of the next
//! page in the response), `before` (hash of the previous page).

use super::state::{StateFields, page_mark};
use super::{CataloguePage, Connector, ConnectorDoc};
use crate::formats::feed;
use crate::formats::opensearch::{OpenSearchDescription, fill_template};
use crate::formats::records::ensure_id;
use crate::formats::xml::{XmlEvent, XmlReader, charset_parameter, tidy_text};
use crate::probe::{ProbeRequest, ProbeResponse, ResponseBody};
use geotrawl_model::{CatalogueRecord, Issue, RecordLink};
use serde_json::Value;
use std::io::Read;
use url::Url;

/// OpenSearch with the Geo and Time extensions.
pub struct OpenSearchConnector;

static DOC: ConnectorDoc = ConnectorDoc {
    id: "opensearch",
    name: "OpenSearch (Geo)",
    what: "Reads the description, searches for everything, as Atom, GeoJSON or RSS, and follows the \
           next link or the start index. Collections are preferred to single products, as an archive \
           may have millions of these: at most 10,000 results are read.",
    specification: "https://www.ogc.org/standard/opensearchgeo/",
    kinds: &["opensearch"],
    incremental: false,
};

const COUNT: u64 = 50;
const MOST: u64 = 10_000;
const MAX_BYTES: u64 = 32 << 20;
const ACCEPT: &str = "application/opensearchdescription+xml, application/atom+xml, application/geo+json, \
                      application/rss+xml, application/xml, */*;q=0.5";

impl Connector for OpenSearchConnector {
    fn doc(&self) -> &'static ConnectorDoc {
        &DOC
    }

    fn page_request(&self, at: &Url, state: &str, _since: Option<&str>) -> ProbeRequest {
        ProbeRequest::get(address(at, &StateFields::parse(state)), ACCEPT, MAX_BYTES)
    }

    fn parse_page(&self, at: &Url, state: &str, answer: ProbeResponse<'_>) -> CataloguePage {
        let fields = StateFields::parse(state);
        let status = answer.head.status;
        let content_type = answer.head.content_type.clone();
        let mut body = Vec::new();
        match answer.body {
            ResponseBody::Whole(bytes) => {
                body.extend_from_slice(&bytes[..bytes.len().min(MAX_BYTES as usize)]);
            }
            // After a read error, the bytes received so far are still used.
            ResponseBody::Stream(stream) => drop(stream.take(MAX_BYTES).read_to_end(&mut body)),
        }
        let charset = content_type.as_deref().and_then(charset_parameter);
        let results = if state.is_empty() {
            if let Some(next) = describe(&body, charset) {
                return CataloguePage { next: vec![next], ..CataloguePage::default() };
            }
            None
        } else if body.trim_ascii_start().starts_with(b"{") {
            SearchPage::of_json(&body)
        } else {
            SearchPage::of_feed(&body, charset)
        };
        if let Some(results) = results {
            follow(at, &fields, results)
        } else {
            let message = format!("the response (status {status}) is not a search result");
            CataloguePage {
                failure: Some(Issue::new("opensearch-no-answer", message)),
                ..CataloguePage::default()
            }
        }
    }
}

fn address(at: &Url, fields: &StateFields) -> Url {
    let number = |key: &str, default| fields.number_value(key).unwrap_or(default);
    let filled = match (fields.get("u"), fields.get("t")) {
        (Some(url), _) => Some(url.to_owned()),
        (None, Some(template)) => {
            Some(fill_template(template, COUNT, number("i", 0), (number("io", 1), number("po", 1))))
        }
        (None, None) => None,
    };
    let url = filled.and_then(|filled| at.join(&filled).ok());
    url.filter(|url| matches!(url.scheme(), "http" | "https")).unwrap_or_else(|| at.clone())
}

fn begun<'r>(body: &'r mut &[u8], charset: Option<&str>) -> Option<XmlReader<'r>> {
    let mut reader = XmlReader::new(body, charset);
    loop {
        match reader.next() {
            XmlEvent::Start => return Some(reader),
            XmlEvent::Eof => return None,
            _ => {}
        }
    }
}

/// Returns the state of the first search described in a document.
fn describe(mut body: &[u8], charset: Option<&str>) -> Option<String> {
    let mut reader = begun(&mut body, charset)?;
    if reader.local_name() != b"OpenSearchDescription" {
        return None;
    }
    let description = OpenSearchDescription::from_xml(&mut reader);
    let best = description.best_template().filter(|best| best.template.len() <= 4096)?;
    let mut fields = StateFields::default();
    fields.put_value("i", 0);
    fields.put_value("io", best.index_offset);
    fields.put_value("po", best.page_offset);
    fields.put_value("t", &best.template);
    Some(fields.to_string())
}

/// A page of results.
#[derive(Default)]
struct SearchPage {
    records: Vec<CatalogueRecord>,
    next: Option<String>,
    total: Option<u64>,
}

impl SearchPage {
    fn of_feed(mut body: &[u8], charset: Option<&str>) -> Option<Self> {
        let mut reader = begun(&mut body, charset)?;
        if !matches!(reader.local_name(), b"feed" | b"rss" | b"RDF") {
            return None;
        }
        let feed = feed::read_feed(&mut reader);
        Some(Self {
            next: feed.head.link_with_rel("next").map(|link| link.href.clone()),
            total: feed.total,
            records: feed.entries.iter().map(feed::FeedEntry::to_record).collect(),
        })
    }

    fn of_json(body: &[u8]) -> Option<Self> {
        let root: Value = serde_json::from_slice(body).ok()?;
        let features = root.get("features")?.as_array()?;
        let properties = root.get("properties").unwrap_or(&Value::Null);
        let total = ["totalResults", "numberMatched", "totalFeatures"]
            .iter()
            .find_map(|name| root.get(*name).or_else(|| properties.get(*name))?.as_u64());
        let links = |value: &Value| value.get("links").cloned().unwrap_or_default();
        let next = [links(&root), links(properties)].iter().find_map(|links| {
            let listed = links.as_array().cloned().unwrap_or_default();
            let named = links.get("next").and_then(Value::as_array).cloned().unwrap_or_default();
            let next = |link: &&Value| link.get("rel").and_then(Value::as_str) == Some("next");
            let link = named.first().cloned().or_else(|| listed.iter().find(next).cloned())?;
            link.get("href")?.as_str().map(str::to_owned)
        });
        Some(Self { records: features.iter().take(10_000).map(feature).collect(), next, total })
    }
}

/// Builds the record of a feature.
fn feature(feature: &Value) -> CatalogueRecord {
    let properties = feature.get("properties").unwrap_or(&Value::Null);
    let text = |names: &[&str], cap: usize| {
        names.iter().find_map(|name| properties.get(*name)?.as_str()).and_then(|t| tidy_text(t, cap))
    };
    let id = feature.get("id").and_then(Value::as_str).map(str::to_owned);
    let mut record = CatalogueRecord {
        id: id.or_else(|| text(&["identifier", "id"], 1024)).unwrap_or_default(),
        title: text(&["title", "name"], 1024),
        abstract_: text(&["summary", "description", "abstract"], 4096),
        modified: text(&["updated", "modified", "published"], 64),
        time: text(&["date", "datetime"], 128).into_iter().collect(),
        ..CatalogueRecord::default()
    };
    let mut bounds: Option<[f64; 4]> = None;
    let boxed: Vec<f64> = feature
        .get("bbox")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_f64)
        .collect();
    if let [west, south, east, north] = boxed[..] {
        bounds = Some([west, south, east, north]);
    } else {
        let mut waiting: Vec<&Value> = feature.pointer("/geometry/coordinates").into_iter().collect();
        while let Some(value) = waiting.pop() {
            let Some(list) = value.as_array() else { continue };
            if let (Some(lon), Some(lat)) =
                (list.first().and_then(Value::as_f64), list.get(1).and_then(Value::as_f64))
            {
                let [w, s, e, n] = bounds.unwrap_or([lon, lat, lon, lat]);
                bounds = Some([w.min(lon), s.min(lat), e.max(lon), n.max(lat)]);
            } else {
                waiting.extend(list.iter());
            }
        }
    }
    record.bbox = bounds.and_then(|b| crate::formats::bbox::classify_bbox(b).bbox());
    // Links are a list, or an object with a list per relation.
    let mut waiting: Vec<(&str, &Value)> = [feature.get("links"), properties.get("links")]
        .into_iter()
        .flatten()
        .map(|links| ("", links))
        .collect();
    while let Some((rel, value)) = waiting.pop() {
        match value {
            Value::Array(list) => waiting.extend(list.iter().map(|value| (rel, value))),
            Value::Object(object) => match object.get("href").and_then(Value::as_str) {
                Some(href) if record.links.len() < 100 && href.len() <= 4096 => {
                    let word =
                        |name: &str| object.get(name).and_then(Value::as_str).and_then(|t| tidy_text(t, 256));
                    record.links.push(RecordLink {
                        url: href.to_owned(),
                        protocol: word("rel").or_else(|| (!rel.is_empty()).then(|| rel.to_owned())),
                        format: word("type"),
                        name: word("title"),
                    });
                }
                Some(_) => {}
                None => waiting.extend(object.iter().map(|(rel, value)| (rel.as_str(), value))),
            },
            _ => {}
        }
    }
    // These links lead back into the catalogue.
    record.links.retain(|link| !matches!(link.protocol.as_deref(), Some("self" | "search")));
    record
}

fn follow(at: &Url, fields: &StateFields, mut results: SearchPage) -> CataloguePage {
    for record in &mut results.records {
        ensure_id(record);
    }
    let came = results.records.len() as u64;
    let here = fields.number_value("i").unwrap_or(0);
    let index = here + came;
    let first = results.records.first().map(|record| page_mark(&record.id));
    let mut page = CataloguePage { total: results.total, ..CataloguePage::default() };
    let stuck = first.is_some() && first == fields.number_value("before");
    let more = results.total.is_none_or(|total| index < total) && came > 0 && !stuck;
    let next = results.next.as_deref().and_then(|next| at.join(next).ok());
    // A next page on another host does not belong to this catalogue.
    let next = next.filter(|next| next.host_str() == at.host_str() && next.as_str().len() <= 4096);
    if stuck {
        page.issues.push(Issue::new("opensearch-stuck", "the search returns the same page repeatedly"));
    } else if more && index >= MOST {
        page.issues.push(Issue::new("opensearch-cut", "there are more results than the limit"));
    } else if came > 0 && (next.is_some() || more) {
        let mut state = StateFields::default();
        state.put_value("i", index);
        for key in ["io", "po"] {
            state.put_optional(key, fields.get(key));
        }
        state.put_optional("before", first);
        state.put_optional("t", fields.get("t").filter(|_| next.is_none()));
        state.put_optional("u", next.as_ref());
        // Without a start index in the template, only next links can be followed.
        let pages = fields.get("t").is_some_and(|t| t.contains("startIndex") || t.contains("startPage"));
        if next.is_some() || pages {
            page.next.push(state.to_string());
        }
    }
    page.records = results.records;
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::ResponseHead;
    use std::collections::BTreeSet;

    const OSDD: &str = "<OpenSearchDescription xmlns='http://a9.com/-/spec/opensearch/1.1/' xmlns:g='http://a9.com/-/opensearch/extensions/geo/1.0/'>\
        <ShortName>Archive</ShortName><Url type='text/html' template='https://x.org/?q={searchTerms}'/>\
        <Url type='application/atom+xml' indexOffset='0' template='https://x.org/s?q={searchTerms?}&amp;b={g:box?}&amp;i={startIndex?}&amp;n={count?}'/></OpenSearchDescription>";

    fn read(state: &str, body: &str) -> CataloguePage {
        let at = Url::parse("https://x.org/osdd.xml").expect("a URL");
        let head = ResponseHead { status: 200, ..ResponseHead::default() };
        OpenSearchConnector.parse_page(
            &at,
            state,
            ProbeResponse { head: &head, body: ResponseBody::Whole(body.as_bytes()), truncated: false },
        )
    }

    fn feed(from: u64, to: u64, total: u64) -> String {
        let entries: Vec<String> =
            (from..to).map(|i| format!("<entry><id>e{i}</id><title>E{i}</title></entry>")).collect();
        let entries = entries.concat();
        format!("<feed><totalResults>{total}</totalResults>{entries}</feed>")
    }

    #[test]
    fn a_search_is_read_to_its_end() {
        let at = Url::parse("https://x.org/osdd.xml").expect("a URL");
        let mut state = read("", OSDD).next.remove(0);
        let mut ids = BTreeSet::new();
        for (from, to) in [(0, 50), (50, 100), (100, 120)] {
            let ask = OpenSearchConnector.page_request(&at, &state, None);
            assert_eq!(ask.url.as_str(), format!("https://x.org/s?i={from}&n=50"));
            let mut page = read(&state, &feed(from, to, 120));
            ids.extend(page.records.iter().map(|r| r.id.clone()));
            state = page.next.pop().unwrap_or_default();
        }
        assert_eq!((ids.len(), state.as_str()), (120, ""));
    }

    #[test]
    fn searches_that_do_not_move_on_end() {
        let state = read("", OSDD).next.remove(0);
        let second = read(&state, &feed(0, 50, 1000)).next.remove(0);
        let page = read(&second, &feed(0, 50, 1000));
        assert!(page.next.is_empty() && page.issues[0].code == "opensearch-stuck");
        assert!(read("", "<html/>").failure.is_some());
        let plain = OSDD.replace("{g:box?}", "");
        assert!(read("", &plain).failure.is_some(), "a site's search is no catalogue");
    }

    #[test]
    fn geojson_answers_are_read() {
        let state = read("", OSDD).next.remove(0);
        let page = read(
            &state,
            r#"{"type":"FeatureCollection","properties":{"totalResults":2,"links":{"next":[{"href":"https://x.org/s?p=2"}]}},
            "features":[{"id":"a","properties":{"title":"A","links":{"data":[{"href":"https://x.org/a.tif","type":"image/tiff"}]}},
            "geometry":{"type":"Polygon","coordinates":[[[5,45],[11,45],[11,48],[5,45]]]}}]}"#,
        );
        assert_eq!(page.records[0].links[0].protocol.as_deref(), Some("data"));
        assert_eq!(page.records[0].bbox, Some([5.0, 45.0, 11.0, 48.0].into()));
        assert!(page.next[0].ends_with("u=https://x.org/s?p=2"));
    }
}
