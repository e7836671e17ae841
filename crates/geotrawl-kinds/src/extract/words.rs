//! The words around a link.

/// What is kept of them, in characters.
const MAX_CHARACTERS: usize = 200;
/// Of which before the link at most (bytes).
const BEFORE: usize = 60;
/// Of the link's own text at most (bytes).
const OWN: usize = 120;

/// The text of a link between its neighbours, blanks collapsed, at most 200 characters, cut at words.
pub(super) fn around(text: &str, from: usize, to: usize) -> String {
    let from = text.floor_char_boundary(from);
    let to = text.floor_char_boundary(to.clamp(from, from.saturating_add(OWN)));
    let start = text.floor_char_boundary(from.saturating_sub(BEFORE));
    let end = text.floor_char_boundary(start.saturating_add(MAX_CHARACTERS).max(to));
    let before = text.get(start..from).unwrap_or_default();
    // The first word is cut unless the text begins there.
    let before = if start == 0 { before } else { before.split_once(' ').map_or("", |(_, rest)| rest) };
    let after = text.get(to..end).unwrap_or_default();
    let after = if end == text.len() { after } else { after.rsplit_once(' ').map_or("", |(kept, _)| kept) };
    let own = text.get(from..to).unwrap_or_default();
    let mut out = String::with_capacity(before.len() + own.len() + after.len());
    for piece in [before, own, after] {
        push_collapsed(piece, &mut out);
    }
    out.truncate(out.trim_end().len());
    limit(&mut out, MAX_CHARACTERS);
    out
}

/// Appends text with every run of blanks as one blank, none at the start.
pub(super) fn push_collapsed(text: &str, out: &mut String) {
    let mut blank = out.is_empty() || out.ends_with(' ');
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte <= b' ' {
            if !blank {
                out.push_str(text.get(from..at).unwrap_or_default());
                out.push(' ');
            }
            from = at + 1;
            blank = true;
        } else {
            blank = false;
        }
    }
    out.push_str(text.get(from..).unwrap_or_default());
}

/// Cuts after a number of characters.
pub(super) fn limit(text: &mut String, characters: usize) {
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
        assert_eq!(around(text, at, at + 3), "Our data are offered as WMS and as WFS for everybody.");
        assert_eq!(around("", 0, 0), "");
        assert_eq!(around("ab", 7, 9), "ab");
    }

    #[test]
    fn long_text_is_cut_at_words() {
        let text = "wörd ".repeat(100);
        let words = around(&text, 300, 310);
        assert!(words.chars().count() <= 200 && words.len() > 150, "{words}");
        assert!(words.split(' ').all(|w| w == "wörd"), "{words}");
        let dense = "ä".repeat(2000);
        assert!(around(&dense, 1000, 1900).chars().count() <= 200);
    }
}
