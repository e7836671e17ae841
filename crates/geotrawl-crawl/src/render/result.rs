//! What rendering a page gives: every request it made, or why there is nothing.

use std::fmt;
use url::Url;

/// A page as the browser saw it.
#[derive(Debug, Clone)]
pub struct RenderedPage {
    /// Where the main frame ended up, after redirects of servers and scripts.
    pub final_url: Url,
    /// HTTP status of the page itself, when one was seen.
    pub status: Option<u16>,
    /// Requests in the order in which they were made, those that were refused or answered here included.
    pub requests: Vec<PageRequest>,
    /// The document at the end, cut at the limit; empty when its script never let go.
    pub html: String,
    pub title: String,
    /// The first errors that the page reported.
    pub console: Vec<String>,
    pub millis: u64,
    /// Bytes that came over the network for this page.
    pub bytes: u64,
    /// Why the watching ended.
    pub stopped: StopReason,
}

/// A request of the page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PageRequest {
    /// As it was asked for, without the fragment.
    pub url: String,
    pub method: String,
    /// As the browser names it: `Document`, `Script`, `Image`, `Fetch`, `XHR`, ...
    pub resource_type: String,
    /// The script that asked, and the line in it from 1, when the browser told.
    pub initiator: Option<RequestInitiator>,
    /// The beginning of what was posted.
    pub post_data: Option<String>,
    /// The `Range` header, for files that are read in pieces.
    pub range: Option<String>,
    /// Status of the answer, if one came; 200 for what was answered here.
    pub status: Option<u16>,
    /// What was done with it.
    pub handling: RequestHandling,
}

/// Where in the code a request was made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RequestInitiator {
    pub url: String,
    /// From 1; 0 when unknown.
    pub line: u32,
    /// From 1; 0 when unknown.
    pub column: u32,
}

/// What was done with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum RequestHandling {
    /// Sent on, through the guard.
    #[default]
    Passed,
    /// Answered here with an empty picture or tile: the server was not asked.
    Stubbed,
    /// Not sent: for the reason given.
    Refused(&'static str),
}

/// Why the watching of a page ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// The page had nothing more to ask for.
    Quiet,
    /// The time was up.
    Deadline,
    /// The time was up, and a script held the page so that its document could not be read.
    Busy,
    /// More requests than allowed.
    Requests,
    /// More bytes than allowed.
    Bytes,
}

impl StopReason {
    /// The stable text for storing and counting.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Quiet => "quiet",
            Self::Deadline => "deadline",
            Self::Busy => "busy",
            Self::Requests => "requests",
            Self::Bytes => "bytes",
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why a page could not be rendered.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct RenderError {
    pub kind: RenderErrorKind,
    /// One sentence for people.
    pub message: String,
    /// What the page had asked for before.
    pub requests: Vec<PageRequest>,
}

/// What kind of failure it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RenderErrorKind {
    /// No browser is installed, or this system is not supported.
    NoBrowser,
    /// The browser does not start.
    Start,
    /// The address may not be contacted, or robots.txt forbids it.
    Refused,
    /// The page's server gave no page.
    Unreachable,
    /// The browser crashed, twice.
    Crashed,
    /// The browser gave no sign of life, twice.
    Hung,
    /// The page took more memory than allowed.
    Memory,
}

impl RenderErrorKind {
    /// The stable text for storing and counting.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoBrowser => "no-browser",
            Self::Start => "browser-start",
            Self::Refused => "refused",
            Self::Unreachable => "unreachable",
            Self::Crashed => "browser-crashed",
            Self::Hung => "browser-hung",
            Self::Memory => "browser-memory",
        }
    }
}

impl RenderError {
    pub(super) fn new(kind: RenderErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), requests: Vec::new() }
    }
}
