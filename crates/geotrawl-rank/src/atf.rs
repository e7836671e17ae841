//! Li, Yang and Yang 2010: accumulated term frequency.
//!
//! A URL has two priorities from 0 to 3. The URL priority (UP) comes from its terms: the terms in
//! the URLs of services found so far, sorted by frequency and split into three equal parts; URLs of
//! static pages have 3. The page priority (WP) comes from the words on the linking page. UP selects
//! the section of the queue, WP the position in it, and ties keep the order of discovery.
//!
//! In the paper, services and pages share one queue; here services are confirmed ahead of pages. To
//! give the model enough data, the terms of pages that led to a service count as well.

use crate::words::AddressParts;
use crate::{
    FIRST, FrontierRanking, LearnedTerm, LinkToRank, LinkingPage, PageContext, PageFeedback, RankExplanation,
    RankReason, vocabulary,
};
use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};

/// Rank difference of adjacent sections, and of adjacent positions in a section.
const SECTION: u32 = 200_000;
const PLACE: u32 = 50_000;
/// Most terms remembered.
const MOST_TERMS: usize = 200_000;
/// Longer terms are truncated.
const LONGEST: usize = 80;
/// The thirds are recomputed after this many services.
const CUT_AFTER: u32 = 8;

/// Extensions of static pages.
const STATIC: &[&str] =
    &[".html", ".htm", ".shtml", ".xhtml", ".txt", ".pdf", ".doc", ".docx", ".xml", ".rtf", ".ps"];

#[derive(Default)]
pub(crate) struct AtfRanking {
    list: RwLock<UrlTermCounts>,
}

/// The terms in the URLs of services found so far.
#[derive(Default)]
struct UrlTermCounts {
    counts: HashMap<String, u32>,
    /// Lowest count in the first and in the second third.
    cuts: [u32; 2],
    since: u32,
}

impl UrlTermCounts {
    fn learn(&mut self, url: &str) {
        for term in terms(url) {
            if let Some(count) = self.counts.get_mut(term) {
                *count += 1;
            } else if self.counts.len() < MOST_TERMS {
                self.counts.insert(term.to_owned(), 1);
            }
        }
        self.since += 1;
        // Sorting a long list after every service would be too slow.
        if self.since >= CUT_AFTER || self.counts.len() < 100 {
            self.since = 0;
            let mut all: Vec<u32> = self.counts.values().copied().collect();
            all.sort_unstable_by(|a, b| b.cmp(a));
            let part = all.len().div_ceil(3);
            self.cuts = [part, 2 * part].map(|end| all.get(end.saturating_sub(1)).copied().unwrap_or(1));
        }
    }

    fn priority(&self, term: &str) -> u32 {
        match self.counts.get(term) {
            Some(count) if *count >= self.cuts[0] => 0,
            Some(count) if *count >= self.cuts[1] => 1,
            _ => 2,
        }
    }
}

/// Returns the path segments and query parameters.
fn terms(url: &str) -> impl Iterator<Item = &str> {
    let address = AddressParts::split(url);
    let parts = address.path.split('/').chain(address.query.split('&'));
    parts
        .filter(|part| !part.is_empty())
        .map(|part| part.get(..part.floor_char_boundary(LONGEST)).unwrap_or(part))
}

fn is_static(url: &str) -> bool {
    let address = AddressParts::split(url);
    let path = address.path.to_ascii_lowercase();
    address.query.is_empty()
        && (path.is_empty() || path == "/" || STATIC.iter().any(|end| path.ends_with(end)))
}

/// Vocabulary numbers of the words that determine the page priority.
static WORDS: LazyLock<[Option<u16>; 5]> = LazyLock::new(|| {
    ["web", "map", "service", "wms", "server"]
        .map(|word| vocabulary().iter().position(|own| *own == word).and_then(|at| u16::try_from(at).ok()))
});

/// Returns 0 for `Web Map Service`, 1 for `WMS` and `Service`,
/// 2 for `WMS` and `Server`, otherwise 3.
fn page_priority(page: &LinkingPage<'_>) -> u32 {
    let has = WORDS.map(|word| {
        word.is_some_and(|word| page.terms.binary_search_by_key(&word, |(number, _)| *number).is_ok())
    });
    match has {
        [true, true, true, _, _] => 0,
        [_, _, true, true, _] => 1,
        [_, _, _, true, true] => 2,
        _ => 3,
    }
}

impl AtfRanking {
    fn priorities(&self, link: &LinkToRank<'_>) -> (u32, u32) {
        let list = self.list.read().unwrap_or_else(PoisonError::into_inner);
        let own = if is_static(link.url) {
            3
        } else {
            terms(link.url).map(|term| list.priority(term)).min().unwrap_or(2)
        };
        // Links without a known page get the lowest page priority.
        (own, 3 - link.origin.0.min(3))
    }
}

impl FrontierRanking for AtfRanking {
    fn name(&self) -> &'static str {
        "atf"
    }

    fn page_context(&self, page: &LinkingPage<'_>) -> PageContext {
        PageContext(3 - page_priority(page))
    }

    fn rank_link(&self, link: &LinkToRank<'_>) -> u32 {
        let (own, page) = self.priorities(link);
        FIRST + own * SECTION + page * PLACE
    }

    fn is_learning(&self) -> bool {
        true
    }

    fn learn_from(&self, lesson: &PageFeedback<'_>) {
        if lesson.gained > 0 {
            self.record_service(lesson.link.url);
        }
    }

    fn record_service(&self, service: &str) {
        self.list.write().unwrap_or_else(PoisonError::into_inner).learn(service);
    }

    fn explain_rank(&self, link: &LinkToRank<'_>) -> RankExplanation {
        let (own, page) = self.priorities(link);
        let own_text = match own {
            3 => "leads to a static page".to_owned(),
            2 => "none of its terms is frequent in the URLs of services".to_owned(),
            part => {
                let list = self.list.read().unwrap_or_else(PoisonError::into_inner);
                let best = terms(link.url).max_by_key(|term| list.counts.get(*term).copied().unwrap_or(0));
                let third = if part == 0 { "most frequent" } else { "middle" };
                format!("'{}' is in the {third} third of the terms in service URLs", best.unwrap_or_default())
            }
        };
        let page_text = match page {
            0 => "the linking page mentions web map services",
            1 => "the linking page mentions WMS and services",
            2 => "the linking page mentions WMS and servers",
            _ => "the linking page does not mention map services",
        };
        let reasons = vec![
            RankReason { name: "url".into(), adds: -f64::from(own), text: own_text },
            RankReason { name: "page".into(), adds: -f64::from(page), text: page_text.into() },
        ];
        RankExplanation { ordering: self.name().into(), place: self.rank_link(link), expects: None, reasons }
    }

    fn learned_terms(&self, most: usize) -> Vec<LearnedTerm> {
        let list = self.list.read().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<(&String, &u32)> = list.counts.iter().collect();
        all.sort_unstable_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
        let learned = |(term, count): (&String, &u32)| LearnedTerm {
            term: term.clone(),
            weight: f64::from(2 - list.priority(term)),
            seen: u64::from(*count),
        };
        all.into_iter().take(most).map(learned).collect()
    }

    fn serialize_model(&self) -> Vec<u8> {
        let list = self.list.read().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<(&String, &u32)> = list.counts.iter().collect();
        all.sort_unstable();
        serde_json::to_vec(&all).unwrap_or_default()
    }

    fn merge_model(&self, base: Option<&[u8]>, saved: &[u8]) {
        let base: HashMap<String, u32> = base.map(read).unwrap_or_default().into_iter().collect();
        let mut list = self.list.write().unwrap_or_else(PoisonError::into_inner);
        for (term, count) in read(saved) {
            let more = count.saturating_sub(base.get(&term).copied().unwrap_or_default());
            if more > 0 {
                *list.counts.entry(term).or_default() += more;
            }
        }
        list.since = CUT_AFTER;
        list.learn("");
    }
}

/// Parses saved terms and counts; returns none if they are unreadable.
fn read(saved: &[u8]) -> Vec<(String, u32)> {
    let mut terms: Vec<(String, u32)> = serde_json::from_slice(saved).unwrap_or_default();
    terms.truncate(MOST_TERMS);
    terms
}

impl AtfRanking {
    /// Restores a saved ranking.
    pub(crate) fn new(saved: Option<&[u8]>) -> Self {
        let mut list = UrlTermCounts {
            counts: saved.map(read).unwrap_or_default().into_iter().collect(),
            since: CUT_AFTER,
            ..UrlTermCounts::default()
        };
        if !list.counts.is_empty() {
            list.learn("");
        }
        Self { list: RwLock::new(list) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(url: &str, origin: PageContext) -> LinkToRank<'_> {
        LinkToRank { url, words: "", way: "href", depth: 1, width: 1, origin }
    }

    /// The example of the paper: the list before and after a service is found.
    #[test]
    fn the_paper_s_example_comes_out_as_printed() {
        let atf = AtfRanking::default();
        for (term, times) in [
            ("request=GetCapabilities", 20),
            ("service=WMS", 16),
            ("version=1.1.0", 10),
            ("cgi-bin", 3),
            ("servlet", 3),
        ] {
            for _ in 0..times {
                atf.record_service(&format!("http://h/?{term}"));
            }
        }
        let priority = |term: &str| atf.list.read().unwrap().priority(term);
        assert_eq!(["request=GetCapabilities", "service=WMS"].map(priority), [0, 0]);
        assert_eq!(priority("cgi-bin"), 1);
        assert_eq!(priority("NFHL"), 2);
        let found = "http://h/wmsconnector/Servlet/NFHL?request=GetCapabilities&service=WMS";
        assert_eq!(atf.rank_link(&link(found, PageContext::default())), FIRST + 3 * PLACE);
    }

    #[test]
    fn static_pages_go_last_and_pages_with_the_words_first() {
        let atf = AtfRanking::default();
        let terms = crate::vocabulary();
        let number = |word: &str| terms.iter().position(|own| *own == word).unwrap() as u16;
        let mut speaks = vec![(number("wms"), 1), (number("service"), 2)];
        speaks.sort_unstable();
        let page = LinkingPage { terms: &speaks, ..LinkingPage::default() };
        assert_eq!(page_priority(&page), 1);
        assert_eq!(page_priority(&LinkingPage::default()), 3);
        let told = atf.page_context(&page);
        assert!(
            atf.rank_link(&link("http://a/x.php", told))
                < atf.rank_link(&link("http://a/x.php", PageContext::default()))
        );
        assert!(
            atf.rank_link(&link("http://a/x.php", PageContext::default()))
                < atf.rank_link(&link("http://a/x.html", told))
        );
        atf.record_service("http://a/maps/wms");
        assert!(atf.rank_link(&link("http://b/maps/", told)) < atf.rank_link(&link("http://b/news/", told)));
        let again = AtfRanking::new(Some(&atf.serialize_model()));
        assert_eq!(
            again.rank_link(&link("http://b/maps/", told)),
            atf.rank_link(&link("http://b/maps/", told))
        );
        let other = AtfRanking::new(Some(&again.serialize_model()));
        other.record_service("http://a/maps/wms");
        again.merge_model(Some(&atf.serialize_model()), &other.serialize_model());
        assert_eq!(again.serialize_model(), other.serialize_model(), "what the other has found counts once");
        assert_eq!(
            AtfRanking::new(Some(b"{")).rank_link(&link("http://b/maps/", told)),
            FIRST + 2 * SECTION + PLACE
        );
    }
}
