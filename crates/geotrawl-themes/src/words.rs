//! Cuts text into words and folds them.
//!
//! Names of layers are written by machines as often as by people, so that words also end where `camelCase`,
//! `snake_case` and digits say so. The rules are those of the index, so that a theme and a search see the same words;
//! written anew because the index stands above this crate and holds a database.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Longest word that is looked at, in bytes; beyond are hashes and encoded blobs.
pub const LONGEST_WORD: usize = 64;

/// A word in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece<'a> {
    /// Where it begins, in bytes.
    pub from: usize,
    /// As it is written.
    pub text: &'a str,
    /// A sentence, a line or a list goes on behind a mark that parts phrases: `.`, `;`, `:`, a comma, a line end.
    pub apart: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Lower,
    Upper,
    Digit,
    /// Letters of scripts without case.
    Other,
    /// Parts two phrases.
    Mark,
    Gap,
}

fn class(c: char) -> Class {
    match c {
        'a'..='z' => Class::Lower,
        'A'..='Z' => Class::Upper,
        '0'..='9' => Class::Digit,
        '.' | ';' | ',' | '!' | '?' | '|' | '\n' => Class::Mark,
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
    Pieces { text, at: 0 }
}

/// See [`pieces`].
pub struct Pieces<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let mut rest = self.text[self.at..].char_indices().peekable();
        let mut apart = false;
        let (start, mut before) = loop {
            let (at, c) = rest.next()?;
            match class(c) {
                Class::Gap => {}
                Class::Mark => apart = true,
                found => break (self.at + at, found),
            }
        };
        let mut letters = 1;
        let mut end = self.text.len();
        while let Some((at, c)) = rest.next() {
            let now = class(c);
            let cut = match (before, now) {
                (_, Class::Gap | Class::Mark) | (Class::Lower, Class::Upper) => true,
                // `WMSServer`: the last capital begins the next word.
                (Class::Upper, Class::Upper) => {
                    rest.peek().is_some_and(|(_, next)| class(*next) == Class::Lower)
                }
                (Class::Digit, Class::Lower | Class::Upper) => true,
                (Class::Lower | Class::Upper, Class::Digit) => letters > 2,
                _ => false,
            };
            if cut {
                end = self.at + at;
                break;
            }
            letters += 1;
            before = now;
        }
        self.at = end;
        Some(Piece { from: start, text: &self.text[start..end], apart })
    }
}

/// Appends the word in lower case without accents: `Straße` and `STRASSE` are one word, `forêt` and `foret` too.
pub fn fold_into(word: &str, folded: &mut String) {
    if word.is_ascii() {
        folded.extend(word.bytes().map(|byte| char::from(byte.to_ascii_lowercase())));
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

/// See [`fold_into`].
pub fn fold(word: &str) -> String {
    let mut folded = String::with_capacity(word.len());
    fold_into(word, &mut folded);
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        pieces(text).map(|piece| fold(piece.text)).collect()
    }

    #[test]
    fn names_of_machines_are_cut() {
        assert_eq!(words("roads_2020_Utrecht"), ["roads", "2020", "utrecht"]);
        assert_eq!(words("landUse2018HD"), ["land", "use", "2018", "hd"]);
        assert_eq!(words("WMSServer topp:states"), ["wms", "server", "topp", "states"]);
        assert_eq!(words("built-up PM10"), ["built", "up", "pm10"]);
        assert_eq!(words(" --__ "), Vec::<String>::new());
    }

    #[test]
    fn marks_part_phrases() {
        let apart: Vec<bool> = pieces("land, use of land-use").map(|piece| piece.apart).collect();
        assert_eq!(apart, [false, true, false, false, false]);
    }

    #[test]
    fn accents_go() {
        assert_eq!(words("Straße FORÊT Łódź Ærø"), ["strasse", "foret", "lodz", "aero"]);
        assert_eq!(fold("e\u{301}te\u{301}"), "ete");
    }

    proptest::proptest! {
        #[test]
        fn pieces_stand_in_the_text(text in ".{0,200}") {
            for piece in pieces(&text) {
                proptest::prop_assert_eq!(&text[piece.from..piece.from + piece.text.len()], piece.text);
                proptest::prop_assert!(!piece.text.is_empty());
            }
        }
    }
}
