//! DCAT catalogues as documents: `data.json`, JSON-LD, RDF/XML, Turtle.

use super::{
    CorpusLabel, DescriptionFormat, DescriptionRequest, DocumentClaim, DocumentReading, Kind, KindProfile,
};
use crate::connectors::{dcat_record, link_targets, rdf_nodes, records_from_nodes, turtle_nodes};
use crate::formats::bbox::BboxUnion;
use crate::formats::json::JsonDocument;
use crate::formats::xml::XmlReader;
use crate::probe::CrawlTarget;
use crate::sniff::XmlRoot;
use crate::urls;
use geotrawl_model::{CatalogueRecord, Dataset, Resource};
use serde_json::Value;
use url::Url;

/// A DCAT catalogue.
pub struct DcatKind;

static PROFILE: KindProfile = KindProfile {
    id: "dcat",
    name: "DCAT catalogue",
    what: "A catalogue of datasets in one document or in pages: data.json (DCAT-US), or DCAT-AP in JSON-LD, RDF/XML \
           or Turtle.",
    specification: "https://www.w3.org/TR/vocab-dcat-3/",
    evidence: "A dcat:Catalog or dcat:Dataset among its nodes; or a list called dataset that conforms to the \
               Project Open Data schema.",
    false_positives: "Contexts, schemas and shapes that only mention DCAT; RSS 1.0 and other RDF; schema.org datasets \
                on a web page.",
    description: DescriptionFormat::Types(&[
        "text/turtle",
        "application/ld+json",
        "application/rdf+xml",
        "application/json",
        "text/xml",
        "application/xml",
        "application/n-triples",
    ]),
    request: DescriptionRequest::Page,
    corpus_labels: &[
        CorpusLabel::plain("dcat-datajson"),
        CorpusLabel::plain("dcat-jsonld"),
        CorpusLabel::plain("dcat-turtle"),
        CorpusLabel::plain("rdf-xml"),
    ],
    ..KindProfile::XML_CATALOGUE
};

/// Maximum number of datasets kept of a catalogue.
const DATASETS: usize = 10_000;
const NAMESPACE: &str = "http://www.w3.org/ns/dcat#";
const CLASSES: &[&str] = &["Catalog", "Dataset", "DatasetSeries", "DataService"];

impl Kind for DcatKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_xml(&self, root: &XmlRoot) -> Option<DocumentClaim> {
        let rdf = root.local == "RDF"
            && root.namespace.as_deref() == Some("http://www.w3.org/1999/02/22-rdf-syntax-ns#");
        let speaks = root.attrs.iter().any(|(_, value)| value == NAMESPACE);
        (rdf && speaks).then(DocumentClaim::default)
    }

    fn read_xml(
        &self,
        reader: &mut XmlReader<'_>,
        _root: &XmlRoot,
        _claim: DocumentClaim,
        endpoint: &str,
    ) -> DocumentReading {
        let Ok(at) = Url::parse(endpoint) else { return DocumentReading::default() };
        let nodes = rdf_nodes(reader, &at);
        reading_of_nodes(&nodes, &at, "rdf-xml")
    }

    fn claim_json(&self, doc: &JsonDocument, _at: &Url) -> Option<DocumentClaim> {
        let root = &doc.root;
        (is_data_json(root) || is_json_ld(root))
            .then(|| DocumentClaim { version: version(root), oddity: None })
    }

    fn read_json(&self, doc: &JsonDocument, claim: DocumentClaim, at: &Url) -> DocumentReading {
        let root = &doc.root;
        let list = root.get("dataset").or_else(|| root.get("dcat:dataset")).and_then(Value::as_array);
        if let Some(list) = list.or_else(|| root.as_array().filter(|_| is_data_json(root))) {
            let records: Vec<CatalogueRecord> = list.iter().filter_map(dcat_record).collect();
            let pointer = if root.is_array() {
                ""
            } else if root.get("dataset").is_some() {
                "/dataset"
            } else {
                "/dcat:dataset"
            };
            let count = doc.array_len(pointer).unwrap_or(list.len() as u64);
            let mut reading = reading_of(dcat_record(root).as_ref(), &records, at, "dcat-datajson");
            if let Some(catalogue) = reading.resources.first_mut() {
                catalogue.dataset_count = count;
                catalogue.versions.extend(claim.version);
            }
            return reading;
        }
        let nodes = nodes_of(root);
        let mut reading = reading_of_nodes(&nodes, at, "dcat-jsonld");
        if reading.resources.is_empty() {
            // Identified by its catalogue node alone: the datasets are on other pages.
            reading.resources.push(resource(at));
        }
        reading
    }

    fn read_text(&self, text: &str, at: &Url) -> Option<DocumentReading> {
        read_turtle(text.as_bytes(), at)
    }
}

/// Reads a Turtle document that mentions DCAT. Returns `None` if it is not Turtle, or contains
/// neither a catalogue nor a dataset.
pub fn read_turtle(text: &[u8], at: &Url) -> Option<DocumentReading> {
    let start = text.get(..text.len().min(64 << 10))?;
    let trimmed = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
    let begins = [&b"@prefix"[..], b"@base", b"PREFIX", b"prefix", b"BASE", b"#", b"<http"];
    if !begins.iter().any(|b| trimmed.starts_with(b))
        || memchr::memmem::find(start, NAMESPACE.as_bytes()).is_none()
    {
        return None;
    }
    let (nodes, _) = turtle_nodes(text, at.as_str());
    let reading = reading_of_nodes(&nodes, at, "dcat-turtle");
    (!reading.resources.is_empty()).then_some(reading)
}

fn nodes_of(root: &Value) -> Vec<Value> {
    match root.get("@graph").and_then(Value::as_array).or_else(|| root.as_array()) {
        Some(list) => list.clone(),
        None => vec![root.clone()],
    }
}

/// Returns whether JSON is DCAT-US: a list called `dataset` in an object that declares itself a
/// catalogue; in the first version a bare list.
fn is_data_json(root: &Value) -> bool {
    if let Some(list) = root.as_array() {
        let old = |d: &Value| {
            d.get("accessLevel").is_some() && d.get("title").is_some() && d.get("publisher").is_some()
        };
        return !list.is_empty() && list.iter().take(5).all(old);
    }
    let conforms =
        root.get("conformsTo").and_then(Value::as_str).is_some_and(|c| c.contains("project-open-data"));
    let catalogue = root.get("@type").and_then(Value::as_str).is_some_and(|t| t.ends_with("Catalog"));
    root.get("dataset").is_some_and(Value::is_array) && (conforms || catalogue)
}

/// Returns whether JSON is JSON-LD with a DCAT node: named with its prefix or namespace, or by its
/// plain name in DCAT's own context.
fn is_json_ld(root: &Value) -> bool {
    let plain = root.get("@context").is_some_and(is_dcat_context);
    let class = |name: &str| {
        let prefixed = name.strip_prefix("dcat:").or_else(|| name.strip_prefix(NAMESPACE));
        prefixed.or(Some(name).filter(|_| plain)).is_some_and(|local| CLASSES.contains(&local))
    };
    let is = |node: &Value| match node.get("@type") {
        Some(Value::String(name)) => class(name),
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).any(class),
        _ => false,
    };
    let list = root.get("@graph").and_then(Value::as_array).or_else(|| root.as_array());
    is(root) || list.is_some_and(|list| list.iter().take(1000).any(is))
}

/// Returns whether a context maps plain names to DCAT.
fn is_dcat_context(context: &Value) -> bool {
    match context {
        Value::String(address) => address.contains("dcat") || address.contains("project-open-data"),
        Value::Array(list) => list.iter().any(is_dcat_context),
        Value::Object(object) => object.get("@vocab").and_then(Value::as_str) == Some(NAMESPACE),
        _ => false,
    }
}

fn version(root: &Value) -> Option<String> {
    let said = root.get("conformsTo")?.as_str()?;
    let version = said.split('/').find_map(|piece| piece.strip_prefix('v'))?;
    (version.len() <= 8 && version.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
        .then(|| version.to_owned())
}

fn resource(at: &Url) -> Resource {
    Resource { kind: "dcat".to_owned(), url: urls::canonical_url(at).to_string(), ..Resource::default() }
}

fn reading_of_nodes(nodes: &[Value], at: &Url, document: &'static str) -> DocumentReading {
    let (catalogue, records) = records_from_nodes(nodes);
    if catalogue.is_none() && records.is_empty() {
        return DocumentReading { document: Some(document), ..DocumentReading::default() };
    }
    reading_of(catalogue.as_ref(), &records, at, document)
}

fn reading_of(
    catalogue: Option<&CatalogueRecord>,
    records: &[CatalogueRecord],
    at: &Url,
    document: &'static str,
) -> DocumentReading {
    let mut targets: Vec<CrawlTarget> = Vec::new();
    let mut union = BboxUnion::default();
    let mut found = resource(at);
    if let Some(catalogue) = catalogue {
        found.title.clone_from(&catalogue.title);
        found.abstract_.clone_from(&catalogue.abstract_);
        found.provider.clone_from(&catalogue.provider);
        found.licence.clone_from(&catalogue.licence);
        found.contact.clone_from(&catalogue.contact);
    }
    for record in records {
        let words = record.title.as_deref().unwrap_or_default();
        record.links.iter().for_each(|link| link_targets(at, link, words, &mut targets));
        if let Some(bbox) = record.bbox {
            union.add(bbox);
        }
        if found.datasets.len() < DATASETS {
            found.datasets.push(dataset(record));
        }
    }
    found.bbox = union.bbox();
    found.dataset_count = records.len() as u64;
    targets.retain(|target| target.intent.is_probe());
    for target in &mut targets {
        target.way = "catalogue:dcat".into();
    }
    DocumentReading {
        resources: vec![found],
        targets,
        document: Some(document),
        ..DocumentReading::default()
    }
}

fn dataset(record: &CatalogueRecord) -> Dataset {
    let mut formats: Vec<geotrawl_model::SharedText> = Vec::new();
    for format in record.links.iter().filter_map(|link| link.format.as_deref()) {
        if formats.len() < 50 && !formats.iter().any(|f| **f == *format) {
            formats.push(format.into());
        }
    }
    Dataset {
        name: record.id.clone(),
        title: record.title.clone(),
        abstract_: record.abstract_.clone(),
        keywords: record.keywords.iter().map(|k| k.as_str().into()).collect(),
        bbox: record.bbox,
        time: record.time.clone(),
        formats,
        ..Dataset::default()
    }
}
