//! ISO 19115 records, in the encodings of 19139 (gmd, gmi) and of 19115-3 (mdb).

use super::ReadRecord;
use super::draft::{Draft, fill, is_address};
use super::iso_names::{Name, name};
use super::place::Edge;
use super::walk::{Visitor, walk};
use crate::formats::xml::{Reader, tidy};
use crate::model::{Contact, RecordLink};

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
    type Name = Name;

    fn name(local: &[u8]) -> Name {
        name(local)
    }

    fn start(&mut self, name: Name, path: &[Name], element: &Reader<'_>) {
        match name {
            Name::CodeValue => {
                self.code = element
                    .attr_local("codeListValue")
                    .map(|v| v.trim().to_owned())
                    .filter(|v| !v.is_empty() && v.len() <= 256);
            }
            Name::OnlineResource => {
                self.link = RecordLink::default();
                self.link_description = None;
            }
            Name::Party => self.party = Contact::default(),
            Name::Period => {
                self.begin.clear();
                self.end.clear();
            }
            Name::DateEntry => self.date = None,
            Name::Begin | Name::End => {
                // An open side says so in an attribute: `indeterminatePosition="now"`.
                if let Some(word) = element.attr_local("indeterminatePosition")
                    && word.eq_ignore_ascii_case("now")
                    && name == Name::End
                {
                    self.end = "now".to_owned();
                }
            }
            // The identifier that a link to a keyword or a code is, in its attribute.
            Name::Value if path.last() == Some(&Name::Code) => {
                if let Some(href) = element.attr_local("href")
                    && path.contains(&Name::ReferenceSystem)
                    && href.len() <= 256
                {
                    fill(&mut self.reference_code, &href, 256);
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, name: Name, path: &[Name], text: &str) {
        match name {
            Name::Value => self.value(path, text),
            Name::CodeValue => self.code_value(path, text),
            // Some write the value without an element around it.
            Name::Linkage | Name::FileIdentifier | Name::Title | Name::Abstract | Name::Language => {
                if !text.trim().is_empty() {
                    self.property(name, path, text);
                }
            }
            Name::GeographicBox => {
                if path.contains(&Name::Identification) && !path.contains(&Name::DataQuality) {
                    self.draft.place.close();
                }
            }
            Name::Begin => keep(&mut self.begin, text),
            Name::End => keep(&mut self.end, text),
            Name::Instant if path.contains(&Name::TemporalElement) => {
                if path.contains(&Name::Begin) {
                    keep(&mut self.begin, text);
                } else if path.contains(&Name::End) {
                    keep(&mut self.end, text);
                } else {
                    self.draft.add_time(text);
                }
            }
            Name::Period if path.contains(&Name::TemporalElement) => {
                self.draft.add_interval(&self.begin, &self.end);
            }
            Name::OnlineResource => self.close_link(path),
            Name::Party => self.close_party(path),
            Name::ReferenceSystem => self.close_reference(),
            _ => {}
        }
    }
}

impl Iso {
    /// A value: what it is, its parent tells.
    fn value(&mut self, path: &[Name], text: &str) {
        let above = path.iter().rposition(|n| *n != Name::Wrapper);
        let Some((property, path)) = above.map(|at| (path[at], &path[..at])) else { return };
        self.property(property, path, text);
    }

    /// A property with its value; `path` is that of the property.
    fn property(&mut self, property: Name, path: &[Name], text: &str) {
        let identifies = || path.contains(&Name::Identification) && !path.contains(&Name::DataQuality);
        let draft = &mut self.draft;
        match property {
            Name::FileIdentifier if path.len() <= 2 => draft.set_id(text),
            Name::Code => self.take_code(path, text),
            Name::CodeSpace if path.contains(&Name::ReferenceSystem) => {
                fill(&mut self.reference_space, text, 64);
            }
            Name::Language if path.len() <= 2 || path.contains(&Name::DefaultLocale) => {
                draft.set_language(text);
            }
            Name::DateStamp => draft.set_modified(text),
            Name::Date => fill(&mut self.date, text, 64),
            Name::Title if of_the_resource(path) => draft.set_title(text),
            Name::Title if path.contains(&Name::Reference) && path.contains(&Name::Constraints) => {
                draft.add_licence(text);
            }
            Name::Abstract if identifies() => draft.set_abstract(text),
            Name::Keyword if identifies() => draft.add_keyword(text),
            Name::Topic if identifies() => draft.add_keyword(text),
            Name::West => draft.place.edge(Edge::West, text),
            Name::South => draft.place.edge(Edge::South, text),
            Name::East => draft.place.edge(Edge::East, text),
            Name::North => draft.place.edge(Edge::North, text),
            Name::UseLimitation | Name::OtherConstraints | Name::UseConstraints if identifies() => {
                draft.add_licence(text);
            }
            Name::OrganisationName => fill(&mut self.party.organisation, text, 512),
            Name::IndividualName => fill(&mut self.party.person, text, 512),
            Name::NameOf => self.take_name(path, text),
            Name::Mail => {
                if text.contains('@') {
                    fill(&mut self.party.email, text, 256);
                }
            }
            Name::Phone if path.contains(&Name::Party) => fill(&mut self.party.phone, text, 64),
            Name::Linkage => {
                if self.link.url.is_empty() {
                    text.trim().clone_into(&mut self.link.url);
                }
            }
            Name::Protocol => fill(&mut self.link.protocol, text, 256),
            Name::Description if path.last() == Some(&Name::OnlineResource) => {
                fill(&mut self.link_description, text, 512);
            }
            Name::ServiceType => fill(&mut self.service_type, text, 256),
            Name::Title if path.contains(&Name::DistributionFormat) => {
                self.formats += 1;
                fill(&mut self.format, text, 256);
            }
            _ => {}
        }
    }

    /// `code`, of an identifier of the metadata, of the resource, or of a reference system.
    fn take_code(&mut self, path: &[Name], text: &str) {
        if path.contains(&Name::ReferenceSystem) {
            fill(&mut self.reference_code, text, 256);
        } else if path.contains(&Name::MetadataIdentifier) && !path.contains(&Name::Citation) {
            self.draft.set_id(text);
        } else if path.contains(&Name::Identifier) && of_the_resource(above(path, Name::Identifier)) {
            fill(&mut self.resource_id, text, 1024);
        }
    }

    /// `name`, of a link, a format, an organisation or a person.
    fn take_name(&mut self, path: &[Name], text: &str) {
        match path.last() {
            Some(Name::OnlineResource) => fill(&mut self.link.name, text, 512),
            Some(Name::Organisation) => fill(&mut self.party.organisation, text, 512),
            Some(Name::Individual) => fill(&mut self.party.person, text, 512),
            _ if path.contains(&Name::DistributionFormat) => {
                self.formats += 1;
                fill(&mut self.format, text, 256);
            }
            _ => {}
        }
    }

    /// A code list value ends: in its attribute, or else as text.
    fn code_value(&mut self, path: &[Name], text: &str) {
        let Some(code) = self.code.take().or_else(|| tidy(text, 256)) else { return };
        match path.last() {
            Some(Name::HierarchyLevel) => self.draft.set_type(&code),
            Some(Name::Language) => {
                if path.len() <= 2 || path.contains(&Name::DefaultLocale) {
                    self.draft.set_language(&code);
                }
            }
            Some(Name::DateType) => self.take_date(&code, path),
            Some(Name::Function) if self.link.format.is_none() && self.link.protocol.is_none() => {
                // `download` on a link without protocol is all that is known of it.
                self.link.protocol = Some(code);
            }
            _ if path.contains(&Name::MetadataScope) => self.draft.set_type(&code),
            _ => {}
        }
    }

    /// The type of a date that was just read: the metadata's revision, or the resource's.
    fn take_date(&mut self, kind: &str, path: &[Name]) {
        let Some(date) = self.date.take() else { return };
        if path.contains(&Name::DateInfo) && !path.contains(&Name::Identification) {
            if kind == "revision" || self.draft.record.modified.is_none() {
                self.draft.record.modified = Some(date);
            }
        } else if of_the_resource(above(path, Name::Date))
            && (kind == "revision" || self.resource_date.is_none())
        {
            self.resource_date = Some(date);
        }
    }

    /// A link ends: of the distribution, of an operation, of the citation, or of a contact.
    fn close_link(&mut self, path: &[Name]) {
        let mut link = std::mem::take(&mut self.link);
        let description = self.link_description.take();
        if path.contains(&Name::Party) {
            if is_address(&link.url) {
                fill(&mut self.party.url, &link.url, 1024);
            }
            return;
        }
        // Thesauri, reference systems, standards and authors are not what the record is about.
        let foreign =
            [Name::Thesaurus, Name::ReferenceSystem, Name::DataQuality, Name::Constraints, Name::Overview];
        if foreign.iter().any(|name| path.contains(name)) {
            return;
        }
        if link.name.is_none() {
            link.name = description.filter(|d| d.len() <= 200);
        }
        let operation = path.contains(&Name::Operation);
        if operation && link.protocol.is_none() {
            self.operations.push(self.draft.record.links.len());
        }
        self.draft.add_link(link);
    }

    /// A responsible party ends.
    fn close_party(&mut self, path: &[Name]) {
        let party = std::mem::take(&mut self.party);
        if party.is_empty() || path.contains(&Name::Thesaurus) || path.contains(&Name::DataQuality) {
            return;
        }
        if path.contains(&Name::PointOfContact) {
            if let Some(organisation) = &party.organisation {
                self.draft.set_provider(organisation);
            }
            self.draft.set_contact(party);
        } else if path.contains(&Name::Contact) && !path.contains(&Name::Identification)
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
fn of_the_resource(path: &[Name]) -> bool {
    let Some(at) = path.iter().position(|n| *n == Name::Identification) else { return false };
    let citations = path[at..].iter().filter(|n| **n == Name::Citation).count();
    citations == 1
        && !path[at..].iter().any(|n| {
            matches!(
                n,
                Name::Thesaurus
                    | Name::Identifier
                    | Name::DataQuality
                    | Name::Constraints
                    | Name::Overview
                    | Name::Operation
                    | Name::CoupledResource
                    | Name::Distribution
                    | Name::DistributionFormat
            )
        })
}

/// The part of a path above the last element with a name.
fn above(path: &[Name], name: Name) -> &[Name] {
    path.iter().rposition(|n| *n == name).map_or(path, |at| &path[..at])
}

/// Keeps a side of a period, if it says something.
fn keep(side: &mut String, text: &str) {
    let text = text.trim();
    if !text.is_empty() && text.len() <= 64 {
        text.clone_into(side);
    }
}
