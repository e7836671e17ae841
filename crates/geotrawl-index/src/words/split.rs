//! Cuts text into words and folds them.
//!
//! Names of layers are written by machines as often as by people, so that words also end where `camelCase`,
//! `snake_case` and digits say so.

use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Longest word that is indexed or asked for, in bytes; beyond are hashes and encoded blobs.
pub const LONGEST_WORD: usize = 64;

/// A word in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece<'a> {
    pub from: usize,
    pub text: &'a str,
    /// It hangs together with the word before (`LandUse`, `land_use`).
    pub joined: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Lower,
    Upper,
    Digit,
    /// Letters of scripts without case.
    Other,
    /// Holds words together without being one of them: `_`, apostrophe.
    Glue,
    Gap,
}

fn class(c: char) -> Class {
    match c {
        'a'..='z' => Class::Lower,
        'A'..='Z' => Class::Upper,
        '0'..='9' => Class::Digit,
        '_' | '-' => Class::Glue,
        _ if c.is_ascii() => Class::Gap,
        _ if c.is_uppercase() => Class::Upper,
        _ if c.is_lowercase() => Class::Lower,
        _ if c.is_numeric() => Class::Digit,
        // A mark belongs to the letter before it.
        _ if c.is_alphanumeric() || is_combining_mark(c) => Class::Other,
        _ => Class::Gap,
    }
}

/// The words of a text, as they are written.
pub fn pieces(text: &str) -> Pieces<'_> {
    Pieces { text, at: 0, glued: false }
}

/// See [`pieces`].
pub struct Pieces<'a> {
    text: &'a str,
    at: usize,
    glued: bool,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let mut rest = self.text[self.at..].char_indices().peekable();
        let mut joined = self.glued;
        let (start, mut before) = loop {
            let (at, c) = rest.next()?;
            match class(c) {
                Class::Gap => joined = false,
                Class::Glue => {}
                found => break (self.at + at, found),
            }
        };
        let mut letters = 1;
        let mut end = self.text.len();
        self.glued = false;
        while let Some((at, c)) = rest.next() {
            let now = class(c);
            let cut = match (before, now) {
                (_, Class::Gap) => true,
                (_, Class::Glue) => {
                    self.glued = true;
                    true
                }
                (Class::Lower, Class::Upper) => true,
                // `WMSServer`: the last capital begins the next word.
                (Class::Upper, Class::Upper) => {
                    letters >= 1 && rest.peek().is_some_and(|(_, next)| class(*next) == Class::Lower)
                }
                (Class::Digit, Class::Lower | Class::Upper) => true,
                (Class::Lower | Class::Upper, Class::Digit) => letters > 2,
                _ => false,
            };
            if cut {
                end = self.at + at;
                self.glued |= !matches!(now, Class::Gap | Class::Glue);
                break;
            }
            letters += 1;
            before = now;
        }
        self.at = end;
        Some(Piece { from: start, text: &self.text[start..end], joined: joined && start > 0 })
    }
}

/// Lower case without accents: `Straße` and `STRASSE` are one word, `forêt` and `foret` too.
pub fn fold(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        if word.bytes().any(|b| b.is_ascii_uppercase()) {
            return Cow::Owned(word.to_ascii_lowercase());
        }
        return Cow::Borrowed(word);
    }
    let mut folded = String::with_capacity(word.len());
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
    Cow::Owned(folded)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        pieces(text).map(|piece| fold(piece.text).into_owned()).collect()
    }

    #[test]
    fn names_of_machines_are_cut() {
        assert_eq!(words("roads_2020_Utrecht"), ["roads", "2020", "utrecht"]);
        assert_eq!(words("LandUse"), ["land", "use"]);
        assert_eq!(words("landUse2018HD"), ["land", "use", "2018", "hd"]);
        assert_eq!(words("WMSServer"), ["wms", "server"]);
        assert_eq!(words("topp:states"), ["topp", "states"]);
        assert_eq!(words("PM10 CO2"), ["pm10", "co2"]);
        assert_eq!(words(" --__ "), Vec::<String>::new());
    }

    #[test]
    fn joined_words_say_so() {
        let joined: Vec<_> = pieces("LandUse map_x a").map(|piece| piece.joined).collect();
        assert_eq!(joined, [false, true, false, true, false]);
    }

    #[test]
    fn accents_go() {
        assert_eq!(words("Straße FORÊT Łódź Ærø Gewässer"), ["strasse", "foret", "lodz", "aero", "gewasser"]);
        assert_eq!(fold("e\u{301}te\u{301}"), "ete");
    }

    #[test]
    fn offsets_point_into_the_text() {
        let text = "Ä_bc déF";
        for piece in pieces(text) {
            assert_eq!(&text[piece.from..piece.from + piece.text.len()], piece.text);
        }
    }
}
