//! The languages that are stemmed, how they are told, and their words without meaning.

use crate::lexicon::{NumberMap, hash};
use crate::words::{fold, pieces};
use frostem::{Algorithm, Stemmer};
use std::sync::LazyLock;

/// A language with a stemmer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language(u8);

/// A set of languages, a bit each.
pub type Languages = u32;

struct Known {
    code: &'static str,
    others: &'static [&'static str],
    algorithm: Algorithm,
    whatlang: whatlang::Lang,
    /// Endings by which forms of one noun differ; `None`: any of up to three letters.
    endings: Option<&'static [&'static str]>,
}

const ENGLISH: &[&str] = &["", "s", "es", "y", "ies", "e", "ed", "ing", "d"];
const GERMAN: &[&str] = &["", "e", "en", "er", "ern", "es", "n", "s", "em", "se", "sen"];
const FRENCH: &[&str] =
    &["", "s", "x", "es", "e", "al", "aux", "ale", "ales", "if", "ive", "ier", "iers", "iere", "ieres"];
const SPANISH: &[&str] = &["", "s", "es", "a", "o", "as", "os", "e", "on", "ones"];
const ITALIAN: &[&str] = &["", "a", "o", "e", "i", "he", "hi", "io", "ie", "ia"];
const DUTCH: &[&str] = &["", "e", "en", "s", "n", "es", "ren", "eren"];
const PORTUGUESE: &[&str] = &["", "s", "es", "a", "o", "as", "os", "e", "ao", "oes", "is", "l", "al", "ais"];

const KNOWN: &[Known] = &[
    known("en", &["eng", "english"], Algorithm::English, whatlang::Lang::Eng, Some(ENGLISH)),
    known("de", &["ger", "deu", "german", "deutsch"], Algorithm::German, whatlang::Lang::Deu, Some(GERMAN)),
    known("fr", &["fre", "fra", "french", "francais"], Algorithm::French, whatlang::Lang::Fra, Some(FRENCH)),
    known("es", &["spa", "spanish", "espanol"], Algorithm::Spanish, whatlang::Lang::Spa, Some(SPANISH)),
    known("it", &["ita", "italian", "italiano"], Algorithm::Italian, whatlang::Lang::Ita, Some(ITALIAN)),
    known("nl", &["dut", "nld", "dutch", "nederlands"], Algorithm::Dutch, whatlang::Lang::Nld, Some(DUTCH)),
    known(
        "pt",
        &["por", "portuguese", "portugues"],
        Algorithm::Portuguese,
        whatlang::Lang::Por,
        Some(PORTUGUESE),
    ),
    known("pl", &["pol", "polish", "polski"], Algorithm::Polish, whatlang::Lang::Pol, None),
    known("cs", &["cze", "ces", "czech", "cestina"], Algorithm::Czech, whatlang::Lang::Ces, None),
    known("sv", &["swe", "swedish", "svenska"], Algorithm::Swedish, whatlang::Lang::Swe, None),
    known("da", &["dan", "danish", "dansk"], Algorithm::Danish, whatlang::Lang::Dan, None),
    known(
        "no",
        &["nor", "nob", "nno", "nb", "nn", "norwegian"],
        Algorithm::Norwegian,
        whatlang::Lang::Nob,
        None,
    ),
    known("fi", &["fin", "finnish", "suomi"], Algorithm::Finnish, whatlang::Lang::Fin, None),
    known("ro", &["rum", "ron", "romanian"], Algorithm::Romanian, whatlang::Lang::Ron, None),
    known("hu", &["hun", "hungarian", "magyar"], Algorithm::Hungarian, whatlang::Lang::Hun, None),
    known("tr", &["tur", "turkish"], Algorithm::Turkish, whatlang::Lang::Tur, None),
    known("ru", &["rus", "russian"], Algorithm::Russian, whatlang::Lang::Rus, None),
    known("el", &["gre", "ell", "greek"], Algorithm::Greek, whatlang::Lang::Ell, None),
];

const fn known(
    code: &'static str,
    others: &'static [&'static str],
    algorithm: Algorithm,
    whatlang: whatlang::Lang,
    endings: Option<&'static [&'static str]>,
) -> Known {
    Known { code, others, algorithm, whatlang, endings }
}

/// One line a language: its code, then its words without meaning, folded.
const STOP_WORDS: &str = include_str!("stop-words.txt");

/// Hashes of folded words without meaning, and in which languages they are.
static STOPS: LazyLock<NumberMap<Languages>> = LazyLock::new(|| {
    let mut stops: NumberMap<Languages> = NumberMap::default();
    for (code, words) in STOP_WORDS.lines().filter_map(|line| line.split_once(':')) {
        let Some(language) = Language::named(code) else { continue };
        for word in words.split_whitespace() {
            *stops.entry(hash(0, word.as_bytes())).or_default() |= language.bit();
        }
    }
    stops
});

static DETECTOR: LazyLock<whatlang::Detector> =
    LazyLock::new(|| whatlang::Detector::with_allowlist(KNOWN.iter().map(|known| known.whatlang).collect()));

/// Words without meaning in one language that mean something in another: they do not tell the language.
const TELL_NOTHING: &[&str] = &["sea", "hay", "las", "les", "son", "over", "under", "all", "off", "mas"];

/// Longest word without meaning, in bytes.
const LONGEST_STOP: usize = 12;

impl Language {
    /// English, which half of the web's metadata speak.
    pub const ENGLISH: Self = Self(0);

    /// All that can be stemmed.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..KNOWN.len() as u8).map(Self)
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

    /// Its bit in a set.
    pub fn bit(self) -> Languages {
        1 << self.0
    }

    /// Those of a set, in order.
    pub fn in_set(set: Languages) -> impl Iterator<Item = Self> {
        let mut left = set;
        std::iter::from_fn(move || {
            let next = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            ((next as usize) < KNOWN.len()).then_some(Self(next as u8))
        })
    }

    /// Whether it makes one word of several: `Waldfläche`.
    pub fn compounds(self) -> bool {
        matches!(self.code(), "de" | "nl" | "sv" | "da" | "no" | "fi")
    }

    /// The folded stem of a word in lower case.
    pub fn stem(self, lower: &str) -> String {
        match KNOWN.get(usize::from(self.0)) {
            Some(known) => fold(&Stemmer::new(known.algorithm).stem(lower)),
            None => fold(lower),
        }
    }

    /// Whether two folded words of one stem are forms of one noun. Stems alone join too much: `Oliver` and `olive`,
    /// `port` and `porte`.
    pub fn are_forms(self, one: &str, other: &str) -> bool {
        if one == other {
            return true;
        }
        let same: usize =
            one.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
        let (one_end, other_end) = (&one[same..], &other[same..]);
        // `portes` is not the plural of `port`.
        let sibilant = one[..same].ends_with(['s', 'x', 'z', 'h', 'o', 'c', 'g']);
        if self == Self::ENGLISH && !sibilant && (one_end == "es" || other_end == "es") {
            return false;
        }
        // `zone` is not `zoning`: one of the two is the other with an ending.
        if self == Self::ENGLISH && ![one_end, other_end].iter().any(|end| matches!(*end, "" | "y")) {
            return false;
        }
        match KNOWN.get(usize::from(self.0)).and_then(|known| known.endings) {
            // What turns a French noun into another word is an ending of a longer one.
            Some(_) if self.code() == "fr" && same <= 5 => {
                matches!(one_end, "" | "s" | "x") && matches!(other_end, "" | "s" | "x")
            }
            Some(endings) => endings.contains(&one_end) && endings.contains(&other_end),
            None => one_end.chars().count() <= 3 && other_end.chars().count() <= 3,
        }
    }
}

/// In which languages a folded word carries no meaning.
pub fn stop_word(folded: &str) -> Languages {
    if folded.len() > LONGEST_STOP { 0 } else { STOPS.get(&hash(0, folded.as_bytes())).copied().unwrap_or(0) }
}

/// In which languages a text seems to be written; 0 when it does not say. By its words without meaning, and by
/// statistics where these are silent or in doubt and the text is long enough.
pub fn told(texts: &[&str]) -> Languages {
    let mut votes = [0_u32; KNOWN.len()];
    let mut folded = String::new();
    for piece in texts.iter().flat_map(|text| pieces(text)).take(300) {
        if piece.text.len() > LONGEST_STOP {
            continue;
        }
        folded.clear();
        crate::words::fold_into(piece.text, &mut folded);
        let spoken = stop_word(&folded);
        if spoken != 0 && !TELL_NOTHING.contains(&folded.as_str()) {
            for language in Language::in_set(spoken) {
                votes[usize::from(language.0)] += 1;
            }
        }
    }
    let most = votes.iter().copied().max().unwrap_or(0);
    let leading: Languages =
        Language::all().filter(|language| votes[usize::from(language.0)] == most).map(Language::bit).sum();
    if most >= 3 && leading.is_power_of_two() {
        // Several languages in one text: those that come near the first.
        return Language::all()
            .filter(|language| votes[usize::from(language.0)] * 10 >= most * 7)
            .map(Language::bit)
            .sum();
    }
    let longest = texts.iter().max_by_key(|text| text.len()).copied().unwrap_or_default();
    if longest.len() >= 60 {
        let end = longest.char_indices().nth(240).map_or(longest.len(), |(at, _)| at);
        let found =
            DETECTOR.detect(&longest[..end]).filter(|info| info.is_reliable() || info.confidence() >= 0.8);
        if let Some(found) = found
            && let Some(at) = KNOWN.iter().position(|known| known.whatlang == found.lang())
        {
            return Language(at as u8).bit() | if most > 0 { leading } else { 0 };
        }
    }
    if most == 0 { 0 } else { leading }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told_codes(text: &str) -> Vec<&'static str> {
        Language::in_set(told(&[text])).map(Language::code).collect()
    }

    #[test]
    fn languages_are_told() {
        assert_eq!(Language::named("de-AT").map(Language::code), Some("de"));
        assert_eq!(Language::named("xx"), None);
        assert_eq!(told_codes("Der Dienst stellt die Grenzen der Länder und Gemeinden bereit"), ["de"]);
        assert_eq!(told_codes("Wald und Flur"), ["de"]);
        assert_eq!(told_codes("En este servicio no hay datos de los ríos"), ["es"]);
        assert!(told_codes("wms").is_empty());
    }

    #[test]
    fn forms_are_of_one_noun() {
        let forms = |code: &str, one: &str, other: &str| {
            let language = Language::named(code).unwrap();
            language.stem(one) == language.stem(other) && language.are_forms(&fold(one), &fold(other))
        };
        for (code, one, other) in [
            ("en", "forest", "forests"),
            ("en", "glacier", "glaciers"),
            ("en", "flood", "flooding"),
            ("de", "wald", "wälder"),
            ("de", "straße", "straßen"),
            ("fr", "forêt", "forêts"),
            ("es", "bosque", "bosques"),
            ("it", "bosco", "boschi"),
        ] {
            assert!(forms(code, one, other), "{code} {one} {other}");
        }
        for (code, one, other) in
            [("en", "olive", "oliver"), ("fr", "port", "porte"), ("en", "port", "portal")]
        {
            assert!(!forms(code, one, other), "{code} {one} {other}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_word_breaks_a_stemmer(word in "\\PC{0,30}", other in "\\PC{0,30}") {
            for language in Language::all() {
                let _ = language.stem(&word.to_lowercase());
                let _ = language.are_forms(&word, &other);
            }
            let _ = told(&[&word]);
        }
    }
}
