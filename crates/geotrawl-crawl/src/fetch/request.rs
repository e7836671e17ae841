//! What is asked of the client, and what it gives back.

use super::body::BodyReader;
use super::failure::FetchError;
use geotrawl_kinds::probe::{ByteRange, PostBody, ProbeRequest, ResponseHead};
use http::{HeaderName, HeaderValue};
use std::net::IpAddr;
use std::time::Duration;
use url::Url;

/// One request.
#[derive(Debug, Clone)]
pub struct FetchRequest {
    pub url: Url,
    /// `Accept` header.
    pub accept: &'static str,
    /// Byte range to ask for; then nothing compressed is asked for.
    pub range: Option<ByteRange>,
    /// Sent by POST instead of GET.
    pub post: Option<PostBody>,
    /// `Authorization` header; left out after a redirect to another origin.
    pub authorization: Option<String>,
    /// More headers; left out after a redirect to another origin. Those that the client sets itself stay as they
    /// are, and those that shape the message (`Host`, `Content-Length`, ...) are never taken.
    pub extra_headers: Vec<(HeaderName, HeaderValue)>,
    /// Stop reading after this many decompressed bytes.
    pub max_bytes: u64,
    pub redirects: RedirectPolicy,
    /// Obey robots.txt. Only for a URL that an operator gave by hand may this be `false`, and the
    /// answer says so ([`Fetched::robots_skipped`]).
    pub check_robots: bool,
    /// Instead of the configured total time; bounded by `timeouts.longest`.
    pub deadline: Option<Duration>,
}

/// What to do with a redirect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedirectPolicy {
    /// Give it back: [`Fetched::location`] says where it leads.
    Manual,
    /// Follow so many (bounded by the configured maximum), each with its own turn, guard and robots.txt.
    Follow(usize),
}

impl FetchRequest {
    /// An ordinary request: robots.txt obeyed, redirects given back, at most `max_bytes`.
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

    /// What a probe wants of an address that an operator gave: redirects are followed, robots.txt is not asked.
    pub fn for_operator(ask: ProbeRequest) -> Self {
        Self { redirects: RedirectPolicy::Follow(10), check_robots: false, ..Self::from(ask) }
    }
}

impl From<ProbeRequest> for FetchRequest {
    /// What a probe wants, as an ordinary request.
    fn from(ask: ProbeRequest) -> Self {
        Self { accept: ask.accept, range: ask.range, post: ask.post, ..Self::new(ask.url, ask.max_bytes) }
    }
}

/// What came of a request. Nothing here is an `Err` of the program: a failed fetch is a fact.
pub struct FetchResponse {
    /// As asked for.
    pub requested: Url,
    /// The URL that answered or failed, after redirects; never with credentials or a fragment.
    pub url: Url,
    /// Redirects that were followed.
    pub hops: Vec<RedirectHop>,
    /// The address that answered.
    pub ip: Option<IpAddr>,
    /// What the server said before the body; `status` is 0 when it said nothing.
    pub head: ResponseHead,
    /// All headers of the answer, as they came.
    pub headers: http::HeaderMap,
    /// Where a redirect leads, without fragment and credentials.
    pub location: Option<Url>,
    pub timing: RequestTiming,
    /// HTTP requests that were sent (redirects and retries counted, robots.txt not).
    pub requests: u32,
    /// robots.txt was not asked because the request said so.
    pub robots_skipped: bool,
    /// The body (of any status), or why there is none.
    pub outcome: Result<BodyReader, FetchError>,
}

/// A redirect that was followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedirectHop {
    pub url: Url,
    pub status: u16,
    pub location: Url,
}

/// Where the time went, for the last hop (`total`: for all of them, up to the start of the body).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RequestTiming {
    pub dns: Duration,
    /// Zero on a connection that was already open.
    pub connect: Duration,
    pub tls: Option<Duration>,
    /// From the request to the end of the headers, connecting not counted.
    pub first_byte: Duration,
    pub total: Duration,
    /// Time spent waiting for our own turn.
    pub waited: Duration,
}
