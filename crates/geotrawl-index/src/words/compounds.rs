//! Splits compound words: `Grundwassermessstellen`, `inspireadressen`, `merikarttasarja`. A
//! compound that starts or ends with a domain word is also found by that word. This needs no
//! dictionary of a whole language, and works without knowing the language of a name.

use super::synonyms::vocabulary_words;
use geotrawl_text::{Language, fold};
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Languages that write compounds as one word.
const TOGETHER: [&str; 6] = ["de", "nl", "fi", "sv", "da", "no"];
/// Endings that domain words may have within compounds.
const ENDINGS: [&str; 8] = ["", "n", "en", "e", "s", "er", "r", "t"];
/// Minimum length of a domain word, because shorter ones match by accident, and of the rest of the
/// compound.
const SHORTEST: usize = 5;
const LEAST_REST: usize = 3;

/// Returns whether a language writes compounds as one word.
pub fn writes_compounds(language: Language) -> bool {
    TOGETHER.contains(&language.code())
}

/// Stems by the spellings of a domain word.
static KNOWN: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let mut known = HashMap::new();
    // English writes compounds apart: `watersheds` must not match the Dutch `water`.
    let english: HashSet<&str> = vocabulary_words()
        .filter(|(_, language)| *language == Language::ENGLISH)
        .map(|(word, _)| word)
        .collect();
    for (word, language) in vocabulary_words() {
        if english.contains(word) || !writes_compounds(language) || word.chars().count() < SHORTEST {
            continue;
        }
        let stem = language.stem(word).into_owned();
        for ending in ENDINGS {
            known.entry(format!("{}{ending}", fold(word))).or_insert_with(|| stem.clone());
        }
    }
    known
});

/// Returns the stems of the domain words with which a folded word starts and ends.
pub fn compound_stems(folded: &str) -> impl Iterator<Item = &'static str> {
    let long = folded.len() >= SHORTEST + LEAST_REST;
    let cuts = move |from: usize, to: usize| {
        (from..(to + 1).max(from)).filter(move |at| long && folded.is_char_boundary(*at))
    };
    let most = folded.len().saturating_sub(LEAST_REST);
    let first = cuts(SHORTEST, most).rev().find_map(|at| KNOWN.get(&folded[..at]));
    let last =
        cuts(LEAST_REST, folded.len().saturating_sub(SHORTEST)).find_map(|at| KNOWN.get(&folded[at..]));
    first.into_iter().chain(last).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stem(code: &str, word: &str) -> String {
        Language::from_name(code).map(|language| language.stem(word).into_owned()).unwrap_or_default()
    }

    #[test]
    fn words_of_the_trade_are_found_in_longer_ones() {
        for (word, code, part) in [
            ("grundwassermessstellen", "de", "grundwasser"),
            ("grondwatermeetnetten", "nl", "grondwater"),
            ("inspireadressen", "de", "adresse"),
            ("merikarttasarja", "fi", "merikartta"),
            ("rijkswegen", "nl", "wegen"),
        ] {
            let found: Vec<&str> = compound_stems(word).collect();
            assert!(found.contains(&&*stem(code, part)), "{word}: {found:?}, not {part}");
        }
    }

    #[test]
    fn other_words_stay_whole() {
        for word in ["", "karte", "ä", "elevation", "watersheds", "äöüäöüäöü", "services"] {
            assert_eq!(compound_stems(word).count(), 0, "{word}");
        }
    }
}
