//! The languages with a stemmer.

use crate::stop_words::SEARCH_STOP_WORDS;
use crate::words::fold;
use frostem::{Algorithm, Stemmer};
use std::borrow::Cow;

/// A language with a stemmer. Its number is stored in the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language(u8);

/// A set of languages, one bit per language.
pub type LanguageSet = u32;

struct StemmedLanguage {
    /// ISO 639-1 code.
    code: &'static str,
    /// Three-letter codes and names used in metadata.
    aliases: &'static [&'static str],
    algorithm: Algorithm,
    detected: whatlang::Lang,
}

const LANGUAGES: &[StemmedLanguage] = &[
    stemmed("en", &["eng", "english"], Algorithm::English, whatlang::Lang::Eng),
    stemmed("de", &["ger", "deu", "german", "deutsch"], Algorithm::German, whatlang::Lang::Deu),
    stemmed("fr", &["fre", "fra", "french", "francais"], Algorithm::French, whatlang::Lang::Fra),
    stemmed("es", &["spa", "spanish", "espanol"], Algorithm::Spanish, whatlang::Lang::Spa),
    stemmed("it", &["ita", "italian", "italiano"], Algorithm::Italian, whatlang::Lang::Ita),
    stemmed("nl", &["dut", "nld", "dutch", "nederlands"], Algorithm::Dutch, whatlang::Lang::Nld),
    stemmed("pt", &["por", "portuguese", "portugues"], Algorithm::Portuguese, whatlang::Lang::Por),
    stemmed("pl", &["pol", "polish", "polski"], Algorithm::Polish, whatlang::Lang::Pol),
    stemmed("cs", &["cze", "ces", "czech", "cestina"], Algorithm::Czech, whatlang::Lang::Ces),
    stemmed("sv", &["swe", "swedish", "svenska"], Algorithm::Swedish, whatlang::Lang::Swe),
    stemmed("da", &["dan", "danish", "dansk"], Algorithm::Danish, whatlang::Lang::Dan),
    stemmed("no", &["nor", "nob", "nno", "nb", "nn", "norwegian"], Algorithm::Norwegian, whatlang::Lang::Nob),
    stemmed("fi", &["fin", "finnish", "suomi"], Algorithm::Finnish, whatlang::Lang::Fin),
    stemmed("ro", &["rum", "ron", "romanian"], Algorithm::Romanian, whatlang::Lang::Ron),
    stemmed("hu", &["hun", "hungarian", "magyar"], Algorithm::Hungarian, whatlang::Lang::Hun),
    stemmed("tr", &["tur", "turkish"], Algorithm::Turkish, whatlang::Lang::Tur),
    stemmed("ru", &["rus", "russian"], Algorithm::Russian, whatlang::Lang::Rus),
    stemmed("el", &["gre", "ell", "greek"], Algorithm::Greek, whatlang::Lang::Ell),
];

const fn stemmed(
    code: &'static str,
    aliases: &'static [&'static str],
    algorithm: Algorithm,
    detected: whatlang::Lang,
) -> StemmedLanguage {
    StemmedLanguage { code, aliases, algorithm, detected }
}

impl Language {
    /// English, the language of half of the web's metadata.
    pub const ENGLISH: Self = Self(0);

    /// Number of languages.
    pub(crate) const COUNT: usize = LANGUAGES.len();

    /// Returns all languages.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..LANGUAGES.len() as u8).map(Self)
    }

    /// Returns the language with this number in the index.
    pub fn from_number(number: u8) -> Option<Self> {
        (usize::from(number) < LANGUAGES.len()).then_some(Self(number))
    }

    /// Returns the number of the language in the index.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Returns the language with a name as used in metadata: `de`, `de-AT`, `ger`, `German`.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = fold(name.trim());
        let head = name.split(['-', '_', ';', ',']).next().unwrap_or_default();
        Self::find(|known| known.code == head || known.aliases.contains(&head))
    }

    pub(crate) fn from_detected(detected: whatlang::Lang) -> Option<Self> {
        Self::find(|known| known.detected == detected)
    }

    fn find(matches: impl Fn(&StemmedLanguage) -> bool) -> Option<Self> {
        LANGUAGES.iter().position(matches).map(|at| Self(at as u8))
    }

    fn known(self) -> &'static StemmedLanguage {
        &LANGUAGES[usize::from(self.0)]
    }

    /// Returns the ISO 639-1 code.
    pub fn code(self) -> &'static str {
        self.known().code
    }

    pub(crate) fn detected(self) -> whatlang::Lang {
        self.known().detected
    }

    /// Returns the bit of the language in a set.
    pub fn bit(self) -> LanguageSet {
        1 << self.0
    }

    /// Returns the languages of a set in order.
    pub fn languages_in(set: LanguageSet) -> impl Iterator<Item = Self> {
        let mut left = set;
        std::iter::from_fn(move || {
            let next = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            ((next as usize) < LANGUAGES.len()).then_some(Self(next as u8))
        })
    }

    /// Returns whether the language writes compounds as one word: `Waldfläche`.
    pub fn has_compounds(self) -> bool {
        matches!(self.code(), "de" | "nl" | "sv" | "da" | "no" | "fi")
    }

    /// Returns the folded stem of a lower-case word.
    pub fn stem(self, lower: &str) -> Cow<'_, str> {
        let known = self.known();
        let stem = match Stemmer::new(known.algorithm).stem(lower) {
            Cow::Borrowed(same) => fold(same),
            Cow::Owned(stem) => Cow::Owned(fold(&stem).into_owned()),
        };
        // The algorithm gives `rakennus` and `rakennukset` different stems.
        match stem.strip_suffix("ks").filter(|rest| known.code == "fi" && rest.ends_with(['u', 'y'])) {
            Some(rest) => Cow::Owned(format!("{rest}s")),
            None => stem,
        }
    }

    /// Returns whether a stem may lack the beginning of its word: Dutch stemming removes `ge`.
    pub fn strips_prefixes(self) -> bool {
        self.code() == "nl"
    }

    /// Returns whether search skips the folded word in this language.
    pub fn is_stop_word(self, folded: &str) -> bool {
        SEARCH_STOP_WORDS.languages_of(folded) & self.bit() != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_have_names() {
        assert_eq!(Language::from_name("de-AT").map(Language::code), Some("de"));
        assert_eq!(Language::from_name(" GER").map(Language::code), Some("de"));
        assert_eq!(Language::from_name("xx"), None);
        for language in Language::all() {
            assert_eq!(Language::from_number(language.number()), Some(language));
            assert_eq!(Language::from_name(language.code()), Some(language));
            assert_eq!(Language::from_detected(language.detected()), Some(language));
        }
        assert!(Language::languages_in(LanguageSet::MAX).eq(Language::all()));
    }

    #[test]
    fn words_of_one_meaning_have_one_stem() {
        let stem = |code: &str, word: &str| {
            Language::from_name(code).map(|language| language.stem(word).into_owned()).unwrap_or_default()
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
            for language in Language::all().filter(|language| !language.strips_prefixes()) {
                let stem = language.stem(&word);
                proptest::prop_assert!(
                    stem.is_empty() || stem.as_bytes()[0] == word.as_bytes()[0],
                    "{}: {word} {stem}", language.code()
                );
            }
        }

        #[test]
        fn no_word_breaks_a_stemmer(word in "\\PC{0,30}") {
            for language in Language::all() {
                let _ = language.stem(&word.to_lowercase());
            }
        }
    }
}
