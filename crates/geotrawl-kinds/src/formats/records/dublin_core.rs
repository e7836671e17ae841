//! Dublin Core records of catalogue services and OAI repositories.

use super::builder::{CatalogueRecordBuilder, is_web_url};
use super::walk::{RecordVisitor, walk_record};
use super::{ParsedRecord, period};
use crate::formats::xml::XmlReader;
use geotrawl_model::{Contact, RecordLink};

/// Elements that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DublinCoreTag {
    Identifier,
    Title,
    Abstract,
    Description,
    Subject,
    Type,
    Format,
    References,
    Uri,
    Related,
    Rights,
    Modified,
    Date,
    Language,
    Publisher,
    Creator,
    Contributor,
    Coverage,
    Temporal,
    Box,
    Wgs84Box,
    Lower,
    Upper,
    Other,
}

/// Reads a Dublin Core record.
pub fn read_dublin_core(reader: &mut XmlReader<'_>) -> ParsedRecord {
    let mut record = DublinCoreVisitor::default();
    // `rdf:Description` carries its identifier as an attribute.
    if let Some(about) = reader.attr_by_local_name("about") {
        record.draft.set_id(&about);
        record.draft.add_plain_link(&about);
    }
    let complete = walk_record(reader, &mut record);
    record.settle(complete)
}

#[derive(Default)]
struct DublinCoreVisitor {
    draft: CatalogueRecordBuilder,
    description: Option<String>,
    date: Option<String>,
    creator: Option<String>,
    link: RecordLink,
    crs: Option<String>,
    lower: String,
    upper: String,
    formats: usize,
    format: Option<String>,
}

impl RecordVisitor for DublinCoreVisitor {
    type Tag = DublinCoreTag;

    fn tag_for_name(local: &[u8]) -> DublinCoreTag {
        match local {
            b"identifier" => DublinCoreTag::Identifier,
            b"title" => DublinCoreTag::Title,
            b"abstract" => DublinCoreTag::Abstract,
            b"description" => DublinCoreTag::Description,
            b"subject" => DublinCoreTag::Subject,
            b"type" => DublinCoreTag::Type,
            b"format" => DublinCoreTag::Format,
            b"references" => DublinCoreTag::References,
            b"URI" => DublinCoreTag::Uri,
            b"relation" | b"source" | b"isReferencedBy" | b"hasFormat" | b"hasPart" => DublinCoreTag::Related,
            b"rights" | b"license" | b"accessRights" | b"rightsHolder" => DublinCoreTag::Rights,
            b"modified" => DublinCoreTag::Modified,
            b"date" | b"issued" | b"created" => DublinCoreTag::Date,
            b"language" => DublinCoreTag::Language,
            b"publisher" => DublinCoreTag::Publisher,
            b"creator" => DublinCoreTag::Creator,
            b"contributor" => DublinCoreTag::Contributor,
            b"coverage" | b"spatial" => DublinCoreTag::Coverage,
            b"temporal" => DublinCoreTag::Temporal,
            b"BoundingBox" => DublinCoreTag::Box,
            b"WGS84BoundingBox" => DublinCoreTag::Wgs84Box,
            b"LowerCorner" => DublinCoreTag::Lower,
            b"UpperCorner" => DublinCoreTag::Upper,
            _ => DublinCoreTag::Other,
        }
    }

    fn is_prose(name: DublinCoreTag) -> bool {
        matches!(name, DublinCoreTag::Abstract | DublinCoreTag::Description)
    }

    fn start_element(&mut self, name: DublinCoreTag, _path: &[DublinCoreTag], element: &XmlReader<'_>) {
        match name {
            DublinCoreTag::Box => {
                self.crs = element.attr_by_local_name("crs").map(std::borrow::Cow::into_owned);
            }
            DublinCoreTag::Wgs84Box => self.crs = Some("CRS84".to_owned()),
            DublinCoreTag::References | DublinCoreTag::Uri => {
                let attr = |name: &str| {
                    element.attr_by_local_name(name).map(|v| v.trim().to_owned()).filter(|v| !v.is_empty())
                };
                let protocol = attr("scheme").or_else(|| attr("protocol"));
                let name = attr("name").or_else(|| attr("description"));
                self.link = RecordLink { protocol, name, ..RecordLink::default() };
                cap(&mut self.link.protocol);
                cap(&mut self.link.name);
            }
            _ => {}
        }
    }

    fn end_element(&mut self, name: DublinCoreTag, _path: &[DublinCoreTag], text: &str) {
        match name {
            DublinCoreTag::Identifier => {
                let text = text.trim();
                if !self.draft.record.id.is_empty() || is_web_url(text) {
                    self.draft.add_plain_link(text);
                }
                self.draft.set_id(text);
            }
            DublinCoreTag::Title => self.draft.set_title(text),
            DublinCoreTag::Abstract => self.draft.set_abstract(text),
            DublinCoreTag::Description => super::builder::set_if_empty(&mut self.description, text, 8192),
            DublinCoreTag::Subject => self.draft.add_keyword(text),
            DublinCoreTag::Type => self.draft.set_type(text),
            DublinCoreTag::Format => {
                self.formats += 1;
                super::builder::set_if_empty(&mut self.format, text, 128);
            }
            DublinCoreTag::References | DublinCoreTag::Uri => {
                let link = std::mem::take(&mut self.link);
                self.draft.add_link(RecordLink { url: text.trim().to_owned(), ..link });
            }
            DublinCoreTag::Related => self.draft.add_plain_link(text),
            DublinCoreTag::Rights => self.draft.add_licence(text),
            DublinCoreTag::Modified => self.draft.set_modified(text),
            DublinCoreTag::Date => super::builder::set_if_empty(&mut self.date, text, 64),
            DublinCoreTag::Language => self.draft.set_language(text),
            DublinCoreTag::Publisher => self.draft.set_provider(text),
            DublinCoreTag::Creator | DublinCoreTag::Contributor => {
                super::builder::set_if_empty(&mut self.creator, text, 512);
            }
            DublinCoreTag::Coverage => {
                if !self.draft.place.add_dcmi_box(text)
                    && let Some(time) = period::parse_dcmi_period(text)
                {
                    self.draft.add_time(&time);
                }
            }
            DublinCoreTag::Temporal => match period::parse_dcmi_period(text) {
                Some(time) => self.draft.add_time(&time),
                None => self.draft.add_time(text),
            },
            DublinCoreTag::Lower => text.clone_into(&mut self.lower),
            DublinCoreTag::Upper => text.clone_into(&mut self.upper),
            DublinCoreTag::Box | DublinCoreTag::Wgs84Box => {
                self.draft.place.add_corners(self.crs.as_deref(), &self.lower, &self.upper);
                self.lower.clear();
                self.upper.clear();
            }
            DublinCoreTag::Other => {}
        }
    }
}

impl DublinCoreVisitor {
    fn settle(mut self, complete: bool) -> ParsedRecord {
        let record = &mut self.draft.record;
        record.abstract_ = record.abstract_.take().or(self.description);
        record.modified = record.modified.take().or(self.date);
        if record.provider.is_none() {
            record.provider.clone_from(&self.creator);
        }
        if let Some(creator) = self.creator {
            let mail = creator.contains('@') && !creator.contains(char::is_whitespace);
            record.contact = if mail {
                Contact { email: Some(creator), ..Contact::default() }
            } else {
                Contact { organisation: Some(creator), ..Contact::default() }
            };
        }
        // In a record with exactly one format and one link, the format describes the link.
        if let [link] = record.links.as_mut_slice()
            && self.formats == 1
            && link.format.is_none()
        {
            link.format = self.format;
        }
        if self.crs.as_deref().is_some_and(|crs| super::latitude_first(Some(crs)).is_none())
            && let Some(crs) = self.crs
        {
            self.draft.add_crs(&crs);
        }
        self.draft.finish(complete)
    }
}

/// Truncates names and protocols, which are short unless something is wrong with them.
fn cap(text: &mut Option<String>) {
    if let Some(long) = text.as_mut().filter(|t| t.len() > 512) {
        long.truncate(long.floor_char_boundary(512));
    }
}
