//! Builds catalogue records: setters tidy and limit untrusted text.

use super::ParsedRecord;
use super::extent::RecordExtent;
use crate::formats::xml::tidy_text;
use geotrawl_model::{CatalogueRecord, Contact, Issue, RecordLink};

const ID: usize = 1024;
const TITLE: usize = 1024;
const ABSTRACT: usize = 8192;
const KEYWORD: usize = 256;
const KEYWORDS: usize = 200;
const WORD: usize = 256;
const LICENCE: usize = 1024;
const LINK: usize = 4096;
const LINKS: usize = 500;
const TIMES: usize = 24;
const CRS: usize = 50;

/// Builder of a catalogue record.
#[derive(Debug, Default)]
pub struct CatalogueRecordBuilder {
    /// Record with the fields read so far.
    pub record: CatalogueRecord,
    /// Extent of the record.
    pub place: RecordExtent,
    issues: Vec<Issue>,
}

impl CatalogueRecordBuilder {
    /// Adds an issue, once per code.
    pub fn add_issue(&mut self, code: &str, message: &str) {
        if self.issues.len() < 10 && !self.issues.iter().any(|i| i.code == code) {
            self.issues.push(Issue::new(code, message));
        }
    }

    /// Sets the identifier unless it is set already.
    pub fn set_id(&mut self, text: &str) {
        if self.record.id.is_empty()
            && let Some(id) = tidy_text(text, ID)
        {
            self.record.id = id;
        }
    }

    /// Sets the title unless it is set already.
    pub fn set_title(&mut self, text: &str) {
        set_if_empty(&mut self.record.title, text, TITLE);
    }

    /// Sets the abstract unless it is set already.
    pub fn set_abstract(&mut self, text: &str) {
        set_if_empty(&mut self.record.abstract_, text, ABSTRACT);
    }

    /// Sets the type unless it is set already.
    pub fn set_type(&mut self, text: &str) {
        set_if_empty(&mut self.record.type_, text, WORD);
    }

    /// Sets the language unless it is set already.
    pub fn set_language(&mut self, text: &str) {
        set_if_empty(&mut self.record.language, text, 64);
    }

    /// Sets the time of the last change unless it is set already.
    pub fn set_modified(&mut self, text: &str) {
        set_if_empty(&mut self.record.modified, text, 64);
    }

    /// Sets the provider unless it is set already.
    pub fn set_provider(&mut self, text: &str) {
        set_if_empty(&mut self.record.provider, text, TITLE);
    }

    /// Sets the contact unless it is set already. A contact with an e-mail address replaces one
    /// without.
    pub fn set_contact(&mut self, contact: Contact) {
        if self.record.contact.is_empty() || self.record.contact.email.is_none() && contact.email.is_some() {
            self.record.contact = contact;
        }
    }

    /// Adds a keyword.
    pub fn add_keyword(&mut self, text: &str) {
        if self.record.keywords.len() < KEYWORDS
            && let Some(word) = tidy_text(text, KEYWORD)
            && !self.record.keywords.contains(&word)
        {
            self.record.keywords.push(word);
        }
    }

    /// Adds a time: an instant, or an interval `a/b`.
    pub fn add_time(&mut self, text: &str) {
        if self.record.time.len() < TIMES
            && let Some(time) = tidy_text(text, 128)
            && !self.record.time.contains(&time)
        {
            self.record.time.push(time);
        }
    }

    /// Adds an interval. An open end is an empty string.
    pub fn add_interval(&mut self, begin: &str, end: &str) {
        let (begin, end) = (begin.trim(), end.trim());
        if begin.is_empty() && end.is_empty() {
            return;
        }
        if begin == end {
            self.add_time(begin);
        } else {
            self.add_time(&format!("{begin}/{end}"));
        }
    }

    /// Adds a coordinate reference system.
    pub fn add_crs(&mut self, text: &str) {
        if self.record.crs.len() < CRS
            && let Some(crs) = tidy_text(text, WORD)
            && !self.record.crs.contains(&crs)
        {
            self.record.crs.push(crs);
        }
    }

    /// Adds a licence or constraint. Ignores spellings of "none" and bare code words that only
    /// announce the text that follows.
    pub fn add_licence(&mut self, text: &str) {
        let Some(text) = tidy_text(text, LICENCE) else { return };
        if says_nothing(&text) {
            return;
        }
        match &mut self.record.licence {
            None => self.record.licence = Some(text),
            Some(licence) => {
                if licence.len() + text.len() + 2 <= LICENCE && !licence.contains(&text) {
                    licence.push_str("; ");
                    licence.push_str(&text);
                }
            }
        }
    }

    /// Adds a link. The same address with the same protocol and name is added once.
    pub fn add_link(&mut self, link: RecordLink) {
        if self.record.links.len() < LINKS
            && !link.url.is_empty()
            && link.url.len() <= LINK
            && !self.record.links.contains(&link)
        {
            self.record.links.push(link);
        }
    }

    /// Adds text as a link if it is a web address and nothing else.
    pub fn add_plain_link(&mut self, text: &str) {
        let text = text.trim();
        if is_web_url(text) {
            self.add_link(RecordLink { url: text.to_owned(), ..RecordLink::default() });
        }
    }

    /// Returns the record after all elements have been read.
    pub fn finish(mut self, complete: bool) -> ParsedRecord {
        self.record.bbox = self.place.bbox();
        if let Some((code, message)) = self.place.issue() {
            self.add_issue(code, message);
        }
        if !complete {
            self.add_issue("record-cut", "the document ends inside a record");
        }
        ParsedRecord { record: self.record, issues: self.issues, complete }
    }
}

/// Sets an empty field to tidied text.
pub fn set_if_empty(field: &mut Option<String>, text: &str, cap: usize) {
    if field.is_none() {
        *field = tidy_text(text, cap);
    }
}

/// Returns whether a text is a web address and nothing else.
pub fn is_web_url(text: &str) -> bool {
    let scheme = |scheme: &str| text.get(..scheme.len()).is_some_and(|s| s.eq_ignore_ascii_case(scheme));
    (scheme("http://") || scheme("https://")) && !text.contains(char::is_whitespace)
}

/// Returns whether a text is a code word of a constraint list or a spelling of "none".
fn says_nothing(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "otherrestrictions",
        "other restrictions",
        "license",
        "licence",
        "copyright",
        "intellectualpropertyrights",
        "unrestricted",
        "none",
        "no",
        "keine",
        "ninguna",
        "aucune",
        "unknown",
        "n/a",
        "null",
        "-",
    ];
    text.len() <= 32 && WORDS.contains(&text.to_lowercase().trim_end_matches('.'))
}
