//! Table of pages that the store certainly knows, so that most links of a page cost nothing.
//!
//! The pages of a site show the same menus, lists and neighbours again and again: nearly every link
//! of a crawl is known. The store can only tell from a whole [`geotrawl_model::NewLink`] (ranked,
//! with text and keys), made on one thread and freed on another. This table is asked first. It may
//! forget pages but never claims too much: a page is added only after the commit that added it, and
//! is identified by a keyed 128-bit hash like that of the store.

use geotrawl_kinds::extract::KnownPageLookup;
use geotrawl_kinds::urls;
use geotrawl_model::{CommitSummary, CrawlBatch, DiscoveryMethod, Intent};
use siphasher::sip128::SipHasher13;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use url::Url;

/// Number of slots, a power of two: two megabytes.
const SLOTS: usize = 1 << 17;

/// One page per slot, the latest one, as both halves of its hash. Zero marks an empty slot.
///
/// The halves are read separately, so between two writes a reader may combine halves of two pages.
/// That these form the hash of a third page is as unlikely as any collision.
pub struct KnownPages {
    hasher: SipHasher13,
    slots: Vec<[AtomicU64; 2]>,
}

impl Default for KnownPages {
    fn default() -> Self {
        let random = RandomState::new();
        Self {
            hasher: SipHasher13::new_with_keys(random.hash_one(0), random.hash_one(1)),
            slots: std::iter::repeat_with(Default::default).take(SLOTS).collect(),
        }
    }
}

impl KnownPageLookup for KnownPages {
    fn page_key(&self, page: &str) -> u128 {
        self.hasher.hash(page.as_bytes()).as_u128()
    }

    /// Returns whether the store certainly knows this page in this run.
    fn is_known(&self, key: u128) -> bool {
        self.slots.get(slot(key)).is_some_and(|slot| {
            let [low, high] = slot;
            key != 0
                && low.load(Ordering::Relaxed) == key as u64
                && high.load(Ordering::Relaxed) == (key >> 64) as u64
        })
    }
}

impl KnownPages {
    /// Adds the pages of a committed batch.
    pub fn note_commit(&self, batch: &CrawlBatch, committed: &CommitSummary) {
        // Links of entries that were not pending were not added, and which entries those are is
        // unknown here.
        if committed.ignored > 0 {
            return;
        }
        for link in batch.done.iter().flat_map(|done| &done.links) {
            if link.intent != Intent::Page {
                continue;
            }
            let key = self.page_key(&link.url);
            if !self.is_known(key) && is_only_a_page(&link.url) {
                self.insert(key);
            }
        }
    }

    fn insert(&self, key: u128) {
        if let Some([low, high]) = self.slots.get(slot(key)) {
            low.store(key as u64, Ordering::Relaxed);
            high.store((key >> 64) as u64, Ordering::Relaxed);
        }
    }
}

/// Returns whether a link to this URL can only be a page. URLs that may also be a service are
/// examined wherever they occur.
fn is_only_a_page(url: &str) -> bool {
    let mut targets = Vec::new();
    if let Ok(url) = Url::parse(url) {
        urls::append_targets(url, DiscoveryMethod::Borrowed(""), "", &mut targets);
    }
    matches!(&targets[..], [only] if only.intent == Intent::Page && only.url.as_str() == url)
}

fn slot(key: u128) -> usize {
    key as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;
    use geotrawl_model::{FinishedItem, FrontierEntry, NewLink, PageOutcome};

    fn link(url: &str, intent: &Intent) -> NewLink {
        NewLink {
            key: format!("{intent} {url}"),
            url: url.into(),
            host: "http://a.example".into(),
            intent: intent.clone(),
            priority: 0,
            depth: 1,
            parent: Some(1),
            way: "href".into(),
            words: String::new(),
            ..NewLink::default()
        }
    }

    fn batch(links: Vec<NewLink>) -> CrawlBatch {
        let item = FrontierEntry {
            id: 1,
            host: 1,
            url: "http://a.example/".into(),
            intent: Intent::Page,
            priority: 0,
            depth: 0,
            parent: None,
            way: "seed".into(),
            words: String::new(),
            hops: 0,
            ..FrontierEntry::default()
        };
        let done = FinishedItem { links, ..FinishedItem::new(item, PageOutcome::default()) };
        CrawlBatch { run: 1, done: vec![done], ..CrawlBatch::default() }
    }

    fn holds(known: &KnownPages, url: &str) -> bool {
        known.is_known(known.page_key(url))
    }

    #[test]
    fn a_page_is_held_once_its_commit_is_done() {
        let known = KnownPages::default();
        assert!(!holds(&known, "http://a.example/p"));
        known.note_commit(&batch(vec![link("http://a.example/p", &Intent::Page)]), &CommitSummary::default());
        assert!(holds(&known, "http://a.example/p"));
        assert!(!holds(&known, "http://a.example/q"));
    }

    #[test]
    fn services_and_what_was_not_taken_are_not_held() {
        let known = KnownPages::default();
        let service = Intent::Ows { kind: "wms".into(), siblings: false };
        known.note_commit(&batch(vec![link("http://a.example/wms", &service)]), &CommitSummary::default());
        assert!(!holds(&known, "http://a.example/wms"));
        let either = [link("http://a.example/wms/", &service), link("http://a.example/wms/", &Intent::Page)];
        known.note_commit(&batch(either.into()), &CommitSummary::default());
        assert!(!holds(&known, "http://a.example/wms/"));
        let ignored = CommitSummary { ignored: 1, ..CommitSummary::default() };
        known.note_commit(&batch(vec![link("http://a.example/p", &Intent::Page)]), &ignored);
        assert!(!holds(&known, "http://a.example/p"));
    }

    #[test]
    fn what_is_forgotten_is_only_forgotten() {
        let known = KnownPages::default();
        let url = |n: usize| format!("http://a.example/{n}");
        let links = (0..2 * SLOTS).map(|n| link(&url(n), &Intent::Page)).collect();
        known.note_commit(&batch(links), &CommitSummary::default());
        let held = (0..2 * SLOTS).filter(|n| holds(&known, &url(*n))).count();
        assert!(held > SLOTS / 2 && held <= SLOTS, "{held}");
        assert!((2 * SLOTS..3 * SLOTS).all(|n| !holds(&known, &url(n))));
    }
}
