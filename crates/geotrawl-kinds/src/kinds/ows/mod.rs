//! What the OGC services share: walking a capabilities document, and the parts that all of them have.

pub mod boxes;
pub mod draft;
pub mod items;
pub mod metadata;
pub(super) mod software;
pub mod tag;
pub mod words;

use super::{Claim, Reading};
use crate::formats::xml::{Event, Reader};
use crate::sniff::XmlRoot;
pub use draft::{Draft, Item};
use metadata::ServiceMetadata;
pub use tag::Tag;

/// The longest text that is kept of one element while reading; what is stored is shorter still.
const TEXT_LIMIT: usize = 64 * 1024;

/// The open elements above the current one.
#[derive(Debug, Clone, Copy)]
pub struct Path<'p> {
    tags: &'p [Tag],
}

impl Path<'_> {
    /// The parent of the current element.
    #[inline]
    pub fn parent(&self) -> Tag {
        self.tags.last().copied().unwrap_or(Tag::Other)
    }

    /// The ancestor `up` levels above the parent.
    #[inline]
    pub fn above(&self, up: usize) -> Tag {
        self.tags.len().checked_sub(up + 1).map_or(Tag::Other, |i| self.tags[i])
    }

    /// The path of the parent.
    #[inline]
    #[must_use]
    pub fn up(&self) -> Self {
        Self { tags: self.tags.split_last().map_or(&[], |(_, above)| above) }
    }

    /// Whether an ancestor has this tag.
    pub fn inside(&self, tag: Tag) -> bool {
        self.tags.contains(&tag)
    }
}

/// Takes what it needs while a document passes by.
pub trait Visitor {
    /// An element begins; its attributes are asked of the reader.
    fn start(&mut self, tag: Tag, path: &Path<'_>, element: &Reader<'_>);
    /// An element ends; `text` is its character data (for elements without children: all of it).
    fn end(&mut self, tag: Tag, path: &Path<'_>, text: &str);
    /// A comment.
    fn comment(&mut self, _text: &[u8]) {}
}

/// Reads to the end of the document. The root element has just begun.
pub fn walk<V: Visitor>(reader: &mut Reader<'_>, visitor: &mut V) {
    let mut tags = vec![Tag::Root];
    let mut text = String::new();
    loop {
        let top = tags.last().copied().unwrap_or(Tag::Other);
        match reader.next() {
            Event::Start => {
                let tag = Tag::of(reader.local());
                if tag == Tag::Other && top.is_prose() {
                    // Markup inside prose (`<b>`, `<br/>`) does not end the prose.
                    tags.push(Tag::InProse);
                    text.push(' ');
                } else {
                    text.clear();
                    visitor.start(tag, &Path { tags: &tags }, reader);
                    tags.push(tag);
                }
            }
            Event::Text => {
                if top != Tag::Other && text.len() < TEXT_LIMIT {
                    reader.text_into(&mut text, TEXT_LIMIT);
                }
            }
            Event::End => match tags.pop() {
                None | Some(Tag::InProse) => {}
                Some(tag) => {
                    visitor.end(tag, &Path { tags: &tags }, &text);
                    text.clear();
                }
            },
            Event::Comment => visitor.comment(reader.raw()),
            Event::Eof => return,
        }
    }
}

/// Puts the parts together once the document has been read.
pub fn finish(
    reader: &Reader<'_>,
    root: &XmlRoot,
    claim: Claim,
    endpoint: &str,
    mut draft: Draft,
    mut metadata: ServiceMetadata,
) -> Reading {
    endpoint.clone_into(&mut draft.resource.url);
    metadata.sign(&root.comments);
    for (name, value) in &root.attrs {
        if name.starts_with("xmlns") || name.ends_with("schemaLocation") {
            metadata.sign(value);
        }
    }
    let advertised = metadata.advertised.take();
    metadata.settle(endpoint, &mut draft);
    if let Some(version) = claim.version {
        draft.resource.versions.retain(|v| *v != version);
        draft.resource.versions.insert(0, version);
    }
    if let Some((code, message)) = claim.oddity {
        draft.issue(code, message);
    }
    if let Some(violation) = reader.violation() {
        draft.issue("xml-not-well-formed", format!("the document is not well-formed XML: {violation}"));
    }
    if reader.has_unresolved_entities() {
        draft.issue("xml-entities", "the document uses entities that are not expanded");
    }
    let (resource, first_box) = draft.finish();
    Reading {
        resources: vec![resource],
        first_box,
        violation: reader.violation().cloned(),
        advertised,
        ..Reading::default()
    }
}

/// The claim of a service whose root is called `Capabilities`, like that of so many others: the namespace
/// decides. Without one (an undeclared prefix, a forgetful server), prefix or `service` attribute must
/// name the service.
pub fn capabilities_root(root: &XmlRoot, kind: &str, namespaces: &[&str]) -> Option<Claim> {
    if root.local != "Capabilities" {
        return None;
    }
    if let Some(ns) = root.namespace.as_deref() {
        return namespaces.iter().any(|known| ns.contains(known)).then(|| Claim::of(root));
    }
    let named = root.prefix.eq_ignore_ascii_case(kind)
        || root.attr("service").is_some_and(|s| s.trim().eq_ignore_ascii_case(kind));
    named.then(|| Claim::without_namespace(root))
}
