//! Li, Yang and Yang 2010: accumulated term frequency.
//!
//! An address has two priorities from 0 to 3. That of its own (UP) comes from the terms of the addresses of the
//! services found so far, ordered by how often they came and cut into three equal parts; addresses of static pages
//! have 3. That of the page that shows it (WP) comes from the words that stand there. UP says the section of the
//! queue, WP the place in it, and equals go as found.
//!
//! There, services and pages are addresses in one queue; here services are proven ahead of pages. So that the
//! model has something to go by, the terms of pages that led to a find count as well.

use crate::words::Address;
use crate::{FIRST, LearnedTerm, Lesson, Link, Ordering, Origin, Page, Reason, Why, vocabulary};
use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};

/// From one section of the queue to the next, and from one place in it.
const SECTION: u32 = 200_000;
const PLACE: u32 = 50_000;
/// Terms remembered.
const MOST_TERMS: usize = 200_000;
/// Longer ones are cut.
const LONGEST: usize = 80;
/// The list is cut anew after so many finds, or when it has grown by a tenth.
const CUT_AFTER: u32 = 8;

/// Ends of addresses of pages that nobody computes.
const STATIC: &[&str] =
    &[".html", ".htm", ".shtml", ".xhtml", ".txt", ".pdf", ".doc", ".docx", ".xml", ".rtf", ".ps"];

#[derive(Default)]
pub(crate) struct Atf {
    list: RwLock<List>,
}

/// The terms of the addresses of services found.
#[derive(Default)]
struct List {
    counts: HashMap<String, u32>,
    /// Smallest count of the first and of the second third.
    cuts: [u32; 2],
    since: u32,
}

impl List {
    fn learn(&mut self, url: &str) {
        for term in terms(url) {
            if let Some(count) = self.counts.get_mut(term) {
                *count += 1;
            } else if self.counts.len() < MOST_TERMS {
                self.counts.insert(term.to_owned(), 1);
            }
        }
        self.since += 1;
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

/// Parts of the path and pairs of the query.
fn terms(url: &str) -> impl Iterator<Item = &str> {
    let address = Address::of(url);
    let parts = address.path.split('/').chain(address.query.split('&'));
    parts
        .filter(|part| !part.is_empty())
        .map(|part| part.get(..part.floor_char_boundary(LONGEST)).unwrap_or(part))
}

fn is_static(url: &str) -> bool {
    let address = Address::of(url);
    let path = address.path.to_ascii_lowercase();
    address.query.is_empty()
        && (path.is_empty() || path == "/" || STATIC.iter().any(|end| path.ends_with(end)))
}

/// Numbers of the words that the page's priority goes by.
static WORDS: LazyLock<[Option<u16>; 5]> = LazyLock::new(|| {
    ["web", "map", "service", "wms", "server"]
        .map(|word| vocabulary().iter().position(|own| *own == word).and_then(|at| u16::try_from(at).ok()))
});

/// 0 for `Web Map Service`, 1 for `WMS` and `Service`, 2 for `WMS` and `Server`, else 3.
fn page_priority(page: &Page<'_>) -> u32 {
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

impl Atf {
    fn priorities(&self, link: &Link<'_>) -> (u32, u32) {
        let list = self.list.read().unwrap_or_else(PoisonError::into_inner);
        let own = if is_static(link.url) {
            3
        } else {
            terms(link.url).map(|term| list.priority(term)).min().unwrap_or(2)
        };
        // Links whose page is not known stand on no page with the words.
        (own, 3 - link.origin.0.min(3))
    }
}

impl Ordering for Atf {
    fn name(&self) -> &'static str {
        "atf"
    }

    fn origin(&self, page: &Page<'_>) -> Origin {
        Origin(3 - page_priority(page))
    }

    fn weigh(&self, link: &Link<'_>) -> u32 {
        let (own, page) = self.priorities(link);
        FIRST + own * SECTION + page * PLACE
    }

    fn learns(&self) -> bool {
        true
    }

    fn learn(&self, lesson: &Lesson<'_>) {
        if lesson.gained > 0 {
            self.found(lesson.link.url);
        }
    }

    fn found(&self, service: &str) {
        self.list.write().unwrap_or_else(PoisonError::into_inner).learn(service);
    }

    fn why(&self, link: &Link<'_>) -> Why {
        let (own, page) = self.priorities(link);
        let own_text = match own {
            3 => "leads to a static page".to_owned(),
            2 => "none of its parts is frequent among the addresses of services".to_owned(),
            part => {
                let list = self.list.read().unwrap_or_else(PoisonError::into_inner);
                let best = terms(link.url).max_by_key(|term| list.counts.get(*term).copied().unwrap_or(0));
                let third = if part == 0 { "first" } else { "second" };
                format!("'{}' is in the {third} third of the terms of services", best.unwrap_or_default())
            }
        };
        let page_text = match page {
            0 => "the page speaks of web map services",
            1 => "the page speaks of WMS and services",
            2 => "the page speaks of WMS and servers",
            _ => "the page does not speak of map services",
        };
        let reasons = vec![
            Reason { name: "url".into(), adds: -f64::from(own), text: own_text },
            Reason { name: "page".into(), adds: -f64::from(page), text: page_text.into() },
        ];
        Why { ordering: self.name().into(), place: self.weigh(link), expects: None, reasons }
    }

    fn vocabulary(&self, most: usize) -> Vec<LearnedTerm> {
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

    fn save(&self) -> Vec<u8> {
        let list = self.list.read().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<(&String, &u32)> = list.counts.iter().collect();
        all.sort_unstable();
        serde_json::to_vec(&all).unwrap_or_default()
    }

    fn take_in(&self, base: Option<&[u8]>, saved: &[u8]) {
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

/// Terms and counts as saved; what cannot be read is left aside.
fn read(saved: &[u8]) -> Vec<(String, u32)> {
    let mut terms: Vec<(String, u32)> = serde_json::from_slice(saved).unwrap_or_default();
    terms.truncate(MOST_TERMS);
    terms
}

impl Atf {
    /// With what was saved.
    pub(crate) fn new(saved: Option<&[u8]>) -> Self {
        let mut list = List {
            counts: saved.map(read).unwrap_or_default().into_iter().collect(),
            since: CUT_AFTER,
            ..List::default()
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

    fn link(url: &str, origin: Origin) -> Link<'_> {
        Link { url, words: "", way: "href", depth: 1, width: 1, origin }
    }

    /// The example of the paper: the list before and after its find.
    #[test]
    fn the_paper_s_example_comes_out_as_printed() {
        let atf = Atf::default();
        for (term, times) in [
            ("request=GetCapabilities", 20),
            ("service=WMS", 16),
            ("version=1.1.0", 10),
            ("cgi-bin", 3),
            ("servlet", 3),
        ] {
            for _ in 0..times {
                atf.found(&format!("http://h/?{term}"));
            }
        }
        let priority = |term: &str| atf.list.read().unwrap().priority(term);
        assert_eq!(["request=GetCapabilities", "service=WMS"].map(priority), [0, 0]);
        assert_eq!(priority("cgi-bin"), 1);
        assert_eq!(priority("NFHL"), 2);
        let found = "http://h/wmsconnector/Servlet/NFHL?request=GetCapabilities&service=WMS";
        assert_eq!(atf.weigh(&link(found, Origin::default())), FIRST + 3 * PLACE);
    }

    #[test]
    fn static_pages_go_last_and_pages_with_the_words_first() {
        let atf = Atf::default();
        let terms = crate::vocabulary();
        let number = |word: &str| terms.iter().position(|own| *own == word).unwrap() as u16;
        let mut speaks = vec![(number("wms"), 1), (number("service"), 2)];
        speaks.sort_unstable();
        let page = Page { terms: &speaks, ..Page::default() };
        assert_eq!(page_priority(&page), 1);
        assert_eq!(page_priority(&Page::default()), 3);
        let told = atf.origin(&page);
        assert!(
            atf.weigh(&link("http://a/x.php", told)) < atf.weigh(&link("http://a/x.php", Origin::default()))
        );
        assert!(
            atf.weigh(&link("http://a/x.php", Origin::default())) < atf.weigh(&link("http://a/x.html", told))
        );
        atf.found("http://a/maps/wms");
        assert!(atf.weigh(&link("http://b/maps/", told)) < atf.weigh(&link("http://b/news/", told)));
        let again = Atf::new(Some(&atf.save()));
        assert_eq!(again.weigh(&link("http://b/maps/", told)), atf.weigh(&link("http://b/maps/", told)));
        let other = Atf::new(Some(&again.save()));
        other.found("http://a/maps/wms");
        again.take_in(Some(&atf.save()), &other.save());
        assert_eq!(again.save(), other.save(), "what the other has found counts once");
        assert_eq!(Atf::new(Some(b"{")).weigh(&link("http://b/maps/", told)), FIRST + 2 * SECTION + PLACE);
    }
}
