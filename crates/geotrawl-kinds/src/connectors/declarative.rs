//! A connector that an operator declares in a file, without Rust: see the guide to connectors.
//!
//! State: `page`, `offset` or `cursor` of the page, or `next` (its URL); `n` (pages read before
//! it); `last` (hash of the previous page); `since` (changes only).

mod field_path;
mod file;

use super::json_page::{
    OffsetPaging, PAGE_BYTES, PageState, check_progress, next_link, read_body, status_issue,
};
use super::{CataloguePage, Connector, ConnectorDoc};
use crate::extract::html_tree;
use crate::formats::selectors::ElementTree;
use crate::formats::xml::charset_parameter;
use crate::probe::{PostBody, ProbeRequest, ProbeResponse};
use field_path::{FieldPath, ParsedResponse};
use geotrawl_model::{CatalogueRecord, Issue};
use std::fmt;
use url::{Url, form_urlencoded};

/// A connector read from a file.
#[derive(Debug)]
pub struct DeclarativeConnector {
    doc: &'static ConnectorDoc,
    /// URL prefixes of the catalogues that it harvests.
    at: Vec<String>,
    format: ResponseFormat,
    request: RequestTemplate,
    paging: PagingRule,
    records: RecordMapping,
}

/// Why a connector file is invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectorFileError {
    /// Name of the file, if known.
    pub file: Option<String>,
    /// The invalid key, e.g. `paging.cursor`; empty if the file is not TOML.
    pub key: String,
    /// Why it is invalid.
    pub cause: String,
}

impl ConnectorFileError {
    /// Sets the name of the file.
    #[must_use]
    pub fn in_file(mut self, file: &str) -> Self {
        self.file = Some(file.to_owned());
        self
    }
}

impl fmt::Display for ConnectorFileError {
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

impl std::error::Error for ConnectorFileError {}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ResponseFormat {
    Json,
    Xml,
    Html,
}

#[derive(Debug)]
struct RequestTemplate {
    /// URL with placeholders in braces.
    url: String,
    /// Body to send by POST, if any.
    body: Option<String>,
    content_type: &'static str,
    /// Query parameter with the time since which changes are requested.
    since: Option<String>,
}

#[derive(Debug)]
struct PagingRule {
    by: PagingMethod,
    first: u64,
    size: u64,
    total: Option<FieldPath>,
    last: LastPageRule,
    max_pages: u64,
}

#[derive(Debug)]
enum PagingMethod {
    /// There is only one page.
    None,
    Page,
    Offset,
    /// The response contains a token for the next page.
    Cursor(FieldPath),
    /// The response contains the URL of the next page.
    Next(FieldPath),
}

/// How the last page is recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LastPageRule {
    /// It contains no records.
    Empty,
    /// It contains fewer records than requested.
    Short,
    /// The total is reached.
    Total,
}

/// Paths of the fields of a record, relative to the record.
#[derive(Debug, Default)]
struct RecordMapping {
    each: FieldPath,
    id: FieldPath,
    title: Option<FieldPath>,
    abstract_: Option<FieldPath>,
    keywords: Option<FieldPath>,
    type_: Option<FieldPath>,
    /// One path, or those of west, south, east and north.
    bbox: Vec<FieldPath>,
    time: Option<FieldPath>,
    crs: Option<FieldPath>,
    provider: Option<FieldPath>,
    licence: Option<FieldPath>,
    language: Option<FieldPath>,
    modified: Option<FieldPath>,
    links: Vec<LinkMapping>,
}

#[derive(Debug, Default)]
struct LinkMapping {
    each: Option<FieldPath>,
    url: FieldPath,
    /// URL with `{}` in place of the value.
    template: Option<String>,
    protocol: Option<FieldPath>,
    format: Option<FieldPath>,
    name: Option<FieldPath>,
}

/// Value of `{since}` in a full harvest.
const EVER: &str = "1970-01-01T00:00:00Z";

impl DeclarativeConnector {
    /// Parses a connector file.
    pub fn parse(toml: &str) -> Result<Self, ConnectorFileError> {
        file::parse_connector(toml)
    }

    /// Returns the id.
    pub fn id(&self) -> &'static str {
        self.doc.id
    }

    /// Returns whether a URL belongs to it.
    pub fn serves_url(&self, url: &Url) -> bool {
        self.at.iter().any(|at| url.as_str().starts_with(at))
    }

    /// Fills the placeholders of a template. In a URL, values are query-escaped, except for `{at}`,
    /// which is a URL itself; in a body, only quotes are escaped, so that JSON stays valid.
    fn fill(&self, template: &str, at: &Url, state: &PageState, since: Option<&str>, body: bool) -> String {
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

    fn open(&self, answer: ProbeResponse<'_>) -> Result<ParsedResponse, Issue> {
        if let Some(issue) = status_issue(&answer) {
            return Err(issue);
        }
        let charset = answer.head.content_type.as_deref().and_then(charset_parameter).map(str::to_owned);
        let head = answer.head;
        let body = read_body(answer.body, PAGE_BYTES);
        let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&body);
        match self.format {
            ResponseFormat::Json => serde_json::from_slice(body).map(ParsedResponse::Json).map_err(|error| {
                Issue::new("catalogue-no-json", format!("the response is not JSON: {error}"))
            }),
            ResponseFormat::Xml => {
                Ok(ParsedResponse::Tree(ElementTree::read_xml(&mut &body[..], charset.as_deref())))
            }
            ResponseFormat::Html => {
                let (source, _) = crate::extract::decode_text(head, body, crate::extract::TextKind::Html);
                Ok(ParsedResponse::Tree(html_tree(&source)))
            }
        }
    }

    /// Returns the state of the next page.
    fn next(
        &self,
        state: &PageState,
        after: PageState,
        document: &ParsedResponse,
        got: u64,
        total: Option<u64>,
        answered: &Url,
    ) -> Option<PageState> {
        let read = state.number("n") + 1;
        if got == 0 || read >= self.paging.max_pages {
            return None;
        }
        let start = match self.paging.by {
            PagingMethod::Offset => {
                state.get("offset").map_or(0, |_| state.number("offset").saturating_sub(self.paging.first))
            }
            _ => (read - 1).saturating_mul(self.paging.size),
        };
        let done = match self.paging.last {
            LastPageRule::Empty => false,
            LastPageRule::Short => got < self.paging.size,
            LastPageRule::Total => {
                OffsetPaging { start, asked: self.paging.size, got, total }.next_offset().is_none()
            }
        };
        let after = after.with_value("n", read);
        match &self.paging.by {
            PagingMethod::None => None,
            _ if done => None,
            PagingMethod::Page => {
                let page = state.get("page").map_or(self.paging.first, |_| state.number("page"));
                Some(after.with_value("page", page + 1))
            }
            PagingMethod::Offset => {
                let offset = state.get("offset").map_or(self.paging.first, |_| state.number("offset"));
                Some(after.with_value("offset", offset.saturating_add(got)))
            }
            PagingMethod::Cursor(place) => {
                let cursor = document.first_text(document.root(), place, 2048)?;
                // The same cursor again means that the server does not advance.
                (state.get("cursor") != Some(cursor.as_str())).then(|| after.with_value("cursor", cursor))
            }
            PagingMethod::Next(place) => {
                let raw = document.raw_text(document.root(), place)?;
                let next = next_link(answered, &raw)?;
                (next != *answered && state.get("next") != Some(next.as_str()))
                    .then(|| after.with_value("next", next))
            }
        }
    }
}

impl Connector for DeclarativeConnector {
    fn doc(&self) -> &'static ConnectorDoc {
        self.doc
    }

    fn page_request(&self, at: &Url, state: &str, since: Option<&str>) -> ProbeRequest {
        let state = PageState::parse(state);
        let linked = state.get("next").and_then(|n| Url::parse(n).ok());
        let filled = || Url::parse(&self.fill(&self.request.url, at, &state, since, false)).ok();
        let url = linked.or_else(filled).unwrap_or_else(|| at.clone());
        let accept = match self.format {
            ResponseFormat::Json => "application/json, */*;q=0.5",
            ResponseFormat::Xml => "application/xml, text/xml, */*;q=0.5",
            ResponseFormat::Html => "text/html, application/xhtml+xml, */*;q=0.5",
        };
        let body = self.request.body.as_deref().map(|body| self.fill(body, at, &state, since, true));
        let content_type = self.request.content_type;
        ProbeRequest {
            post: body.map(|body| PostBody { content_type, body }),
            ..ProbeRequest::get(url, accept, PAGE_BYTES)
        }
    }

    fn parse_page(&self, at: &Url, state: &str, answer: ProbeResponse<'_>) -> CataloguePage {
        let mut state = PageState::parse(state);
        let answered = answer.head.url.clone().unwrap_or_else(|| at.clone());
        // The first page was requested with it, so the next ones must be, too.
        let asked = self.request.since.as_ref().filter(|_| state.get("since").is_none());
        if let Some((_, since)) = asked.and_then(|key| answered.query_pairs().find(|(k, _)| k == key)) {
            state = state.with_value("since", since);
        }
        let document = match self.open(answer) {
            Ok(document) => document,
            Err(issue) => return CataloguePage { failure: Some(issue), ..CataloguePage::default() },
        };
        let places = document.select(document.root(), &self.records.each);
        let records: Vec<CatalogueRecord> = places
            .iter()
            .filter_map(|place| self.records.build_record(&document, *place, &answered))
            .collect();
        let total = self.paging.total.as_ref().and_then(|place| {
            let said = document.first_text(document.root(), place, 64)?;
            // `1,234 results`
            let digits: String = said
                .chars()
                .skip_while(|c| !c.is_ascii_digit())
                .filter(|c| !matches!(c, ',' | '.' | '\'' | ' '))
                .take_while(char::is_ascii_digit)
                .collect();
            digits.parse().ok()
        });
        let mut page = CataloguePage { total, ..CataloguePage::default() };
        if !places.is_empty() && records.is_empty() {
            let message = format!("{} records without an id: look at records.id", places.len());
            page.issues.push(Issue::new("records-without-id", message));
        }
        if places.is_empty() && state.number("n") == 0 {
            page.issues
                .push(Issue::new("no-records", "the first page holds no record: look at records.each"));
        }
        match check_progress(&state, &records) {
            Ok(after) => {
                let next = self.next(&state, after, &document, places.len() as u64, total, &answered);
                page.next = next.map(|next| next.encode()).into_iter().collect();
            }
            Err(issue) => page.issues.push(issue),
        }
        page.records = records;
        page
    }
}
