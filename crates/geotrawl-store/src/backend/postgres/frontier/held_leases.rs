//! Leases held by this process, measured with its own monotonic clock.

use geotrawl_model::{HostId, RunId};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::RwLock;
use std::time::{Duration, Instant};
use uuid::Uuid;

use super::shard;

/// Durations of host leases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeaseOptions {
    /// Lifetime of a lease that is not renewed.
    pub duration: Duration,
    /// Maximum duration of a request. No request starts when less of its lease is left.
    pub request: Duration,
    /// How long after expiry other processes leave the host alone.
    pub grace: Duration,
    /// Crawl delay of hosts that a process releases without naming one.
    pub rest: Duration,
}

impl Default for LeaseOptions {
    fn default() -> Self {
        Self::with_duration(Duration::from_mins(2))
    }
}

impl LeaseOptions {
    /// Returns options for leases of this length; half of it is reserved for a request in flight.
    pub fn with_duration(duration: Duration) -> Self {
        Self { duration, request: duration / 2, grace: duration / 12, rest: Duration::from_secs(2) }
    }
}

/// A leased host.
#[derive(Debug, Clone)]
struct HeldLease {
    token: i64,
    /// When the lease ends on this process's clock, which is before it ends in the store.
    until: Instant,
    /// Runs that work on the host.
    runs: BTreeSet<RunId>,
    /// Another process has taken over. Kept so that work done under the old lease is rejected.
    lost: bool,
}

/// Hosts leased by this process.
pub(crate) struct HeldLeases {
    /// Identity of this process in the store.
    pub owner: Uuid,
    pub options: LeaseOptions,
    held: RwLock<HashMap<HostId, HeldLease>>,
}

/// A host and its fencing token.
pub(super) type LeaseToken = (HostId, i64);

impl HeldLeases {
    /// Creates an empty set with a new owner id.
    pub fn new(options: LeaseOptions) -> Self {
        Self { owner: Uuid::new_v4(), options, held: RwLock::new(HashMap::new()) }
    }

    /// Returns whether a request to this host would finish before its lease ends.
    pub fn lease_covers_request(&self, host: HostId) -> bool {
        let held = self.held.read().ok();
        let holding = held.as_ref().and_then(|held| held.get(&host));
        holding.is_some_and(|holding| !holding.lost && Instant::now() + self.options.request < holding.until)
    }

    /// Returns the fencing token under which this process works or worked on a host.
    pub fn token(&self, host: HostId) -> Option<i64> {
        self.held.read().ok()?.get(&host).map(|holding| holding.token)
    }

    /// Returns whether this process has leased the host.
    pub fn holds(&self, host: HostId) -> bool {
        self.held.read().is_ok_and(|held| held.get(&host).is_some_and(|holding| !holding.lost))
    }

    /// Records a lease that was requested at `asked`.
    pub fn note_leased(&self, run: RunId, host: HostId, token: i64, asked: Instant) {
        let Ok(mut held) = self.held.write() else { return };
        let until = asked + self.options.duration;
        let holding = held.entry(host).or_insert_with(|| HeldLease {
            token,
            until,
            runs: BTreeSet::new(),
            lost: false,
        });
        (holding.token, holding.until, holding.lost) = (token, until, false);
        holding.runs.insert(run);
    }

    /// Records that another run works on a leased host.
    pub fn add_run(&self, run: RunId, host: HostId) {
        if let Ok(mut held) = self.held.write()
            && let Some(holding) = held.get_mut(&host)
        {
            holding.runs.insert(run);
        }
    }

    /// Records renewals that were requested at `asked`.
    pub fn note_renewed(&self, hosts: &[HostId], asked: Instant) {
        let Ok(mut held) = self.held.write() else { return };
        for host in hosts {
            if let Some(holding) = held.get_mut(host) {
                holding.until = holding.until.max(asked + self.options.duration);
            }
        }
    }

    /// Records that another process has taken over a host with this token.
    pub fn note_lost(&self, (host, token): LeaseToken) {
        if let Ok(mut held) = self.held.write()
            && let Some(holding) = held.get_mut(&host)
            && holding.token == token
        {
            holding.lost = true;
        }
    }

    /// Removes the run from these hosts. Returns the hosts that no run uses any more and that must
    /// be released, with tokens and crawl delays.
    pub fn remove_run(&self, run: RunId, hosts: &[(HostId, Duration)]) -> Vec<(LeaseToken, Duration)> {
        let Ok(mut held) = self.held.write() else { return Vec::new() };
        let mut left = Vec::new();
        for (host, rest) in hosts {
            let Some(holding) = held.get_mut(host) else { continue };
            holding.runs.remove(&run);
            if holding.runs.is_empty()
                && let Some(holding) = held.remove(host)
                && !holding.lost
            {
                left.push(((*host, holding.token), *rest));
            }
        }
        left
    }

    /// Returns all leased hosts by shard, in order.
    pub fn by_shard(&self) -> BTreeMap<i32, Vec<LeaseToken>> {
        let Ok(held) = self.held.read() else { return BTreeMap::new() };
        let mut shards: BTreeMap<i32, Vec<LeaseToken>> = BTreeMap::new();
        for (host, holding) in held.iter().filter(|(_, holding)| !holding.lost) {
            shards.entry(shard::of_host(*host)).or_default().push((*host, holding.token));
        }
        for tokens in shards.values_mut() {
            tokens.sort_unstable();
        }
        shards
    }

    /// Removes all leases and returns them.
    pub fn take_all(&self) -> Vec<LeaseToken> {
        let Ok(mut held) = self.held.write() else { return Vec::new() };
        std::mem::take(&mut *held)
            .into_iter()
            .filter(|(_, holding)| !holding.lost)
            .map(|(host, holding)| (host, holding.token))
            .collect()
    }
}
