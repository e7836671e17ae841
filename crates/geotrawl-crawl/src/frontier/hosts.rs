//! Sources of active hosts: all hosts of a store of our own ([`ExclusiveHosts`]), or those that
//! this process has leased from a shared store ([`crate::leased::LeasedHosts`]).

use crate::leased::RetryingStore;
use geotrawl_model::{FrontierEntryId, HostId, HostWork, RunId, StoreError};
use std::time::Instant;

type Result<T> = std::result::Result<T, StoreError>;

/// Returns whether a host must not be activated now.
pub(crate) type HostExclusion<'a> = dyn Fn(HostId) -> bool + 'a;

/// Why a frontier without active hosts may still have pending entries.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LeftoverWork {
    /// Some hosts have used up their own page limit.
    pub spent: bool,
    /// Some hosts wait for pages of the task's limit.
    pub parked: bool,
}

/// Result of looking for remaining work.
#[derive(Debug)]
pub(crate) enum RemainingWork {
    /// Nothing is left in any process.
    Nothing,
    /// Work is left, but nothing can be done now.
    Pending,
    /// Pages may be read again.
    Pages,
    /// These hosts have work.
    Hosts(Vec<HostWork>),
}

/// Supplies a frontier with hosts, and with pages of the task's page limit.
pub(crate) trait HostSource {
    /// Returns hosts with pending entries to activate besides the `active` ones, best first.
    fn next_hosts(
        &mut self,
        active: usize,
        now: Instant,
        excluded: &HostExclusion<'_>,
    ) -> Result<Vec<HostWork>>;

    /// Looks for work if nothing is active and the last call of [`Self::next_hosts`] returned
    /// nothing.
    fn find_remaining(
        &mut self,
        left: LeftoverWork,
        now: Instant,
        excluded: &HostExclusion<'_>,
    ) -> Result<RemainingWork>;

    /// Notes that inactive hosts may have work.
    fn note_work(&mut self);

    /// Notes a commit, so that hosts with work are looked for soon.
    fn look_soon(&mut self, now: Instant);

    /// Takes a page of the task's limit; returns `false` if none is left.
    fn take_page(&mut self) -> Result<bool>;

    /// Releases a host; returns `false` if it has to stay active for now.
    fn release_host(&mut self, host: HostId) -> bool;

    /// Returns when the crawl delay of a host is over; `None` while all its connections are in use.
    fn ready_at(&self, _host: &str) -> Option<Instant> {
        // The client delays requests itself.
        Some(Instant::now())
    }

    /// Returns whether requests to a host may be sent now.
    fn may_request(&self, _host: HostId) -> bool {
        true
    }

    /// Returns whether the store is available.
    fn is_available(&self) -> bool {
        true
    }

    /// Notes that an entry of a host is dispatched.
    fn note_dispatch(&mut self, _host: HostId, _item: FrontierEntryId) {}

    /// Notes that entries are committed or abandoned; returns the hosts without any other open
    /// entries.
    fn note_closed(&mut self, _items: &[FrontierEntryId]) -> Vec<HostId> {
        Vec::new()
    }

    /// Returns whether dispatched entries of a host wait for their commit.
    fn has_open_items(&self, _host: HostId) -> bool {
        false
    }

    /// Sets how many requests may be in flight; returns how many of the `active` hosts that makes
    /// superfluous.
    fn set_demand(&mut self, _requests: usize, _active: usize) -> usize {
        0
    }

    /// Decides whether to release an idle host that may not be requested before `until`.
    fn should_set_aside(&mut self, _host: HostId, _until: Instant) -> bool {
        false
    }

    /// Forgets hosts whose leases were lost.
    fn forget_hosts(&mut self, _hosts: &[HostId]) {}

    /// Returns when to look for hosts with work again.
    fn next_lookup(&self) -> Option<Instant> {
        None
    }

    /// Returns whether hosts with a long crawl delay are left.
    fn has_resting_hosts(&self) -> bool {
        false
    }

    /// Releases all hosts and unused pages once everything is committed.
    fn release_all(&mut self) {}
}

/// The hosts of a store that only this process uses.
pub(crate) struct ExclusiveHosts<'a> {
    store: &'a RetryingStore,
    run: RunId,
    most_active: usize,
    pages_left: Option<u64>,
    /// Whether inactive hosts may have work.
    may_have_more: bool,
}

impl<'a> ExclusiveHosts<'a> {
    /// Creates a source for a run that activates at most `most_active` hosts at once. `pages_left`
    /// is the rest of the task's page limit.
    pub fn new(store: &'a RetryingStore, run: RunId, most_active: usize, pages_left: Option<u64>) -> Self {
        Self { store, run, most_active, pages_left, may_have_more: true }
    }

    fn fetch(&mut self, active: usize, excluded: &HostExclusion<'_>) -> Result<Vec<HostWork>> {
        let room = self.most_active.saturating_sub(active);
        if room == 0 {
            return Ok(Vec::new());
        }
        let hosts = self.store.retry(|store| store.hosts_with_work(self.run, room, excluded))?;
        self.may_have_more = hosts.len() == room;
        Ok(hosts)
    }
}

impl HostSource for ExclusiveHosts<'_> {
    fn next_hosts(
        &mut self,
        active: usize,
        _now: Instant,
        excluded: &HostExclusion<'_>,
    ) -> Result<Vec<HostWork>> {
        if self.may_have_more { self.fetch(active, excluded) } else { Ok(Vec::new()) }
    }

    fn find_remaining(
        &mut self,
        _left: LeftoverWork,
        _now: Instant,
        excluded: &HostExclusion<'_>,
    ) -> Result<RemainingWork> {
        let hosts = self.fetch(0, excluded)?;
        Ok(if hosts.is_empty() { RemainingWork::Nothing } else { RemainingWork::Hosts(hosts) })
    }

    fn note_work(&mut self) {
        self.may_have_more = true;
    }

    fn look_soon(&mut self, _now: Instant) {}

    fn take_page(&mut self) -> Result<bool> {
        Ok(match &mut self.pages_left {
            Some(0) => false,
            Some(left) => {
                *left -= 1;
                true
            }
            None => true,
        })
    }

    fn release_host(&mut self, _host: HostId) -> bool {
        true
    }
}
