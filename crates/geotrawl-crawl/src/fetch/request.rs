//! Requests and responses of the client.

use super::body::BodyReader;
use super::failure::FetchError;
use geotrawl_kinds::probe::{ByteRange, PostBody, ProbeRequest, ResponseHead};
use http::{HeaderName, HeaderValue};
use std::net::IpAddr;
use std::time::Duration;
use url::Url;

/// One request to the client.
#[derive(Debug, Clone)]
pub struct FetchRequest {
    pub url: Url,
    /// `Accept` header.
    pub accept: &'static str,
    /// Byte range to request. Compression is not requested in this case.
    pub range: Option<ByteRange>,
    /// Body to send with POST instead of GET.
    pub post: Option<PostBody>,
    /// `Authorization` header; removed on a redirect to another origin.
    pub authorization: Option<String>,
    /// More headers; removed on a redirect to another origin. Cannot replace headers that the
    /// client sets itself or that frame the message (`Host`, `Content-Length`, ...).
    pub extra_headers: Vec<(HeaderName, HeaderValue)>,
    /// Stop reading after this many decompressed bytes.
    pub max_bytes: u64,
    pub redirects: RedirectPolicy,
    /// Whether to obey robots.txt. May be `false` only for a URL that an operator entered by hand;
    /// the response records it ([`FetchResponse::robots_skipped`]).
    pub check_robots: bool,
    /// Replaces the configured total time; limited by `timeouts.longest`.
    pub deadline: Option<Duration>,
}

/// What to do with a redirect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedirectPolicy {
    /// Return it; [`FetchResponse::location`] is its target.
    Manual,
    /// Follow up to this many (limited by the configuration), each with
    /// its own slot, address check and robots.txt.
    Follow(usize),
}

impl FetchRequest {
    /// Creates an ordinary request: obeys robots.txt, returns redirects, reads at most `max_bytes`.
    pub fn new(url: Url, max_bytes: u64) -> Self {
        Self {
            url,
            accept: "*/*",
            range: None,
            post: None,
            authorization: None,
            extra_headers: Vec::new(),
            max_bytes,
            redirects: RedirectPolicy::Manual,
            check_robots: true,
            deadline: None,
        }
    }

    /// Converts a probe request for an address that an operator
    /// entered: follows redirects, ignores robots.txt.
    pub fn for_operator(ask: ProbeRequest) -> Self {
        Self { redirects: RedirectPolicy::Follow(10), check_robots: false, ..Self::from(ask) }
    }
}

impl From<ProbeRequest> for FetchRequest {
    /// Converts a probe request to an ordinary request.
    fn from(ask: ProbeRequest) -> Self {
        Self { accept: ask.accept, range: ask.range, post: ask.post, ..Self::new(ask.url, ask.max_bytes) }
    }
}

/// The response to a request. A failed fetch is a response with a failed outcome.
pub struct FetchResponse {
    /// The URL as requested.
    pub requested: Url,
    /// The URL that responded or failed, after redirects; never with credentials or a fragment.
    pub url: Url,
    /// The redirects that were followed.
    pub hops: Vec<RedirectHop>,
    /// The address that responded.
    pub ip: Option<IpAddr>,
    /// Status and parsed headers; `status` is 0 without a response.
    pub head: ResponseHead,
    /// All response headers, unchanged.
    pub headers: http::HeaderMap,
    /// Target of a redirect, without fragment and credentials.
    pub location: Option<Url>,
    pub timing: RequestTiming,
    /// Number of HTTP requests sent, including redirects and retries but not robots.txt.
    pub requests: u32,
    /// Whether the request skipped robots.txt.
    pub robots_skipped: bool,
    /// The body (for any status), or why there is none.
    pub outcome: Result<BodyReader, FetchError>,
}

/// A redirect that was followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedirectHop {
    pub url: Url,
    pub status: u16,
    pub location: Url,
}

/// Time spent on the last hop; `total` covers all hops, up to the start of the body.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RequestTiming {
    pub dns: Duration,
    /// Zero if the connection was already open.
    pub connect: Duration,
    pub tls: Option<Duration>,
    /// From the request to the end of the headers, without connecting.
    pub first_byte: Duration,
    pub total: Duration,
    /// Time spent waiting for a slot.
    pub waited: Duration,
}
