//! Reading services whose datasets stand in a flat list: feature types, coverages, tile layers,
//! processes, offerings.

use super::boxes::{Corners, attribute_box, geographic};
use super::draft::CrsList;
use super::metadata::{ServiceMetadata, keyword_list};
use super::{Draft, Item, Path, Tag, Visitor, finish, walk};
use crate::formats::bbox::classify;
use crate::formats::xml::Reader;
use crate::kinds::{Claim, Reading, Signs};
use crate::sniff::XmlRoot;

/// What is particular about one service. Everything else is the same for all.
pub trait Shape: Default {
    /// Kind id.
    const KIND: &'static str;

    /// Whether this element is a dataset.
    fn is_item(tag: Tag, path: &Path<'_>) -> bool;

    /// Whether this child of a dataset holds its name.
    fn is_name(tag: Tag) -> bool;

    /// An element begins; `true` when nobody else needs to see it.
    fn start(&mut self, _tag: Tag, _path: &Path<'_>, _element: &Reader<'_>, _list: &mut List) -> bool {
        false
    }

    /// An element ends; `true` when nobody else needs to see it.
    fn end(&mut self, _tag: Tag, _path: &Path<'_>, _text: &str, _list: &mut List) -> bool {
        false
    }

    /// A dataset was added (or only counted).
    fn added(&mut self, _index: Option<usize>) {}

    /// The document has been read.
    fn settle(&mut self, _list: &mut List) {}
}

/// The list in the making.
pub struct List {
    /// The resource in the making.
    pub draft: Draft,
    /// What is said of the service itself.
    pub metadata: ServiceMetadata,
    /// The datasets that are open: they may nest.
    items: Vec<Open>,
    corners: Corners,
    crs_of_box: Option<String>,
}

/// A dataset that is being read.
#[derive(Default)]
struct Open {
    item: Item,
    has_children: bool,
    /// A box in some CRS, used when there is no geographic one.
    fallback: Option<[f64; 4]>,
}

impl List {
    /// The innermost dataset that is being read.
    pub fn item(&mut self) -> Option<&mut Item> {
        self.items.last_mut().map(|open| &mut open.item)
    }

    /// The innermost dataset, and the draft to share texts with.
    pub fn item_and_draft(&mut self) -> Option<(&mut Item, &mut Draft)> {
        let open = self.items.last_mut()?;
        Some((&mut open.item, &mut self.draft))
    }

    /// The box that has just ended, as written.
    pub fn corners(&self) -> Option<[f64; 4]> {
        self.corners.written()
    }

    /// Takes a geographic box for the innermost dataset.
    pub fn take_box(&mut self, written: [f64; 4]) {
        let bbox = self.draft.take_box(written);
        if let Some(open) = self.items.last_mut() {
            open.item.bbox = open.item.bbox.or(bbox);
        }
    }
}

/// Reads a whole document of a service of this shape.
pub fn read<S: Shape>(reader: &mut Reader<'_>, root: &XmlRoot, claim: Claim, endpoint: &str) -> Reading {
    let list = List {
        draft: Draft::new(S::KIND),
        metadata: ServiceMetadata::default(),
        items: Vec::new(),
        corners: Corners::default(),
        crs_of_box: None,
    };
    let mut visitor = Items { list, shape: S::default() };
    walk(reader, &mut visitor);
    let Items { mut list, mut shape } = visitor;
    shape.settle(&mut list);
    let operations = std::mem::take(&mut list.metadata.operations);
    let profiles = std::mem::take(&mut list.metadata.profiles);
    let reading = finish(reader, root, claim, endpoint, list.draft, list.metadata);
    Reading { signs: Signs { operations, profiles, ..Signs::default() }, ..reading }
}

struct Items<S> {
    list: List,
    shape: S,
}

impl<S: Shape> Visitor for Items<S> {
    fn start(&mut self, tag: Tag, path: &Path<'_>, element: &Reader<'_>) {
        let list = &mut self.list;
        if S::is_item(tag, path) {
            if let Some(parent) = list.items.last_mut() {
                parent.has_children = true;
            }
            list.items.push(Open::default());
        }
        if self.shape.start(tag, path, element, list) {
            return;
        }
        match tag {
            Tag::LatLonBox if !list.items.is_empty() => {
                if let Some(written) = attribute_box(element) {
                    list.take_box(written);
                }
            }
            Tag::Wgs84Box | Tag::BoundingBox | Tag::Envelope | Tag::LonLatEnvelope => {
                list.corners = Corners::default();
                list.crs_of_box = match tag {
                    Tag::BoundingBox => element.attr_local("crs").map(std::borrow::Cow::into_owned),
                    Tag::Envelope => element.attr_local("srsName").map(std::borrow::Cow::into_owned),
                    _ => None,
                };
            }
            _ => list.metadata.start(tag, path, element, &mut list.draft),
        }
    }

    fn end(&mut self, tag: Tag, path: &Path<'_>, text: &str) {
        let list = &mut self.list;
        if self.shape.end(tag, path, text, list) {
            return;
        }
        if S::is_item(tag, path) {
            self.close();
            return;
        }
        if list.items.is_empty() {
            list.metadata.end(tag, path, text, &mut list.draft);
            return;
        }
        match tag {
            Tag::LowerCorner => list.corners.lower(text),
            Tag::UpperCorner => list.corners.upper(text),
            Tag::Pos if path.parent() == Tag::LonLatEnvelope => list.corners.next(text),
            Tag::Wgs84Box | Tag::LonLatEnvelope => {
                if let Some(written) = list.corners.written() {
                    list.take_box(written);
                }
            }
            Tag::BoundingBox => {
                let crs = list.crs_of_box.take();
                if let (Some(written), Some(crs)) = (list.corners.written(), crs)
                    && let Some(open) = list.items.last_mut()
                    && open.fallback.is_none()
                {
                    open.fallback = geographic(&crs, written);
                }
            }
            Tag::Keyword => {
                if path.above(1) != Tag::Style
                    && let Some((item, draft)) = list.item_and_draft()
                {
                    draft.add_keyword(item, text);
                }
            }
            _ => take_field::<S>(tag, path, text, list),
        }
    }

    fn comment(&mut self, text: &[u8]) {
        self.list.metadata.sign(&String::from_utf8_lossy(&text[..text.len().min(1024)]));
    }
}

/// A direct child of a dataset.
fn take_field<S: Shape>(tag: Tag, path: &Path<'_>, text: &str, list: &mut List) {
    let child = S::is_item(path.parent(), &path.up());
    let Some((item, draft)) = list.item_and_draft() else { return };
    if tag == Tag::Format {
        // Formats may stand in a list of their own.
        if !path.inside(Tag::Style) && !path.inside(Tag::Metadata) {
            draft.add_format(item, text);
        }
        return;
    }
    if !child {
        return;
    }
    match tag {
        _ if S::is_name(tag) => item.set_name(text),
        Tag::Title => item.set_title(text),
        Tag::Abstract => item.set_abstract(text),
        Tag::Crs => draft.add_crs(&mut item.crs, text),
        Tag::KeywordList => {
            for word in keyword_list(text) {
                draft.add_keyword(item, word);
            }
        }
        _ => {}
    }
}

impl<S: Shape> Items<S> {
    fn close(&mut self) {
        let Some(Open { mut item, has_children, fallback }) = self.list.items.pop() else { return };
        if has_children && item.name.is_none() {
            // A folder: its children were the datasets.
            return;
        }
        if item.bbox.is_none() {
            item.bbox = fallback.and_then(|written| classify(written).bbox());
        }
        let own = std::mem::take(&mut item.crs);
        let crs = self.list.draft.crs_list(CrsList::default(), &own);
        let index = self.list.draft.push(item, crs);
        self.shape.added(index);
    }
}
