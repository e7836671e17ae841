//! The words around a link.

use std::ops::Range;

/// Maximum length of the result, in characters.
const MAX_CHARACTERS: usize = 200;
/// Maximum length of the link's own text, in bytes.
const OWN: usize = 100;
/// Maximum length of the neighbouring text on each side, in bytes.
const SIDE: usize = 44;
/// Separator between the link's own text and its neighbours.
const SEPARATOR: &str = " · ";

/// Returns the words before and after a position.
pub(super) fn words_near(text: &str, at: usize) -> String {
    words_around(text, at..at, false)
}

/// Returns the text of a link and its neighbours: `own · before after`. Blanks are collapsed, and
/// the text is cut between words to at most 200 characters. Either part may be missing. Without
/// `own`, as for an address in running text, the range itself is omitted.
pub(super) fn words_around(text: &str, range: Range<usize>, own: bool) -> String {
    let Range { start: from, end: to } = range;
    let from = text.floor_char_boundary(from);
    let to = text.floor_char_boundary(to.max(from));
    let start = text.floor_char_boundary(from.saturating_sub(SIDE));
    let end = text.floor_char_boundary(to.saturating_add(SIDE));
    let own_end = text.floor_char_boundary(to.min(from.saturating_add(OWN)));
    let mut out = String::with_capacity(OWN + 2 * SIDE + SEPARATOR.len());
    if own {
        push_collapsed(text.get(from..own_end).unwrap_or_default(), &mut out);
    }
    out.truncate(out.trim_ascii_end().len());
    let own = out.len();
    // Drop the outermost word on either side, which may be cut, unless the text ends there.
    let before = text.get(start..from).unwrap_or_default();
    let before = if start == 0 { before } else { before.split_once(' ').map_or("", |(_, rest)| rest) };
    let after = text.get(to..end).unwrap_or_default();
    let after = if end == text.len() { after } else { after.rsplit_once(' ').map_or("", |(kept, _)| kept) };
    if own > 0 {
        out.push_str(SEPARATOR);
    }
    push_collapsed(before, &mut out);
    push_collapsed(after, &mut out);
    out.truncate(out.trim_ascii_end().len());
    if own > 0 && out.len() <= own + SEPARATOR.len() {
        out.truncate(own);
    }
    truncate_chars(&mut out, MAX_CHARACTERS);
    out
}

/// Appends text with every run of blanks collapsed, and without leading blanks.
pub(super) fn push_collapsed(text: &str, out: &mut String) {
    let blank = out.is_empty() || out.ends_with(' ');
    let text = if blank { text.trim_ascii_start() } else { text };
    let bytes = text.as_bytes();
    // Nearly all text has only single blanks. Loops without an early exit compile to vector
    // instructions.
    let control = bytes.iter().fold(0, |found, b| found | u8::from(*b < b' '));
    let pairs = bytes.iter().zip(bytes.get(1..).unwrap_or_default());
    let double = pairs.fold(0, |found, (a, b)| found | (u8::from(*a == b' ') & u8::from(*b == b' ')));
    if control | double == 0 {
        // If `out` ended with a blank, the leading blanks of `text` were trimmed above.
        out.push_str(text);
        return;
    }
    for piece in text.split(|c: char| c <= ' ') {
        if !piece.is_empty() {
            out.push_str(piece);
            out.push(' ');
        } else if !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
    }
    // The last piece ends the text, so its trailing blank was added by the loop.
    if !text.ends_with(|c: char| c <= ' ') {
        out.pop();
    }
}

/// Truncates text to a number of characters.
pub(super) fn truncate_chars(text: &mut String, characters: usize) {
    if text.len() > characters
        && let Some((at, _)) = text.char_indices().nth(characters)
    {
        text.truncate(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_keeps_its_neighbours() {
        let text = "Our data  are offered as WMS and as\n WFS for everybody.";
        let at = text.find("WMS").unwrap();
        assert_eq!(
            words_around(text, at..at + 3, true),
            "WMS · Our data are offered as and as WFS for everybody."
        );
        assert_eq!(words_near(text, at), "Our data are offered as WMS and as WFS for everybody.");
        assert_eq!(
            words_around(text, at..at + 3, false),
            "Our data are offered as and as WFS for everybody."
        );
        assert_eq!(words_around("WMS", 0..3, true), "WMS");
        assert_eq!(words_around(" ", 0..1, true), "");
        assert_eq!(words_near("", 0), "");
        assert_eq!(words_around("ab", 7..9, true), "ab");
    }

    #[test]
    fn long_text_is_cut_at_words() {
        let text = "wörd ".repeat(100);
        let words = words_around(&text, 300..480, true);
        assert!(words.chars().count() <= 200 && words.len() > 150, "{words}");
        assert!(words.split(' ').all(|w| "wörd".starts_with(w) || w == "·"), "{words}");
        let dense = "ä".repeat(2000);
        assert!(words_around(&dense, 1000..1900, true).chars().count() <= 200);
    }
}
