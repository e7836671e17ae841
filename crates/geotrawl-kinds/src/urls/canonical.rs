//! Canonical URLs of pages: one URL per page, as far as that can be decided without a request.

use super::query::{QueryPair, decode_escape_at, is_listed, query_pairs, with_lowercase};
use std::fmt::Write as _;
use url::{Position, Url};

/// Maximum length of a page URL; longer ones are traps or hold the state of a form.
pub const MAX_PAGE_URL: usize = 2_048;

/// Parameters that carry a session or campaign and never select content. Sorted.
#[rustfmt::skip]
const NOISE: &[&str] = &[
    "_ga", "_gl", "_hsenc", "_hsmi", "cfid", "cftoken", "dclid", "fbclid", "gad_source", "gbraid", "gclid",
    "igshid", "jsessionid", "mc_cid", "mc_eid", "mkt_tok", "msclkid", "oscsid", "phpsessid", "ref_src",
    "sess_id", "sessid", "session_id", "sessionid", "srsltid", "wbraid", "wt_mc", "yclid", "zanpid",
    "zenid",
];

/// Prefixes of such parameters.
const NOISE_PREFIXES: &[&str] = &["utm_", "aspsessionid", "mtm_", "pk_", "piwik_", "hsa_"];

/// Parameters that are noise only if the value looks like a session id: `sid` is often a station or
/// section. Sorted.
const SESSION_WHEN_LONG: &[&str] = &["s", "session", "sid"];

/// Parameters that are noise only if the value is a number: a time or random number against
/// caching. Sorted.
#[rustfmt::skip]
const CACHE_BUSTERS: &[&str] = &[
    "_", "_dc", "cachebust", "cachebuster", "nocache", "random", "rnd", "ts",
];

/// Returns the canonical form of a page URL.
///
/// The parser has already normalised scheme, host and port. This removes user information,
/// fragment, session ids, campaign parameters, doubled slashes and needless percent-encoding. The
/// path keeps its case and the query its order. The function is idempotent.
pub fn canonical_url(url: &Url) -> Url {
    canonical_owned(url.clone())
}

/// Like [`canonical_url`], but returns the URL itself if nothing changes, which is nearly always
/// the case.
pub(super) fn canonical_owned(mut url: Url) -> Url {
    strip_user_and_fragment(&mut url);
    if is_canonical(&url) {
        return url;
    }
    let mut text = String::with_capacity(url.as_str().len());
    write_origin(&url, &mut text);
    write_path(url.path(), &mut text);
    if let Some(query) = url.query() {
        let normal = percent_normal(query);
        write_query(query_pairs(&normal).filter(|p| !is_noise(p)), &mut text);
    }
    match Url::parse(&text) {
        Ok(rebuilt) => rebuilt,
        Err(_unparsable) => url,
    }
}

/// Removes the fragment, which servers never see, and user information, which must not be reused.
pub(super) fn strip_user_and_fragment(url: &mut Url) {
    if url.fragment().is_some() {
        url.set_fragment(None);
    }
    if !url.username().is_empty() {
        // Fails only for URLs without a host, which cannot be http.
        let _ = url.set_username("");
    }
    if url.password().is_some() {
        let _ = url.set_password(None);
    }
}

/// Writes `https://host:port`, without the trailing dot of a fully qualified name.
pub(super) fn write_origin(url: &Url, out: &mut String) {
    out.push_str(url.scheme());
    out.push_str("://");
    let host = url.host_str().unwrap_or_default();
    out.push_str(host.strip_suffix('.').filter(|h| !h.is_empty()).unwrap_or(host));
    if let Some(port) = url.port() {
        let _ = write!(out, ":{port}");
    }
}

/// Writes the path with normalised percent-encoding and without session ids and doubled slashes.
pub(super) fn write_path(path: &str, out: &mut String) {
    let normal = percent_normal(path);
    let mut after_scheme = false;
    let mut doubled = false;
    let mut ends_with_segment = false;
    for segment in normal.split('/').skip(1) {
        let segment = without_session(segment);
        // `..;sid=1` hides a parent reference from the parser; resolving it now could remove the
        // segment before it.
        if matches!(segment, "" | "." | "..") || is_aspnet_session(segment) {
            // A `://` in a path belongs to an embedded URL.
            doubled |= std::mem::take(&mut after_scheme);
            ends_with_segment = false;
            continue;
        }
        if std::mem::take(&mut doubled) {
            out.push('/');
        }
        out.push('/');
        out.push_str(segment);
        after_scheme = segment.ends_with(':');
        ends_with_segment = true;
    }
    if !ends_with_segment {
        out.push('/');
    }
}

pub(super) fn write_query<'a>(kept: impl Iterator<Item = QueryPair<'a>>, out: &mut String) {
    let mut separator = '?';
    for pair in kept {
        out.push(separator);
        out.push_str(pair.raw);
        separator = '&';
    }
}

/// Removes `;jsessionid=...` and similar from the end of a path segment.
fn without_session(segment: &str) -> &str {
    let mut from = 0;
    while let Some(at) = segment.get(from..).and_then(|s| s.find(';')) {
        let rest = segment.get(from + at + 1..).unwrap_or_default();
        let name = rest.split(['=', ';']).next().unwrap_or_default();
        if with_lowercase(name, |n| is_listed(NOISE, n) || n == "sid") {
            return segment.get(..from + at).unwrap_or_default();
        }
        from += at + 1;
    }
    segment
}

/// Returns whether a segment is a cookieless ASP.NET session: `(S(nqp1kuwwbl0hzl45pl3nli55))`.
fn is_aspnet_session(segment: &str) -> bool {
    segment.len() > 5 && segment.len() < 80 && segment.starts_with("(S(") && segment.ends_with("))")
}

/// Returns whether a query pair does not affect the content of a page.
pub(super) fn is_noise(pair: &QueryPair<'_>) -> bool {
    with_lowercase(pair.key, |key| {
        is_listed(NOISE, key)
            || NOISE_PREFIXES.iter().any(|p| key.starts_with(p))
            || (is_listed(CACHE_BUSTERS, key) && is_figure(pair.value))
            || (is_listed(SESSION_WHEN_LONG, key) && is_session_value(pair.value))
    })
}

fn is_figure(value: &str) -> bool {
    value.len() >= 4 && value.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

fn is_session_value(value: &str) -> bool {
    value.len() >= 16
        && value.bytes().all(|b| b.is_ascii_alphanumeric())
        && value.bytes().any(|b| b.is_ascii_digit())
}

/// Normalises percent-encoding: `%XX` in upper case, unreserved characters decoded, a lone `%` as
/// `%25`.
pub(super) fn percent_normal(text: &str) -> std::borrow::Cow<'_, str> {
    let bytes = text.as_bytes();
    if memchr::memchr(b'%', bytes).is_none() {
        return std::borrow::Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'%', rest.as_bytes()) {
        out.push_str(rest.get(..at).unwrap_or_default());
        let skip = match decode_escape_at(rest.as_bytes(), at) {
            Some(byte) if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') => {
                out.push(byte as char);
                3
            }
            Some(byte) => {
                let _ = write!(out, "%{byte:02X}");
                3
            }
            None => {
                out.push_str("%25");
                1
            }
        };
        rest = rest.get(at + skip..).unwrap_or_default();
    }
    out.push_str(rest);
    std::borrow::Cow::Owned(out)
}

/// Returns whether a path contains `//`. Never exits early, so that the loop vectorises.
fn has_doubled_slash(path: &[u8]) -> bool {
    path.iter()
        .zip(path.get(1..).unwrap_or_default())
        .fold(0, |found, (a, b)| found | (u8::from(*a == b'/') & u8::from(*b == b'/')))
        != 0
}

/// Returns whether a URL is already canonical: one pass over the bytes, enough for most links.
fn is_canonical(url: &Url) -> bool {
    let tail = &url[Position::BeforePath..];
    let path = url.path().as_bytes();
    memchr::memchr(b'%', tail.as_bytes()).is_none()
        && memchr::memchr(b';', path).is_none()
        && memchr::memchr(b'(', path).is_none()
        && !has_doubled_slash(path)
        && !url.host_str().is_some_and(|h| h.ends_with('.'))
        && url.query().is_none_or(|q| {
            !q.is_empty() && q.split('&').all(|raw| !raw.is_empty()) && query_pairs(q).all(|p| !is_noise(&p))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canon(text: &str) -> String {
        canonical_url(&Url::parse(text).unwrap()).to_string()
    }

    #[test]
    fn tables_are_sorted() {
        for table in [NOISE, SESSION_WHEN_LONG, CACHE_BUSTERS] {
            assert!(table.is_sorted(), "{table:?}");
        }
    }

    #[test]
    fn pages_get_one_form() {
        for (from, to) in [
            ("HTTP://Example.ORG:80", "http://example.org/"),
            ("https://example.org./a/../b//c/./", "https://example.org/b/c/"),
            ("https://u:p@example.org/a#top", "https://example.org/a"),
            ("https://example.org/#/map", "https://example.org/"),
            ("https://example.org/a;jsessionid=AB12?x=1", "https://example.org/a?x=1"),
            ("https://example.org/a;v=1;JSESSIONID=2/b", "https://example.org/a;v=1/b"),
            ("https://example.org/(S(nqp1kuwwbl0hzl45pl3nli55))/map.aspx", "https://example.org/map.aspx"),
            ("https://example.org/a?utm_source=x&b=2&gclid=1&PHPSESSID=9", "https://example.org/a?b=2"),
            ("https://example.org/a?sid=12", "https://example.org/a?sid=12"),
            ("https://example.org/a?sid=0123456789abcdef0", "https://example.org/a"),
            ("https://example.org/a?_=1699999999&ts=monday", "https://example.org/a?ts=monday"),
            ("https://example.org/a?", "https://example.org/a"),
            ("https://example.org/a?&b=1&&", "https://example.org/a?b=1"),
            ("https://example.org/%7euser/%c3%bc%2f%zz", "https://example.org/~user/%C3%BC%2F%25zz"),
            ("https://example.org/q?b=%61&a=%2f", "https://example.org/q?b=a&a=%2F"),
            ("https://example.org/proxy/http://a.org//b", "https://example.org/proxy/http://a.org/b"),
            ("https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"),
            ("https://example.org/a/..;jsessionid=1/b", "https://example.org/a/b"),
            ("http://[2001:DB8::1]:8080/", "http://[2001:db8::1]:8080/"),
        ] {
            assert_eq!(canon(from), to, "{from}");
            assert_eq!(canon(to), to, "{to} is stable");
        }
    }
}
