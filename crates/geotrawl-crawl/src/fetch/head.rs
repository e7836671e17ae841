//! Converts response headers to [`ResponseHead`].

use geotrawl_kinds::probe::ResponseHead;
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::response::Parts;
use url::Url;

/// Most `Link` values kept per response.
const MOST_LINKS: usize = 64;
static X_ROBOTS_TAG: HeaderName = HeaderName::from_static("x-robots-tag");

/// Reads the headers that probes need. `token` is the crawler's name for `X-Robots-Tag`.
pub(crate) fn parse_head(parts: &Parts, url: &Url, token: &str) -> ResponseHead {
    let headers = &parts.headers;
    let status = parts.status.as_u16();
    let range = header_text(headers, &header::CONTENT_RANGE).and_then(|value| content_range(&value));
    // `Content-Length` counts encoded bytes, so it is the total only for a whole, unencoded body.
    let whole = || {
        let unencoded = encoding(headers).is_none();
        let length = headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.trim().parse().ok()?;
        (status == 200 && unencoded).then_some(length)
    };
    ResponseHead {
        url: Some(url.clone()),
        status,
        content_type: header_text(headers, &header::CONTENT_TYPE),
        total_length: match range {
            Some((_, total)) => total,
            None => whole(),
        },
        served_from: range.and_then(|(from, _)| from).filter(|_| status == 206),
        last_modified: header_text(headers, &header::LAST_MODIFIED),
        server: header_text(headers, &header::SERVER),
        links: headers.get_all(header::LINK).iter().take(MOST_LINKS).map(lossy).collect(),
        nofollow: headers.get_all(&X_ROBOTS_TAG).iter().any(|value| says_nofollow(&lossy(value), token)),
    }
}

/// Joins all `Content-Encoding` lines; `None` if the body is not encoded.
pub(crate) fn encoding(headers: &HeaderMap) -> Option<String> {
    let mut lines = headers.get_all(header::CONTENT_ENCODING).iter();
    let mut all = lossy(lines.next()?);
    for line in lines {
        all.push(',');
        all.push_str(&lossy(line));
    }
    let plain = |name: &str| name.is_empty() || name.eq_ignore_ascii_case("identity");
    (!all.split(',').all(|name| plain(name.trim()))).then_some(all)
}

/// Returns a header as text. Bytes that are not UTF-8 are read as Latin-1, as in older HTTP.
pub(super) fn header_text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name).map(lossy)
}

fn lossy(value: &HeaderValue) -> String {
    match std::str::from_utf8(value.as_bytes()) {
        Ok(text) => text.to_owned(),
        Err(_) => value.as_bytes().iter().copied().map(char::from).collect(),
    }
}

/// Parses `bytes 0-499/1234`, `bytes 0-499/*` or `bytes */1234` into first byte and total.
fn content_range(value: &str) -> Option<(Option<u64>, Option<u64>)> {
    let (unit, rest) = value.trim().split_once([' ', '='])?;
    if !unit.eq_ignore_ascii_case("bytes") {
        return None;
    }
    let (span, total) = rest.split_once('/')?;
    let from = span.trim().split_once('-').and_then(|(from, _)| from.trim().parse().ok());
    Some((from, total.trim().parse().ok()))
}

/// Whether a value contains `nofollow` or `none` for us: also `geotrawl: nofollow`, but not
/// `otherbot: nofollow`. Directives with a colon, such as `unavailable_after:`, are not agent
/// names.
fn says_nofollow(value: &str, token: &str) -> bool {
    // A rule without an agent name belongs to the agent named last in this value.
    let mut ours = true;
    value.split(',').any(|rule| {
        let rule = match rule.split_once(':') {
            Some((name, rest)) if is_directive(name.trim()) => {
                let _ = rest;
                return false;
            }
            Some((agent, rest)) => {
                ours = agent.trim().eq_ignore_ascii_case(token);
                rest
            }
            None => rule,
        };
        let rule = rule.trim();
        ours && (rule.eq_ignore_ascii_case("nofollow") || rule.eq_ignore_ascii_case("none"))
    })
}

fn is_directive(name: &str) -> bool {
    ["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"]
        .iter()
        .any(|directive| name.eq_ignore_ascii_case(directive))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_range_gives_start_and_total() {
        assert_eq!(content_range("bytes 5-499/1234"), Some((Some(5), Some(1234))));
        assert_eq!(content_range("bytes 5-499/*"), Some((Some(5), None)));
        assert_eq!(content_range("bytes */1234"), Some((None, Some(1234))));
        assert_eq!(content_range("pages 1-2/3"), None);
        assert_eq!(content_range("rubbish"), None);
    }

    #[test]
    fn nofollow_counts_when_it_is_for_us() {
        for (value, expected) in [
            ("nofollow", true),
            ("noindex, NoFollow", true),
            ("none", true),
            ("noindex", false),
            ("geotrawl: noindex, nofollow", true),
            ("otherbot: noindex, nofollow", false),
            ("unavailable_after: 25 Jun 2030 15:00:00 PST, nofollow", true),
            ("max-snippet:0", false),
        ] {
            assert_eq!(says_nofollow(value, "Geotrawl"), expected, "{value}");
        }
    }

    #[test]
    fn lengths_are_believed_only_for_whole_plain_answers() {
        let read_with = |status: u16, fields: &[(&str, &str)]| {
            let mut builder = http::Response::builder().status(status);
            for (name, value) in fields {
                builder = builder.header(*name, *value);
            }
            let (parts, ()) = builder.body(()).unwrap().into_parts();
            parse_head(&parts, &Url::parse("http://a.test/").unwrap(), "Geotrawl")
        };
        assert_eq!(read_with(200, &[("content-length", "12")]).total_length, Some(12));
        assert_eq!(
            read_with(200, &[("content-length", "12"), ("content-encoding", "gzip")]).total_length,
            None
        );
        assert_eq!(
            read_with(200, &[("content-length", "12"), ("content-encoding", "identity")]).total_length,
            Some(12)
        );
        let part = read_with(206, &[("content-length", "12"), ("content-range", "bytes 3-14/99")]);
        assert_eq!((part.total_length, part.served_from), (Some(99), Some(3)));
        assert_eq!(read_with(404, &[("content-length", "12")]).total_length, None);
        assert_eq!(read_with(416, &[("content-range", "bytes */77")]).total_length, Some(77));
    }
}
