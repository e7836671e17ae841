//! In-memory scheduling: which host may be requested next, and for what.
//!
//! The store holds the whole frontier. This module holds only the active hosts, each with a short
//! queue of its best pending entries ([`crate::focus::queue`]). Entries that are in flight, or
//! finished but not committed, stay pending in the store and are skipped by id, so a crash loses
//! nothing.

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

/// Number of earlier pages of a host that trap detection reads after a restart.
const HISTORY: usize = 300;
/// Delay before retrying a host whose lease is about to be renewed.
const RENEWAL: Duration = Duration::from_millis(200);
/// While the store is unavailable, nothing is dispatched for this long.
const OUTAGE: Duration = Duration::from_millis(500);

/// A message to the scheduler.
#[derive(Debug)]
pub enum SchedulerSignal {
    /// A visit is over, and its host may be requested again.
    Free { host: HostId, url: Box<Url>, seen: Box<PageTraits> },
    /// A batch is committed: these entries are closed, these hosts have gained entries up to this
    /// priority, and these page yields are known.
    Committed { ids: Vec<FrontierEntryId>, gained: Vec<(HostId, u32)>, turned: Vec<PageYield> },
    /// A visit was abandoned because its host may no longer be requested; its entry stays pending.
    Abandoned { host: HostId, item: FrontierEntryId },
    /// The leases of these hosts are lost.
    Lost(Vec<HostId>),
    /// The crawl should stop.
    Stop,
}

/// An entry to visit now.
#[derive(Debug)]
pub struct VisitDispatch {
    pub item: FrontierEntry,
    /// Whether this is the first request to the host in this run.
    pub first_of_host: bool,
    /// For catalogues: only changes since this time are needed.
    pub since: Option<String>,
}

/// What to do next.
#[derive(Debug)]
pub enum NextAction {
    /// Visit this entry.
    Visit(Box<VisitDispatch>),
    /// Close this entry without a request, with this outcome class and reason.
    Skip(Box<FrontierEntry>, &'static str, String),
    /// Wait until this moment.
    Wait(Instant),
    /// Wait until a request in flight comes back or is committed.
    Idle,
}

struct ActiveHost {
    name: String,
    queue: HostQueue,
    in_flight: usize,
    requests: u64,
    /// Whether it is in one of the two heaps.
    listed: bool,
    /// Its current entry among the ready ones; older entries are stale.
    turn: Option<u64>,
    robots: Option<geotrawl_model::RobotsRecord>,
    traps: HostTraps,
}

/// The active part of the frontier.
pub(crate) struct Frontier<'a> {
    store: &'a RetryingStore,
    hosts: &'a mut dyn HostSource,
    run: RunId,
    options: &'a CrawlOptions,
    /// Maximum number of concurrent requests per host.
    per_host: usize,
    weigher: QueueRanker,
    stops: StopRules,
    /// Hosts whose heads still have to be reranked, if the ranking learns.
    round: Vec<HostId>,
    active: HashMap<HostId, ActiveHost>,
    /// Hosts whose crawl delay is over, best head first; may contain stale entries.
    ready: BinaryHeap<Reverse<(u32, u64, HostId)>>,
    /// Hosts that wait for their crawl delay.
    waiting: BinaryHeap<Reverse<(Instant, HostId)>>,
    /// Entries that are dispatched and not committed yet.
    unfinished: HashSet<FrontierEntryId>,
    /// Hosts that have used up their own page limit.
    spent: HashSet<HostId>,
    /// Hosts with only pages left when the task's page limit was reached.
    parked: HashSet<HostId>,
    in_flight: usize,
    turn: u64,
}

impl<'a> Frontier<'a> {
    /// Creates a frontier over the pending entries of a run on the hosts that `hosts` supplies.
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

    /// Returns the number of requests in flight.
    pub fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// Returns the number of active hosts.
    pub fn active_hosts(&self) -> usize {
        self.active.len()
    }

    /// Returns the number of dispatched entries whose outcome is not on disk yet.
    pub fn unfinished_count(&self) -> usize {
        self.unfinished.len()
    }

    /// Returns whether the task's page limit kept pages from being read.
    pub fn is_out_of_pages(&self) -> bool {
        !self.parked.is_empty()
    }

    /// Returns whether hosts with a long crawl delay are left.
    pub fn has_resting_hosts(&self) -> bool {
        self.hosts.has_resting_hosts()
    }

    /// Returns when to look for hosts with work again, if not at every call of [`Self::next`].
    pub fn next_lookup(&self) -> Option<Instant> {
        self.hosts.next_lookup()
    }

    /// Notes that a seed group was added, so that hosts may have work again.
    pub fn note_new_seeds(&mut self) {
        self.hosts.note_work();
        self.hosts.look_soon(Instant::now());
    }

    /// Sets how many requests may be in flight, and releases hosts that will not be needed for a
    /// while.
    pub fn set_demand(&mut self, requests: usize) {
        let mut surplus = self.hosts.set_demand(requests, self.active.len());
        if surplus == 0 {
            return;
        }
        // Hosts at the end of the line are released first.
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

    /// Drops hosts whose leases were lost. Their requests in flight end, but are not committed.
    pub fn drop_lost_hosts(&mut self, hosts: &[HostId]) {
        for host in hosts {
            self.active.remove(host);
        }
        self.hosts.forget_hosts(hosts);
        let active = &self.active;
        self.waiting.retain(|entry| active.contains_key(&entry.0.1));
    }

    /// Notes page yields, and ends the seed groups that the stop rules close.
    pub fn note_yields(&mut self, pages: Vec<PageYield>) -> Result<(), StoreError> {
        for width in self.stops.note_pages(pages) {
            let why = self.stops.stop_reason();
            let now = jiff::Timestamp::now();
            self.store.retry(|store| store.end_seed_group(self.run, width, &why, true, now))?;
        }
        Ok(())
    }

    /// Notes that a visit is over.
    pub fn note_visit_end(&mut self, host: HostId, url: &Url, seen: &PageTraits) {
        self.in_flight = self.in_flight.saturating_sub(1);
        if let Some(active) = self.active.get_mut(&host) {
            active.in_flight = active.in_flight.saturating_sub(1);
            active.traps.note_page(url, seen);
            let at = self.hosts.ready_at(&active.name).unwrap_or_else(Instant::now);
            Self::add_waiting(&mut self.waiting, host, active, at);
        }
    }

    /// Notes that a visit was abandoned; its entry stays pending.
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

    /// Notes a commit.
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
                        // Its ready entry has the old priority; the better entry must not wait for
                        // it.
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

    /// Puts hosts whose last open entry was closed on the waiting list, where they may be released.
    fn note_closed_items(&mut self, items: &[FrontierEntryId], now: Instant) {
        for host in self.hosts.note_closed(items) {
            if let Some(active) = self.active.get_mut(&host).filter(|active| active.in_flight == 0) {
                Self::add_waiting(&mut self.waiting, host, active, now);
            }
        }
    }

    /// Returns the next thing to do.
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

    /// Returns whether nothing is left: nothing in flight, nothing uncommitted, nothing that may be
    /// requested.
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

    /// Takes the stored robots.txt of a host; returns it only once.
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

    /// Moves a host whose delay is over to the ready ones if it has entries, and releases it if
    /// not.
    fn make_ready(&mut self, host: HostId) -> Result<(), StoreError> {
        let hosts = self.active.len();
        let Some(active) = self.active.get_mut(&host) else { return Ok(()) };
        active.listed = false;
        // A host that was never requested is ready "now", slightly later than our `now`.
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

    /// Releases a host without entries or requests in flight.
    fn release_host(&mut self, host: HostId) {
        if self.hosts.release_host(host) {
            self.active.remove(&host);
        }
    }

    /// Reranks the head of one ready host per call, in turn, because learning also changes the
    /// order of hosts.
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
        // Drop stale entries before they outnumber the current ones.
        if self.ready.len() > 1_024 + 4 * self.active.len() {
            let active = &self.active;
            let current =
                |host: &HostId, turn: u64| active.get(host).is_some_and(|one| one.turn == Some(turn));
            self.ready.retain(|Reverse((_, turn, host))| current(host, *turn));
        }
    }

    /// Takes the head of a ready host.
    fn take_head(&mut self, host: HostId, now: Instant) -> Result<Option<NextAction>, StoreError> {
        let Some(active) = self.active.get_mut(&host) else { return Ok(None) };
        active.listed = false;
        active.turn = None;
        if !self.hosts.may_request(host) {
            // Its lease is about to be renewed, or is lost; then a signal follows.
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
            // The page limit is reached: pages stay pending. Probes rank first, so none is behind
            // this page.
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

/// Returns a filter for hosts that are not activated: active ones, and those without permitted
/// entries.
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

    /// Returns the URL to visit next.
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
            // Both hosts are ready, and one of them is requested; meanwhile the other gets a better
            // entry.
            let other = if next(&mut frontier).contains("a.example") { "b.example" } else { "a.example" };
            let added = store.add_links(run, &[link(other, "wms", "ows:wms", 1)]).unwrap();
            frontier.note_commit(&[], &added.heads, Instant::now());
            assert_eq!(next(&mut frontier), format!("http://{other}/wms"), "{name}");
        }
    }
}
