//! robots.txt (RFC 9309): the meaning of each outcome, and how long it is cached.
//!
//! The client fetches the files; this module caches the results. Only one request per authority
//! runs at a time, and results are kept for at most a day. An unreadable robots.txt forbids
//! everything until it can be read.

mod rules;

pub use rules::RobotsRules;

use super::body::CollectedBody;
use super::config::RobotsConfig;
use super::failure::{FailureClass, FetchError};
use geotrawl_model::{RobotsRecord, RobotsVerdict};
use jiff::Timestamp;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Wait before robots.txt is requested again after a failure on our side.
const OWN_FAULT_TTL: Duration = Duration::from_secs(20);

/// What the robots.txt of one authority allows.
#[derive(Debug, Clone, PartialEq)]
pub enum RobotsPolicy {
    /// It was read.
    Rules(RobotsRules),
    /// There is none, so everything is allowed.
    AllowAll,
    /// It could not be read, so nothing may be fetched.
    DenyAll(FetchError),
}

impl RobotsPolicy {
    /// Checks whether `path` (with query) may be fetched; the error says why not.
    pub fn check_path(&self, path: &str) -> Result<(), FetchError> {
        match self {
            Self::AllowAll => Ok(()),
            Self::Rules(rules) if path == "/robots.txt" || rules.allows_path(path) => Ok(()),
            Self::Rules(_) => Err(FetchError::lasting(FailureClass::Robots, "robots.txt forbids this URL")),
            Self::DenyAll(failure) => Err(failure.clone()),
        }
    }

    /// Returns the approximate memory use in bytes.
    fn weight(&self) -> usize {
        match self {
            Self::Rules(rules) => rules.memory_size(),
            Self::AllowAll | Self::DenyAll(_) => 0,
        }
    }

    /// Returns the `Crawl-delay`, or zero if there is none.
    pub fn crawl_delay(&self) -> Duration {
        match self {
            Self::Rules(rules) => rules.crawl_delay().unwrap_or_default(),
            _ => Duration::ZERO,
        }
    }

    /// Returns the `Sitemap` lines, unparsed.
    pub fn sitemaps(&self) -> &[String] {
        match self {
            Self::Rules(rules) => rules.sitemaps(),
            _ => &[],
        }
    }
}

/// The response to a robots.txt request.
pub(super) enum RobotsReply {
    /// Status of the last response and its body, which may be truncated.
    Answer { status: u16, body: Vec<u8> },
    /// Too many redirects, or a redirect without a valid target.
    LostRedirect,
    /// No response.
    Failed(FetchError),
}

impl RobotsReply {
    /// Classifies a response by how much of its body was read. A file that is too long still has a
    /// usable beginning; one that broke off may lack the rule that matters.
    pub fn from_body(status: u16, body: CollectedBody) -> Self {
        match body.truncated {
            Some(failure)
                if (200..300).contains(&status)
                    && !matches!(failure.class, FailureClass::TooLarge | FailureClass::Bomb) =>
            {
                Self::Failed(failure)
            }
            _ => Self::Answer { status, body: body.bytes.into() },
        }
    }
}

/// Cache of all robots.txt results.
pub(super) struct RobotsCache {
    config: RobotsConfig,
    token: String,
    hosts: Mutex<HashMap<Box<str>, Arc<RobotsEntry>>>,
    /// Estimated memory of all rules. Recomputed when entries are dropped, only increased otherwise.
    bytes: AtomicUsize,
}

/// The cache entry of one authority.
pub(super) struct RobotsEntry {
    /// Locked during the request, so that others wait for its result.
    pub asking: tokio::sync::Mutex<()>,
    known: Mutex<Option<CachedRobots>>,
}

#[derive(Clone)]
struct CachedRobots {
    robots: Arc<RobotsPolicy>,
    until: Instant,
    /// When the series of failed requests began, and its length.
    failing: Option<(Timestamp, u32)>,
}

impl RobotsEntry {
    fn lock(&self) -> MutexGuard<'_, Option<CachedRobots>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn weight(&self) -> usize {
        self.lock().as_ref().map_or(0, |known| known.robots.weight())
    }

    /// Returns the policy unless it has expired.
    pub fn fresh_policy(&self) -> Option<Arc<RobotsPolicy>> {
        let known = self.lock();
        known.as_ref().filter(|known| known.until > Instant::now()).map(|known| known.robots.clone())
    }
}

impl RobotsCache {
    pub fn new(config: &RobotsConfig, token: &str) -> Self {
        Self {
            config: config.clone(),
            token: token.to_owned(),
            hosts: Mutex::default(),
            bytes: AtomicUsize::new(0),
        }
    }

    /// Returns the crawler's name in robots.txt.
    pub fn token(&self) -> &str {
        &self.token
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Box<str>, Arc<RobotsEntry>>> {
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the entry of an authority (`https://example.org`), creating it if necessary.
    pub fn authority_entry(&self, authority: &str) -> Arc<RobotsEntry> {
        let mut hosts = self.lock();
        if let Some(host) = hosts.get(authority) {
            return host.clone();
        }
        if hosts.len() >= self.config.cache_size.max(1) || self.bytes() > self.config.cache_bytes {
            make_room(&mut hosts);
            let bytes = hosts.values().map(|host| host.weight()).sum();
            self.bytes.store(bytes, Ordering::Relaxed);
        }
        let host = Arc::new(RobotsEntry { asking: tokio::sync::Mutex::default(), known: Mutex::default() });
        hosts.insert(authority.into(), host.clone());
        host
    }

    /// Returns the approximate memory of all rules.
    fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Returns the cached policy of an authority, even if it has expired.
    pub fn cached_policy(&self, authority: &str) -> Option<Arc<RobotsPolicy>> {
        let host = self.lock().get(authority).cloned()?;
        let known = host.lock();
        known.as_ref().map(|known| known.robots.clone())
    }

    /// Restores a result of an earlier run, unless the authority already has one.
    pub fn preload(&self, record: &RobotsRecord, now: Timestamp) {
        let host = self.authority_entry(&record.host);
        let mut known = host.lock();
        if known.is_some() {
            return;
        }
        let age = Duration::try_from(now.duration_since(record.fetched_at)).unwrap_or_default();
        let left = self.config.ttl.saturating_sub(age);
        let (robots, left, failing) = match &record.verdict {
            RobotsVerdict::Rules(text) => {
                (RobotsPolicy::Rules(RobotsRules::parse(text, &self.token)), left, None)
            }
            RobotsVerdict::AllowAll => (RobotsPolicy::AllowAll, left, None),
            // Expires at once so that it is requested again; only
            // the start of the failures is kept.
            RobotsVerdict::DenyAll(reason) => {
                let failure = FetchError::passing(FailureClass::Robots, reason.clone());
                (RobotsPolicy::DenyAll(failure), Duration::ZERO, Some((record.fetched_at, 0)))
            }
        };
        self.bytes.fetch_add(robots.weight(), Ordering::Relaxed);
        *known = Some(CachedRobots { robots: Arc::new(robots), until: Instant::now() + left, failing });
    }

    /// Applies RFC 9309 to a reply, caches the policy, and returns it with the record to store.
    pub fn record_reply(
        &self,
        authority: &str,
        host: &RobotsEntry,
        reply: RobotsReply,
        now: Timestamp,
    ) -> (Arc<RobotsPolicy>, RobotsRecord) {
        let mut known = host.lock();
        let earlier = known.as_ref().and_then(|known| known.failing);
        let mut fetched_at = now;
        let mut failing = None;
        let mut ttl = self.config.ttl;
        let (robots, verdict) = match reply {
            RobotsReply::Answer { status: 200..=299, mut body } => {
                body.truncate(self.config.max_bytes);
                let text = String::from_utf8_lossy(&body).into_owned();
                (RobotsPolicy::Rules(RobotsRules::parse(&text, &self.token)), RobotsVerdict::Rules(text))
            }
            RobotsReply::LostRedirect => (RobotsPolicy::AllowAll, RobotsVerdict::AllowAll),
            // 3xx without a target and 4xx mean that there is no robots.txt. 429 means that the
            // server is busy.
            RobotsReply::Answer { status: 300..=428 | 430..=499, .. } => {
                (RobotsPolicy::AllowAll, RobotsVerdict::AllowAll)
            }
            // The failure is ours, so keep the earlier state and try again soon.
            RobotsReply::Failed(failure) if is_our_own(&failure) => {
                ttl = OWN_FAULT_TTL;
                failing = earlier;
                fetched_at = earlier.map_or(now, |(since, _)| since);
                let message = failure.message.clone();
                (RobotsPolicy::DenyAll(failure), RobotsVerdict::DenyAll(message))
            }
            reply => {
                let (since, times) = earlier.unwrap_or((now, 0));
                let dark = Duration::try_from(now.duration_since(since)).unwrap_or_default();
                fetched_at = since;
                failing = Some((since, times.saturating_add(1)));
                if dark >= self.config.give_up {
                    (RobotsPolicy::AllowAll, RobotsVerdict::AllowAll)
                } else {
                    ttl = self.config.retry.saturating_mul(1 << times.min(16)).min(ttl);
                    let failure = denial(reply);
                    let message = failure.message.clone();
                    (RobotsPolicy::DenyAll(failure), RobotsVerdict::DenyAll(message))
                }
            }
        };
        self.bytes.fetch_add(robots.weight(), Ordering::Relaxed);
        let robots = Arc::new(robots);
        *known = Some(CachedRobots { robots: robots.clone(), until: Instant::now() + ttl, failing });
        (robots, RobotsRecord { host: authority.to_owned(), fetched_at, verdict })
    }
}

/// Whether the failure is not the server's: no sockets, no name
/// server, or a host that is backing off.
fn is_our_own(failure: &FetchError) -> bool {
    match failure.class {
        FailureClass::Local | FailureClass::Resting => true,
        FailureClass::Dns => failure.retry,
        _ => false,
    }
}

/// Returns the failure for `DenyAll`. If the server is unreachable, that is the cause to report.
fn denial(reply: RobotsReply) -> FetchError {
    use super::failure::RequestPhase;
    let words = match reply {
        RobotsReply::Failed(failure) => match failure.class {
            FailureClass::Dns
            | FailureClass::Connect
            | FailureClass::Tls
            | FailureClass::BlockedAddress
            | FailureClass::BlockedPort
            | FailureClass::BadUrl
            | FailureClass::Local
            | FailureClass::Timeout(RequestPhase::Dns | RequestPhase::Connect | RequestPhase::Tls) => {
                return failure;
            }
            _ => failure.message,
        },
        RobotsReply::Answer { status, .. } => format!("status {status}"),
        RobotsReply::LostRedirect => "redirects".to_owned(),
    };
    FetchError::passing(
        FailureClass::Robots,
        format!("robots.txt could not be read, so no URL of this host may be fetched ({words})"),
    )
}

/// Drops expired entries that are not in use, then every second unused one. The store keeps the
/// results as well, so dropping is cheap.
fn make_room(hosts: &mut HashMap<Box<str>, Arc<RobotsEntry>>) {
    hosts.retain(|_, host| Arc::strong_count(host) > 1 || host.fresh_policy().is_some());
    let mut keep = false;
    hosts.retain(|_, host| {
        keep = !keep;
        keep || Arc::strong_count(host) > 1
    });
}

#[cfg(test)]
mod tests;
