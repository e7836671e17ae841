//! FGDC Content Standard for Digital Geospatial Metadata, also in the dress that desktop software gives it.

use super::ReadRecord;
use super::draft::{Draft, fill, is_address};
use super::place::Edge;
use super::walk::{Visitor, walk};
use crate::formats::xml::Reader;
use crate::model::{Contact, RecordLink};

/// The elements that matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Name {
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
    type Name = Name;

    fn name(local: &[u8]) -> Name {
        match local {
            b"metadata" => Name::Metadata,
            b"idinfo" => Name::IdInfo,
            b"citation" => Name::Citation,
            b"crossref" => Name::CrossReference,
            b"citeinfo" => Name::CiteInfo,
            b"title" => Name::Title,
            b"origin" => Name::Origin,
            b"pubdate" => Name::PublicationDate,
            b"geoform" => Name::Form,
            b"onlink" => Name::Link,
            b"abstract" => Name::Abstract,
            b"themekey" | b"placekey" | b"tempkey" | b"stratkey" => Name::ThemeKey,
            b"westbc" => Name::West,
            b"southbc" => Name::South,
            b"eastbc" => Name::East,
            b"northbc" => Name::North,
            b"bounding" => Name::Bounding,
            b"begdate" => Name::Begin,
            b"enddate" => Name::End,
            b"caldate" => Name::Instant,
            b"timeinfo" => Name::TimeInfo,
            b"accconst" => Name::AccessConstraints,
            b"useconst" => Name::UseConstraints,
            b"cntinfo" => Name::ContactInfo,
            b"cntorg" => Name::Organisation,
            b"cntper" => Name::Person,
            b"cntemail" => Name::Mail,
            b"cntvoice" => Name::Phone,
            b"metd" => Name::MetadataDate,
            b"MetaID" | b"PublishedDocID" => Name::MetadataId,
            b"networkr" => Name::NetworkResource,
            b"formname" => Name::FormatName,
            b"datsetid" | b"resdesc" => Name::DataSetId,
            b"projcsn" => Name::ProjectedName,
            b"geogcsn" => Name::GeographicName,
            b"distinfo" => Name::Distribution,
            b"dataqual" | b"lineage" => Name::Lineage,
            _ => Name::Other,
        }
    }

    fn is_prose(name: Name) -> bool {
        matches!(name, Name::Abstract | Name::UseConstraints | Name::AccessConstraints)
    }

    fn start(&mut self, _name: Name, _path: &[Name], _element: &Reader<'_>) {}

    fn end(&mut self, name: Name, path: &[Name], text: &str) {
        if path.contains(&Name::Lineage) {
            return;
        }
        let own = path.contains(&Name::Citation) && !path.contains(&Name::CrossReference);
        let identifies = path.contains(&Name::IdInfo);
        let draft = &mut self.draft;
        match name {
            Name::Title if own && identifies => draft.set_title(text),
            Name::Origin if own && identifies => draft.set_provider(text),
            Name::PublicationDate if own => fill(&mut self.published, text, 64),
            Name::Form if own => {}
            Name::Link if !path.contains(&Name::CrossReference) && identifies => draft.add_plain_link(text),
            Name::Abstract if identifies => draft.set_abstract(text),
            Name::ThemeKey if identifies => draft.add_keyword(text),
            Name::West => draft.place.edge(Edge::West, text),
            Name::South => draft.place.edge(Edge::South, text),
            Name::East => draft.place.edge(Edge::East, text),
            Name::North => draft.place.edge(Edge::North, text),
            Name::Bounding if identifies => draft.place.close(),
            Name::Begin => text.trim().clone_into(&mut self.begin),
            Name::End => text.trim().clone_into(&mut self.end),
            Name::Instant if identifies && path.contains(&Name::TimeInfo) => draft.add_time(text),
            Name::TimeInfo => {
                let (begin, end) = (std::mem::take(&mut self.begin), std::mem::take(&mut self.end));
                if identifies && begin.len() <= 64 && end.len() <= 64 {
                    draft.add_interval(&begin, &end);
                }
            }
            Name::AccessConstraints | Name::UseConstraints if identifies => draft.add_licence(text),
            Name::Organisation => fill(&mut self.contact.organisation, text, 512),
            Name::Person => fill(&mut self.contact.person, text, 512),
            Name::Mail => fill(&mut self.contact.email, text, 256),
            Name::Phone => fill(&mut self.contact.phone, text, 64),
            Name::ContactInfo => draft.set_contact(std::mem::take(&mut self.contact)),
            Name::MetadataDate => draft.set_modified(text),
            Name::MetadataId => draft.set_id(text.trim().trim_matches(['{', '}'])),
            Name::NetworkResource => {
                let url = text.trim();
                if is_address(url) {
                    let format = self.format.clone();
                    draft.add_link(RecordLink { url: url.to_owned(), format, ..RecordLink::default() });
                }
            }
            Name::FormatName => self.format = crate::formats::xml::tidy(text, 128),
            Name::DataSetId if path.contains(&Name::Distribution) => {}
            Name::DataSetId => draft.set_id(text),
            Name::ProjectedName | Name::GeographicName => draft.add_crs(text),
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
