//! Measures how alike two versions of a text are.
//!
//! A text becomes the set of its runs of three adjacent words, of which the [`KEPT`] smallest
//! hashes are kept (a bottom-k sketch). Two sketches give the Jaccard similarity of the sets: exact
//! while the texts have fewer runs than are kept, otherwise within about 3 %. The crawl's
//! similarity hash is not used here, because it ignores numbers, and a changed number is a change.
//!
//! [`THRESHOLD`] separates new items from modifications. Replacing a contiguous part `p` of a page
//! gives a likeness of about `(1 - p) / (1 + p)`, so at 0.7 a little more than a sixth of a page
//! may change before it counts as another page.

use crate::words;
use std::collections::BTreeSet;

/// Pages below this likeness are new items; others are modifications of the old one.
pub const THRESHOLD: f64 = 0.7;
/// Number of hashes kept per text.
pub const KEPT: usize = 256;
/// Words in a run.
const RUN: usize = 3;
/// Maximum number of words read; more add nothing.
const MOST_WORDS: usize = 500_000;

/// Sketch of a text, for comparison with other texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextSketch {
    /// In ascending order.
    smallest: Vec<u64>,
}

impl TextSketch {
    /// Computes the sketch of a text; empty if it has no words.
    pub fn from_text(text: &str) -> Self {
        let mut smallest = BTreeSet::new();
        let mut recent = [0_u64; RUN];
        let mut count = 0_usize;
        words::for_each_word(text, |word| {
            if count >= MOST_WORDS {
                return;
            }
            count += 1;
            recent.rotate_left(1);
            if let Some(last) = recent.last_mut() {
                *last = hash_word(word.as_bytes());
            }
            if count >= RUN {
                keep_smallest(&mut smallest, hash_run(&recent));
            }
        });
        // A text of one or two words is a single run.
        if count > 0 && count < RUN {
            keep_smallest(&mut smallest, hash_run(&recent));
        }
        Self { smallest: smallest.into_iter().collect() }
    }

    /// Returns whether the text had no words.
    pub fn is_empty(&self) -> bool {
        self.smallest.is_empty()
    }

    /// Returns the likeness, from 0 (nothing in common) to 1 (the same runs of words).
    pub fn likeness(&self, other: &Self) -> f64 {
        if self.smallest.is_empty() && other.smallest.is_empty() {
            return 1.0;
        }
        let (mut a, mut b) = (self.smallest.iter().peekable(), other.smallest.iter().peekable());
        let (mut both, mut all) = (0_u32, 0_u32);
        // The smallest hashes of the union are a fair sample of it. Of each text only the kept
        // hashes are known.
        while all < KEPT as u32 {
            match (a.peek(), b.peek()) {
                (Some(x), Some(y)) if x == y => {
                    both += 1;
                    a.next();
                    b.next();
                }
                (Some(x), Some(y)) if x < y => {
                    a.next();
                }
                (Some(_), None) => {
                    a.next();
                }
                (_, Some(_)) => {
                    b.next();
                }
                (None, None) => break,
            }
            all += 1;
        }
        f64::from(both) / f64::from(all.max(1))
    }

    /// Encodes the sketch for storage.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.smallest.iter().flat_map(|hash| hash.to_le_bytes()).collect()
    }

    /// Decodes a stored sketch; invalid bytes give an empty one.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let (whole, rest) = bytes.as_chunks::<8>();
        let smallest: Vec<u64> = whole.iter().map(|chunk| u64::from_le_bytes(*chunk)).collect();
        let sound = rest.is_empty() && smallest.len() <= KEPT && smallest.is_sorted();
        Self { smallest: if sound { smallest } else { Vec::new() } }
    }
}

fn keep_smallest(smallest: &mut BTreeSet<u64>, hash: u64) {
    if smallest.len() < KEPT {
        smallest.insert(hash);
    } else if smallest.last().is_some_and(|last| hash < *last) && smallest.insert(hash) {
        smallest.pop_last();
    }
}

/// Hashes a word with FNV-1a. Must never change, because sketches are stored.
fn hash_word(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Hashes the words of a run in order, evenly spread over all numbers.
fn hash_run(run: &[u64]) -> u64 {
    run.iter().fold(0x9e37_79b9_7f4a_7c15, |state, word| {
        let mut x = (state.rotate_left(23) ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd);
        x ^= x >> 33;
        x = x.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        x ^ x >> 29
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prose(seed: u64, words: usize) -> Vec<String> {
        let mut state = seed;
        (0..words)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                format!("w{}", (state >> 40) % 5_000)
            })
            .collect()
    }

    #[test]
    fn likeness_falls_with_what_is_replaced() {
        for (words, most_off) in [(100, 1e-9), (5_000, 0.1)] {
            let page = prose(1, words);
            let before = TextSketch::from_text(&page.join(" "));
            assert!((before.likeness(&before) - 1.0).abs() < f64::EPSILON);
            for tenths in [1, 2, 5] {
                let part = words * tenths / 10;
                let mut changed = page.clone();
                changed.splice(..part, prose(7, part));
                let after = TextSketch::from_text(&changed.join(" "));
                let p = part as f64 / (words - 2) as f64;
                let expected = (1.0 - p) / (1.0 + p);
                let found = before.likeness(&after);
                assert!((found - expected).abs() <= most_off + 0.02, "{words} {tenths}: {found} {expected}");
            }
            assert!(before.likeness(&TextSketch::from_text(&prose(9, words).join(" "))) < 0.05);
        }
    }

    #[test]
    fn small_texts_and_numbers_count() {
        assert!(
            (TextSketch::from_text("").likeness(&TextSketch::from_text(" - ")) - 1.0).abs() < f64::EPSILON
        );
        assert!(TextSketch::from_text("").likeness(&TextSketch::from_text("a")) < 0.1);
        assert!(TextSketch::from_text("a").likeness(&TextSketch::from_text("b")) < 0.1);
        assert!(
            TextSketch::from_text("price is 10 euro").likeness(&TextSketch::from_text("price is 20 euro"))
                < 0.5
        );
    }

    #[test]
    fn a_sketch_can_be_kept() {
        let sketch = TextSketch::from_text(&prose(3, 900).join(" "));
        assert_eq!(sketch.to_bytes().len(), KEPT * 8);
        assert_eq!(TextSketch::from_bytes(&sketch.to_bytes()), sketch);
        assert!(TextSketch::from_bytes(b"no sketch").is_empty());
    }

    proptest::proptest! {
        #[test]
        fn likeness_is_a_share_and_symmetric(a in ".{0,200}", b in ".{0,200}") {
            let (a, b) = (TextSketch::from_text(&a), TextSketch::from_text(&b));
            let likeness = a.likeness(&b);
            proptest::prop_assert!((0.0..=1.0).contains(&likeness));
            proptest::prop_assert!((likeness - b.likeness(&a)).abs() < 1e-12);
        }
    }
}
