//! Throttles requests: a limited number at a time per host and per IP address, with a crawl delay
//! between them.
//!
//! This applies to robots.txt, pages, redirects and retries alike. A [`RequestSlot`] is held from
//! before the connection until the body is read or dropped; then the crawl delay starts. The crawl
//! delay is the largest of the configured one, the host's `Crawl-delay` and a multiple of its
//! response time, so that slow servers get fewer requests. After 429 or 503 the host is not
//! contacted for as long as it asked.

use super::config::PolitenessConfig;
use super::failure::FetchError;
use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

/// Hands out slots for requests.
pub struct PolitenessGate {
    config: Arc<PolitenessConfig>,
    hosts: LaneTable<Box<str>>,
    addresses: LaneTable<IpAddr>,
    total: Arc<Semaphore>,
}

/// Permission for one request. Dropping it starts the crawl delay.
pub struct RequestSlot {
    host: Arc<RequestLane>,
    address: Option<Arc<RequestLane>>,
    _permits: [Option<OwnedSemaphorePermit>; 3],
}

/// Idle lanes are removed only in tables with at least this many.
const SWEEP_FROM: usize = 4096;

/// One lane per key. Idle lanes without a pending crawl delay are dropped.
struct LaneTable<K> {
    config: Arc<PolitenessConfig>,
    width: usize,
    delay: Duration,
    table: Mutex<LaneMap<K>>,
}

struct LaneMap<K> {
    lanes: HashMap<K, Arc<RequestLane>>,
    sweep_at: usize,
}

struct RequestLane {
    config: Arc<PolitenessConfig>,
    width: usize,
    delay: Duration,
    permits: Arc<Semaphore>,
    state: Mutex<LaneState>,
}

#[derive(Default)]
struct LaneState {
    last_start: Option<Instant>,
    last_end: Option<Instant>,
    /// `Crawl-delay` of robots.txt and recent response time;
    /// either can lengthen the configured delay.
    crawl_delay: Duration,
    latency: Duration,
    /// End of the backoff after 429 or 503.
    rest_until: Option<Instant>,
    strikes: u32,
}

impl PolitenessGate {
    /// Creates a gate that allows `total` concurrent requests over all hosts.
    pub fn new(config: &PolitenessConfig, total: usize) -> Self {
        let config = Arc::new(config.clone());
        Self {
            hosts: LaneTable::new(&config, config.per_host, config.delay),
            addresses: LaneTable::new(&config, config.per_ip, config.ip_delay),
            total: Arc::new(Semaphore::new(total.clamp(1, Semaphore::MAX_PERMITS))),
            config,
        }
    }

    /// Waits for a slot of `host` at `address` (`None` if many machines share that address).
    ///
    /// Fails if the host is backing off for longer than a request may wait; [`Self::ready_at`]
    /// tells when to try again.
    pub async fn acquire(
        &self,
        host: &str,
        address: Option<IpAddr>,
        crawl_delay: Duration,
    ) -> Result<RequestSlot, FetchError> {
        let lane = self.hosts.get(host, |host| Box::from(host));
        let host_permit = lane.permits.clone().acquire_owned().await.ok();
        lane.lock().crawl_delay = crawl_delay.min(self.config.crawl_delay_cap);
        lane.be_patient()?;
        // Wait for the host before taking the address, so that its
        // other hosts need not wait as well.
        lane.rest().await;
        let address = address
            .filter(|_| self.config.per_ip > 0)
            .map(|ip| self.addresses.get(&ip.to_canonical(), |ip| *ip));
        let address_permit = match &address {
            Some(lane) => lane.permits.clone().acquire_owned().await.ok(),
            None => None,
        };
        let total_permit = self.total.clone().acquire_owned().await.ok();
        loop {
            if let Some(address) = &address {
                address.rest().await;
            }
            lane.be_patient()?;
            lane.rest().await;
            let now = Instant::now();
            // Start on both or on neither: another request may have started during the sleep.
            if address.as_ref().is_none_or(|address| address.ready_at() <= Some(now)) && lane.start(now) {
                if let Some(address) = &address {
                    address.start(now);
                }
                break;
            }
        }
        Ok(RequestSlot { host: lane, address, _permits: [host_permit, address_permit, total_permit] })
    }

    /// Returns when a request to `host` could start (may be in the past), or `None` while all of
    /// its slots are taken. Lets a scheduler choose hosts instead of waiting.
    pub fn ready_at(&self, host: &str) -> Option<Instant> {
        let Some(lane) = self.hosts.peek(host) else { return Some(Instant::now()) };
        (lane.permits.available_permits() > 0).then(|| lane.ready_at().unwrap_or_else(Instant::now))
    }

    /// Delays requests to `host`, because another process has used it recently.
    pub fn delay_host(&self, host: &str, rest: Duration) {
        let lane = self.hosts.get(host, |host| Box::from(host));
        let until = Instant::now() + rest;
        let mut state = lane.lock();
        state.rest_until = Some(state.rest_until.map_or(until, |known| known.max(until)));
    }

    /// Returns the number of hosts and addresses being tracked.
    pub fn tracked_counts(&self) -> (usize, usize) {
        (self.hosts.lock().lanes.len(), self.addresses.lock().lanes.len())
    }
}

impl RequestSlot {
    /// Records how long the server took to respond or to fail.
    pub fn record_latency(&self, latency: Duration) {
        let mut state = self.host.lock();
        state.latency = if state.latency.is_zero() { latency } else { (state.latency + latency) / 2 };
    }

    /// Backs off after 429 or 503: for `retry_after`, otherwise for longer each time.
    pub fn back_off(&self, retry_after: Option<Duration>) {
        let mut state = self.host.lock();
        let own = self.host.config.backoff.saturating_mul(1 << state.strikes.min(16));
        let rest = retry_after.unwrap_or(own).min(self.host.config.backoff_cap);
        state.strikes += 1;
        let until = Instant::now() + rest;
        state.rest_until = Some(state.rest_until.map_or(until, |known| known.max(until)));
    }

    /// Ends the series of backoffs after a normal response.
    pub fn reset_backoff(&self) {
        self.host.lock().strikes = 0;
    }
}

impl Drop for RequestSlot {
    fn drop(&mut self) {
        let now = Instant::now();
        self.host.lock().last_end = Some(now);
        if let Some(address) = &self.address {
            address.lock().last_end = Some(now);
        }
        // The permits are dropped after this, so the next request sees the end of this one.
    }
}

impl RequestLane {
    fn lock(&self) -> MutexGuard<'_, LaneState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ready_at(&self) -> Option<Instant> {
        self.ready(&self.lock())
    }

    /// Returns the next possible start, or `None` for "now".
    fn ready(&self, state: &LaneState) -> Option<Instant> {
        let config = &self.config;
        let adaptive = if self.delay.is_zero() {
            Duration::ZERO
        } else {
            state.latency.mul_f64(config.adaptive_factor.clamp(0.0, 1000.0)).min(config.adaptive_cap)
        };
        let pause = self.delay.max(state.crawl_delay).max(adaptive);
        let last = if self.width == 1 { state.last_end } else { state.last_start };
        let next = last.map(|last| last + pause);
        next.max(state.rest_until)
    }

    /// Fails if the server asked for a longer backoff than a request may wait.
    fn be_patient(&self) -> Result<(), FetchError> {
        let until = self.lock().rest_until;
        let rest = until.map_or(Duration::ZERO, |until| until.saturating_duration_since(Instant::now()));
        if rest > self.config.patience { Err(FetchError::backing_off(rest)) } else { Ok(()) }
    }

    /// Records a start at `now` and returns `true`, if the crawl delay is over.
    fn start(&self, now: Instant) -> bool {
        let mut state = self.lock();
        let ready = self.ready(&state) <= Some(now);
        if ready {
            state.last_start = Some(now);
        }
        ready
    }

    async fn rest(&self) {
        loop {
            match self.ready_at() {
                Some(ready) if ready > Instant::now() => tokio::time::sleep_until(ready).await,
                _ => return,
            }
        }
    }
}

impl<K: Hash + Eq> LaneTable<K> {
    fn new(config: &Arc<PolitenessConfig>, width: usize, delay: Duration) -> Self {
        let config = config.clone();
        let width = width.clamp(1, Semaphore::MAX_PERMITS);
        Self {
            config,
            width,
            delay,
            table: Mutex::new(LaneMap { lanes: HashMap::new(), sweep_at: SWEEP_FROM }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, LaneMap<K>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn peek<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<Arc<RequestLane>>
    where
        K: std::borrow::Borrow<Q>,
    {
        self.lock().lanes.get(key).cloned()
    }

    fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q, own: impl FnOnce(&Q) -> K) -> Arc<RequestLane>
    where
        K: std::borrow::Borrow<Q>,
    {
        let mut table = self.lock();
        if let Some(lane) = table.lanes.get(key) {
            return lane.clone();
        }
        if table.lanes.len() >= table.sweep_at {
            let now = Instant::now();
            // Drop lanes that are unused and have no delay left; they carry no information.
            table.lanes.retain(|_, lane| Arc::strong_count(lane) > 1 || lane.ready_at() > Some(now));
            table.sweep_at = (table.lanes.len() * 2).max(SWEEP_FROM);
        }
        let lane = Arc::new(RequestLane {
            config: self.config.clone(),
            width: self.width,
            delay: self.delay,
            permits: Arc::new(Semaphore::new(self.width)),
            state: Mutex::default(),
        });
        table.lanes.insert(own(key), lane.clone());
        lane
    }
}

/// Parses a `Retry-After` header: seconds or a date. `now` is the wall clock.
pub(crate) fn parse_retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or(Duration::ZERO))
}

#[cfg(test)]
mod tests;
