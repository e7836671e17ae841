//! Parses small untrusted XML documents (requests) into a tree of limited size and depth. Document
//! types are refused: requests need none, and entities make small documents expand.

use quick_xml::NsReader;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::ResolveResult;

/// Maximum nesting depth.
pub const DEEPEST: usize = 100;
/// Maximum number of elements.
pub const MOST_ELEMENTS: usize = 20_000;
/// Maximum number of attributes per element.
const MOST_ATTRIBUTES: usize = 64;

/// An XML element; names are without prefix.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct XmlElement {
    pub name: String,
    pub namespace: String,
    /// Attributes by name without prefix; namespace declarations are left out.
    pub attributes: Vec<(String, String)>,
    /// Text directly inside this element, concatenated.
    pub text: String,
    pub children: Vec<XmlElement>,
}

/// Why a document was rejected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    #[error("The request is not well-formed XML: {0}.")]
    Malformed(String),
    #[error("Requests must not contain a document type or entities.")]
    DocumentType,
    #[error("The request is nested deeper than {DEEPEST} elements.")]
    TooDeep,
    #[error("The request has more than {MOST_ELEMENTS} elements.")]
    TooLarge,
}

impl XmlElement {
    /// Parses a document.
    pub fn parse(bytes: &[u8]) -> Result<Self, TreeError> {
        let text = std::str::from_utf8(bytes)
            .map_err(|error| TreeError::Malformed(format!("it is not UTF-8 ({error})")))?;
        Self::read_text(text.trim_start_matches('\u{feff}'))
    }

    fn read_text(text: &str) -> Result<Self, TreeError> {
        let malformed = |error: &dyn std::fmt::Display| TreeError::Malformed(error.to_string());
        let mut reader = NsReader::from_str(text);
        let mut open: Vec<Self> = Vec::new();
        let mut root: Option<Self> = None;
        let mut elements = 0_usize;
        loop {
            let event = reader.read_event().map_err(|error| malformed(&error))?;
            match event {
                Event::Start(ref start) | Event::Empty(ref start) => {
                    elements += 1;
                    if elements > MOST_ELEMENTS {
                        return Err(TreeError::TooLarge);
                    }
                    if open.len() >= DEEPEST {
                        return Err(TreeError::TooDeep);
                    }
                    if root.is_some() {
                        return Err(TreeError::Malformed("it has more than one root element".to_owned()));
                    }
                    let namespace = match reader.resolver().resolve_element(start.name()).0 {
                        ResolveResult::Bound(namespace) => namespace.into_inner().to_owned(),
                        ResolveResult::Unbound | ResolveResult::Unknown(_) => String::new(),
                    };
                    let node = Self::of(start, namespace)?;
                    if matches!(event, Event::Empty(_)) {
                        close(node, &mut open, &mut root);
                    } else {
                        open.push(node);
                    }
                }
                Event::End(_) => {
                    if let Some(node) = open.pop() {
                        close(node, &mut open, &mut root);
                    }
                }
                Event::Text(piece) => add(&mut open, &piece),
                Event::CData(piece) => add(&mut open, &piece),
                Event::GeneralRef(name) => {
                    let c = if let Some(known) = quick_xml::escape::resolve_predefined_entity(&name) {
                        known.to_owned()
                    } else {
                        match name.resolve_char_ref() {
                            Ok(Some(c)) => c.to_string(),
                            Ok(None) | Err(_) => return Err(TreeError::DocumentType),
                        }
                    };
                    add(&mut open, &c);
                }
                Event::DocType(_) => return Err(TreeError::DocumentType),
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
                Event::Eof => {
                    if !open.is_empty() {
                        return Err(TreeError::Malformed(
                            "it ends before all elements are closed".to_owned(),
                        ));
                    }
                    return root.ok_or_else(|| TreeError::Malformed("it has no root element".to_owned()));
                }
            }
        }
    }

    fn of(start: &BytesStart, namespace: String) -> Result<Self, TreeError> {
        let mut attributes = Vec::new();
        // The library's check for duplicates compares every pair of attributes.
        for attribute in start.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| TreeError::Malformed(error.to_string()))?;
            if attributes.len() >= MOST_ATTRIBUTES {
                return Err(TreeError::TooLarge);
            }
            if attribute.key.as_namespace_binding().is_some() {
                continue;
            }
            let value = attribute
                .normalized_value(quick_xml::XmlVersion::Implicit1_0)
                .map_err(|_unknown_entity| TreeError::DocumentType)?;
            attributes.push((attribute.key.local_name().into_inner().to_owned(), value.into_owned()));
        }
        Ok(Self {
            name: start.local_name().into_inner().to_owned(),
            namespace,
            attributes,
            ..Self::default()
        })
    }

    /// Returns the first child with this name.
    pub fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.name == name)
    }

    /// Returns the children with this name.
    pub fn children_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// Returns the first descendant with one of these names.
    pub fn find_descendant(&self, names: &[&str]) -> Option<&Self> {
        self.children.iter().find_map(|child| {
            if names.contains(&child.name.as_str()) { Some(child) } else { child.find_descendant(names) }
        })
    }

    /// Returns an attribute, ignoring case: clients write both `typeNames` and `typenames`.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// Returns the text without surrounding whitespace.
    pub fn trimmed_text(&self) -> &str {
        self.text.trim()
    }
}

fn add(open: &mut [XmlElement], text: &str) {
    if let Some(node) = open.last_mut() {
        node.text.push_str(text);
    }
}

fn close(node: XmlElement, open: &mut [XmlElement], root: &mut Option<XmlElement>) {
    match open.last_mut() {
        Some(parent) => parent.children.push(node),
        None => *root = Some(node),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn documents_are_trees() {
        let read = XmlElement::parse(
            b"\xef\xbb\xbf<?xml version='1.0'?><a:b xmlns:a='urn:x' C='1 &amp; 2'> t&#233;<![CDATA[<]]>xt <d/><d>2</d></a:b>",
        )
        .expect("a tree");
        assert_eq!(
            (read.name.as_str(), read.namespace.as_str(), read.trimmed_text()),
            ("b", "urn:x", "té<xt")
        );
        assert_eq!(read.attribute("c"), Some("1 & 2"));
        assert_eq!(read.children_named("d").count(), 2);
        assert_eq!(read.find_descendant(&["d"]), read.child("d"));
    }

    #[test]
    fn hostile_documents_are_refused() {
        let bomb = "<!DOCTYPE a [<!ENTITY b \"bbbb\">]><a>&b;</a>";
        assert_eq!(XmlElement::parse(bomb.as_bytes()), Err(TreeError::DocumentType));
        assert_eq!(XmlElement::parse(b"<a>&b;</a>"), Err(TreeError::DocumentType));
        assert_eq!(XmlElement::parse(b"<a x='&b;'/>"), Err(TreeError::DocumentType));
        assert_eq!(XmlElement::parse("<a>".repeat(100_000).as_bytes()), Err(TreeError::TooDeep));
        let wide = format!("<a>{}</a>", "<b/>".repeat(100_000));
        assert_eq!(XmlElement::parse(wide.as_bytes()), Err(TreeError::TooLarge));
        let many: String = " a=''".repeat(100_000);
        assert_eq!(XmlElement::parse(format!("<a{many}/>").as_bytes()), Err(TreeError::TooLarge));
        for broken in ["", "text", "<a>", "<a></b>", "<a/><b/>", "<a", "<a b=c/>", "<a>&#xffffffff;</a>"] {
            assert!(XmlElement::parse(broken.as_bytes()).is_err(), "{broken}");
        }
        assert!(XmlElement::parse(b"<a>\xff</a>").is_err());
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = XmlElement::parse(&bytes);
        }
        #[test]
        fn any_markup_is_read_or_refused(text in "[<>/a-c!\\[\\]='\" &;#x0-9-]{0,80}") {
            let _ = XmlElement::parse(text.as_bytes());
        }
    }
}
