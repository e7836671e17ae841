//! Trap detection: endless calendars, session ids, parameter explosions, nested directories, and
//! mirrors of one page.
//!
//! Pages of a host are grouped by shape, coarse and fine. A shape is closed if enough of its pages
//! were read, most of them repeated other pages, and none of them *paid*: showed a service or file
//! that the host had not shown before. A paged list of datasets therefore stays open, however long
//! it is, and so does anything that leads to something new. Memory per host is bounded.

use geotrawl_kinds::urls;
use geotrawl_model::{Intent, PastPage};
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, RandomState};
use url::Url;

/// Maximum number of shapes per host; beyond that, new shapes share one count.
const MOST_SHAPES: usize = 2_000;
/// Maximum number of services and files remembered per host; beyond that, each one counts as new.
const MOST_SHOWN: usize = 4_096;
/// Number of recent pages to compare with.
const RECENT: usize = 128;
/// Maximum number of differing bits of the similarity hash for nearly identical pages ...
const SAME_BITS: u32 = 3;
/// ... and for pages made of the same words. Unrelated pages differ in about 32 of 64 bits. Pages
/// in scripts without spaces, or with few words, are closer, so similarity alone closes nothing.
const ALIKE_BITS: u32 = 14;
/// Maximum number of sitemaps that list only other sitemaps, or nothing.
const MOST_BARREN_SITEMAPS: u32 = 10;
/// Stored reason for such a sitemap; recognised when the host is activated again.
pub const BARREN_SITEMAP: &str = "Read; lists nothing but other sitemaps";
/// Pages with fewer words are not compared.
const FEWEST_WORDS: u32 = 12;
/// Paths of this depth also count towards their top-level directory. Directories that contain each
/// other have all different shapes, but share their first segment.
const BRANCH_SEGMENTS: usize = 4;

/// Levels of grouping, from fine to coarse.
const LEVELS: [&str; 3] =
    ["pages of this shape", "parameter combinations of this page", "pages deep below this directory"];
/// Maximum number of directory names remembered per top-level directory.
const MOST_NAMES: usize = 256;

/// Trap detection for one host in one run.
#[derive(Debug, Default)]
pub struct HostTraps {
    shapes: HashMap<u64, PageShape>,
    recent: VecDeque<u64>,
    shown: HashSet<u64>,
    /// Sitemaps that listed nothing but other sitemaps.
    barren_sitemaps: u32,
    hasher: RandomState,
}

#[derive(Debug, Default)]
struct PageShape {
    read: u32,
    /// Those that were identical to another page, nearly identical, or made of the same words.
    identical: u32,
    same: u32,
    alike: u32,
    paid: bool,
    /// Directory names below a top-level directory.
    names: HashSet<u64>,
}

impl PageShape {
    /// Returns how many of the pages repeated others, if that closes the shape.
    fn repeats_if_closed(&self, level: usize) -> Option<u32> {
        let share = |n: u32| f64::from(n) / f64::from(self.read.max(1));
        if self.paid {
            return None;
        }
        if level == 2 {
            // Nested directories consist of few names, however many pages there are.
            let few_names = self.names.len() * 2 <= self.read as usize;
            return (self.read >= 16 && few_names && share(self.alike) >= 0.5).then_some(self.alike);
        }
        let (judge_after, most) = if level == 0 { (8, 0.7) } else { (12, 0.6) };
        if self.read >= judge_after && share(self.identical) >= most {
            return Some(self.identical);
        }
        (self.read >= 40 && share(self.same) >= 0.9).then_some(self.same)
    }
}

/// Traits of a page that was read.
#[derive(Debug, Clone, Default)]
pub struct PageTraits {
    /// Similarity hash and number of words, if it was a page.
    pub simhash: Option<(u64, u32)>,
    /// Whether it was a resource, or led straight to one.
    pub found: bool,
    /// Keys of the services and files that it shows.
    pub shows: Vec<u64>,
    /// For sitemaps: whether it lists anything except other sitemaps.
    pub sitemap: Option<bool>,
}

impl HostTraps {
    /// Restores the state from earlier pages, newest first, so that a host cannot start over.
    pub fn from_history(past: &[PastPage]) -> Self {
        let mut traps = Self::default();
        for page in past.iter().rev().filter(|page| page.class != "trap") {
            let Ok(url) = Url::parse(&page.url) else { continue };
            // The number of words is not stored; a page with a hash had enough.
            let simhash = page.simhash.map(|hash| (hash, u32::MAX));
            let sitemap = (page.intent == Intent::Sitemap).then(|| page.reason != BARREN_SITEMAP);
            traps.note_page(
                &url,
                &PageTraits { simhash, found: page.found > 0, sitemap, ..PageTraits::default() },
            );
        }
        traps
    }

    /// Returns why this page must not be read, if it is part of a trap.
    pub fn trap_reason(&self, url: &Url) -> Option<String> {
        for (level, key) in self.shape_keys(url).into_iter().enumerate() {
            let Some(shape) = key.and_then(|key| self.shapes.get(&key)) else { continue };
            if let Some(repeats) = shape.repeats_if_closed(level) {
                return Some(format!(
                    "a trap: {repeats} of {} {} repeated others and none showed anything new",
                    shape.read, LEVELS[level]
                ));
            }
        }
        None
    }

    /// Returns why no more sitemaps of this host must be read, if so. An index may list many
    /// sitemaps, but sitemaps that list only sitemaps without end are a trap.
    pub fn sitemap_trap_reason(&self) -> Option<String> {
        (self.barren_sitemaps >= MOST_BARREN_SITEMAPS)
            .then(|| format!("a trap: {MOST_BARREN_SITEMAPS} sitemaps listed only other sitemaps"))
    }

    /// Notes a page that was read.
    pub fn note_page(&mut self, url: &Url, seen: &PageTraits) {
        if let Some(lists) = seen.sitemap {
            self.barren_sitemaps += u32::from(!lists);
            return;
        }
        let mut paid = seen.found;
        for key in &seen.shows {
            paid |= self.shown.len() >= MOST_SHOWN || self.shown.insert(*key);
        }
        // A page without content (an error, an empty answer) counts as a repetition.
        let distance = seen.simhash.map_or(0, |(hash, words)| self.distance(hash, words));
        for (level, key) in self.shape_keys(url).into_iter().enumerate() {
            let Some(key) = key else { continue };
            let shape = self.shapes.entry(key).or_default();
            shape.read += 1;
            shape.identical += u32::from(distance == 0);
            shape.same += u32::from(distance <= SAME_BITS);
            shape.alike += u32::from(distance <= ALIKE_BITS);
            shape.paid |= paid;
            if level == 2 {
                for name in url.path().split('/').filter(|name| !name.is_empty()) {
                    if shape.names.len() < MOST_NAMES {
                        shape.names.insert(self.hasher.hash_one(name));
                    }
                }
            }
        }
    }

    /// Returns the distance to the most similar recent page, and remembers the page.
    fn distance(&mut self, hash: u64, words: u32) -> u32 {
        let nearest = self.recent.iter().map(|old| (old ^ hash).count_ones()).min().unwrap_or(u32::MAX);
        if nearest > 0 || self.recent.is_empty() {
            self.recent.push_back(hash);
            if self.recent.len() > RECENT {
                self.recent.pop_front();
            }
        }
        if words < FEWEST_WORDS { u32::MAX } else { nearest }
    }

    /// Returns the shape on each level; `None` if the level does not apply.
    fn shape_keys(&self, url: &Url) -> [Option<u64>; 3] {
        let fine = self.hasher.hash_one((0_u8, urls::url_pattern(url)));
        let page = url.query().map(|_| {
            let mut bare = url.clone();
            bare.set_query(None);
            self.hasher.hash_one((1_u8, urls::url_pattern(&bare)))
        });
        let mut segments = url.path().split('/').filter(|segment| !segment.is_empty());
        let branch = segments.next().map(|first| self.hasher.hash_one((2_u8, first)));
        let deep = segments.nth(BRANCH_SEGMENTS - 2).is_some();
        [Some(self.bounded(fine)), page.map(|key| self.bounded(key)), branch.filter(|_| deep)]
    }

    fn bounded(&self, key: u64) -> u64 {
        if self.shapes.len() >= MOST_SHAPES && !self.shapes.contains_key(&key) { 0 } else { key }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    fn page(hash: u64) -> PageTraits {
        PageTraits { simhash: Some((hash, 80)), ..PageTraits::default() }
    }

    /// Returns how many of these pages are read before their shape is closed.
    fn read_of(urls: impl Iterator<Item = String>, seen: impl Fn(u64) -> PageTraits) -> u32 {
        let mut traps = HostTraps::default();
        let mut read = 0;
        for (n, text) in urls.enumerate() {
            let at = url(&text);
            if traps.trap_reason(&at).is_none() {
                traps.note_page(&at, &seen(n as u64));
                read += 1;
            }
        }
        read
    }

    fn unrelated(n: u64) -> u64 {
        (n + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    #[test]
    fn a_calendar_whose_pages_repeat_is_closed() {
        let read = read_of((0..400).map(|day| format!("http://a.example/calendar/{day}")), |_| page(0xF0F0));
        assert!((8..=12).contains(&read), "{read}");
        let read =
            read_of((0..400).map(|day| format!("http://a.example/calendar/{day}")), |n| page(1 << (n % 2)));
        assert!((8..=12).contains(&read), "{read}");
    }

    #[test]
    fn a_paged_list_with_different_pages_stays_open() {
        let pages = (0..500).map(|n| format!("http://a.example/datasets?page={n}"));
        assert_eq!(read_of(pages, |n| page(unrelated(n))), 500);
    }

    #[test]
    fn a_list_of_similar_pages_that_show_new_services_stays_open() {
        let pages = (0..300).map(|n| format!("http://a.example/layer?id={n}"));
        let read = read_of(pages, |n| PageTraits { shows: vec![n / 100], ..page(1) });
        assert_eq!(read, 300);
    }

    #[test]
    fn the_same_service_in_every_footer_keeps_no_trap_open() {
        let mut traps = HostTraps::default();
        traps.note_page(&url("http://a.example/"), &PageTraits { shows: vec![7], ..page(1) });
        let mut read = 0;
        for n in 0..100 {
            let at = url(&format!("http://a.example/calendar/{n}"));
            if traps.trap_reason(&at).is_none() {
                traps.note_page(&at, &PageTraits { shows: vec![7], ..page(2) });
                read += 1;
            }
        }
        assert!(read <= 12, "{read}");
    }

    #[test]
    fn parameter_explosions_share_one_budget() {
        let keys = ["colour", "size", "year", "sort", "page"];
        let pages = (1..32_u32).flat_map(|mask| {
            (1..5).map(move |value| {
                let pairs: Vec<String> = (0..5)
                    .filter(|bit| mask >> bit & 1 == 1)
                    .map(|bit| format!("{}={value}", keys[bit]))
                    .collect();
                format!("http://a.example/search?{}", pairs.join("&"))
            })
        });
        let read = read_of(pages, |_| page(3));
        assert!(read <= 14, "{read}");
    }

    #[test]
    fn directories_that_contain_each_other_are_closed_by_their_branch() {
        let names = ["a", "b", "old", "new"];
        let pages = (0..4_u64.pow(6)).map(|n| {
            let path: Vec<&str> = (0..6).map(|digit| names[(n >> (2 * digit) & 3) as usize]).collect();
            format!("http://a.example/files/{}/", path.join("/"))
        });
        // The same few words in different proportions: similar, but not identical.
        let read = read_of(pages, |n| page(0xFFFF_0000 ^ (1 << (n % 5)) ^ (1 << (32 + n % 3))));
        assert!(read <= 20, "{read}");
    }

    #[test]
    fn sitemaps_of_sitemaps_end() {
        let mut traps = HostTraps::default();
        let at = url("http://a.example/sitemap.xml");
        for n in 0..1_000 {
            assert_eq!(traps.sitemap_trap_reason(), None, "{n}");
            traps.note_page(&at, &PageTraits { sitemap: Some(true), ..PageTraits::default() });
        }
        for _ in 0..MOST_BARREN_SITEMAPS {
            traps.note_page(&at, &PageTraits { sitemap: Some(false), ..PageTraits::default() });
        }
        assert!(traps.sitemap_trap_reason().is_some());
    }

    #[test]
    fn sitemaps_of_sitemaps_end_also_when_the_host_comes_back() {
        let sitemap = |reason: &str, n: u32| PastPage {
            url: format!("http://a.example/sitemap.xml?part={n}"),
            intent: Intent::Sitemap,
            class: "ok".into(),
            reason: reason.into(),
            simhash: None,
            found: 0,
        };
        let past = |reason| (0..MOST_BARREN_SITEMAPS).map(|n| sitemap(reason, n)).collect::<Vec<_>>();
        assert!(HostTraps::from_history(&past(BARREN_SITEMAP)).sitemap_trap_reason().is_some());
        assert!(HostTraps::from_history(&past(BARREN_SITEMAP)[1..]).sitemap_trap_reason().is_none());
        assert!(HostTraps::from_history(&past("Read")).sitemap_trap_reason().is_none());
    }

    #[test]
    fn pages_that_fail_close_their_shape_too() {
        let read = read_of((0..200).map(|n| format!("http://a.example/old/{n}")), |_| PageTraits::default());
        assert!(read <= 10, "{read}");
    }

    #[test]
    fn memory_stays_bounded() {
        let mut traps = HostTraps::default();
        for n in 0..10_000_u64 {
            let word: String = n.to_string().bytes().map(|b| char::from(b - b'0' + b'a')).collect();
            traps.note_page(
                &url(&format!("http://a.example/{word}/x{word}")),
                &PageTraits { shows: vec![n], ..page(n) },
            );
        }
        assert!(traps.shapes.len() <= MOST_SHAPES + 2);
        assert!(traps.recent.len() <= RECENT && traps.shown.len() <= MOST_SHOWN);
    }
}
