//! Service metadata: title, abstract, keywords, provider, contact, licence, languages. There are
//! two dialects: `Service` in old versions, `ServiceIdentification`/`ServiceProvider` in OWS
//! Common.

use super::words::{is_boilerplate, says_none};
use super::{CapabilitiesDraft, ElementPath, Tag};
use crate::formats::xml::{XmlReader, tidy_text};

const LINE: usize = 512;
const PROSE: usize = 4096;

/// Collects the metadata of a service.
#[derive(Debug, Default)]
pub struct ServiceMetadata {
    fees: Option<String>,
    constraints: Vec<String>,
    organisation: Option<String>,
    /// Names of the operations offered.
    pub operations: Vec<String>,
    /// Profiles (`ows:Profile`) that the service declares.
    pub profiles: Vec<String>,
    /// URL stated in the document for requests, which is often wrong.
    pub advertised: Option<String>,
    /// Text that may reveal the server software.
    signs: String,
}

impl ServiceMetadata {
    /// Returns whether an element describes the service itself.
    fn describes_service(path: &ElementPath<'_>) -> bool {
        matches!(path.parent(), Tag::Service | Tag::ServiceIdentification)
    }

    fn in_contact(path: &ElementPath<'_>) -> bool {
        path.is_inside(Tag::ServiceProvider)
            || path.is_inside(Tag::ContactInformation)
            || path.is_inside(Tag::ResponsibleParty)
            || path.is_inside(Tag::ServiceContact)
    }

    /// Called at the start of an element.
    pub fn start_element(
        &mut self,
        tag: Tag,
        path: &ElementPath<'_>,
        element: &XmlReader<'_>,
        draft: &mut CapabilitiesDraft,
    ) {
        match tag {
            Tag::Get | Tag::OnlineResource
                if self.advertised.is_none() && (tag == Tag::Get || path.parent() == Tag::Get) =>
            {
                let href = element.attr_by_local_name("href").or_else(|| element.attr("onlineResource"));
                self.advertised = href.and_then(|href| tidy_text(&href, LINE * 4));
            }
            Tag::Operation if path.parent() == Tag::OperationsMetadata => {
                if let Some(name) = element.attr("name").and_then(|n| tidy_text(&n, LINE))
                    && self.operations.len() < 64
                {
                    self.operations.push(name);
                }
            }
            Tag::ProviderSite | Tag::OnlineResource
                if draft.resource.contact.url.is_none()
                    && (tag == Tag::ProviderSite || Self::in_contact(path)) =>
            {
                draft.resource.contact.url = element
                    .attr_by_local_name("href")
                    .and_then(|h| tidy_text(&h, LINE))
                    .filter(|h| h.starts_with("http://") || h.starts_with("https://"));
            }
            _ => {}
        }
    }

    /// Called at the end of an element; stores its text if it is about the service.
    pub fn end_element(
        &mut self,
        tag: Tag,
        path: &ElementPath<'_>,
        text: &str,
        draft: &mut CapabilitiesDraft,
    ) {
        match tag {
            Tag::Title if Self::describes_service(path) => {
                fill(&mut draft.resource.title, tidy_text(text, LINE * 2));
            }
            Tag::Abstract if Self::describes_service(path) => {
                fill(&mut draft.resource.abstract_, tidy_text(text, PROSE));
            }
            Tag::Fees if Self::describes_service(path) => {
                fill(&mut self.fees, tidy_text(text, PROSE).filter(|t| !says_none(t)));
            }
            Tag::AccessConstraints if Self::describes_service(path) => {
                if let Some(text) = tidy_text(text, PROSE).filter(|t| !says_none(t))
                    && self.constraints.len() < 8
                {
                    self.constraints.push(text);
                }
            }
            Tag::Keyword if matches!(path.ancestor(1), Tag::Service | Tag::ServiceIdentification) => {
                Self::add_keyword(text, draft);
            }
            Tag::KeywordList if Self::describes_service(path) => {
                for word in keyword_list(text) {
                    Self::add_keyword(word, draft);
                }
            }
            Tag::ProviderName if path.is_inside(Tag::ServiceProvider) => {
                fill(&mut self.organisation, contact(text));
            }
            Tag::ContactOrganization if Self::in_contact(path) => fill(&mut self.organisation, contact(text)),
            Tag::ContactPerson if Self::in_contact(path) => {
                fill(&mut draft.resource.contact.person, contact(text));
            }
            Tag::ContactMail if Self::in_contact(path) => {
                let mail = contact(text).filter(|m| m.contains('@') && !m.contains(' '));
                fill(&mut draft.resource.contact.email, mail);
            }
            Tag::ContactPhone if Self::in_contact(path) => {
                let phone = contact(text).filter(|p| p.chars().any(|c| c.is_ascii_digit()));
                fill(&mut draft.resource.contact.phone, phone);
            }
            Tag::ServiceTypeVersion if path.parent() == Tag::ServiceIdentification => {
                if let Some(version) = tidy_text(text, 32)
                    && draft.resource.versions.len() < 16
                    && !draft.resource.versions.contains(&version)
                {
                    draft.resource.versions.push(version);
                }
            }
            Tag::Profile if path.parent() == Tag::ServiceIdentification => {
                if let Some(profile) = tidy_text(text, LINE)
                    && self.profiles.len() < 64
                {
                    self.profiles.push(profile);
                }
            }
            Tag::Language if path.is_inside(Tag::Languages) => {
                if let Some(language) = tidy_text(text, 32)
                    && draft.resource.languages.len() < 64
                    && !draft.resource.languages.contains(&language)
                {
                    draft.resource.languages.push(language);
                }
            }
            _ => {}
        }
    }

    fn add_keyword(text: &str, draft: &mut CapabilitiesDraft) {
        let keywords = &mut draft.resource.keywords;
        if let Some(word) = tidy_text(text, 256)
            && keywords.len() < 200
            && !keywords.contains(&word)
        {
            keywords.push(word);
        }
    }

    /// Notes text that may reveal the server software.
    pub fn note_software_text(&mut self, text: &str) {
        if self.signs.len() < 16 * 1024 {
            self.signs.extend(text.chars().take(4096));
            self.signs.push('\n');
        }
    }

    /// Writes the metadata to the draft.
    pub fn write_to_draft(mut self, endpoint: &str, draft: &mut CapabilitiesDraft) {
        let resource = &mut draft.resource;
        if let Some(fees) = self.fees {
            let stated = self.constraints.iter().any(|c| c.contains(&fees));
            if !stated {
                self.constraints.push(format!("Fees: {fees}"));
            }
        }
        if !self.constraints.is_empty() {
            resource.licence = tidy_text(&self.constraints.join("; "), PROSE);
        }
        resource.contact.organisation.clone_from(&self.organisation);
        resource.provider = self.organisation;
        if resource.software.is_none() {
            let title = resource.title.as_deref().unwrap_or_default();
            resource.software = super::software::detect_software(&self.signs)
                .or_else(|| super::software::detect_software(endpoint))
                .or_else(|| super::software::detect_software(title));
        }
    }
}

/// Splits a keyword list at commas, semicolons or line breaks. Without any of these, many words are
/// one keyword each, few words are a single keyword.
pub fn keyword_list(text: &str) -> impl Iterator<Item = &str> {
    let text = text.trim();
    let parted = text.contains([',', ';', '\n']);
    let single = !parted && text.split_whitespace().nth(2).is_none();
    text.split(
        move |c: char| if parted { matches!(c, ',' | ';' | '\n') } else { !single && c.is_whitespace() },
    )
}

fn fill(slot: &mut Option<String>, value: Option<String>) {
    if slot.is_none() {
        *slot = value;
    }
}

fn contact(text: &str) -> Option<String> {
    tidy_text(text, LINE).filter(|t| !is_boilerplate(t))
}
