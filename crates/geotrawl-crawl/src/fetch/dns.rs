//! Resolves host names in-process with the system's name servers, and caches answers for their TTL.
//!
//! The cache holds what the resolver returned, not what the guard decided. The guard checks every
//! address on every lookup, so an answer that changes (DNS rebinding) gains nothing.

use super::failure::{FailureClass, FetchError};
use hickory_resolver::TokioResolver;
use std::collections::HashMap;
use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// The addresses of a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DnsAnswer {
    pub addresses: Vec<IpAddr>,
    /// How long the answer may be cached.
    pub ttl: Duration,
}

/// The future of [`NameResolver::lookup`].
pub type LookupFuture<'a> = Pin<Box<dyn Future<Output = Result<DnsAnswer, FetchError>> + Send + 'a>>;

/// Resolves host names. Tests can replace it; the caller checks the addresses in any case.
pub trait NameResolver: Send + Sync {
    /// Resolves `host`, a name as written in a URL and never an address.
    fn lookup<'a>(&'a self, host: &'a str) -> LookupFuture<'a>;
}

/// Shortest time that an answer is cached; a TTL of zero would cause a lookup per request.
const SHORTEST_TTL: Duration = Duration::from_secs(10);
/// Longest time that an answer is cached, because hosts do move.
const LONGEST_TTL: Duration = Duration::from_hours(1);
/// How long a missing name is cached.
const NEGATIVE_TTL: Duration = Duration::from_mins(1);
/// The operating system's resolver reports no TTL.
const SYSTEM_TTL: Duration = Duration::from_mins(1);
/// Most names in the cache; older answers are dropped first.
const CAPACITY: usize = 50_000;
/// Most addresses kept per name.
const MOST_ADDRESSES: usize = 16;

/// Resolves names like the system does: directly with its name servers if they are known, otherwise
/// with the operating system's function.
pub struct SystemResolver {
    direct: Option<TokioResolver>,
}

impl SystemResolver {
    /// Reads the system's configuration. Falls back to the
    /// operating system's function if it is unusable.
    pub fn new() -> Self {
        let direct = TokioResolver::builder_tokio()
            .and_then(|mut builder| {
                let options = builder.options_mut();
                options.timeout = Duration::from_secs(2);
                options.attempts = 2;
                // `CachedResolver` caches the answers of both ways.
                options.cache_size = 0;
                options.ip_strategy = hickory_resolver::config::LookupIpStrategy::Ipv4AndIpv6;
                builder.build()
            })
            .map_err(|error| tracing::info!(%error, "no usable name server configuration; using the operating system's resolver"))
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
            // Never append the operator's search domains to a full
            // name; allow them for short names.
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
                    format!("The name servers did not answer for {host} ({error})"),
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
    FetchError::lasting(FailureClass::Dns, format!("There is no host named {host}"))
}

/// Caches successful and failed lookups.
pub struct CachedResolver {
    inner: Arc<dyn NameResolver>,
    known: Mutex<HashMap<Box<str>, CachedLookup>>,
}

struct CachedLookup {
    until: Instant,
    answer: Result<Arc<[IpAddr]>, FetchError>,
}

impl CachedResolver {
    /// Wraps `inner` with a cache.
    pub fn new(inner: Arc<dyn NameResolver>) -> Self {
        Self { inner, known: Mutex::new(HashMap::new()) }
    }

    /// Returns the addresses of `host`, IPv4 first: many machines lack IPv6, few hosts lack IPv4.
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

/// Drops expired entries. If more than half remain, also drops
/// every second one; it is only a cache.
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
