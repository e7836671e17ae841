//! The guarded client: performs one request from URL to body.
//!
//! The order is: check the URL, check robots.txt, resolve the host name, check its addresses, wait
//! for a slot, connect, send, read the headers. Each redirect that is followed repeats all of these
//! steps.

use super::body::BodyReader;
use super::config::FetchConfig;
use super::dns::{NameResolver, SystemResolver};
use super::exchange::{HttpTransport, RequestTrace, WallClock, redirect_target, strip_secrets};
use super::failure::{FailureClass, FetchError};
use super::head;
use super::request::{FetchRequest, FetchResponse, RedirectHop, RedirectPolicy};
use super::robots::{RobotsCache, RobotsPolicy, RobotsReply};
use super::tls::TlsSetupError;
use crate::leased::LeaseRegistry;
use geotrawl_kinds::probe::ResponseHead;
use geotrawl_model::RobotsRecord;
use jiff::Timestamp;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use url::{Position, Url};

/// Most bytes read from the body of a redirect, so that its connection can be reused.
const REDIRECT_BODY: u64 = 16 * 1024;

type RobotsHook = dyn Fn(RobotsRecord) + Send + Sync;

/// The guarded client. Clones are cheap and share all limits and caches.
#[derive(Clone)]
pub struct GuardedClient {
    inner: Arc<ClientInner>,
}

struct ClientInner {
    transport: HttpTransport,
    robots: RobotsCache,
    on_robots: Option<Box<RobotsHook>>,
}

/// Builds a [`GuardedClient`] with replaceable parts.
pub struct ClientBuilder {
    config: FetchConfig,
    resolver: Option<Arc<dyn NameResolver>>,
    wall_clock: Option<Arc<WallClock>>,
    on_robots: Option<Box<RobotsHook>>,
    leases: Arc<LeaseRegistry>,
}

impl ClientBuilder {
    /// Replaces the system's name resolution.
    #[must_use]
    pub fn with_resolver(mut self, resolver: Arc<dyn NameResolver>) -> Self {
        self.resolver = Some(resolver);
        self
    }

    /// Replaces the wall clock that dates robots.txt records and evaluates `Retry-After`.
    #[must_use]
    pub fn with_wall_clock(mut self, clock: Arc<WallClock>) -> Self {
        self.wall_clock = Some(clock);
        self
    }

    /// Sets a hook that is called after each robots.txt request, so that the result can be stored
    /// and passed to [`GuardedClient::preload_robots`] after a restart. For an unreadable
    /// robots.txt, `fetched_at` is the time of the first failure.
    #[must_use]
    pub fn on_robots(mut self, hook: Box<RobotsHook>) -> Self {
        self.on_robots = Some(hook);
        self
    }

    /// Sets the host leases of this process, for stores that several processes share.
    #[must_use]
    pub fn with_leases(mut self, leases: Arc<LeaseRegistry>) -> Self {
        self.leases = leases;
        self
    }

    /// Builds the client.
    ///
    /// # Errors
    ///
    /// Fails only if one of the operator's certificate files cannot be used.
    pub fn build(self) -> Result<GuardedClient, TlsSetupError> {
        let robots = RobotsCache::new(&self.config.robots, self.config.robots_token());
        let resolver = self.resolver.unwrap_or_else(|| Arc::new(SystemResolver::new()));
        let wall_clock = self.wall_clock.unwrap_or_else(|| Arc::new(Timestamp::now));
        let transport = HttpTransport::new(self.config, resolver, wall_clock, self.leases)?;
        Ok(GuardedClient { inner: Arc::new(ClientInner { transport, robots, on_robots: self.on_robots }) })
    }
}

impl GuardedClient {
    /// Creates a client with the default parts.
    pub fn new(config: FetchConfig) -> Result<Self, TlsSetupError> {
        Self::builder(config).build()
    }

    /// Returns a builder to replace some of the default parts.
    pub fn builder(config: FetchConfig) -> ClientBuilder {
        ClientBuilder { config, resolver: None, wall_clock: None, on_robots: None, leases: Arc::default() }
    }

    /// Returns the settings in force.
    pub fn config(&self) -> &FetchConfig {
        &self.inner.transport.config
    }

    /// Returns when a request to `host` (as written in a URL) could start, or `None` while all of
    /// its slots are taken.
    pub fn ready_at(&self, host: &str) -> Option<Instant> {
        self.inner.transport.gate.ready_at(host)
    }

    /// Delays requests to `host` (as written in a URL), because
    /// another process has used it recently.
    pub fn delay_host(&self, host: &str, rest: Duration) {
        self.inner.transport.gate.delay_host(host, rest);
    }

    /// Restores the robots.txt result of an earlier run.
    pub fn preload_robots(&self, record: &RobotsRecord) {
        self.inner.robots.preload(record, (self.inner.transport.wall_clock)());
    }

    /// Returns the robots.txt policy for the authority of `url`, requesting it if it is not cached.
    pub async fn load_robots(&self, url: &Url) -> Result<Arc<RobotsPolicy>, FetchError> {
        let url = strip_secrets(url.clone());
        self.inner.transport.guard.check_url(&url)?;
        self.inner.robots(&url).await
    }

    /// Performs a request. Failures are part of the response.
    pub async fn fetch(&self, request: FetchRequest) -> FetchResponse {
        self.inner.fetch(request).await
    }
}

impl ClientInner {
    /// Performs a request. Each followed redirect replaces its URL.
    async fn fetch(&self, mut request: FetchRequest) -> FetchResponse {
        let limits = &self.transport.config.timeouts;
        let mut trace = RequestTrace::new(request.deadline.unwrap_or(limits.total).min(limits.longest));
        let mut hops: Vec<RedirectHop> = Vec::new();
        let requested = request.url.clone();
        request.url = strip_secrets(request.url);
        let (said, outcome) = self.follow(&mut request, &mut trace, &mut hops).await;
        let ResponseHeaders { head, headers, location } = said;
        FetchResponse {
            requested,
            url: request.url,
            hops,
            ip: trace.ip,
            head,
            headers,
            location,
            timing: trace.timing,
            requests: trace.requests,
            robots_skipped: !request.check_robots,
            outcome,
        }
    }

    async fn follow(
        &self,
        request: &mut FetchRequest,
        trace: &mut RequestTrace,
        hops: &mut Vec<RedirectHop>,
    ) -> (ResponseHeaders, Result<BodyReader, FetchError>) {
        loop {
            trace.crawl_delay = match self.may_fetch(&request.url, request.check_robots).await {
                Ok(delay) => delay,
                Err(failure) => return (ResponseHeaders::default(), Err(failure)),
            };
            let exchange = match self.transport.send_request(request, trace).await {
                Ok(exchange) => exchange,
                Err(failure) => return (ResponseHeaders::default(), Err(failure)),
            };
            let head = head::parse_head(&exchange.parts, &request.url, self.robots.token());
            let location = match redirect_target(&exchange.parts, &request.url) {
                Ok(location) => location,
                Err(failure) => {
                    let said = ResponseHeaders { head, headers: exchange.parts.headers, location: None };
                    return (said, Err(failure));
                }
            };
            let started = exchange.started();
            let (headers, reader) = exchange.into_reader(&self.transport.config, request.max_bytes);
            let status = head.status;
            let said = ResponseHeaders { head, headers, location };
            let Some(next) = said.location.clone() else { return (said, reader) };
            if let Err(failure) = self.may_follow(request, hops, &next) {
                return (said, Err(failure));
            }
            if request.redirects == RedirectPolicy::Manual {
                return (said, reader);
            }
            if let Ok(reader) = reader {
                reader.collect(REDIRECT_BODY).await;
            }
            // All hops share one time limit, so that a chain of slow redirects ends as well.
            trace.left = trace.left.saturating_sub(started.elapsed());
            // Credentials and custom headers were meant for the first origin only.
            if next.origin() != request.url.origin() {
                request.authorization = None;
                request.extra_headers.clear();
            }
            let url = std::mem::replace(&mut request.url, next.clone());
            hops.push(RedirectHop { url, status, location: next });
        }
    }

    /// Checks that a redirect leads to a new URL and that the limit is not reached.
    fn may_follow(&self, request: &FetchRequest, hops: &[RedirectHop], next: &Url) -> Result<(), FetchError> {
        if *next == request.url || hops.iter().any(|hop| hop.url == *next) {
            let message = format!("The redirect leads back to {next}");
            return Err(FetchError::lasting(FailureClass::RedirectLoop, message));
        }
        match request.redirects {
            RedirectPolicy::Follow(most) if hops.len() >= most.min(self.transport.config.max_redirects) => {
                let message = format!("More than {} redirects in a row", hops.len());
                Err(FetchError::lasting(FailureClass::TooManyRedirects, message))
            }
            _ => Ok(()),
        }
    }

    /// Checks the URL and robots.txt, and returns the host's `Crawl-delay`.
    async fn may_fetch(&self, url: &Url, check_robots: bool) -> Result<Duration, FetchError> {
        self.transport.guard.check_url(url)?;
        if check_robots {
            let robots = self.robots(url).await?;
            robots.check_path(&url[Position::BeforePath..Position::AfterQuery])?;
            return Ok(robots.crawl_delay());
        }
        let known = self.robots.cached_policy(&url[..Position::BeforePath]);
        Ok(known.map_or(Duration::ZERO, |robots| robots.crawl_delay()))
    }

    /// Returns the robots.txt policy for this URL's authority, from the cache if it is fresh.
    async fn robots(&self, url: &Url) -> Result<Arc<RobotsPolicy>, FetchError> {
        let authority = &url[..Position::BeforePath];
        let host = self.robots.authority_entry(authority);
        if let Some(robots) = host.fresh_policy() {
            return Ok(robots);
        }
        let _asking = host.asking.lock().await;
        // Another task may have fetched it while this one waited for the lock.
        if let Some(robots) = host.fresh_policy() {
            return Ok(robots);
        }
        let reply = match self.ask_robots(url).await {
            // The request was never sent, so this says nothing about the server.
            RobotsReply::Failed(failure) if failure.class == FailureClass::OffLoan => return Err(failure),
            reply => reply,
        };
        let (robots, record) =
            self.robots.record_reply(authority, &host, reply, (self.transport.wall_clock)());
        if let Some(hook) = &self.on_robots {
            hook(record);
        }
        Ok(robots)
    }

    async fn ask_robots(&self, url: &Url) -> RobotsReply {
        let config = &self.transport.config;
        let limit = config.robots.max_bytes as u64;
        let mut url = url.clone();
        url.set_path("/robots.txt");
        url.set_query(None);
        let mut request = FetchRequest { accept: "text/plain, */*;q=0.1", ..FetchRequest::new(url, limit) };
        let mut trace = RequestTrace::new(config.timeouts.total);
        for _ in 0..=config.robots.max_redirects {
            // Rules found behind a redirect apply to the authority that was asked (RFC 9309), but
            // each hop must pass the address guard.
            if let Err(failure) = self.transport.guard.check_url(&request.url) {
                return RobotsReply::Failed(failure);
            }
            let exchange = match self.transport.send_request(&request, &mut trace).await {
                Ok(exchange) => exchange,
                Err(failure) => return RobotsReply::Failed(failure),
            };
            let (started, status) = (exchange.started(), exchange.parts.status.as_u16());
            let location = match redirect_target(&exchange.parts, &request.url) {
                Ok(location) => location,
                Err(_nowhere) => return RobotsReply::LostRedirect,
            };
            let reader = match exchange.into_reader(config, limit).1 {
                Ok(reader) => reader,
                Err(failure) => return RobotsReply::Failed(failure),
            };
            let Some(next) = location else {
                return RobotsReply::from_body(status, reader.collect(limit).await);
            };
            reader.collect(REDIRECT_BODY).await;
            trace.left = trace.left.saturating_sub(started.elapsed());
            request.url = next;
        }
        RobotsReply::LostRedirect
    }
}

/// What a server sent before the body.
#[derive(Default)]
struct ResponseHeaders {
    head: ResponseHead,
    headers: http::HeaderMap,
    location: Option<Url>,
}
