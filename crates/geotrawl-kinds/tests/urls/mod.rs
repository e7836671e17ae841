//! Properties of URLs: functions are idempotent, and no text makes them panic or slow.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use geotrawl_kinds::urls::{
    append_targets, canonical_url, clean_attribute, clean_link, endpoint_url, file_hint, host_key,
    named_layers, registrable_domain, service_hint, skip_reason, trap_shape, unwrap_proxy, url_pattern,
    with_params,
};
use proptest::prelude::*;
use url::Url;

fn base() -> Url {
    Url::parse("https://site.example/dir/page.html?q=1").unwrap()
}

/// Generates text that looks like a URL, with common mistakes.
fn address() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "http://",
            "https://",
            "//",
            "/",
            "?",
            "&",
            "=",
            "#",
            "%",
            "%2F",
            "%2f",
            "%41",
            "%7e",
            "..",
            ".",
            ";jsessionid=",
            ":",
            "@",
            "user:pw@",
            "example.org",
            "EXAMPLE.org.",
            ":80",
            ":8443",
            "wms",
            "WMSServer",
            "ows",
            "geoserver",
            "mapserv",
            "cgi-bin",
            "map=/a.map",
            "SERVICE=WMS",
            "request=GetCapabilities",
            "LAYERS=a,b",
            "utm_source=x",
            "sid=0123456789abcdef0",
            "token=t",
            "url=http%3A%2F%2Fx.org%2Fwms",
            "proxy",
            "http%3A//x.org",
            "&amp;",
            "&#38;",
            "&quot;",
            ")",
            "(",
            "'",
            "\"",
            "[",
            "]",
            "{z}",
            "|",
            "\\",
            "\t",
            "\n",
            " ",
            "ä",
            "地図",
            "\u{200b}",
            "(S(abcdef))",
            ".kml",
            ".zip",
            "xn--",
            "[::1]",
            "127.0.0.1",
            "0x7f.1",
            "javascript:",
            "mailto:",
            "%%34%31",
            "&am\np;",
            "a;b",
            "..;sid=1",
        ])
        .prop_map(str::to_owned),
        "[a-z0-9]{1,6}",
    ];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

/// Generates complete addresses, most of which parse.
fn url() -> impl Strategy<Value = Url> {
    (prop::sample::select(vec!["http://", "https://"]), "[a-z]{1,8}\\.(org|co\\.uk|example)", address())
        .prop_filter_map("does not parse", |(scheme, host, rest)| {
            Url::parse(&format!("{scheme}{host}/{rest}")).ok()
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn canonical_is_idempotent(url in url()) {
        let once = canonical_url(&url);
        prop_assert_eq!(String::from(canonical_url(&once)), once.as_str());
        prop_assert!(once.fragment().is_none() && once.username().is_empty() && once.password().is_none());
        prop_assert_eq!(String::from(Url::parse(once.as_str()).unwrap()), once.as_str());
    }

    #[test]
    fn endpoint_is_idempotent(url in url()) {
        let once = endpoint_url(&url);
        prop_assert_eq!(String::from(endpoint_url(&once)), once.as_str());
        prop_assert!(once.query().is_none_or(|q| !q.is_empty() && !q.ends_with('&')));
    }

    #[test]
    fn cleaning_is_idempotent(raw in address()) {
        if let Some(once) = clean_link(&raw, &base()) {
            let again = clean_link(once.as_str(), &base());
            prop_assert_eq!(again.as_ref().map(Url::as_str), Some(once.as_str()), "{}", raw);
        }
        if let Some(once) = clean_attribute(&raw, &base()) {
            let again = clean_attribute(once.as_str(), &base());
            prop_assert_eq!(again.as_ref().map(Url::as_str), Some(once.as_str()), "{}", raw);
        }
    }

    #[test]
    fn cleaned_urls_can_be_fetched(raw in address()) {
        for url in [clean_link(&raw, &base()), clean_attribute(&raw, &base())].into_iter().flatten() {
            prop_assert!(matches!(url.scheme(), "http" | "https"));
            prop_assert!(url.host_str().is_some_and(|h| !h.is_empty()));
            prop_assert!(url.username().is_empty() && url.fragment().is_none());
        }
    }

    #[test]
    fn targets_are_canonical_and_few(url in url()) {
        let mut found = Vec::new();
        append_targets(url.clone(), "href".into(), "", &mut found);
        prop_assert!(found.len() <= 12, "{} gives {}", url, found.len());
        for target in &found {
            prop_assert!(target.url.fragment().is_none());
            if target.intent == geotrawl_model::Intent::Page {
                prop_assert_eq!(&canonical_url(&target.url), &target.url);
                prop_assert!(target.url.as_str().len() <= 2_048);
            }
        }
    }

    #[test]
    fn nothing_panics(url in url(), key in "\\PC{0,8}", value in "\\PC{0,8}") {
        service_hint(&url);
        file_hint(&url);
        skip_reason(&url);
        trap_shape(&url);
        named_layers(&url);
        unwrap_proxy(&url);
        prop_assert!(url.as_str().starts_with(&host_key(&canonical_url(&url))) || url.port().is_some() || url.host_str().unwrap().ends_with('.') || !url.username().is_empty() || url.password().is_some());
        prop_assert!(url.host_str().unwrap().trim_end_matches('.').ends_with(&registrable_domain(&url)));
        let shape = url_pattern(&url);
        prop_assert!(!shape.is_empty());
        let asked = with_params(&url, &[(&key, &value)]);
        let query = asked.query().unwrap();
        prop_assert!(!query.rsplit('&').next().unwrap().contains('+'));
        let last = asked.query_pairs().last().unwrap();
        prop_assert_eq!((last.0.as_ref(), last.1.as_ref()), (key.as_str(), value.as_str()));
    }
}

#[test]
fn long_input_is_refused_or_linear() {
    let long = "https://x.org/".to_owned() + &"a/../".repeat(400_000);
    assert!(clean_link(&long, &base()).is_none());
    let nested =
        (0..200).fold("https://x.org/wms".to_owned(), |inner, _| format!("https://p.org/proxy?url={inner}"));
    let url = Url::parse(&nested).unwrap();
    let mut found = Vec::new();
    append_targets(url, "href".into(), "", &mut found);
    assert!(found.len() <= 4);
    let parens = format!("https://x.org/{}", ")".repeat(8_000));
    assert_eq!(clean_link(&parens, &base()).map(String::from).as_deref(), Some("https://x.org/"));
}
