//! A frontier on a store that others share: hosts are borrowed, given back as soon as they are of no use here, and a
//! run is over when it is over for everybody.

use super::{Frontier, Pauses};
use crate::loans::Loans;
use geotrawl_store::{HostId, ItemId, StoreError};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A host that may not be asked just now is looked at again after this.
pub(super) const RENEWAL: Duration = Duration::from_millis(200);
/// While there is nothing to borrow, the store is asked again after this, doubled each time ...
const FIRST_LOOK: Duration = Duration::from_millis(100);
/// ... up to this.
const LONGEST_LOOK: Duration = Duration::from_secs(1);
/// While there is, after this: hosts come and go by the dozen, and are taken so.
const NEXT_LOOK: Duration = Duration::from_millis(20);
/// Hosts to be given back are collected for this long at most.
const LEAVE_EVERY: Duration = Duration::from_millis(100);
/// A host that wants to be left alone for longer than this is given back until then.
pub(super) const LONGEST_REST: Duration = Duration::from_mins(1);
/// Pages of a budget that are claimed at a time.
const CLAIM: i64 = 8;

/// A host on loan.
#[derive(Debug)]
pub(crate) struct Held {
    pub host: HostId,
    /// Scheme, name and port.
    pub name: String,
}

/// What concerns loans.
pub(super) struct Borrowed {
    loans: Arc<Loans>,
    /// Dispatched and not yet committed: of which host, borrowed when.
    open: HashMap<ItemId, (HostId, u64)>,
    epoch: u64,
    /// Hosts to be given back.
    pub leaving: Vec<Held>,
    left_at: Instant,
    /// Hosts that were given back because they want to be left alone for long.
    resting: HashMap<HostId, Instant>,
    /// When the store is asked for hosts again, and how long it waits after that.
    look_at: Instant,
    pause: Duration,
    /// The store has just been asked, and had nothing.
    in_vain: bool,
    /// Hosts that are served at once just now.
    wanted: usize,
}

impl Borrowed {
    pub fn new(loans: Arc<Loans>) -> Self {
        let now = Instant::now();
        Self {
            loans,
            open: HashMap::new(),
            epoch: 0,
            leaving: Vec::new(),
            left_at: now,
            resting: HashMap::new(),
            look_at: now,
            pause: FIRST_LOOK,
            in_vain: false,
            wanted: usize::MAX,
        }
    }
}

impl Frontier<'_> {
    /// So many requests may be under way: no more hosts are borrowed than that, and those that nobody here will ask for
    /// a while are given back.
    pub fn serve(&mut self, requests: usize) {
        let most = self.bounds.most_active.min(requests.max(1));
        let Some(borrowed) = &mut self.borrowed else { return };
        borrowed.wanted = most;
        // Some are left, so that none goes to and fro.
        let mut over = self.active.len().saturating_sub(most + most / 4 + 4);
        if over == 0 {
            return;
        }
        // Those at the end of the line go first.
        let mut line: Vec<_> = self.ready.iter().map(|entry| entry.0).collect();
        line.sort_unstable();
        while over > 0
            && let Some((_, turn, host)) = line.pop()
        {
            let idle = self
                .active
                .get(&host)
                .is_some_and(|active| active.turn == Some(turn) && active.in_flight == 0 && active.open == 0);
            if idle {
                self.leave(host);
                over -= 1;
            }
        }
    }

    /// When the store is asked for hosts again, where they are borrowed.
    pub fn look_at(&self) -> Option<Instant> {
        self.borrowed.as_ref().map(|borrowed| borrowed.look_at)
    }

    /// Whether something is left that wants to be left alone for long.
    pub fn left_resting(&self) -> bool {
        self.borrowed.as_ref().is_some_and(|borrowed| !borrowed.resting.is_empty())
    }

    /// Hosts that are no longer on loan here. What is in flight of them ends, and is not taken.
    pub fn lost(&mut self, hosts: &[HostId]) {
        let Some(borrowed) = &mut self.borrowed else { return };
        for host in hosts {
            if let Some(active) = self.active.remove(host) {
                borrowed.loans.release(self.run, &active.name);
            }
            borrowed.leaving.retain(|held| held.host != *host);
        }
        let active = &self.active;
        self.waiting.retain(|entry| active.contains_key(&entry.0.1));
        self.more_hosts = true;
    }

    /// All that is on loan, and what is claimed of the budget, when the crawl ends.
    pub(crate) fn give_up(&mut self) -> (Vec<Held>, u64) {
        let Some(borrowed) = &mut self.borrowed else { return (Vec::new(), 0) };
        let mut held = std::mem::take(&mut borrowed.leaving);
        held.extend(self.active.drain().map(|(host, active)| Held { host, name: active.name }));
        (held, self.pages_left.take().unwrap_or_default())
    }

    /// Notes that an item is under way.
    pub(super) fn opened(&mut self, host: HostId, item: ItemId) {
        if let Some(borrowed) = &mut self.borrowed
            && let Some(active) = self.active.get_mut(&host)
        {
            active.open += 1;
            borrowed.open.insert(item, (host, active.epoch));
        }
    }

    /// Notes that items are committed or given up; a host of which nothing more is under way may leave.
    pub(super) fn closed(&mut self, items: &[ItemId], now: Instant) {
        let Some(borrowed) = &mut self.borrowed else { return };
        for item in items {
            let Some((host, epoch)) = borrowed.open.remove(item) else { continue };
            let Some(active) = self.active.get_mut(&host).filter(|active| active.epoch == epoch) else {
                continue;
            };
            active.open = active.open.saturating_sub(1);
            if active.open == 0 && active.in_flight == 0 {
                Self::list(&mut self.waiting, host, active, now);
            }
        }
    }

    /// Gives a host back that wants to be left alone until then, where that is long.
    pub(super) fn set_aside(&mut self, host: HostId, until: Instant) -> bool {
        let idle = self.active.get(&host).is_some_and(|active| active.in_flight == 0 && active.open == 0);
        if !idle || until < Instant::now() + LONGEST_REST {
            return false;
        }
        if let Some(borrowed) = &mut self.borrowed {
            borrowed.resting.insert(host, until);
        }
        self.leave(host);
        true
    }

    /// Pages that may be read now, of the budget of all together.
    pub(super) fn claim(&mut self) -> Result<u64, StoreError> {
        let (Some(most), Some(_)) = (self.options.max_pages, &self.borrowed) else { return Ok(0) };
        let claimed = self.store.claim_pages(self.run, most, CLAIM)?;
        self.pages_left = Some(self.pages_left.unwrap_or_default() + claimed);
        Ok(claimed)
    }

    /// There may be hosts with work: they are looked for soon.
    pub(super) fn hurry(&mut self, now: Instant) {
        if let Some(borrowed) = &mut self.borrowed {
            borrowed.look_at = borrowed.look_at.min(now + NEXT_LOOK);
            borrowed.pause = FIRST_LOOK;
        }
    }

    /// Gives back what is due, and borrows hosts with work where there is room.
    pub(super) fn borrow(&mut self, now: Instant, pauses: &dyn Pauses) -> Result<(), StoreError> {
        let Some(borrowed) = &mut self.borrowed else { return Ok(()) };
        let leave = borrowed.left_at + LEAVE_EVERY <= now;
        borrowed.resting.retain(|_, until| *until > now);
        let room = borrowed.wanted.min(self.bounds.most_active).saturating_sub(self.active.len());
        if room == 0 || now < borrowed.look_at {
            return if leave { self.return_leaving(now, pauses) } else { Ok(()) };
        }
        self.return_leaving(now, pauses)?;
        self.fetch_hosts(room, now, pauses)
    }

    fn fetch_hosts(&mut self, room: usize, now: Instant, pauses: &dyn Pauses) -> Result<(), StoreError> {
        let (active, spent, parked) = (&self.active, &self.spent, &self.parked);
        let Some(borrowed) = &self.borrowed else { return Ok(()) };
        let skip = |host: HostId| {
            active.contains_key(&host)
                || spent.contains(&host)
                || parked.contains(&host)
                || borrowed.resting.contains_key(&host)
                || borrowed.leaving.iter().any(|held| held.host == host)
        };
        let hosts = self.store.hosts_with_work(self.run, room, &skip)?;
        let Some(borrowed) = &mut self.borrowed else { return Ok(()) };
        self.more_hosts = hosts.len() >= room;
        borrowed.in_vain = hosts.is_empty();
        if hosts.is_empty() {
            borrowed.look_at = now + borrowed.pause;
            borrowed.pause = (borrowed.pause * 2).min(LONGEST_LOOK);
        } else {
            borrowed.look_at = now + if self.more_hosts { NEXT_LOOK } else { FIRST_LOOK };
            borrowed.pause = FIRST_LOOK;
        }
        for work in hosts {
            let Some(borrowed) = &mut self.borrowed else { return Ok(()) };
            borrowed.loans.hold(self.run, work.host, &work.name);
            if work.rest > Duration::ZERO {
                pauses.rest(&work.name, work.rest);
            }
            if work.rest >= LONGEST_REST {
                borrowed.resting.insert(work.host, now + work.rest);
                borrowed.leaving.push(Held { host: work.host, name: work.name });
                continue;
            }
            borrowed.epoch += 1;
            let epoch = borrowed.epoch;
            self.enter(work, now, epoch)?;
        }
        Ok(())
    }

    fn return_leaving(&mut self, now: Instant, pauses: &dyn Pauses) -> Result<(), StoreError> {
        let Some(borrowed) = &mut self.borrowed else { return Ok(()) };
        borrowed.left_at = now;
        if borrowed.leaving.is_empty() {
            return Ok(());
        }
        let (back, kept) = with_pauses(std::mem::take(&mut borrowed.leaving), pauses);
        borrowed.leaving = kept;
        if !back.is_empty() {
            let hosts: Vec<(HostId, Duration)> = back.iter().map(|(held, rest)| (held.host, *rest)).collect();
            // Before anybody else may have them.
            for (held, _) in &back {
                borrowed.loans.release(self.run, &held.name);
            }
            self.store.give_back(self.run, &hosts)?;
        }
        Ok(())
    }

    /// Whether nothing is left for anybody. Asks the store only when it has just been asked for hosts in vain.
    pub(super) fn exhausted_for_all(
        &mut self,
        now: Instant,
        pauses: &dyn Pauses,
    ) -> Result<bool, StoreError> {
        let Some(borrowed) = &mut self.borrowed else { return Ok(true) };
        if !std::mem::take(&mut borrowed.in_vain) || !self.active.is_empty() {
            return Ok(false);
        }
        self.return_leaving(now, pauses)?;
        // Others may have left something of the budget, or may wait for what we have of it.
        if let (Some(most), Some(left)) = (self.options.max_pages, self.pages_left) {
            if !self.parked.is_empty() && self.claim()? > 0 {
                self.parked.clear();
                self.hurry(now);
                return Ok(false);
            }
            if left > 0 {
                self.pages_left = Some(0);
                self.store.claim_pages(self.run, most, -i64::try_from(left).unwrap_or(i64::MAX))?;
            }
        }
        if self.store.is_exhausted(self.run)? {
            return Ok(true);
        }
        // Not everything is closed. It is over for all the same when what is left may not be asked for, and nobody is
        // at work who could bring more; looked at twice, because somebody may just have begun.
        let left_behind = !self.spent.is_empty() || !self.parked.is_empty() || self.left_resting();
        Ok(left_behind
            && !self.store.held_elsewhere(self.run)?
            && self.finds_nothing(now, pauses)?
            && !self.store.held_elsewhere(self.run)?)
    }

    /// Looks for hosts with work; `true` when there are none.
    fn finds_nothing(&mut self, now: Instant, pauses: &dyn Pauses) -> Result<bool, StoreError> {
        let room = self.borrowed.as_ref().map_or(1, |borrowed| borrowed.wanted.min(self.bounds.most_active));
        self.fetch_hosts(room.max(1), now, pauses)?;
        // One that wants to be left alone for long is no work.
        self.return_leaving(now, pauses)?;
        Ok(self.active.is_empty())
    }
}

/// Hosts with what is left of their pauses, and those whose turn is taken just now.
pub(crate) fn with_pauses(hosts: Vec<Held>, pauses: &dyn Pauses) -> (Vec<(Held, Duration)>, Vec<Held>) {
    let now = Instant::now();
    let (mut back, mut kept) = (Vec::new(), Vec::new());
    for held in hosts {
        match pauses.ready_at(&held.name) {
            Some(at) => back.push((held, at.saturating_duration_since(now))),
            None => kept.push(held),
        }
    }
    (back, kept)
}
