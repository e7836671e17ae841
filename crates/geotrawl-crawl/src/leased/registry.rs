//! The leases of a process as its threads see them: whether a request may be sent now, which crawls
//! are told about lost leases, and figures.
//!
//! A store that belongs to one process has no leases: [`LeaseRegistry::allows_request`] then costs
//! one atomic load.

use crate::frontier::SchedulerSignal;
use crossbeam_channel::Sender;
use geotrawl_model::live::WorkerFigures;
use geotrawl_model::{HostId, RunId, StoreError};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long to wait for a crawl whose signal queue is full.
const SIGNAL_TIMEOUT: Duration = Duration::from_millis(100);

/// The leases of a process.
#[derive(Default)]
pub struct LeaseRegistry {
    /// Set once a crawl uses a shared store.
    on: AtomicBool,
    hosts: Mutex<HashMap<Box<str>, RegisteredLease>>,
    /// Crawls that are told about lost leases.
    members: Mutex<Vec<(RunId, Sender<SchedulerSignal>)>>,
    /// Locked by the thread that renews.
    pub(super) renewing: Mutex<()>,
    commits: AtomicU64,
    left_out: AtomicU64,
    lost: AtomicU64,
    outages: Mutex<OutageTimes>,
}

struct RegisteredLease {
    allowed: bool,
    holders: Vec<(RunId, HostId)>,
}

#[derive(Default)]
struct OutageTimes {
    since: Option<Instant>,
    before: Duration,
}

impl LeaseRegistry {
    /// Returns whether a request to this host (scheme, name and port) may be sent now. Hosts
    /// without a lease here, such as that of a script on another site, are allowed.
    pub fn allows_request(&self, host: &str) -> bool {
        !self.on.load(Ordering::Relaxed) || self.hosts().get(host).is_none_or(|lease| lease.allowed)
    }

    /// Returns the current figures.
    pub fn worker_figures(&self) -> WorkerFigures {
        let outages = self.outages();
        let lasting = outages.since.map_or(Duration::ZERO, |since| since.elapsed());
        WorkerFigures {
            hosts_on_loan: self.hosts().len() as u64,
            commits: self.commits.load(Ordering::Relaxed),
            left_out: self.left_out.load(Ordering::Relaxed),
            lost_loans: self.lost.load(Ordering::Relaxed),
            store_away_seconds: (outages.before + lasting).as_secs_f64(),
            store_is_away: outages.since.is_some(),
        }
    }

    /// Returns whether the store was unavailable at the last request.
    pub fn store_is_away(&self) -> bool {
        self.on.load(Ordering::Relaxed) && self.outages().since.is_some()
    }

    /// Records whether the store was available.
    pub(super) fn note_outcome<T>(&self, outcome: &Result<T, StoreError>) {
        let mut outages = self.outages();
        match outcome {
            Err(error) if error.is_unavailable() => {
                outages.since.get_or_insert_with(Instant::now);
            }
            _ => {
                if let Some(since) = outages.since.take() {
                    outages.before += since.elapsed();
                }
            }
        }
    }

    /// Counts a committed batch, and the entries that the store rejected.
    pub(crate) fn count_commit(&self, left_out: u64) {
        self.commits.fetch_add(1, Ordering::Relaxed);
        self.left_out.fetch_add(left_out, Ordering::Relaxed);
    }

    /// Adds a crawl, which is told about lost leases until it is removed.
    pub(super) fn add_crawl(&self, run: RunId, signals: Sender<SchedulerSignal>) {
        self.on.store(true, Ordering::Relaxed);
        self.members().push((run, signals));
    }

    /// Removes a crawl and its leases.
    pub(super) fn remove_crawl(&self, run: RunId) {
        self.members().retain(|(member, _)| *member != run);
        self.hosts().retain(|_, lease| {
            lease.holders.retain(|(holder, _)| *holder != run);
            !lease.holders.is_empty()
        });
    }

    /// Records that a run has leased a host.
    pub(super) fn add_lease(&self, run: RunId, host: HostId, name: &str) {
        let mut hosts = self.hosts();
        let lease = hosts
            .entry(name.into())
            .or_insert_with(|| RegisteredLease { allowed: true, holders: Vec::with_capacity(1) });
        lease.allowed = true;
        if !lease.holders.contains(&(run, host)) {
            lease.holders.push((run, host));
        }
    }

    /// Records that a run has released or lost a host.
    pub(super) fn remove_lease(&self, run: RunId, name: &str) {
        let mut hosts = self.hosts();
        if let Some(lease) = hosts.get_mut(name) {
            lease.holders.retain(|(holder, _)| *holder != run);
            if lease.holders.is_empty() {
                hosts.remove(name);
            }
        }
    }

    /// Forbids requests to lost hosts and tells the crawls.
    pub(super) fn announce_lost(&self, lost: &[HostId]) {
        if lost.is_empty() {
            return;
        }
        tracing::warn!(hosts = lost.len(), "leases of hosts were lost");
        self.lost.fetch_add(lost.len() as u64, Ordering::Relaxed);
        let known: HashSet<HostId> = lost.iter().copied().collect();
        for lease in self.hosts().values_mut() {
            if lease.holders.iter().any(|(_, host)| known.contains(host)) {
                lease.allowed = false;
            }
        }
        let members: Vec<Sender<SchedulerSignal>> =
            self.members().iter().map(|(_, signals)| signals.clone()).collect();
        for signals in members {
            // A crawl that has ended no longer listens; one that waits for the store has room for
            // this signal.
            let _ = signals.send_timeout(SchedulerSignal::Lost(lost.to_vec()), SIGNAL_TIMEOUT);
        }
    }

    /// Allows or forbids requests to each host of a run.
    pub(super) fn update_permissions(&self, run: RunId, may_request: impl Fn(HostId) -> bool) {
        for lease in self.hosts().values_mut() {
            if let Some((_, host)) = lease.holders.iter().find(|(holder, _)| *holder == run) {
                lease.allowed = may_request(*host);
            }
        }
    }

    fn hosts(&self) -> MutexGuard<'_, HashMap<Box<str>, RegisteredLease>> {
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn members(&self) -> MutexGuard<'_, Vec<(RunId, Sender<SchedulerSignal>)>> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn outages(&self) -> MutexGuard<'_, OutageTimes> {
        self.outages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
