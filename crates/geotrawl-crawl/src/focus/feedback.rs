//! Turns finished pages into training examples for the ranking.
//!
//! A page becomes an example once it is known whether it led to anything. A page that shows no
//! service or file is an example at once. Any other page waits for the requests it caused and those
//! that they cause in turn (redirects, siblings, catalogue pages); its gain is the number of
//! resources that they prove for the first time in the run. The page that showed an address first
//! has caused the request; the store decides which one that is.

use super::PageNote;
use super::stops::{PageYield, YieldSequence};
use super::terms::TermCounts;
use geotrawl_model::{CommitSummary, FinishedItem, FrontierEntry, FrontierEntryId, Intent, OutcomeTally};
use geotrawl_rank::{FrontierRanking, LinkToRank, PageFeedback};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// Maximum number of waiting pages; beyond that the oldest become examples as they are.
const MOST_OPEN: usize = 20_000;
/// Maximum number of remembered requests that wait for requests of their own.
const MOST_ROOTS: usize = 100_000;

/// Number of pages after which stop rules are informed before the next commit.
const MANY: usize = 16;

/// Collects training examples. Lives on the thread that commits.
pub struct RankingFeedback {
    ordering: Arc<dyn FrontierRanking>,
    learns: bool,
    /// Whether every page is reported to the stop rules.
    tells: bool,
    open: HashMap<FrontierEntryId, OpenPage>,
    /// Requests between a page and its finds, with their page and the number of requests they wait
    /// for.
    roots: HashMap<FrontierEntryId, (FrontierEntryId, u32)>,
    /// Waiting pages in the order of arrival; may contain pages that are already closed.
    oldest: VecDeque<FrontierEntryId>,
    /// Pages in the order in which they were read, for the stop rules.
    row: YieldSequence,
    /// Words of pages and how often they led to finds.
    pub terms: TermCounts,
    taught: u64,
}

/// A page that waits for its requests.
struct OpenPage {
    item: FrontierEntry,
    title: Option<String>,
    language: Option<String>,
    note: Option<Box<PageNote>>,
    place: Option<u64>,
    waits: u32,
    gained: u32,
}

/// A finished visit that is not committed yet, with what the ranking may learn from it.
pub struct RankingExample {
    note: Option<Box<PageNote>>,
    /// Whether it has already become an example.
    taught: bool,
    /// Position in the sequence of pages.
    place: Option<u64>,
}

impl RankingFeedback {
    /// Collects examples for a ranking; if `tells` is set, every page is reported to the stop
    /// rules.
    pub fn new(ordering: Arc<dyn FrontierRanking>, tells: bool) -> Self {
        Self {
            learns: ordering.is_learning(),
            ordering,
            tells,
            open: HashMap::new(),
            roots: HashMap::new(),
            oldest: VecDeque::new(),
            row: YieldSequence::default(),
            terms: TermCounts::default(),
            taught: 0,
        }
    }

    /// Returns whether the ranking learns.
    pub fn learns(&self) -> bool {
        self.learns
    }

    /// Returns the number of examples so far.
    pub fn example_count(&self) -> u64 {
        self.taught
    }

    /// Returns the learned model.
    pub fn model_bytes(&self) -> Vec<u8> {
        self.ordering.serialize_model()
    }

    /// Merges what other processes have learned since `base`.
    pub fn merge_model(&self, base: Option<&[u8]>, saved: &[u8]) {
        self.ordering.merge_model(base, saved);
    }

    /// Notes a finished visit before its commit. A page that cannot lead to anything becomes an
    /// example now.
    pub fn note_visit(&mut self, done: &FinishedItem, note: Option<Box<PageNote>>) -> RankingExample {
        let hopeless = done.found.is_empty() && !done.links.iter().any(|link| link.intent.is_probe());
        let taught = is_example(done) && hopeless;
        let place = (self.tells && is_example(done)).then(|| self.row.push_page(&done.item));
        if taught {
            self.row.set_gain(place, 0);
            let (title, language) = (done.outcome.title.as_deref(), done.outcome.language.as_deref());
            self.add_example(&done.item, title, language, note.as_deref(), 0);
        }
        RankingExample { note, taught, place }
    }

    /// Notes a committed batch, and drains its visits.
    pub fn note_commit(
        &mut self,
        done: &mut Vec<FinishedItem>,
        examples: &mut Vec<RankingExample>,
        committed: &CommitSummary,
    ) {
        let mut gains: HashMap<FrontierEntryId, u32> = HashMap::new();
        for stored in committed.resources.iter().filter(|stored| stored.first_in_run) {
            *gains.entry(stored.item).or_default() += 1;
            if self.learns {
                self.ordering.record_service(&stored.record.resource.url);
            }
        }
        let waits: HashMap<FrontierEntryId, u32> = committed.added.probes.iter().copied().collect();
        for (done, example) in done.drain(..).zip(examples.drain(..)) {
            if done.outcome.retry || example.taught {
                continue;
            }
            let id = done.item.id;
            let gained = gains.get(&id).copied().unwrap_or_default();
            let waits = waits.get(&id).copied().unwrap_or_default();
            if is_example(&done) {
                self.begin(done, example, waits, gained);
            } else if done.item.intent.is_probe()
                && let Some(parent) = done.item.parent
            {
                self.note_probe(id, parent, waits, gained);
            }
        }
    }

    /// Returns the pages whose yield has become known, for the stop rules.
    pub fn take_yields(&mut self) -> Vec<PageYield> {
        self.row.take_known()
    }

    /// Like [`Self::take_yields`], but only if many pages wait: the stop rules should not wait for
    /// the commit.
    pub fn take_yields_if_many(&mut self) -> Option<Vec<PageYield>> {
        (self.row.pages_since_take() >= MANY)
            .then(|| self.row.take_known())
            .filter(|turned| !turned.is_empty())
    }

    /// Closes all waiting pages at the end of the crawl.
    pub fn finish(&mut self) {
        let mut open: Vec<FrontierEntryId> = self.open.keys().copied().collect();
        // A fixed order, so that the same crawl always teaches the same.
        open.sort_unstable();
        for id in open {
            self.close(id);
        }
    }

    fn begin(&mut self, done: FinishedItem, example: RankingExample, waits: u32, gained: u32) {
        let FinishedItem { item, outcome, .. } = done;
        let RankingExample { note, place, .. } = example;
        // Once there is a gain, the stop rules need not wait for the remaining requests.
        if waits == 0 || gained > 0 {
            self.row.set_gain(place, gained);
        }
        if waits == 0 {
            self.add_example(
                &item,
                outcome.title.as_deref(),
                outcome.language.as_deref(),
                note.as_deref(),
                gained,
            );
            return;
        }
        let id = item.id;
        let (title, language) = (outcome.title, outcome.language);
        self.open.insert(id, OpenPage { item, title, language, note, place, waits, gained });
        self.oldest.push_back(id);
        while self.open.len() > MOST_OPEN
            && let Some(oldest) = self.oldest.pop_front()
        {
            self.close(oldest);
        }
        // Closed pages are removed only when they outnumber the open ones.
        if self.oldest.len() > 2 * MOST_OPEN {
            self.oldest.retain(|id| self.open.contains_key(id));
        }
    }

    /// Notes the answer to a request that a page or another request caused.
    fn note_probe(&mut self, id: FrontierEntryId, parent: FrontierEntryId, waits: u32, gained: u32) {
        let page = match self.roots.get_mut(&parent) {
            Some((page, left)) => {
                let page = *page;
                *left = left.saturating_sub(1);
                if *left == 0 {
                    self.roots.remove(&parent);
                }
                page
            }
            None => parent,
        };
        let Some(open) = self.open.get_mut(&page) else { return };
        open.gained = open.gained.saturating_add(gained);
        if gained > 0 {
            // A gain is known now, even if more requests are open.
            self.row.set_gain(open.place, open.gained);
        }
        open.waits = open.waits.saturating_sub(1).saturating_add(waits);
        if open.waits == 0 {
            self.close(page);
        } else if waits > 0 {
            if self.roots.len() >= MOST_ROOTS {
                self.roots.retain(|_, (page, _)| self.open.contains_key(page));
            }
            if self.roots.len() < MOST_ROOTS {
                self.roots.insert(id, (page, waits));
            }
        }
    }

    fn close(&mut self, page: FrontierEntryId) {
        if let Some(OpenPage { item, title, language, note, place, gained, .. }) = self.open.remove(&page) {
            self.row.set_gain(place, gained);
            self.add_example(&item, title.as_deref(), language.as_deref(), note.as_deref(), gained);
        }
    }

    fn add_example(
        &mut self,
        item: &FrontierEntry,
        title: Option<&str>,
        language: Option<&str>,
        note: Option<&PageNote>,
        gained: u32,
    ) {
        self.taught += 1;
        if self.learns {
            let page = note.map(|note| note.to_ranked_page(item, title, language));
            self.ordering.learn_from(&PageFeedback { link: LinkToRank::from(item), page, gained });
        }
        self.terms.count_page(title.unwrap_or_default(), &item.words, gained > 0);
    }
}

/// Returns whether a finished entry is a page that was requested. The target of a redirect is an
/// example of its own.
fn is_example(done: &FinishedItem) -> bool {
    done.item.intent == Intent::Page
        && !done.outcome.retry
        && done.outcome.class != "redirect"
        && done.outcome.tally() != OutcomeTally::Skipped
}

#[cfg(test)]
mod tests {
    use super::*;
    use geotrawl_model::{AddedLinks, NewLink, PageOutcome, Record, Status, StoredResource};
    use geotrawl_rank::RankExplanation;
    use std::sync::Mutex;

    /// Records the URL, whether the page could be read, and the gain of every example.
    #[derive(Default)]
    struct RecordingRanking(Mutex<Vec<(String, bool, u32)>>);

    impl FrontierRanking for RecordingRanking {
        fn name(&self) -> &'static str {
            "listener"
        }
        fn rank_link(&self, _: &LinkToRank<'_>) -> u32 {
            geotrawl_rank::FIRST
        }
        fn is_learning(&self) -> bool {
            true
        }
        fn learn_from(&self, lesson: &PageFeedback<'_>) {
            let heard = (lesson.link.url.to_owned(), lesson.page.is_some(), lesson.gained);
            self.0.lock().unwrap().push(heard);
        }
        fn explain_rank(&self, _: &LinkToRank<'_>) -> RankExplanation {
            RankExplanation::default()
        }
    }

    struct FeedbackFixture {
        listener: Arc<RecordingRanking>,
        feedback: RankingFeedback,
    }

    fn done(
        id: FrontierEntryId,
        intent: &str,
        parent: Option<FrontierEntryId>,
        class: &str,
        shows: u32,
    ) -> FinishedItem {
        let item = FrontierEntry {
            id,
            url: format!("http://a.example/{id}"),
            intent: intent.parse().unwrap(),
            parent,
            ..FrontierEntry::default()
        };
        let links =
            vec![NewLink { intent: "ows:wms".parse().unwrap(), ..NewLink::default() }; shows as usize];
        let outcome = PageOutcome { class: class.into(), ..PageOutcome::default() };
        FinishedItem { links, ..FinishedItem::new(item, outcome) }
    }

    impl FeedbackFixture {
        fn new() -> Self {
            let listener = Arc::new(RecordingRanking::default());
            Self { feedback: RankingFeedback::new(listener.clone(), true), listener }
        }

        /// One visit in its own batch: `waits` new probes, `gained` first finds.
        fn visit(&mut self, done: FinishedItem, waits: u32, gained: usize) {
            let id = done.item.id;
            let example = self.feedback.note_visit(&done, Some(Box::default()));
            let resources = (0..gained).map(|_| stored(id)).collect();
            let probes = if waits > 0 { vec![(id, waits)] } else { Vec::new() };
            let added = AddedLinks { probes, ..AddedLinks::default() };
            let committed = CommitSummary { added, resources, ignored: 0, ..CommitSummary::default() };
            self.feedback.note_commit(&mut vec![done], &mut vec![example], &committed);
        }

        fn heard(&self) -> Vec<(String, u32)> {
            self.listener.0.lock().unwrap().iter().map(|(url, _, gained)| (url.clone(), *gained)).collect()
        }
    }

    fn stored(item: FrontierEntryId) -> StoredResource {
        let record = serde_json::json!({
            "id": "x", "kind": "wms", "url": "http://a.example/", "status": Status::Alive, "reason": "",
            "host": {"name": "a.example"}, "first_seen": "2026-01-01T00:00:00Z", "last_seen": "2026-01-01T00:00:00Z",
            "aliases": [], "provenance": [], "title": null, "dataset_count": 0, "datasets": [],
        });
        let record: Record = serde_json::from_value(record).unwrap();
        StoredResource { record, born: true, first_in_run: true, item }
    }

    fn page(n: FrontierEntryId) -> String {
        format!("http://a.example/{n}")
    }

    #[test]
    fn a_page_that_shows_nothing_is_a_lesson_at_once_and_only_once() {
        let mut school = FeedbackFixture::new();
        let poor = done(1, "page", None, "ok", 0);
        let example = school.feedback.note_visit(&poor, None);
        assert_eq!(school.heard(), [(page(1), 0)]);
        school.feedback.note_commit(&mut vec![poor], &mut vec![example], &CommitSummary::default());
        school.feedback.finish();
        assert_eq!(school.heard().len(), 1);
        assert_eq!(school.feedback.take_yields().len(), 1);
    }

    #[test]
    fn a_page_waits_for_all_that_it_led_to() {
        let mut school = FeedbackFixture::new();
        school.visit(done(1, "page", None, "ok", 3), 2, 0);
        school.visit(done(2, "ows:wms", Some(1), "ok", 0), 0, 1);
        assert_eq!(school.heard(), []);
        // A redirect, and the siblings of its target.
        school.visit(done(3, "ows:wms", Some(1), "redirect", 0), 1, 0);
        school.visit(done(4, "ows:wms", Some(3), "ok", 0), 2, 1);
        school.visit(done(5, "ows:wfs", Some(4), "http-404", 0), 0, 0);
        assert_eq!(school.heard(), []);
        school.visit(done(6, "ows:wcs", Some(4), "ok", 0), 0, 1);
        assert_eq!(school.heard(), [(page(1), 3)]);
        assert!(school.feedback.roots.is_empty() && school.feedback.open.is_empty());
    }

    #[test]
    fn what_others_showed_before_is_no_gain_and_a_page_may_be_a_find_itself() {
        let mut school = FeedbackFixture::new();
        school.visit(done(1, "page", None, "ok", 4), 0, 0);
        school.visit(done(2, "page", None, "ok", 1), 0, 2);
        assert_eq!(school.heard(), [(page(1), 0), (page(2), 2)]);
    }

    #[test]
    fn what_was_not_asked_or_redirects_or_is_tried_again_is_no_lesson() {
        let mut school = FeedbackFixture::new();
        school.visit(done(1, "page", None, "robots", 0), 0, 0);
        school.visit(done(2, "page", None, "redirect", 0), 0, 0);
        school.visit(done(3, "sitemap", None, "ok", 2), 2, 0);
        let mut again = done(4, "page", None, "timeout", 0);
        again.outcome.retry = true;
        school.visit(again, 0, 0);
        assert_eq!(school.heard(), []);
        school.visit(done(4, "page", None, "timeout", 0), 0, 0);
        assert_eq!(school.heard(), [(page(4), 0)]);
    }

    #[test]
    fn what_waits_too_long_is_a_lesson_as_it_stands() {
        let mut school = FeedbackFixture::new();
        for id in 1..=MOST_OPEN as FrontierEntryId + 1 {
            school.visit(done(id, "page", None, "ok", 1), 1, 0);
        }
        assert_eq!(school.heard(), [(page(1), 0)]);
        school.visit(done(1_000_000, "ows:wms", Some(1), "ok", 0), 0, 1);
        assert_eq!(school.heard().len(), 1, "it comes too late");
        school.feedback.finish();
        assert_eq!(school.heard().len(), MOST_OPEN + 1);
    }
}
