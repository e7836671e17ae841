//! Builder for RDF triples about named nodes.

use oxrdf::{Literal, NamedNode, Triple};
use std::collections::HashSet;
use std::fmt::Write as _;

/// Prefixes used.
pub(super) const PREFIXES: &[(&str, &str)] = &[
    ("dcat", "http://www.w3.org/ns/dcat#"),
    ("dct", "http://purl.org/dc/terms/"),
    ("foaf", "http://xmlns.com/foaf/0.1/"),
    ("geo", "http://www.opengis.net/ont/geosparql#"),
    ("hydra", "http://www.w3.org/ns/hydra/core#"),
    ("locn", "http://www.w3.org/ns/locn#"),
    ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
    ("vcard", "http://www.w3.org/2006/vcard/ns#"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
];

/// Converts an untrusted address into an IRI, escaping what RDF forbids; `None` if it is still not
/// valid.
pub(super) fn parse_iri(text: &str) -> Option<NamedNode> {
    let mut clean = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '{' | '}' | '|' | '^' | '`' | '<' | '>' | '"' | '\\' | ' ' => {
                let _ = write!(clean, "%{:02X}", u32::from(c));
            }
            other => clean.push(other),
        }
    }
    NamedNode::new(clean).ok()
}

/// Percent-encodes text as part of an address.
pub(super) fn percent_encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            other => {
                let _ = write!(out, "%{other:02X}");
            }
        }
    }
    out
}

/// Percent-encodes an e-mail address as part of an address.
pub(super) fn percent_encode_email(text: &str) -> String {
    // Keep the characters that are common in e-mail addresses readable.
    percent_encode(text.trim()).replace("%40", "@").replace("%2B", "+")
}

/// Expands a prefixed name such as `dcat:Dataset`.
fn name(short: &str) -> NamedNode {
    let (prefix, local) = short.split_once(':').unwrap_or(("", short));
    let space = PREFIXES.iter().find(|(known, _)| *known == prefix).map_or("", |(_, space)| space);
    // Only constants of this program are passed here.
    NamedNode::new_unchecked(format!("{space}{local}"))
}

/// Collects triples without duplicates, grouped by subject.
#[derive(Debug, Default)]
pub(super) struct TripleGraph {
    triples: Vec<Triple>,
    begun: HashSet<String>,
}

impl TripleGraph {
    /// Starts a node; `None` if the address is not valid or the node exists already.
    pub(super) fn add_node(&mut self, address: &str, kind: &str) -> Option<TripleNode<'_>> {
        let subject = parse_iri(address)?;
        if !self.begun.insert(subject.as_str().to_owned()) {
            return None;
        }
        let mut node = TripleNode { graph: self, subject, seen: HashSet::new() };
        node.add_type(kind);
        Some(node)
    }

    pub(super) fn finish(self) -> Vec<Triple> {
        self.triples
    }
}

/// A node whose properties are being added.
pub(super) struct TripleNode<'a> {
    graph: &'a mut TripleGraph,
    subject: NamedNode,
    /// Properties added so far: a graph is a set.
    seen: HashSet<(NamedNode, oxrdf::Term)>,
}

impl TripleNode<'_> {
    fn add(&mut self, predicate: NamedNode, object: impl Into<oxrdf::Term>) {
        let object = object.into();
        if self.seen.insert((predicate.clone(), object.clone())) {
            self.graph.triples.push(Triple::new(self.subject.clone(), predicate, object));
        }
    }

    pub(super) fn add_type(&mut self, kind: &str) {
        self.add(name("rdf:type"), name(kind));
    }

    /// Adds text, unless it is empty.
    pub(super) fn add_text(&mut self, predicate: &str, text: &str) {
        if !text.is_empty() {
            self.add(name(predicate), Literal::new_simple_literal(text));
        }
    }

    pub(super) fn add_typed(&mut self, predicate: &str, text: &str, kind: &str) {
        self.add(name(predicate), Literal::new_typed_literal(text, name(kind)));
    }

    pub(super) fn add_moment(&mut self, predicate: &str, moment: jiff::Timestamp) {
        self.add_typed(predicate, &moment.to_string(), "xsd:dateTime");
    }

    pub(super) fn add_integer(&mut self, predicate: &str, number: u64) {
        self.add_typed(predicate, &number.to_string(), "xsd:integer");
    }

    /// Adds a reference to another node, unless the address is not valid.
    pub(super) fn add_link(&mut self, predicate: &str, address: &str) {
        if let Some(object) = parse_iri(address) {
            self.add(name(predicate), object);
        }
    }
}
