//! The gate every request passes: one turn at a time per host and per address, with a pause between.
//!
//! robots.txt, pages, redirects and retries are alike here. A [`Slot`] is held from before the
//! connection until the body is read or dropped; the pause begins then. The pause is the largest of the
//! configured delay, the host's `Crawl-delay` and a share of the time the server took to answer, so
//! that a slow server is asked less often; after 429 or 503 the host rests for as long as it said.

use super::config::PolitenessConfig;
use super::failure::FetchError;
use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

/// Gives turns.
pub struct PolitenessGate {
    config: Arc<PolitenessConfig>,
    hosts: LaneTable<Box<str>>,
    addresses: LaneTable<IpAddr>,
    total: Arc<Semaphore>,
}

/// A turn: one request may be under way. Dropping it begins the pause.
pub struct RequestSlot {
    host: Arc<RequestLane>,
    address: Option<Arc<RequestLane>>,
    _permits: [Option<OwnedSemaphorePermit>; 3],
}

/// Entries below which nobody looks for idle ones.
const SWEEP_FROM: usize = 4096;

/// One queue per key; those that owe no pause any more are forgotten.
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
    /// Pause on top of the configured one: `Crawl-delay`, slow answers.
    crawl_delay: Duration,
    latency: Duration,
    /// Rest after 429 or 503.
    rest_until: Option<Instant>,
    strikes: u32,
}

impl PolitenessGate {
    /// A gate with these rules and at most `total` requests under way over all hosts.
    pub fn new(config: &PolitenessConfig, total: usize) -> Self {
        let config = Arc::new(config.clone());
        Self {
            hosts: LaneTable::new(&config, config.per_host, config.delay),
            addresses: LaneTable::new(&config, config.per_ip, config.ip_delay),
            total: Arc::new(Semaphore::new(total.clamp(1, Semaphore::MAX_PERMITS))),
            config,
        }
    }

    /// Waits for the turn of `host` at `address` (`None`: an address that stands for many machines).
    /// Fails when the host rests for longer than anybody should wait; ask again at [`Self::ready_at`].
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
        // The host's pause first: others at the same address need not wait for it.
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
            // Both at once, or neither: another request may have come in between while we slept.
            if address.as_ref().is_none_or(|address| address.ready_at() <= Some(now)) && lane.start(now) {
                if let Some(address) = &address {
                    address.start(now);
                }
                break;
            }
        }
        Ok(RequestSlot { host: lane, address, _permits: [host_permit, address_permit, total_permit] })
    }

    /// When a request to `host` could start: a moment (possibly past), or `None` while all its turns
    /// are taken. For a scheduler that wants to choose hosts instead of waiting in line.
    pub fn ready_at(&self, host: &str) -> Option<Instant> {
        let Some(lane) = self.hosts.peek(host) else { return Some(Instant::now()) };
        (lane.permits.available_permits() > 0).then(|| lane.ready_at().unwrap_or_else(Instant::now))
    }

    /// Leaves a host alone for so long: somebody else has asked it before.
    pub fn delay_host(&self, host: &str, rest: Duration) {
        let lane = self.hosts.get(host, |host| Box::from(host));
        let until = Instant::now() + rest;
        let mut state = lane.lock();
        state.rest_until = Some(state.rest_until.map_or(until, |known| known.max(until)));
    }

    /// Hosts and addresses remembered.
    pub fn tracked_counts(&self) -> (usize, usize) {
        (self.hosts.lock().lanes.len(), self.addresses.lock().lanes.len())
    }
}

impl RequestSlot {
    /// The server took this long to begin its answer, or to fail.
    pub fn record_latency(&self, latency: Duration) {
        let mut state = self.host.lock();
        state.latency = if state.latency.is_zero() { latency } else { (state.latency + latency) / 2 };
    }

    /// The server has too much to do (429, 503): the host rests as long as it said, else longer each time.
    pub fn back_off(&self, retry_after: Option<Duration>) {
        let mut state = self.host.lock();
        let own = self.host.config.backoff.saturating_mul(1 << state.strikes.min(16));
        let rest = retry_after.unwrap_or(own).min(self.host.config.backoff_cap);
        state.strikes += 1;
        let until = Instant::now() + rest;
        state.rest_until = Some(state.rest_until.map_or(until, |known| known.max(until)));
    }

    /// The server answered without complaint.
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
        // The permits are dropped after this, so nobody starts before the end is written down.
    }
}

impl RequestLane {
    fn lock(&self) -> MutexGuard<'_, LaneState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ready_at(&self) -> Option<Instant> {
        self.ready(&self.lock())
    }

    /// `None`: at once.
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

    /// Fails when the rest that the server asked for is too long to wait for.
    fn be_patient(&self) -> Result<(), FetchError> {
        let until = self.lock().rest_until;
        let rest = until.map_or(Duration::ZERO, |until| until.saturating_duration_since(Instant::now()));
        if rest > self.config.patience { Err(FetchError::backing_off(rest)) } else { Ok(()) }
    }

    /// Takes the start at `now`, if it is time.
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
            // Nobody holds it, and it owes nothing: as good as never seen.
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

/// What a `Retry-After` header asks for: seconds, or a date. `now` is the wall clock.
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
