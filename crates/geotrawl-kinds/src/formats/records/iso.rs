//! ISO 19115 records, encoded as 19139 (gmd, gmi) or 19115-3 (mdb).

use super::ParsedRecord;
use super::builder::{CatalogueRecordBuilder, is_web_url, set_if_empty};
use super::extent::BoxEdge;
use super::iso_names::{IsoTag, tag_for_name};
use super::walk::{RecordVisitor, walk_record};
use crate::formats::xml::{XmlReader, tidy_text};
use geotrawl_model::{Contact, RecordLink};

/// Reads an ISO 19115 record.
pub fn read_iso(reader: &mut XmlReader<'_>) -> ParsedRecord {
    let mut record = IsoVisitor::default();
    let complete = walk_record(reader, &mut record);
    record.settle(complete)
}

#[derive(Default)]
struct IsoVisitor {
    draft: CatalogueRecordBuilder,
    /// Link that is being read.
    link: RecordLink,
    link_description: Option<String>,
    /// Responsible party that is being read.
    party: Contact,
    /// Contact of the metadata, used if the resource has none.
    metadata_contact: Contact,
    /// Last code list value.
    code: Option<String>,
    date: Option<String>,
    /// Dates of the resource, used if the metadata has no date.
    resource_date: Option<String>,
    begin: String,
    end: String,
    reference_code: Option<String>,
    reference_space: Option<String>,
    resource_id: Option<String>,
    service_type: Option<String>,
    format: Option<String>,
    formats: usize,
    /// Indexes of the first link of each service. These links get the type of the service as their
    /// protocol.
    operations: Vec<usize>,
}

impl RecordVisitor for IsoVisitor {
    type Tag = IsoTag;

    fn tag_for_name(local: &[u8]) -> IsoTag {
        tag_for_name(local)
    }

    fn start_element(&mut self, name: IsoTag, path: &[IsoTag], element: &XmlReader<'_>) {
        match name {
            IsoTag::CodeValue => {
                self.code = element
                    .attr_by_local_name("codeListValue")
                    .map(|v| v.trim().to_owned())
                    .filter(|v| !v.is_empty() && v.len() <= 256);
            }
            IsoTag::OnlineResource => {
                self.link = RecordLink::default();
                self.link_description = None;
            }
            IsoTag::Party => self.party = Contact::default(),
            IsoTag::Period => {
                self.begin.clear();
                self.end.clear();
            }
            IsoTag::DateEntry => self.date = None,
            IsoTag::Begin | IsoTag::End => {
                // An open end is marked by an attribute: `indeterminatePosition="now"`.
                if let Some(word) = element.attr_by_local_name("indeterminatePosition")
                    && word.eq_ignore_ascii_case("now")
                    && name == IsoTag::End
                {
                    "now".clone_into(&mut self.end);
                }
            }
            // A keyword or code given as a link has its identifier in an attribute.
            IsoTag::Value if path.last() == Some(&IsoTag::Code) => {
                if let Some(href) = element.attr_by_local_name("href")
                    && path.contains(&IsoTag::ReferenceSystem)
                    && href.len() <= 256
                {
                    set_if_empty(&mut self.reference_code, &href, 256);
                }
            }
            _ => {}
        }
    }

    fn end_element(&mut self, name: IsoTag, path: &[IsoTag], text: &str) {
        match name {
            IsoTag::Value => self.value(path, text),
            IsoTag::CodeValue => self.code_value(path, text),
            // Some writers put the value directly into the property, without an inner element.
            IsoTag::Linkage
            | IsoTag::FileIdentifier
            | IsoTag::Title
            | IsoTag::Abstract
            | IsoTag::Language
                if !text.trim().is_empty() =>
            {
                self.property(name, path, text);
            }
            IsoTag::GeographicBox
                if path.contains(&IsoTag::Identification) && !path.contains(&IsoTag::DataQuality) =>
            {
                self.draft.place.close_box();
            }
            IsoTag::Begin => keep(&mut self.begin, text),
            IsoTag::End => keep(&mut self.end, text),
            IsoTag::Instant if path.contains(&IsoTag::TemporalElement) => {
                if path.contains(&IsoTag::Begin) {
                    keep(&mut self.begin, text);
                } else if path.contains(&IsoTag::End) {
                    keep(&mut self.end, text);
                } else {
                    self.draft.add_time(text);
                }
            }
            IsoTag::Period if path.contains(&IsoTag::TemporalElement) => {
                self.draft.add_interval(&self.begin, &self.end);
            }
            IsoTag::OnlineResource => self.close_link(path),
            IsoTag::Party => self.close_party(path),
            IsoTag::ReferenceSystem => self.close_reference(),
            _ => {}
        }
    }
}

impl IsoVisitor {
    /// Handles a value, whose meaning depends on its parent.
    fn value(&mut self, path: &[IsoTag], text: &str) {
        let above = path.iter().rposition(|n| *n != IsoTag::Wrapper);
        let Some((property, path)) = above.map(|at| (path[at], &path[..at])) else { return };
        self.property(property, path, text);
    }

    /// Handles a property with its value. `path` is the path of the property.
    fn property(&mut self, property: IsoTag, path: &[IsoTag], text: &str) {
        let identifies = || path.contains(&IsoTag::Identification) && !path.contains(&IsoTag::DataQuality);
        let draft = &mut self.draft;
        match property {
            IsoTag::FileIdentifier if path.len() <= 2 => draft.set_id(text),
            IsoTag::Code => self.take_code(path, text),
            IsoTag::CodeSpace if path.contains(&IsoTag::ReferenceSystem) => {
                set_if_empty(&mut self.reference_space, text, 64);
            }
            IsoTag::Language if path.len() <= 2 || path.contains(&IsoTag::DefaultLocale) => {
                draft.set_language(text);
            }
            IsoTag::DateStamp => draft.set_modified(text),
            IsoTag::Date => set_if_empty(&mut self.date, text, 64),
            IsoTag::Title if of_the_resource(path) => draft.set_title(text),
            IsoTag::Title if path.contains(&IsoTag::Reference) && path.contains(&IsoTag::Constraints) => {
                draft.add_licence(text);
            }
            IsoTag::Abstract if identifies() => draft.set_abstract(text),
            IsoTag::Keyword if identifies() => draft.add_keyword(text),
            IsoTag::Topic if identifies() => draft.add_keyword(text),
            IsoTag::West => draft.place.set_edge(BoxEdge::West, text),
            IsoTag::South => draft.place.set_edge(BoxEdge::South, text),
            IsoTag::East => draft.place.set_edge(BoxEdge::East, text),
            IsoTag::North => draft.place.set_edge(BoxEdge::North, text),
            IsoTag::UseLimitation | IsoTag::OtherConstraints | IsoTag::UseConstraints if identifies() => {
                draft.add_licence(text);
            }
            IsoTag::OrganisationName => set_if_empty(&mut self.party.organisation, text, 512),
            IsoTag::IndividualName => set_if_empty(&mut self.party.person, text, 512),
            IsoTag::NameOf => self.take_name(path, text),
            IsoTag::Mail if text.contains('@') => {
                set_if_empty(&mut self.party.email, text, 256);
            }
            IsoTag::Phone if path.contains(&IsoTag::Party) => set_if_empty(&mut self.party.phone, text, 64),
            IsoTag::Linkage if self.link.url.is_empty() => {
                text.trim().clone_into(&mut self.link.url);
            }
            IsoTag::Protocol => set_if_empty(&mut self.link.protocol, text, 256),
            IsoTag::Description if path.last() == Some(&IsoTag::OnlineResource) => {
                set_if_empty(&mut self.link_description, text, 512);
            }
            IsoTag::ServiceType => set_if_empty(&mut self.service_type, text, 256),
            IsoTag::Title if path.contains(&IsoTag::DistributionFormat) => {
                self.formats += 1;
                set_if_empty(&mut self.format, text, 256);
            }
            _ => {}
        }
    }

    /// Handles `code` of an identifier of the metadata, of the resource, or of a reference system.
    fn take_code(&mut self, path: &[IsoTag], text: &str) {
        if path.contains(&IsoTag::ReferenceSystem) {
            set_if_empty(&mut self.reference_code, text, 256);
        } else if path.contains(&IsoTag::MetadataIdentifier) && !path.contains(&IsoTag::Citation) {
            self.draft.set_id(text);
        } else if path.contains(&IsoTag::Identifier) && of_the_resource(above(path, IsoTag::Identifier)) {
            set_if_empty(&mut self.resource_id, text, 1024);
        }
    }

    /// Handles `name` of a link, a format, an organisation or a person.
    fn take_name(&mut self, path: &[IsoTag], text: &str) {
        match path.last() {
            Some(IsoTag::OnlineResource) => set_if_empty(&mut self.link.name, text, 512),
            Some(IsoTag::Organisation) => set_if_empty(&mut self.party.organisation, text, 512),
            Some(IsoTag::Individual) => set_if_empty(&mut self.party.person, text, 512),
            _ if path.contains(&IsoTag::DistributionFormat) => {
                self.formats += 1;
                set_if_empty(&mut self.format, text, 256);
            }
            _ => {}
        }
    }

    /// Handles the end of a code list value, given as an attribute or as text.
    fn code_value(&mut self, path: &[IsoTag], text: &str) {
        let Some(code) = self.code.take().or_else(|| tidy_text(text, 256)) else { return };
        match path.last() {
            Some(IsoTag::HierarchyLevel) => self.draft.set_type(&code),
            Some(IsoTag::Language) if (path.len() <= 2 || path.contains(&IsoTag::DefaultLocale)) => {
                self.draft.set_language(&code);
            }
            Some(IsoTag::DateType) => self.take_date(&code, path),
            Some(IsoTag::Function) if self.link.format.is_none() && self.link.protocol.is_none() => {
                // The function `download` is the best information about a link without a protocol.
                self.link.protocol = Some(code);
            }
            _ if path.contains(&IsoTag::MetadataScope) => self.draft.set_type(&code),
            _ => {}
        }
    }

    /// Handles the type of the date that was just read: revision of the metadata, or a date of the
    /// resource.
    fn take_date(&mut self, kind: &str, path: &[IsoTag]) {
        let Some(date) = self.date.take() else { return };
        if path.contains(&IsoTag::DateInfo) && !path.contains(&IsoTag::Identification) {
            if kind == "revision" || self.draft.record.modified.is_none() {
                self.draft.record.modified = Some(date);
            }
        } else if of_the_resource(above(path, IsoTag::Date))
            && (kind == "revision" || self.resource_date.is_none())
        {
            self.resource_date = Some(date);
        }
    }

    /// Handles the end of a link: of the distribution, of an operation, of the citation, or of a
    /// contact.
    fn close_link(&mut self, path: &[IsoTag]) {
        let mut link = std::mem::take(&mut self.link);
        let description = self.link_description.take();
        if path.contains(&IsoTag::Party) {
            if is_web_url(&link.url) {
                set_if_empty(&mut self.party.url, &link.url, 1024);
            }
            return;
        }
        // Links of thesauri, reference systems, standards and authors do not lead to the resource.
        let foreign = [
            IsoTag::Thesaurus,
            IsoTag::ReferenceSystem,
            IsoTag::DataQuality,
            IsoTag::Constraints,
            IsoTag::Overview,
        ];
        if foreign.iter().any(|name| path.contains(name)) {
            return;
        }
        if link.name.is_none() {
            link.name = description.filter(|d| d.len() <= 200);
        }
        let operation = path.contains(&IsoTag::Operation);
        if operation && link.protocol.is_none() {
            self.operations.push(self.draft.record.links.len());
        }
        self.draft.add_link(link);
    }

    /// Handles the end of a responsible party.
    fn close_party(&mut self, path: &[IsoTag]) {
        let party = std::mem::take(&mut self.party);
        if party.is_empty() || path.contains(&IsoTag::Thesaurus) || path.contains(&IsoTag::DataQuality) {
            return;
        }
        if path.contains(&IsoTag::PointOfContact) {
            if let Some(organisation) = &party.organisation {
                self.draft.set_provider(organisation);
            }
            self.draft.set_contact(party);
        } else if path.contains(&IsoTag::Contact) && !path.contains(&IsoTag::Identification)
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

    fn settle(mut self, complete: bool) -> ParsedRecord {
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

/// Returns whether a path leads to the citation of the resource itself rather than of a thesaurus,
/// authority or lineage.
fn of_the_resource(path: &[IsoTag]) -> bool {
    let Some(at) = path.iter().position(|n| *n == IsoTag::Identification) else { return false };
    let citations = path[at..].iter().filter(|n| **n == IsoTag::Citation).count();
    citations == 1
        && !path[at..].iter().any(|n| {
            matches!(
                n,
                IsoTag::Thesaurus
                    | IsoTag::Identifier
                    | IsoTag::DataQuality
                    | IsoTag::Constraints
                    | IsoTag::Overview
                    | IsoTag::Operation
                    | IsoTag::CoupledResource
                    | IsoTag::Distribution
                    | IsoTag::DistributionFormat
            )
        })
}

/// Returns the part of a path above the last element with a name.
fn above(path: &[IsoTag], name: IsoTag) -> &[IsoTag] {
    path.iter().rposition(|n| *n == name).map_or(path, |at| &path[..at])
}

/// Keeps one end of a period, if it has a value.
fn keep(side: &mut String, text: &str) {
    let text = text.trim();
    if !text.is_empty() && text.len() <= 64 {
        text.clone_into(side);
    }
}
