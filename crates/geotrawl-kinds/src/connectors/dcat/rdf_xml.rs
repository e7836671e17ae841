//! Converts RDF/XML to nodes.
//!
//! Built on this crate's XML reader instead of an RDF/XML crate: the reader supports every
//! encoding, continues after errors and limits every token, and the grammar of RDF/XML on top of it
//! is small.

use super::nodes::{RdfStatements, node_reference};
use crate::formats::xml::{XmlEvent, XmlReader};
use serde_json::Value;
use std::io::Read;

const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
/// Maximum length of the text of one property.
const TEXT: usize = 64 << 10;

/// An open element.
enum OpenElement {
    /// The root, or a container of nodes.
    Outer,
    /// A node, by its id.
    Node(String),
    /// A property of a node: its name, its text, and whether it had a value of another type.
    Property { subject: String, name: String, text: String, done: bool },
}

/// Parses an RDF/XML document. Returns `None` if its root is not RDF.
pub fn parse_rdf_xml(stream: &mut dyn Read, charset: Option<&str>, base: &url::Url) -> Option<Vec<Value>> {
    let mut reader = XmlReader::new(stream, charset);
    loop {
        match reader.next() {
            XmlEvent::Start => break,
            XmlEvent::Eof => return None,
            _ => {}
        }
    }
    let is_root = reader.namespace() == Some(RDF) && reader.local_name() == b"RDF";
    is_root.then(|| parse_nodes(&mut reader, base))
}

/// Parses the nodes below the root, which the reader has just entered.
pub fn parse_nodes(reader: &mut XmlReader<'_>, base: &url::Url) -> Vec<Value> {
    let mut statements = RdfStatements::default();
    let mut open: Vec<OpenElement> = vec![OpenElement::Outer];
    let mut blank = 0_u64;
    loop {
        match reader.next() {
            XmlEvent::Start => {
                let element = start(reader, &mut open, &mut statements, &mut blank, base);
                open.push(element);
            }
            XmlEvent::Text => {
                if let Some(OpenElement::Property { text, .. }) = open.last_mut() {
                    reader.append_text(text, TEXT);
                }
            }
            XmlEvent::End => {
                if let Some(OpenElement::Property { subject, name, text, done: false }) = open.pop()
                    && !text.trim().is_empty()
                    && !statements.add_statement(&subject, &name, Value::String(text.trim().to_owned()))
                {
                    break;
                }
            }
            XmlEvent::Eof => break,
            XmlEvent::Comment => {}
        }
    }
    statements.into_nodes()
}

/// Determines what a new element is from the element around it.
fn start(
    reader: &XmlReader<'_>,
    open: &mut [OpenElement],
    statements: &mut RdfStatements,
    blank: &mut u64,
    base: &url::Url,
) -> OpenElement {
    let rdf = reader.namespace() == Some(RDF);
    let name = String::from_utf8_lossy(reader.local_name()).into_owned();
    let mut fresh = || {
        *blank += 1;
        format!("_:x{blank}")
    };
    let resolve = |raw: &str| base.join(raw.trim()).map_or_else(|_| raw.trim().to_owned(), String::from);
    if let Some(OpenElement::Node(subject)) = open.last() {
        let subject = subject.clone();
        if let Some(target) = reader.attr_by_local_name("resource") {
            statements.add_statement(&subject, &name, node_reference(&resolve(&target)));
            return OpenElement::Property { subject, name, text: String::new(), done: true };
        }
        if let Some(target) = reader.attr_by_local_name("nodeID") {
            statements.add_statement(&subject, &name, node_reference(&format!("_:{target}")));
            return OpenElement::Property { subject, name, text: String::new(), done: true };
        }
        if reader.attr_by_local_name("parseType").is_some_and(|t| t == "Resource") {
            let id = fresh();
            statements.add_statement(&subject, &name, node_reference(&id));
            return OpenElement::Node(id);
        }
        return OpenElement::Property { subject, name, text: String::new(), done: false };
    }
    // A node: below the root, in a property, or in a collection.
    let id = reader
        .attr_by_local_name("about")
        .map(|about| resolve(&about))
        .or_else(|| reader.attr_by_local_name("nodeID").map(|id| format!("_:{id}")))
        .unwrap_or_else(&mut fresh);
    if let Some(OpenElement::Property { subject, name, done, .. }) = open.last_mut() {
        *done = true;
        statements.add_statement(subject, name, node_reference(&id));
    }
    if !(rdf && name == "Description") {
        let class = reader.namespace().map_or_else(|| name.clone(), |ns| format!("{ns}{name}"));
        statements.add_type(&id, &class);
    }
    // Properties written as attributes.
    for (key, value) in reader.attrs().take(64) {
        let key = String::from_utf8_lossy(key);
        let Some((prefix, key)) = key.split_once(':') else { continue };
        if !matches!(prefix, "rdf" | "xmlns" | "xml") {
            statements.add_statement(&id, key, Value::String(value.chars().take(TEXT).collect()));
        }
    }
    OpenElement::Node(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_nest_and_refer() {
        let text = r#"<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:d="http://www.w3.org/ns/dcat#"
            xmlns:t="http://purl.org/dc/terms/">
          <d:Dataset rdf:about="a"><t:title xml:lang="en">Roads</t:title>
            <d:distribution><d:Distribution><d:accessURL rdf:resource="http://x.org/wms"/></d:Distribution></d:distribution>
            <d:contactPoint rdf:parseType="Resource"><t:title>Me</t:title></d:contactPoint>
          </d:Dataset></rdf:RDF>"#;
        let base = url::Url::parse("http://x.org/catalog.rdf").unwrap();
        let nodes = parse_rdf_xml(&mut text.as_bytes(), None, &base).unwrap();
        assert_eq!(nodes.len(), 3);
        assert_eq!(nodes[0]["@id"], "http://x.org/a");
        assert_eq!(nodes[0]["title"][0], "Roads");
        assert_eq!(nodes[1]["accessURL"][0]["@id"], "http://x.org/wms");
        assert!(parse_rdf_xml(&mut &b"<a/>"[..], None, &base).is_none());
    }
}
