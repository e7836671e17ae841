//! Sends one request to one server: resolves the host, waits for a slot, returns the response.

use super::body::{BodyLimits, BodyReader, RequestClock};
use super::config::FetchConfig;
use super::connect::{ConnectProgress, ConnectionExtension, ConnectionRoute, GuardedConnector, ROUTE};
use super::decode::BodyDecoder;
use super::dns::{CachedResolver, NameResolver};
use super::failure::{FailureClass, FetchError, RequestPhase};
use super::guard::AddressGuard;
use super::head;
use super::politeness::{self, PolitenessGate, RequestSlot};
use super::request::{FetchRequest, RequestTiming};
use super::tls::{self, TlsSetupError};
use crate::leased::LeaseRegistry;
use bytes::Bytes;
use geotrawl_kinds::probe::ByteRange;
use geotrawl_kinds::urls;
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::response::Parts;
use http::{StatusCode, Uri};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper_util::client::legacy;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use std::error::Error as _;
use std::future::{Future, poll_fn};
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;
use tokio::time::Instant;
use url::{Position, Url};

/// Supported encodings, preferred ones first.
const ACCEPT_ENCODING: HeaderValue = HeaderValue::from_static("gzip, br, zstd, deflate");
const IDENTITY: HeaderValue = HeaderValue::from_static("identity");
/// Headers that only the client may set, because they control routing and message framing.
const OWN_HEADERS: &[HeaderName] = &[
    header::HOST,
    header::CONTENT_LENGTH,
    header::TRANSFER_ENCODING,
    header::CONNECTION,
    header::UPGRADE,
    header::TE,
    header::EXPECT,
    header::COOKIE,
    header::PROXY_AUTHORIZATION,
];
/// Wait before the first retry; doubled each time, plus up to as much again at random.
const RETRY_PAUSE: Duration = Duration::from_millis(250);
/// HTTP/2 flow control windows: what a server may send before it is read.
const H2_STREAM_WINDOW: u32 = 256 * 1024;
const H2_CONNECTION_WINDOW: u32 = 1024 * 1024;

/// Sends requests; does everything except robots.txt.
pub(super) struct HttpTransport {
    pub config: FetchConfig,
    pub guard: Arc<AddressGuard>,
    pub gate: PolitenessGate,
    pub wall_clock: Arc<WallClock>,
    leases: Arc<LeaseRegistry>,
    user_agent: HeaderValue,
    dns: CachedResolver,
    #[expect(clippy::disallowed_types, reason = "this is the guarded client")]
    http: legacy::Client<GuardedConnector, Full<Bytes>>,
}

/// Returns the time of day.
pub(super) type WallClock = dyn Fn() -> jiff::Timestamp + Send + Sync;

/// What is known about a request that is in progress or has failed.
pub(super) struct RequestTrace {
    pub timing: RequestTiming,
    pub ip: Option<IpAddr>,
    pub requests: u32,
    /// Time limit for all hops together, and what is left of it.
    total: Duration,
    pub left: Duration,
    pub crawl_delay: Duration,
}

impl RequestTrace {
    /// Creates the trace of a request that must finish within `total`.
    pub fn new(total: Duration) -> Self {
        let (timing, crawl_delay) = (RequestTiming::default(), Duration::ZERO);
        Self { timing, ip: None, requests: 0, total, left: total, crawl_delay }
    }
}

/// A response whose body has not been read.
pub(super) struct PendingResponse {
    pub parts: Parts,
    body: Incoming,
    clock: RequestClock,
    slot: RequestSlot,
}

impl PendingResponse {
    /// Returns when the request was sent.
    pub fn started(&self) -> Instant {
        self.clock.started
    }

    /// Returns the headers, and a reader for at most `max_bytes` of the body.
    pub fn into_reader(
        self,
        config: &FetchConfig,
        max_bytes: u64,
    ) -> (HeaderMap, Result<BodyReader, FetchError>) {
        let decoder = match head::encoding(&self.parts.headers) {
            None => Ok(None),
            Some(encoding) => BodyDecoder::for_encoding(&encoding)
                .map_err(|error| FetchError::lasting(FailureClass::Decode, error.to_string())),
        };
        let caps = BodyLimits::new(&config.limits, max_bytes);
        let reader = decoder.map(|decoder| {
            BodyReader::new(self.body, decoder, caps, self.clock, config.timeouts.idle, self.slot)
        });
        (self.parts.headers, reader)
    }
}

impl HttpTransport {
    /// Creates the transport. Fails only if one of the operator's certificate files cannot be used.
    #[expect(clippy::disallowed_types, reason = "this is the guarded client")]
    pub fn new(
        config: FetchConfig,
        resolver: Arc<dyn NameResolver>,
        wall_clock: Arc<WallClock>,
        leases: Arc<LeaseRegistry>,
    ) -> Result<Self, TlsSetupError> {
        let guard = Arc::new(AddressGuard::new(&config));
        let tls = tls::client_config(&config.extra_roots)?;
        let connector =
            GuardedConnector::new(guard.clone(), tls, config.timeouts.connect, config.timeouts.tls);
        let http = legacy::Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .timer(TokioTimer::new())
            .pool_idle_timeout(config.keep_alive)
            .pool_max_idle_per_host(config.politeness.per_host.max(1))
            .http1_max_buf_size(config.limits.header_bytes.max(8 * 1024))
            .http1_max_headers(config.limits.headers)
            .http1_ignore_invalid_headers_in_responses(true)
            .http1_allow_spaces_after_header_name_in_responses(true)
            .http1_allow_obsolete_multiline_headers_in_responses(true)
            .http2_max_header_list_size(u32::try_from(config.limits.header_bytes).unwrap_or(u32::MAX))
            .http2_initial_stream_window_size(H2_STREAM_WINDOW)
            .http2_initial_connection_window_size(H2_CONNECTION_WINDOW)
            .build(connector);
        let user_agent = HeaderValue::from_str(&config.user_agent)
            .unwrap_or_else(|_invalid| HeaderValue::from_static("Geotrawl"));
        Ok(Self {
            user_agent,
            guard,
            dns: CachedResolver::new(resolver),
            gate: PolitenessGate::new(&config.politeness, config.concurrency),
            http,
            wall_clock,
            leases,
            config,
        })
    }

    /// Sends a request and reads the headers. Retries if the connection breaks before a response.
    pub async fn send_request(
        &self,
        request: &FetchRequest,
        trace: &mut RequestTrace,
    ) -> Result<PendingResponse, FetchError> {
        let mut left = self.config.retries;
        loop {
            match self.attempt(request, trace).await {
                Err(failure) if failure.class == FailureClass::Reset && left > 0 => {
                    let pause = RETRY_PAUSE * (1 << (self.config.retries - left).min(6));
                    left -= 1;
                    tokio::time::sleep(pause + pause.mul_f64(fastrand::f64())).await;
                }
                result => return result,
            }
        }
    }

    async fn attempt(
        &self,
        request: &FetchRequest,
        trace: &mut RequestTrace,
    ) -> Result<PendingResponse, FetchError> {
        let url = &request.url;
        let (host, port) = (url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or(80));
        trace.ip = None;
        let asked = Instant::now();
        let route = Arc::new(self.route(url, host, port).await?);
        trace.timing.dns = asked.elapsed();
        trace.timing.total += trace.timing.dns;
        // A pinned address stands for a whole simulated or internal
        // web, so only its hosts are throttled.
        let address = if route.pinned { None } else { route.addresses.first().map(SocketAddr::ip) };
        let message = self.message(request)?;

        let waiting = Instant::now();
        let slot = self.gate.acquire(host, address, trace.crawl_delay).await?;
        trace.timing.waited += waiting.elapsed();
        // Check after the wait, which may have outlasted the lease.
        if !self.leases.allows_request(&urls::host_key(url)) {
            let message = format!("This process no longer holds the lease for {host}");
            return Err(FetchError::passing(FailureClass::OffLoan, message));
        }
        trace.requests += 1;

        let limits = &self.config.timeouts;
        let mut clock =
            RequestClock::start(trace.left, trace.total, RequestPhase::FirstByte, limits.first_byte);
        let answer = {
            let mut sent = pin!(ROUTE.scope(route.clone(), self.http.request(message)));
            let mut seen = ConnectProgress::Waiting;
            poll_fn(|context| {
                if let Poll::Ready(answer) = sent.as_mut().poll(context) {
                    return Poll::Ready(Ok(answer));
                }
                let progress = route.progress();
                if progress != seen {
                    seen = progress;
                    match progress {
                        // The connector has its own time limits; this keeps
                        // the first-byte limit from firing.
                        ConnectProgress::Connecting => {
                            clock.enter_phase(RequestPhase::Connect, limits.connect + limits.tls);
                        }
                        _ => clock.enter_phase(RequestPhase::FirstByte, limits.first_byte),
                    }
                }
                clock.poll_overdue(context).map(Err)
            })
            .await
        };
        let elapsed = clock.started.elapsed();
        trace.timing.total += elapsed;
        let response = match answer {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => {
                slot.record_latency(elapsed);
                return Err(request_failure(&error));
            }
            Err(failure) => {
                slot.record_latency(elapsed);
                return Err(failure);
            }
        };
        let (parts, body) = response.into_parts();
        if let Some(ConnectionExtension(facts)) = parts.extensions.get() {
            trace.ip = Some(facts.ip);
            (trace.timing.connect, trace.timing.tls) = facts.take_times();
        }
        let connecting = trace.timing.connect + trace.timing.tls.unwrap_or_default();
        trace.timing.first_byte = elapsed.saturating_sub(connecting);
        slot.record_latency(trace.timing.first_byte);
        if matches!(parts.status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
            let now = (self.wall_clock)().into();
            let value = head::header_text(&parts.headers, &header::RETRY_AFTER);
            slot.back_off(value.and_then(|value| politeness::parse_retry_after(&value, now)));
        } else {
            slot.reset_backoff();
        }
        Ok(PendingResponse { parts, body, clock, slot })
    }

    /// Returns where to connect: the pinned address, the address
    /// in the URL, or the checked DNS answer.
    async fn route(&self, url: &Url, host: &str, port: u16) -> Result<ConnectionRoute, FetchError> {
        if let Some(address) = self.guard.pinned_address(host, port) {
            return Ok(ConnectionRoute::new(vec![address], true));
        }
        let found: Arc<[IpAddr]> = match url.host() {
            Some(url::Host::Ipv4(ip)) => Arc::new([ip.into()]),
            Some(url::Host::Ipv6(ip)) => Arc::new([ip.into()]),
            _ => {
                let limit = self.config.timeouts.dns;
                tokio::time::timeout(limit, self.dns.lookup(host))
                    .await
                    .unwrap_or_else(|_elapsed| Err(FetchError::timeout(RequestPhase::Dns, limit)))?
            }
        };
        let mut refused = None;
        let mut addresses = Vec::with_capacity(found.len());
        for ip in found.iter() {
            match self.guard.check_ip(*ip) {
                Ok(()) => addresses.push(SocketAddr::new(*ip, port)),
                Err(reason) => refused = refused.or(Some((*ip, reason))),
            }
        }
        match refused {
            Some((ip, reason)) if addresses.is_empty() => Err(AddressGuard::blocked_error(host, ip, reason)),
            _ => Ok(ConnectionRoute::new(addresses, false)),
        }
    }

    fn message(&self, request: &FetchRequest) -> Result<http::Request<Full<Bytes>>, FetchError> {
        let uri = Uri::try_from(&request.url[..Position::AfterQuery]).map_err(|error| {
            FetchError::lasting(FailureClass::BadUrl, format!("The URL cannot be requested ({error})"))
        })?;
        let mut message = http::Request::new(Full::default());
        *message.uri_mut() = uri;
        if let Some(post) = &request.post {
            *message.method_mut() = http::Method::POST;
            *message.body_mut() = Full::new(Bytes::from(post.body.clone()));
            message.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(post.content_type));
        }
        let headers = message.headers_mut();
        headers.insert(header::USER_AGENT, self.user_agent.clone());
        headers.insert(header::ACCEPT, HeaderValue::from_static(request.accept));
        headers.insert(
            header::ACCEPT_ENCODING,
            if request.range.is_some() { IDENTITY } else { ACCEPT_ENCODING },
        );
        if let Some(mut value) =
            request.authorization.as_deref().and_then(|text| HeaderValue::from_str(text).ok())
        {
            value.set_sensitive(true);
            headers.insert(header::AUTHORIZATION, value);
        }
        if let Some(range) = request.range {
            let text = match range {
                ByteRange::Span { from, to } => format!("bytes={from}-{to}"),
                ByteRange::Suffix(count) => format!("bytes=-{count}"),
            };
            if let Ok(value) = HeaderValue::try_from(text) {
                headers.insert(header::RANGE, value);
            }
        }
        for (name, value) in &request.extra_headers {
            if !OWN_HEADERS.contains(name) && !headers.contains_key(name) {
                headers.insert(name, value.clone());
            }
        }
        Ok(message)
    }
}

/// Removes what is never sent: credentials and fragment.
pub(super) fn strip_secrets(mut url: Url) -> Url {
    // Both calls fail only for URLs without a host, which are rejected anyway.
    if !url.username().is_empty() || url.password().is_some() {
        let _ = url.set_username("");
        let _ = url.set_password(None);
    }
    url.set_fragment(None);
    url
}

/// Returns the target if the response is a redirect.
pub(super) fn redirect_target(parts: &Parts, url: &Url) -> Result<Option<Url>, FetchError> {
    if !matches!(parts.status.as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(value) = head::header_text(&parts.headers, &header::LOCATION) else { return Ok(None) };
    let bad = |words: String| FetchError::lasting(FailureClass::BadRedirect, words);
    let target =
        url.join(value.trim()).map_err(|error| bad(format!("The redirect target is not a URL ({error})")))?;
    if matches!(target.scheme(), "http" | "https") {
        Ok(Some(strip_secrets(target)))
    } else {
        Err(bad(format!("The redirect leads to {}:, which is not supported", target.scheme())))
    }
}

/// Returns why a request failed before its headers arrived.
fn request_failure(error: &legacy::Error) -> FetchError {
    let mut cause = error.source();
    while let Some(inner) = cause {
        if let Some(failure) = inner.downcast_ref::<FetchError>() {
            return failure.clone();
        }
        if let Some(error) = inner.downcast_ref::<hyper::Error>() {
            return http_failure(error, false);
        }
        cause = inner.source();
    }
    FetchError::passing(FailureClass::Reset, "The connection broke before a response arrived")
}

/// Describes an error of the HTTP library; `in_body` means that the headers had already arrived.
pub(super) fn http_failure(error: &hyper::Error, in_body: bool) -> FetchError {
    use std::io::ErrorKind;
    if error.is_parse_too_large() {
        return FetchError::lasting(FailureClass::TooLarge, "The response headers are too long");
    }
    let (io, ours, cause) = root_cause(error);
    if error.is_parse() || ours || matches!(io, Some(ErrorKind::InvalidData | ErrorKind::InvalidInput)) {
        return FetchError::lasting(
            FailureClass::Protocol,
            format!("The response is not valid HTTP ({cause})"),
        );
    }
    let broken = matches!(io, Some(ErrorKind::ConnectionReset | ErrorKind::BrokenPipe));
    let (class, words) = match (in_body, broken) {
        (true, true) => (FailureClass::Reset, "The connection broke in the middle of the response"),
        (true, false) => (FailureClass::Truncated, "The response ended before it was complete"),
        (false, true) => (FailureClass::Reset, "The connection broke before a response arrived"),
        (false, false) => (FailureClass::Reset, "The server closed the connection without a response"),
    };
    FetchError::passing(class, format!("{words} ({cause})"))
}

/// Returns the kind of the network error if there is one, whether our HTTP/2 side closed the
/// connection because of what the server sent, and the innermost error as text.
fn root_cause(error: &hyper::Error) -> (Option<std::io::ErrorKind>, bool, String) {
    let mut innermost: &(dyn std::error::Error + 'static) = error;
    let (mut io, mut ours) = (None, false);
    while let Some(source) = innermost.source() {
        innermost = source;
        io = io.or(innermost.downcast_ref::<std::io::Error>().map(std::io::Error::kind));
        ours |= innermost.downcast_ref::<h2::Error>().is_some_and(h2::Error::is_library);
    }
    (io, ours, innermost.to_string())
}
