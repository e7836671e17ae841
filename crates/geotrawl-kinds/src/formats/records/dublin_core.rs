//! Dublin Core, as catalogue services and OAI repositories write it.

use super::draft::{Draft, is_address};
use super::walk::{Visitor, walk};
use super::{ReadRecord, period};
use crate::formats::xml::Reader;
use geotrawl_model::{Contact, RecordLink};

/// The elements that matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tag {
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

/// Reads a record.
pub fn read(reader: &mut Reader<'_>) -> ReadRecord {
    let mut record = DublinCore::default();
    // `rdf:Description` carries its identifier as an attribute.
    if let Some(about) = reader.attr_local("about") {
        record.draft.set_id(&about);
        record.draft.add_plain_link(&about);
    }
    let complete = walk(reader, &mut record);
    record.settle(complete)
}

#[derive(Default)]
struct DublinCore {
    draft: Draft,
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

impl Visitor for DublinCore {
    type Tag = Tag;

    fn name(local: &[u8]) -> Tag {
        match local {
            b"identifier" => Tag::Identifier,
            b"title" => Tag::Title,
            b"abstract" => Tag::Abstract,
            b"description" => Tag::Description,
            b"subject" => Tag::Subject,
            b"type" => Tag::Type,
            b"format" => Tag::Format,
            b"references" => Tag::References,
            b"URI" => Tag::Uri,
            b"relation" | b"source" | b"isReferencedBy" | b"hasFormat" | b"hasPart" => Tag::Related,
            b"rights" | b"license" | b"accessRights" | b"rightsHolder" => Tag::Rights,
            b"modified" => Tag::Modified,
            b"date" | b"issued" | b"created" => Tag::Date,
            b"language" => Tag::Language,
            b"publisher" => Tag::Publisher,
            b"creator" => Tag::Creator,
            b"contributor" => Tag::Contributor,
            b"coverage" | b"spatial" => Tag::Coverage,
            b"temporal" => Tag::Temporal,
            b"BoundingBox" => Tag::Box,
            b"WGS84BoundingBox" => Tag::Wgs84Box,
            b"LowerCorner" => Tag::Lower,
            b"UpperCorner" => Tag::Upper,
            _ => Tag::Other,
        }
    }

    fn is_prose(name: Tag) -> bool {
        matches!(name, Tag::Abstract | Tag::Description)
    }

    fn start(&mut self, name: Tag, _path: &[Tag], element: &Reader<'_>) {
        match name {
            Tag::Box => self.crs = element.attr_local("crs").map(std::borrow::Cow::into_owned),
            Tag::Wgs84Box => self.crs = Some("CRS84".to_owned()),
            Tag::References | Tag::Uri => {
                let attr = |name: &str| {
                    element.attr_local(name).map(|v| v.trim().to_owned()).filter(|v| !v.is_empty())
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

    fn end(&mut self, name: Tag, _path: &[Tag], text: &str) {
        match name {
            Tag::Identifier => {
                let text = text.trim();
                if !self.draft.record.id.is_empty() || is_address(text) {
                    self.draft.add_plain_link(text);
                }
                self.draft.set_id(text);
            }
            Tag::Title => self.draft.set_title(text),
            Tag::Abstract => self.draft.set_abstract(text),
            Tag::Description => super::draft::fill(&mut self.description, text, 8192),
            Tag::Subject => self.draft.add_keyword(text),
            Tag::Type => self.draft.set_type(text),
            Tag::Format => {
                self.formats += 1;
                super::draft::fill(&mut self.format, text, 128);
            }
            Tag::References | Tag::Uri => {
                let link = std::mem::take(&mut self.link);
                self.draft.add_link(RecordLink { url: text.trim().to_owned(), ..link });
            }
            Tag::Related => self.draft.add_plain_link(text),
            Tag::Rights => self.draft.add_licence(text),
            Tag::Modified => self.draft.set_modified(text),
            Tag::Date => super::draft::fill(&mut self.date, text, 64),
            Tag::Language => self.draft.set_language(text),
            Tag::Publisher => self.draft.set_provider(text),
            Tag::Creator | Tag::Contributor => super::draft::fill(&mut self.creator, text, 512),
            Tag::Coverage => {
                if !self.draft.place.words(text)
                    && let Some(time) = period::in_words(text)
                {
                    self.draft.add_time(&time);
                }
            }
            Tag::Temporal => match period::in_words(text) {
                Some(time) => self.draft.add_time(&time),
                None => self.draft.add_time(text),
            },
            Tag::Lower => text.clone_into(&mut self.lower),
            Tag::Upper => text.clone_into(&mut self.upper),
            Tag::Box | Tag::Wgs84Box => {
                self.draft.place.corners(self.crs.as_deref(), &self.lower, &self.upper);
                self.lower.clear();
                self.upper.clear();
            }
            Tag::Other => {}
        }
    }
}

impl DublinCore {
    fn settle(mut self, complete: bool) -> ReadRecord {
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
        // The format of the thing is the format of its link, when there is one of each.
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

/// Names and protocols are short; what is not is no name.
fn cap(text: &mut Option<String>) {
    if let Some(long) = text.as_mut().filter(|t| t.len() > 512) {
        long.truncate(long.floor_char_boundary(512));
    }
}
