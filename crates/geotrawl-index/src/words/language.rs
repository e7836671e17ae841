//! The languages that are stemmed, how they are recognised, and their words without meaning.

use super::split::fold;
use super::synonyms::language_of_few_words;
use frostem::{Algorithm, Stemmer};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// A language with a stemmer. Its number is kept in the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language(u8);

struct Known {
    /// Two letters.
    code: &'static str,
    /// Three letters and names that metadata use.
    others: &'static [&'static str],
    algorithm: Algorithm,
    whatlang: whatlang::Lang,
}

const KNOWN: &[Known] = &[
    known("en", &["eng", "english"], Algorithm::English, whatlang::Lang::Eng),
    known("de", &["ger", "deu", "german", "deutsch"], Algorithm::German, whatlang::Lang::Deu),
    known("fr", &["fre", "fra", "french", "francais"], Algorithm::French, whatlang::Lang::Fra),
    known("es", &["spa", "spanish", "espanol"], Algorithm::Spanish, whatlang::Lang::Spa),
    known("it", &["ita", "italian", "italiano"], Algorithm::Italian, whatlang::Lang::Ita),
    known("nl", &["dut", "nld", "dutch", "nederlands"], Algorithm::Dutch, whatlang::Lang::Nld),
    known("pt", &["por", "portuguese", "portugues"], Algorithm::Portuguese, whatlang::Lang::Por),
    known("pl", &["pol", "polish", "polski"], Algorithm::Polish, whatlang::Lang::Pol),
    known("cs", &["cze", "ces", "czech", "cestina"], Algorithm::Czech, whatlang::Lang::Ces),
    known("sv", &["swe", "swedish", "svenska"], Algorithm::Swedish, whatlang::Lang::Swe),
    known("da", &["dan", "danish", "dansk"], Algorithm::Danish, whatlang::Lang::Dan),
    known("no", &["nor", "nob", "nno", "nb", "nn", "norwegian"], Algorithm::Norwegian, whatlang::Lang::Nob),
    known("fi", &["fin", "finnish", "suomi"], Algorithm::Finnish, whatlang::Lang::Fin),
    known("ro", &["rum", "ron", "romanian"], Algorithm::Romanian, whatlang::Lang::Ron),
    known("hu", &["hun", "hungarian", "magyar"], Algorithm::Hungarian, whatlang::Lang::Hun),
    known("tr", &["tur", "turkish"], Algorithm::Turkish, whatlang::Lang::Tur),
    known("ru", &["rus", "russian"], Algorithm::Russian, whatlang::Lang::Rus),
    known("el", &["gre", "ell", "greek"], Algorithm::Greek, whatlang::Lang::Ell),
];

const fn known(
    code: &'static str,
    others: &'static [&'static str],
    algorithm: Algorithm,
    whatlang: whatlang::Lang,
) -> Known {
    Known { code, others, algorithm, whatlang }
}

/// One line a language: its code, then its words without meaning, folded.
const STOP_WORDS: &str = include_str!("stop.txt");

static STOPS: LazyLock<HashMap<&'static str, HashSet<&'static str>>> = LazyLock::new(|| {
    let lines = STOP_WORDS.lines().filter_map(|line| line.split_once(':'));
    lines.map(|(code, words)| (code, words.split_whitespace().collect())).collect()
});

impl Language {
    /// English, which half of the web's metadata speak.
    pub const ENGLISH: Self = Self(0);

    /// All that can be stemmed.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..KNOWN.len() as u8).map(Self)
    }

    /// By its number in the index.
    pub fn by_number(number: u8) -> Option<Self> {
        (usize::from(number) < KNOWN.len()).then_some(Self(number))
    }

    /// Its number in the index.
    pub fn number(self) -> u8 {
        self.0
    }

    /// By what metadata say: `de`, `de-AT`, `ger`, `German`.
    pub fn named(name: &str) -> Option<Self> {
        let name = fold(name.trim());
        let head = name.split(['-', '_', ';', ',']).next().unwrap_or_default();
        let at = KNOWN.iter().position(|known| known.code == head || known.others.contains(&head))?;
        Some(Self(at as u8))
    }

    /// Two letters.
    pub fn code(self) -> &'static str {
        KNOWN.get(usize::from(self.0)).map_or("en", |known| known.code)
    }

    /// What a text is written in, when it is long enough to tell.
    pub fn of_text(text: &str) -> Option<Self> {
        let end = text.char_indices().nth(600).map_or(text.len(), |(at, _)| at);
        let found = whatlang::detect(&text[..end])?;
        if !found.is_reliable() && (text.len() < 60 || found.confidence() < 0.5) {
            return None;
        }
        let at = KNOWN.iter().position(|known| known.whatlang == found.lang())?;
        Some(Self(at as u8))
    }

    /// The language of a record: what it says of itself, else what its text looks like, else English. A record that
    /// names several is believed only where its text does not say which.
    pub fn of_record(stated: &[String], text: &str) -> Self {
        let named: Vec<Self> = stated.iter().filter_map(|name| Self::named(name)).collect();
        match named[..] {
            [one] => one,
            [] => Self::of_text(text).or_else(|| language_of_few_words(text)).unwrap_or(Self::ENGLISH),
            [first, ..] => Self::of_text(text).filter(|found| named.contains(found)).unwrap_or(first),
        }
    }

    /// The folded stem of a word in lower case.
    pub fn stem(self, lower: &str) -> Cow<'_, str> {
        let Some(known) = KNOWN.get(usize::from(self.0)) else { return fold(lower) };
        let stem = match Stemmer::new(known.algorithm).stem(lower) {
            Cow::Borrowed(same) => fold(same),
            Cow::Owned(stem) => Cow::Owned(fold(&stem).into_owned()),
        };
        // `rakennus` and `rakennukset` are one word, which the algorithm leaves as two.
        match stem.strip_suffix("ks").filter(|rest| known.code == "fi" && rest.ends_with(['u', 'y'])) {
            Some(rest) => Cow::Owned(format!("{rest}s")),
            None => stem,
        }
    }

    /// Whether its stems may begin otherwise than their words: in Dutch `ge` is cut off.
    pub fn cuts_beginnings(self) -> bool {
        self.code() == "nl"
    }

    /// Whether the folded word carries no meaning in this language.
    pub fn is_stop_word(self, folded: &str) -> bool {
        STOPS.get(self.code()).is_some_and(|words| words.contains(folded))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told() {
        assert_eq!(Language::named("de-AT").map(Language::code), Some("de"));
        assert_eq!(Language::named(" GER").map(Language::code), Some("de"));
        assert_eq!(Language::named("xx"), None);
        let text = "Der Dienst stellt die Verwaltungsgrenzen der Länder und Gemeinden bereit";
        assert_eq!(Language::of_record(&[], text).code(), "de");
        assert_eq!(Language::of_record(&["fre".into()], text).code(), "fr");
        assert_eq!(Language::of_record(&["fre".into(), "ger".into()], text).code(), "de");
        assert_eq!(Language::of_record(&[], "wms").code(), "en");
    }

    #[test]
    fn words_of_one_meaning_have_one_stem() {
        let stem = |code: &str, word: &str| {
            Language::named(code).map(|language| language.stem(word).into_owned()).unwrap_or_default()
        };
        assert_eq!(stem("en", "roads"), stem("en", "road"));
        assert_eq!(stem("de", "straßen"), stem("de", "straße"));
        assert_eq!(stem("fr", "forêts"), stem("fr", "forêt"));
        assert_eq!(stem("nl", "gemeenten"), stem("nl", "gemeente"));
        assert_eq!(stem("fi", "rakennukset"), stem("fi", "rakennus"));
        assert_eq!(stem("en", ""), "");
    }

    proptest::proptest! {
        #[test]
        fn stems_begin_like_their_words(
            word in "(ge|naj|nej|be|ver|po|leg|meg)?[a-z]{1,9}(en|ing|ly|ed|es|heden|iteit|ami|ego|och|nek|iyor|lar)?",
        ) {
            for language in Language::all().filter(|language| !language.cuts_beginnings()) {
                let stem = language.stem(&word);
                proptest::prop_assert!(
                    stem.is_empty() || stem.as_bytes()[0] == word.as_bytes()[0],
                    "{}: {word} {stem}", language.code()
                );
            }
        }
    }

    #[test]
    fn every_language_has_stop_words() {
        for language in Language::all() {
            assert!(STOPS.get(language.code()).is_some_and(|words| words.len() > 15), "{}", language.code());
            for word in &STOPS[language.code()] {
                assert_eq!(fold(word), *word);
            }
        }
    }
}
