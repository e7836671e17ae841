//! FGDC Content Standard for Digital Geospatial Metadata, also in the dress that desktop software gives it.

use super::ReadRecord;
use super::draft::{Draft, fill, is_address};
use super::place::Edge;
use super::walk::{Visitor, walk};
use crate::formats::xml::Reader;
use geotrawl_model::{Contact, RecordLink};

/// The elements that matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tag {
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

/// Reads a record.
pub fn read(reader: &mut Reader<'_>) -> ReadRecord {
    let mut record = Fgdc::default();
    if let Some(language) = reader.attr("xml:lang") {
        record.draft.set_language(&language);
    }
    let complete = walk(reader, &mut record);
    record.settle(complete)
}

#[derive(Default)]
struct Fgdc {
    draft: Draft,
    begin: String,
    end: String,
    contact: Contact,
    published: Option<String>,
    format: Option<String>,
}

impl Visitor for Fgdc {
    type Tag = Tag;

    fn name(local: &[u8]) -> Tag {
        match local {
            b"metadata" => Tag::Metadata,
            b"idinfo" => Tag::IdInfo,
            b"citation" => Tag::Citation,
            b"crossref" => Tag::CrossReference,
            b"citeinfo" => Tag::CiteInfo,
            b"title" => Tag::Title,
            b"origin" => Tag::Origin,
            b"pubdate" => Tag::PublicationDate,
            b"geoform" => Tag::Form,
            b"onlink" => Tag::Link,
            b"abstract" => Tag::Abstract,
            b"themekey" | b"placekey" | b"tempkey" | b"stratkey" => Tag::ThemeKey,
            b"westbc" => Tag::West,
            b"southbc" => Tag::South,
            b"eastbc" => Tag::East,
            b"northbc" => Tag::North,
            b"bounding" => Tag::Bounding,
            b"begdate" => Tag::Begin,
            b"enddate" => Tag::End,
            b"caldate" => Tag::Instant,
            b"timeinfo" => Tag::TimeInfo,
            b"accconst" => Tag::AccessConstraints,
            b"useconst" => Tag::UseConstraints,
            b"cntinfo" => Tag::ContactInfo,
            b"cntorg" => Tag::Organisation,
            b"cntper" => Tag::Person,
            b"cntemail" => Tag::Mail,
            b"cntvoice" => Tag::Phone,
            b"metd" => Tag::MetadataDate,
            b"MetaID" | b"PublishedDocID" => Tag::MetadataId,
            b"networkr" => Tag::NetworkResource,
            b"formname" => Tag::FormatName,
            b"datsetid" | b"resdesc" => Tag::DataSetId,
            b"projcsn" => Tag::ProjectedName,
            b"geogcsn" => Tag::GeographicName,
            b"distinfo" => Tag::Distribution,
            b"dataqual" | b"lineage" => Tag::Lineage,
            _ => Tag::Other,
        }
    }

    fn is_prose(name: Tag) -> bool {
        matches!(name, Tag::Abstract | Tag::UseConstraints | Tag::AccessConstraints)
    }

    fn start(&mut self, _name: Tag, _path: &[Tag], _element: &Reader<'_>) {}

    fn end(&mut self, name: Tag, path: &[Tag], text: &str) {
        if path.contains(&Tag::Lineage) {
            return;
        }
        let own = path.contains(&Tag::Citation) && !path.contains(&Tag::CrossReference);
        let identifies = path.contains(&Tag::IdInfo);
        let draft = &mut self.draft;
        match name {
            Tag::Title if own && identifies => draft.set_title(text),
            Tag::Origin if own && identifies => draft.set_provider(text),
            Tag::PublicationDate if own => fill(&mut self.published, text, 64),
            Tag::Form if own => {}
            Tag::Link if !path.contains(&Tag::CrossReference) && identifies => draft.add_plain_link(text),
            Tag::Abstract if identifies => draft.set_abstract(text),
            Tag::ThemeKey if identifies => draft.add_keyword(text),
            Tag::West => draft.place.edge(Edge::West, text),
            Tag::South => draft.place.edge(Edge::South, text),
            Tag::East => draft.place.edge(Edge::East, text),
            Tag::North => draft.place.edge(Edge::North, text),
            Tag::Bounding if identifies => draft.place.close(),
            Tag::Begin => text.trim().clone_into(&mut self.begin),
            Tag::End => text.trim().clone_into(&mut self.end),
            Tag::Instant if identifies && path.contains(&Tag::TimeInfo) => draft.add_time(text),
            Tag::TimeInfo => {
                let (begin, end) = (std::mem::take(&mut self.begin), std::mem::take(&mut self.end));
                if identifies && begin.len() <= 64 && end.len() <= 64 {
                    draft.add_interval(&begin, &end);
                }
            }
            Tag::AccessConstraints | Tag::UseConstraints if identifies => draft.add_licence(text),
            Tag::Organisation => fill(&mut self.contact.organisation, text, 512),
            Tag::Person => fill(&mut self.contact.person, text, 512),
            Tag::Mail => fill(&mut self.contact.email, text, 256),
            Tag::Phone => fill(&mut self.contact.phone, text, 64),
            Tag::ContactInfo => draft.set_contact(std::mem::take(&mut self.contact)),
            Tag::MetadataDate => draft.set_modified(text),
            Tag::MetadataId => draft.set_id(text.trim().trim_matches(['{', '}'])),
            Tag::NetworkResource => {
                let url = text.trim();
                if is_address(url) {
                    let format = self.format.clone();
                    draft.add_link(RecordLink { url: url.to_owned(), format, ..RecordLink::default() });
                }
            }
            Tag::FormatName => self.format = crate::formats::xml::tidy(text, 128),
            Tag::DataSetId if path.contains(&Tag::Distribution) => {}
            Tag::DataSetId => draft.set_id(text),
            Tag::ProjectedName | Tag::GeographicName => draft.add_crs(text),
            _ => {}
        }
    }
}

impl Fgdc {
    fn settle(mut self, complete: bool) -> ReadRecord {
        let record = &mut self.draft.record;
        record.modified = record.modified.take().or(self.published);
        record.type_.get_or_insert_with(|| "dataset".to_owned());
        self.draft.finish(complete)
    }
}
