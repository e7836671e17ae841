//! Character classes of XML 1.0 (fifth edition), as tables for the fast path and functions for the
//! rest.
//!
//! All inputs are valid UTF-8 (guaranteed by the decoder), so surrogates cannot occur.

/// White space: space, tab, line feed, carriage return.
const WS: u8 = 1;
/// May occur in a name. Bytes from 0x80 are marked too and checked as characters afterwards.
const NAME: u8 = 2;
/// May start a name.
const START: u8 = 4;

const fn classes() -> [u8; 256] {
    let mut table = [0u8; 256];
    let mut i = 0usize;
    while i < 256 {
        let b = i as u8;
        table[i] = match b {
            b' ' | b'\t' | b'\n' | b'\r' => WS,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b':' => NAME | START,
            b'0'..=b'9' | b'-' | b'.' => NAME,
            0x80..=0xFF => NAME | START,
            _ => 0,
        };
        i += 1;
    }
    table
}

static CLASS: [u8; 256] = classes();

/// Returns whether `b` is XML white space.
#[inline]
pub fn is_space(b: u8) -> bool {
    CLASS[b as usize] & WS != 0
}

/// Returns whether `b` may start a name. The result is only a guess for bytes of multi-byte
/// characters.
#[inline]
pub fn may_start_name(b: u8) -> bool {
    CLASS[b as usize] & START != 0
}

/// Returns the length of the run of name bytes at the start of `s`, and whether it has multi-byte
/// characters.
#[inline]
pub fn name_run(s: &[u8]) -> (usize, bool) {
    let mut high = 0u8;
    let mut n = 0;
    for &b in s {
        if CLASS[b as usize] & NAME == 0 {
            break;
        }
        high |= b;
        n += 1;
    }
    (n, high >= 0x80)
}

/// Returns the length of the run of white space at the start of `s`.
#[inline]
pub fn space_run(s: &[u8]) -> usize {
    s.iter().take_while(|b| is_space(**b)).count()
}

/// Returns whether `s` is only white space.
#[inline]
pub fn all_space(s: &[u8]) -> bool {
    s.iter().all(|b| is_space(*b))
}

/// Returns whether `name` (the result of [`name_run`]) is a `Name` of the specification.
pub fn is_name(name: &[u8], has_high: bool) -> bool {
    let Some(&first) = name.first() else { return false };
    if !may_start_name(first) {
        return false;
    }
    if !has_high {
        return true;
    }
    let Ok(text) = std::str::from_utf8(name) else { return false };
    let mut chars = text.chars();
    chars.next().is_some_and(is_name_start_char) && chars.all(is_name_char)
}

/// Returns whether all of `s` is a `Name`.
pub fn is_whole_name(s: &[u8]) -> bool {
    let (n, high) = name_run(s);
    n == s.len() && is_name(s, high)
}

/// Matches production `NameStartChar`.
pub fn is_name_start_char(c: char) -> bool {
    matches!(c,
        ':' | '_' | 'A'..='Z' | 'a'..='z'
        | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}'
        | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}'
        | '\u{2070}'..='\u{218F}' | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}'
        | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}' | '\u{10000}'..='\u{EFFFF}')
}

/// Matches production `NameChar`.
pub fn is_name_char(c: char) -> bool {
    is_name_start_char(c)
        || matches!(c, '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}

/// Matches production `Char`: the characters that a document may contain.
pub fn is_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

/// Returns 1 for control characters that XML does not allow. Returns a number rather than `bool`,
/// without branches, so that the compiler vectorises the loops below.
#[inline]
fn forbidden_control(b: u8) -> u8 {
    u8::from(b < 0x20) & u8::from(b != b'\n') & u8::from(b != b'\t') & u8::from(b != b'\r')
}

/// Returns whether text needs a closer look: references, `]` (of `]]>`), control characters, or the
/// lead byte of U+FFFE and U+FFFF.
#[inline]
pub fn text_needs_care(s: &[u8]) -> bool {
    let care = s.iter().fold(0, |care, &b| {
        care | u8::from(b == b'&') | u8::from(b == b']') | u8::from(b == 0xEF) | forbidden_control(b)
    });
    care != 0
}

/// Does the same for attribute values, where `<` is forbidden and `]` is not special.
#[inline]
pub fn value_needs_care(s: &[u8]) -> bool {
    let care = s.iter().fold(0, |care, &b| {
        care | u8::from(b == b'&') | u8::from(b == b'<') | u8::from(b == 0xEF) | forbidden_control(b)
    });
    care != 0
}

/// Returns the offset of the first character outside production `Char`.
pub fn find_bad_char(s: &[u8]) -> Option<usize> {
    let suspicious = s.iter().fold(0, |bad, &b| bad | u8::from(b == 0xEF) | forbidden_control(b));
    if suspicious == 0 {
        return None;
    }
    s.iter().enumerate().position(|(i, &b)| match b {
        b'\t' | b'\n' | b'\r' => false,
        0..0x20 => true,
        0xEF => s.get(i + 1) == Some(&0xBF) && matches!(s.get(i + 2), Some(0xBE | 0xBF)),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_fifth_edition() {
        for good in ["a", "_x", "a-b.c", "é", "名前", "a·", "a:b"] {
            assert!(is_whole_name(good.as_bytes()), "{good}");
        }
        for bad in ["", "1a", "-a", ".a", "a b", "×", "a×", "a/b", "·a"] {
            assert!(!is_whole_name(bad.as_bytes()), "{bad}");
        }
    }

    #[test]
    fn bad_characters_are_found() {
        assert_eq!(find_bad_char("ab\u{FFFE}".as_bytes()), Some(2));
        assert_eq!(find_bad_char("ab\u{FFFD}\u{1}".as_bytes()), Some(5));
        assert_eq!(find_bad_char("tab\t nl\n ok \u{7F}".as_bytes()), None);
        assert!(text_needs_care(b"a &amp; b"));
        assert!(!text_needs_care(b"plain text, no trouble: \n\t"));
    }
}
