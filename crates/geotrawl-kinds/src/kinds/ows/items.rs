//! Reads services whose datasets form a flat list: feature types, coverages, tile layers,
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

/// Service-specific parts of reading such a list. Everything else is shared.
pub trait ItemReader: Default {
    /// Kind id.
    const KIND: &'static str;

    /// Returns whether this element is a dataset.
    fn is_item(tag: Tag, path: &ElementPath<'_>) -> bool;

    /// Returns whether this child of a dataset contains its name.
    fn is_name(tag: Tag) -> bool;

    /// Called at the start of an element; returns `true` to skip the shared handling.
    fn start_element(
        &mut self,
        _tag: Tag,
        _path: &ElementPath<'_>,
        _element: &XmlReader<'_>,
        _list: &mut ItemCollector,
    ) -> bool {
        false
    }

    /// Called at the end of an element; returns `true` to skip the shared handling.
    fn end_element(
        &mut self,
        _tag: Tag,
        _path: &ElementPath<'_>,
        _text: &str,
        _list: &mut ItemCollector,
    ) -> bool {
        false
    }

    /// Called after a dataset was added; `None` if it was only counted.
    fn item_added(&mut self, _index: Option<usize>) {}

    /// Called at the end of the document.
    fn finish_document(&mut self, _list: &mut ItemCollector) {}
}

/// State of the list being read.
pub struct ItemCollector {
    /// The service under construction.
    pub draft: CapabilitiesDraft,
    /// Metadata of the service.
    pub metadata: ServiceMetadata,
    /// Open datasets, which may be nested.
    items: Vec<OpenItem>,
    corners: BoxCorners,
    crs_of_box: Option<String>,
}

/// An open dataset.
#[derive(Default)]
struct OpenItem {
    item: DatasetDraft,
    has_children: bool,
    /// Box in some CRS, used if there is no geographic one.
    fallback: Option<[f64; 4]>,
}

impl ItemCollector {
    /// Returns the innermost open dataset.
    pub fn item(&mut self) -> Option<&mut DatasetDraft> {
        self.items.last_mut().map(|open| &mut open.item)
    }

    /// Returns the innermost open dataset, and the draft in which texts are shared.
    pub fn item_and_draft(&mut self) -> Option<(&mut DatasetDraft, &mut CapabilitiesDraft)> {
        let open = self.items.last_mut()?;
        Some((&mut open.item, &mut self.draft))
    }

    /// Returns the box that has just ended, as written.
    pub fn corners(&self) -> Option<[f64; 4]> {
        self.corners.to_array()
    }

    /// Sets a geographic box on the innermost open dataset.
    pub fn take_box(&mut self, written: [f64; 4]) {
        let bbox = self.draft.take_box(written);
        if let Some(open) = self.items.last_mut() {
            open.item.bbox = open.item.bbox.or(bbox);
        }
    }
}

/// Reads a whole capabilities document.
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

/// Sets a field of a dataset from one of its child elements.
fn take_field<S: ItemReader>(tag: Tag, path: &ElementPath<'_>, text: &str, list: &mut ItemCollector) {
    let child = S::is_item(path.parent(), &path.parent_path());
    let Some((item, draft)) = list.item_and_draft() else { return };
    if tag == Tag::Format {
        // Formats may be nested in a separate list.
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
            // A folder without a name: its children are the datasets.
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
