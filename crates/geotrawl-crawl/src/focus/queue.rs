//! In-memory queue of the best pending entries of one host, in the order of requests.
//!
//! Without learning, these are the few best entries of the store. A learning ranking changes its
//! mind as it learns, so more entries are held and reranked now and then: the best of some hundred
//! comes first, not the one that looked best when it was found. The cost per entry taken is
//! bounded.

use crate::leased::RetryingStore;
use crate::rank;
use geotrawl_model::{FrontierEntry, FrontierEntryId, HostId, Intent, RunId, StoreError};
use geotrawl_rank::{FIRST, FrontierRanking, LAST, LinkToRank, PreparedLink};
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

/// Number of entries read from the store at a time.
const TAKEN: usize = 24;
/// Maximum number of entries held per host for reranking. Few are enough: holding five times as
/// many found nothing sooner on the simulated webs, and reranking was most of the cost of the
/// ranking.
const MOST_HELD: usize = 32;
/// Approximate maximum number of entries held for all hosts together.
const HELD_IN_ALL: usize = 65_536;
/// Number of entries read if some are already held.
const READ_MORE: usize = 16;
/// Maximum number of entries read ahead. As many are read ahead as are in flight, because every
/// read has to skip those in flight. On a single host with dozens of concurrent requests, small
/// reads would skip the same entries again and again.
const MOST_AHEAD: usize = 512;
/// All held entries are reranked after this many were taken ...
const ROUND: u32 = 16;
/// ... or when a new entry belongs among the first few.
const PRESSING: usize = 4;
/// Number of entries to rerank when a host is reconsidered ...
const HEADS: usize = 2;
/// ... or all of them, if the priority of the first one has changed by more than this.
const FAR: u32 = (LAST - FIRST) / 30;
/// Priority penalty per failed attempt.
const PENALTY: u32 = 1_000;

/// Reranks held entries, for rankings that learn.
#[derive(Clone)]
pub struct QueueRanker {
    ordering: Option<Arc<dyn FrontierRanking>>,
}

impl QueueRanker {
    /// Creates a ranker for this ranking.
    pub fn new(ordering: &Arc<dyn FrontierRanking>) -> Self {
        Self { ordering: ordering.is_learning().then(|| Arc::clone(ordering)) }
    }

    /// Returns whether priorities change over time.
    pub fn learns(&self) -> bool {
        self.ordering.is_some()
    }

    /// Returns the current priority of a held entry.
    fn current_priority(&self, held: &mut QueuedEntry) -> u32 {
        let item = &held.item;
        let Some(ordering) = self.ordering.as_deref().filter(|_| item.intent == Intent::Page) else {
            return item.priority;
        };
        held.sketch = held.sketch.take().or_else(|| ordering.prepare_link(&LinkToRank::from(item)));
        let place = match &held.sketch {
            Some(sketch) => ordering.rank_prepared(sketch).clamp(FIRST, LAST),
            None => rank::page_priority(ordering, &LinkToRank::from(item)),
        };
        place.saturating_add(item.attempts.saturating_mul(PENALTY))
    }
}

/// Queue of one host.
#[derive(Default)]
pub struct HostQueue {
    items: VecDeque<QueuedEntry>,
    /// Next entries of the store, not ranked yet.
    ahead: VecDeque<FrontierEntry>,
    /// Whether entries were added that belong before some of the held ones.
    stale: bool,
    /// Whether the store may have more entries.
    more: bool,
    /// Entries taken since all were last ranked.
    taken: u32,
}

struct QueuedEntry {
    place: u32,
    item: FrontierEntry,
    /// Computed when the entry is first ranked.
    sketch: Option<PreparedLink>,
}

impl QueuedEntry {
    fn at(place: u32, item: FrontierEntry) -> Self {
        Self { place, item, sketch: None }
    }
}

impl HostQueue {
    /// Creates a queue whose entries must still be read from the store.
    pub fn new_unread() -> Self {
        Self { stale: true, more: true, ..Self::default() }
    }

    /// Notes that entries were added, the best of them with this priority.
    pub fn note_added(&mut self, best: u32, weigher: &QueueRanker) {
        self.more = true;
        if self.ahead.back().is_some_and(|last| best < last.priority) {
            self.ahead.clear();
        }
        // Without learning, the held entries are the best ones, and anything after the last can
        // wait.
        let limit = if weigher.learns() { self.items.get(PRESSING - 1) } else { self.items.back() };
        self.stale |= limit.is_none_or(|held| best < held.place);
    }

    /// Fills the queue if necessary; `hosts` is the number of hosts with a queue.
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

    /// Reranks the first entries, or all of them if the first has moved far: a find, or many pages
    /// without one, says something about the whole host. Returns `true` if the priority of the head
    /// changed.
    pub fn refresh(&mut self, weigher: &QueueRanker) -> bool {
        let before = self.head_priority();
        let moved =
            self.items.front_mut().map_or(0, |held| held.place.abs_diff(weigher.current_priority(held)));
        self.weigh(weigher, if moved > FAR { self.items.len() } else { HEADS });
        before != self.head_priority()
    }

    /// Returns the priority of the first entry.
    pub fn head_priority(&self) -> Option<u32> {
        self.items.front().map(|held| held.place)
    }

    /// Takes the first entry.
    pub fn pop(&mut self) -> Option<FrontierEntry> {
        self.taken += 1;
        self.items.pop_front().map(|held| held.item)
    }

    /// Drops all held entries.
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

    /// Prefers the URL that ends with the number it has learned.
    struct ChangingRanking(AtomicU32);

    impl FrontierRanking for ChangingRanking {
        fn name(&self) -> &'static str {
            "fickle"
        }
        fn rank_link(&self, link: &LinkToRank<'_>) -> u32 {
            let wanted = self.0.load(Memory::Relaxed);
            FIRST + u32::from(!link.url.ends_with(&format!("/{wanted}")))
        }
        fn is_learning(&self) -> bool {
            true
        }
        fn explain_rank(&self, _: &LinkToRank<'_>) -> RankExplanation {
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
        // Found after some entries were taken, not at once.
        ordering.0.store(29, Memory::Relaxed);
        for _ in 1..ROUND {
            queue.pop().unwrap();
        }
        place.fill(&mut queue, &weigher);
        assert_eq!(queue.pop().unwrap().url, "http://a.example/29");
        // One of the first entries is found while the host only waits.
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
