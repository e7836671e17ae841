//! The client: one request from its URL to its body.
//!
//! In order: check the URL, ask robots.txt, look the name up, check the addresses, wait for the turn,
//! connect, send, read the headers; then the same again for a redirect, if it is to be followed.

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

/// The body of a redirect is read up to this, so that its connection can be used again.
const REDIRECT_BODY: u64 = 16 * 1024;

type RobotsHook = dyn Fn(RobotsRecord) + Send + Sync;

/// The guarded client; cheap to clone, to be shared by all.
#[derive(Clone)]
pub struct GuardedClient {
    inner: Arc<ClientInner>,
}

struct ClientInner {
    transport: HttpTransport,
    robots: RobotsCache,
    on_robots: Option<Box<RobotsHook>>,
}

/// What may be put in place of the usual parts.
pub struct ClientBuilder {
    config: FetchConfig,
    resolver: Option<Arc<dyn NameResolver>>,
    wall_clock: Option<Arc<WallClock>>,
    on_robots: Option<Box<RobotsHook>>,
    leases: Arc<LeaseRegistry>,
}

impl ClientBuilder {
    /// Looks names up in another way than the system's.
    #[must_use]
    pub fn with_resolver(mut self, resolver: Arc<dyn NameResolver>) -> Self {
        self.resolver = Some(resolver);
        self
    }

    /// Tells the time of day, for dates in robots.txt records and `Retry-After`.
    #[must_use]
    pub fn with_wall_clock(mut self, clock: Arc<WallClock>) -> Self {
        self.wall_clock = Some(clock);
        self
    }

    /// Called whenever a robots.txt has been asked for, so that it can be stored and given back to
    /// [`Client::preload`] after a restart. Of an unreadable one, `fetched_at` is when that began.
    #[must_use]
    pub fn on_robots(mut self, hook: Box<RobotsHook>) -> Self {
        self.on_robots = Some(hook);
        self
    }

    /// Says which hosts may be asked, where several processes share a store.
    #[must_use]
    pub fn with_leases(mut self, leases: Arc<LeaseRegistry>) -> Self {
        self.leases = leases;
        self
    }

    /// The client. Fails only on an operator's certificate file that cannot be used.
    pub fn build(self) -> Result<GuardedClient, TlsSetupError> {
        let robots = RobotsCache::new(&self.config.robots, self.config.robots_token());
        let resolver = self.resolver.unwrap_or_else(|| Arc::new(SystemResolver::new()));
        let wall_clock = self.wall_clock.unwrap_or_else(|| Arc::new(Timestamp::now));
        let transport = HttpTransport::new(self.config, resolver, wall_clock, self.leases)?;
        Ok(GuardedClient { inner: Arc::new(ClientInner { transport, robots, on_robots: self.on_robots }) })
    }
}

impl GuardedClient {
    /// A client with the usual parts.
    pub fn new(config: FetchConfig) -> Result<Self, TlsSetupError> {
        Self::builder(config).build()
    }

    /// A client with parts of one's own.
    pub fn builder(config: FetchConfig) -> ClientBuilder {
        ClientBuilder { config, resolver: None, wall_clock: None, on_robots: None, leases: Arc::default() }
    }

    /// The settings in force.
    pub fn config(&self) -> &FetchConfig {
        &self.inner.transport.config
    }

    /// When a request to this host (a name as in a URL) could start; `None` while all its turns are taken.
    pub fn ready_at(&self, host: &str) -> Option<Instant> {
        self.inner.transport.gate.ready_at(host)
    }

    /// Leaves this host (a name as in a URL) alone for so long, as whoever asked it before wants.
    pub fn delay_host(&self, host: &str, rest: Duration) {
        self.inner.transport.gate.delay_host(host, rest);
    }

    /// Takes over what an earlier run learnt from a robots.txt.
    pub fn preload_robots(&self, record: &RobotsRecord) {
        self.inner.robots.preload(record, (self.inner.transport.wall_clock)());
    }

    /// What robots.txt says for the authority of `url`, asked for if need be.
    pub async fn load_robots(&self, url: &Url) -> Result<Arc<RobotsPolicy>, FetchError> {
        let url = strip_secrets(url.clone());
        self.inner.transport.guard.check_url(&url)?;
        self.inner.robots(&url).await
    }

    /// Performs a request. Whatever happens is in the answer.
    pub async fn fetch(&self, request: FetchRequest) -> FetchResponse {
        self.inner.fetch(request).await
    }
}

impl ClientInner {
    /// Performs a request; with each redirect that is followed it becomes the request for where that leads.
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
            // All hops together share the time, so that a chain of slow ones ends too.
            trace.left = trace.left.saturating_sub(started.elapsed());
            if next.origin() != request.url.origin() {
                request.authorization = None;
                request.extra_headers.clear();
            }
            let url = std::mem::replace(&mut request.url, next.clone());
            hops.push(RedirectHop { url, status, location: next });
        }
    }

    /// A redirect goes somewhere new, and there have not been too many.
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

    /// Checks the URL and robots.txt; gives the host's `Crawl-delay`.
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

    /// robots.txt of this URL's authority: what is known, else what the server says now.
    async fn robots(&self, url: &Url) -> Result<Arc<RobotsPolicy>, FetchError> {
        let authority = &url[..Position::BeforePath];
        let host = self.robots.authority_entry(authority);
        if let Some(robots) = host.fresh_policy() {
            return Ok(robots);
        }
        let _asking = host.asking.lock().await;
        if let Some(robots) = host.fresh_policy() {
            return Ok(robots);
        }
        let reply = match self.ask_robots(url).await {
            // Says nothing about the server: it was not asked.
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
            // The rules found behind a redirect are for the authority that was asked; the way there is
            // guarded like any other.
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

/// What a server said before the body.
#[derive(Default)]
struct ResponseHeaders {
    head: ResponseHead,
    headers: http::HeaderMap,
    location: Option<Url>,
}
