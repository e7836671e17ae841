//! Stop rules: ends seed groups and site sections that have stopped yielding finds.

use geotrawl_model::{FrontierEntry, HostId};
use std::collections::{HashMap, HashSet, VecDeque};

/// Maximum number of site sections with a count; beyond that, counting starts over.
const MOST_BRANCHES: usize = 100_000;

/// Maximum number of pages that may wait for an earlier one.
const LONGEST_ROW: usize = 20_000;

/// Yield of a page, as far as stop rules need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageYield {
    pub host: HostId,
    /// See [`site_branch`].
    pub branch: Box<str>,
    /// Seed group.
    pub width: u32,
    pub gained: u32,
}

/// Pages in the order in which they were read. The yield of pages that led somewhere is known later
/// than that of the others; in the order of knowledge, productive pages would look like a long dry
/// spell.
#[derive(Default)]
pub struct YieldSequence {
    pages: VecDeque<(PageYield, bool)>,
    /// Position of the first of them.
    first: u64,
    joined: usize,
}

impl YieldSequence {
    /// Adds a page that was read; returns its position.
    pub fn push_page(&mut self, item: &FrontierEntry) -> u64 {
        let page = PageYield {
            host: item.host,
            branch: site_branch(&item.url).into(),
            width: item.bearing.width,
            gained: 0,
        };
        self.pages.push_back((page, false));
        self.joined += 1;
        self.first + self.pages.len() as u64 - 1
    }

    /// Returns the number of pages added since the last [`Self::take_known`].
    pub fn pages_since_take(&self) -> usize {
        self.joined
    }

    /// Records the yield of a page.
    pub fn set_gain(&mut self, place: Option<u64>, gained: u32) {
        let at = place.and_then(|place| place.checked_sub(self.first));
        if let Some((page, known)) = at.and_then(|at| self.pages.get_mut(at as usize)) {
            page.gained = gained;
            *known = true;
        }
    }

    /// Takes the pages at the front whose yield is known. A page that holds up too many others is
    /// dropped.
    pub fn take_known(&mut self) -> Vec<PageYield> {
        self.joined = 0;
        let mut turned = Vec::new();
        while let Some((_, known)) = self.pages.front()
            && (*known || self.pages.len() > LONGEST_ROW)
            && let Some((page, known)) = self.pages.pop_front()
        {
            self.first += 1;
            if known {
                turned.push(page);
            }
        }
        turned
    }
}

/// Counts consecutive pages without a find.
pub struct StopRules {
    /// `None`: nothing is ever stopped.
    patience: Option<u32>,
    widths: HashMap<u32, u32>,
    branches: HashMap<(HostId, Box<str>), u32>,
    closed_widths: HashSet<u32>,
    closed_branches: HashSet<(HostId, Box<str>)>,
}

impl StopRules {
    /// Creates stop rules with this limit. `given_up` lists the seed groups that were stopped
    /// before.
    pub fn new(patience: Option<u32>, given_up: impl IntoIterator<Item = u32>) -> Self {
        Self {
            patience,
            widths: HashMap::new(),
            branches: HashMap::new(),
            closed_widths: given_up.into_iter().collect(),
            closed_branches: HashSet::new(),
        }
    }

    /// Counts pages; returns the seed groups that this stops.
    pub fn note_pages(&mut self, turned: Vec<PageYield>) -> Vec<u32> {
        let mut given_up = Vec::new();
        let Some(patience) = self.patience else { return given_up };
        for page in turned {
            let dry = self.widths.entry(page.width).or_default();
            *dry = if page.gained > 0 { 0 } else { *dry + 1 };
            if *dry >= patience && self.closed_widths.insert(page.width) {
                given_up.push(page.width);
            }
            if self.branches.len() >= MOST_BRANCHES {
                self.branches.clear();
            }
            let key = (page.host, page.branch);
            if page.gained > 0 {
                self.branches.remove(&key);
                continue;
            }
            let dry = self.branches.entry(key.clone()).or_default();
            *dry += 1;
            if *dry >= patience && self.closed_branches.len() < MOST_BRANCHES {
                self.branches.remove(&key);
                self.closed_branches.insert(key);
            }
        }
        given_up
    }

    /// Returns why a seed group was stopped.
    pub fn stop_reason(&self) -> String {
        let pages = self.patience.unwrap_or_default();
        format!("Stopped: {pages} consecutive pages without a find")
    }

    /// Returns why a page is skipped, if it is. Seeds are read unless their group has been stopped.
    pub fn refusal_reason(&self, item: &FrontierEntry) -> Option<String> {
        let pages = self.patience.unwrap_or_default();
        if self.closed_widths.contains(&item.bearing.width) {
            let width = item.bearing.width;
            return Some(format!(
                "its seed group ({width}) was stopped after {pages} consecutive pages without a find"
            ));
        }
        if item.depth == 0 || self.closed_branches.is_empty() {
            return None;
        }
        let branch = site_branch(&item.url);
        self.closed_branches.contains(&(item.host, branch.into())).then(|| {
            format!(
                "this part of the site (/{branch}) was stopped after {pages} consecutive pages without a find"
            )
        })
    }
}

/// Returns the first directory of a URL, which names its part of the site; empty for top-level
/// pages.
pub fn site_branch(url: &str) -> &str {
    let path = url.split_once("://").and_then(|(_, rest)| rest.split_once('/')).map_or("", |(_, path)| path);
    let path = path.split(['?', '#']).next().unwrap_or_default();
    path.split_once('/').map_or("", |(first, _)| first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use geotrawl_model::CrawlContext;

    fn item(url: &str, width: u32) -> FrontierEntry {
        let bearing = CrawlContext { width, ..CrawlContext::default() };
        FrontierEntry { host: 1, url: url.into(), depth: 1, bearing, ..FrontierEntry::default() }
    }

    fn turned(url: &str, width: u32, gained: u32) -> PageYield {
        PageYield { host: 1, branch: site_branch(url).into(), width, gained }
    }

    #[test]
    fn the_branch_is_the_first_directory() {
        for (url, expected) in [
            ("http://a.example/", ""),
            ("http://a.example", ""),
            ("http://a.example/index.html", ""),
            ("http://a.example/news/", "news"),
            ("http://a.example/news/2024/1.html?x=/y", "news"),
            ("http://a.example/q?x=/y/z", ""),
        ] {
            assert_eq!(site_branch(url), expected, "{url}");
        }
    }

    #[test]
    fn a_branch_without_finds_is_given_up_and_others_are_not() {
        let mut rules = StopRules::new(Some(3), []);
        let news = "http://a.example/news/1";
        let maps = "http://a.example/maps/1";
        for _ in 0..2 {
            assert!(rules.note_pages(vec![turned(news, 1, 0), turned(maps, 1, 1)]).is_empty());
        }
        assert_eq!(rules.refusal_reason(&item(news, 1)), None);
        rules.note_pages(vec![turned(news, 1, 0)]);
        assert!(rules.refusal_reason(&item(news, 1)).unwrap().contains("/news"));
        assert_eq!(rules.refusal_reason(&item(maps, 1)), None);
        assert_eq!(rules.refusal_reason(&FrontierEntry { depth: 0, ..item(news, 1) }), None, "a seed");
        assert_eq!(rules.refusal_reason(&FrontierEntry { host: 2, ..item(news, 1) }), None, "another host");
    }

    #[test]
    fn a_group_is_given_up_once_and_stays_so() {
        let mut rules = StopRules::new(Some(2), []);
        let at = |n: u32| format!("http://a.example/{n}/");
        rules.note_pages(vec![turned(&at(1), 2, 0), turned(&at(2), 2, 3), turned(&at(3), 2, 0)]);
        assert_eq!(rules.refusal_reason(&item(&at(9), 2)), None);
        assert_eq!(rules.note_pages(vec![turned(&at(4), 2, 0), turned(&at(5), 2, 0)]), [2]);
        assert!(rules.refusal_reason(&item(&at(9), 2)).unwrap().contains("2 consecutive pages"));
        assert_eq!(rules.refusal_reason(&item(&at(9), 3)), None);
        let later = StopRules::new(Some(2), [2]);
        assert!(later.refusal_reason(&item(&at(9), 2)).is_some());
    }

    #[test]
    fn pages_are_told_in_the_order_of_reading() {
        let mut row = YieldSequence::default();
        let places: Vec<_> = (0..4).map(|_| Some(row.push_page(&item("http://a.example/x/", 1)))).collect();
        let gains =
            |row: &mut YieldSequence| row.take_known().iter().map(|page| page.gained).collect::<Vec<_>>();
        row.set_gain(places[1], 0);
        row.set_gain(places[2], 0);
        assert_eq!(gains(&mut row), Vec::<u32>::new());
        row.set_gain(places[0], 3);
        assert_eq!(gains(&mut row), [3, 0, 0]);
        row.set_gain(places[0], 9);
        row.set_gain(places[3], 1);
        assert_eq!(gains(&mut row), [1]);
        let first = row.push_page(&item("http://a.example/", 1));
        for _ in 0..LONGEST_ROW {
            let place = row.push_page(&item("http://a.example/", 1));
            row.set_gain(Some(place), 0);
        }
        assert_eq!(
            row.take_known().len(),
            LONGEST_ROW,
            "one that is never known keeps nobody waiting for ever"
        );
        row.set_gain(Some(first), 1);
        assert_eq!(row.take_known(), []);
    }

    #[test]
    fn without_patience_nothing_is_given_up() {
        let mut rules = StopRules::new(None, []);
        assert!(rules.note_pages(vec![turned("http://a.example/", 1, 0); 1_000]).is_empty());
        assert_eq!(rules.refusal_reason(&item("http://a.example/", 1)), None);
    }
}
