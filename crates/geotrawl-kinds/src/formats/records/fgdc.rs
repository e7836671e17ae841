//! FGDC Content Standard for Digital Geospatial Metadata, including the variant that ESRI software
//! writes.

use super::ParsedRecord;
use super::builder::{CatalogueRecordBuilder, is_web_url, set_if_empty};
use super::extent::BoxEdge;
use super::walk::{RecordVisitor, walk_record};
use crate::formats::xml::XmlReader;
use geotrawl_model::{Contact, RecordLink};

/// Elements that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FgdcTag {
    Metadata,
    IdInfo,
    Citation,
    CrossReference,
    CiteInfo,
    Title,
    Origin,
    PublicationDate,
    Form,
    Link,
    Abstract,
    ThemeKey,
    West,
    South,
    East,
    North,
    Bounding,
    Begin,
    End,
    Instant,
    TimeInfo,
    AccessConstraints,
    UseConstraints,
    ContactInfo,
    Organisation,
    Person,
    Mail,
    Phone,
    MetadataDate,
    MetadataId,
    NetworkResource,
    FormatName,
    DataSetId,
    ProjectedName,
    GeographicName,
    Distribution,
    Lineage,
    Other,
}

/// Reads an FGDC record.
pub fn read_fgdc(reader: &mut XmlReader<'_>) -> ParsedRecord {
    let mut record = FgdcVisitor::default();
    if let Some(language) = reader.attr("xml:lang") {
        record.draft.set_language(&language);
    }
    let complete = walk_record(reader, &mut record);
    record.settle(complete)
}

#[derive(Default)]
struct FgdcVisitor {
    draft: CatalogueRecordBuilder,
    begin: String,
    end: String,
    contact: Contact,
    published: Option<String>,
    format: Option<String>,
}

impl RecordVisitor for FgdcVisitor {
    type Tag = FgdcTag;

    fn tag_for_name(local: &[u8]) -> FgdcTag {
        match local {
            b"metadata" => FgdcTag::Metadata,
            b"idinfo" => FgdcTag::IdInfo,
            b"citation" => FgdcTag::Citation,
            b"crossref" => FgdcTag::CrossReference,
            b"citeinfo" => FgdcTag::CiteInfo,
            b"title" => FgdcTag::Title,
            b"origin" => FgdcTag::Origin,
            b"pubdate" => FgdcTag::PublicationDate,
            b"geoform" => FgdcTag::Form,
            b"onlink" => FgdcTag::Link,
            b"abstract" => FgdcTag::Abstract,
            b"themekey" | b"placekey" | b"tempkey" | b"stratkey" => FgdcTag::ThemeKey,
            b"westbc" => FgdcTag::West,
            b"southbc" => FgdcTag::South,
            b"eastbc" => FgdcTag::East,
            b"northbc" => FgdcTag::North,
            b"bounding" => FgdcTag::Bounding,
            b"begdate" => FgdcTag::Begin,
            b"enddate" => FgdcTag::End,
            b"caldate" => FgdcTag::Instant,
            b"timeinfo" => FgdcTag::TimeInfo,
            b"accconst" => FgdcTag::AccessConstraints,
            b"useconst" => FgdcTag::UseConstraints,
            b"cntinfo" => FgdcTag::ContactInfo,
            b"cntorg" => FgdcTag::Organisation,
            b"cntper" => FgdcTag::Person,
            b"cntemail" => FgdcTag::Mail,
            b"cntvoice" => FgdcTag::Phone,
            b"metd" => FgdcTag::MetadataDate,
            b"MetaID" | b"PublishedDocID" => FgdcTag::MetadataId,
            b"networkr" => FgdcTag::NetworkResource,
            b"formname" => FgdcTag::FormatName,
            b"datsetid" | b"resdesc" => FgdcTag::DataSetId,
            b"projcsn" => FgdcTag::ProjectedName,
            b"geogcsn" => FgdcTag::GeographicName,
            b"distinfo" => FgdcTag::Distribution,
            b"dataqual" | b"lineage" => FgdcTag::Lineage,
            _ => FgdcTag::Other,
        }
    }

    fn is_prose(name: FgdcTag) -> bool {
        matches!(name, FgdcTag::Abstract | FgdcTag::UseConstraints | FgdcTag::AccessConstraints)
    }

    fn start_element(&mut self, _name: FgdcTag, _path: &[FgdcTag], _element: &XmlReader<'_>) {}

    fn end_element(&mut self, name: FgdcTag, path: &[FgdcTag], text: &str) {
        if path.contains(&FgdcTag::Lineage) {
            return;
        }
        let own = path.contains(&FgdcTag::Citation) && !path.contains(&FgdcTag::CrossReference);
        let identifies = path.contains(&FgdcTag::IdInfo);
        let draft = &mut self.draft;
        match name {
            FgdcTag::Title if own && identifies => draft.set_title(text),
            FgdcTag::Origin if own && identifies => draft.set_provider(text),
            FgdcTag::PublicationDate if own => set_if_empty(&mut self.published, text, 64),
            FgdcTag::Form if own => {}
            FgdcTag::Link if !path.contains(&FgdcTag::CrossReference) && identifies => {
                draft.add_plain_link(text);
            }
            FgdcTag::Abstract if identifies => draft.set_abstract(text),
            FgdcTag::ThemeKey if identifies => draft.add_keyword(text),
            FgdcTag::West => draft.place.set_edge(BoxEdge::West, text),
            FgdcTag::South => draft.place.set_edge(BoxEdge::South, text),
            FgdcTag::East => draft.place.set_edge(BoxEdge::East, text),
            FgdcTag::North => draft.place.set_edge(BoxEdge::North, text),
            FgdcTag::Bounding if identifies => draft.place.close_box(),
            FgdcTag::Begin => text.trim().clone_into(&mut self.begin),
            FgdcTag::End => text.trim().clone_into(&mut self.end),
            FgdcTag::Instant if identifies && path.contains(&FgdcTag::TimeInfo) => draft.add_time(text),
            FgdcTag::TimeInfo => {
                let (begin, end) = (std::mem::take(&mut self.begin), std::mem::take(&mut self.end));
                if identifies && begin.len() <= 64 && end.len() <= 64 {
                    draft.add_interval(&begin, &end);
                }
            }
            FgdcTag::AccessConstraints | FgdcTag::UseConstraints if identifies => draft.add_licence(text),
            FgdcTag::Organisation => set_if_empty(&mut self.contact.organisation, text, 512),
            FgdcTag::Person => set_if_empty(&mut self.contact.person, text, 512),
            FgdcTag::Mail => set_if_empty(&mut self.contact.email, text, 256),
            FgdcTag::Phone => set_if_empty(&mut self.contact.phone, text, 64),
            FgdcTag::ContactInfo => draft.set_contact(std::mem::take(&mut self.contact)),
            FgdcTag::MetadataDate => draft.set_modified(text),
            FgdcTag::MetadataId => draft.set_id(text.trim().trim_matches(['{', '}'])),
            FgdcTag::NetworkResource => {
                let url = text.trim();
                if is_web_url(url) {
                    let format = self.format.clone();
                    draft.add_link(RecordLink { url: url.to_owned(), format, ..RecordLink::default() });
                }
            }
            FgdcTag::FormatName => self.format = crate::formats::xml::tidy_text(text, 128),
            FgdcTag::DataSetId if path.contains(&FgdcTag::Distribution) => {}
            FgdcTag::DataSetId => draft.set_id(text),
            FgdcTag::ProjectedName | FgdcTag::GeographicName => draft.add_crs(text),
            _ => {}
        }
    }
}

impl FgdcVisitor {
    fn settle(mut self, complete: bool) -> ParsedRecord {
        let record = &mut self.draft.record;
        record.modified = record.modified.take().or(self.published);
        record.type_.get_or_insert_with(|| "dataset".to_owned());
        self.draft.finish(complete)
    }
}
