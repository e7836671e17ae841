//! Shared by the OGC services: walking a capabilities document, and the parts common to all of
//! them.

pub mod boxes;
pub mod draft;
pub mod items;
pub mod metadata;
pub(super) mod software;
pub mod tag;
pub mod words;

use super::{DocumentClaim, DocumentReading};
use crate::formats::xml::{XmlEvent, XmlReader};
use crate::sniff::XmlRoot;
pub use draft::{CapabilitiesDraft, DatasetDraft};
use metadata::ServiceMetadata;
pub use tag::Tag;

/// Maximum length of the text of one element while reading; what is stored is shorter still.
const TEXT_LIMIT: usize = 64 * 1024;

/// The open elements above the current one.
#[derive(Debug, Clone, Copy)]
pub struct ElementPath<'p> {
    tags: &'p [Tag],
}

impl ElementPath<'_> {
    /// Returns the parent of the current element.
    #[inline]
    pub fn parent(&self) -> Tag {
        self.tags.last().copied().unwrap_or(Tag::Other)
    }

    /// Returns the ancestor `up` levels above the parent.
    #[inline]
    pub fn ancestor(&self, up: usize) -> Tag {
        self.tags.len().checked_sub(up + 1).map_or(Tag::Other, |i| self.tags[i])
    }

    /// Returns the path of the parent.
    #[inline]
    #[must_use]
    pub fn parent_path(&self) -> Self {
        Self { tags: self.tags.split_last().map_or(&[], |(_, above)| above) }
    }

    /// Returns whether an ancestor has this tag.
    pub fn is_inside(&self, tag: Tag) -> bool {
        self.tags.contains(&tag)
    }
}

/// Receives the events of a capabilities document.
pub trait CapabilitiesVisitor {
    /// Called at the start of an element; its attributes can be read from `element`.
    fn start_element(&mut self, tag: Tag, path: &ElementPath<'_>, element: &XmlReader<'_>);
    /// Called at the end of an element; `text` is its character data (all of it if it has no
    /// children).
    fn end_element(&mut self, tag: Tag, path: &ElementPath<'_>, text: &str);
    /// Called for a comment.
    fn visit_comment(&mut self, _text: &[u8]) {}
}

/// Reads to the end of the document. The reader has just entered the root element.
pub fn walk_document<V: CapabilitiesVisitor>(reader: &mut XmlReader<'_>, visitor: &mut V) {
    let mut tags = vec![Tag::Root];
    let mut text = String::new();
    loop {
        let top = tags.last().copied().unwrap_or(Tag::Other);
        match reader.next() {
            XmlEvent::Start => {
                let tag = Tag::of(reader.local_name());
                if tag == Tag::Other && top.is_prose() {
                    // Markup inside prose (`<b>`, `<br/>`) must not end the text.
                    tags.push(Tag::InProse);
                    text.push(' ');
                } else {
                    text.clear();
                    visitor.start_element(tag, &ElementPath { tags: &tags }, reader);
                    tags.push(tag);
                }
            }
            XmlEvent::Text => {
                if top != Tag::Other && text.len() < TEXT_LIMIT {
                    reader.append_text(&mut text, TEXT_LIMIT);
                }
            }
            XmlEvent::End => match tags.pop() {
                None | Some(Tag::InProse) => {}
                Some(tag) => {
                    visitor.end_element(tag, &ElementPath { tags: &tags }, &text);
                    text.clear();
                }
            },
            XmlEvent::Comment => visitor.visit_comment(reader.raw_bytes()),
            XmlEvent::Eof => return,
        }
    }
}

/// Builds the reading at the end of the document.
pub fn finish_reading(
    reader: &XmlReader<'_>,
    root: &XmlRoot,
    claim: DocumentClaim,
    endpoint: &str,
    mut draft: CapabilitiesDraft,
    mut metadata: ServiceMetadata,
) -> DocumentReading {
    endpoint.clone_into(&mut draft.resource.url);
    metadata.note_software_text(&root.comments);
    for (name, value) in &root.attrs {
        if name.starts_with("xmlns") || name.ends_with("schemaLocation") {
            metadata.note_software_text(value);
        }
    }
    let advertised = metadata.advertised.take();
    metadata.write_to_draft(endpoint, &mut draft);
    if let Some(version) = claim.version {
        draft.resource.versions.retain(|v| *v != version);
        draft.resource.versions.insert(0, version);
    }
    if let Some((code, message)) = claim.oddity {
        draft.add_issue(code, message);
    }
    if let Some(violation) = reader.violation() {
        draft.add_issue("xml-not-well-formed", format!("the document is not well-formed XML: {violation}"));
    }
    if reader.has_unresolved_entities() {
        draft.add_issue("xml-entities", "the document uses entities that are not expanded");
    }
    let (resource, first_box) = draft.finish();
    DocumentReading {
        resources: vec![resource],
        first_box,
        violation: reader.violation().cloned(),
        advertised,
        ..DocumentReading::default()
    }
}

/// Returns the claim for a root called `Capabilities`, a name shared by many services: the
/// namespace decides. Without one (undeclared prefix, or forgotten by the server), the prefix or
/// the `service` attribute must name the service.
pub fn capabilities_root(root: &XmlRoot, kind: &str, namespaces: &[&str]) -> Option<DocumentClaim> {
    if root.local != "Capabilities" {
        return None;
    }
    if let Some(ns) = root.namespace.as_deref() {
        return namespaces.iter().any(|known| ns.contains(known)).then(|| DocumentClaim::from_root(root));
    }
    let named = root.prefix.eq_ignore_ascii_case(kind)
        || root.attr("service").is_some_and(|s| s.trim().eq_ignore_ascii_case(kind));
    named.then(|| DocumentClaim::without_namespace(root))
}
