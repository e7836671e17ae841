//! URLs inside URLs: proxies, redirectors and viewers that carry the URL of a service.

use super::clean::{clean_link, starts_with_http};
use super::file_hint::file_hint;
use super::query::{percent_decode, query_pairs, with_lowercase};
use super::service_hint::{HintStrength, service_hint};
use url::Url;

/// Returns the URL that a proxy URL carries: `/proxy?url=...`, `/proxy.ashx?http://...`,
/// `/proxy/_1d/http://...`, and any parameter with the URL of a service or data file
/// (`viewer?wms=...`).
pub fn unwrap_proxy(url: &Url) -> Option<Url> {
    inner_url(url).map(|(inner, _)| inner)
}

/// Returns the inner URL, and whether the outer one is only a wrapper.
pub(super) fn inner_url(url: &Url) -> Option<(Url, bool)> {
    // Nearly all links end here.
    if !holds_address(&url[url::Position::BeforePath..]) {
        return None;
    }
    let text = url.as_str();
    let wrapper = is_wrapper(url);
    if wrapper
        && let Some(at) = address_in_path(url.path())
        && let Some(found) = text.get(text.len() - tail_length(url) + at..).and_then(|t| clean_link(t, url))
    {
        return Some((found, true));
    }
    let query = url.query()?;
    // `proxy.ashx?http://...`: the whole query is the URL.
    if starts_with_http(query)
        || query.get(..7).is_some_and(|h| h.eq_ignore_ascii_case("http%3a"))
        || query.get(..8).is_some_and(|h| h.eq_ignore_ascii_case("https%3a"))
    {
        let raw = if query.contains("://") { query.to_owned() } else { percent_decode(query) };
        return clean_link(&raw, url).map(|found| (found, wrapper || true_proxy_query(url)));
    }
    for pair in query_pairs(query) {
        // `url=http://x.org/wms?SERVICE=WMS&REQUEST=...`, unencoded: the rest of the query belongs
        // to the inner URL.
        let found = if starts_with_http(pair.value) {
            let has_query = pair.value.contains('?');
            let rest = query.split_once(pair.raw).map_or("", |(_, rest)| rest);
            let whole = format!("{}{}", pair.value, if has_query { rest } else { "" });
            clean_link(&whole, url)
        } else {
            let decoded = percent_decode(pair.value);
            // `WMS||title||http://x.org/wms||layer`: viewers pack lists into one value.
            decoded
                .split("||")
                .map(str::trim)
                .find(|piece| starts_with_http(piece))
                .and_then(|piece| clean_link(piece, url))
        };
        let Some(found) = found else { continue };
        let passes_on = wrapper
            && with_lowercase(pair.key, |k| {
                matches!(
                    k,
                    "url"
                        | "uri"
                        | "u"
                        | "target"
                        | "link"
                        | "to"
                        | "dest"
                        | "destination"
                        | "href"
                        | "q"
                        | "goto"
                        | "redirect"
                        | "targeturl"
                        | "csurl"
                        | "requesturl"
                )
            });
        let leads_to_data = service_hint(&found).is_some_and(|h| h.strength == HintStrength::Strong)
            || file_hint(&found).is_some();
        if passes_on || leads_to_data {
            return Some((found, passes_on));
        }
    }
    None
}

/// Returns whether a query that is a URL is enough to recognise a proxy.
fn true_proxy_query(url: &Url) -> bool {
    let last = url.path().rsplit('/').next().unwrap_or_default();
    last.contains('.') || last.is_empty()
}

/// Returns whether the text may contain another URL: `://`, plain or encoded.
fn holds_address(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr2(b':', b'%', bytes).is_some()
        && [&b"://"[..], b"%3a%2f%2f", b":%2f%2f", b"%3a//"]
            .iter()
            .any(|mark| contains_ignoring_case(bytes, mark))
}

fn contains_ignoring_case(bytes: &[u8], needle: &[u8]) -> bool {
    bytes.windows(needle.len()).any(|w| w.eq_ignore_ascii_case(needle))
}

/// Returns the length of path and query.
fn tail_length(url: &Url) -> usize {
    url[url::Position::BeforePath..].len()
}

/// Returns the position of `http://` in a path.
fn address_in_path(path: &str) -> Option<usize> {
    ["/http://", "/https://"].iter().filter_map(|needle| path.find(needle)).min().map(|at| at + 1)
}

/// Returns whether a URL belongs to a proxy or redirector, judging by its name.
fn is_wrapper(url: &Url) -> bool {
    let names = |text: &str| {
        let text = text.to_ascii_lowercase();
        ["proxy", "redirect", "cors", "leaving", "sharer", "externallink", "goto", "safelinks"]
            .iter()
            .any(|w| text.contains(w))
            || matches!(
                text.as_str(),
                "out" | "go" | "exit" | "url" | "link" | "click" | "l.php" | "away.php" | "fwd"
            )
    };
    let path = url.path();
    let own_path = address_in_path(path).and_then(|at| path.get(..at)).unwrap_or(path);
    own_path.split('/').any(names)
        || url.host_str().is_some_and(|host| host.contains("proxy") || host.contains("safelinks"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inner_address_is_found() {
        for (outer, inside) in [
            ("https://p.org/proxy?url=https%3A%2F%2Fx.org%2Fwms%3Fmap%3Da", Some("https://x.org/wms?map=a")),
            ("https://p.org/proxy.ashx?http://x.org/arcgis/rest", Some("http://x.org/arcgis/rest")),
            (
                "https://p.org/cgi-bin/proxy.cgi?url=http://x.org/wms?SERVICE=WMS&REQUEST=GetCapabilities",
                Some("http://x.org/wms?SERVICE=WMS&REQUEST=GetCapabilities"),
            ),
            ("https://p.org/proxy/http://x.org/wms?SERVICE=WMS", Some("http://x.org/wms?SERVICE=WMS")),
            ("https://p.org/proxy/_1d/https://x.org/a", Some("https://x.org/a")),
            ("https://corsproxy.io/?https://x.org/a", Some("https://x.org/a")),
            (
                "https://p.org/viewer?wms=https%3A%2F%2Fx.org%2Fgeoserver%2Fwms",
                Some("https://x.org/geoserver/wms"),
            ),
            (
                "https://m.org/?layers=WMS%7C%7CA%7C%7Chttps%3A%2F%2Fx.org%2Fwms%7C%7Cl",
                Some("https://x.org/wms"),
            ),
            ("https://p.org/page?ref=https%3A%2F%2Fx.org%2Fabout", None),
            ("https://p.org/viewer?kml=https://x.org/a.kmz&z=1", Some("https://x.org/a.kmz")),
            ("https://p.org/proxy", None),
        ] {
            let found = unwrap_proxy(&Url::parse(outer).unwrap());
            assert_eq!(found.as_ref().map(Url::as_str), inside, "{outer}");
        }
    }
}
