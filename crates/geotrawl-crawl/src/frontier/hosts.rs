//! Where the active hosts of a frontier come from and go to: all hosts of a store of our own ([`ExclusiveHosts`]), or
//! those that this process has leased from a shared one ([`crate::leased::LeasedHosts`]).

use crate::leased::RetryingStore;
use geotrawl_model::{FrontierEntryId, HostId, HostWork, RunId, StoreError};
use std::time::Instant;

type Result<T> = std::result::Result<T, StoreError>;

/// Tells whether a host is not to be activated now.
pub(crate) type HostExclusion<'a> = dyn Fn(HostId) -> bool + 'a;

/// What a frontier without active hosts has left behind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LeftoverWork {
    /// Hosts that have used up their own budget.
    pub spent: bool,
    /// Hosts that wait for pages of the task's budget.
    pub parked: bool,
}

/// What a search for remaining work gave.
#[derive(Debug)]
pub(crate) enum RemainingWork {
    /// Nothing is left for anybody.
    Nothing,
    /// Nothing can be done at the moment.
    Pending,
    /// Pages may be read again.
    Pages,
    /// These hosts have work.
    Hosts(Vec<HostWork>),
}

/// Supplies a frontier with hosts and with pages of the task's budget.
pub(crate) trait HostSource {
    /// Returns hosts with pending items that are to be activated besides the `active` ones, best first.
    fn next_hosts(
        &mut self,
        active: usize,
        now: Instant,
        excluded: &HostExclusion<'_>,
    ) -> Result<Vec<HostWork>>;

    /// Looks for work where nothing is active and the last call of [`Self::next_hosts`] gave nothing.
    fn find_remaining(
        &mut self,
        left: LeftoverWork,
        now: Instant,
        excluded: &HostExclusion<'_>,
    ) -> Result<RemainingWork>;

    /// Notes that hosts which are not active may have work.
    fn note_work(&mut self);

    /// Notes that something was committed: hosts with work are looked for soon.
    fn look_soon(&mut self, now: Instant);

    /// Takes a page of the task's budget; returns `false` when none is left.
    fn take_page(&mut self) -> Result<bool>;

    /// Lets a host go; returns `false` when it has to stay active for the time being.
    fn release_host(&mut self, host: HostId) -> bool;

    /// Returns when the crawl delay of a host is over; `None` while all its connections are in use.
    fn ready_at(&self, _host: &str) -> Option<Instant> {
        // The client itself keeps requests waiting.
        Some(Instant::now())
    }

    /// Returns whether requests to a host may be sent now.
    fn may_request(&self, _host: HostId) -> bool {
        true
    }

    /// Returns whether the store answers.
    fn is_available(&self) -> bool {
        true
    }

    /// Notes that an item of a host is under way.
    fn note_dispatch(&mut self, _host: HostId, _item: FrontierEntryId) {}

    /// Notes that items are committed or abandoned; returns the hosts of which nothing more is under way.
    fn note_closed(&mut self, _items: &[FrontierEntryId]) -> Vec<HostId> {
        Vec::new()
    }

    /// Returns whether dispatched items of a host wait for their commit.
    fn has_open_items(&self, _host: HostId) -> bool {
        false
    }

    /// Sets how many requests may be under way; returns by how many the `active` hosts are too many for that.
    fn set_demand(&mut self, _requests: usize, _active: usize) -> usize {
        0
    }

    /// Decides whether an idle host that may not be asked before `until` is to be let go.
    fn should_set_aside(&mut self, _host: HostId, _until: Instant) -> bool {
        false
    }

    /// Forgets hosts whose leases were lost.
    fn forget_hosts(&mut self, _hosts: &[HostId]) {}

    /// Returns when hosts with work are looked for again.
    fn next_lookup(&self) -> Option<Instant> {
        None
    }

    /// Returns whether hosts are left that asked for a long crawl delay.
    fn has_resting_hosts(&self) -> bool {
        false
    }

    /// Releases all hosts and unused pages, once everything is committed.
    fn release_all(&mut self) {}
}

/// The hosts of a store that belongs to this process.
pub(crate) struct ExclusiveHosts<'a> {
    store: &'a RetryingStore,
    run: RunId,
    most_active: usize,
    pages_left: Option<u64>,
    /// Hosts that are not active may have work.
    may_have_more: bool,
}

impl<'a> ExclusiveHosts<'a> {
    /// Returns the hosts of a run of which at most `most_active` are active at once. `pages_left` is what remains of
    /// the task's budget.
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
