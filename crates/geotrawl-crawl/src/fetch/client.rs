//! The client: one request from its URL to its body.
//!
//! In order: check the URL, ask robots.txt, look the name up, check the addresses, wait for the turn,
//! connect, send, read the headers; then the same again for a redirect, if it is to be followed.

use super::body::{BodyReader, Caps, RequestClock};
use super::config::FetchConfig;
use super::connect::{ConnectionFacts, Connector, Progress, ROUTE, Route};
use super::decode::Decoder;
use super::dns::{CachedResolver, Resolve, SystemResolver};
use super::failure::{Failure, FailureClass, Phase};
use super::guard::Guard;
use super::head;
use super::politeness::{self, Gate, Slot};
use super::request::{Fetched, Hop, Redirects, Request, Timing};
use super::robots::{Reply, Robots, RobotsCache};
use super::tls::{self, TlsSetupError};
use bytes::Bytes;
use geotrawl_kinds::probe::{Head, Range};
use geotrawl_store::RobotsRecord;
use http::header::{self, HeaderValue};
use http::response::Parts;
use http::{StatusCode, Uri};
use http_body_util::Empty;
use hyper::body::Incoming;
use hyper_util::client::legacy;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use jiff::Timestamp;
use std::error::Error as _;
use std::future::{Future, poll_fn};
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;
use tokio::time::Instant;
use url::{Position, Url};

/// Compressed answers we can read, most wanted first.
const ACCEPT_ENCODING: HeaderValue = HeaderValue::from_static("gzip, br, zstd, deflate");
const IDENTITY: HeaderValue = HeaderValue::from_static("identity");
/// The body of a redirect is read up to this, so that its connection can be used again.
const REDIRECT_BODY: u64 = 16 * 1024;
/// First pause before a repeat, doubled each time, plus as much again at random.
const RETRY_PAUSE: Duration = Duration::from_millis(250);
/// Flow control windows of HTTP/2: what a server may send before we read.
const H2_STREAM_WINDOW: u32 = 256 * 1024;
const H2_CONNECTION_WINDOW: u32 = 1024 * 1024;

type WallClock = dyn Fn() -> Timestamp + Send + Sync;
type OnRobots = dyn Fn(RobotsRecord) + Send + Sync;

/// The guarded client; cheap to clone, to be shared by all.
#[derive(Clone)]
pub struct Client {
    inner: Arc<Inner>,
}

struct Inner {
    config: FetchConfig,
    user_agent: HeaderValue,
    token: String,
    guard: Arc<Guard>,
    dns: CachedResolver,
    gate: Gate,
    robots: RobotsCache,
    http: legacy::Client<Connector, Empty<Bytes>>,
    wall_clock: Arc<WallClock>,
    on_robots: Option<Box<OnRobots>>,
}

/// What may be put in place of the usual parts.
pub struct ClientBuilder {
    config: FetchConfig,
    resolver: Option<Arc<dyn Resolve>>,
    wall_clock: Option<Arc<WallClock>>,
    on_robots: Option<Box<OnRobots>>,
}

/// What is known of a request that is under way or has failed.
#[derive(Default)]
struct Trace {
    timing: Timing,
    ip: Option<IpAddr>,
    requests: u32,
}

/// What the server of one hop is asked for.
#[derive(Clone, Copy)]
struct Ask {
    accept: &'static str,
    range: Option<Range>,
    /// What is left of the total time.
    time: Duration,
    crawl_delay: Duration,
}

/// An answer whose body has not been read.
struct Exchange {
    parts: Parts,
    body: Incoming,
    clock: RequestClock,
    slot: Slot,
}

impl ClientBuilder {
    /// Looks names up in another way than the system's.
    #[must_use]
    pub fn resolver(mut self, resolver: Arc<dyn Resolve>) -> Self {
        self.resolver = Some(resolver);
        self
    }

    /// Tells the time of day, for dates in robots.txt records and `Retry-After`.
    #[must_use]
    pub fn wall_clock(mut self, clock: Arc<WallClock>) -> Self {
        self.wall_clock = Some(clock);
        self
    }

    /// Called whenever a robots.txt has been asked for, so that it can be stored and given back to
    /// [`Client::preload`] after a restart. Of an unreadable one, `fetched_at` is when that began.
    #[must_use]
    pub fn on_robots(mut self, hook: Box<OnRobots>) -> Self {
        self.on_robots = Some(hook);
        self
    }

    /// The client. Fails only on an operator's certificate file that cannot be used.
    pub fn build(self) -> Result<Client, TlsSetupError> {
        let config = self.config;
        let guard = Arc::new(Guard::new(&config));
        let tls = tls::client_config(&config.extra_roots)?;
        let connector = Connector::new(guard.clone(), tls, config.timeouts.connect, config.timeouts.tls);
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
        let inner = Inner {
            user_agent,
            token: config.robots_token().to_owned(),
            guard,
            dns: CachedResolver::new(self.resolver.unwrap_or_else(|| Arc::new(SystemResolver::new()))),
            gate: Gate::new(&config.politeness, config.concurrency),
            robots: RobotsCache::new(&config.robots, config.robots_token()),
            http,
            wall_clock: self.wall_clock.unwrap_or_else(|| Arc::new(Timestamp::now)),
            on_robots: self.on_robots,
            config,
        };
        Ok(Client { inner: Arc::new(inner) })
    }
}

impl Client {
    /// A client with the usual parts.
    pub fn new(config: FetchConfig) -> Result<Self, TlsSetupError> {
        Self::builder(config).build()
    }

    /// A client with parts of one's own.
    pub fn builder(config: FetchConfig) -> ClientBuilder {
        ClientBuilder { config, resolver: None, wall_clock: None, on_robots: None }
    }

    /// The settings in force.
    pub fn config(&self) -> &FetchConfig {
        &self.inner.config
    }

    /// When a request to this host (a name as in a URL) could start; `None` while all its turns are taken.
    pub fn ready_at(&self, host: &str) -> Option<Instant> {
        self.inner.gate.ready_at(host)
    }

    /// Takes over what an earlier run learnt from a robots.txt.
    pub fn preload(&self, record: &RobotsRecord) {
        self.inner.robots.preload(record, (self.inner.wall_clock)());
    }

    /// What robots.txt says for the authority of `url`, asked for if need be.
    pub async fn robots(&self, url: &Url) -> Result<Arc<Robots>, Failure> {
        let url = clean(url.clone());
        self.inner.guard.check_url(&url)?;
        Ok(self.inner.robots(&url).await)
    }

    /// Performs a request. Whatever happens is in the answer.
    pub async fn fetch(&self, request: Request) -> Fetched {
        self.inner.fetch(request).await
    }
}

impl Inner {
    async fn fetch(&self, request: Request) -> Fetched {
        let limits = &self.config.timeouts;
        let mut time = request.deadline.unwrap_or(limits.total).min(limits.longest);
        let most = match request.redirects {
            Redirects::Manual => 0,
            Redirects::Follow(most) => most.min(self.config.max_redirects),
        };
        let mut trace = Trace::default();
        let mut hops: Vec<Hop> = Vec::new();
        let mut url = clean(request.url.clone());
        loop {
            let crawl_delay = match self.may_fetch(&url, request.check_robots).await {
                Ok(delay) => delay,
                Err(failure) => return finish(request, url, hops, trace, None, Err(failure)),
            };
            let ask = Ask { accept: request.accept, range: request.range, time, crawl_delay };
            let exchange = match self.exchange(&url, ask, &mut trace).await {
                Ok(exchange) => exchange,
                Err(failure) => return finish(request, url, hops, trace, None, Err(failure)),
            };
            let head = head::read(&exchange.parts, &url, &self.token);
            let location = match redirect(&exchange.parts, &url) {
                Ok(location) => location,
                Err(failure) => {
                    return finish(request, url, hops, trace, Some((head, None)), Err(failure));
                }
            };
            let encoding = head::encoding(&exchange.parts.headers);
            let decoder = encoding.map_or(Ok(None), |encoding| Decoder::for_encoding(&encoding));
            let decoder = match decoder {
                Ok(decoder) => decoder,
                Err(error) => {
                    let failure = Failure::lasting(FailureClass::Decode, error.to_string());
                    return finish(request, url, hops, trace, Some((head, location)), Err(failure));
                }
            };
            let started = exchange.clock.started;
            let reader = BodyReader::new(
                exchange.body,
                decoder,
                Caps::new(&self.config.limits, request.max_bytes),
                exchange.clock,
                self.config.timeouts.idle,
                exchange.slot,
            );
            let Some(next) = location.clone().filter(|_| request.redirects != Redirects::Manual) else {
                return finish(request, url, hops, trace, Some((head, location)), Ok(reader));
            };
            let loops = next == url || hops.iter().any(|hop| hop.url == next);
            if loops || hops.len() >= most {
                let failure = if loops {
                    let message = format!("The redirect leads back to {next}");
                    Failure::lasting(FailureClass::RedirectLoop, message)
                } else {
                    let message = format!("More than {most} redirects in a row");
                    Failure::lasting(FailureClass::TooManyRedirects, message)
                };
                return finish(request, url, hops, trace, Some((head, location)), Err(failure));
            }
            reader.collect(REDIRECT_BODY).await;
            // All hops together share the time, so that a chain of slow ones ends too.
            time = time.saturating_sub(started.elapsed());
            hops.push(Hop { url: url.clone(), status: head.status, location: next.clone() });
            url = next;
        }
    }

    /// Checks the URL and robots.txt; gives the host's `Crawl-delay`.
    async fn may_fetch(&self, url: &Url, check_robots: bool) -> Result<Duration, Failure> {
        self.guard.check_url(url)?;
        if check_robots {
            let robots = self.robots(url).await;
            robots.check(&url[Position::BeforePath..Position::AfterQuery])?;
            return Ok(robots.crawl_delay());
        }
        let known = self.robots.known(&url[..Position::BeforePath]);
        Ok(known.map_or(Duration::ZERO, |robots| robots.crawl_delay()))
    }

    /// robots.txt of this URL's authority: what is known, else what the server says now.
    async fn robots(&self, url: &Url) -> Arc<Robots> {
        let authority = &url[..Position::BeforePath];
        let host = self.robots.host(authority);
        if let Some(robots) = host.fresh() {
            return robots;
        }
        let _asking = host.asking.lock().await;
        if let Some(robots) = host.fresh() {
            return robots;
        }
        let reply = self.ask_robots(url).await;
        let (robots, record) = self.robots.conclude(authority, &host, reply, (self.wall_clock)());
        if let Some(hook) = &self.on_robots {
            hook(record);
        }
        robots
    }

    async fn ask_robots(&self, url: &Url) -> Reply {
        let mut url = url.clone();
        url.set_path("/robots.txt");
        url.set_query(None);
        let mut time = self.config.timeouts.total;
        let mut trace = Trace::default();
        for _ in 0..=self.config.robots.max_redirects {
            let ask = Ask { accept: "text/plain, */*;q=0.1", range: None, time, crawl_delay: Duration::ZERO };
            let exchange = match self.exchange(&url, ask, &mut trace).await {
                Ok(exchange) => exchange,
                Err(failure) => return Reply::Failed(failure),
            };
            let started = exchange.clock.started;
            let status = exchange.parts.status.as_u16();
            let location = match redirect(&exchange.parts, &url) {
                Ok(location) => location,
                Err(_nowhere) => return Reply::LostRedirect,
            };
            let encoding = head::encoding(&exchange.parts.headers);
            let decoder = match encoding.map_or(Ok(None), |encoding| Decoder::for_encoding(&encoding)) {
                Ok(decoder) => decoder,
                Err(error) => {
                    return Reply::Failed(Failure::lasting(FailureClass::Decode, error.to_string()));
                }
            };
            let limit = self.config.robots.max_bytes as u64;
            let reader = BodyReader::new(
                exchange.body,
                decoder,
                Caps::new(&self.config.limits, limit),
                exchange.clock,
                self.config.timeouts.idle,
                exchange.slot,
            );
            let Some(next) = location else {
                let body = reader.collect(limit).await;
                return match body.truncated {
                    Some(failure)
                        if (200..300).contains(&status)
                            && !matches!(failure.class, FailureClass::TooLarge | FailureClass::Bomb) =>
                    {
                        Reply::Failed(failure)
                    }
                    _ => Reply::Answer { status, body: body.bytes.into() },
                };
            };
            reader.collect(REDIRECT_BODY).await;
            time = time.saturating_sub(started.elapsed());
            url = next;
            // The rules found there are for the authority that was asked; the way there is guarded too.
            if let Err(failure) = self.guard.check_url(&url) {
                return Reply::Failed(failure);
            }
        }
        Reply::LostRedirect
    }

    /// One request and its headers, repeated when the connection broke before an answer.
    async fn exchange(&self, url: &Url, ask: Ask, trace: &mut Trace) -> Result<Exchange, Failure> {
        let mut left = self.config.retries;
        loop {
            match self.attempt(url, ask, trace).await {
                Err(failure) if failure.class == FailureClass::Reset && left > 0 => {
                    let pause = RETRY_PAUSE * (1 << (self.config.retries - left).min(6));
                    left -= 1;
                    tokio::time::sleep(pause + pause.mul_f64(fastrand::f64())).await;
                }
                result => return result,
            }
        }
    }

    async fn attempt(&self, url: &Url, ask: Ask, trace: &mut Trace) -> Result<Exchange, Failure> {
        let (host, port) = (url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or(80));
        trace.ip = None;
        let asked = Instant::now();
        let route = Arc::new(self.route(url, host, port).await?);
        trace.timing.dns = asked.elapsed();
        trace.timing.total += trace.timing.dns;
        // A pinned address stands for a whole simulated or internal web: only its hosts take turns.
        let address = if route.pinned { None } else { route.addresses.first().map(SocketAddr::ip) };
        let message = self.message(url, ask)?;

        let waiting = Instant::now();
        let slot = self.gate.acquire(host, address, ask.crawl_delay).await;
        trace.timing.waited += waiting.elapsed();
        trace.requests += 1;

        let limits = &self.config.timeouts;
        let mut clock = RequestClock::start(ask.time, Phase::FirstByte, limits.first_byte);
        let answer = {
            let mut sent = pin!(ROUTE.scope(route.clone(), self.http.request(message)));
            let mut seen = Progress::Waiting;
            poll_fn(|context| {
                if let Poll::Ready(answer) = sent.as_mut().poll(context) {
                    return Poll::Ready(Ok(answer));
                }
                let progress = route.progress();
                if progress != seen {
                    seen = progress;
                    match progress {
                        // The connector ends its phases itself; this only keeps the other clock quiet.
                        Progress::Connecting => clock.enter(Phase::Connect, limits.connect + limits.tls),
                        _ => clock.enter(Phase::FirstByte, limits.first_byte),
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
                slot.took(elapsed);
                return Err(request_failure(&error));
            }
            Err(failure) => {
                slot.took(elapsed);
                return Err(failure);
            }
        };
        let (parts, body) = response.into_parts();
        if let Some(ConnectionFacts(facts)) = parts.extensions.get() {
            trace.ip = Some(facts.ip);
            (trace.timing.connect, trace.timing.tls) = facts.take_times();
        }
        let connecting = trace.timing.connect + trace.timing.tls.unwrap_or_default();
        trace.timing.first_byte = elapsed.saturating_sub(connecting);
        slot.took(trace.timing.first_byte);
        if matches!(parts.status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
            let now = (self.wall_clock)().into();
            let value = head::text(&parts.headers, &header::RETRY_AFTER);
            slot.overloaded(value.and_then(|value| politeness::retry_after(&value, now)));
        } else {
            slot.fine();
        }
        Ok(Exchange { parts, body, clock, slot })
    }

    /// Where this host is: the operator's word, the address itself, or the checked answer of DNS.
    async fn route(&self, url: &Url, host: &str, port: u16) -> Result<Route, Failure> {
        if let Some(address) = self.guard.pin(host, port) {
            return Ok(Route::new(vec![address], true));
        }
        let found: Arc<[IpAddr]> = match url.host() {
            Some(url::Host::Ipv4(ip)) => Arc::new([ip.into()]),
            Some(url::Host::Ipv6(ip)) => Arc::new([ip.into()]),
            _ => {
                let limit = self.config.timeouts.dns;
                tokio::time::timeout(limit, self.dns.lookup(host))
                    .await
                    .unwrap_or_else(|_elapsed| Err(Failure::timeout(Phase::Dns, limit)))?
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
            Some((ip, reason)) if addresses.is_empty() => Err(Guard::refusal(host, ip, reason)),
            _ => Ok(Route::new(addresses, false)),
        }
    }

    fn message(&self, url: &Url, ask: Ask) -> Result<http::Request<Empty<Bytes>>, Failure> {
        let uri = Uri::try_from(&url[..Position::AfterQuery]).map_err(|error| {
            Failure::lasting(FailureClass::BadUrl, format!("The URL cannot be requested ({error})"))
        })?;
        let mut message = http::Request::new(Empty::new());
        *message.uri_mut() = uri;
        let headers = message.headers_mut();
        headers.insert(header::USER_AGENT, self.user_agent.clone());
        headers.insert(header::ACCEPT, HeaderValue::from_static(ask.accept));
        headers.insert(header::ACCEPT_ENCODING, if ask.range.is_some() { IDENTITY } else { ACCEPT_ENCODING });
        if let Some(range) = ask.range {
            let text = match range {
                Range::Span { from, to } => format!("bytes={from}-{to}"),
                Range::Suffix(count) => format!("bytes=-{count}"),
            };
            if let Ok(value) = HeaderValue::try_from(text) {
                headers.insert(header::RANGE, value);
            }
        }
        Ok(message)
    }
}

/// Without what is never sent: credentials and fragment.
fn clean(mut url: Url) -> Url {
    // Both fail only for URLs without a host, which are refused anyway.
    if !url.username().is_empty() || url.password().is_some() {
        let _ = url.set_username("");
        let _ = url.set_password(None);
    }
    url.set_fragment(None);
    url
}

/// Where an answer redirects to, if it does.
fn redirect(parts: &Parts, url: &Url) -> Result<Option<Url>, Failure> {
    if !matches!(parts.status.as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(value) = head::text(&parts.headers, &header::LOCATION) else { return Ok(None) };
    let bad = |words: String| Failure::lasting(FailureClass::BadRedirect, words);
    let target = url.join(value.trim()).map_err(|error| bad(format!("The redirect is no URL ({error})")))?;
    if matches!(target.scheme(), "http" | "https") {
        Ok(Some(clean(target)))
    } else {
        Err(bad(format!("The redirect leads to {}:, which is not fetched", target.scheme())))
    }
}

fn finish(
    request: Request,
    url: Url,
    hops: Vec<Hop>,
    trace: Trace,
    answer: Option<(Head, Option<Url>)>,
    outcome: Result<BodyReader, Failure>,
) -> Fetched {
    let (head, location) = answer.unwrap_or_default();
    Fetched {
        requested: request.url,
        url,
        hops,
        ip: trace.ip,
        head,
        location,
        timing: trace.timing,
        requests: trace.requests,
        robots_skipped: !request.check_robots,
        outcome,
    }
}

/// Why a request failed before its headers were there.
fn request_failure(error: &legacy::Error) -> Failure {
    let mut cause = error.source();
    while let Some(inner) = cause {
        if let Some(failure) = inner.downcast_ref::<Failure>() {
            return failure.clone();
        }
        if let Some(error) = inner.downcast_ref::<hyper::Error>() {
            return http_failure(error, false);
        }
        cause = inner.source();
    }
    Failure::passing(FailureClass::Reset, "The connection broke before an answer came")
}

/// What the HTTP library says, in words; `in_body`: the headers were there already.
pub(super) fn http_failure(error: &hyper::Error, in_body: bool) -> Failure {
    let io = {
        let mut cause = error.source();
        loop {
            match cause {
                None => break None,
                Some(inner) => match inner.downcast_ref::<std::io::Error>() {
                    Some(io) => break Some(io.kind()),
                    None => cause = inner.source(),
                },
            }
        }
    };
    if error.is_parse_too_large() {
        return Failure::lasting(FailureClass::TooLarge, "The headers of the answer are too long");
    }
    if error.is_parse()
        || matches!(io, Some(std::io::ErrorKind::InvalidData | std::io::ErrorKind::InvalidInput))
    {
        return Failure::lasting(FailureClass::Protocol, format!("The answer is not valid HTTP ({error})"));
    }
    if in_body {
        return match io {
            Some(std::io::ErrorKind::ConnectionReset | std::io::ErrorKind::BrokenPipe) => {
                Failure::passing(FailureClass::Reset, "The connection broke in the middle of the answer")
            }
            _ => Failure::passing(FailureClass::Truncated, "The answer ended before it was complete"),
        };
    }
    Failure::passing(FailureClass::Reset, "The server closed the connection without an answer")
}
