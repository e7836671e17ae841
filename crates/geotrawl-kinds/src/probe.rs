//! The contract between the pure kinds and the crawler: which requests to send, and what the
//! responses mean.
//!
//! A frontier entry is an [`Intent`] plus a URL. [`Probe::start`] returns the first request; every
//! response goes to [`Probe::handle_response`], which returns another request or the finding. No
//! state outlives the entry, so a crash repeats at most one probe.

pub(crate) mod content;
mod document;
pub(crate) mod exception;
mod html_signs;
mod ows;
#[cfg(test)]
mod tests;

use crate::connectors::{self, ConnectorHandle, ConnectorSet};
use crate::extract::app::AppDraft;
use crate::extract::{self, HtmlOptions};
use crate::files::FileProbe;
use crate::kinds;
use crate::sniff::{SniffedType, sniff_type};
use content::PeekedBody;
pub(crate) use document::{
    read_any as read_document, read_claimed_json, read_json_doc, read_json_response, read_response,
};
pub use exception::{ExceptionReport, may_be_exception, parse_exception_report as read_exception};
use geotrawl_js::AnalysisLevel;
pub use geotrawl_model::FoundResource as Found;
use geotrawl_model::{DiscoveryMethod, HarvestedPage, Intent, Issue};
pub use html_signs::{is_firewall, is_login};
use ows::OwsProbe;
use serde::{Deserialize, Serialize};
use std::io::Read;
use url::Url;

const ACCEPT_PAGE: &str = "text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8";
const ACCEPT_SITEMAP: &str = "application/xml, text/xml, text/plain;q=0.9, */*;q=0.5";
/// Large because the page may turn out to be a capabilities document; pages are cut off much
/// earlier.
const PAGE_BYTES: u64 = 150 << 20;

/// A URL worth requesting, found in a document: already canonical and classified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrawlTarget {
    pub url: Url,
    pub intent: Intent,
    pub way: DiscoveryMethod,
    /// Link text and nearby words, at most 200 characters; used for ranking and shown to people.
    pub words: String,
    /// Layers, feature types or coverages named in the URL.
    pub layers: Vec<String>,
    /// Line of the document where the URL was found, if known.
    pub line: Option<u32>,
    /// How the URL was found in the code of an application.
    pub note: Option<Box<ScriptEvidence>>,
}

/// Explains how a URL was found in the code of a map application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptEvidence {
    pub level: AnalysisLevel,
    /// Id of the rule that found it.
    pub rule: String,
    /// Reason in one sentence.
    pub reason: String,
    /// URL of the script; `None` for code in the page itself.
    pub script: Option<String>,
    /// Column in the line, starting at 1.
    pub column: u32,
}

impl CrawlTarget {
    /// Creates a target without words, layers or line.
    pub fn new(url: Url, intent: Intent, way: impl Into<DiscoveryMethod>) -> Self {
        Self {
            url,
            intent,
            way: way.into(),
            words: String::new(),
            layers: Vec::new(),
            line: None,
            note: None,
        }
    }
}

/// One request of a probe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbeRequest {
    pub url: Url,
    /// `Accept` header.
    pub accept: &'static str,
    /// Byte range to request; implies `Accept-Encoding: identity`.
    pub range: Option<ByteRange>,
    /// Stop reading after this many decompressed bytes.
    pub max_bytes: u64,
    /// Body to send by POST instead of GET, for catalogues that support nothing else.
    pub post: Option<PostBody>,
}

impl ProbeRequest {
    /// Creates an ordinary GET request.
    pub fn get(url: Url, accept: &'static str, max_bytes: u64) -> Self {
        Self { url, accept, range: None, max_bytes, post: None }
    }
}

/// Body of a POST request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostBody {
    pub content_type: &'static str,
    pub body: String,
}

/// An HTTP byte range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ByteRange {
    /// `bytes=from-to`, both inclusive.
    Span { from: u64, to: u64 },
    /// `bytes=-n`, the last `n` bytes.
    Suffix(u64),
}

/// Status and headers of a response.
#[derive(Debug, Clone, Default)]
pub struct ResponseHead {
    /// URL that responded.
    pub url: Option<Url>,
    pub status: u16,
    pub content_type: Option<String>,
    /// Total size from `Content-Range`, or `Content-Length` of a complete, unencoded response.
    pub total_length: Option<u64>,
    /// First byte of the served range (`Content-Range`) if the status is 206.
    pub served_from: Option<u64>,
    pub last_modified: Option<String>,
    pub server: Option<String>,
    /// Values of the `Link` headers.
    pub links: Vec<String>,
    /// `X-Robots-Tag` or a similar header forbids following links.
    pub nofollow: bool,
}

/// Body of a response: in memory if small, otherwise a stream.
pub enum ResponseBody<'a> {
    Whole(&'a [u8]),
    Stream(&'a mut dyn Read),
}

/// Response to a [`ProbeRequest`].
pub struct ProbeResponse<'a> {
    pub head: &'a ResponseHead,
    pub body: ResponseBody<'a>,
    /// The body is incomplete: it reached the size limit, or the connection broke or timed out.
    pub truncated: bool,
}

/// Next step of a probe.
#[derive(Debug)]
pub enum ProbeStep {
    /// Send another request.
    Ask(Box<ProbeRequest>),
    /// The probe is finished.
    Done(Box<Finding>),
}

/// Everything that a frontier entry yielded.
#[derive(Debug, Default)]
pub struct Finding {
    /// Services and files that were identified.
    pub resources: Vec<Found>,
    /// URLs to request next: links of a page, other services at the same endpoint.
    pub targets: Vec<CrawlTarget>,
    /// Class of the response.
    pub verdict: ResponseClass,
    /// Facts about the page, if the response was one.
    pub page: Option<PageFacts>,
    pub issues: Vec<Issue>,
    /// Type of the document, if it is a known one (`csw-getrecords-response`).
    pub document: Option<&'static str>,
    /// Records of a catalogue page.
    pub harvest: Option<Box<HarvestedPage>>,
    /// The document is a saved copy: the service that it describes is elsewhere and is requested
    /// there.
    pub saved: bool,
    /// The page is a map application whose code has not been analysed yet.
    pub app: Option<Box<AppDraft>>,
}

/// Class of a response, regardless of its contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResponseClass {
    /// A page or document that is not a geospatial resource itself.
    #[default]
    Page,
    /// An identified resource.
    Resource,
    /// An OGC exception report: the endpoint responds, but rejected the request.
    Exception,
    /// A login form or a request for an API key.
    Login,
    /// A challenge page of a firewall.
    Blocked,
    /// Nothing useful: empty, an error page, an unexpected format.
    Nothing,
}

/// Facts that are kept about a page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageFacts {
    pub title: Option<String>,
    pub language: Option<String>,
    pub charset: String,
    /// 64-bit similarity hash of the visible words: near-duplicates differ in few bits.
    pub simhash: u64,
    /// Number of words hashed.
    pub words: u32,
    /// Words of the [`vocabulary`](extract::vocabulary) on the page, as (number, count).
    pub terms: Vec<(u16, u16)>,
    /// `<meta name=robots content=nofollow>` or a header forbids following links: `targets` is
    /// empty.
    pub nofollow: bool,
}

/// Probe of one frontier entry.
pub struct Probe {
    url: Url,
    way: ProbeState,
}

enum ProbeState {
    Page,
    Sitemap,
    Ows(Box<OwsProbe>),
    File(Box<FileProbe>),
    Dialogue(Box<dyn ServiceProbe>),
    Harvest { connector: ConnectorHandle, page: u32, state: String, partial: bool },
}

/// A probe of a URL that may be a service: interprets each response and decides what to request
/// next.
pub trait ServiceProbe: Send {
    /// Processes a response and returns the next request or the finding.
    fn handle_response(&mut self, answer: ProbeResponse<'_>) -> ProbeStep;
}

impl Probe {
    /// Creates a probe and returns its first request.
    pub fn start(intent: Intent, url: Url) -> (Self, ProbeRequest) {
        Self::start_with_connectors(&ConnectorSet::default(), intent, url, None)
    }

    /// Like [`Self::start`], with these connectors. `since` (RFC 3339) restricts the harvest of a
    /// catalogue to records changed since then, if its protocol supports that.
    pub fn start_with_connectors(
        connectors: &ConnectorSet,
        intent: Intent,
        url: Url,
        since: Option<&str>,
    ) -> (Self, ProbeRequest) {
        match intent {
            Intent::Ask { kind } => {
                if let Some((dialogue, ask)) = kinds::by_id(&kind).and_then(|kind| kind.start_probe(&url)) {
                    return (Self { url, way: ProbeState::Dialogue(dialogue) }, ask);
                }
                Self::start(Intent::Page, url)
            }
            Intent::Harvest { connector, page, state } => {
                if let Some(connector) = connectors.by_id(&connector) {
                    let ask = connector.page_request(&url, &state, since);
                    let partial = since.is_some();
                    return (Self { url, way: ProbeState::Harvest { connector, page, state, partial } }, ask);
                }
                Self::start(Intent::Page, url)
            }
            Intent::Ows { kind, siblings } => {
                if let Some((probe, ask)) = OwsProbe::start(&kind, siblings, &url) {
                    return (Self { url, way: ProbeState::Ows(Box::new(probe)) }, ask);
                }
                Self::start(Intent::Page, url)
            }
            Intent::File => {
                let (probe, ask) = FileProbe::start(url.clone());
                (Self { url, way: ProbeState::File(Box::new(probe)) }, ask)
            }
            Intent::Sitemap => {
                let ask = ProbeRequest::get(url.clone(), ACCEPT_SITEMAP, document::DOCUMENT_LIMIT as u64);
                (Self { url, way: ProbeState::Sitemap }, ask)
            }
            Intent::Page | Intent::Import => {
                let ask = ProbeRequest::get(url.clone(), ACCEPT_PAGE, PAGE_BYTES);
                (Self { url, way: ProbeState::Page }, ask)
            }
        }
    }

    /// Processes the response to the last request and returns the next request or the finding.
    pub fn handle_response(&mut self, answer: ProbeResponse<'_>) -> ProbeStep {
        self.handle_response_wanting(answer, HtmlOptions::default())
    }

    /// Like [`Self::handle_response`]; `wanted` says what to extract from web pages.
    pub fn handle_response_wanting(
        &mut self,
        answer: ProbeResponse<'_>,
        wanted: HtmlOptions<'_>,
    ) -> ProbeStep {
        let mut step = self.judge(answer, wanted);
        if let ProbeStep::Done(finding) = &mut step {
            connectors::add_harvest_targets(finding);
        }
        step
    }

    fn judge(&mut self, answer: ProbeResponse<'_>, wanted: HtmlOptions<'_>) -> ProbeStep {
        match &mut self.way {
            ProbeState::Dialogue(dialogue) => dialogue.handle_response(answer),
            ProbeState::Harvest { connector, page, state, partial } => {
                let page = (*page, state.as_str(), *partial);
                ProbeStep::Done(Box::new(connectors::harvest_page(&**connector, &self.url, page, answer)))
            }
            ProbeState::Ows(probe) => probe.handle_response(answer),
            ProbeState::File(probe) => probe.handle_response(answer),
            ProbeState::Page => {
                let url = answer.head.url.as_ref().unwrap_or(&self.url);
                let content = PeekedBody::peek(answer.body);
                let sniffed = sniff_type(content.prefix(), answer.head.content_type.as_deref());
                let finding = match sniffed {
                    _ if let Some(module) = document::is_script(url, answer.head, &content) => {
                        document::read_script(url, answer.head, content, module)
                    }
                    SniffedType::Html => document::read_html(url, answer.head, content, wanted),
                    _ => document::read_any(url, answer.head, &sniffed, content, answer.truncated),
                };
                ProbeStep::Done(Box::new(finding))
            }
            ProbeState::Sitemap => {
                let url = answer.head.url.as_ref().unwrap_or(&self.url);
                if answer.head.status >= 400 {
                    return ProbeStep::Done(Box::new(document::empty_finding()));
                }
                let body = PeekedBody::peek(answer.body).into_bytes(document::DOCUMENT_LIMIT);
                ProbeStep::Done(Box::new(extract::read_sitemap(url, answer.head, &body)))
            }
        }
    }
}
