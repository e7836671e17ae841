//! Classifies found URLs: what to request, and why.

use super::canonical::{MAX_PAGE_URL, canonical_owned};
use super::endpoint::{endpoint_url, named_layers};
use super::file_hint::{FileType, file_type};
use super::probe_hint::probe_hints;
use super::proxy::inner_url;
use super::service_hint::{HintStrength, ServiceHint, service_hint};
use super::skip::page_skip_reason;
use super::skip_hosts::host_class;
use crate::probe::CrawlTarget;
use geotrawl_model::{DiscoveryMethod, Intent};
use url::Url;

/// Maximum nesting depth of URLs inside URLs.
const MAX_WRAPPERS: usize = 3;

/// Appends the targets for a cleaned URL: services to probe, a file to identify, a page to read, or
/// nothing.
///
/// Adds one target per endpoint and kind. A URL that is certainly a service is not also read as a
/// page.
pub fn append_targets(url: Url, way: DiscoveryMethod, words: &str, out: &mut Vec<CrawlTarget>) {
    let mut next = Some(url);
    for _ in 0..=MAX_WRAPPERS {
        let Some(url) = next.take() else { return };
        let wrapped = inner_url(&url);
        let only_wrapper = wrapped.as_ref().is_some_and(|(_, only)| *only);
        next = wrapped.map(|(inside, _)| inside);
        if !only_wrapper {
            classify(url, &way, words, out);
        }
    }
}

fn classify(url: Url, way: &DiscoveryMethod, words: &str, out: &mut Vec<CrawlTarget>) {
    let mut push = |url: Url, intent: Intent, layers: Vec<String>| {
        out.push(CrawlTarget {
            words: words.to_owned(),
            layers,
            ..CrawlTarget::new(url, intent, way.clone())
        });
    };
    // Namespaces look like services (`http://www.opengis.net/wms`); social networks have none.
    if host_class(url.host_str().unwrap_or_default()).is_some() {
        return;
    }
    let asks = probe_hints(&url);
    // `/wfs3/` and `/rest/services/` are more specific than the service names in them, except for
    // capabilities documents below them.
    let other = asks.iter().any(|(kind, _)| replaces_ows(kind));
    if let Some(hint) = service_hint(&url).filter(|hint| hint.document || !other)
        && hint.strength != HintStrength::Weak
    {
        let at = if hint.document { canonical_owned(url.clone()) } else { endpoint_url(&url) };
        let read_too = hint.strength == HintStrength::Either;
        let layers = if hint.layers { named_layers(&url) } else { Vec::new() };
        for intent in intents(&hint) {
            push(at.clone(), intent, layers.clone());
        }
        if !read_too {
            return;
        }
    }
    if !asks.is_empty() {
        for (kind, at) in asks {
            push(at, Intent::Ask { kind: kind.to_owned() }, Vec::new());
        }
        return;
    }
    let file = file_type(&url);
    if file.and_then(FileType::to_hint).is_some() {
        push(canonical_owned(url), Intent::File, Vec::new());
        return;
    }
    if page_skip_reason(&url, file).is_some() {
        return;
    }
    let page = canonical_owned(url);
    if page.as_str().len() <= MAX_PAGE_URL {
        push(page, Intent::Page, Vec::new());
    }
}

/// Returns whether URLs of a kind contain names of OGC services without being such services.
fn replaces_ows(kind: &str) -> bool {
    kind.starts_with("ogcapi-") || kind.starts_with("arcgis-")
}

/// Returns one intent per suggested kind; the first one also requests the sibling services.
fn intents(hint: &ServiceHint) -> impl Iterator<Item = Intent> {
    hint.kinds
        .iter()
        .enumerate()
        .map(|(at, kind)| Intent::Ows { kind: (*kind).to_owned(), siblings: hint.siblings && at == 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(url: &str) -> Vec<String> {
        let mut out = Vec::new();
        append_targets(Url::parse(url).unwrap(), "href".into(), "words", &mut out);
        out.iter().map(|t| format!("{} {}", t.intent, t.url)).collect()
    }

    #[test]
    fn urls_become_targets() {
        for (url, expected) in [
            ("https://x.org/a?utm_source=b#c", vec!["page https://x.org/a"]),
            ("https://x.org/wms?SERVICE=WMS&REQUEST=GetCapabilities", vec!["ows:wms https://x.org/wms"]),
            ("https://x.org/ows", vec!["ows:wms+ https://x.org/ows"]),
            ("https://x.org/m?service=WMS,WFS", vec!["ows:wms https://x.org/m", "ows:wfs https://x.org/m"]),
            (
                "https://x.org/a/1.0.0/WMTSCapabilities.xml",
                vec!["ows:wmts https://x.org/a/1.0.0/WMTSCapabilities.xml"],
            ),
            ("https://x.org/roads.kmz", vec!["file https://x.org/roads.kmz"]),
            ("https://x.org/logo.png", vec![]),
            ("http://www.opengis.net/wms", vec![]),
            (
                "https://x.org/tile?REQUEST=GetMap&LAYERS=a&format=image/png",
                vec!["ows:wms https://x.org/tile"],
            ),
            ("https://x.org/wms/about.html", vec!["page https://x.org/wms/about.html"]),
            ("https://x.org/blog/what-is-wms", vec!["page https://x.org/blog/what-is-wms"]),
            ("https://x.org/wms/", vec!["ows:wms https://x.org/wms/", "page https://x.org/wms/"]),
            ("https://p.org/proxy?url=http%3A%2F%2Fx.org%2Fwms%3F", vec!["ows:wms http://x.org/wms"]),
            (
                "https://p.org/viewer?wms=http%3A%2F%2Fx.org%2Fwms%3F",
                vec!["page https://p.org/viewer?wms=http%3A%2F%2Fx.org%2Fwms%3F", "ows:wms http://x.org/wms"],
            ),
        ] {
            assert_eq!(found(url), expected, "{url}");
        }
    }

    #[test]
    fn long_pages_go_but_long_requests_are_stripped() {
        let long = "y".repeat(3000);
        assert!(found(&format!("https://x.org/a?q={long}")).is_empty());
        assert_eq!(
            found(&format!("https://x.org/wms?REQUEST=GetMap&SLD_BODY={long}")),
            ["ows:wms https://x.org/wms"]
        );
    }
}
