//! robots.txt by RFC 9309: what each outcome means, and how long it is kept.
//!
//! Fetching is the client's business; here is the memory of it. One question per authority at a time,
//! answers at most a day old, and a robots.txt that cannot be read forbids everything until it can.

mod rules;

pub use rules::Rules;

use super::body::Collected;
use super::config::RobotsConfig;
use super::failure::{Failure, FailureClass};
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
pub enum Robots {
    /// Its rules.
    Rules(Rules),
    /// There is none: nothing is forbidden.
    AllowAll,
    /// It could not be read: nothing may be fetched.
    DenyAll(Failure),
}

impl Robots {
    /// Why `path` (with query) may not be fetched, or that it may.
    pub fn check(&self, path: &str) -> Result<(), Failure> {
        match self {
            Self::AllowAll => Ok(()),
            Self::Rules(rules) if path == "/robots.txt" || rules.allows(path) => Ok(()),
            Self::Rules(_) => {
                Err(Failure::lasting(FailureClass::Robots, "robots.txt forbids us to fetch this"))
            }
            Self::DenyAll(failure) => Err(failure.clone()),
        }
    }

    /// Memory it takes, roughly.
    fn weight(&self) -> usize {
        match self {
            Self::Rules(rules) => rules.weight(),
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
pub(super) enum Reply {
    /// Status of the last answer and its (cut) body.
    Answer { status: u16, body: Vec<u8> },
    /// More redirects than are followed, or one to nowhere.
    LostRedirect,
    /// No answer.
    Failed(Failure),
}

impl Reply {
    /// An answer and what could be read of it. A file that is too long still has its beginning; one that
    /// broke off may lack the very rule that matters.
    pub fn from_body(status: u16, body: Collected) -> Self {
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
    hosts: Mutex<HashMap<Box<str>, Arc<Host>>>,
    /// Bytes of all rules, at least: entries in use when others are dropped are counted on.
    bytes: AtomicUsize,
}

/// One authority.
pub(super) struct Host {
    /// Held by whoever asks, so that others wait for that answer.
    pub asking: tokio::sync::Mutex<()>,
    known: Mutex<Option<Known>>,
}

#[derive(Clone)]
struct Known {
    robots: Arc<Robots>,
    until: Instant,
    /// When it first could not be read, and how often since.
    failing: Option<(Timestamp, u32)>,
}

impl Host {
    fn lock(&self) -> MutexGuard<'_, Option<Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn weight(&self) -> usize {
        self.lock().as_ref().map_or(0, |known| known.robots.weight())
    }

    /// What is known and not out of date.
    pub fn fresh(&self) -> Option<Arc<Robots>> {
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

    fn lock(&self) -> MutexGuard<'_, HashMap<Box<str>, Arc<Host>>> {
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The entry of an authority (`https://example.org`), new if need be.
    pub fn host(&self, authority: &str) -> Arc<Host> {
        let mut hosts = self.lock();
        if let Some(host) = hosts.get(authority) {
            return host.clone();
        }
        if hosts.len() >= self.config.cache_size.max(1) || self.bytes() > self.config.cache_bytes {
            make_room(&mut hosts);
            let bytes = hosts.values().map(|host| host.weight()).sum();
            self.bytes.store(bytes, Ordering::Relaxed);
        }
        let host = Arc::new(Host { asking: tokio::sync::Mutex::default(), known: Mutex::default() });
        hosts.insert(authority.into(), host.clone());
        host
    }

    /// Memory that the rules take.
    fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// What is known of an authority, without asking.
    pub fn known(&self, authority: &str) -> Option<Arc<Robots>> {
        let host = self.lock().get(authority).cloned()?;
        let known = host.lock();
        known.as_ref().map(|known| known.robots.clone())
    }

    /// Takes over what an earlier run had learnt, unless it is out of date or something is known.
    pub fn preload(&self, record: &RobotsRecord, now: Timestamp) {
        let host = self.host(&record.host);
        let mut known = host.lock();
        if known.is_some() {
            return;
        }
        let age = Duration::try_from(now.duration_since(record.fetched_at)).unwrap_or_default();
        let left = self.config.ttl.saturating_sub(age);
        let (robots, left, failing) = match &record.verdict {
            RobotsVerdict::Rules(text) => (Robots::Rules(Rules::parse(text, &self.token)), left, None),
            RobotsVerdict::AllowAll => (Robots::AllowAll, left, None),
            // Asked again at once: only the day it began is worth keeping.
            RobotsVerdict::DenyAll(reason) => {
                let failure = Failure::passing(FailureClass::Robots, reason.clone());
                (Robots::DenyAll(failure), Duration::ZERO, Some((record.fetched_at, 0)))
            }
        };
        self.bytes.fetch_add(robots.weight(), Ordering::Relaxed);
        *known = Some(Known { robots: Arc::new(robots), until: Instant::now() + left, failing });
    }

    /// Draws the conclusion of RFC 9309 from a reply, keeps it, and says what is worth storing.
    pub fn conclude(
        &self,
        authority: &str,
        host: &Host,
        reply: Reply,
        now: Timestamp,
    ) -> (Arc<Robots>, RobotsRecord) {
        let mut known = host.lock();
        let earlier = known.as_ref().and_then(|known| known.failing);
        let mut fetched_at = now;
        let mut failing = None;
        let mut ttl = self.config.ttl;
        let (robots, verdict) = match reply {
            Reply::Answer { status: 200..=299, mut body } => {
                body.truncate(self.config.max_bytes);
                let text = String::from_utf8_lossy(&body).into_owned();
                (Robots::Rules(Rules::parse(&text, &self.token)), RobotsVerdict::Rules(text))
            }
            Reply::LostRedirect => (Robots::AllowAll, RobotsVerdict::AllowAll),
            // 3xx without a place to go, 4xx: there is none. 429 means that the server is busy.
            Reply::Answer { status: 300..=428 | 430..=499, .. } => {
                (Robots::AllowAll, RobotsVerdict::AllowAll)
            }
            // It was not the server that failed: nothing is learnt, and soon asked again.
            Reply::Failed(failure) if is_our_own(&failure) => {
                ttl = OWN_FAULT_TTL;
                failing = earlier;
                fetched_at = earlier.map_or(now, |(since, _)| since);
                let message = failure.message.clone();
                (Robots::DenyAll(failure), RobotsVerdict::DenyAll(message))
            }
            reply => {
                let (since, times) = earlier.unwrap_or((now, 0));
                let dark = Duration::try_from(now.duration_since(since)).unwrap_or_default();
                fetched_at = since;
                failing = Some((since, times.saturating_add(1)));
                if dark >= self.config.give_up {
                    (Robots::AllowAll, RobotsVerdict::AllowAll)
                } else {
                    ttl = self.config.retry.saturating_mul(1 << times.min(16)).min(ttl);
                    let failure = denial(reply);
                    let message = failure.message.clone();
                    (Robots::DenyAll(failure), RobotsVerdict::DenyAll(message))
                }
            }
        };
        self.bytes.fetch_add(robots.weight(), Ordering::Relaxed);
        let robots = Arc::new(robots);
        *known = Some(Known { robots: robots.clone(), until: Instant::now() + ttl, failing });
        (robots, RobotsRecord { host: authority.to_owned(), fetched_at, verdict })
    }
}

/// No sockets here, no name server in reach, or a host that rests.
fn is_our_own(failure: &Failure) -> bool {
    match failure.class {
        FailureClass::Local | FailureClass::Resting => true,
        FailureClass::Dns => failure.retry,
        _ => false,
    }
}

/// Why nothing may be fetched. When the server cannot be reached at all, that is the cause to tell.
fn denial(reply: Reply) -> Failure {
    use super::failure::Phase;
    let words = match reply {
        Reply::Failed(failure) => match failure.class {
            FailureClass::Dns
            | FailureClass::Connect
            | FailureClass::Tls
            | FailureClass::BlockedAddress
            | FailureClass::BlockedPort
            | FailureClass::BadUrl
            | FailureClass::Local
            | FailureClass::Timeout(Phase::Dns | Phase::Connect | Phase::Tls) => return failure,
            _ => failure.message,
        },
        Reply::Answer { status, .. } => format!("status {status}"),
        Reply::LostRedirect => "redirects".to_owned(),
    };
    Failure::passing(
        FailureClass::Robots,
        format!("robots.txt could not be read, so nothing may be fetched ({words})"),
    )
}

/// Drops what is out of date and not in use, then half of what is not in use, whichever: it is only a
/// cache, and the store has the same.
fn make_room(hosts: &mut HashMap<Box<str>, Arc<Host>>) {
    hosts.retain(|_, host| Arc::strong_count(host) > 1 || host.fresh().is_some());
    let mut keep = false;
    hosts.retain(|_, host| {
        keep = !keep;
        keep || Arc::strong_count(host) > 1
    });
}

#[cfg(test)]
mod tests;
