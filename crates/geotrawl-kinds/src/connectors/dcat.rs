//! DCAT catalogues: `data.json` (DCAT-US), DCAT-AP in JSON-LD, RDF/XML and Turtle.
//!
//! State: `next` (address of the next page, where the catalogue is paged by Hydra), `skip` (datasets of a very
//! long `data.json` that were read by earlier requests), `last` (mark of the page before).

mod json;
mod nodes;
mod rdf_xml;
mod record;

use super::json_page::{State, bytes, get, moved_on, next_link, refused};
use super::{Connector, ConnectorDoc, Page};
use crate::formats::xml::charset_of;
use crate::probe::{Answer, Ask, Body};
use geotrawl_model::{CatalogueRecord, Issue};
use nodes::{Index, is_a, local};
use serde_json::Value;
use std::io::Read;
use url::Url;

pub(crate) use nodes::turtle as turtle_nodes;
pub(crate) use rdf_xml::below_root as rdf_nodes;

/// Data Catalog Vocabulary.
pub struct Dcat;

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
/// Most of a document that is read as a stream, and as a graph in memory.
const STREAM_BYTES: u64 = 1 << 30;
const GRAPH_BYTES: u64 = 64 << 20;
/// Records of one answer that are given at once; behind them the document is asked for again.
const RECORDS: usize = 50_000;

/// Classes of nodes that are records.
const CLASSES: &[&str] = &["Dataset", "DatasetSeries", "DataService"];
/// Classes of nodes that speak of the next page.
const PAGERS: &[&str] = &["PartialCollectionView", "PagedCollection", "Collection"];

impl Connector for Dcat {
    fn doc(&self) -> &'static ConnectorDoc {
        &DOC
    }

    fn ask(&self, at: &Url, state: &str, _since: Option<&str>) -> Ask {
        let state = State::read(state);
        let url = state.get("next").and_then(|n| Url::parse(n).ok()).unwrap_or_else(|| at.clone());
        Ask { accept: ACCEPT, max_bytes: STREAM_BYTES, ..get(url) }
    }

    fn read(&self, at: &Url, state: &str, answer: Answer<'_>) -> Page {
        if let Some(issue) = refused(&answer) {
            return Page { failure: Some(issue), ..Page::default() };
        }
        let state = State::read(state);
        let answered = answer.head.url.clone().unwrap_or_else(|| at.clone());
        let charset = answer.head.content_type.as_deref().and_then(charset_of).map(str::to_owned);
        let mut whole: &[u8];
        let stream: &mut dyn Read = match answer.body {
            Body::Whole(all) => {
                whole = all;
                &mut whole
            }
            Body::Stream(stream) => stream,
        };
        let mut start = Vec::new();
        // What cannot be read is an empty document, which is said below.
        let _ = stream.take(4096).read_to_end(&mut start);
        let form = form_of(&start);
        let mut start: &[u8] = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&start);
        let mut stream = (&mut start).chain(stream);
        let mut read = match form {
            Form::Json => read_json(&state, &mut stream),
            Form::Xml => {
                let mut stream = stream.take(GRAPH_BYTES);
                let nodes = rdf_xml::rdf_xml(&mut stream, charset.as_deref(), &answered);
                Gathered { nodes: nodes.unwrap_or_default(), ..Gathered::default() }
            }
            Form::Turtle => {
                let body = bytes(Body::Stream(&mut stream), GRAPH_BYTES);
                let (nodes, mistake) = nodes::turtle(&body, answered.as_str());
                Gathered { nodes, mistake, ..Gathered::default() }
            }
        };
        read.finish(&state, &answered)
    }
}

/// What a document gave before it is put together.
#[derive(Default)]
struct Gathered {
    records: Vec<CatalogueRecord>,
    nodes: Vec<Value>,
    mistake: Option<String>,
    /// The list goes on behind what was read.
    more: bool,
    /// Datasets in the list, as far as it was read.
    seen: usize,
}

impl Gathered {
    fn finish(&mut self, state: &State, answered: &Url) -> Page {
        let index = Index::of(&self.nodes);
        let mut paging = Paging::default();
        for node in &self.nodes {
            gather(node, &index, 0, &mut self.records, &mut paging);
        }
        let mut page = Page { total: paging.total, ..Page::default() };
        if self.records.is_empty() && state.get("next").is_none() && state.get("skip").is_none() {
            let why = self.mistake.as_deref().unwrap_or("it holds no dataset");
            let issue = Issue::new("catalogue-empty", format!("the document is no DCAT catalogue: {why}"));
            return Page { failure: Some(issue), ..Page::default() };
        }
        if let Some(mistake) = &self.mistake {
            page.issues.push(Issue::new("catalogue-broken", format!("the catalogue breaks off: {mistake}")));
        }
        match moved_on(state, &self.records) {
            Ok(after) => {
                let next =
                    paging.next.and_then(|raw| next_link(answered, &raw)).filter(|next| next != answered);
                if let Some(next) =
                    next.filter(|n| state.get("next") != Some(n.as_str()) && !self.records.is_empty())
                {
                    page.next.push(after.with("next", next).write());
                } else if self.more {
                    page.next.push(after.with("skip", self.seen).write());
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

/// What the nodes of a catalogue say: the catalogue's own title and description, and its records.
pub(crate) fn catalogue_of(nodes: &[Value]) -> (Option<CatalogueRecord>, Vec<CatalogueRecord>) {
    let index = Index::of(nodes);
    let mut records = Vec::new();
    for node in nodes {
        gather(node, &index, 0, &mut records, &mut Paging::default());
    }
    let catalogue = nodes.iter().find(|node| is_a(node, &["Catalog"]));
    (catalogue.and_then(|node| record::record(&index.whole(node))), records)
}

/// What one dataset of a list says.
pub(crate) fn record_of(dataset: &Value) -> Option<CatalogueRecord> {
    record::record(&Index::of(&[]).whole(dataset))
}

enum Form {
    Json,
    Xml,
    Turtle,
}

fn form_of(start: &[u8]) -> Form {
    let text = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
    match text {
        [b'{' | b'[', ..] => Form::Json,
        // `<http://...>` begins a statement of Turtle.
        [b'<', b'?' | b'!', ..] | [0xFE | 0xFF, ..] => Form::Xml,
        [b'<', rest @ ..]
            if rest.iter().take(200).take_while(|b| **b != b'>').any(|b| *b == b' ' || *b == b'\n') =>
        {
            Form::Xml
        }
        _ => Form::Turtle,
    }
}

fn read_json(state: &State, stream: &mut dyn Read) -> Gathered {
    let skip = state.number("skip") as usize;
    let mut read = Gathered::default();
    let none = Index::of(&[]);
    let rest = {
        let read = &mut read;
        json::read(stream, &mut |value| {
            if read.records.len() >= RECORDS {
                read.more = true;
                return;
            }
            read.seen += 1;
            if read.seen <= skip {
                return;
            }
            // What is no more than a reference stands elsewhere in the graph.
            if value.as_object().is_some_and(|object| object.keys().any(|key| key != "@id")) {
                read.records.extend(record::record(&none.whole(&value)));
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
struct Paging {
    next: Option<String>,
    total: Option<u64>,
}

/// Takes the records out of a node, and of what is nested in it.
fn gather(
    node: &Value,
    index: &Index<'_>,
    depth: usize,
    out: &mut Vec<CatalogueRecord>,
    paging: &mut Paging,
) {
    if depth > 6 || out.len() >= RECORDS {
        return;
    }
    let Some(object) = node.as_object() else { return };
    if is_a(node, CLASSES) && object.len() > 2 {
        if let Some(record) = record::record(&index.whole(node)) {
            out.push(record);
        }
        return;
    }
    let pager = is_a(node, PAGERS);
    for (key, value) in object {
        match local(key) {
            "next" | "nextPage" if pager => {
                paging.next = super::fields::address(value).or(paging.next.take());
            }
            "totalItems" => {
                let count = value.as_u64().or_else(|| super::fields::text(value, 32)?.parse().ok());
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
