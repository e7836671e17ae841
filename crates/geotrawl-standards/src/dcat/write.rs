//! Encodes triples as JSON-LD, Turtle and RDF/XML.
//!
//! Turtle is written by `oxttl`. RDF/XML and JSON-LD are written here: `oxrdfxml` and `oxjsonld`
//! would each add a second version of an XML or JSON library, and without blank nodes and lists
//! both encodings are a loop over the triples.

use super::node::PREFIXES;
use crate::xml::XmlWriter;
use oxrdf::{NamedOrBlankNode, Term, Triple};
use oxttl::TurtleSerializer;
use serde_json::{Map, Value, json};

/// Encodings of triples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RdfFormat {
    JsonLd,
    Turtle,
    RdfXml,
}

impl RdfFormat {
    /// Returns the media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::JsonLd => "application/ld+json",
            Self::Turtle => "text/turtle; charset=utf-8",
            Self::RdfXml => "application/rdf+xml; charset=utf-8",
        }
    }
}

/// Encodes triples as a document.
pub fn write_triples(form: RdfFormat, triples: &[Triple]) -> String {
    match form {
        RdfFormat::JsonLd => json_ld(triples).to_string(),
        RdfFormat::Turtle => turtle(triples),
        RdfFormat::RdfXml => rdf_xml(triples),
    }
}

fn turtle(triples: &[Triple]) -> String {
    let mut writer = TurtleSerializer::new();
    for (prefix, space) in PREFIXES {
        if let Ok(next) = writer.clone().with_prefix(*prefix, *space) {
            writer = next;
        }
    }
    let mut writer = writer.for_writer(Vec::new());
    // Writing to memory cannot fail.
    for triple in triples {
        let written = writer.serialize_triple(triple);
        debug_assert!(written.is_ok(), "{written:?}");
    }
    writer.finish().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

/// Groups consecutive triples by subject.
fn by_subject(triples: &[Triple]) -> impl Iterator<Item = (&str, &[Triple])> {
    triples.chunk_by(|one, other| one.subject == other.subject).filter_map(|chunk| {
        match &chunk.first()?.subject {
            NamedOrBlankNode::NamedNode(node) => Some((node.as_str(), chunk)),
            NamedOrBlankNode::BlankNode(_) => None,
        }
    })
}

/// Shortens a name with its prefix.
fn short(name: &str) -> Option<String> {
    PREFIXES.iter().find_map(|(prefix, space)| Some(format!("{prefix}:{}", name.strip_prefix(space)?)))
}

fn rdf_xml(triples: &[Triple]) -> String {
    let spaces: Vec<(String, &str)> =
        PREFIXES.iter().map(|(prefix, space)| (format!("xmlns:{prefix}"), *space)).collect();
    let spaces: Vec<(&str, &str)> = spaces.iter().map(|(name, space)| (name.as_str(), *space)).collect();
    let mut out = XmlWriter::with_declaration();
    out.start("rdf:RDF", &spaces);
    for (subject, triples) in by_subject(triples) {
        out.start("rdf:Description", &[("rdf:about", subject)]);
        for triple in triples {
            let Some(predicate) = short(triple.predicate.as_str()) else { continue };
            match &triple.object {
                Term::NamedNode(node) => {
                    out.empty(&predicate, &[("rdf:resource", node.as_str())]);
                }
                Term::Literal(literal) => {
                    let datatype = [("rdf:datatype", literal.datatype().as_str())];
                    let attributes: &[(&str, &str)] = if is_plain(literal) { &[] } else { &datatype };
                    out.leaf_with(&predicate, attributes, literal.value());
                }
                Term::BlankNode(_) => {}
            }
        }
        out.end();
    }
    out.finish()
}

fn is_plain(literal: &oxrdf::Literal) -> bool {
    literal.datatype() == oxrdf::vocab::xsd::STRING
}

fn json_ld(triples: &[Triple]) -> Value {
    let mut context: Map<String, Value> =
        PREFIXES.iter().map(|(prefix, space)| ((*prefix).to_owned(), json!(space))).collect();
    context.remove("rdf");
    let graph = by_subject(triples).map(|(subject, triples)| {
        let mut node = Map::new();
        node.insert("@id".into(), json!(subject));
        for triple in triples {
            let Some(predicate) = short(triple.predicate.as_str()) else { continue };
            let (name, value) = match &triple.object {
                Term::NamedNode(kind) if predicate == "rdf:type" => (
                    "@type".to_owned(),
                    json!(short(kind.as_str()).unwrap_or_else(|| kind.as_str().to_owned())),
                ),
                Term::NamedNode(node) => (predicate, json!({ "@id": node.as_str() })),
                Term::Literal(literal) if is_plain(literal) => (predicate, json!(literal.value())),
                Term::Literal(literal) => {
                    (predicate, json!({ "@type": literal.datatype().as_str(), "@value": literal.value() }))
                }
                Term::BlankNode(_) => continue,
            };
            if let Value::Array(values) = node.entry(name).or_insert_with(|| Value::Array(Vec::new())) {
                values.push(value);
            }
        }
        Value::Object(node)
    });
    let graph: Vec<Value> = graph.collect();
    json!({ "@context": context, "@graph": graph })
}
