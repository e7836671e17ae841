//! Hosts on a shared store: leased, and released as soon as they are of no use here. A run ends
//! when no process has work left.

use super::registry::LeaseRegistry;
use super::store::RetryingStore;
use crate::fetch::GuardedClient;
use crate::frontier::{HostExclusion, HostSource, LeftoverWork, RemainingWork};
use geotrawl_model::{FrontierEntryId, HostId, HostWork, RunId, StoreError};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// First delay before asking again while no host can be leased, doubled each time ...
const FIRST_LOOK: Duration = Duration::from_millis(100);
/// ... up to this.
const LONGEST_LOOK: Duration = Duration::from_secs(1);
/// Delay while hosts are available; they come and go by the dozen.
const NEXT_LOOK: Duration = Duration::from_millis(20);
/// Hosts to release are collected for this long.
const RELEASE_EVERY: Duration = Duration::from_millis(100);
/// Hosts with a longer crawl delay than this are released until it is over.
const LONGEST_DELAY: Duration = Duration::from_mins(1);
/// Number of pages of the limit to claim at a time.
const PAGES_PER_CLAIM: i64 = 8;

type Result<T> = std::result::Result<T, StoreError>;

/// The hosts of a run that this process has leased.
pub(crate) struct LeasedHosts<'a> {
    store: &'a RetryingStore,
    registry: Arc<LeaseRegistry>,
    client: GuardedClient,
    run: RunId,
    /// Crawl delay for hosts whose own is unknown when everything is released.
    usual_delay: Duration,
    /// The task's page limit, followed by the pages that are claimed and not read yet.
    most_pages: Option<u64>,
    claimed: u64,
    active: HashMap<HostId, HostLease>,
    /// Entries in flight, with their host and the number of its lease.
    open: HashMap<FrontierEntryId, (HostId, u64)>,
    leases: u64,
    leaving: Vec<LeavingHost>,
    released_at: Instant,
    /// Hosts that were released because of a long crawl delay, and when that is over.
    resting: HashMap<HostId, Instant>,
    /// When to ask the store for hosts again, and the delay after that.
    look_at: Instant,
    wait: Duration,
    may_have_more: bool,
    /// Whether the store has just returned no hosts.
    in_vain: bool,
    /// Maximum number of active hosts, followed by the number that is useful now.
    most_active: usize,
    wanted: usize,
}

/// An active host.
struct HostLease {
    /// Scheme, name and port.
    name: String,
    /// Distinguishes a lease from earlier leases of the same host.
    number: u64,
    /// Entries dispatched and not committed yet.
    open: usize,
}

/// A host to release.
struct LeavingHost {
    host: HostId,
    /// Scheme, name and port.
    name: String,
}

/// Settings for leasing the hosts of a crawl.
pub(crate) struct LeaseTerms {
    pub run: RunId,
    pub most_active: usize,
    pub most_pages: Option<u64>,
    pub usual_delay: Duration,
}

impl<'a> LeasedHosts<'a> {
    /// Creates a source of leased hosts. `client` knows their crawl delays.
    pub fn new(
        store: &'a RetryingStore,
        registry: Arc<LeaseRegistry>,
        client: GuardedClient,
        terms: LeaseTerms,
    ) -> Self {
        let now = Instant::now();
        let LeaseTerms { run, most_active, most_pages, usual_delay } = terms;
        Self {
            store,
            registry,
            client,
            run,
            usual_delay,
            most_pages,
            claimed: 0,
            active: HashMap::new(),
            open: HashMap::new(),
            leases: 0,
            leaving: Vec::new(),
            released_at: now,
            resting: HashMap::new(),
            look_at: now,
            wait: FIRST_LOOK,
            may_have_more: true,
            in_vain: false,
            most_active,
            wanted: most_active,
        }
    }

    fn lease_hosts(
        &mut self,
        room: usize,
        now: Instant,
        excluded: &HostExclusion<'_>,
    ) -> Result<Vec<HostWork>> {
        let (resting, leaving) = (&self.resting, &self.leaving);
        let skip = |host: HostId| {
            excluded(host) || resting.contains_key(&host) || leaving.iter().any(|left| left.host == host)
        };
        let mut hosts = self.store.retry(|store| store.hosts_with_work(self.run, room, &skip))?;
        self.may_have_more = hosts.len() >= room;
        self.in_vain = hosts.is_empty();
        if hosts.is_empty() {
            self.look_at = now + self.wait;
            self.wait = (self.wait * 2).min(LONGEST_LOOK);
        } else {
            self.look_at = now + if self.may_have_more { NEXT_LOOK } else { FIRST_LOOK };
            self.wait = FIRST_LOOK;
        }
        hosts.retain(|work| self.admit_host(work, now));
        Ok(hosts)
    }

    /// Activates a leased host; returns `false` if its crawl delay is so long that it is released
    /// at once.
    fn admit_host(&mut self, work: &HostWork, now: Instant) -> bool {
        self.registry.add_lease(self.run, work.host, &work.name);
        if work.rest > Duration::ZERO {
            self.client.delay_host(host_name(&work.name), work.rest);
        }
        if work.rest >= LONGEST_DELAY {
            self.resting.insert(work.host, now + work.rest);
            self.leaving.push(LeavingHost { host: work.host, name: work.name.clone() });
            return false;
        }
        self.leases += 1;
        let lease = HostLease { name: work.name.clone(), number: self.leases, open: 0 };
        self.active.insert(work.host, lease);
        true
    }

    /// Releases leaving hosts with the rest of their crawl delays; those with requests in flight
    /// stay.
    fn release_leaving(&mut self, now: Instant) -> Result<()> {
        self.released_at = now;
        if self.leaving.is_empty() {
            return Ok(());
        }
        let (released, in_use) = self.with_delays();
        self.leaving = in_use;
        if released.is_empty() {
            return Ok(());
        }
        // Before another process may lease them.
        for (left, _) in &released {
            self.registry.remove_lease(self.run, &left.name);
        }
        let hosts: Vec<_> = released.iter().map(|(left, delay)| (left.host, *delay)).collect();
        self.store.retry(|store| store.release_leases(self.run, &hosts))
    }

    /// Returns the leaving hosts with the rest of their crawl delays, and those with requests in
    /// flight.
    fn with_delays(&mut self) -> (Vec<(LeavingHost, Duration)>, Vec<LeavingHost>) {
        let now = Instant::now();
        let (mut released, mut in_use) = (Vec::new(), Vec::new());
        for left in std::mem::take(&mut self.leaving) {
            match self.ready_at(&left.name) {
                Some(at) => released.push((left, at.saturating_duration_since(now))),
                None => in_use.push(left),
            }
        }
        (released, in_use)
    }

    /// Claims pages of the limit that all processes share; returns how many were granted.
    fn claim_pages(&mut self) -> Result<u64> {
        let Some(most) = self.most_pages else { return Ok(0) };
        let granted = self.store.retry(|store| store.claim_pages(self.run, most, PAGES_PER_CLAIM))?;
        self.claimed += granted;
        Ok(granted)
    }
}

impl HostSource for LeasedHosts<'_> {
    fn next_hosts(
        &mut self,
        active: usize,
        now: Instant,
        excluded: &HostExclusion<'_>,
    ) -> Result<Vec<HostWork>> {
        self.resting.retain(|_, until| *until > now);
        let room = self.wanted.saturating_sub(active);
        let looks = room > 0 && now >= self.look_at;
        if looks || self.released_at + RELEASE_EVERY <= now {
            self.release_leaving(now)?;
        }
        if looks { self.lease_hosts(room, now, excluded) } else { Ok(Vec::new()) }
    }

    /// Asks the store only if it has just returned no hosts.
    fn find_remaining(
        &mut self,
        left: LeftoverWork,
        now: Instant,
        excluded: &HostExclusion<'_>,
    ) -> Result<RemainingWork> {
        if !std::mem::take(&mut self.in_vain) || !self.active.is_empty() {
            return Ok(RemainingWork::Pending);
        }
        self.release_leaving(now)?;
        // Other processes may have returned pages, or may wait for those claimed here.
        if let Some(most) = self.most_pages {
            if left.parked && self.claim_pages()? > 0 {
                self.note_work();
                self.look_soon(now);
                return Ok(RemainingWork::Pages);
            }
            let unread = std::mem::take(&mut self.claimed);
            if unread > 0 {
                let returned = -i64::try_from(unread).unwrap_or(i64::MAX);
                self.store.retry(|store| store.claim_pages(self.run, most, returned))?;
            }
        }
        if self.store.retry(|store| store.is_exhausted(self.run))? {
            return Ok(RemainingWork::Nothing);
        }
        // Entries are pending. The run is over nevertheless if they may not be requested and no
        // process works on it that could find more. Checked twice, because a process may just have
        // started.
        let left_behind = left.spent || left.parked || self.has_resting_hosts();
        if !left_behind || self.store.retry(|store| store.is_leased_elsewhere(self.run))? {
            return Ok(RemainingWork::Pending);
        }
        let hosts = self.lease_hosts(self.wanted.max(1), now, excluded)?;
        // A host with a long crawl delay does not count as work.
        self.release_leaving(now)?;
        if !hosts.is_empty() {
            return Ok(RemainingWork::Hosts(hosts));
        }
        let is_held = self.store.retry(|store| store.is_leased_elsewhere(self.run))?;
        Ok(if is_held { RemainingWork::Pending } else { RemainingWork::Nothing })
    }

    fn note_work(&mut self) {
        self.may_have_more = true;
    }

    fn look_soon(&mut self, now: Instant) {
        if self.may_have_more {
            self.look_at = self.look_at.min(now + NEXT_LOOK);
            self.wait = FIRST_LOOK;
        }
    }

    fn take_page(&mut self) -> Result<bool> {
        if self.most_pages.is_none() {
            return Ok(true);
        }
        if self.claimed == 0 && self.claim_pages()? == 0 {
            return Ok(false);
        }
        self.claimed -= 1;
        Ok(true)
    }

    /// Keeps a host with uncommitted entries, because other processes would see these as pending.
    fn release_host(&mut self, host: HostId) -> bool {
        if self.has_open_items(host) {
            return false;
        }
        if let Some(lease) = self.active.remove(&host) {
            self.leaving.push(LeavingHost { host, name: lease.name });
        }
        true
    }

    fn ready_at(&self, host: &str) -> Option<Instant> {
        self.client.ready_at(host_name(host)).map(tokio::time::Instant::into_std)
    }

    fn may_request(&self, host: HostId) -> bool {
        self.store.without_retries().may_send_request(self.run, host)
    }

    fn is_available(&self) -> bool {
        !self.registry.store_is_away()
    }

    fn note_dispatch(&mut self, host: HostId, item: FrontierEntryId) {
        if let Some(lease) = self.active.get_mut(&host) {
            lease.open += 1;
            self.open.insert(item, (host, lease.number));
        }
    }

    fn note_closed(&mut self, items: &[FrontierEntryId]) -> Vec<HostId> {
        let mut settled = Vec::new();
        for item in items {
            let Some((host, number)) = self.open.remove(item) else { continue };
            let lease = self.active.get_mut(&host).filter(|lease| lease.number == number);
            if let Some(lease) = lease {
                lease.open = lease.open.saturating_sub(1);
                if lease.open == 0 {
                    settled.push(host);
                }
            }
        }
        settled
    }

    fn has_open_items(&self, host: HostId) -> bool {
        self.active.get(&host).is_some_and(|lease| lease.open > 0)
    }

    fn set_demand(&mut self, requests: usize, active: usize) -> usize {
        self.wanted = self.most_active.min(requests.max(1));
        // A margin, so that hosts are not released and leased again all the time.
        active.saturating_sub(self.wanted + self.wanted / 4 + 4)
    }

    fn should_set_aside(&mut self, host: HostId, until: Instant) -> bool {
        let is_long = until >= Instant::now() + LONGEST_DELAY;
        if is_long {
            self.resting.insert(host, until);
        }
        is_long
    }

    fn forget_hosts(&mut self, hosts: &[HostId]) {
        for host in hosts {
            if let Some(lease) = self.active.remove(host) {
                self.registry.remove_lease(self.run, &lease.name);
            }
            self.leaving.retain(|left| left.host != *host);
        }
        self.may_have_more = true;
    }

    fn next_lookup(&self) -> Option<Instant> {
        Some(self.look_at)
    }

    fn has_resting_hosts(&self) -> bool {
        !self.resting.is_empty()
    }

    /// Leases that cannot be released expire.
    fn release_all(&mut self) {
        let held = self.active.drain().map(|(host, lease)| LeavingHost { host, name: lease.name });
        self.leaving.extend(held);
        let (released, in_use) = self.with_delays();
        let mut hosts: Vec<_> = released.into_iter().map(|(left, delay)| (left.host, delay)).collect();
        hosts.extend(in_use.into_iter().map(|left| (left.host, self.usual_delay)));
        let store = self.store.without_retries();
        let released = if hosts.is_empty() { Ok(()) } else { store.release_leases(self.run, &hosts) };
        let returned = match self.most_pages {
            Some(most) if self.claimed > 0 => {
                let unread = -i64::try_from(self.claimed).unwrap_or(i64::MAX);
                store.claim_pages(self.run, most, unread).map(|_| ())
            }
            _ => Ok(()),
        };
        if let Err(error) = released.and(returned) {
            tracing::warn!("cannot release leases: {error}");
        }
    }
}

/// Returns the host name in a string of scheme, name and port.
fn host_name(host: &str) -> &str {
    let rest = host.split_once("://").map_or(host, |(_, rest)| rest);
    let is_port = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    rest.rsplit_once(':').filter(|(_, port)| is_port(port)).map_or(rest, |(name, _)| name)
}
