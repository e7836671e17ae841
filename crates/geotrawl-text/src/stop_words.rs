//! Function words of each language: `the`, `und`, `sur`.

use crate::hash::{NumberMap, hash_bytes};
use crate::language::{Language, LanguageSet};
use std::sync::LazyLock;

/// Lines `<code>: <folded words>`. A line `<code> search` or `<code> labels` adds to only one of the
/// two lists.
const WORDS: &str = include_str!("stop-words.txt");

/// Longest function word, in bytes.
pub(crate) const LONGEST_STOP_WORD: usize = 12;

/// Words that search skips. The list is short, because a skipped word cannot distinguish records.
pub static SEARCH_STOP_WORDS: LazyLock<StopWords> = LazyLock::new(|| StopWords::read("search"));

/// Words that reveal a language and name no theme. The list is
/// longer for languages of the vocabularies.
pub static LABEL_STOP_WORDS: LazyLock<StopWords> = LazyLock::new(|| StopWords::read("labels"));

/// A list of function words in all languages.
#[derive(Debug)]
pub struct StopWords {
    /// Languages in which a word is a function word, by hash of the word.
    words: NumberMap<LanguageSet>,
}

impl StopWords {
    fn read(list: &str) -> Self {
        let mut stop_words = Self { words: NumberMap::default() };
        for (head, words) in WORDS.lines().filter_map(|line| line.split_once(':')) {
            let (code, only) = head.split_once(' ').unwrap_or((head, list));
            let Some(language) = Language::from_name(code).filter(|_| only == list) else { continue };
            for word in words.split_whitespace() {
                *stop_words.words.entry(hash_bytes(0, word.as_bytes())).or_default() |= language.bit();
            }
        }
        stop_words
    }

    /// Returns the languages in which the folded word is a function word.
    pub fn languages_of(&self, folded: &str) -> LanguageSet {
        if folded.len() > LONGEST_STOP_WORD {
            return 0;
        }
        self.words.get(&hash_bytes(0, folded.as_bytes())).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::fold;

    #[test]
    fn every_language_has_stop_words() {
        for list in [&SEARCH_STOP_WORDS, &LABEL_STOP_WORDS] {
            for language in Language::all() {
                let count = list.words.values().filter(|languages| *languages & language.bit() != 0).count();
                assert!(count > 10, "{}", language.code());
            }
        }
    }

    #[test]
    fn listed_words_are_folded_and_short() {
        for (head, words) in WORDS.lines().filter_map(|line| line.split_once(':')) {
            let (code, only) = head.split_once(' ').unwrap_or((head, "search"));
            assert!(Language::from_name(code).is_some() && matches!(only, "search" | "labels"), "{head}");
            for word in words.split_whitespace() {
                assert_eq!(fold(word), word);
                assert!(word.len() <= LONGEST_STOP_WORD, "{word}");
            }
        }
    }

    #[test]
    fn the_lists_differ_where_they_say_so() {
        assert_ne!(SEARCH_STOP_WORDS.languages_of("the") & Language::ENGLISH.bit(), 0);
        assert_ne!(LABEL_STOP_WORDS.languages_of("the") & Language::ENGLISH.bit(), 0);
        assert_eq!(SEARCH_STOP_WORDS.languages_of("where") & Language::ENGLISH.bit(), 0);
        assert_ne!(LABEL_STOP_WORDS.languages_of("where") & Language::ENGLISH.bit(), 0);
    }
}
