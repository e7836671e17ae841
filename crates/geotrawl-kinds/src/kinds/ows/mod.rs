//! What the OGC services share: walking a capabilities document, and the parts that all of them have.

pub mod draft;
pub mod metadata;
mod software;
pub mod tag;
pub mod words;

use super::{Claim, Reading};
use crate::formats::bbox::{corner, number};
use crate::formats::xml::{Event, Reader};
use crate::sniff::XmlRoot;
pub use draft::{Draft, Item};
use metadata::ServiceMetadata;
pub use tag::Tag;

/// The longest text that is kept of one element while reading; what is stored is shorter still.
const TEXT_LIMIT: usize = 64 * 1024;

/// The open elements above the current one.
#[derive(Debug, Default)]
pub struct Path {
    tags: Vec<Tag>,
}

impl Path {
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

    /// Whether an ancestor has this tag.
    pub fn inside(&self, tag: Tag) -> bool {
        self.tags.contains(&tag)
    }

    /// Depth of the current element below the root.
    pub fn depth(&self) -> usize {
        self.tags.len()
    }
}

/// Takes what it needs while a document passes by.
pub trait Visitor {
    /// An element begins; its attributes are asked of the reader.
    fn start(&mut self, tag: Tag, path: &Path, element: &Reader<'_>);
    /// An element ends; `text` is its character data (for elements without children: all of it).
    fn end(&mut self, tag: Tag, path: &Path, text: &str);
    /// A comment.
    fn comment(&mut self, _text: &[u8]) {}
}

/// Reads to the end of the document. The root element has just begun.
pub fn walk<V: Visitor>(reader: &mut Reader<'_>, visitor: &mut V) {
    let mut path = Path { tags: vec![Tag::Root] };
    let mut text = String::new();
    loop {
        match reader.next() {
            Event::Start => {
                let tag = Tag::of(reader.local());
                if tag == Tag::Other && path.parent().is_prose() {
                    // Markup inside prose (`<b>`, `<br/>`) does not end the prose.
                    path.tags.push(Tag::InProse);
                    text.push(' ');
                } else {
                    text.clear();
                    visitor.start(tag, &path, reader);
                    path.tags.push(tag);
                }
            }
            Event::Text => {
                if path.parent() != Tag::Other && text.len() < TEXT_LIMIT {
                    reader.text_into(&mut text, TEXT_LIMIT);
                }
            }
            Event::End => match path.tags.pop() {
                None | Some(Tag::InProse) => {}
                Some(tag) => {
                    visitor.end(tag, &path, &text);
                    text.clear();
                }
            },
            Event::Comment => visitor.comment(reader.raw()),
            Event::Eof => return,
        }
    }
}

/// The corners of a box in `"lon lat"` order.
#[derive(Debug, Clone, Copy, Default)]
pub struct Corners {
    lower: Option<(f64, f64)>,
    upper: Option<(f64, f64)>,
}

impl Corners {
    /// The south-western corner.
    pub fn lower(&mut self, text: &str) {
        self.lower = corner(text);
    }

    /// The north-eastern corner.
    pub fn upper(&mut self, text: &str) {
        self.upper = corner(text);
    }

    /// `[west, south, east, north]`, when both are there.
    pub fn written(self) -> Option<[f64; 4]> {
        let ((west, south), (east, north)) = (self.lower?, self.upper?);
        Some([west, south, east, north])
    }
}

/// A box in attributes `minx`, `miny`, `maxx`, `maxy`.
pub fn attribute_box(element: &Reader<'_>) -> Option<[f64; 4]> {
    let edge = |name| element.attr_local(name).and_then(|v| number(&v));
    Some([edge("minx")?, edge("miny")?, edge("maxx")?, edge("maxy")?])
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
    Reading { resources: vec![resource], first_box }
}
