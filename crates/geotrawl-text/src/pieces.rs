//! Cuts text into words and folds them.
//!
//! Names of layers are written by machines as often as by people, so words also end at `camelCase`, `snake_case` and
//! digits.

use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Longest word that is indexed, searched or labelled, in bytes. Longer ones are hashes and encoded blobs.
pub const LONGEST_WORD: usize = 64;

/// A word in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordToken<'a> {
    /// Byte offset of the word in the text.
    pub from: usize,
    /// The word as written.
    pub text: &'a str,
    /// Whether only glue (`_`, `-`) or nothing separates it from the word before: `LandUse`, `land_use`.
    pub joined: bool,
    /// Whether a mark that separates phrases precedes it: `.`, `;`, `,`, `!`, `?`, `|`, a line end.
    pub apart: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CharClass {
    Lower,
    Upper,
    Digit,
    /// Letters of scripts without case.
    Other,
    /// Joins words without being part of one: `_`, `-`.
    Glue,
    /// Separates two phrases.
    Mark,
    Gap,
}

fn class_of(c: char) -> CharClass {
    match c {
        'a'..='z' => CharClass::Lower,
        'A'..='Z' => CharClass::Upper,
        '0'..='9' => CharClass::Digit,
        '_' | '-' => CharClass::Glue,
        '.' | ';' | ',' | '!' | '?' | '|' | '\n' => CharClass::Mark,
        _ if c.is_ascii() => CharClass::Gap,
        _ if c.is_uppercase() => CharClass::Upper,
        _ if c.is_lowercase() => CharClass::Lower,
        _ if c.is_numeric() => CharClass::Digit,
        // A combining mark belongs to the letter before it.
        _ if c.is_alphanumeric() || is_combining_mark(c) => CharClass::Other,
        _ => CharClass::Gap,
    }
}

/// Returns the words of a text as written.
pub fn split_words(text: &str) -> WordTokens<'_> {
    WordTokens { text, at: 0, glued: false }
}

/// Iterator of [`pieces`].
pub struct WordTokens<'a> {
    text: &'a str,
    at: usize,
    /// The word before ended without a gap.
    glued: bool,
}

impl<'a> Iterator for WordTokens<'a> {
    type Item = WordToken<'a>;

    fn next(&mut self) -> Option<WordToken<'a>> {
        let mut rest = self.text[self.at..].char_indices().peekable();
        let mut joined = self.glued;
        let mut apart = false;
        let (start, mut before) = loop {
            let (at, c) = rest.next()?;
            match class_of(c) {
                CharClass::Gap => joined = false,
                CharClass::Mark => (joined, apart) = (false, true),
                CharClass::Glue => {}
                found => break (self.at + at, found),
            }
        };
        let mut letters = 1;
        let mut end = self.text.len();
        self.glued = false;
        while let Some((at, c)) = rest.next() {
            let now = class_of(c);
            let cut = match (before, now) {
                (_, CharClass::Gap | CharClass::Mark | CharClass::Glue)
                | (CharClass::Lower, CharClass::Upper) => true,
                // `WMSServer`: the last capital begins the next word.
                (CharClass::Upper, CharClass::Upper) => {
                    rest.peek().is_some_and(|(_, next)| class_of(*next) == CharClass::Lower)
                }
                (CharClass::Digit, CharClass::Lower | CharClass::Upper) => true,
                (CharClass::Lower | CharClass::Upper, CharClass::Digit) => letters > 2,
                _ => false,
            };
            if cut {
                end = self.at + at;
                self.glued = !matches!(now, CharClass::Gap | CharClass::Mark);
                break;
            }
            letters += 1;
            before = now;
        }
        self.at = end;
        Some(WordToken { from: start, text: &self.text[start..end], joined: joined && start > 0, apart })
    }
}

/// Returns the word in lower case without accents: `Straße` and `STRASSE` are one word, `forêt` and `foret` too.
pub fn fold(word: &str) -> Cow<'_, str> {
    if word.is_ascii() && !word.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return Cow::Borrowed(word);
    }
    let mut folded = String::with_capacity(word.len());
    fold_into(word, &mut folded);
    Cow::Owned(folded)
}

/// Appends what [`fold`] returns.
pub fn fold_into(word: &str, folded: &mut String) {
    if word.is_ascii() {
        let start = folded.len();
        folded.push_str(word);
        folded[start..].make_ascii_lowercase();
        return;
    }
    for c in word.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase) {
        match c {
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'ø' => folded.push('o'),
            'đ' | 'ð' => folded.push('d'),
            'ł' => folded.push('l'),
            'ħ' => folded.push('h'),
            'ı' => folded.push('i'),
            'þ' => folded.push_str("th"),
            _ if is_combining_mark(c) => {}
            _ => folded.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        split_words(text).map(|piece| fold(piece.text).into_owned()).collect()
    }

    #[test]
    fn names_of_machines_are_cut() {
        assert_eq!(words("roads_2020_Utrecht"), ["roads", "2020", "utrecht"]);
        assert_eq!(words("LandUse"), ["land", "use"]);
        assert_eq!(words("landUse2018HD"), ["land", "use", "2018", "hd"]);
        assert_eq!(words("WMSServer topp:states"), ["wms", "server", "topp", "states"]);
        assert_eq!(words("built-up PM10 CO2"), ["built", "up", "pm10", "co2"]);
        assert_eq!(words(" --__ "), Vec::<String>::new());
    }

    #[test]
    fn joined_words_are_flagged() {
        let joined: Vec<_> = split_words("LandUse map_x a").map(|piece| piece.joined).collect();
        assert_eq!(joined, [false, true, false, true, false]);
    }

    #[test]
    fn marks_separate_phrases() {
        let apart: Vec<bool> = split_words("land, use of land-use").map(|piece| piece.apart).collect();
        assert_eq!(apart, [false, true, false, false, false]);
        assert!(split_words("land,_use").all(|piece| !piece.joined));
    }

    #[test]
    fn accents_go() {
        assert_eq!(words("Straße FORÊT Łódź Ærø Gewässer"), ["strasse", "foret", "lodz", "aero", "gewasser"]);
        assert_eq!(fold("e\u{301}te\u{301}"), "ete");
    }

    proptest::proptest! {
        #[test]
        fn pieces_are_parts_of_the_text(text in ".{0,200}") {
            for piece in split_words(&text) {
                proptest::prop_assert_eq!(&text[piece.from..piece.from + piece.text.len()], piece.text);
                proptest::prop_assert!(!piece.text.is_empty());
            }
        }
    }
}
