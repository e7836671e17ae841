//! Datasets described with schema.org, as JSON-LD.

use super::members::{
    ResourceDraft, add_target, identifier_member, parse_float, parse_keywords, prose_member, shared_keywords,
    stated_licence, text_in_any_form, title_member,
};
use super::{
    CorpusLabel, DescriptionFormat, DescriptionRequest, DocumentClaim, DocumentReading, HostingForm, Kind,
    KindProfile,
};
use crate::formats::json::JsonDocument;
use crate::urls;
use geotrawl_model::{Bbox, Dataset, DiscoveryMethod};
use serde_json::Value;
use url::Url;

/// A description of datasets.
pub struct SchemaOrgDatasetKind;

const ID: &str = "schemaorg-dataset";
const WAY: DiscoveryMethod = DiscoveryMethod::Borrowed("catalogue:schemaorg");
/// Maximum number of nodes examined per document.
const MAX_NODES: usize = 50_000;

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "schema.org Dataset",
    what: "A description of one or more datasets for search engines. Each Dataset node is a dataset; its distributions are requested next.",
    specification: "https://schema.org/Dataset",
    evidence: "JSON-LD of schema.org with a node of type Dataset, also inside @graph, a list or a catalogue.",
    false_positives: "DCAT datasets, which use another vocabulary; schema.org articles and products.",
    form: HostingForm::WebPage,
    description: DescriptionFormat::Types(&["text/html", "application/xhtml+xml", "application/ld+json"]),
    request: DescriptionRequest::Page,
    corpus_labels: &[CorpusLabel::plain("schemaorg-dataset-jsonld")],
    ..KindProfile::XML_CATALOGUE
};

impl Kind for SchemaOrgDatasetKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, _at: &Url) -> Option<DocumentClaim> {
        (is_schema_org(&doc.root) && !datasets(&doc.root).is_empty()).then(DocumentClaim::default)
    }

    fn read_json(&self, doc: &JsonDocument, _claim: DocumentClaim, at: &Url) -> DocumentReading {
        let found = datasets(&doc.root);
        let mut draft = ResourceDraft::new(ID, urls::endpoint_url(at));
        let mut targets = Vec::new();
        for node in &found {
            let bbox = bbox(&mut draft, node);
            draft.add_dataset(Dataset {
                name: identifier_member(node, "@id")
                    .or_else(|| part(node, "identifier").and_then(name_of))
                    .or_else(|| title_of(node))
                    .unwrap_or_default(),
                title: title_of(node),
                abstract_: part(node, "description")
                    .and_then(text_in_any_form)
                    .and_then(|t| crate::formats::xml::tidy_text(&t, 4096)),
                keywords: shared_keywords(part(node, "keywords")),
                bbox,
                time: part(node, "temporalCoverage")
                    .and_then(text_in_any_form)
                    .map(|t| t.chars().take(100).collect())
                    .into_iter()
                    .collect(),
                formats: distributions(node)
                    .filter_map(|d| part(d, "encodingFormat").and_then(text_in_any_form))
                    .take(20)
                    .map(Into::into)
                    .collect(),
                ..Dataset::default()
            });
            for distribution in distributions(node) {
                for member in ["contentUrl", "url"] {
                    if let Some(address) = part(distribution, member).and_then(Value::as_str) {
                        let words = title_of(node).unwrap_or_default();
                        add_target(address, at, &WAY, &words, &mut targets);
                    }
                }
            }
        }
        if let Some(first) = found.first() {
            let resource = &mut draft.resource;
            resource.title = title_of(first).or_else(|| title_member(&doc.root, "name"));
            resource.abstract_ = prose_member(first, "description");
            resource.keywords = parse_keywords(part(first, "keywords"));
            resource.licence = stated_licence(part(first, "license").and_then(name_of));
            resource.provider = ["publisher", "provider", "creator"]
                .iter()
                .find_map(|member| part(first, member).and_then(name_of));
        }
        draft.note_syntax_issues(doc);
        DocumentReading {
            resources: vec![draft.finish()],
            targets,
            document: Some("schemaorg-dataset-jsonld"),
            ..DocumentReading::default()
        }
    }
}

/// Returns a member by its plain name or with the schema.org prefix.
fn part<'v>(node: &'v Value, name: &str) -> Option<&'v Value> {
    let members = node.as_object()?;
    members.get(name).or_else(|| {
        ["schema:", "sdo:", "so:", "http://schema.org/", "https://schema.org/"]
            .iter()
            .find_map(|prefix| members.get(&format!("{prefix}{name}")))
    })
}

fn title_of(node: &Value) -> Option<String> {
    let name = part(node, "name").or_else(|| part(node, "headline"))?;
    text_in_any_form(name).and_then(|text| crate::formats::xml::tidy_text(&text, 1024))
}

/// Returns the name of an agent or licence: a text, or a node with a name or URL.
fn name_of(value: &Value) -> Option<String> {
    match value {
        Value::Array(several) => several.iter().take(8).find_map(name_of),
        Value::Object(_) => ["name", "url", "value"]
            .iter()
            .find_map(|member| part(value, member).and_then(text_in_any_form))
            .or_else(|| identifier_member(value, "@id")),
        other => text_in_any_form(other).filter(|text| !text.trim().is_empty()),
    }
    .map(|text| text.chars().take(500).collect())
}

/// Returns whether the context is schema.org. Nodes of a graph have their context outside.
fn is_schema_org(root: &Value) -> bool {
    fn names(value: &Value, depth: usize) -> bool {
        match value {
            Value::String(text) => text.contains("schema.org"),
            Value::Array(list) => depth < 3 && list.iter().take(20).any(|v| names(v, depth + 1)),
            Value::Object(members) => depth < 3 && members.values().take(200).any(|v| names(v, depth + 1)),
            _ => false,
        }
    }
    match root {
        Value::Array(list) => list.iter().take(5).any(is_schema_org),
        other => {
            let context = other.get("@context").is_some_and(|context| names(context, 0));
            context
                || type_is(
                    other,
                    &["schema:Dataset", "http://schema.org/Dataset", "https://schema.org/Dataset"],
                )
        }
    }
}

fn type_is(node: &Value, names: &[&str]) -> bool {
    match node.get("@type").or_else(|| node.get("type")) {
        Some(Value::String(type_)) => names.contains(&type_.as_str()),
        Some(Value::Array(types)) => {
            types.iter().take(20).filter_map(Value::as_str).any(|t| names.contains(&t))
        }
        _ => false,
    }
}

/// Returns all nodes that are datasets, at any depth, but not those inside another dataset.
fn datasets(root: &Value) -> Vec<&Value> {
    const DATASET: &[&str] = &[
        "Dataset",
        "schema:Dataset",
        "sdo:Dataset",
        "so:Dataset",
        "http://schema.org/Dataset",
        "https://schema.org/Dataset",
    ];
    const INSIDE: &[&str] = &[
        "@graph",
        "@included",
        "mainEntity",
        "dataset",
        "schema:dataset",
        "about",
        "hasPart",
        "itemListElement",
        "item",
    ];
    let mut found = Vec::new();
    let mut stack = vec![(root, 0)];
    let mut seen = 0;
    while let Some((node, depth)) = stack.pop() {
        seen += 1;
        if seen > MAX_NODES || depth > 8 {
            continue;
        }
        match node {
            Value::Array(list) => stack.extend(list.iter().rev().map(|v| (v, depth + 1))),
            // A bare reference to a dataset is not a dataset.
            Value::Object(members) if type_is(node, DATASET) && members.len() <= 2 => {}
            Value::Object(_) if type_is(node, DATASET) => found.push(node),
            Value::Object(members) => {
                stack.extend(
                    INSIDE.iter().rev().filter_map(|name| members.get(*name)).map(|v| (v, depth + 1)),
                );
            }
            _ => {}
        }
    }
    found
}

fn distributions(node: &Value) -> impl Iterator<Item = &Value> {
    let list = match part(node, "distribution") {
        Some(Value::Array(list)) => list.as_slice(),
        Some(single) => std::slice::from_ref(single),
        None => &[],
    };
    list.iter().take(1000)
}

/// Returns the box of `spatialCoverage`: shapes and points, with latitude before longitude.
fn bbox(draft: &mut ResourceDraft, node: &Value) -> Option<Bbox> {
    let mut written: Option<[f64; 4]> = None;
    let mut add = |[w, s, e, n]: [f64; 4]| {
        let [a, b, c, d] = written.unwrap_or([w, s, e, n]);
        written = Some([a.min(w), b.min(s), c.max(e), d.max(n)]);
    };
    let mut stack: Vec<(&Value, usize)> =
        part(node, "spatialCoverage").or_else(|| part(node, "spatial")).map(|v| (v, 0)).into_iter().collect();
    let mut seen = 0;
    while let Some((value, depth)) = stack.pop() {
        seen += 1;
        if seen > 1000 || depth > 6 {
            break;
        }
        match value {
            Value::Array(list) => stack.extend(list.iter().take(200).map(|v| (v, depth + 1))),
            Value::Object(_) => {
                if let Some(numbers) = part(value, "box").and_then(numbers).filter(|n| n.len() == 4) {
                    add([numbers[1], numbers[0], numbers[3], numbers[2]]);
                }
                for member in ["polygon", "line"] {
                    for pair in part(value, member).and_then(numbers).unwrap_or_default().chunks_exact(2) {
                        add([pair[1], pair[0], pair[1], pair[0]]);
                    }
                }
                if let (Some(lat), Some(lon)) = (
                    part(value, "latitude").and_then(parse_float),
                    part(value, "longitude").and_then(parse_float),
                ) {
                    add([lon, lat, lon, lat]);
                }
                stack.extend(part(value, "geo").map(|v| (v, depth + 1)));
            }
            _ => {}
        }
    }
    written.and_then(|written| draft.place_box(written))
}

/// Parses numbers separated by spaces or commas.
fn numbers(value: &Value) -> Option<Vec<f64>> {
    let text = text_in_any_form(value)?;
    let parts = text.split([' ', ',', '\t', '\n']).filter(|part| !part.is_empty());
    parts.take(10_000).map(|part| part.parse::<f64>().ok().filter(|n| n.is_finite())).collect()
}
