//! Finds absolute addresses in any text by their `://` and reads outwards from there.

use memchr::memmem;
use std::borrow::Cow;
use std::ops::Range;

/// Maximum length of an address.
const MAX_ADDRESS: usize = 4_096;

/// Iterator over the positions of `://` (and of `:\/\/`, as JSON writes it) in a document.
pub struct SchemeMarks<'a> {
    plain: memmem::FindIter<'a, 'static>,
    escaped: memmem::FindIter<'a, 'static>,
    next_plain: usize,
    next_escaped: usize,
}

impl<'a> SchemeMarks<'a> {
    /// Creates an iterator over the marks of a document.
    pub fn new(bytes: &'a [u8]) -> Self {
        let mut plain = memmem::find_iter(bytes, b"://");
        let mut escaped = memmem::find_iter(bytes, br":\/\/");
        let next_plain = plain.next().unwrap_or(usize::MAX);
        let next_escaped = escaped.next().unwrap_or(usize::MAX);
        Self { plain, escaped, next_plain, next_escaped }
    }

    /// Returns whether no mark precedes a position, which is true for nearly every piece of a page.
    pub fn none_before(&self, end: usize) -> bool {
        self.next_plain >= end && self.next_escaped >= end
    }

    /// Returns the next mark in a range. Marks before the range are skipped for good.
    fn next_in(&mut self, range: &Range<usize>) -> Option<usize> {
        while self.next_plain < range.start {
            self.next_plain = self.plain.next().unwrap_or(usize::MAX);
        }
        while self.next_escaped < range.start {
            self.next_escaped = self.escaped.next().unwrap_or(usize::MAX);
        }
        let next = self.next_plain.min(self.next_escaped);
        if next >= range.end {
            return None;
        }
        if next == self.next_plain {
            self.next_plain = self.plain.next().unwrap_or(usize::MAX);
        } else {
            self.next_escaped = self.escaped.next().unwrap_or(usize::MAX);
        }
        Some(next)
    }
}

/// Returns the addresses in a range of a document as written, with the positions of their marks.
///
/// An address inside another one is a parameter of it and is unwrapped later.
pub fn addresses_in<'a, 'm>(
    text: &'a str,
    marks: &'m mut SchemeMarks<'a>,
    range: Range<usize>,
) -> impl Iterator<Item = (usize, &'a str)> + use<'a, 'm> {
    let mut behind = range.start;
    std::iter::from_fn(move || {
        loop {
            let mark = marks.next_in(&range)?;
            if mark < behind {
                continue;
            }
            let Some(found) = address_at(text, mark, &range) else { continue };
            // Skip addresses that are too long as well, so that every byte is scanned only once.
            behind = found.end;
            if let Some(address) = found.address {
                return Some((mark, address));
            }
        }
    })
}

/// Address around a mark.
struct AddressMatch<'a> {
    /// `None` if the address is too long or was truncated for display (`https://x.org/long/pa...`).
    address: Option<&'a str>,
    /// End of the address.
    end: usize,
}

/// Returns the `http(s)` address around a mark, within a range of the text.
fn address_at<'a>(text: &'a str, mark: usize, range: &Range<usize>) -> Option<AddressMatch<'a>> {
    let bytes = text.as_bytes();
    let before = bytes.get(range.start..mark)?;
    let scheme = [&b"https"[..], b"http"].into_iter().find(|scheme| {
        before.len() >= scheme.len()
            && before.get(before.len() - scheme.len()..).is_some_and(|b| b.eq_ignore_ascii_case(scheme))
    })?;
    let from = mark - scheme.len();
    let limit = range.end.min(from + MAX_ADDRESS);
    let rest = bytes.get(mark..limit)?;
    let mut length = rest.len();
    let mut at = 0;
    while let Some(&byte) = rest.get(at) {
        let stop = match byte {
            b'&' => is_delimiting_reference(rest.get(at..).unwrap_or_default()),
            b'\\' => !matches!(rest.get(at + 1), Some(b'/' | b'u')),
            0x80.. => is_delimiting_character(rest.get(at..).unwrap_or_default()),
            _ => STOPS[byte as usize],
        };
        if stop {
            length = at;
            break;
        }
        at += 1;
    }
    let end = mark + length;
    let found = text.get(from..text.floor_char_boundary(end))?;
    let cut_short = found.ends_with("...")
        || bytes
            .get(end..)
            .is_some_and(|rest| rest.starts_with("…".as_bytes()) || rest.starts_with(b"&hellip;"));
    let whole = length > 3 && end - from < MAX_ADDRESS && !cut_short;
    Some(AddressMatch { address: whole.then_some(found), end })
}

/// Bytes that no address contains, however it is quoted.
static STOPS: [bool; 128] = {
    let mut table = [false; 128];
    let mut at = 0;
    while at <= 0x20 {
        table[at] = true;
        at += 1;
    }
    table[0x7F] = true;
    let marks = b"<>\"'`^|{}";
    at = 0;
    while at < marks.len() {
        table[marks[at] as usize] = true;
        at += 1;
    }
    table
};

/// Returns whether a reference such as `&quot;` or `&lt;` ends an address in an attribute or
/// escaped markup.
fn is_delimiting_reference(rest: &[u8]) -> bool {
    const ENDING: [&[u8]; 12] = [
        b"quot;", b"#34;", b"#034;", b"#39;", b"#039;", b"#x27;", b"#x22;", b"apos;", b"lt;", b"gt;",
        b"nbsp;", b"hellip;",
    ];
    let mut name = rest.get(1..).unwrap_or_default();
    // The reference may be escaped twice: `&amp;quot;`.
    while let Some(inner) = name.strip_prefix(b"amp;") {
        name = inner;
    }
    ENDING.iter().any(|reference| name.starts_with(reference))
}

/// Returns whether a non-ASCII character ends an address: spaces, quotes and full-width punctuation
/// do, letters of any script do not.
fn is_delimiting_character(rest: &[u8]) -> bool {
    matches!(
        rest,
        [0xC2, 0xA0 | 0xAB | 0xBB, ..]
            | [0xE2 | 0xE3, 0x80, ..]
            | [0xEF, 0xBC | 0xBD, ..]
            | [0xEF, 0xBB, 0xBF, ..]
            | [0xEF, 0xBF, 0xBD, ..]
    )
}

/// Resolves the JSON and JavaScript escapes that occur in addresses: `\/`, `\u0026`, `\u003d`.
pub fn without_js_escapes(raw: &str) -> Cow<'_, str> {
    if memchr::memchr(b'\\', raw.as_bytes()).is_none() {
        return Cow::Borrowed(raw);
    }
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let code = after
            .strip_prefix('u')
            .and_then(|u| u.get(..4))
            .and_then(|hex| u32::from_str_radix(hex, 16).ok());
        rest = match code.and_then(char::from_u32) {
            Some(character) => {
                out.push(character);
                after.get(5..).unwrap_or_default()
            }
            None => after,
        };
    }
    out.push_str(rest);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let mut marks = SchemeMarks::new(text.as_bytes());
        addresses_in(text, &mut marks, 0..text.len())
            .map(|(_, raw)| without_js_escapes(raw).into_owned())
            .collect()
    }

    #[test]
    fn addresses_are_found_in_prose_markup_and_scripts() {
        for (text, expected) in [
            ("see https://x.org/wms?a=1&amp;b=2, please", vec!["https://x.org/wms?a=1&amp;b=2,"]),
            ("(HTTP://x.org/a)", vec!["HTTP://x.org/a)"]),
            ("{\"u\":\"https:\\/\\/x.org\\/wms?a=1\\u0026b=2\"}", vec!["https://x.org/wms?a=1&b=2"]),
            ("{&quot;u&quot;:&quot;https://x.org/wms?&quot;}", vec!["https://x.org/wms?"]),
            ("{&amp;quot;https://x.org/wms?&amp;quot;}", vec!["https://x.org/wms?"]),
            ("地図https://x.org/wms。次", vec!["https://x.org/wms"]),
            ("https://x.org/long/pa...", vec![]),
            ("https://x.org/long/pa… more", vec![]),
            ("ftp://x.org svn+ssh://y", vec![]),
            ("://", vec![]),
            ("http://", vec![]),
            ("a=http://x.org/p?u=http://y.org", vec!["http://x.org/p?u=http://y.org"]),
            ("https://x.org/ä/ö", vec!["https://x.org/ä/ö"]),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn marks_outside_the_range_are_passed() {
        let text = "http://a.org http://b.org http://c.org";
        let mut marks = SchemeMarks::new(text.as_bytes());
        assert_eq!(marks.next_in(&(13..26)), Some(17));
        assert_eq!(marks.next_in(&(13..26)), None);
        assert_eq!(marks.next_in(&(0..text.len())), Some(30));
    }
}
