//! DCAT catalogues: `data.json` (DCAT-US), and DCAT-AP in JSON-LD, RDF/XML and Turtle.
//!
//! State: `next` (URL of the next page of a catalogue paged with Hydra), `skip` (datasets of a very
//! long `data.json` that earlier requests have read), `last` (hash of the previous page).

mod json;
mod nodes;
mod rdf_xml;
mod record;

use super::json_page::{PageState, check_progress, next_link, page_request, read_body, status_issue};
use super::{CataloguePage, Connector, ConnectorDoc};
use crate::formats::xml::charset_parameter;
use crate::probe::{ProbeRequest, ProbeResponse, ResponseBody};
use geotrawl_model::{CatalogueRecord, Issue};
use nodes::{NodeIndex, is_a, local_name};
use serde_json::Value;
use std::io::Read;
use url::Url;

pub(crate) use nodes::parse_turtle as turtle_nodes;
pub(crate) use rdf_xml::parse_nodes as rdf_nodes;

/// Data Catalog Vocabulary.
pub struct DcatConnector;

static DOC: ConnectorDoc = ConnectorDoc {
    id: "dcat",
    name: "DCAT (data.json, JSON-LD, RDF/XML, Turtle)",
    what: "Reads the datasets and services of a DCAT catalogue in any of its forms; data.json as a stream, \
           whatever its size. Follows the pages of Hydra.",
    specification: "https://www.w3.org/TR/vocab-dcat-3/",
    kinds: &["dcat"],
    incremental: false,
};

const ACCEPT: &str = "application/ld+json, application/json;q=0.9, text/turtle;q=0.8, application/rdf+xml;q=0.8, \
                      */*;q=0.5";
/// Maximum size of a document that is read as a stream, and of one that is held as a graph.
const STREAM_BYTES: u64 = 1 << 30;
const GRAPH_BYTES: u64 = 64 << 20;
/// Maximum number of records per response; for the rest, the document is requested again.
const RECORDS: usize = 50_000;

/// Classes of nodes that become records.
const CLASSES: &[&str] = &["Dataset", "DatasetSeries", "DataService"];
/// Classes of nodes that name the next page.
const PAGERS: &[&str] = &["PartialCollectionView", "PagedCollection", "Collection"];

impl Connector for DcatConnector {
    fn doc(&self) -> &'static ConnectorDoc {
        &DOC
    }

    fn page_request(&self, at: &Url, state: &str, _since: Option<&str>) -> ProbeRequest {
        let state = PageState::parse(state);
        let url = state.get("next").and_then(|n| Url::parse(n).ok()).unwrap_or_else(|| at.clone());
        ProbeRequest { accept: ACCEPT, max_bytes: STREAM_BYTES, ..page_request(url) }
    }

    fn parse_page(&self, at: &Url, state: &str, answer: ProbeResponse<'_>) -> CataloguePage {
        if let Some(issue) = status_issue(&answer) {
            return CataloguePage { failure: Some(issue), ..CataloguePage::default() };
        }
        let state = PageState::parse(state);
        let answered = answer.head.url.clone().unwrap_or_else(|| at.clone());
        let charset = answer.head.content_type.as_deref().and_then(charset_parameter).map(str::to_owned);
        let mut whole: &[u8];
        let stream: &mut dyn Read = match answer.body {
            ResponseBody::Whole(all) => {
                whole = all;
                &mut whole
            }
            ResponseBody::Stream(stream) => stream,
        };
        let mut start = Vec::new();
        // An unreadable document is treated as empty and reported below.
        let _ = stream.take(4096).read_to_end(&mut start);
        let form = form_of(&start);
        let mut start: &[u8] = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&start);
        let mut stream = (&mut start).chain(stream);
        let mut read = match form {
            RdfSyntax::Json => read_json(&state, &mut stream),
            RdfSyntax::Xml => {
                let mut stream = stream.take(GRAPH_BYTES);
                let nodes = rdf_xml::parse_rdf_xml(&mut stream, charset.as_deref(), &answered);
                GatheredRecords { nodes: nodes.unwrap_or_default(), ..GatheredRecords::default() }
            }
            RdfSyntax::Turtle => {
                let body = read_body(ResponseBody::Stream(&mut stream), GRAPH_BYTES);
                let (nodes, mistake) = nodes::parse_turtle(&body, answered.as_str());
                GatheredRecords { nodes, mistake, ..GatheredRecords::default() }
            }
        };
        read.finish(&state, &answered)
    }
}

/// Contents of a document before records are built from it.
#[derive(Default)]
struct GatheredRecords {
    records: Vec<CatalogueRecord>,
    nodes: Vec<Value>,
    mistake: Option<String>,
    /// The list continues after the part that was read.
    more: bool,
    /// Number of datasets read from the list.
    seen: usize,
}

impl GatheredRecords {
    fn finish(&mut self, state: &PageState, answered: &Url) -> CataloguePage {
        let index = NodeIndex::from_nodes(&self.nodes);
        let mut paging = HydraPaging::default();
        for node in &self.nodes {
            gather(node, &index, 0, &mut self.records, &mut paging);
        }
        let mut page = CataloguePage { total: paging.total, ..CataloguePage::default() };
        if self.records.is_empty() && state.get("next").is_none() && state.get("skip").is_none() {
            let why = self.mistake.as_deref().unwrap_or("it contains no dataset");
            let issue = Issue::new("catalogue-empty", format!("the document is not a DCAT catalogue: {why}"));
            return CataloguePage { failure: Some(issue), ..CataloguePage::default() };
        }
        if let Some(mistake) = &self.mistake {
            page.issues.push(Issue::new("catalogue-broken", format!("the catalogue ends early: {mistake}")));
        }
        match check_progress(state, &self.records) {
            Ok(after) => {
                let next =
                    paging.next.and_then(|raw| next_link(answered, &raw)).filter(|next| next != answered);
                if let Some(next) =
                    next.filter(|n| state.get("next") != Some(n.as_str()) && !self.records.is_empty())
                {
                    page.next.push(after.with_value("next", next).encode());
                } else if self.more {
                    page.next.push(after.with_value("skip", self.seen).encode());
                } else if page.total.is_none() && state.get("next").is_none() && state.get("skip").is_none() {
                    page.total = Some(self.records.len() as u64);
                }
            }
            Err(issue) => page.issues.push(issue),
        }
        page.records = std::mem::take(&mut self.records);
        page
    }
}

/// Returns the record of the catalogue itself, and those of its datasets and services.
pub(crate) fn records_from_nodes(nodes: &[Value]) -> (Option<CatalogueRecord>, Vec<CatalogueRecord>) {
    let index = NodeIndex::from_nodes(nodes);
    let mut records = Vec::new();
    for node in nodes {
        gather(node, &index, 0, &mut records, &mut HydraPaging::default());
    }
    let catalogue = nodes.iter().find(|node| is_a(node, &["Catalog"]));
    (catalogue.and_then(|node| record::record_from_node(&index.expand_node(node))), records)
}

/// Returns the record of one dataset of a list.
pub(crate) fn record_from_dataset(dataset: &Value) -> Option<CatalogueRecord> {
    record::record_from_node(&NodeIndex::from_nodes(&[]).expand_node(dataset))
}

enum RdfSyntax {
    Json,
    Xml,
    Turtle,
}

fn form_of(start: &[u8]) -> RdfSyntax {
    let text = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
    match text {
        [b'{' | b'[', ..] => RdfSyntax::Json,
        // In Turtle, `<http://...>` starts a statement.
        [b'<', b'?' | b'!', ..] | [0xFE | 0xFF, ..] => RdfSyntax::Xml,
        [b'<', rest @ ..]
            if rest.iter().take(200).take_while(|b| **b != b'>').any(|b| *b == b' ' || *b == b'\n') =>
        {
            RdfSyntax::Xml
        }
        _ => RdfSyntax::Turtle,
    }
}

fn read_json(state: &PageState, stream: &mut dyn Read) -> GatheredRecords {
    let skip = state.number("skip") as usize;
    let mut read = GatheredRecords::default();
    let none = NodeIndex::from_nodes(&[]);
    let rest = {
        let read = &mut read;
        json::read_datasets(stream, &mut |value| {
            if read.records.len() >= RECORDS {
                read.more = true;
                return;
            }
            read.seen += 1;
            if read.seen <= skip {
                return;
            }
            // A bare reference is described elsewhere in the graph.
            if value.as_object().is_some_and(|object| object.keys().any(|key| key != "@id")) {
                read.records.extend(record::record_from_node(&none.expand_node(&value)));
            }
        })
    };
    read.nodes = rest.nodes;
    if !rest.root.is_empty() {
        read.nodes.push(Value::Object(rest.root));
    }
    read.mistake = rest.mistake.or_else(|| rest.cut.then(|| "the graph is too large".to_owned()));
    read
}

#[derive(Default)]
struct HydraPaging {
    next: Option<String>,
    total: Option<u64>,
}

/// Collects the records of a node and of the nodes nested in it.
fn gather(
    node: &Value,
    index: &NodeIndex<'_>,
    depth: usize,
    out: &mut Vec<CatalogueRecord>,
    paging: &mut HydraPaging,
) {
    if depth > 6 || out.len() >= RECORDS {
        return;
    }
    let Some(object) = node.as_object() else { return };
    if is_a(node, CLASSES) && object.len() > 2 {
        if let Some(record) = record::record_from_node(&index.expand_node(node)) {
            out.push(record);
        }
        return;
    }
    let pager = is_a(node, PAGERS);
    for (key, value) in object {
        match local_name(key) {
            "next" | "nextPage" if pager => {
                paging.next = super::fields::address_value(value).or(paging.next.take());
            }
            "totalItems" => {
                let count = value.as_u64().or_else(|| super::fields::text_value(value, 32)?.parse().ok());
                paging.total = count.or(paging.total);
            }
            "distribution" | "publisher" | "contactPoint" | "@context" => {}
            _ => match value {
                Value::Array(list) => {
                    list.iter()
                        .filter(|v| v.is_object())
                        .for_each(|v| gather(v, index, depth + 1, out, paging));
                }
                Value::Object(_) => gather(value, index, depth + 1, out, paging),
                _ => {}
            },
        }
    }
}
