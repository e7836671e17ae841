//! What this process has on loan, by its own steady clock.

use geotrawl_model::{HostId, RunId};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::RwLock;
use std::time::{Duration, Instant};
use uuid::Uuid;

use super::shard;

/// How long hosts are lent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeaseOptions {
    /// How long a loan lasts when it is not renewed.
    pub duration: Duration,
    /// How long a request may take: so long before its loan ends a host is asked no more.
    pub request: Duration,
    /// How long after its end a loan is left alone before another process takes the host.
    pub grace: Duration,
    /// How long a host rests when a process goes without saying what it needs.
    pub rest: Duration,
}

impl Default for LeaseOptions {
    fn default() -> Self {
        Self::with_duration(Duration::from_mins(2))
    }
}

impl LeaseOptions {
    /// Loans of this length; half of it is for a request that was begun.
    pub fn with_duration(duration: Duration) -> Self {
        Self { duration, request: duration / 2, grace: duration / 12, rest: Duration::from_secs(2) }
    }
}

/// A host on loan.
#[derive(Debug, Clone)]
struct HeldLease {
    token: i64,
    /// When the loan ends here, which is before it ends in the store.
    until: Instant,
    /// The runs that work on it.
    runs: BTreeSet<RunId>,
    /// Another process has it now; remembered so that what was done under the old loan is not taken.
    lost: bool,
}

/// Hosts on loan to this process.
pub(crate) struct HeldLeases {
    /// Who we are, in the store.
    pub owner: Uuid,
    pub options: LeaseOptions,
    held: RwLock<HashMap<HostId, HeldLease>>,
}

/// A host and the number of its loan.
pub(super) type LeaseToken = (HostId, i64);

impl HeldLeases {
    /// Of a process that has none.
    pub fn new(options: LeaseOptions) -> Self {
        Self { owner: Uuid::new_v4(), options, held: RwLock::new(HashMap::new()) }
    }

    /// Whether a request to this host would end before its loan.
    pub fn may_ask(&self, host: HostId) -> bool {
        let held = self.held.read().ok();
        let holding = held.as_ref().and_then(|held| held.get(&host));
        holding.is_some_and(|holding| !holding.lost && Instant::now() + self.options.request < holding.until)
    }

    /// The number of the loan under which we work or worked on a host.
    pub fn token(&self, host: HostId) -> Option<i64> {
        self.held.read().ok()?.get(&host).map(|holding| holding.token)
    }

    /// Whether a host is on loan to us.
    pub fn holds(&self, host: HostId) -> bool {
        self.held.read().is_ok_and(|held| held.get(&host).is_some_and(|holding| !holding.lost))
    }

    /// Notes a loan that was asked for at this moment.
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

    /// Notes that another run works on a host that we have.
    pub fn note_shared(&self, run: RunId, host: HostId) {
        if let Ok(mut held) = self.held.write()
            && let Some(holding) = held.get_mut(&host)
        {
            holding.runs.insert(run);
        }
    }

    /// Notes that loans were renewed, asked for at this moment.
    pub fn note_renewed(&self, hosts: &[HostId], asked: Instant) {
        let Ok(mut held) = self.held.write() else { return };
        for host in hosts {
            if let Some(holding) = held.get_mut(host) {
                holding.until = holding.until.max(asked + self.options.duration);
            }
        }
    }

    /// Notes that another process has a host that was lent under this number.
    pub fn note_lost(&self, (host, token): LeaseToken) {
        if let Ok(mut held) = self.held.write()
            && let Some(holding) = held.get_mut(&host)
            && holding.token == token
        {
            holding.lost = true;
        }
    }

    /// Takes the run off these hosts; those that no run works on any more are to be given back, with their
    /// numbers and rests.
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

    /// All hosts on loan, by shard, in order.
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

    /// Forgets all loans and gives them.
    pub fn take_all(&self) -> Vec<LeaseToken> {
        let Ok(mut held) = self.held.write() else { return Vec::new() };
        std::mem::take(&mut *held)
            .into_iter()
            .filter(|(_, holding)| !holding.lost)
            .map(|(host, holding)| (host, holding.token))
            .collect()
    }
}
