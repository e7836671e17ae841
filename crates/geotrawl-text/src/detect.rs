//! Detects the language of a text.

use crate::language::{Language, LanguageSet};
use crate::stop_words::{LABEL_STOP_WORDS, LONGEST_STOP_WORD};
use crate::words::{fold_into, split_words};
use std::sync::LazyLock;

/// Restricted to the languages that can be stemmed.
static DETECTOR: LazyLock<whatlang::Detector> =
    LazyLock::new(|| whatlang::Detector::with_allowlist(Language::all().map(Language::detected).collect()));

/// Function words that have a meaning in another language, so they do not reveal the language.
const AMBIGUOUS: &[&str] = &["sea", "hay", "las", "les", "son", "over", "under", "all", "off", "mas"];

/// Returns the language of a text by statistics over all languages of the world. Returns `None` if
/// the text is too short or in a language without a stemmer.
pub fn detect_language(text: &str) -> Option<Language> {
    let found = whatlang::detect(first_chars(text, 600))?;
    if !found.is_reliable() && (text.len() < 60 || found.confidence() < 0.5) {
        return None;
    }
    Language::from_detected(found.lang())
}

/// Returns the languages in which the texts seem to be written, or 0 if unclear. Counts function
/// words; if these are missing or ambiguous and a text is long enough, uses statistics.
pub fn detect_languages(texts: &[&str]) -> LanguageSet {
    let votes = votes_of_stop_words(texts);
    let most = votes.iter().copied().max().unwrap_or(0);
    let with_votes = |enough: &dyn Fn(u32) -> bool| -> LanguageSet {
        Language::all().filter(|l| enough(votes[usize::from(l.number())])).map(Language::bit).sum()
    };
    let leading = if most == 0 { 0 } else { with_votes(&|votes| votes == most) };
    if most >= 3 && leading.is_power_of_two() {
        // A text may mix several languages: accept those with counts close to the highest.
        return with_votes(&|votes| votes * 10 >= most * 7);
    }
    let longest = texts.iter().max_by_key(|text| text.len()).copied().unwrap_or_default();
    if longest.len() >= 60 {
        let found = DETECTOR
            .detect(first_chars(longest, 240))
            .filter(|info| info.is_reliable() || info.confidence() >= 0.8);
        if let Some(language) = found.and_then(|info| Language::from_detected(info.lang())) {
            return language.bit() | leading;
        }
    }
    leading
}

fn votes_of_stop_words(texts: &[&str]) -> [u32; Language::COUNT] {
    let mut votes = [0; Language::COUNT];
    let mut folded = String::new();
    for piece in texts.iter().flat_map(|text| split_words(text)).take(300) {
        if piece.text.len() > LONGEST_STOP_WORD {
            continue;
        }
        folded.clear();
        fold_into(piece.text, &mut folded);
        let spoken = LABEL_STOP_WORDS.languages_of(&folded);
        if spoken != 0 && !AMBIGUOUS.contains(&folded.as_str()) {
            for language in Language::languages_in(spoken) {
                votes[usize::from(language.number())] += 1;
            }
        }
    }
    votes
}

fn first_chars(text: &str, count: usize) -> &str {
    text.char_indices().nth(count).map_or(text, |(end, _)| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_language_is_detected() {
        let text = "Der Dienst stellt die Verwaltungsgrenzen der Länder und Gemeinden bereit";
        assert_eq!(detect_language(text).map(Language::code), Some("de"));
        assert_eq!(detect_language("wms"), None);
    }

    #[test]
    fn several_languages_are_detected() {
        let codes = |text: &str| -> Vec<&'static str> {
            Language::languages_in(detect_languages(&[text])).map(Language::code).collect()
        };
        assert_eq!(codes("Der Dienst stellt die Grenzen der Länder und Gemeinden bereit"), ["de"]);
        assert_eq!(codes("Wald und Flur"), ["de"]);
        assert_eq!(codes("En este servicio no hay datos de los ríos"), ["es"]);
        assert!(codes("wms").is_empty());
    }

    proptest::proptest! {
        #[test]
        fn no_text_breaks_detection(text in "\\PC{0,300}") {
            let _ = (detect_language(&text), detect_languages(&[&text]));
        }
    }
}
