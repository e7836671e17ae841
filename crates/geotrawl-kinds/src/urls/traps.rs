//! Shapes of URLs: signs of endless spaces, and the template a URL is made from.

use super::query::{percent_decode, query_pairs};
use std::fmt::Write as _;
use url::Url;

const MAX_LENGTH: usize = 1_500;
const MAX_SEGMENTS: usize = 24;
const MAX_PARAMETERS: usize = 24;
/// One segment this often in one path: `/a/b/a/b/a/b/a/b`.
const MAX_SAME_SEGMENT: usize = 4;
/// The same segment this often in a row.
const MAX_IN_A_ROW: usize = 3;
const MAX_SAME_PARAMETER: usize = 6;
/// Calendars that show other years than these run for ever.
const SANE_YEARS: std::ops::RangeInclusive<u32> = 1970..=2040;

/// The sign of an endless space that a URL shows by itself, in words.
pub fn trap_shape(url: &Url) -> Option<&'static str> {
    if url.as_str().len() > MAX_LENGTH {
        return Some("the URL is over-long");
    }
    let segments: Vec<&str> = url.path().split('/').filter(|s| !s.is_empty()).collect();
    if segments.len() > MAX_SEGMENTS {
        return Some("the path has too many segments");
    }
    if repeats(&segments) {
        return Some("a path segment repeats again and again");
    }
    if memchr::memmem::find(url.as_str().as_bytes(), b"%2525").is_some() {
        return Some("percent-encoding grows with every link");
    }
    if let Some(query) = url.query() {
        let keys: Vec<&str> = query_pairs(query).map(|p| p.key).collect();
        if keys.len() > MAX_PARAMETERS {
            return Some("the query has too many parameters");
        }
        if keys.iter().any(|key| keys.iter().filter(|k| *k == key).count() >= MAX_SAME_PARAMETER) {
            return Some("a parameter repeats again and again");
        }
    }
    is_endless_calendar(url, &segments).then_some("a calendar far from any real date")
}

fn repeats(segments: &[&str]) -> bool {
    let often = |s: &str| segments.iter().filter(|t| **t == s).count() >= MAX_SAME_SEGMENT;
    segments.iter().any(|s| often(s) && s.bytes().any(|b| b.is_ascii_alphabetic()))
        || segments.windows(MAX_IN_A_ROW).any(|w| {
            w.iter().all(|s| Some(s) == w.first())
                && w.iter().any(|s| s.bytes().any(|b| b.is_ascii_alphabetic()))
        })
}

/// A page that speaks of a calendar and of a year outside [`SANE_YEARS`].
fn is_endless_calendar(url: &Url, segments: &[&str]) -> bool {
    const WORDS: [&str; 12] = [
        "calend",
        "kalend",
        "event",
        "agenda",
        "termin",
        "month",
        "year",
        "date",
        "veranstalt",
        "evento",
        "schedule",
        "day",
    ];
    let lower = url[url::Position::BeforePath..].to_ascii_lowercase();
    if !WORDS.iter().any(|w| lower.contains(w)) {
        return false;
    }
    let query = url.query().unwrap_or_default();
    let values = query_pairs(query).map(|p| percent_decode(p.value));
    let mut years =
        segments.iter().map(|s| (*s).to_owned()).chain(values).filter_map(|text| leading_year(&text));
    years.any(|year| !SANE_YEARS.contains(&year))
}

/// The year in `2031`, `2031-04`, `2031-04-01` and `04-2031`.
fn leading_year(text: &str) -> Option<u32> {
    let mut pieces = text.split(['-', '/', '_', '.']);
    let all_digits = text.bytes().all(|b| b.is_ascii_digit() || b"-/_.".contains(&b));
    let year = pieces.find(|p| p.len() == 4)?;
    let year: u32 = if all_digits { year.parse().ok()? } else { return None };
    (1..=9999).contains(&year).then_some(year)
}

/// The shape of a URL, equal for all pages that one program makes: numbers become `0`, hexadecimal ids
/// `x`, the query is its sorted keys; words stay.
///
/// `https://x.org/item/4711?b=1&a=2` becomes `x.org/item/0?a&b`.
pub fn url_pattern(url: &Url) -> String {
    let mut out = String::with_capacity(url.as_str().len());
    out.push_str(url.host_str().unwrap_or_default());
    if let Some(port) = url.port() {
        let _ = write!(out, ":{port}");
    }
    for segment in url.path().split('/').skip(1) {
        out.push('/');
        write_shape(segment, &mut out);
    }
    if let Some(query) = url.query() {
        let mut keys: Vec<&str> = query_pairs(query).map(|p| p.key).collect();
        keys.sort_unstable();
        keys.dedup();
        for (at, key) in keys.into_iter().enumerate() {
            out.push(if at == 0 { '?' } else { '&' });
            write_shape(key, &mut out);
        }
    }
    out
}

/// A piece with its numbers and ids made equal. `:` in a scheme or `.` before an extension stay.
fn write_shape(piece: &str, out: &mut String) {
    let (stem, extension) = match piece.rsplit_once('.') {
        Some((stem, extension)) if (1..=5).contains(&extension.len()) && !stem.is_empty() => {
            (stem, Some(extension))
        }
        _ => (piece, None),
    };
    if is_id(stem) {
        out.push('x');
    } else {
        write_without_numbers(stem, out);
    }
    if let Some(extension) = extension {
        out.push('.');
        write_without_numbers(extension, out);
    }
}

/// A hexadecimal id or UUID: eight characters or more, digits among them.
fn is_id(text: &str) -> bool {
    text.len() >= 8
        && text.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-')
        && text.bytes().any(|b| b.is_ascii_digit())
        && text.bytes().any(|b| b.is_ascii_alphabetic())
}

fn write_without_numbers(text: &str, out: &mut String) {
    let mut in_number = false;
    for c in text.chars() {
        if c.is_ascii_digit() {
            if !in_number {
                out.push('0');
            }
            in_number = true;
        } else {
            in_number = false;
            out.push(c);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traps_are_told_by_their_shape() {
        let deep = format!("https://x.org/{}", "a1/b2/c3/".repeat(9));
        let many =
            format!("https://x.org/?{}", (0..30).map(|n| format!("k{n}=1")).collect::<Vec<_>>().join("&"));
        for (url, trapped) in [
            ("https://x.org/a/b/a/b/a/b/a/b", true),
            ("https://x.org/a/a/a", true),
            ("https://x.org/calendar/2099/01", true),
            ("https://x.org/events?date=1900-01-01", true),
            ("https://x.org/archive/1900/01", false),
            ("https://x.org/calendar/2026/11", false),
            ("https://x.org/a/b/c/d", false),
            ("https://x.org/0/0/0/0/0", false),
            ("https://x.org/?u=%252525", true),
            ("https://x.org/?a=1&a=2&a=3&a=4&a=5&a=6", true),
            (deep.as_str(), true),
            (many.as_str(), true),
        ] {
            assert_eq!(trap_shape(&Url::parse(url).unwrap()).is_some(), trapped, "{url}");
        }
    }

    #[test]
    fn templates_forget_numbers_and_values() {
        for (url, shape) in [
            ("https://x.org/item/4711?b=1&a=2", "x.org/item/0?a&b"),
            ("https://x.org:81/2024-05-01/page12.html", "x.org:81/0-0-0/page0.html"),
            ("https://x.org/d/550e8400-e29b-41d4-a716-446655440000", "x.org/d/x"),
            ("https://x.org/deadbeef01/face", "x.org/x/face"),
            ("https://x.org/", "x.org/"),
        ] {
            assert_eq!(url_pattern(&Url::parse(url).unwrap()), shape, "{url}");
        }
    }
}
