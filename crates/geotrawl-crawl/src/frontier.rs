//! In-memory scheduling: which host may be asked next, and for what.
//!
//! The store holds the whole frontier; here are only the active hosts, each with a short queue of its
//! best pending items ([`crate::focus::queue`]). Items in flight, or finished but not yet committed, stay pending in the store and
//! are left out by id, so a crash at any moment loses nothing.

mod hosts;

pub(crate) use hosts::{ExclusiveHosts, HostExclusion, HostSource, LeftoverWork, RemainingWork};

use crate::focus::queue::{HostQueue, QueueRanker};
use crate::focus::stops::{PageYield, StopRules};
use crate::leased::RetryingStore;
use crate::options::CrawlOptions;
use crate::traps::{HostTraps, PageTraits};
use geotrawl_model::{FrontierEntry, FrontierEntryId, HostId, HostWork, Intent, RunId, StoreError};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::time::{Duration, Instant};
use url::Url;

/// Pages of a host's past that trap detection looks at after a restart.
const HISTORY: usize = 300;
/// A host whose lease is about to be renewed is looked at again after this.
const RENEWAL: Duration = Duration::from_millis(200);
/// While the store is unavailable, nothing is dispatched for this long.
const OUTAGE: Duration = Duration::from_millis(500);

/// What reaches the scheduler.
#[derive(Debug)]
pub enum SchedulerSignal {
    /// A visit is over and its host may be asked again.
    Free { host: HostId, url: Box<Url>, seen: Box<PageTraits> },
    /// A batch is safe: these items are closed, these hosts have gained pending ones, the best of them at this place,
    /// and this is how pages turned out.
    Committed { ids: Vec<FrontierEntryId>, gained: Vec<(HostId, u32)>, turned: Vec<PageYield> },
    /// A visit ended because its host may no longer be asked: its item stays pending.
    Abandoned { host: HostId, item: FrontierEntryId },
    /// These hosts are no longer on loan here.
    Lost(Vec<HostId>),
    /// Somebody asked to stop.
    Stop,
}

/// An item to visit now.
#[derive(Debug)]
pub struct VisitDispatch {
    pub item: FrontierEntry,
    /// Nothing of this host was requested yet in this run.
    pub first_of_host: bool,
    /// Of a catalogue, only what has changed since then is wanted.
    pub since: Option<String>,
}

/// What the scheduler says when asked for work.
#[derive(Debug)]
pub enum NextAction {
    /// Visit this.
    Visit(Box<VisitDispatch>),
    /// Close this without a request, with this class and reason.
    Skip(Box<FrontierEntry>, &'static str, String),
    /// Nothing before this moment.
    Wait(Instant),
    /// Nothing until something in flight comes back or is committed.
    Idle,
}

struct ActiveHost {
    name: String,
    queue: HostQueue,
    in_flight: usize,
    requests: u64,
    /// In one of the two heaps.
    listed: bool,
    /// Its entry among the ready ones; others are of before.
    turn: Option<u64>,
    robots: Option<geotrawl_model::RobotsRecord>,
    traps: HostTraps,
}

/// The scheduler's view of the frontier.
pub(crate) struct Frontier<'a> {
    store: &'a RetryingStore,
    hosts: &'a mut dyn HostSource,
    run: RunId,
    options: &'a CrawlOptions,
    /// Requests that a host may have at once.
    per_host: usize,
    weigher: QueueRanker,
    stops: StopRules,
    /// Hosts whose heads are to be weighed again, when the ordering learns.
    round: Vec<HostId>,
    active: HashMap<HostId, ActiveHost>,
    /// Hosts whose delay has passed, best head first.
    ready: BinaryHeap<Reverse<(u32, u64, HostId)>>,
    /// Hosts that wait for their delay.
    waiting: BinaryHeap<Reverse<(Instant, HostId)>>,
    /// Dispatched and not yet committed.
    unfinished: HashSet<FrontierEntryId>,
    /// Hosts that have used up their own budget.
    spent: HashSet<HostId>,
    /// Hosts with nothing but pages left when the task's page budget was used up.
    parked: HashSet<HostId>,
    in_flight: usize,
    turn: u64,
}

impl<'a> Frontier<'a> {
    /// Returns a frontier over the pending items of a run on the hosts that `hosts` supplies.
    pub fn new(
        (store, run): (&'a RetryingStore, RunId),
        hosts: &'a mut dyn HostSource,
        options: &'a CrawlOptions,
        per_host: usize,
        weigher: QueueRanker,
        stops: StopRules,
    ) -> Self {
        Self {
            store,
            hosts,
            run,
            options,
            per_host: per_host.max(1),
            weigher,
            stops,
            round: Vec::new(),
            active: HashMap::new(),
            ready: BinaryHeap::new(),
            waiting: BinaryHeap::new(),
            unfinished: HashSet::new(),
            spent: HashSet::new(),
            parked: HashSet::new(),
            in_flight: 0,
            turn: 0,
        }
    }

    /// Requests in flight.
    pub fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// Active hosts.
    pub fn active_hosts(&self) -> usize {
        self.active.len()
    }

    /// Items dispatched whose outcome is not yet on disk.
    pub fn unfinished_count(&self) -> usize {
        self.unfinished.len()
    }

    /// Whether the task's page budget kept something from being read.
    pub fn is_out_of_pages(&self) -> bool {
        !self.parked.is_empty()
    }

    /// Whether hosts are left that asked for a long crawl delay.
    pub fn has_resting_hosts(&self) -> bool {
        self.hosts.has_resting_hosts()
    }

    /// When hosts with work are looked for again, where that is not done at every call of [`Self::next`].
    pub fn next_lookup(&self) -> Option<Instant> {
        self.hosts.next_lookup()
    }

    /// Another group of seeds was added: hosts may have work again.
    pub fn note_new_seeds(&mut self) {
        self.hosts.note_work();
        self.hosts.look_soon(Instant::now());
    }

    /// Sets how many requests may be under way: hosts that nobody here will ask for a while are let go.
    pub fn set_demand(&mut self, requests: usize) {
        let mut surplus = self.hosts.set_demand(requests, self.active.len());
        if surplus == 0 {
            return;
        }
        // Those at the end of the line go first.
        let mut line: Vec<_> = self.ready.iter().map(|entry| entry.0).collect();
        line.sort_unstable();
        while surplus > 0
            && let Some((_, turn, host)) = line.pop()
        {
            let waits = |active: &ActiveHost| active.turn == Some(turn) && active.in_flight == 0;
            if self.active.get(&host).is_some_and(waits) && !self.hosts.has_open_items(host) {
                self.release_host(host);
                surplus -= 1;
            }
        }
    }

    /// Drops hosts whose leases were lost. What is in flight of them ends, and is not accepted.
    pub fn drop_lost_hosts(&mut self, hosts: &[HostId]) {
        for host in hosts {
            self.active.remove(host);
        }
        self.hosts.forget_hosts(hosts);
        let active = &self.active;
        self.waiting.retain(|entry| active.contains_key(&entry.0.1));
    }

    /// Takes note of how pages turned out; groups of seeds that are given up by it end.
    pub fn note_yields(&mut self, pages: Vec<PageYield>) -> Result<(), StoreError> {
        for width in self.stops.note_pages(pages) {
            let why = self.stops.stop_reason();
            let now = jiff::Timestamp::now();
            self.store.retry(|store| store.end_seed_group(self.run, width, &why, true, now))?;
        }
        Ok(())
    }

    /// Takes note that a visit is over.
    pub fn note_visit_end(&mut self, host: HostId, url: &Url, seen: &PageTraits) {
        self.in_flight = self.in_flight.saturating_sub(1);
        if let Some(active) = self.active.get_mut(&host) {
            active.in_flight = active.in_flight.saturating_sub(1);
            active.traps.note_page(url, seen);
            let at = self.hosts.ready_at(&active.name).unwrap_or_else(Instant::now);
            Self::add_waiting(&mut self.waiting, host, active, at);
        }
    }

    /// Takes note that a visit was given up: its item stays pending.
    pub fn note_abandoned(&mut self, host: HostId, item: FrontierEntryId, now: Instant) {
        self.in_flight = self.in_flight.saturating_sub(1);
        self.unfinished.remove(&item);
        if let Some(active) = self.active.get_mut(&host) {
            active.in_flight = active.in_flight.saturating_sub(1);
            active.queue.note_added(0, &self.weigher);
            Self::add_waiting(&mut self.waiting, host, active, now);
        }
        self.note_closed_items(&[item], now);
    }

    /// Takes note of a commit.
    pub fn note_commit(&mut self, ids: &[FrontierEntryId], gained: &[(HostId, u32)], now: Instant) {
        for id in ids {
            self.unfinished.remove(id);
        }
        self.note_closed_items(ids, now);
        for (host, best) in gained {
            self.parked.remove(host);
            match self.active.get_mut(host) {
                Some(active) => {
                    active.queue.note_added(*best, &self.weigher);
                    if active.turn.is_some() && active.queue.head_priority().is_none_or(|head| *best < head) {
                        // It stands among the ready ones by what it had before: what is better need not wait for that.
                        active.turn = None;
                        active.listed = false;
                    }
                    if active.in_flight < self.per_host {
                        Self::add_waiting(&mut self.waiting, *host, active, now);
                    }
                }
                None => self.hosts.note_work(),
            }
        }
        self.hosts.look_soon(now);
    }

    /// Hosts of which nothing more waits for a commit may be let go.
    fn note_closed_items(&mut self, items: &[FrontierEntryId], now: Instant) {
        for host in self.hosts.note_closed(items) {
            if let Some(active) = self.active.get_mut(&host).filter(|active| active.in_flight == 0) {
                Self::add_waiting(&mut self.waiting, host, active, now);
            }
        }
    }

    /// The next thing to do.
    pub fn next(&mut self, now: Instant) -> Result<NextAction, StoreError> {
        if !self.hosts.is_available() {
            return Ok(NextAction::Wait(now + OUTAGE));
        }
        let excluded = exclude_hosts(&self.active, &self.spent, &self.parked);
        let hosts = self.hosts.next_hosts(self.active.len(), now, &excluded)?;
        drop(excluded);
        self.activate(hosts, now)?;
        while let Some(Reverse((at, host))) = self.waiting.peek().copied() {
            if at > now {
                break;
            }
            self.waiting.pop();
            self.make_ready(host)?;
        }
        if self.weigher.learns() {
            self.rerank_next_host();
        }
        while let Some(Reverse((_, turn, host))) = self.ready.pop() {
            let current = self.active.get(&host).is_some_and(|active| active.turn == Some(turn));
            if current && let Some(next) = self.take_head(host, now)? {
                return Ok(next);
            }
        }
        Ok(match self.waiting.peek() {
            Some(Reverse((at, _))) => NextAction::Wait(*at),
            None => NextAction::Idle,
        })
    }

    /// Whether nothing is left: nothing in flight, nothing uncommitted, nothing pending that may be asked.
    pub fn is_exhausted(&mut self, now: Instant) -> Result<bool, StoreError> {
        if !self.unfinished.is_empty() || !self.ready.is_empty() || !self.waiting.is_empty() {
            return Ok(false);
        }
        let left = LeftoverWork { spent: !self.spent.is_empty(), parked: !self.parked.is_empty() };
        let excluded = exclude_hosts(&self.active, &self.spent, &self.parked);
        let remaining = self.hosts.find_remaining(left, now, &excluded)?;
        drop(excluded);
        match remaining {
            RemainingWork::Nothing => return Ok(true),
            RemainingWork::Pending => {}
            RemainingWork::Pages => self.parked.clear(),
            RemainingWork::Hosts(hosts) => self.activate(hosts, now)?,
        }
        Ok(false)
    }

    fn activate(&mut self, hosts: Vec<HostWork>, now: Instant) -> Result<(), StoreError> {
        for work in hosts {
            let traps = if work.done > 0 {
                let past = self.store.retry(|store| store.host_history(self.run, work.host, HISTORY))?;
                HostTraps::from_history(&past)
            } else {
                HostTraps::default()
            };
            let mut active = ActiveHost {
                name: work.name,
                queue: HostQueue::new_unread(),
                in_flight: 0,
                requests: work.done,
                listed: false,
                turn: None,
                robots: work.robots,
                traps,
            };
            Self::add_waiting(&mut self.waiting, work.host, &mut active, now + work.rest);
            self.active.insert(work.host, active);
        }
        Ok(())
    }

    /// What robots.txt of a host said before, handed out once.
    pub fn take_robots(&mut self, host: HostId) -> Option<geotrawl_model::RobotsRecord> {
        self.active.get_mut(&host)?.robots.take()
    }

    fn add_waiting(
        waiting: &mut BinaryHeap<Reverse<(Instant, HostId)>>,
        host: HostId,
        active: &mut ActiveHost,
        at: Instant,
    ) {
        if !active.listed {
            active.listed = true;
            waiting.push(Reverse((at, host)));
        }
    }

    /// A host whose time has come: with items it is ready, without it leaves.
    fn make_ready(&mut self, host: HostId) -> Result<(), StoreError> {
        let hosts = self.active.len();
        let Some(active) = self.active.get_mut(&host) else { return Ok(()) };
        active.listed = false;
        // A host never asked before is ready "now", which is a little later than our `now`.
        if let Some(at) = self.hosts.ready_at(&active.name).filter(|at| *at > Instant::now()) {
            let is_idle = active.in_flight == 0 && !self.hosts.has_open_items(host);
            if is_idle && self.hosts.should_set_aside(host, at) {
                self.release_host(host);
            } else {
                Self::add_waiting(&mut self.waiting, host, active, at);
            }
            return Ok(());
        }
        if active.requests >= self.options.max_per_host {
            self.spent.insert(host);
            active.queue.clear();
        } else {
            active.queue.fill(self.store, (self.run, host), &self.weigher, hosts, &self.unfinished)?;
        }
        if let Some(head) = active.queue.head_priority() {
            active.listed = true;
            self.turn += 1;
            active.turn = Some(self.turn);
            self.ready.push(Reverse((head, self.turn, host)));
        } else if active.in_flight == 0 {
            self.release_host(host);
        }
        Ok(())
    }

    /// A host with nothing to ask for, and nothing under way, leaves.
    fn release_host(&mut self, host: HostId) {
        if self.hosts.release_host(host) {
            self.active.remove(&host);
        }
    }

    /// Weighs the heads of one of the ready hosts again, each in its turn: what is learned meanwhile decides between
    /// hosts, too.
    fn rerank_next_host(&mut self) {
        let Some(host) = self.round.pop() else {
            self.round.extend(self.active.keys());
            return;
        };
        let Some(active) = self.active.get_mut(&host).filter(|active| active.turn.is_some()) else { return };
        if active.queue.refresh(&self.weigher)
            && let Some(head) = active.queue.head_priority()
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
    fn take_head(&mut self, host: HostId, now: Instant) -> Result<Option<NextAction>, StoreError> {
        let Some(active) = self.active.get_mut(&host) else { return Ok(None) };
        active.listed = false;
        active.turn = None;
        if !self.hosts.may_request(host) {
            // Its lease is renewed soon, or lost: then a signal says so.
            Self::add_waiting(&mut self.waiting, host, active, now + RENEWAL);
            return Ok(None);
        }
        let Some(item) = active.queue.pop() else { return Ok(None) };
        let given_up = (item.intent == Intent::Page).then(|| self.stops.refusal_reason(&item)).flatten();
        let trap = match &item.intent {
            _ if given_up.is_some() => None,
            Intent::Page => Url::parse(&item.url).ok().and_then(|url| active.traps.trap_reason(&url)),
            Intent::Sitemap => active.traps.sitemap_trap_reason(),
            _ => None,
        };
        let refused = given_up.map(|why| ("skipped", why)).or(trap.map(|why| ("trap", why)));
        if let Some((class, reason)) = refused {
            Self::add_waiting(&mut self.waiting, host, active, now);
            self.unfinished.insert(item.id);
            self.hosts.note_dispatch(host, item.id);
            return Ok(Some(NextAction::Skip(Box::new(item), class, reason)));
        }
        if item.intent == Intent::Page && !self.hosts.take_page()? {
            // The budget is used: pages stay pending. Probes come first, so none is behind this page.
            self.parked.insert(host);
            active.queue.clear();
            if active.in_flight == 0 {
                self.release_host(host);
            }
            return Ok(None);
        }
        let first_of_host = active.requests == 0;
        active.requests += 1;
        active.in_flight += 1;
        self.in_flight += 1;
        self.unfinished.insert(item.id);
        if active.in_flight < self.per_host {
            let at = self.hosts.ready_at(&active.name).unwrap_or(now);
            Self::add_waiting(&mut self.waiting, host, active, at);
        }
        self.hosts.note_dispatch(host, item.id);
        Ok(Some(NextAction::Visit(Box::new(VisitDispatch { item, first_of_host, since: None }))))
    }
}

/// Hosts that are not activated: active ones, and those with nothing that may be asked for.
fn exclude_hosts<'s>(
    active: &'s HashMap<HostId, ActiveHost>,
    spent: &'s HashSet<HostId>,
    parked: &'s HashSet<HostId>,
) -> impl Fn(HostId) -> bool + 's {
    move |host| active.contains_key(&host) || spent.contains(&host) || parked.contains(&host)
}

#[cfg(test)]
mod tests {
    use super::*;
    use geotrawl_model::store::CrawlStore;
    use geotrawl_model::{NewLink, TaskSpec};
    use geotrawl_rank::FIRST;
    use geotrawl_store::EmbeddedStore;
    use std::sync::Arc;

    fn link(host: &str, path: &str, intent: &str, priority: u32) -> NewLink {
        NewLink {
            key: format!("{host}{path}"),
            url: format!("http://{host}/{path}"),
            host: format!("http://{host}"),
            intent: intent.parse().unwrap(),
            priority,
            ..NewLink::default()
        }
    }

    /// What is asked for next.
    fn next(frontier: &mut Frontier<'_>) -> String {
        match frontier.next(Instant::now()).unwrap() {
            NextAction::Visit(dispatch) => dispatch.item.url,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn what_is_better_than_the_head_of_a_ready_host_does_not_wait_for_it() {
        for name in ["fifo", "learned"] {
            let directory = tempfile::tempdir().unwrap();
            let store = Arc::new(EmbeddedStore::open(directory.path()).unwrap());
            let spec = TaskSpec { name: "t".into(), seeds: vec![], options: serde_json::json!({}) };
            let run = store.open_task(&spec, jiff::Timestamp::UNIX_EPOCH).unwrap().run;
            let options = CrawlOptions::default();
            let ordering =
                geotrawl_rank::create_ranking(name, &geotrawl_rank::TaskTopic::default(), None).unwrap();
            let (weigher, stops) = (QueueRanker::new(&ordering), StopRules::new(None, []));
            let asked = RetryingStore::new(store.clone(), Arc::default(), Arc::default());
            let mut hosts = ExclusiveHosts::new(&asked, run, 10, None);
            let mut frontier = Frontier::new((&asked, run), &mut hosts, &options, 1, weigher, stops);
            let pages =
                |host| (0..9).map(move |n| link(host, &format!("seite-{n}.html"), "page", FIRST + 900));
            store.add_links(run, &pages("a.example").chain(pages("b.example")).collect::<Vec<_>>()).unwrap();
            // Both hosts are ready now, and one of them is asked; the other has something better meanwhile.
            let other = if next(&mut frontier).contains("a.example") { "b.example" } else { "a.example" };
            let added = store.add_links(run, &[link(other, "wms", "ows:wms", 1)]).unwrap();
            frontier.note_commit(&[], &added.heads, Instant::now());
            assert_eq!(next(&mut frontier), format!("http://{other}/wms"), "{name}");
        }
    }
}
