//! Resolves references in raw text and tidies text for display.

use super::entities::{EntityReference, EntityTable, parse_reference, predefined_entity};
use memchr::memchr;
use std::borrow::Cow;

/// Appends `raw` with its references resolved. Unknown references are kept as written.
pub(super) fn append_resolved(raw: &[u8], entities: &EntityTable, out: &mut String) {
    let mut rest = raw;
    while let Some(i) = memchr(b'&', rest) {
        push_utf8(out, &rest[..i]);
        let (reference, len) = parse_reference(&rest[i..]);
        match reference {
            EntityReference::Char(c) => out.push(c),
            EntityReference::Name(name) => match predefined_entity(name) {
                Some(c) => out.push(c),
                None => match entities.plain_text(name).or_else(|| html_entity(name)) {
                    Some(text) => out.push_str(text),
                    None => push_utf8(out, &rest[i..i + len]),
                },
            },
            EntityReference::Broken => out.push('&'),
        }
        rest = &rest[i + len..];
    }
    push_utf8(out, rest);
}

/// Appends bytes that are valid UTF-8.
pub(super) fn push_utf8(out: &mut String, bytes: &[u8]) {
    match std::str::from_utf8(bytes) {
        Ok(text) => out.push_str(text),
        // Unreachable: the decoder returns whole characters only.
        Err(_) => out.push_str(&String::from_utf8_lossy(bytes)),
    }
}

/// Returns the text of a named HTML entity.
pub(super) fn html_entity(name: &[u8]) -> Option<&'static str> {
    quick_xml::escape::resolve_html5_entity(std::str::from_utf8(name).ok()?)
}

/// Tidies text for display: trims it, collapses white space, resolves HTML entities that were
/// escaped twice, removes HTML tags, and truncates it at a word to `cap` bytes. Returns `None` if
/// nothing is left.
pub fn tidy_text(text: &str, cap: usize) -> Option<String> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    if text.len() <= cap && is_tidy(text.as_bytes()) {
        return Some(text.to_owned());
    }
    // Four times the limit is enough input, because collapsing rarely shortens a text that much.
    let window = cut(text, cap.saturating_mul(4).max(4096));
    let resolved = without_tags(unescape_html(window));
    let mut out = String::with_capacity(resolved.len().min(cap + 4));
    let mut overflow = window.len() < text.len();
    for word in resolved.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()) {
        let gap = usize::from(!out.is_empty());
        if out.len() + gap + word.len() > cap {
            overflow = true;
            if out.is_empty() {
                out.push_str(cut(word, cap));
            }
            break;
        }
        if gap == 1 {
            out.push(' ');
        }
        out.push_str(word);
    }
    if out.is_empty() {
        return None;
    }
    if overflow {
        out.push('…');
    }
    Some(out)
}

/// Returns whether text needs no tidying (single spaces, no references, tags or unusual white
/// space), which is the usual case. Free of branches inside the loops, so that the compiler
/// vectorises them.
fn is_tidy(bytes: &[u8]) -> bool {
    let odd = bytes.iter().fold(0, |odd, &b| {
        // The lead bytes of all non-ASCII white space and control characters are among these.
        let exotic = u8::from(b == 0xC2) | u8::from(b == 0xE1) | u8::from(b == 0xE2) | u8::from(b == 0xE3);
        odd | u8::from(b < b' ') | u8::from(b == 0x7F) | u8::from(b == b'<') | u8::from(b == b'&') | exotic
    });
    let pairs = bytes.iter().zip(bytes.iter().skip(1));
    let gaps = pairs.fold(0, |gaps, (&a, &b)| gaps | (u8::from(a == b' ') & u8::from(b == b' ')));
    odd | gaps == 0
}

fn cut(text: &str, cap: usize) -> &str {
    &text[..text.floor_char_boundary(cap)]
}

/// HTML elements that occur in descriptions, and whether they separate words. Other tags may be
/// meant literally, as in `<5 m`.
const TAGS: &[(&str, bool)] = &[
    ("a", false),
    ("b", false),
    ("big", false),
    ("blockquote", true),
    ("br", true),
    ("center", true),
    ("code", false),
    ("div", true),
    ("em", false),
    ("font", false),
    ("h1", true),
    ("h2", true),
    ("h3", true),
    ("h4", true),
    ("h5", true),
    ("h6", true),
    ("hr", true),
    ("i", false),
    ("img", false),
    ("li", true),
    ("ol", true),
    ("p", true),
    ("pre", true),
    ("small", false),
    ("span", false),
    ("strong", false),
    ("sub", false),
    ("sup", false),
    ("table", true),
    ("tbody", true),
    ("td", true),
    ("th", true),
    ("tr", true),
    ("tt", false),
    ("u", false),
    ("ul", true),
];

/// Removes HTML tags.
fn without_tags(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains('<') {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        let tag = &rest[at + 1..];
        let name = tag.strip_prefix('/').unwrap_or(tag);
        let name_len = name.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let known = TAGS.iter().find(|(t, _)| name[..name_len].eq_ignore_ascii_case(t));
        let after = name[name_len..].chars().next();
        let delimited = after.is_some_and(|c| c == '>' || c == '/' || c.is_ascii_whitespace());
        let Some(end) = tag.find('>') else {
            rest = &rest[at..];
            break;
        };
        match known {
            Some((_, parts_words)) if delimited => {
                if *parts_words {
                    out.push(' ');
                }
                rest = &tag[end + 1..];
            }
            _ => {
                out.push('<');
                rest = tag;
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn unescape_html(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    append_resolved(text.as_bytes(), &EntityTable::default(), &mut out);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_tidied() {
        assert_eq!(tidy_text("  a \n\t b  ", 100).as_deref(), Some("a b"));
        assert_eq!(tidy_text("plain words", 100).as_deref(), Some("plain words"));
        assert_eq!(tidy_text(" \n ", 100), None);
        assert_eq!(
            tidy_text("Z&uuml;rich &amp; Gen&egrave;ve&nbsp;!", 100).as_deref(),
            Some("Zürich & Genève !")
        );
        assert_eq!(
            tidy_text("See <a href='http://x'>the <B>page</B></a><br/>now, < 5 m <b", 100).as_deref(),
            Some("See the page now, < 5 m <b")
        );
        assert_eq!(tidy_text("a & b &foo; c", 100).as_deref(), Some("a & b &foo; c"));
        assert_eq!(tidy_text("one two three", 9).as_deref(), Some("one two…"));
        assert_eq!(tidy_text(&"ü".repeat(20), 9).as_deref(), Some("üüüü…"));
    }

    #[test]
    fn references_are_resolved_and_the_rest_is_kept() {
        let mut out = String::new();
        append_resolved("x &lt;&#252;&unknown; a&b &".as_bytes(), &EntityTable::default(), &mut out);
        assert_eq!(out, "x <ü&unknown; a&b &");
    }
}
