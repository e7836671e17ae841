//! The contract between the pure kinds and the crawler: what to request, and what the answer means.
//!
//! A frontier item is an [`Intent`] plus a URL. [`Probe::start`] says what to request first; every
//! answer goes to [`Probe::answer`], which either wants one more request or is done. No state survives
//! outside the item, so a crash repeats at most one probe.

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
/// What turns out to be capabilities is read on; everything else stops much earlier by itself.
const PAGE_BYTES: u64 = 150 << 20;

/// Something worth requesting, found in a document: already canonical, already classified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrawlTarget {
    pub url: Url,
    pub intent: Intent,
    pub way: DiscoveryMethod,
    /// Anchor text and nearby words, at most 200 characters: for ranking and for people.
    pub words: String,
    /// Layers, feature types or coverages that the address named.
    pub layers: Vec<String>,
    /// Line of the document it stood in, where known.
    pub line: Option<u32>,
    /// How it was found in code.
    pub note: Option<Box<ScriptEvidence>>,
}

/// How an address was found in the code of an application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptEvidence {
    pub level: AnalysisLevel,
    /// Which rule found it.
    pub rule: String,
    /// Why, in a sentence.
    pub reason: String,
    /// The script that it stands in; none for one in the page.
    pub script: Option<String>,
    /// Column of its line, from 1.
    pub column: u32,
}

impl CrawlTarget {
    /// A target without words, layers or place.
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

/// One request that a probe wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbeRequest {
    pub url: Url,
    /// `Accept` header.
    pub accept: &'static str,
    /// Byte range to ask for; implies `Accept-Encoding: identity`.
    pub range: Option<ByteRange>,
    /// Stop reading after this many (decompressed) bytes.
    pub max_bytes: u64,
    /// Sent by POST instead of GET: only where a catalogue can be asked in no other way.
    pub post: Option<PostBody>,
}

impl ProbeRequest {
    /// An ordinary GET request.
    pub fn get(url: Url, accept: &'static str, max_bytes: u64) -> Self {
        Self { url, accept, range: None, max_bytes, post: None }
    }
}

/// What a POST request carries.
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
    /// `bytes=-n`: the last `n` bytes.
    Suffix(u64),
}

/// What the server said before the body.
#[derive(Debug, Clone, Default)]
pub struct ResponseHead {
    /// The URL that answered.
    pub url: Option<Url>,
    pub status: u16,
    pub content_type: Option<String>,
    /// Total size from `Content-Range`, else `Content-Length` of a whole, unencoded answer.
    pub total_length: Option<u64>,
    /// The range that was served (`Content-Range`), when status is 206.
    pub served_from: Option<u64>,
    pub last_modified: Option<String>,
    pub server: Option<String>,
    /// `Link:` header values.
    pub links: Vec<String>,
    /// `X-Robots-Tag` or the like forbade following links.
    pub nofollow: bool,
}

/// The body: whole in memory when small, a stream when large.
pub enum ResponseBody<'a> {
    Whole(&'a [u8]),
    Stream(&'a mut dyn Read),
}

/// The answer to an [`Ask`].
pub struct ProbeResponse<'a> {
    pub head: &'a ResponseHead,
    pub body: ResponseBody<'a>,
    /// The body ended early: a cap, a reset, a timeout.
    pub truncated: bool,
}

/// What a probe wants next.
#[derive(Debug)]
pub enum ProbeStep {
    /// One more request.
    Ask(Box<ProbeRequest>),
    /// Finished.
    Done(Box<Finding>),
}

/// All that an item gave.
#[derive(Debug, Default)]
pub struct Finding {
    /// Proven services and files.
    pub resources: Vec<Found>,
    /// What to request next: links of a page, sibling services of an endpoint.
    pub targets: Vec<CrawlTarget>,
    /// What the answer was.
    pub verdict: ResponseClass,
    /// Facts of a page, when it was one.
    pub page: Option<PageFacts>,
    pub issues: Vec<Issue>,
    /// What sort of document it was, where it is of a sort that we know (`csw-getrecords-response`).
    pub document: Option<&'static str>,
    /// What a page of a catalogue held.
    pub harvest: Option<Box<HarvestedPage>>,
    /// A file that somebody saved: what it describes is no service here, and is asked for where it says.
    pub saved: bool,
    /// The page is a map application: what its code shows has not been read yet.
    pub app: Option<Box<AppDraft>>,
}

/// What an answer was, apart from what it held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResponseClass {
    /// A page or document that is nothing geospatial itself.
    #[default]
    Page,
    /// A proven resource.
    Resource,
    /// An OGC exception report: the endpoint lives but did not give what was asked.
    Exception,
    /// A login form or a demand for a key.
    Login,
    /// A firewall's challenge page.
    Blocked,
    /// Nothing of use: empty, an error page, a format nobody asked for.
    Nothing,
}

/// What is kept of a page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageFacts {
    pub title: Option<String>,
    pub language: Option<String>,
    pub charset: String,
    /// 64-bit similarity hash of the visible words: near-duplicates differ in few bits.
    pub simhash: u64,
    /// Number of words hashed.
    pub words: u32,
    /// Words of the [`vocabulary`](extract::vocabulary) among them: number and count.
    pub terms: Vec<(u16, u16)>,
    /// `<meta name=robots content=nofollow>` or the header said so: `targets` is empty.
    pub nofollow: bool,
}

/// One frontier item being worked on.
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

/// A conversation with an address that may be a service: what the last answer means, and what to ask next.
pub trait ServiceProbe: Send {
    /// Takes an answer; says what to request next or what the address is.
    fn handle_response(&mut self, answer: ProbeResponse<'_>) -> ProbeStep;
}

impl Probe {
    /// What to request first.
    pub fn start(intent: Intent, url: Url) -> (Self, ProbeRequest) {
        Self::start_with_connectors(&ConnectorSet::default(), intent, url, None)
    }

    /// What to request first, when these connectors are in force. Of a catalogue, only what has changed since
    /// `since` (RFC 3339) is asked for, where its protocol can say so.
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

    /// What the answer to the last request means, and whether another one is wanted.
    pub fn handle_response(&mut self, answer: ProbeResponse<'_>) -> ProbeStep {
        self.handle_response_wanting(answer, HtmlOptions::default())
    }

    /// As [`Self::answer`], with what is wanted of a web page.
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
