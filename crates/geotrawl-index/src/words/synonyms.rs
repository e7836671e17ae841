//! Synonyms: the built-in geospatial vocabulary across languages, and the operator's additions.
//!
//! Synonyms are applied to the query, not to the index: a changed list takes effect at once, and a
//! word that occurs in the text always counts more than its synonym.

use super::areas::AREAS;
use geotrawl_text::{Language, detect_language, fold, split_words};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

/// Maximum number of words in a synonym.
pub const LONGEST: usize = 4;
/// Maximum number of lines read from the operator's file.
const MOST_LINES: usize = 20_000;
/// Maximum number of cached lookups.
const MOST_ASKED: usize = 8_192;
/// Maximum number of synonyms per meaning.
const MOST_ALTERNATIVES: usize = 100;

const BUILT_IN: &str = include_str!("synonyms.txt");
pub const COUNTRIES: &str = include_str!("countries.txt");
pub const PLACES: &str = include_str!("places.txt");
/// Prefix of a country's code and box, in a line with its names.
pub const COUNTRY: char = '@';
/// Language of a key that applies to all languages.
const ANY: &str = "*";

/// A word or a phrase with a meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SynonymPhrase {
    /// In lower case, with accents.
    pub words: Vec<String>,
    /// Language used for stemming; `None` for all.
    pub language: Option<Language>,
}

/// Synonyms by meaning.
#[derive(Debug, Default)]
pub struct Synonyms {
    meanings: Vec<Vec<SynonymPhrase>>,
    /// Lower-case country codes of the meanings that are countries.
    countries: HashMap<u32, String>,
    keys: HashMap<String, Vec<u32>>,
    /// Cache of meanings by words, because a lookup needs the stems of all languages.
    asked: Mutex<HashMap<Vec<String>, Arc<[u32]>>>,
}

impl Synonyms {
    /// Returns the built-in synonyms.
    pub fn built_in() -> Self {
        let mut synonyms = Self::default();
        for list in [BUILT_IN, COUNTRIES, AREAS, PLACES] {
            synonyms.add_lines(list);
        }
        synonyms
    }

    /// Adds synonyms, one meaning per line. Ignores comments, blank lines and lines with a single
    /// word.
    pub fn add_lines(&mut self, text: &str) {
        self.asked().clear();
        for line in text.lines().take(MOST_LINES).map(str::trim).filter(|line| !line.starts_with('#')) {
            let (codes, names): (Vec<&str>, Vec<&str>) = line
                .split(',')
                .map(str::trim)
                .take(MOST_ALTERNATIVES)
                .partition(|name| name.starts_with(COUNTRY));
            let alternatives: Vec<SynonymPhrase> = names.into_iter().filter_map(alternative).collect();
            if alternatives.len() < 2 && (alternatives.is_empty() || codes.is_empty()) {
                continue;
            }
            let number = self.meanings.len() as u32;
            if let Some(code) = codes.first() {
                let code = code[COUNTRY.len_utf8()..].split(' ').next().unwrap_or_default();
                self.countries.insert(number, code.to_lowercase());
            }
            // Names of areas match as written only: `oceans` has the stem of `Oceania`. Countries
            // match by stem, too.
            let as_written = codes.first().is_some_and(|code| code.contains('-'));
            for alternative in &alternatives {
                for key in keys(alternative).into_iter().filter(|key| !as_written || !key.contains('|')) {
                    let meanings = self.keys.entry(key).or_default();
                    if meanings.last() != Some(&number) {
                        meanings.push(number);
                    }
                }
            }
            self.meanings.push(alternatives);
        }
    }

    /// Returns how many leading words form one meaning, and its other synonyms.
    pub fn longest_known_phrase(&self, words: &[String]) -> (usize, Vec<&SynonymPhrase>) {
        for length in (1..=LONGEST.min(words.len())).rev() {
            if !self.numbers(&words[..length]).is_empty() {
                return (length, self.find_alternatives(&words[..length]));
            }
        }
        (1, Vec::new())
    }

    /// Returns the synonyms of lower-case words in the order of the list, without the words
    /// themselves. The words may be in a language that does not occur in the index.
    pub fn find_alternatives(&self, words: &[String]) -> Vec<&SynonymPhrase> {
        let numbers = self.numbers(words);
        let found = numbers.iter().filter_map(|number| self.meanings.get(*number as usize)).flatten();
        found.filter(|alternative| alternative.words != words).collect()
    }

    /// Returns the lower-case codes of the countries that these lower-case words name.
    pub fn country_codes(&self, words: &[String]) -> Vec<&str> {
        let numbers = self.numbers(words);
        numbers.iter().filter_map(|number| self.countries.get(number)).map(String::as_str).collect()
    }

    /// Returns the indexes of the meanings of words.
    fn numbers(&self, words: &[String]) -> Arc<[u32]> {
        let known = self.asked().get(words).map(Arc::clone);
        known.unwrap_or_else(|| {
            let meanings: Arc<[u32]> = self.meanings_of(words).into();
            let mut asked = self.asked();
            if asked.len() >= MOST_ASKED {
                asked.clear();
            }
            asked.insert(words.to_vec(), Arc::clone(&meanings));
            meanings
        })
    }

    fn asked(&self) -> MutexGuard<'_, HashMap<Vec<String>, Arc<[u32]>>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn meanings_of(&self, words: &[String]) -> Vec<u32> {
        let mut meanings: Vec<u32> = Vec::new();
        let mut look = |key: &str| {
            for number in self.keys.get(key).into_iter().flatten() {
                if !meanings.contains(number) {
                    meanings.push(*number);
                }
            }
        };
        look(&join(words.iter().map(|word| fold(word))));
        for language in Language::all() {
            let stems = join(words.iter().map(|word| language.stem(word)));
            look(&format!("{}|{stems}", language.code()));
            look(&format!("{ANY}|{stems}"));
        }
        meanings
    }
}

/// Domain words only, for lookups; place names are left out because they do not indicate a
/// language.
static DICTIONARY: LazyLock<Synonyms> = LazyLock::new(|| {
    let mut words = Synonyms::default();
    words.add_lines(BUILT_IN);
    words
});

/// Returns the domain terms that are single words, with their languages.
pub fn vocabulary_words() -> impl Iterator<Item = (&'static str, Language)> {
    let all = DICTIONARY.meanings.iter().flatten();
    all.filter_map(|alternative| match &alternative.words[..] {
        [word] => Some((word.as_str(), alternative.language?)),
        _ => None,
    })
}

/// Returns whether a folded word is part of the vocabulary. Such a word is spelled correctly even
/// if nothing matches it.
pub fn is_vocabulary_word(folded: &str) -> bool {
    static WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| {
        let words = DICTIONARY.meanings.iter().flatten().flat_map(|alternative| &alternative.words);
        words.map(|word| fold(word).into_owned()).collect()
    });
    WORDS.contains(folded)
}

/// Detects the language of a text that is too short for statistics (`Rivieren`, `Carte du bruit`),
/// by domain words and stop words. Returns `None` if two languages fit equally well.
pub fn detect_language_of_short_text(text: &str) -> Option<Language> {
    let words: Vec<String> = split_words(text).take(40).map(|piece| piece.text.to_lowercase()).collect();
    let votes = |language: Language| {
        let vote = |word: &String| {
            let stop = language.is_stop_word(&fold(word));
            // Short stems are ambiguous: `gis` is the stem of `gisement`.
            let known = || {
                word.chars().count() >= 4
                    && DICTIONARY.keys.contains_key(&format!("{}|{}", language.code(), language.stem(word)))
            };
            if stop { 1 } else { 2 * usize::from(known()) }
        };
        words.iter().map(vote).sum::<usize>()
    };
    let mut votes: Vec<(usize, Language)> =
        Language::all().map(|language| (votes(language), language)).collect();
    votes.sort_by_key(|(votes, _)| std::cmp::Reverse(*votes));
    match votes[..] {
        [(first, language), (second, _), ..] if first > second => Some(language),
        _ => None,
    }
}

/// Returns the language of a record: the one it states, else the one its text looks like, else English. When a record
/// states several, its text decides among them, else the first.
pub fn record_language(stated: &[String], text: &str) -> Language {
    let named: Vec<Language> = stated.iter().filter_map(|name| Language::from_name(name)).collect();
    match named[..] {
        [one] => one,
        [] => {
            detect_language(text).or_else(|| detect_language_of_short_text(text)).unwrap_or(Language::ENGLISH)
        }
        [first, ..] => detect_language(text).filter(|found| named.contains(found)).unwrap_or(first),
    }
}

fn alternative(text: &str) -> Option<SynonymPhrase> {
    let text = text.trim();
    let (language, text) = match text.split_once(':') {
        Some((code, rest)) if code.len() == 2 => (Language::from_name(code), rest),
        _ => (None, text),
    };
    let words: Vec<String> = split_words(text).map(|piece| piece.text.to_lowercase()).collect();
    (!words.is_empty() && words.len() <= LONGEST + 1).then_some(SynonymPhrase { words, language })
}

fn keys(alternative: &SynonymPhrase) -> Vec<String> {
    let words = &alternative.words;
    let mut keys = vec![join(words.iter().map(|word| fold(word)))];
    let stems = |language: Language| join(words.iter().map(|word| language.stem(word)));
    match alternative.language {
        Some(language) => keys.push(format!("{}|{}", language.code(), stems(language))),
        // Stems of a name are much the same in all languages, so this adds few keys.
        None => keys.extend(Language::all().map(|language| format!("{ANY}|{}", stems(language)))),
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn join<'a>(words: impl Iterator<Item = std::borrow::Cow<'a, str>>) -> String {
    let mut joined = String::new();
    for word in words {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(&word);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(synonyms: &Synonyms, words: &str) -> Vec<String> {
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        synonyms.find_alternatives(&words).iter().map(|alternative| alternative.words.join(" ")).collect()
    }

    #[test]
    fn words_cross_languages() {
        let synonyms = Synonyms::built_in();
        for (asked, wanted) in [
            ("roads", "straße"),
            ("straßen", "route"),
            ("wegen", "road"),
            ("land cover", "landbedeckung"),
            ("höhenmodell", "dem"),
            ("mnt", "elevation"),
            ("luftbilder", "orthophoto"),
            ("limites", "boundary"),
            ("wms", "web map service"),
        ] {
            assert!(found(&synonyms, asked).iter().any(|word| word == wanted), "{asked} -> {wanted}");
        }
        assert!(found(&synonyms, "utrecht").is_empty());
    }

    #[test]
    fn few_words_tell_their_language() {
        for (text, code) in
            [("Rivieren", "nl"), ("Torino: Fiumi", "it"), ("Carte du bruit", "fr"), ("gis 12", "")]
        {
            assert_eq!(detect_language_of_short_text(text).map_or("", Language::code), code, "{text}");
        }
    }

    #[test]
    fn a_record_has_the_language_that_it_states() {
        let text = "Der Dienst stellt die Verwaltungsgrenzen der Länder und Gemeinden bereit";
        let language_of = |stated: &[&str], text: &str| {
            let stated: Vec<String> = stated.iter().map(|name| (*name).to_owned()).collect();
            record_language(&stated, text).code()
        };
        assert_eq!(language_of(&[], text), "de");
        assert_eq!(language_of(&["fre"], text), "fr");
        assert_eq!(language_of(&["fre", "ger"], text), "de");
        assert_eq!(language_of(&[], "wms"), "en");
    }

    #[test]
    fn places_are_known_by_their_names_in_other_languages() {
        let synonyms = Synonyms::built_in();
        assert!(found(&synonyms, "germany").contains(&"deutschland".to_owned()));
        assert!(found(&synonyms, "Wien").contains(&"vienna".to_owned()));
        assert!(found(&synonyms, "united kingdom").contains(&"vereinigtes königreich".to_owned()));
        assert_eq!(detect_language_of_short_text("Deutschland"), None);
    }

    #[test]
    fn the_operator_adds_lines() {
        let mut synonyms = Synonyms::built_in();
        synonyms.add_lines("# ours\nblick, übersicht plan\n\nalone\n@NL, batavia\n");
        assert_eq!(synonyms.country_codes(&["batavia".to_owned()]), ["nl"]);
        assert_eq!(synonyms.country_codes(&["nederland".to_owned()]), ["nl"]);
        assert!(synonyms.country_codes(&["blick".to_owned()]).is_empty());
        assert_eq!(found(&synonyms, "blick"), ["übersicht plan"]);
        assert_eq!(found(&synonyms, "ubersicht plan"), ["blick", "übersicht plan"]);
        assert!(found(&synonyms, "alone").is_empty());
    }
}
