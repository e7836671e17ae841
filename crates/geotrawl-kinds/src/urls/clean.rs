//! Turns raw attributes and pieces of text into the URLs that their authors meant.

use super::canonical::strip_user_and_fragment;
use super::entities::unescape_entities;
use std::borrow::Cow;
use url::{Host, Url};

/// Maximum length of a raw link; longer ones are data, not URLs.
pub const MAX_RAW: usize = 8_192;

/// Characters that prose puts after a URL, in any order and number.
const TRAILING: &[char] =
    &['.', ',', ';', ':', '!', '\'', '"', '`', '>', '”', '’', '»', '“', '…', '*', '|', '\\', '&', '?'];
/// Characters that prose puts before a URL.
const LEADING: &[char] = &['\'', '"', '`', '<', '(', '[', '{', '“', '‘', '«', '„', '*', '|', '\\'];
/// Keys that often start a second query by mistake: `?map=x?SERVICE=WMS`.
const SECOND_QUERY_KEYS: &[&str] = &["service", "request", "version", "map", "layers", "wmtver"];

/// Parses a URL found in running text: decodes character references, however often they were
/// encoded, trims quotes, brackets and punctuation, repairs a second `?`, and resolves relative
/// references. Returns `None` for anything but a fetchable `http` or `https` URL.
pub fn clean_link(raw: &str, base: &Url) -> Option<Url> {
    let text = unescaped(raw)?;
    let text = without_next_cell(without_fragment(text.trim()));
    resolve(trimmed(text), base)
}

/// Like [`clean_link`], for the value of an attribute: trims only blanks and stray quotes, as its
/// end is known.
pub fn clean_attribute(raw: &str, base: &Url) -> Option<Url> {
    let text = unescaped(raw)?;
    let text = without_stray_marks(without_fragment(text.trim()));
    resolve(text, base)
}

/// Trims blanks and quotes around a URL, and an empty end of the query, which may hide more of
/// them.
fn without_stray_marks(mut text: &str) -> &str {
    let stray = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '\u{200b}' | '\u{feff}');
    loop {
        let mut rest = text.trim_matches(stray).trim_end_matches('?');
        if rest.ends_with('&') && rest.contains('?') {
            rest = rest.trim_end_matches('&');
        }
        if rest.len() == text.len() {
            return text;
        }
        text = rest;
    }
}

/// Removes line breaks, as browsers do, and decodes character references.
fn unescaped(raw: &str) -> Option<Cow<'_, str>> {
    if raw.len() > MAX_RAW {
        return None;
    }
    // No early exit, so that the loop vectorises: this runs for every link.
    if raw.bytes().fold(0, |found, b| found | u8::from(b == b'&') | u8::from(b < b' ')) != 0 {
        let plain: String = raw.chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')).collect();
        return unescape_entities(&plain).map(|text| Cow::Owned(text.into_owned()));
    }
    Some(Cow::Borrowed(raw))
}

/// Cuts off the next cell of a table of services: in `http://x.org/ows?,Roads`, a query cannot
/// start with a separator.
fn without_next_cell(text: &str) -> &str {
    let end = ["?,", "?;", "?|", "&,", "&;"].iter().filter_map(|mark| text.find(mark)).min();
    end.map_or(text, |end| &text[..end])
}

fn without_fragment(text: &str) -> &str {
    text.split_once('#').map_or(text, |(before, _)| before)
}

/// Trims the punctuation that prose puts around a URL. Keeps a closing bracket that has an opening
/// one.
fn trimmed(text: &str) -> &str {
    let mut text = text.trim_start_matches(|c: char| c.is_whitespace() || LEADING.contains(&c));
    let mut open = bracket_balance(text);
    loop {
        let Some(last) = text.chars().next_back() else { return text };
        let bracket = [')', ']', '}'].iter().position(|b| *b == last);
        let cut = match bracket.and_then(|at| open.get_mut(at)) {
            Some(balance) => {
                *balance += 1;
                *balance <= 0
            }
            None => last.is_whitespace() || TRAILING.contains(&last),
        };
        if !cut {
            return text;
        }
        text = text.get(..text.len() - last.len_utf8()).unwrap_or_default();
    }
}

/// Returns the number of opening minus closing brackets of each type.
fn bracket_balance(text: &str) -> [i32; 3] {
    let mut balance = [0; 3];
    for byte in text.bytes() {
        match byte {
            b'(' => balance[0] += 1,
            b')' => balance[0] -= 1,
            b'[' => balance[1] += 1,
            b']' => balance[1] -= 1,
            b'{' => balance[2] += 1,
            b'}' => balance[2] -= 1,
            _ => {}
        }
    }
    balance
}

fn resolve(text: &str, base: &Url) -> Option<Url> {
    if text.is_empty() {
        return None;
    }
    let text = without_doubled_scheme(text);
    if has_other_scheme(text) {
        return None;
    }
    let text = with_one_query(text);
    let mut url = base.join(&text).ok()?;
    strip_user_and_fragment(&mut url);
    if !matches!(url.scheme(), "http" | "https") || !is_plausible_host(&url) || url.as_str().len() > MAX_RAW {
        return None;
    }
    if url.query() == Some("") {
        url.set_query(None);
    }
    Some(url)
}

/// Removes a doubled scheme: `http://https://x.org` and `feed:https://x.org` mean `https://x.org`.
fn without_doubled_scheme(mut text: &str) -> &str {
    const WRAPPERS: [&str; 5] = ["http://", "https://", "feed:", "view-source:", "url:"];
    while let Some(rest) = WRAPPERS.iter().find_map(|w| strip_prefix_ignoring_case(text, w)) {
        if !starts_with_http(rest) {
            break;
        }
        text = rest;
    }
    text
}

fn strip_prefix_ignoring_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then(|| text.get(prefix.len()..)).flatten()
}

/// Returns whether the text begins with `http://` or `https://`.
pub(super) fn starts_with_http(text: &str) -> bool {
    strip_prefix_ignoring_case(text, "http://")
        .or_else(|| strip_prefix_ignoring_case(text, "https://"))
        .is_some()
}

/// Returns whether the text has another scheme, such as `mailto:`, `javascript:` or `data:`.
/// Checked before parsing because it is cheap. A colon after a digit precedes a port; after a slash
/// it is part of the path.
fn has_other_scheme(text: &str) -> bool {
    let bytes = text.as_bytes();
    if !bytes.first().is_some_and(u8::is_ascii_alphabetic) {
        return false;
    }
    let end = bytes.iter().position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')));
    match end.and_then(|at| bytes.get(at).map(|b| (at, *b))) {
        Some((at, b':')) => {
            let scheme = text.get(..at).unwrap_or_default();
            !(scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https"))
        }
        _ => false,
    }
}

/// Repairs a second `?` and drops empty pairs: `?&a=1`, `??a=1`, `a=1&`.
fn with_one_query(text: &str) -> Cow<'_, str> {
    let Some((path, query)) = text.split_once('?') else { return Cow::Borrowed(text) };
    let tidy = query.trim_start_matches(['?', '&']).trim_end_matches(['?', '&']);
    // After a complete URL inside the query, a second `?` belongs to that URL.
    let repair = memchr::memmem::find(tidy.as_bytes(), b"://").is_none() && has_second_query(tidy);
    if tidy.len() == query.len() && !repair {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    out.push_str(path);
    if !tidy.is_empty() {
        out.push('?');
        let mut pieces = tidy.split('?');
        out.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            out.push(if repair && begins_second_query(piece) { '&' } else { '?' });
            out.push_str(piece);
        }
    }
    Cow::Owned(out)
}

fn has_second_query(query: &str) -> bool {
    query.split('?').skip(1).any(begins_second_query)
}

fn begins_second_query(piece: &str) -> bool {
    piece
        .split_once('=')
        .is_some_and(|(key, _)| SECOND_QUERY_KEYS.iter().any(|known| known.eq_ignore_ascii_case(key)))
}

/// Returns whether the host is a name of letters, digits, dots, hyphens and underscores, or an IP
/// address. Rejects templates (`{s}.tile.org`) and prose glued to a URL.
fn is_plausible_host(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => {
            name.len() <= 253
                && name.bytes().any(|b| b.is_ascii_alphanumeric())
                && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'))
                && !name.contains("..")
                && !name.starts_with('.')
        }
        Some(_) => true,
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base() -> Url {
        Url::parse("https://example.org/dir/page.html").unwrap()
    }

    fn cleaned(raw: &str) -> Option<String> {
        clean_link(raw, &base()).map(String::from)
    }

    #[test]
    fn text_is_read_as_it_was_meant() {
        for (raw, expected) in [
            ("https://x.org/wms).", Some("https://x.org/wms")),
            ("\"https://x.org/wms?\",", Some("https://x.org/wms")),
            ("<https://x.org/a_(b)>", Some("https://x.org/a_(b)")),
            ("https://x.org/a_(b))", Some("https://x.org/a_(b)")),
            ("https://x.org/?a=1&amp;amp;b=2&", Some("https://x.org/?a=1&b=2")),
            (
                "https://x.org/m?map=/a.map?SERVICE=WMS&REQUEST=x",
                Some("https://x.org/m?map=/a.map&SERVICE=WMS&REQUEST=x"),
            ),
            ("https://x.org/m??a=1", Some("https://x.org/m?a=1")),
            ("https://x.org/ows?,Roads", Some("https://x.org/ows")),
            (
                "https://p.org/proxy?url=http://x.org/wms?SERVICE=WMS",
                Some("https://p.org/proxy?url=http://x.org/wms?SERVICE=WMS"),
            ),
            ("//x.org/a", Some("https://x.org/a")),
            ("../a", Some("https://example.org/a")),
            ("http://https://x.org/", Some("https://x.org/")),
            ("feed:https://x.org/rss", Some("https://x.org/rss")),
            ("https://u:p@x.org/#a", Some("https://x.org/")),
            ("mailto:a@x.org", None),
            ("JavaScript:void(0)", None),
            ("data:text/html,x", None),
            ("ftp://x.org/a", None),
            ("webcal://x.org/a", None),
            ("https://{s}.tile.org/{z}", None),
            ("https://", None),
            ("", None),
            ("#top", None),
            ("https://x.org:99999/", None),
            ("https://x.org/wm\n s", Some("https://x.org/wm%20s")),
        ] {
            assert_eq!(cleaned(raw).as_deref(), expected, "{raw}");
        }
    }

    #[test]
    fn attributes_keep_their_punctuation() {
        let read = |raw: &str| clean_attribute(raw, &base()).map(String::from);
        assert_eq!(read(" Foo_Inc. ").as_deref(), Some("https://example.org/dir/Foo_Inc."));
        assert_eq!(read("?a=1&amp;b=2").as_deref(), Some("https://example.org/dir/page.html?a=1&b=2"));
        assert_eq!(read(".").as_deref(), Some("https://example.org/dir/"));
        assert_eq!(read("&#104;ttps://x.org").as_deref(), Some("https://x.org/"));
        assert_eq!(read(&"a".repeat(MAX_RAW + 1)), None);
        assert_eq!(read("a:b").as_deref(), None);
        assert_eq!(read("8080:b").as_deref(), Some("https://example.org/dir/8080:b"));
    }
}
