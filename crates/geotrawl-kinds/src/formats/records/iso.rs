//! ISO 19115 records, in the encodings of 19139 (gmd, gmi) and of 19115-3 (mdb).

use super::ReadRecord;
use super::draft::{Draft, fill, is_address};
use super::iso_names::{Tag, name};
use super::place::Edge;
use super::walk::{Visitor, walk};
use crate::formats::xml::{Reader, tidy};
use geotrawl_model::{Contact, RecordLink};

/// Reads a record.
pub fn read(reader: &mut Reader<'_>) -> ReadRecord {
    let mut record = Iso::default();
    let complete = walk(reader, &mut record);
    record.settle(complete)
}

#[derive(Default)]
struct Iso {
    draft: Draft,
    /// The link that is being read.
    link: RecordLink,
    link_description: Option<String>,
    /// The party that is being read.
    party: Contact,
    /// Contact of the metadata, used when the resource has none.
    metadata_contact: Contact,
    /// Code list value that has just been read.
    code: Option<String>,
    date: Option<String>,
    /// Times of the resource, used when the metadata says none of its own.
    resource_date: Option<String>,
    begin: String,
    end: String,
    reference_code: Option<String>,
    reference_space: Option<String>,
    resource_id: Option<String>,
    service_type: Option<String>,
    format: Option<String>,
    formats: usize,
    /// Where links of services begin: they get the service's type as protocol at the end.
    operations: Vec<usize>,
}

impl Visitor for Iso {
    type Tag = Tag;

    fn name(local: &[u8]) -> Tag {
        name(local)
    }

    fn start(&mut self, name: Tag, path: &[Tag], element: &Reader<'_>) {
        match name {
            Tag::CodeValue => {
                self.code = element
                    .attr_local("codeListValue")
                    .map(|v| v.trim().to_owned())
                    .filter(|v| !v.is_empty() && v.len() <= 256);
            }
            Tag::OnlineResource => {
                self.link = RecordLink::default();
                self.link_description = None;
            }
            Tag::Party => self.party = Contact::default(),
            Tag::Period => {
                self.begin.clear();
                self.end.clear();
            }
            Tag::DateEntry => self.date = None,
            Tag::Begin | Tag::End => {
                // An open side says so in an attribute: `indeterminatePosition="now"`.
                if let Some(word) = element.attr_local("indeterminatePosition")
                    && word.eq_ignore_ascii_case("now")
                    && name == Tag::End
                {
                    "now".clone_into(&mut self.end);
                }
            }
            // The identifier that a link to a keyword or a code is, in its attribute.
            Tag::Value if path.last() == Some(&Tag::Code) => {
                if let Some(href) = element.attr_local("href")
                    && path.contains(&Tag::ReferenceSystem)
                    && href.len() <= 256
                {
                    fill(&mut self.reference_code, &href, 256);
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, name: Tag, path: &[Tag], text: &str) {
        match name {
            Tag::Value => self.value(path, text),
            Tag::CodeValue => self.code_value(path, text),
            // Some write the value without an element around it.
            Tag::Linkage | Tag::FileIdentifier | Tag::Title | Tag::Abstract | Tag::Language
                if !text.trim().is_empty() =>
            {
                self.property(name, path, text);
            }
            Tag::GeographicBox
                if path.contains(&Tag::Identification) && !path.contains(&Tag::DataQuality) =>
            {
                self.draft.place.close();
            }
            Tag::Begin => keep(&mut self.begin, text),
            Tag::End => keep(&mut self.end, text),
            Tag::Instant if path.contains(&Tag::TemporalElement) => {
                if path.contains(&Tag::Begin) {
                    keep(&mut self.begin, text);
                } else if path.contains(&Tag::End) {
                    keep(&mut self.end, text);
                } else {
                    self.draft.add_time(text);
                }
            }
            Tag::Period if path.contains(&Tag::TemporalElement) => {
                self.draft.add_interval(&self.begin, &self.end);
            }
            Tag::OnlineResource => self.close_link(path),
            Tag::Party => self.close_party(path),
            Tag::ReferenceSystem => self.close_reference(),
            _ => {}
        }
    }
}

impl Iso {
    /// A value: what it is, its parent tells.
    fn value(&mut self, path: &[Tag], text: &str) {
        let above = path.iter().rposition(|n| *n != Tag::Wrapper);
        let Some((property, path)) = above.map(|at| (path[at], &path[..at])) else { return };
        self.property(property, path, text);
    }

    /// A property with its value; `path` is that of the property.
    fn property(&mut self, property: Tag, path: &[Tag], text: &str) {
        let identifies = || path.contains(&Tag::Identification) && !path.contains(&Tag::DataQuality);
        let draft = &mut self.draft;
        match property {
            Tag::FileIdentifier if path.len() <= 2 => draft.set_id(text),
            Tag::Code => self.take_code(path, text),
            Tag::CodeSpace if path.contains(&Tag::ReferenceSystem) => {
                fill(&mut self.reference_space, text, 64);
            }
            Tag::Language if path.len() <= 2 || path.contains(&Tag::DefaultLocale) => {
                draft.set_language(text);
            }
            Tag::DateStamp => draft.set_modified(text),
            Tag::Date => fill(&mut self.date, text, 64),
            Tag::Title if of_the_resource(path) => draft.set_title(text),
            Tag::Title if path.contains(&Tag::Reference) && path.contains(&Tag::Constraints) => {
                draft.add_licence(text);
            }
            Tag::Abstract if identifies() => draft.set_abstract(text),
            Tag::Keyword if identifies() => draft.add_keyword(text),
            Tag::Topic if identifies() => draft.add_keyword(text),
            Tag::West => draft.place.edge(Edge::West, text),
            Tag::South => draft.place.edge(Edge::South, text),
            Tag::East => draft.place.edge(Edge::East, text),
            Tag::North => draft.place.edge(Edge::North, text),
            Tag::UseLimitation | Tag::OtherConstraints | Tag::UseConstraints if identifies() => {
                draft.add_licence(text);
            }
            Tag::OrganisationName => fill(&mut self.party.organisation, text, 512),
            Tag::IndividualName => fill(&mut self.party.person, text, 512),
            Tag::NameOf => self.take_name(path, text),
            Tag::Mail if text.contains('@') => {
                fill(&mut self.party.email, text, 256);
            }
            Tag::Phone if path.contains(&Tag::Party) => fill(&mut self.party.phone, text, 64),
            Tag::Linkage if self.link.url.is_empty() => {
                text.trim().clone_into(&mut self.link.url);
            }
            Tag::Protocol => fill(&mut self.link.protocol, text, 256),
            Tag::Description if path.last() == Some(&Tag::OnlineResource) => {
                fill(&mut self.link_description, text, 512);
            }
            Tag::ServiceType => fill(&mut self.service_type, text, 256),
            Tag::Title if path.contains(&Tag::DistributionFormat) => {
                self.formats += 1;
                fill(&mut self.format, text, 256);
            }
            _ => {}
        }
    }

    /// `code`, of an identifier of the metadata, of the resource, or of a reference system.
    fn take_code(&mut self, path: &[Tag], text: &str) {
        if path.contains(&Tag::ReferenceSystem) {
            fill(&mut self.reference_code, text, 256);
        } else if path.contains(&Tag::MetadataIdentifier) && !path.contains(&Tag::Citation) {
            self.draft.set_id(text);
        } else if path.contains(&Tag::Identifier) && of_the_resource(above(path, Tag::Identifier)) {
            fill(&mut self.resource_id, text, 1024);
        }
    }

    /// `name`, of a link, a format, an organisation or a person.
    fn take_name(&mut self, path: &[Tag], text: &str) {
        match path.last() {
            Some(Tag::OnlineResource) => fill(&mut self.link.name, text, 512),
            Some(Tag::Organisation) => fill(&mut self.party.organisation, text, 512),
            Some(Tag::Individual) => fill(&mut self.party.person, text, 512),
            _ if path.contains(&Tag::DistributionFormat) => {
                self.formats += 1;
                fill(&mut self.format, text, 256);
            }
            _ => {}
        }
    }

    /// A code list value ends: in its attribute, or else as text.
    fn code_value(&mut self, path: &[Tag], text: &str) {
        let Some(code) = self.code.take().or_else(|| tidy(text, 256)) else { return };
        match path.last() {
            Some(Tag::HierarchyLevel) => self.draft.set_type(&code),
            Some(Tag::Language) if (path.len() <= 2 || path.contains(&Tag::DefaultLocale)) => {
                self.draft.set_language(&code);
            }
            Some(Tag::DateType) => self.take_date(&code, path),
            Some(Tag::Function) if self.link.format.is_none() && self.link.protocol.is_none() => {
                // `download` on a link without protocol is all that is known of it.
                self.link.protocol = Some(code);
            }
            _ if path.contains(&Tag::MetadataScope) => self.draft.set_type(&code),
            _ => {}
        }
    }

    /// The type of a date that was just read: the metadata's revision, or the resource's.
    fn take_date(&mut self, kind: &str, path: &[Tag]) {
        let Some(date) = self.date.take() else { return };
        if path.contains(&Tag::DateInfo) && !path.contains(&Tag::Identification) {
            if kind == "revision" || self.draft.record.modified.is_none() {
                self.draft.record.modified = Some(date);
            }
        } else if of_the_resource(above(path, Tag::Date))
            && (kind == "revision" || self.resource_date.is_none())
        {
            self.resource_date = Some(date);
        }
    }

    /// A link ends: of the distribution, of an operation, of the citation, or of a contact.
    fn close_link(&mut self, path: &[Tag]) {
        let mut link = std::mem::take(&mut self.link);
        let description = self.link_description.take();
        if path.contains(&Tag::Party) {
            if is_address(&link.url) {
                fill(&mut self.party.url, &link.url, 1024);
            }
            return;
        }
        // Thesauri, reference systems, standards and authors are not what the record is about.
        let foreign =
            [Tag::Thesaurus, Tag::ReferenceSystem, Tag::DataQuality, Tag::Constraints, Tag::Overview];
        if foreign.iter().any(|name| path.contains(name)) {
            return;
        }
        if link.name.is_none() {
            link.name = description.filter(|d| d.len() <= 200);
        }
        let operation = path.contains(&Tag::Operation);
        if operation && link.protocol.is_none() {
            self.operations.push(self.draft.record.links.len());
        }
        self.draft.add_link(link);
    }

    /// A responsible party ends.
    fn close_party(&mut self, path: &[Tag]) {
        let party = std::mem::take(&mut self.party);
        if party.is_empty() || path.contains(&Tag::Thesaurus) || path.contains(&Tag::DataQuality) {
            return;
        }
        if path.contains(&Tag::PointOfContact) {
            if let Some(organisation) = &party.organisation {
                self.draft.set_provider(organisation);
            }
            self.draft.set_contact(party);
        } else if path.contains(&Tag::Contact) && !path.contains(&Tag::Identification)
            || self.metadata_contact.is_empty()
        {
            self.metadata_contact = party;
        }
    }

    fn close_reference(&mut self) {
        let (code, space) = (self.reference_code.take(), self.reference_space.take());
        let Some(code) = code else { return };
        match space {
            Some(space) if code.bytes().all(|b| b.is_ascii_digit()) => {
                self.draft.add_crs(&format!("{}:{code}", space.trim()));
            }
            _ => self.draft.add_crs(&code),
        }
    }

    fn settle(mut self, complete: bool) -> ReadRecord {
        if self.draft.record.id.is_empty()
            && let Some(id) = &self.resource_id
        {
            self.draft.set_id(id);
        }
        if self.draft.record.modified.is_none() {
            self.draft.record.modified = self.resource_date;
        }
        if self.draft.record.contact.is_empty() {
            self.draft.record.contact = self.metadata_contact;
        }
        if self.draft.record.provider.is_none() {
            self.draft.record.provider.clone_from(&self.draft.record.contact.organisation);
        }
        let record = &mut self.draft.record;
        if let Some(service) = &self.service_type {
            for at in self.operations {
                if let Some(link) = record.links.get_mut(at)
                    && link.protocol.is_none()
                {
                    link.protocol = Some(service.clone());
                }
            }
        }
        if let [link] = record.links.as_mut_slice()
            && self.formats == 1
            && link.format.is_none()
        {
            link.format = self.format;
        }
        self.draft.finish(complete)
    }
}

/// Whether a path leads to the citation of the resource itself: no thesaurus, authority or lineage between.
fn of_the_resource(path: &[Tag]) -> bool {
    let Some(at) = path.iter().position(|n| *n == Tag::Identification) else { return false };
    let citations = path[at..].iter().filter(|n| **n == Tag::Citation).count();
    citations == 1
        && !path[at..].iter().any(|n| {
            matches!(
                n,
                Tag::Thesaurus
                    | Tag::Identifier
                    | Tag::DataQuality
                    | Tag::Constraints
                    | Tag::Overview
                    | Tag::Operation
                    | Tag::CoupledResource
                    | Tag::Distribution
                    | Tag::DistributionFormat
            )
        })
}

/// The part of a path above the last element with a name.
fn above(path: &[Tag], name: Tag) -> &[Tag] {
    path.iter().rposition(|n| *n == name).map_or(path, |at| &path[..at])
}

/// Keeps a side of a period, if it says something.
fn keep(side: &mut String, text: &str) {
    let text = text.trim();
    if !text.is_empty() && text.len() <= 64 {
        text.clone_into(side);
    }
}
