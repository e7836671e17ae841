//! The pending items of one host that are held in memory, in the order in which they are asked for.
//!
//! Without learning these are the few that the store gives first. An ordering that learns sees them otherwise as it
//! learns: then more of them are held, and weighed again now and then, so that the best of some hundred goes first
//! and not the one that looked best when it was found. What that costs is bounded per item taken.

use crate::leased::RetryingStore;
use crate::rank;
use geotrawl_model::{FrontierEntry, FrontierEntryId, HostId, Intent, RunId, StoreError};
use geotrawl_rank::{FIRST, FrontierRanking, LAST, PreparedLink, RankedLink};
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

/// Items taken from the store at a time.
const TAKEN: usize = 24;
/// Items of a host held for weighing again, where there are not too many hosts. Few are enough: five times as many bring
/// nothing sooner on the simulated webs, and weighing them again was most of what the ordering cost.
const MOST_HELD: usize = 32;
/// Items held of all hosts together, about.
const HELD_IN_ALL: usize = 65_536;
/// Items read when some are held already.
const READ_MORE: usize = 16;
/// Items read ahead of those, at most: as many as are under way. Every reading passes over what is under way, and where that
/// is much, as on a single host with dozens of requests at once, few items at a time would mean to read it again and again.
const MOST_AHEAD: usize = 512;
/// All that is held is weighed again after so many were taken ...
const ROUND: u32 = 16;
/// ... or when something came that would be among the first so many.
const PRESSING: usize = 4;
/// When a host is looked at again, so many are weighed ...
const HEADS: usize = 2;
/// ... or all, when the first of them has moved by more than this.
const FAR: u32 = (LAST - FIRST) / 30;
/// What a failed attempt moves an item back.
const PENALTY: u32 = 1_000;

/// Weighs what is held again, for orderings that learn.
#[derive(Clone)]
pub struct QueueRanker {
    ordering: Option<Arc<dyn FrontierRanking>>,
}

impl QueueRanker {
    /// For this ordering.
    pub fn new(ordering: &Arc<dyn FrontierRanking>) -> Self {
        Self { ordering: ordering.is_learning().then(|| Arc::clone(ordering)) }
    }

    /// Whether places change.
    pub fn learns(&self) -> bool {
        self.ordering.is_some()
    }

    /// Where something held would be now.
    fn current_priority(&self, held: &mut QueuedEntry) -> u32 {
        let item = &held.item;
        let Some(ordering) = self.ordering.as_deref().filter(|_| item.intent == Intent::Page) else {
            return item.priority;
        };
        held.sketch = held.sketch.take().or_else(|| ordering.prepare_link(&RankedLink::from(item)));
        let place = match &held.sketch {
            Some(sketch) => ordering.rank_prepared(sketch).clamp(FIRST, LAST),
            None => rank::page_priority(ordering, &RankedLink::from(item)),
        };
        place.saturating_add(item.attempts.saturating_mul(PENALTY))
    }
}

/// Items of one host.
#[derive(Default)]
pub struct HostQueue {
    items: VecDeque<QueuedEntry>,
    /// What comes next in the store, not weighed yet.
    ahead: VecDeque<FrontierEntry>,
    /// Items were added that belong before some of these.
    stale: bool,
    /// The store may have more than is held.
    more: bool,
    /// Taken since all were weighed.
    taken: u32,
}

struct QueuedEntry {
    place: u32,
    item: FrontierEntry,
    /// Made when it is weighed first.
    sketch: Option<PreparedLink>,
}

impl QueuedEntry {
    fn at(place: u32, item: FrontierEntry) -> Self {
        Self { place, item, sketch: None }
    }
}

impl HostQueue {
    /// A queue of a host of which nothing is held yet.
    pub fn new_unread() -> Self {
        Self { stale: true, more: true, ..Self::default() }
    }

    /// Takes note that items were added, the best of them at this place.
    pub fn note_added(&mut self, best: u32, weigher: &QueueRanker) {
        self.more = true;
        if self.ahead.back().is_some_and(|last| best < last.priority) {
            self.ahead.clear();
        }
        // Without learning what is held is the best there was: what comes after the last of it can wait.
        let limit = if weigher.learns() { self.items.get(PRESSING - 1) } else { self.items.back() };
        self.stale |= limit.is_none_or(|held| best < held.place);
    }

    /// Fills it where that is due; `hosts` is how many have one.
    pub fn fill(
        &mut self,
        store: &RetryingStore,
        (run, host): (RunId, HostId),
        weigher: &QueueRanker,
        hosts: usize,
        unfinished: &HashSet<FrontierEntryId>,
    ) -> Result<(), StoreError> {
        let due = self.stale || self.items.is_empty();
        let ahead = (unfinished.len() / hosts.max(1)).min(MOST_AHEAD);
        if !weigher.learns() {
            if due {
                let skip = |id: FrontierEntryId| unfinished.contains(&id);
                let items = store.retry(|store| store.pending_entries(run, host, TAKEN + ahead, &skip))?;
                self.items = items.into_iter().map(|item| QueuedEntry::at(item.priority, item)).collect();
                self.stale = false;
            }
            return Ok(());
        }
        if !due && self.taken < ROUND {
            self.refresh(weigher);
            return Ok(());
        }
        let room = (HELD_IN_ALL / hosts.max(1)).clamp(TAKEN, MOST_HELD);
        let wanted = if self.items.is_empty() { room } else { READ_MORE };
        if self.ahead.len() < wanted && (self.more || self.items.is_empty()) {
            let held: HashSet<FrontierEntryId> = self.items.iter().map(|held| held.item.id).collect();
            let skip = |id: FrontierEntryId| held.contains(&id) || unfinished.contains(&id);
            self.ahead = store.retry(|store| store.pending_entries(run, host, wanted + ahead, &skip))?.into();
            self.more = self.ahead.len() == wanted + ahead;
        }
        let next = self.ahead.drain(..wanted.min(self.ahead.len()));
        self.items.extend(next.map(|item| QueuedEntry::at(0, item)));
        let all = self.items.len();
        self.weigh(weigher, all);
        if all > room {
            self.items.truncate(room);
            self.more = true;
        }
        self.stale = false;
        self.taken = 0;
        Ok(())
    }

    /// Weighs the first ones again, and all where those have moved far: a find, or a row of pages without one, tells of
    /// the whole host. `true` when the place of the head has changed.
    pub fn refresh(&mut self, weigher: &QueueRanker) -> bool {
        let before = self.head_priority();
        let moved =
            self.items.front_mut().map_or(0, |held| held.place.abs_diff(weigher.current_priority(held)));
        self.weigh(weigher, if moved > FAR { self.items.len() } else { HEADS });
        before != self.head_priority()
    }

    /// The place of the first item.
    pub fn head_priority(&self) -> Option<u32> {
        self.items.front().map(|held| held.place)
    }

    /// Takes the first item.
    pub fn pop(&mut self) -> Option<FrontierEntry> {
        self.taken += 1;
        self.items.pop_front().map(|held| held.item)
    }

    /// Forgets what is held.
    pub fn clear(&mut self) {
        self.items.clear();
        self.ahead.clear();
    }

    fn weigh(&mut self, weigher: &QueueRanker, first: usize) {
        for held in self.items.iter_mut().take(first) {
            held.place = weigher.current_priority(held);
        }
        self.items.make_contiguous().sort_by_key(|held| (held.place, held.item.id));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geotrawl_model::store::CrawlStore;
    use geotrawl_model::{NewLink, TaskSpec};
    use geotrawl_rank::{FIRST, RankExplanation};
    use geotrawl_store::EmbeddedStore;
    use std::sync::atomic::{AtomicU32, Ordering as Memory};

    /// Prefers the address that ends with the number it has learned.
    struct ChangingRanking(AtomicU32);

    impl FrontierRanking for ChangingRanking {
        fn name(&self) -> &'static str {
            "fickle"
        }
        fn rank_link(&self, link: &RankedLink<'_>) -> u32 {
            let wanted = self.0.load(Memory::Relaxed);
            FIRST + u32::from(!link.url.ends_with(&format!("/{wanted}")))
        }
        fn is_learning(&self) -> bool {
            true
        }
        fn explain_rank(&self, _: &RankedLink<'_>) -> RankExplanation {
            RankExplanation::default()
        }
    }

    struct QueueFixture {
        store: Arc<EmbeddedStore>,
        asked: RetryingStore,
        run: RunId,
        host: HostId,
        _directory: tempfile::TempDir,
    }

    impl QueueFixture {
        fn with(pages: u32) -> Self {
            let directory = tempfile::tempdir().unwrap();
            let store = Arc::new(EmbeddedStore::open(directory.path()).unwrap());
            let spec = TaskSpec { name: "t".into(), seeds: vec![], options: serde_json::json!({}) };
            let run = store.open_task(&spec, jiff::Timestamp::UNIX_EPOCH).unwrap().run;
            let links: Vec<NewLink> = (0..pages).map(|n| link(n, FIRST + n)).collect();
            let host = store.add_links(run, &links).unwrap().hosts[0];
            let asked = RetryingStore::new(store.clone(), Arc::default(), Arc::default());
            Self { store, asked, run, host, _directory: directory }
        }

        fn fill(&self, queue: &mut HostQueue, weigher: &QueueRanker) {
            queue.fill(&self.asked, (self.run, self.host), weigher, 1, &HashSet::new()).unwrap();
        }
    }

    fn link(n: u32, priority: u32) -> NewLink {
        NewLink {
            key: n.to_string(),
            url: format!("http://a.example/{n}"),
            host: "http://a.example".into(),
            intent: Intent::Page,
            priority,
            ..NewLink::default()
        }
    }

    #[test]
    fn what_is_learned_changes_the_order_of_what_is_held() {
        let place = QueueFixture::with(30);
        let ordering = Arc::new(ChangingRanking(AtomicU32::new(27)));
        let weigher = QueueRanker::new(&(ordering.clone() as Arc<dyn FrontierRanking>));
        let mut queue = HostQueue::new_unread();
        place.fill(&mut queue, &weigher);
        let first = queue.pop().unwrap();
        assert_eq!((first.url.as_str(), first.priority), ("http://a.example/27", FIRST + 27));
        // Found out later: not at once, but after some were taken.
        ordering.0.store(29, Memory::Relaxed);
        for _ in 1..ROUND {
            queue.pop().unwrap();
        }
        place.fill(&mut queue, &weigher);
        assert_eq!(queue.pop().unwrap().url, "http://a.example/29");
        // One of the first ones is found out when the host only waits.
        let second = queue.items[1].item.url.rsplit('/').next().unwrap().parse().unwrap();
        ordering.0.store(second, Memory::Relaxed);
        assert!(queue.refresh(&weigher));
        assert_eq!(queue.pop().unwrap().url, format!("http://a.example/{second}"));
    }

    #[test]
    fn a_large_host_is_held_in_part_and_read_on() {
        let place = QueueFixture::with(1_000);
        let ordering: Arc<dyn FrontierRanking> = Arc::new(ChangingRanking(AtomicU32::new(0)));
        let weigher = QueueRanker::new(&ordering);
        let mut queue = HostQueue::new_unread();
        let mut unfinished = HashSet::new();
        while let Some(item) = {
            queue.fill(&place.asked, (place.run, place.host), &weigher, 1, &unfinished).unwrap();
            queue.pop()
        } {
            assert!(queue.items.len() <= MOST_HELD);
            assert!(unfinished.insert(item.id), "twice: {}", item.url);
        }
        assert_eq!(unfinished.len(), 1_000);
    }

    #[test]
    fn what_was_read_ahead_is_not_asked_before_what_is_better() {
        let place = QueueFixture::with(1_000);
        let ordering = Arc::new(ChangingRanking(AtomicU32::new(0)));
        let weigher = QueueRanker::new(&(ordering.clone() as Arc<dyn FrontierRanking>));
        let mut queue = HostQueue::new_unread();
        let mut unfinished = HashSet::new();
        let mut next = |queue: &mut HostQueue| {
            queue.fill(&place.asked, (place.run, place.host), &weigher, 1, &unfinished).unwrap();
            let item = queue.pop().unwrap();
            assert!(unfinished.insert(item.id), "twice: {}", item.url);
            item
        };
        for _ in 0..200 {
            next(&mut queue);
        }
        assert!(queue.ahead.len() > READ_MORE && queue.ahead.len() <= MOST_AHEAD);
        place.store.add_links(place.run, &[link(5_000, 3)]).unwrap();
        queue.note_added(3, &weigher);
        assert!(queue.ahead.is_empty());
        ordering.0.store(5_000, Memory::Relaxed);
        let soon: Vec<String> = (0..PRESSING).map(|_| next(&mut queue).url).collect();
        assert!(soon.iter().any(|url| url == "http://a.example/5000"), "{soon:?}");
    }

    #[test]
    fn without_learning_only_what_would_come_sooner_is_looked_for() {
        let place = QueueFixture::with(100);
        let weigher = QueueRanker { ordering: None };
        let mut queue = HostQueue::new_unread();
        place.fill(&mut queue, &weigher);
        assert_eq!((queue.items.len(), queue.stale), (TAKEN, false));
        queue.note_added(FIRST + 500, &weigher);
        assert!(!queue.stale);
        place.store.add_links(place.run, &[link(1_000, 3)]).unwrap();
        queue.note_added(3, &weigher);
        place.fill(&mut queue, &weigher);
        assert_eq!(queue.pop().unwrap().url, "http://a.example/1000");
    }
}
