//! Parses objects.

use super::{DCTERMS, DIDL, DII};
use data_encoding::BASE64;
use quick_xml::events::Event;
use quick_xml::name::ResolveResult;
use quick_xml::{NsReader, escape::unescape};
use std::io::BufRead;

/// Maximum depth of elements.
const DEEPEST: usize = 64;

/// Reason why a document is not a valid object.
#[derive(Debug, thiserror::Error)]
pub enum DidlError {
    #[error("the object is not well-formed: {0}")]
    Xml(String),
    #[error("the object has an invalid structure: {0}")]
    Layout(String),
}

/// A parsed object.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DidlObject {
    /// `ACRONYM:timestamp`.
    pub document: String,
    /// The container's identifier: the acronym.
    pub acronym: String,
    pub created: String,
    pub items: Vec<DidlItem>,
}

/// An item of a parsed object.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DidlItem {
    pub id: String,
    pub created: String,
    pub modified: Option<String>,
    pub metadata_id: String,
    pub data_id: String,
    /// Names and values of the metadata fields.
    pub fields: Vec<(String, String)>,
    pub media_type: String,
    pub reference: String,
    pub value: Vec<u8>,
}

/// Parses an object into memory. Only for objects that are known to fit.
pub fn read_object(from: impl BufRead) -> Result<DidlObject, DidlError> {
    let mut reader = NsReader::from_reader(from);
    let mut buffer = Vec::new();
    let mut walk = DidlParser::default();
    loop {
        let xml = |error: &dyn std::fmt::Display| DidlError::Xml(error.to_string());
        buffer.clear();
        let (space, event) = reader.read_resolved_event_into(&mut buffer).map_err(|error| xml(&error))?;
        let space = match &space {
            ResolveResult::Bound(space) => space.as_ref().to_owned(),
            _ => String::new(),
        };
        match event {
            Event::Start(element) => {
                let name = element.local_name().as_ref().to_owned();
                let attributes = read_attributes(&element)?;
                walk.start(&space, &name, attributes)?;
            }
            Event::Empty(element) => {
                let name = element.local_name().as_ref().to_owned();
                let attributes = read_attributes(&element)?;
                walk.start(&space, &name, attributes)?;
                walk.end()?;
            }
            Event::End(_) => walk.end()?,
            Event::Text(text) => {
                walk.text.push_str(&text);
            }
            Event::GeneralRef(reference) => {
                let whole = format!("&{};", &*reference);
                walk.text.push_str(&unescape(&whole).map_err(|error| xml(&error))?);
            }
            Event::DocType(_) => {
                return Err(DidlError::Layout("document type declarations are not allowed".to_owned()));
            }
            Event::Eof => break,
            _ => {}
        }
    }
    if walk.open.is_empty() && walk.whole {
        Ok(walk.object)
    } else {
        Err(DidlError::Layout("the document is incomplete".to_owned()))
    }
}

fn read_attributes(element: &quick_xml::events::BytesStart<'_>) -> Result<Vec<(String, String)>, DidlError> {
    element
        .attributes()
        .map(|attribute| {
            let attribute = attribute.map_err(|error| DidlError::Xml(error.to_string()))?;
            let value =
                unescape(&attribute.value).map_err(|error| DidlError::Xml(error.to_string()))?.into_owned();
            Ok((attribute.key.as_ref().to_owned(), value))
        })
        .collect()
}

#[derive(Default)]
struct DidlParser {
    open: Vec<(String, Vec<(String, String)>)>,
    text: String,
    object: DidlObject,
    whole: bool,
}

impl DidlParser {
    fn start(&mut self, space: &str, name: &str, attributes: Vec<(String, String)>) -> Result<(), DidlError> {
        let layout = |what: &str| Err(DidlError::Layout(what.to_owned()));
        if self.open.len() >= DEEPEST {
            return layout("elements are nested too deeply");
        }
        let expected = match name {
            "DIDL" | "Container" | "Item" | "Descriptor" | "Statement" | "Component" | "Resource" => DIDL,
            "Identifier" => DII,
            "created" | "modified" => DCTERMS,
            _ => space,
        };
        if space != expected {
            return layout(&format!("{name} has the wrong namespace"));
        }
        if self.open.is_empty() && name != "DIDL" {
            return layout("the root element is not DIDL");
        }
        if name == "DIDL" {
            self.object.document = find_attribute(&attributes, "DIDLDocumentId").unwrap_or_default();
        }
        if name == "Item" && self.items_open() == 0 {
            self.object.items.push(DidlItem::default());
        }
        self.text.clear();
        self.open.push((name.to_owned(), attributes));
        Ok(())
    }

    fn items_open(&self) -> usize {
        self.open.iter().filter(|(name, _)| name == "Item").count()
    }

    fn end(&mut self) -> Result<(), DidlError> {
        let depth = self.items_open();
        let Some((name, attributes)) = self.open.pop() else { return Ok(()) };
        self.whole |= self.open.is_empty() && name == "DIDL";
        let text = std::mem::take(&mut self.text);
        if depth == 0 {
            match name.as_str() {
                "Identifier" => self.object.acronym = text,
                "created" => self.object.created = text,
                _ => {}
            }
            return Ok(());
        }
        let Some(item) = self.object.items.last_mut() else { return Ok(()) };
        match (name.as_str(), depth) {
            ("Identifier", 1) => item.id = text,
            ("Identifier", _) if text.ends_with("#METADATA") => item.metadata_id = text,
            ("Identifier", _) if text.ends_with("#DATA") => item.data_id = text,
            ("created", 1) => item.created = text,
            ("modified", 1) => item.modified = Some(text),
            ("field", _) => item.fields.push((find_attribute(&attributes, "name").unwrap_or_default(), text)),
            ("Resource", _) => {
                if let Some(reference) = find_attribute(&attributes, "ref") {
                    item.reference = reference;
                    item.media_type = find_attribute(&attributes, "mimeType").unwrap_or_default();
                } else if find_attribute(&attributes, "encoding").as_deref() == Some("base64") {
                    item.value = BASE64
                        .decode(text.as_bytes())
                        .map_err(|error| DidlError::Layout(format!("invalid base 64: {error}")))?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}

fn find_attribute(attributes: &[(String, String)], wanted: &str) -> Option<String> {
    attributes.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone())
}

#[cfg(test)]
mod tests {
    use super::super::{DidlWriter, ItemHead, ObjectHead, object_identifier};
    use super::*;
    use crate::metadata::{Metadata, MetadataOrigin};

    fn object(url: &str, title: &str, data: &[u8]) -> Vec<u8> {
        let run = "2026-11-16T10:00:00Z".parse().unwrap();
        let head = ObjectHead { acronym: "ISCCP", run, title, results: Some("[{\"a\":\"<&>\"}]") };
        let mut writer = DidlWriter::begin(Vec::new(), &head).unwrap();
        let mut metadata = Metadata { title: Some(title.to_owned()), ..Metadata::default() };
        metadata.add_field(MetadataOrigin::Meta, "odd\u{1}name", title);
        let item = ItemHead {
            url,
            created: run,
            modified: Some("2026-11-17T10:00:00.5Z".parse().unwrap()),
            media_type: "text/html; charset=\"x\"",
            reference: "http://here.example/replay/a?b=1&c",
            metadata: &metadata,
        };
        writer.write_item(&item, data).unwrap();
        writer.write_item(&ItemHead { modified: None, ..item }, &b""[..]).unwrap();
        writer.finish().unwrap()
    }

    #[test]
    fn an_object_is_laid_out_as_in_the_paper() {
        let data: Vec<u8> = (0..100_000_u32).map(|n| (n % 251) as u8).collect();
        let bytes = object("http://a.example/?x=1&y", "A <b> \u{0}\u{b}title", &data);
        let object = read_object(&bytes[..]).unwrap();
        assert_eq!(object.document, object_identifier("ISCCP", "2026-11-16T10:00:00Z".parse().unwrap()));
        assert_eq!(object.document, "ISCCP:2026-11-16T10:00:00Z");
        assert_eq!((object.acronym.as_str(), object.created.as_str()), ("ISCCP", "2026-11-16T10:00:00Z"));
        let [item, empty] = &object.items[..] else { panic!("{object:?}") };
        assert_eq!(item.id, "ISCCP:http://a.example/?x=1&y");
        assert_eq!(item.metadata_id, format!("{}#METADATA", item.id));
        assert_eq!(item.data_id, format!("{}#DATA", item.id));
        assert_eq!(item.modified.as_deref(), Some("2026-11-17T10:00:00.500000Z"));
        assert_eq!(item.value, data);
        assert_eq!(item.reference, "http://here.example/replay/a?b=1&c");
        assert_eq!(item.media_type, "text/html; charset=\"x\"");
        assert_eq!(item.fields, [("oddname".to_owned(), "A <b> title".to_owned())]);
        assert!(empty.value.is_empty() && empty.modified.is_none());
    }

    #[test]
    fn other_documents_are_refused() {
        assert!(matches!(read_object(&b"<x/>"[..]), Err(DidlError::Layout(_))));
        assert!(read_object(&b"<!DOCTYPE x><x/>"[..]).is_err());
        let bytes = object("http://a.example/", "t", b"x");
        assert!(read_object(&bytes[..bytes.len() - 20]).is_err());
    }

    proptest::proptest! {
        #[test]
        fn whatever_is_in_it_comes_back(url in "http://a\\.example/[!-~]{0,30}", title in ".{0,40}", data in proptest::collection::vec(proptest::num::u8::ANY, 0..200)) {
            let object = read_object(&object(&url, &title, &data)[..]).unwrap();
            proptest::prop_assert_eq!(&object.items[0].value, &data);
            proptest::prop_assert_eq!(&object.items[0].id, &format!("ISCCP:{url}"));
        }

        #[test]
        fn strange_bytes_are_refused_or_read(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..300)) {
            let _ = read_object(&bytes[..]);
        }
    }
}
