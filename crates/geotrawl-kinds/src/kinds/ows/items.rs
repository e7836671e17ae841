//! Reading services whose datasets stand in a flat list: feature types, coverages, tile layers,
//! processes, offerings.

use super::boxes::{BoxCorners, attribute_box, geographic_box};
use super::draft::CrsList;
use super::metadata::{ServiceMetadata, keyword_list};
use super::{
    CapabilitiesDraft, CapabilitiesVisitor, DatasetDraft, ElementPath, Tag, finish_reading, walk_document,
};
use crate::formats::bbox::classify_bbox;
use crate::formats::xml::XmlReader;
use crate::kinds::{DerivedEvidence, DocumentClaim, DocumentReading};
use crate::sniff::XmlRoot;

/// What is particular about one service. Everything else is the same for all.
pub trait ItemReader: Default {
    /// Kind id.
    const KIND: &'static str;

    /// Whether this element is a dataset.
    fn is_item(tag: Tag, path: &ElementPath<'_>) -> bool;

    /// Whether this child of a dataset holds its name.
    fn is_name(tag: Tag) -> bool;

    /// An element begins; `true` when nobody else needs to see it.
    fn start_element(
        &mut self,
        _tag: Tag,
        _path: &ElementPath<'_>,
        _element: &XmlReader<'_>,
        _list: &mut ItemCollector,
    ) -> bool {
        false
    }

    /// An element ends; `true` when nobody else needs to see it.
    fn end_element(
        &mut self,
        _tag: Tag,
        _path: &ElementPath<'_>,
        _text: &str,
        _list: &mut ItemCollector,
    ) -> bool {
        false
    }

    /// A dataset was added (or only counted).
    fn item_added(&mut self, _index: Option<usize>) {}

    /// The document has been read.
    fn finish_document(&mut self, _list: &mut ItemCollector) {}
}

/// The list in the making.
pub struct ItemCollector {
    /// The resource in the making.
    pub draft: CapabilitiesDraft,
    /// What is said of the service itself.
    pub metadata: ServiceMetadata,
    /// The datasets that are open: they may nest.
    items: Vec<OpenItem>,
    corners: BoxCorners,
    crs_of_box: Option<String>,
}

/// A dataset that is being read.
#[derive(Default)]
struct OpenItem {
    item: DatasetDraft,
    has_children: bool,
    /// A box in some CRS, used when there is no geographic one.
    fallback: Option<[f64; 4]>,
}

impl ItemCollector {
    /// The innermost dataset that is being read.
    pub fn item(&mut self) -> Option<&mut DatasetDraft> {
        self.items.last_mut().map(|open| &mut open.item)
    }

    /// The innermost dataset, and the draft to share texts with.
    pub fn item_and_draft(&mut self) -> Option<(&mut DatasetDraft, &mut CapabilitiesDraft)> {
        let open = self.items.last_mut()?;
        Some((&mut open.item, &mut self.draft))
    }

    /// The box that has just ended, as written.
    pub fn corners(&self) -> Option<[f64; 4]> {
        self.corners.to_array()
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
pub fn read_items<S: ItemReader>(
    reader: &mut XmlReader<'_>,
    root: &XmlRoot,
    claim: DocumentClaim,
    endpoint: &str,
) -> DocumentReading {
    let list = ItemCollector {
        draft: CapabilitiesDraft::new(S::KIND),
        metadata: ServiceMetadata::default(),
        items: Vec::new(),
        corners: BoxCorners::default(),
        crs_of_box: None,
    };
    let mut visitor = ItemVisitor { list, shape: S::default() };
    walk_document(reader, &mut visitor);
    let ItemVisitor { mut list, mut shape } = visitor;
    shape.finish_document(&mut list);
    let operations = std::mem::take(&mut list.metadata.operations);
    let profiles = std::mem::take(&mut list.metadata.profiles);
    let reading = finish_reading(reader, root, claim, endpoint, list.draft, list.metadata);
    DocumentReading {
        signs: DerivedEvidence { operations, profiles, ..DerivedEvidence::default() },
        ..reading
    }
}

struct ItemVisitor<S> {
    list: ItemCollector,
    shape: S,
}

impl<S: ItemReader> CapabilitiesVisitor for ItemVisitor<S> {
    fn start_element(&mut self, tag: Tag, path: &ElementPath<'_>, element: &XmlReader<'_>) {
        let list = &mut self.list;
        if S::is_item(tag, path) {
            if let Some(parent) = list.items.last_mut() {
                parent.has_children = true;
            }
            list.items.push(OpenItem::default());
        }
        if self.shape.start_element(tag, path, element, list) {
            return;
        }
        match tag {
            Tag::LatLonBox if !list.items.is_empty() => {
                if let Some(written) = attribute_box(element) {
                    list.take_box(written);
                }
            }
            Tag::Wgs84Box | Tag::BoundingBox | Tag::Envelope | Tag::LonLatEnvelope => {
                list.corners = BoxCorners::default();
                list.crs_of_box = match tag {
                    Tag::BoundingBox => element.attr_by_local_name("crs").map(std::borrow::Cow::into_owned),
                    Tag::Envelope => element.attr_by_local_name("srsName").map(std::borrow::Cow::into_owned),
                    _ => None,
                };
            }
            _ => list.metadata.start_element(tag, path, element, &mut list.draft),
        }
    }

    fn end_element(&mut self, tag: Tag, path: &ElementPath<'_>, text: &str) {
        let list = &mut self.list;
        if self.shape.end_element(tag, path, text, list) {
            return;
        }
        if S::is_item(tag, path) {
            self.close();
            return;
        }
        if list.items.is_empty() {
            list.metadata.end_element(tag, path, text, &mut list.draft);
            return;
        }
        match tag {
            Tag::LowerCorner => list.corners.set_lower(text),
            Tag::UpperCorner => list.corners.set_upper(text),
            Tag::Pos if path.parent() == Tag::LonLatEnvelope => list.corners.set_next(text),
            Tag::Wgs84Box | Tag::LonLatEnvelope => {
                if let Some(written) = list.corners.to_array() {
                    list.take_box(written);
                }
            }
            Tag::BoundingBox => {
                let crs = list.crs_of_box.take();
                if let (Some(written), Some(crs)) = (list.corners.to_array(), crs)
                    && let Some(open) = list.items.last_mut()
                    && open.fallback.is_none()
                {
                    open.fallback = geographic_box(&crs, written);
                }
            }
            Tag::Keyword => {
                if path.ancestor(1) != Tag::Style
                    && let Some((item, draft)) = list.item_and_draft()
                {
                    draft.add_keyword(item, text);
                }
            }
            _ => take_field::<S>(tag, path, text, list),
        }
    }

    fn visit_comment(&mut self, text: &[u8]) {
        self.list.metadata.note_software_text(&String::from_utf8_lossy(&text[..text.len().min(1024)]));
    }
}

/// A direct child of a dataset.
fn take_field<S: ItemReader>(tag: Tag, path: &ElementPath<'_>, text: &str, list: &mut ItemCollector) {
    let child = S::is_item(path.parent(), &path.parent_path());
    let Some((item, draft)) = list.item_and_draft() else { return };
    if tag == Tag::Format {
        // Formats may stand in a list of their own.
        if !path.is_inside(Tag::Style) && !path.is_inside(Tag::Metadata) {
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

impl<S: ItemReader> ItemVisitor<S> {
    fn close(&mut self) {
        let Some(OpenItem { mut item, has_children, fallback }) = self.list.items.pop() else { return };
        if has_children && item.name.is_none() {
            // A folder: its children were the datasets.
            return;
        }
        if item.bbox.is_none() {
            item.bbox = fallback.and_then(|written| classify_bbox(written).bbox());
        }
        let own = std::mem::take(&mut item.crs);
        let crs = self.list.draft.crs_list(CrsList::default(), &own);
        let index = self.list.draft.add_dataset(item, crs);
        self.shape.item_added(index);
    }
}
