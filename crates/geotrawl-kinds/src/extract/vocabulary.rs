//! Vocabulary words, whose frequency in a page indicates its topic.

use super::simhash;
use std::collections::HashSet;
use std::sync::LazyLock;

/// Returns the words in lower case; a word's number is its index. Words of scripts without spaces
/// have two characters.
pub fn vocabulary() -> &'static [&'static str] {
    &VOCABULARY.words
}

/// Returns how often each vocabulary word occurs in a text, by its number. Only the start of a long
/// text counts.
pub fn terms_of(text: &str) -> Vec<(u16, u16)> {
    simhash::simhash_and_terms(text).2
}

static VOCABULARY: LazyLock<TermVocabulary> = LazyLock::new(|| {
    let lines = include_str!("vocabulary.txt").lines().filter(|line| !line.starts_with('#'));
    let mut seen = HashSet::new();
    TermVocabulary::new(
        lines.flat_map(str::split_ascii_whitespace).filter(|word| seen.insert(*word)).collect(),
    )
});

/// Number of slots in the hash table, at least four per word.
const SLOTS: usize = 4096;

struct TermVocabulary {
    words: Vec<&'static str>,
    /// Hash and number of each word, in the first free slot from its hash on. A hash of 0 marks a
    /// free slot.
    slots: Vec<(u64, u16)>,
}

impl TermVocabulary {
    fn new(mut words: Vec<&'static str>) -> Self {
        words.truncate(SLOTS / 2);
        let mut slots = vec![(0, 0); SLOTS];
        for (number, word) in words.iter().enumerate() {
            let hash = simhash::word_hash(word);
            let mut slot = slot_of(hash);
            while slots[slot].0 != 0 {
                slot = (slot + 1) % SLOTS;
            }
            slots[slot] = (hash, number as u16);
        }
        Self { words, slots }
    }
}

fn slot_of(hash: u64) -> usize {
    (hash >> 20) as usize % SLOTS
}

/// Collects the vocabulary words in a text.
pub(super) struct TermCounter {
    vocabulary: &'static TermVocabulary,
    numbers: Vec<u16>,
}

impl Default for TermCounter {
    fn default() -> Self {
        Self { vocabulary: &VOCABULARY, numbers: Vec::new() }
    }
}

impl TermCounter {
    /// Adds a word by its hash. Most words are not in the vocabulary and hit a free slot.
    #[inline]
    pub(super) fn add(&mut self, hash: u64) {
        let mut slot = slot_of(hash);
        while let Some(&(own, number)) = self.vocabulary.slots.get(slot)
            && own != 0
        {
            if own == hash {
                self.numbers.push(number);
                return;
            }
            slot = (slot + 1) % SLOTS;
        }
    }

    /// Returns each word number once, in ascending order, with its count.
    pub(super) fn into_counts(mut self) -> Vec<(u16, u16)> {
        self.numbers.sort_unstable();
        let mut counts: Vec<(u16, u16)> = Vec::new();
        for number in self.numbers {
            match counts.last_mut() {
                Some((last, count)) if *last == number => *count = count.saturating_add(1),
                _ => counts.push((number, 1)),
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Vec<(&'static str, u16)> {
        let mut all: Vec<_> = terms_of(text)
            .into_iter()
            .map(|(number, count)| (vocabulary()[usize::from(number)], count))
            .collect();
        all.sort_unstable();
        all
    }

    #[test]
    fn words_are_counted_whatever_their_case_and_script() {
        assert_eq!(named("A WMS, a wms and a Map: swms wmsx"), [("map", 1), ("wms", 2)]);
        assert_eq!(named("Usługi i GEOPORTAL"), [("geoportal", 1), ("usługi", 1)]);
        assert_eq!(named("次の地図配信サービス"), [("地図", 1), ("配信", 1)]);
        assert_eq!(named(""), []);
    }

    #[test]
    fn every_word_finds_itself() {
        assert!(vocabulary().len() > 300 && vocabulary().len() < SLOTS / 4, "{}", vocabulary().len());
        for word in vocabulary() {
            assert_eq!(named(word), [(*word, 1)]);
            assert_eq!(*word, word.to_lowercase());
        }
    }

    proptest::proptest! {
        #[test]
        fn counts_are_those_of_a_plain_loop(words in proptest::collection::vec(0..900_usize, 0..400)) {
            let all = vocabulary();
            let words: Vec<&str> = words.into_iter().filter_map(|word| all.get(word).copied()).filter(|word| word.is_ascii()).collect();
            let mut expected: std::collections::BTreeMap<&str, u16> = std::collections::BTreeMap::new();
            for word in &words {
                *expected.entry(word).or_default() += 1;
            }
            proptest::prop_assert_eq!(named(&words.join(" ")), expected.into_iter().collect::<Vec<_>>());
        }
    }
}
