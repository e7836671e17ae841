//! Trap detection: endless calendars, session ids, parameter explosions, mirrors of one page.
//!
//! Two signs together close a URL *shape* of a host (`urls::template`): many pages of it were read, and
//! they hardly differ from pages already read. A shape whose pages stay different (a paged list of
//! datasets, say) or which gave finds is never closed by this. Memory is bounded per host.

use geotrawl_kinds::urls;
use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
use url::Url;

/// Shapes remembered per host; beyond that all new shapes share one budget.
const MOST_SHAPES: usize = 2_000;
/// Pages compared with.
const RECENT: usize = 128;
/// Differing bits of the similarity hash that still count as the same page.
const SAME_PAGE_BITS: u32 = 3;
/// Too few words to judge by.
const FEWEST_WORDS: u32 = 12;
/// A shape is judged after this many pages ...
const JUDGE_AFTER: u32 = 8;
/// ... and closed when this share of them repeated others.
const CLOSED_SHARE: f64 = 0.7;
/// Shapes with several parameters explode combinatorially: closed after this many pages without a find.
const MOST_COMBINATIONS: u32 = 150;

/// What is known of one host in one run.
#[derive(Debug, Default)]
pub struct HostTraps {
    shapes: HashMap<u64, Shape>,
    recent: VecDeque<u64>,
    hasher: RandomState,
}

#[derive(Debug, Default, Clone, Copy)]
struct Shape {
    read: u32,
    repeats: u32,
    finds: u32,
}

impl HostTraps {
    /// Why this page should not be read, if so.
    pub fn refuses(&self, url: &Url) -> Option<String> {
        let shape = self.shapes.get(&self.shape_key(url))?;
        if shape.finds > 0 || shape.read < JUDGE_AFTER {
            return None;
        }
        let share = f64::from(shape.repeats) / f64::from(shape.read);
        if share >= CLOSED_SHARE {
            return Some(format!(
                "a trap: of {} pages of this shape {} repeated others and none gave a find",
                shape.read, shape.repeats
            ));
        }
        if shape.read >= MOST_COMBINATIONS && url.query_pairs().nth(2).is_some() {
            return Some(format!(
                "a trap: {} parameter combinations of this page were read without a find",
                shape.read
            ));
        }
        None
    }

    /// Takes note of a page that was read.
    pub fn note(&mut self, url: &Url, simhash: Option<(u64, u32)>, finds: u32) {
        let repeat = simhash.is_some_and(|(hash, words)| {
            let seen = self.recent.iter().any(|old| (old ^ hash).count_ones() <= SAME_PAGE_BITS);
            if !seen {
                self.recent.push_back(hash);
                if self.recent.len() > RECENT {
                    self.recent.pop_front();
                }
            }
            seen && words >= FEWEST_WORDS
        });
        let mut key = self.shape_key(url);
        if self.shapes.len() >= MOST_SHAPES && !self.shapes.contains_key(&key) {
            key = 0;
        }
        let shape = self.shapes.entry(key).or_default();
        shape.read += 1;
        shape.repeats += u32::from(repeat);
        shape.finds += finds;
    }

    fn shape_key(&self, url: &Url) -> u64 {
        let key = self.hasher.hash_one(urls::template(url));
        if self.shapes.len() >= MOST_SHAPES && !self.shapes.contains_key(&key) { 0 } else { key }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn a_calendar_whose_pages_repeat_is_closed() {
        let mut traps = HostTraps::default();
        for day in 1..=40 {
            let page = url(&format!("http://a.example/calendar?day={day}"));
            if traps.refuses(&page).is_some() {
                assert!(day <= 12, "closed only at day {day}");
                return;
            }
            traps.note(&page, Some((0xF0F0, 80)), 0);
        }
        panic!("never closed");
    }

    #[test]
    fn a_paged_list_with_different_pages_stays_open() {
        let mut traps = HostTraps::default();
        for page in 1..=500_u64 {
            let at = url(&format!("http://a.example/datasets?page={page}"));
            assert_eq!(traps.refuses(&at), None, "page {page}");
            traps.note(&at, Some((page.wrapping_mul(0x9E37_79B9_7F4A_7C15), 80)), 0);
        }
    }

    #[test]
    fn a_shape_that_gave_a_find_is_never_closed() {
        let mut traps = HostTraps::default();
        for n in 1..=100 {
            let at = url(&format!("http://a.example/layer?id={n}"));
            assert_eq!(traps.refuses(&at), None);
            traps.note(&at, Some((1, 80)), u32::from(n == 3));
        }
    }

    #[test]
    fn memory_stays_bounded() {
        let mut traps = HostTraps::default();
        for n in 0..10_000_u32 {
            let word: String = n.to_string().bytes().map(|b| char::from(b - b'0' + b'a')).collect();
            traps.note(&url(&format!("http://a.example/{word}/x{word}")), Some((u64::from(n), 50)), 0);
        }
        assert!(traps.shapes.len() <= MOST_SHAPES + 1);
        assert!(traps.recent.len() <= RECENT);
    }
}
