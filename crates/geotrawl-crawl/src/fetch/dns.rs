//! Names to addresses: the system's name servers asked in-process, answers kept for their time to live.
//!
//! The cache holds what the resolver said, not what the guard thinks of it: the guard looks at every
//! address of every answer each time, so that an answer that changes (rebinding) gains nothing.

use super::failure::{FailureClass, FetchError};
use hickory_resolver::TokioResolver;
use std::collections::HashMap;
use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// What a name server said about a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DnsAnswer {
    pub addresses: Vec<IpAddr>,
    /// How long it may be kept.
    pub ttl: Duration,
}

/// The future of [`Resolve::lookup`].
pub type LookupFuture<'a> = Pin<Box<dyn Future<Output = Result<DnsAnswer, FetchError>> + Send + 'a>>;

/// Looks names up. Tests put their own in; the addresses are checked by the caller in any case.
pub trait NameResolver: Send + Sync {
    /// `host` is a name as a URL has it, never an address.
    fn lookup<'a>(&'a self, host: &'a str) -> LookupFuture<'a>;
}

/// Answers are kept at least this long, so that a time to live of zero costs no lookup per request ...
const SHORTEST_TTL: Duration = Duration::from_secs(10);
/// ... and at most this long, since hosts do move.
const LONGEST_TTL: Duration = Duration::from_hours(1);
/// A name that does not exist is asked for again after this.
const NEGATIVE_TTL: Duration = Duration::from_mins(1);
/// What the operating system's resolver says carries no time to live.
const SYSTEM_TTL: Duration = Duration::from_mins(1);
/// Names kept; beyond, old answers go.
const CAPACITY: usize = 50_000;
/// Addresses of one name that are kept: more are never tried.
const MOST_ADDRESSES: usize = 16;

/// The system's own way to look names up: its name servers asked directly when they are known, else
/// the operating system's function.
pub struct SystemResolver {
    direct: Option<TokioResolver>,
}

impl SystemResolver {
    /// Reads the system's configuration. An unusable one is no failure: the operating system is asked.
    pub fn new() -> Self {
        let direct = TokioResolver::builder_tokio()
            .and_then(|mut builder| {
                let options = builder.options_mut();
                options.timeout = Duration::from_secs(2);
                options.attempts = 2;
                // The cache below keeps answers of both ways alike.
                options.cache_size = 0;
                options.ip_strategy = hickory_resolver::config::LookupIpStrategy::Ipv4AndIpv6;
                builder.build()
            })
            .map_err(|error| tracing::info!(%error, "no usable name server configuration, asking the system"))
            .ok();
        Self { direct }
    }
}

impl Default for SystemResolver {
    fn default() -> Self {
        Self::new()
    }
}

impl NameResolver for SystemResolver {
    fn lookup<'a>(&'a self, host: &'a str) -> LookupFuture<'a> {
        Box::pin(async move {
            let Some(direct) = &self.direct else { return lookup_by_system(host).await };
            // A full name is not to be completed with the operator's search domains; a short one may be.
            let absolute;
            let name = if host.contains('.') && !host.ends_with('.') {
                absolute = format!("{host}.");
                absolute.as_str()
            } else {
                host
            };
            match direct.lookup_ip(name).await {
                Ok(found) => {
                    let ttl = found.valid_until().saturating_duration_since(std::time::Instant::now());
                    Ok(DnsAnswer { addresses: found.iter().collect(), ttl })
                }
                Err(error) if error.is_no_records_found() => Err(no_address(host)),
                Err(error) => Err(FetchError::passing(
                    FailureClass::Dns,
                    format!("The name servers gave no answer for {host} ({error})"),
                )),
            }
        })
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the guarded client")]
async fn lookup_by_system(host: &str) -> Result<DnsAnswer, FetchError> {
    match tokio::net::lookup_host((host, 0)).await {
        Ok(found) => {
            Ok(DnsAnswer { addresses: found.map(|address| address.ip()).collect(), ttl: SYSTEM_TTL })
        }
        Err(error) => Err(FetchError::passing(
            FailureClass::Dns,
            format!("The name {host} could not be looked up ({error})"),
        )),
    }
}

fn no_address(host: &str) -> FetchError {
    FetchError::lasting(FailureClass::Dns, format!("There is no server by the name {host}"))
}

/// Keeps answers, good and bad, for their time.
pub struct CachedResolver {
    inner: Arc<dyn NameResolver>,
    known: Mutex<HashMap<Box<str>, CachedLookup>>,
}

struct CachedLookup {
    until: Instant,
    answer: Result<Arc<[IpAddr]>, FetchError>,
}

impl CachedResolver {
    /// Puts a cache before `inner`.
    pub fn new(inner: Arc<dyn NameResolver>) -> Self {
        Self { inner, known: Mutex::new(HashMap::new()) }
    }

    /// The addresses of `host`, IPv4 first: machines without IPv6 are many, hosts without IPv4 few.
    pub async fn lookup(&self, host: &str) -> Result<Arc<[IpAddr]>, FetchError> {
        let now = Instant::now();
        if let Some(known) = self.lock().get(host).filter(|known| known.until > now) {
            return known.answer.clone();
        }
        let (answer, ttl) = match self.inner.lookup(host).await {
            Ok(answer) if answer.addresses.is_empty() => (Err(no_address(host)), NEGATIVE_TTL),
            Ok(mut answer) => {
                answer.addresses.sort_by_key(|ip| !ip.is_ipv4());
                answer.addresses.dedup();
                answer.addresses.truncate(MOST_ADDRESSES);
                (Ok(answer.addresses.into()), answer.ttl.clamp(SHORTEST_TTL, LONGEST_TTL))
            }
            Err(failure) => {
                let ttl = if failure.retry { SHORTEST_TTL } else { NEGATIVE_TTL };
                (Err(failure), ttl)
            }
        };
        let mut known = self.lock();
        if known.len() >= CAPACITY {
            make_room(&mut known, now);
        }
        known.insert(host.into(), CachedLookup { until: Instant::now() + ttl, answer: answer.clone() });
        answer
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Box<str>, CachedLookup>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Drops what is out of date; if that is little, half of the rest, whichever: it is only a cache.
fn make_room(known: &mut HashMap<Box<str>, CachedLookup>, now: Instant) {
    known.retain(|_, entry| entry.until > now);
    if known.len() > CAPACITY / 2 {
        let mut keep = false;
        known.retain(|_, _| {
            keep = !keep;
            keep
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    struct CountingResolver(AtomicU32, Duration);

    impl NameResolver for CountingResolver {
        fn lookup<'a>(&'a self, host: &'a str) -> LookupFuture<'a> {
            let count = self.0.fetch_add(1, Ordering::Relaxed);
            Box::pin(async move {
                if host.starts_with("no") {
                    return Err(no_address(host));
                }
                let last = u8::try_from(count % 250).unwrap();
                let addresses = vec!["2001:db8::1".parse().unwrap(), [192, 0, 2, last].into()];
                Ok(DnsAnswer { addresses, ttl: self.1 })
            })
        }
    }

    #[tokio::test(start_paused = true)]
    async fn answers_are_kept_for_their_time_to_live() {
        let counting = Arc::new(CountingResolver(AtomicU32::new(0), Duration::from_secs(100)));
        let resolver = CachedResolver::new(counting.clone());
        let first = resolver.lookup("a.test").await.unwrap();
        assert!(first[0].is_ipv4(), "IPv4 goes first");
        tokio::time::advance(Duration::from_secs(99)).await;
        assert_eq!(resolver.lookup("a.test").await.unwrap(), first);
        tokio::time::advance(Duration::from_secs(2)).await;
        assert_ne!(resolver.lookup("a.test").await.unwrap(), first);
        assert_eq!(counting.0.load(Ordering::Relaxed), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_missing_name_is_remembered_too() {
        let counting = Arc::new(CountingResolver(AtomicU32::new(0), Duration::ZERO));
        let resolver = CachedResolver::new(counting.clone());
        for _ in 0..5 {
            let failure = resolver.lookup("no.test").await.unwrap_err();
            assert_eq!((failure.class, failure.retry), (FailureClass::Dns, false));
        }
        assert_eq!(counting.0.load(Ordering::Relaxed), 1);
        tokio::time::advance(NEGATIVE_TTL).await;
        let _ = resolver.lookup("no.test").await;
        assert_eq!(counting.0.load(Ordering::Relaxed), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn the_cache_stays_bounded() {
        let resolver =
            CachedResolver::new(Arc::new(CountingResolver(AtomicU32::new(0), Duration::from_hours(1))));
        for n in 0..CAPACITY + 10 {
            let _ = resolver.lookup(&format!("h{n}.test")).await;
        }
        assert!(resolver.lock().len() <= CAPACITY);
    }
}
