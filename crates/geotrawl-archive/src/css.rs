//! Finds and rewrites addresses in style sheets.
//!
//! Scans a style sheet once instead of parsing it: a parser such as `cssparser` recurses into every
//! bracket, and hostile style sheets can have any number of brackets.

use std::fmt::Write;
use std::ops::Range;
use url::Url;

/// Longer style sheets are left unchanged.
pub const LONGEST: usize = 8 << 20;

/// An address in a style sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
struct CssAddress {
    /// Range of the address without its quotes.
    at: Range<usize>,
    /// The address is another style sheet (`@import`).
    import: bool,
    /// Written as `url(...)` without quotes.
    bare: bool,
}

/// Returns the addresses in a style sheet, and whether each is itself a style sheet.
pub fn find_addresses(css: &str, base: &Url) -> Vec<(Url, bool)> {
    scan_addresses(css)
        .iter()
        .filter_map(|found| {
            let url = resolve(base, &unescape_css(css.get(found.at.clone())?))?;
            Some((url, found.import))
        })
        .collect()
}

/// Replaces the addresses in a style sheet with the results of `to`, whose second argument tells
/// whether the address is another style sheet. Addresses for which `to` returns `None` become
/// `about:blank`.
pub fn rewrite_addresses(css: &str, base: &Url, to: &dyn Fn(&Url, bool) -> Option<String>) -> String {
    let mut out = String::with_capacity(css.len() + css.len() / 8);
    let mut from = 0;
    for found in scan_addresses(css) {
        let raw = css.get(found.at.clone()).unwrap_or_default();
        // Embedded data is kept as it is.
        if raw.trim_start().get(..5).is_some_and(|start| start.eq_ignore_ascii_case("data:")) {
            continue;
        }
        out.push_str(css.get(from..found.at.start).unwrap_or_default());
        let put = resolve(base, &unescape_css(raw)).and_then(|url| to(&url, found.import));
        let put = put.unwrap_or_else(|| "about:blank".to_owned());
        if found.bare {
            out.push('"');
        }
        for c in put.chars() {
            match c {
                // Escape everything that could end the string, the style sheet or the element
                // around it.
                '"' | '\'' | '\\' | '<' | '\n' | '\r' | '\u{c}' => {
                    let _ = write!(out, "\\{:x} ", u32::from(c));
                }
                _ => out.push(c),
            }
        }
        if found.bare {
            out.push('"');
        }
        from = found.at.end;
    }
    out.push_str(css.get(from..).unwrap_or_default());
    out
}

fn resolve(base: &Url, raw: &str) -> Option<Url> {
    let raw = raw.trim();
    if raw.is_empty() || raw.starts_with('#') {
        return None;
    }
    let mut url = base.join(raw).ok()?;
    url.set_fragment(None);
    matches!(url.scheme(), "http" | "https").then_some(url)
}

/// Decodes escapes of single characters (`\(`) and by code point (`\28 `).
fn unescape_css(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let mut number = String::new();
        while number.len() < 6
            && let Some(digit) = chars.next_if(char::is_ascii_hexdigit)
        {
            number.push(digit);
        }
        if number.is_empty() {
            // An escaped line end stands for nothing.
            out.extend(chars.next().filter(|c| *c != '\n'));
        } else {
            out.extend(u32::from_str_radix(&number, 16).ok().and_then(char::from_u32));
            chars.next_if(char::is_ascii_whitespace);
        }
    }
    out
}

fn scan_addresses(css: &str) -> Vec<CssAddress> {
    let bytes = css.as_bytes();
    let mut all = Vec::new();
    if bytes.len() > LONGEST {
        return all;
    }
    let (mut at, mut import) = (0, false);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let rest = bytes.get(at + 2..).unwrap_or_default();
                at = memchr::memmem::find(rest, b"*/").map_or(bytes.len(), |end| at + 2 + end + 2);
            }
            b'"' | b'\'' => {
                let (inside, next) = read_string(bytes, at);
                if import {
                    all.push(CssAddress { at: inside, import: true, bare: false });
                    import = false;
                }
                at = next;
            }
            b'@' if starts(bytes, at + 1, b"import") => {
                import = true;
                at += 7;
            }
            b';' | b'{' | b'}' => {
                import = false;
                at += 1;
            }
            b'\\' => at += 2,
            b'u' | b'U' if starts(bytes, at, b"url(") && !is_name(bytes, at) => {
                let mut start = at + 4;
                while bytes.get(start).is_some_and(u8::is_ascii_whitespace) {
                    start += 1;
                }
                let (inside, next, bare) = if matches!(bytes.get(start), Some(b'"' | b'\'')) {
                    let (inside, next) = read_string(bytes, start);
                    (inside, next, false)
                } else {
                    let end = bare_end(bytes, start);
                    (start..end, end, true)
                };
                all.push(CssAddress { at: inside, import, bare });
                import = false;
                at = next;
            }
            _ => at += 1,
        }
    }
    all
}

/// Returns the range inside the quotes at `at`, and the position after them. A string ends at the
/// end of its line at the latest.
fn read_string(bytes: &[u8], at: usize) -> (Range<usize>, usize) {
    let quote = bytes.get(at).copied().unwrap_or(b'"');
    let mut end = at + 1;
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'\\' => end += 1,
            b'\n' => return (at + 1..end, end + 1),
            byte if byte == quote => return (at + 1..end, end + 1),
            _ => {}
        }
        end += 1;
    }
    (at + 1..bytes.len(), bytes.len())
}

fn bare_end(bytes: &[u8], start: usize) -> usize {
    let mut end = start;
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'\\' => end += 1,
            b')' => break,
            _ => {}
        }
        end += 1;
    }
    let mut end = end.min(bytes.len());
    while end > start && bytes.get(end - 1).is_some_and(u8::is_ascii_whitespace) {
        end -= 1;
    }
    end
}

fn starts(bytes: &[u8], at: usize, word: &[u8]) -> bool {
    bytes.get(at..at + word.len()).is_some_and(|found| found.eq_ignore_ascii_case(word))
}

/// Returns whether `at` continues a name, as in `my-url(`.
fn is_name(bytes: &[u8], at: usize) -> bool {
    at > 0
        && bytes
            .get(at - 1)
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') || *byte >= 0x80)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base() -> Url {
        Url::parse("http://a.example/css/main.css").unwrap()
    }

    fn rewritten(css: &str) -> String {
        rewrite_addresses(css, &base(), &|url, import| {
            (url.host_str() == Some("a.example"))
                .then(|| format!("{}{}", if import { "I" } else { "" }, url.path()))
        })
    }

    #[test]
    fn addresses_are_found_in_every_spelling() {
        let css = "@charset \"x\"; @import 'b.css'; @IMPORT url(c.css) screen; /* url(no) */\n\
            a { background: URL( \"../i/a.png\" ), url('b c.png') ; content: \"url(no)\" }\n\
            b { src: url(f\\(1\\).woff#x) format('woff'); x: my-url(no) } c{background:url(data:image/png;base64,AA)}";
        let urls: Vec<String> = find_addresses(css, &base())
            .iter()
            .map(|(url, import)| format!("{url}{}", u8::from(*import)))
            .collect();
        assert_eq!(
            urls,
            [
                "http://a.example/css/b.css1",
                "http://a.example/css/c.css1",
                "http://a.example/i/a.png0",
                "http://a.example/css/b%20c.png0",
                "http://a.example/css/f(1).woff0",
            ]
        );
    }

    #[test]
    fn addresses_are_put_in_place_and_strange_ones_are_emptied() {
        assert_eq!(
            rewritten("@import 'b.css';a{b:url( x.png )}c{d:url(http://other.example/)}"),
            "@import 'I/css/b.css';a{b:url( \"/css/x.png\" )}c{d:url(\"about:blank\")}"
        );
        assert_eq!(rewritten("a{b:url(data:image/png;base64,AA==)}"), "a{b:url(data:image/png;base64,AA==)}");
        assert_eq!(rewritten("a{b:url(\"x\\22 y\")}"), "a{b:url(\"/css/x%22y\")}");
    }

    proptest::proptest! {
        #[test]
        fn strange_style_sheets_are_read(css in "[a-z{}()@;:\"'/*\\\\ \n]{0,200}|(url\\(|@import ?|[\"'/*)\\\\; é]){0,60}") {
            let out = rewritten(&css);
            proptest::prop_assert!(out.len() <= css.len() * 8 + 16);
            let _ = find_addresses(&css, &base());
        }
    }
}
