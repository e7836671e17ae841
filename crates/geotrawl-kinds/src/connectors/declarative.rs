//! A connector that an operator describes in a file, without Rust: see the guide to connectors.
//!
//! State: `page`, `offset` or `cursor` of the page, or `next` (its address); `n` (pages read before it);
//! `last` (mark of the page before); `since` (changes only).

mod file;
mod places;

use super::json_page::{Offsets, PAGE_BYTES, State, bytes, moved_on, next_link, refused};
use super::{Connector, ConnectorDoc, Page};
use crate::extract::html_tree;
use crate::formats::selectors::Tree;
use crate::formats::xml::charset_of;
use crate::probe::{Answer, Ask, Post};
use geotrawl_model::{CatalogueRecord, Issue};
use places::{Document, Place};
use std::fmt;
use url::{Url, form_urlencoded};

/// A connector read from a file.
#[derive(Debug)]
pub struct Declarative {
    doc: &'static ConnectorDoc,
    /// Addresses that begin so belong to it.
    at: Vec<String>,
    format: Format,
    request: Request,
    paging: Paging,
    records: Records,
}

/// Why a file describes no connector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file, where it is known.
    pub file: Option<String>,
    /// The key that is wrong, e.g. `paging.cursor`; empty when the file is no TOML.
    pub key: String,
    /// What is wrong with it.
    pub cause: String,
}

impl Problem {
    /// Names the file.
    #[must_use]
    pub fn in_file(mut self, file: &str) -> Self {
        self.file = Some(file.to_owned());
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}: ")?;
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        f.write_str(&self.cause)
    }
}

impl std::error::Error for Problem {}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Json,
    Xml,
    Html,
}

#[derive(Debug)]
struct Request {
    /// With places in braces that are filled in.
    url: String,
    /// Sent by POST when there is one.
    body: Option<String>,
    content_type: &'static str,
    /// The parameter of the address that holds the moment since which changes are wanted.
    since: Option<String>,
}

#[derive(Debug)]
struct Paging {
    by: By,
    first: u64,
    size: u64,
    total: Option<Place>,
    last: Last,
    max_pages: u64,
}

#[derive(Debug)]
enum By {
    /// There is one page only.
    None,
    Page,
    Offset,
    /// The answer holds a word that asks for the next page.
    Cursor(Place),
    /// The answer holds the address of the next page.
    Next(Place),
}

/// What shows that a page was the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    /// It holds nothing.
    Empty,
    /// It holds less than was asked for.
    Short,
    /// The total is reached.
    Total,
}

/// Where the fields of a record stand, from the record's own place.
#[derive(Debug, Default)]
struct Records {
    each: Place,
    id: Place,
    title: Option<Place>,
    abstract_: Option<Place>,
    keywords: Option<Place>,
    type_: Option<Place>,
    /// One place, or those of west, south, east and north.
    bbox: Vec<Place>,
    time: Option<Place>,
    crs: Option<Place>,
    provider: Option<Place>,
    licence: Option<Place>,
    language: Option<Place>,
    modified: Option<Place>,
    links: Vec<Link>,
}

#[derive(Debug, Default)]
struct Link {
    each: Option<Place>,
    url: Place,
    /// An address with `{}` where the value belongs.
    template: Option<String>,
    protocol: Option<Place>,
    format: Option<Place>,
    name: Option<Place>,
}

/// What `{since}` is when everything is wanted.
const EVER: &str = "1970-01-01T00:00:00Z";

impl Declarative {
    /// Reads a file.
    pub fn parse(toml: &str) -> Result<Self, Problem> {
        file::parse(toml)
    }

    /// Its id.
    pub fn id(&self) -> &'static str {
        self.doc.id
    }

    /// Whether an address belongs to it.
    pub fn serves(&self, url: &Url) -> bool {
        self.at.iter().any(|at| url.as_str().starts_with(at))
    }

    /// Fills the places of a template. What is put into an address is escaped as a query wants it, `{at}` is
    /// not, being an address; in a body nothing is escaped but quotes, so that JSON stays JSON.
    fn fill(&self, template: &str, at: &Url, state: &State, since: Option<&str>, body: bool) -> String {
        let number = |key: &str| state.get(key).map_or(self.paging.first, |_| state.number(key)).to_string();
        let cursor = state.get("cursor").unwrap_or_default();
        let since = since.or_else(|| state.get("since")).unwrap_or(EVER);
        let escape = |text: &str| -> String {
            if body {
                text.replace('\\', "\\\\").replace('"', "\\\"")
            } else {
                form_urlencoded::byte_serialize(text.as_bytes()).collect()
            }
        };
        template
            .replace("{at}", at.as_str().trim_end_matches('/'))
            .replace("{page}", &number("page"))
            .replace("{offset}", &number("offset"))
            .replace("{size}", &self.paging.size.to_string())
            .replace("{since}", &escape(since))
            .replace("{cursor}", &escape(cursor))
    }

    fn open(&self, answer: Answer<'_>) -> Result<Document, Issue> {
        if let Some(issue) = refused(&answer) {
            return Err(issue);
        }
        let charset = answer.head.content_type.as_deref().and_then(charset_of).map(str::to_owned);
        let head = answer.head;
        let body = bytes(answer.body, PAGE_BYTES);
        let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&body);
        match self.format {
            Format::Json => serde_json::from_slice(body).map(Document::Json).map_err(|error| {
                Issue::new("catalogue-no-json", format!("the catalogue did not answer with JSON: {error}"))
            }),
            Format::Xml => Ok(Document::Tree(Tree::read_xml(&mut &body[..], charset.as_deref()))),
            Format::Html => {
                let (source, _) = crate::extract::decode(head, body, crate::extract::TextKind::Html);
                Ok(Document::Tree(html_tree(&source)))
            }
        }
    }

    /// The state of the page after this one.
    fn next(
        &self,
        state: &State,
        after: State,
        document: &Document,
        got: u64,
        total: Option<u64>,
        answered: &Url,
    ) -> Option<State> {
        let read = state.number("n") + 1;
        if got == 0 || read >= self.paging.max_pages {
            return None;
        }
        let start = match self.paging.by {
            By::Offset => {
                state.get("offset").map_or(0, |_| state.number("offset").saturating_sub(self.paging.first))
            }
            _ => (read - 1).saturating_mul(self.paging.size),
        };
        let done = match self.paging.last {
            Last::Empty => false,
            Last::Short => got < self.paging.size,
            Last::Total => Offsets { start, asked: self.paging.size, got, total }.next().is_none(),
        };
        let after = after.with("n", read);
        match &self.paging.by {
            By::None => None,
            _ if done => None,
            By::Page => {
                let page = state.get("page").map_or(self.paging.first, |_| state.number("page"));
                Some(after.with("page", page + 1))
            }
            By::Offset => {
                let offset = state.get("offset").map_or(self.paging.first, |_| state.number("offset"));
                Some(after.with("offset", offset.saturating_add(got)))
            }
            By::Cursor(place) => {
                let cursor = document.text(document.root(), place, 2048)?;
                (state.get("cursor") != Some(cursor.as_str())).then(|| after.with("cursor", cursor))
            }
            By::Next(place) => {
                let raw = document.raw(document.root(), place)?;
                let next = next_link(answered, &raw)?;
                (next != *answered && state.get("next") != Some(next.as_str()))
                    .then(|| after.with("next", next))
            }
        }
    }
}

impl Connector for Declarative {
    fn doc(&self) -> &'static ConnectorDoc {
        self.doc
    }

    fn ask(&self, at: &Url, state: &str, since: Option<&str>) -> Ask {
        let state = State::read(state);
        let linked = state.get("next").and_then(|n| Url::parse(n).ok());
        let filled = || Url::parse(&self.fill(&self.request.url, at, &state, since, false)).ok();
        let url = linked.or_else(filled).unwrap_or_else(|| at.clone());
        let accept = match self.format {
            Format::Json => "application/json, */*;q=0.5",
            Format::Xml => "application/xml, text/xml, */*;q=0.5",
            Format::Html => "text/html, application/xhtml+xml, */*;q=0.5",
        };
        let body = self.request.body.as_deref().map(|body| self.fill(body, at, &state, since, true));
        let content_type = self.request.content_type;
        Ask { post: body.map(|body| Post { content_type, body }), ..Ask::get(url, accept, PAGE_BYTES) }
    }

    fn read(&self, at: &Url, state: &str, answer: Answer<'_>) -> Page {
        let mut state = State::read(state);
        let answered = answer.head.url.clone().unwrap_or_else(|| at.clone());
        // The first page was asked with it; the next ones must be, too.
        let asked = self.request.since.as_ref().filter(|_| state.get("since").is_none());
        if let Some((_, since)) = asked.and_then(|key| answered.query_pairs().find(|(k, _)| k == key)) {
            state = state.with("since", since);
        }
        let document = match self.open(answer) {
            Ok(document) => document,
            Err(issue) => return Page { failure: Some(issue), ..Page::default() },
        };
        let places = document.each(document.root(), &self.records.each);
        let records: Vec<CatalogueRecord> =
            places.iter().filter_map(|place| self.records.record(&document, *place, &answered)).collect();
        let total = self.paging.total.as_ref().and_then(|place| {
            let said = document.text(document.root(), place, 64)?;
            // `1,234 results`
            let digits: String = said
                .chars()
                .skip_while(|c| !c.is_ascii_digit())
                .filter(|c| !matches!(c, ',' | '.' | '\'' | ' '))
                .take_while(char::is_ascii_digit)
                .collect();
            digits.parse().ok()
        });
        let mut page = Page { total, ..Page::default() };
        if !places.is_empty() && records.is_empty() {
            let message = format!("{} records without an id: look at records.id", places.len());
            page.issues.push(Issue::new("records-without-id", message));
        }
        if places.is_empty() && state.number("n") == 0 {
            page.issues
                .push(Issue::new("no-records", "the first page holds no record: look at records.each"));
        }
        match moved_on(&state, &records) {
            Ok(after) => {
                let next = self.next(&state, after, &document, places.len() as u64, total, &answered);
                page.next = next.map(|next| next.write()).into_iter().collect();
            }
            Err(issue) => page.issues.push(issue),
        }
        page.records = records;
        page
    }
}
