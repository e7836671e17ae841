//! Reading a page without its known links gives the same as reading all of it and removing them.

use geotrawl_kinds::extract::{HtmlOptions, KnownPageLookup, read_html, read_html_with_options};
use geotrawl_kinds::probe::{CrawlTarget, ResponseHead};
use geotrawl_kinds::urls;
use geotrawl_model::Intent;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use url::Url;

struct KnownPageSet(BTreeSet<u128>);

fn wanted(pages: &dyn KnownPageLookup) -> HtmlOptions<'_> {
    HtmlOptions { known: Some(pages), apps: true }
}

fn key(page: &str) -> u128 {
    let mut hasher = DefaultHasher::new();
    page.hash(&mut hasher);
    u128::from(hasher.finish())
}

impl KnownPageLookup for KnownPageSet {
    fn page_key(&self, page: &str) -> u128 {
        key(page)
    }
    fn is_known(&self, key: u128) -> bool {
        self.0.contains(&key)
    }
}

/// Returns whether a target may be known: its URL is that page and nothing else.
fn is_only_a_page(target: &CrawlTarget) -> bool {
    let mut all = Vec::new();
    urls::append_targets(target.url.clone(), "".into(), "", &mut all);
    matches!(&all[..], [only] if only.intent == Intent::Page && only.url == target.url)
}

/// Reads a page with every second page target known, and compares.
fn compare(html: &str, parity: usize) -> Result<(), TestCaseError> {
    let url = Url::parse("https://site.example/dir/page.html").unwrap();
    let all = read_html(&url, &ResponseHead::default(), html.as_bytes());
    let may_be_known = all.targets.iter().filter(|t| is_only_a_page(t));
    let known: BTreeSet<&Url> = may_be_known.skip(parity).step_by(2).map(|t| &t.url).collect();
    let pages = KnownPageSet(known.iter().map(|url| key(url.as_str())).collect());
    let rest = read_html_with_options(&url, &ResponseHead::default(), html.as_bytes(), wanted(&pages));
    let left = |t: &&CrawlTarget| t.intent != Intent::Page || !known.contains(&t.url);
    let expected: Vec<&CrawlTarget> = all.targets.iter().filter(left).collect();
    // A known page with an unusual spelling may still be reported.
    prop_assert_eq!(rest.targets.iter().filter(left).collect::<Vec<_>>(), expected);
    prop_assert_eq!(rest.page, all.page);
    prop_assert_eq!(rest.verdict, all.verdict);
    Ok(())
}

fn address() -> impl Strategy<Value = String> {
    let start = prop::sample::select(vec![
        "",
        "/",
        "//",
        "///",
        "./",
        "../",
        "/dir/../",
        "https://site.example",
        "https://site.example/",
        "HTTPS://SITE.example/",
        "https://site.example:443/",
        "http://other.example/",
        "//other.example/",
        "https:/",
        "https:",
        "?",
        "#",
        " /",
        "/\\",
        "https://p.example/proxy?url=http://site.example/",
        "mailto:",
        "&#47;",
        "/&amp;",
    ]);
    let step = prop::sample::select(vec![
        "a",
        "b",
        "/",
        "//",
        ".",
        "..",
        "/./",
        "/../",
        "a.html",
        "wms",
        "ows",
        "x.kml",
        "x.png",
        "login",
        "%41",
        "%2F",
        ":",
        "?",
        "&",
        "&amp;",
        "=",
        "#",
        "#top",
        "a b",
        "~",
        "é",
        ";jsessionid=1",
        "utm_source=1",
        "SERVICE=WMS",
        "index.php",
        "'",
        "http://",
        "\n",
    ]);
    (start, prop::collection::vec(step, 0..5)).prop_map(|(start, steps)| format!("{start}{}", steps.concat()))
}

fn page() -> impl Strategy<Value = String> {
    let place = prop::sample::select(vec![
        "<a href=\"@\">words</a> ",
        "<a href=\"@\" rel=nofollow>x</a>",
        "<iframe src=\"@\"></iframe>",
        "<img src=\"@\">",
        "<form action=\"@\"></form>",
        "text @ text ",
        "<!-- @ -->",
        "<p data-url=\"@\">",
        "<link rel=next href=\"@\">",
        "<area href=\"@\">",
    ]);
    let piece = (place, address()).prop_map(|(place, address)| place.replace('@', &address));
    let base =
        prop::sample::select(vec!["", "", "<base href=\"https://other.example/x/\">", "<base href=\"/y/\">"]);
    (base, prop::collection::vec(piece, 0..14))
        .prop_map(|(base, pieces)| format!("{base}{}", pieces.concat()))
}

#[test]
fn plain_paths_and_addresses_are_known_as_written() {
    let url = Url::parse("https://site.example/dir/page.html").unwrap();
    let html = "<a href=/a/b>x</a><a href=/a/b#top>x</a><a href=https://other.example/c>x</a><a href=/d>x</a>\
                <a href=b/../../a/b>x</a><a href=/a/b rel=nofollow>x</a>";
    let known = ["https://site.example/a/b", "https://other.example/c"].map(key);
    let finding = read_html_with_options(
        &url,
        &ResponseHead::default(),
        html.as_bytes(),
        wanted(&KnownPageSet(known.into())),
    );
    let left: Vec<&str> = finding.targets.iter().map(|t| t.url.as_str()).collect();
    assert_eq!(left, ["https://site.example/d"]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_known_is_left_out_and_nothing_else(html in page(), parity in 0..2_usize) {
        compare(&html, parity)?;
    }
}
