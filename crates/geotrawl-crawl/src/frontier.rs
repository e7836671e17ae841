//! In-memory scheduling: which host may be asked next, and for what.
//!
//! The store holds the whole frontier; here are only the active hosts, each with a short queue of its
//! best pending items ([`crate::focus::queue`]). Items in flight, or finished but not yet committed, stay pending in the store and
//! are left out by id, so a crash at any moment loses nothing.

mod borrowed;

pub(crate) use borrowed::{Held, with_pauses};

use crate::focus::queue::{HostQueue, Weigher};
use crate::focus::stops::{StopRules, Turned};
use crate::loans::Loans;
use crate::options::CrawlOptions;
use crate::traps::{HostTraps, Seen};
use geotrawl_kinds::probe::Intent;
use geotrawl_store::{HostId, HostWork, Item, ItemId, RunId, Store, StoreError};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};
use url::Url;

/// Pages of a host's past that trap detection looks at after a restart.
const HISTORY: usize = 300;

/// What reaches the scheduler.
#[derive(Debug)]
pub enum Signal {
    /// A visit is over and its host may be asked again.
    Free { host: HostId, url: Box<Url>, seen: Box<Seen> },
    /// A batch is safe: these items are closed, these hosts have gained pending ones, the best of them at this place,
    /// and this is how pages turned out.
    Committed { ids: Vec<ItemId>, gained: Vec<(HostId, u32)>, turned: Vec<Turned> },
    /// A visit ended because its host may no longer be asked: its item stays pending.
    Abandoned { host: HostId, item: ItemId },
    /// These hosts are no longer on loan here.
    Lost(Vec<HostId>),
    /// Somebody asked to stop.
    Stop,
}

/// When politeness lets hosts be asked; hosts are scheme, name and port.
pub trait Pauses {
    /// When a request could start; `None` while all turns are taken.
    fn ready_at(&self, host: &str) -> Option<Instant>;
    /// Whoever asked this host before us wants it left alone for so long.
    fn rest(&self, _host: &str, _rest: Duration) {}
}

impl<F: Fn(&str) -> Option<Instant>> Pauses for F {
    fn ready_at(&self, host: &str) -> Option<Instant> {
        self(host)
    }
}

/// An item to visit now.
#[derive(Debug)]
pub struct Dispatch {
    pub item: Item,
    /// Nothing of this host was requested yet in this run.
    pub first_of_host: bool,
    /// Of a catalogue, only what has changed since then is wanted.
    pub since: Option<String>,
}

/// What the scheduler says when asked for work.
#[derive(Debug)]
pub enum Next {
    /// Visit this.
    Visit(Box<Dispatch>),
    /// Close this without a request, with this class and reason.
    Skip(Box<Item>, &'static str, String),
    /// Nothing before this moment.
    Wait(Instant),
    /// Nothing until something in flight comes back or is committed.
    Idle,
}

struct Active {
    name: String,
    queue: HostQueue,
    in_flight: usize,
    /// Dispatched and not yet committed, on a shared store.
    open: usize,
    /// Tells a host that is borrowed again from what it was before.
    epoch: u64,
    requests: u64,
    /// In one of the two heaps.
    listed: bool,
    /// Its entry among the ready ones; others are of before.
    turn: Option<u64>,
    robots: Option<geotrawl_store::RobotsRecord>,
    traps: HostTraps,
}

/// The scheduler's view of the frontier.
pub struct Frontier<'a> {
    store: &'a dyn Store,
    run: RunId,
    options: &'a CrawlOptions,
    bounds: Bounds,
    weigher: Weigher,
    stops: StopRules,
    /// Hosts whose heads are to be weighed again, when the ordering learns.
    round: Vec<HostId>,
    active: HashMap<HostId, Active>,
    /// Hosts whose delay has passed, best head first.
    ready: BinaryHeap<Reverse<(u32, u64, HostId)>>,
    /// Hosts that wait for their delay.
    waiting: BinaryHeap<Reverse<(Instant, HostId)>>,
    /// Dispatched and not yet committed.
    unfinished: HashSet<ItemId>,
    /// Hosts that have used up their own budget.
    spent: HashSet<HostId>,
    /// Hosts with nothing but pages left when the task's page budget was used up.
    parked: HashSet<HostId>,
    pages_left: Option<u64>,
    in_flight: usize,
    turn: u64,
    /// Hosts outside `active` may have work.
    more_hosts: bool,
    /// On a store that others share: what concerns loans.
    borrowed: Option<borrowed::Borrowed>,
}

/// Bounds of a frontier.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Requests that a host may have at once.
    pub per_host: usize,
    /// Hosts that are active at once.
    pub most_active: usize,
    /// Pages that were read before.
    pub pages_done: u64,
}

impl<'a> Frontier<'a> {
    /// A frontier over the run's pending items.
    pub fn new(
        store: &'a dyn Store,
        run: RunId,
        options: &'a CrawlOptions,
        bounds: Bounds,
        weigher: Weigher,
        stops: StopRules,
    ) -> Self {
        Self {
            store,
            run,
            options,
            bounds: Bounds { per_host: bounds.per_host.max(1), ..bounds },
            weigher,
            stops,
            round: Vec::new(),
            active: HashMap::new(),
            ready: BinaryHeap::new(),
            waiting: BinaryHeap::new(),
            unfinished: HashSet::new(),
            spent: HashSet::new(),
            parked: HashSet::new(),
            pages_left: options.max_pages.map(|most| most.saturating_sub(bounds.pages_done)),
            in_flight: 0,
            turn: 0,
            more_hosts: true,
            borrowed: None,
        }
    }

    /// With hosts on loan, of a store that others share.
    #[must_use]
    pub(crate) fn borrowing(mut self, loans: Arc<Loans>) -> Self {
        // Pages are claimed as they are read.
        self.pages_left = self.options.max_pages.map(|_| 0);
        self.borrowed = Some(borrowed::Borrowed::new(loans));
        self
    }

    /// Requests in flight.
    pub fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// Active hosts.
    pub fn hosts(&self) -> usize {
        self.active.len()
    }

    /// Items dispatched whose outcome is not yet on disk.
    pub fn unfinished(&self) -> usize {
        self.unfinished.len()
    }

    /// Whether the task's page budget kept something from being read.
    pub fn out_of_pages(&self) -> bool {
        !self.parked.is_empty()
    }

    /// Another group of seeds was added: hosts may have work again.
    pub fn reopened(&mut self) {
        self.more_hosts = true;
        self.hurry(Instant::now());
    }

    /// Takes note of how pages turned out; groups of seeds that are given up by it end.
    pub fn turned(&mut self, pages: Vec<Turned>) -> Result<(), StoreError> {
        for width in self.stops.note(pages) {
            let why = self.stops.why();
            self.store.end_width(self.run, width, &why, true, jiff::Timestamp::now())?;
        }
        Ok(())
    }

    /// Takes note that a visit is over; `ready_at` is when its host may be asked again.
    pub fn free(&mut self, host: HostId, url: &Url, seen: &Seen, ready_at: Instant) {
        self.in_flight = self.in_flight.saturating_sub(1);
        if let Some(active) = self.active.get_mut(&host) {
            active.in_flight = active.in_flight.saturating_sub(1);
            active.traps.note(url, seen);
            Self::list(&mut self.waiting, host, active, ready_at);
        }
    }

    /// Takes note that a visit was given up: its item stays pending.
    pub fn abandoned(&mut self, host: HostId, item: ItemId, now: Instant) {
        self.in_flight = self.in_flight.saturating_sub(1);
        self.unfinished.remove(&item);
        if let Some(active) = self.active.get_mut(&host) {
            active.in_flight = active.in_flight.saturating_sub(1);
            active.queue.grown(0, &self.weigher);
            Self::list(&mut self.waiting, host, active, now);
        }
        self.closed(&[item], now);
    }

    /// Takes note of a commit.
    pub fn committed(&mut self, ids: &[ItemId], gained: &[(HostId, u32)], now: Instant) {
        for id in ids {
            self.unfinished.remove(id);
        }
        self.closed(ids, now);
        for (host, best) in gained {
            self.parked.remove(host);
            match self.active.get_mut(host) {
                Some(active) => {
                    active.queue.grown(*best, &self.weigher);
                    if active.turn.is_some() && active.queue.head().is_none_or(|head| *best < head) {
                        // It stands among the ready ones by what it had before: what is better need not wait for that.
                        active.turn = None;
                        active.listed = false;
                    }
                    if active.in_flight < self.bounds.per_host {
                        Self::list(&mut self.waiting, *host, active, now);
                    }
                }
                None => self.more_hosts = true,
            }
        }
        if self.more_hosts {
            self.hurry(now);
        }
    }

    /// The next thing to do. `pauses` says when politeness lets a host be asked.
    pub fn next(&mut self, now: Instant, pauses: &dyn Pauses) -> Result<Next, StoreError> {
        if self.borrowed.is_some() {
            self.borrow(now, pauses)?;
        } else if self.more_hosts && self.active.len() < self.bounds.most_active {
            self.activate(now)?;
        }
        while let Some(Reverse((at, host))) = self.waiting.peek().copied() {
            if at > now {
                break;
            }
            self.waiting.pop();
            self.make_ready(host, pauses)?;
        }
        if self.weigher.learns() {
            self.refresh();
        }
        while let Some(Reverse((_, turn, host))) = self.ready.pop() {
            let current = self.active.get(&host).is_some_and(|active| active.turn == Some(turn));
            if current && let Some(next) = self.take(host, now, pauses)? {
                return Ok(next);
            }
        }
        Ok(match self.waiting.peek() {
            Some(Reverse((at, _))) => Next::Wait(*at),
            None => Next::Idle,
        })
    }

    /// Whether nothing is left: nothing in flight, nothing uncommitted, nothing pending that may be asked.
    pub fn exhausted(&mut self, now: Instant, pauses: &dyn Pauses) -> Result<bool, StoreError> {
        if !self.unfinished.is_empty() || !self.ready.is_empty() || !self.waiting.is_empty() {
            return Ok(false);
        }
        if self.borrowed.is_some() {
            return self.exhausted_for_all(now, pauses);
        }
        self.activate(now)?;
        Ok(self.ready.is_empty() && self.waiting.is_empty())
    }

    /// Brings hosts with pending items in, best first.
    fn activate(&mut self, now: Instant) -> Result<(), StoreError> {
        let room = self.bounds.most_active.saturating_sub(self.active.len());
        if room == 0 {
            return Ok(());
        }
        let (active, spent, parked) = (&self.active, &self.spent, &self.parked);
        let skip =
            |host: HostId| active.contains_key(&host) || spent.contains(&host) || parked.contains(&host);
        let hosts = self.store.hosts_with_work(self.run, room, &skip)?;
        self.more_hosts = hosts.len() == room;
        for work in hosts {
            self.enter(work, now, 0)?;
        }
        Ok(())
    }

    fn enter(&mut self, work: HostWork, now: Instant, epoch: u64) -> Result<(), StoreError> {
        let traps = if work.done > 0 {
            HostTraps::remember(&self.store.host_history(self.run, work.host, HISTORY)?)
        } else {
            HostTraps::default()
        };
        let mut active = Active {
            name: work.name,
            queue: HostQueue::unread(),
            in_flight: 0,
            open: 0,
            epoch,
            requests: work.done,
            listed: false,
            turn: None,
            robots: work.robots,
            traps,
        };
        Self::list(&mut self.waiting, work.host, &mut active, now + work.rest);
        self.active.insert(work.host, active);
        Ok(())
    }

    /// What robots.txt of a host said before, handed out once.
    pub fn take_robots(&mut self, host: HostId) -> Option<geotrawl_store::RobotsRecord> {
        self.active.get_mut(&host)?.robots.take()
    }

    fn list(
        waiting: &mut BinaryHeap<Reverse<(Instant, HostId)>>,
        host: HostId,
        active: &mut Active,
        at: Instant,
    ) {
        if !active.listed {
            active.listed = true;
            waiting.push(Reverse((at, host)));
        }
    }

    /// A host whose time has come: with items it is ready, without it leaves.
    fn make_ready(&mut self, host: HostId, pauses: &dyn Pauses) -> Result<(), StoreError> {
        let hosts = self.active.len();
        let Some(active) = self.active.get_mut(&host) else { return Ok(()) };
        active.listed = false;
        // A host never asked before is ready "now", which is a little later than our `now`.
        if let Some(at) = pauses.ready_at(&active.name).filter(|at| *at > Instant::now()) {
            if self.borrowed.is_some() && self.set_aside(host, at) {
                return Ok(());
            }
            let Some(active) = self.active.get_mut(&host) else { return Ok(()) };
            Self::list(&mut self.waiting, host, active, at);
            return Ok(());
        }
        if active.requests >= self.options.max_per_host {
            self.spent.insert(host);
            active.queue.clear();
        } else {
            active.queue.fill(self.store, (self.run, host), &self.weigher, hosts, &self.unfinished)?;
        }
        if let Some(head) = active.queue.head() {
            active.listed = true;
            self.turn += 1;
            active.turn = Some(self.turn);
            self.ready.push(Reverse((head, self.turn, host)));
        } else if active.in_flight == 0 {
            self.leave(host);
        }
        Ok(())
    }

    /// A host with nothing to ask for, and nothing under way, leaves.
    fn leave(&mut self, host: HostId) {
        match &mut self.borrowed {
            None => {
                self.active.remove(&host);
            }
            // What is finished and not yet committed is pending for everybody else: it stays ours until then.
            Some(borrowed) => {
                if self.active.get(&host).is_some_and(|active| active.open == 0)
                    && let Some(active) = self.active.remove(&host)
                {
                    borrowed.leaving.push(Held { host, name: active.name });
                }
            }
        }
    }

    /// Weighs the heads of one of the ready hosts again, each in its turn: what is learned meanwhile decides between
    /// hosts, too.
    fn refresh(&mut self) {
        let Some(host) = self.round.pop() else {
            self.round.extend(self.active.keys());
            return;
        };
        let Some(active) = self.active.get_mut(&host).filter(|active| active.turn.is_some()) else { return };
        if active.queue.refresh(&self.weigher)
            && let Some(head) = active.queue.head()
        {
            self.turn += 1;
            active.turn = Some(self.turn);
            self.ready.push(Reverse((head, self.turn, host)));
        }
        if self.ready.len() > 1_024 + 4 * self.active.len() {
            let active = &self.active;
            let current =
                |host: &HostId, turn: u64| active.get(host).is_some_and(|one| one.turn == Some(turn));
            self.ready.retain(|Reverse((_, turn, host))| current(host, *turn));
        }
    }

    /// The head of a ready host.
    fn take(&mut self, host: HostId, now: Instant, pauses: &dyn Pauses) -> Result<Option<Next>, StoreError> {
        let Some(active) = self.active.get_mut(&host) else { return Ok(None) };
        active.listed = false;
        active.turn = None;
        if self.borrowed.is_some() && !self.store.may_ask(self.run, host) {
            // Renewed soon, or lost: whoever renews tells.
            Self::list(&mut self.waiting, host, active, now + borrowed::RENEWAL);
            return Ok(None);
        }
        let Some(item) = active.queue.pop() else { return Ok(None) };
        let intent = Intent::parse(&item.intent);
        let given_up = (intent == Intent::Page).then(|| self.stops.refuses(&item)).flatten();
        let trap = match intent {
            _ if given_up.is_some() => None,
            Intent::Page => Url::parse(&item.url).ok().and_then(|url| active.traps.refuses(&url)),
            Intent::Sitemap => active.traps.refuses_sitemap(),
            _ => None,
        };
        let refused = given_up.map(|why| ("skipped", why)).or(trap.map(|why| ("trap", why)));
        if let Some((class, reason)) = refused {
            Self::list(&mut self.waiting, host, active, now);
            self.unfinished.insert(item.id);
            self.opened(host, item.id);
            return Ok(Some(Next::Skip(Box::new(item), class, reason)));
        }
        if intent == Intent::Page {
            if self.pages_left == Some(0) && self.claim()? == 0 {
                // The budget is used: pages stay pending. Probes come first, so none is behind this page.
                self.parked.insert(host);
                if let Some(active) = self.active.get_mut(&host) {
                    active.queue.clear();
                    if active.in_flight == 0 {
                        self.leave(host);
                    }
                }
                return Ok(None);
            }
            if let Some(left) = &mut self.pages_left {
                *left = left.saturating_sub(1);
            }
        }
        let Some(active) = self.active.get_mut(&host) else { return Ok(None) };
        let first_of_host = active.requests == 0;
        active.requests += 1;
        active.in_flight += 1;
        self.in_flight += 1;
        self.unfinished.insert(item.id);
        if active.in_flight < self.bounds.per_host {
            let at = pauses.ready_at(&active.name).unwrap_or(now);
            Self::list(&mut self.waiting, host, active, at);
        }
        self.opened(host, item.id);
        Ok(Some(Next::Visit(Box::new(Dispatch { item, first_of_host, since: None }))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geotrawl_rank::FIRST;
    use geotrawl_store::{EmbeddedStore, NewLink, TaskSpec};

    fn link(host: &str, path: &str, intent: &str, priority: u32) -> NewLink {
        NewLink {
            key: format!("{host}{path}"),
            url: format!("http://{host}/{path}"),
            host: format!("http://{host}"),
            intent: intent.into(),
            priority,
            ..NewLink::default()
        }
    }

    /// What is asked for next.
    fn next(frontier: &mut Frontier<'_>) -> String {
        match frontier.next(Instant::now(), &|_: &str| None).unwrap() {
            Next::Visit(dispatch) => dispatch.item.url,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn what_is_better_than_the_head_of_a_ready_host_does_not_wait_for_it() {
        for name in ["fifo", "learned"] {
            let directory = tempfile::tempdir().unwrap();
            let store = EmbeddedStore::open(directory.path()).unwrap();
            let spec = TaskSpec { name: "t".into(), seeds: vec![], options: serde_json::json!({}) };
            let run = store.open_task(&spec, jiff::Timestamp::UNIX_EPOCH).unwrap().run;
            let options = CrawlOptions::default();
            let ordering = geotrawl_rank::ordering(name, &geotrawl_rank::Topic::default(), None).unwrap();
            let bounds = Bounds { per_host: 1, most_active: 10, pages_done: 0 };
            let (weigher, stops) = (Weigher::new(&ordering), StopRules::new(None, []));
            let mut frontier = Frontier::new(&store, run, &options, bounds, weigher, stops);
            let pages =
                |host| (0..9).map(move |n| link(host, &format!("seite-{n}.html"), "page", FIRST + 900));
            store.add_links(run, &pages("a.example").chain(pages("b.example")).collect::<Vec<_>>()).unwrap();
            // Both hosts are ready now, and one of them is asked; the other has something better meanwhile.
            let other = if next(&mut frontier).contains("a.example") { "b.example" } else { "a.example" };
            let added = store.add_links(run, &[link(other, "wms", "ows:wms", 1)]).unwrap();
            frontier.committed(&[], &added.heads, Instant::now());
            assert_eq!(next(&mut frontier), format!("http://{other}/wms"), "{name}");
        }
    }
}
