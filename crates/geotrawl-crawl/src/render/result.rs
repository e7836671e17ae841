//! The result of rendering a page: all of its requests, or why there is none.

use std::fmt;
use url::Url;

/// A rendered page.
#[derive(Debug, Clone)]
pub struct RenderedPage {
    /// URL of the main frame after all redirects, including those by scripts.
    pub final_url: Url,
    /// HTTP status of the page itself, if known.
    pub status: Option<u16>,
    /// All requests in order, including those that were blocked or answered locally.
    pub requests: Vec<PageRequest>,
    /// The final document, truncated to the limit; empty if a script blocked the page.
    pub html: String,
    pub title: String,
    /// The first errors that the page reported.
    pub console: Vec<String>,
    pub millis: u64,
    /// Bytes received over the network.
    pub bytes: u64,
    /// Why observation ended.
    pub stopped: StopReason,
}

/// A request sent by the page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PageRequest {
    /// URL without the fragment.
    pub url: String,
    pub method: String,
    /// Type as reported by the browser: `Document`, `Script`, `Image`, `Fetch`, `XHR`, ...
    pub resource_type: String,
    /// The script position that caused the request, if the browser reported it.
    pub initiator: Option<RequestInitiator>,
    /// The beginning of the posted body.
    pub post_data: Option<String>,
    /// The `Range` header, for files that are read in pieces.
    pub range: Option<String>,
    /// Status of the response, if there was one; 200 for local answers.
    pub status: Option<u16>,
    /// How the request was handled.
    pub handling: RequestHandling,
}

/// The position in the code that caused a request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RequestInitiator {
    pub url: String,
    /// Starts at 1; 0 if unknown.
    pub line: u32,
    /// Starts at 1; 0 if unknown.
    pub column: u32,
}

/// How a request was handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum RequestHandling {
    /// Sent through the guard.
    #[default]
    Passed,
    /// Answered locally with an empty image or tile; the server was not contacted.
    Stubbed,
    /// Blocked for the given reason.
    Refused(&'static str),
}

/// Why the observation of a page ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// The page sent no more requests.
    Quiet,
    /// The time limit was reached.
    Deadline,
    /// A script blocked the page, so that its document could not be read.
    Busy,
    /// More requests than allowed.
    Requests,
    /// More bytes than allowed.
    Bytes,
}

impl StopReason {
    /// Returns the stable text for storing and counting.
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
    /// One sentence for the user.
    pub message: String,
    /// Requests of the page before the failure.
    pub requests: Vec<PageRequest>,
}

/// The kind of a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RenderErrorKind {
    /// No browser is installed, or this system is not supported.
    NoBrowser,
    /// The browser cannot be started.
    Start,
    /// The address may not be contacted, or robots.txt forbids it.
    Refused,
    /// The page's server did not deliver a page.
    Unreachable,
    /// The browser crashed twice.
    Crashed,
    /// The browser hung twice.
    Hung,
    /// The page used more memory than allowed.
    Memory,
}

impl RenderErrorKind {
    /// Returns the stable text for storing and counting.
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
