//! robots.txt by RFC 9309: what each outcome means, and how long it is kept.
//!
//! Fetching is the client's business; here is the memory of it. One question per authority at a time,
//! answers at most a day old, and a robots.txt that cannot be read forbids everything until it can.

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

/// After a fault on our side robots.txt is asked for again after this.
const OWN_FAULT_TTL: Duration = Duration::from_secs(20);

/// What robots.txt of one authority means to us.
#[derive(Debug, Clone, PartialEq)]
pub enum RobotsPolicy {
    /// Its rules.
    Rules(RobotsRules),
    /// There is none: nothing is forbidden.
    AllowAll,
    /// It could not be read: nothing may be fetched.
    DenyAll(FetchError),
}

impl RobotsPolicy {
    /// Why `path` (with query) may not be fetched, or that it may.
    pub fn check_path(&self, path: &str) -> Result<(), FetchError> {
        match self {
            Self::AllowAll => Ok(()),
            Self::Rules(rules) if path == "/robots.txt" || rules.allows_path(path) => Ok(()),
            Self::Rules(_) => {
                Err(FetchError::lasting(FailureClass::Robots, "robots.txt forbids us to fetch this"))
            }
            Self::DenyAll(failure) => Err(failure.clone()),
        }
    }

    /// Memory it takes, roughly.
    fn weight(&self) -> usize {
        match self {
            Self::Rules(rules) => rules.memory_size(),
            Self::AllowAll | Self::DenyAll(_) => 0,
        }
    }

    /// `Crawl-delay`, zero when there is none.
    pub fn crawl_delay(&self) -> Duration {
        match self {
            Self::Rules(rules) => rules.crawl_delay().unwrap_or_default(),
            _ => Duration::ZERO,
        }
    }

    /// `Sitemap` lines, as written.
    pub fn sitemaps(&self) -> &[String] {
        match self {
            Self::Rules(rules) => rules.sitemaps(),
            _ => &[],
        }
    }
}

/// What came back when robots.txt was asked for.
pub(super) enum RobotsReply {
    /// Status of the last answer and its (cut) body.
    Answer { status: u16, body: Vec<u8> },
    /// More redirects than are followed, or one to nowhere.
    LostRedirect,
    /// No answer.
    Failed(FetchError),
}

impl RobotsReply {
    /// An answer and what could be read of it. A file that is too long still has its beginning; one that
    /// broke off may lack the very rule that matters.
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

/// All that is known about robots.txt files.
pub(super) struct RobotsCache {
    config: RobotsConfig,
    token: String,
    hosts: Mutex<HashMap<Box<str>, Arc<RobotsEntry>>>,
    /// Bytes of all rules, at least: entries in use when others are dropped are counted on.
    bytes: AtomicUsize,
}

/// One authority.
pub(super) struct RobotsEntry {
    /// Held by whoever asks, so that others wait for that answer.
    pub asking: tokio::sync::Mutex<()>,
    known: Mutex<Option<CachedRobots>>,
}

#[derive(Clone)]
struct CachedRobots {
    robots: Arc<RobotsPolicy>,
    until: Instant,
    /// When it first could not be read, and how often since.
    failing: Option<(Timestamp, u32)>,
}

impl RobotsEntry {
    fn lock(&self) -> MutexGuard<'_, Option<CachedRobots>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn weight(&self) -> usize {
        self.lock().as_ref().map_or(0, |known| known.robots.weight())
    }

    /// What is known and not out of date.
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

    /// Our name.
    pub fn token(&self) -> &str {
        &self.token
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Box<str>, Arc<RobotsEntry>>> {
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The entry of an authority (`https://example.org`), new if need be.
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

    /// Memory that the rules take.
    fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// What is known of an authority, without asking.
    pub fn cached_policy(&self, authority: &str) -> Option<Arc<RobotsPolicy>> {
        let host = self.lock().get(authority).cloned()?;
        let known = host.lock();
        known.as_ref().map(|known| known.robots.clone())
    }

    /// Takes over what an earlier run had learnt, unless it is out of date or something is known.
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
            // Asked again at once: only the day it began is worth keeping.
            RobotsVerdict::DenyAll(reason) => {
                let failure = FetchError::passing(FailureClass::Robots, reason.clone());
                (RobotsPolicy::DenyAll(failure), Duration::ZERO, Some((record.fetched_at, 0)))
            }
        };
        self.bytes.fetch_add(robots.weight(), Ordering::Relaxed);
        *known = Some(CachedRobots { robots: Arc::new(robots), until: Instant::now() + left, failing });
    }

    /// Draws the conclusion of RFC 9309 from a reply, keeps it, and says what is worth storing.
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
            // 3xx without a place to go, 4xx: there is none. 429 means that the server is busy.
            RobotsReply::Answer { status: 300..=428 | 430..=499, .. } => {
                (RobotsPolicy::AllowAll, RobotsVerdict::AllowAll)
            }
            // It was not the server that failed: nothing is learnt, and soon asked again.
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

/// No sockets here, no name server in reach, or a host that rests.
fn is_our_own(failure: &FetchError) -> bool {
    match failure.class {
        FailureClass::Local | FailureClass::Resting => true,
        FailureClass::Dns => failure.retry,
        _ => false,
    }
}

/// Why nothing may be fetched. When the server cannot be reached at all, that is the cause to tell.
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
        format!("robots.txt could not be read, so nothing may be fetched ({words})"),
    )
}

/// Drops what is out of date and not in use, then half of what is not in use, whichever: it is only a
/// cache, and the store has the same.
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
