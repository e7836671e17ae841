use super::*;
use proptest::prelude::*;

const US: &str = "Geotrawl";

fn allowed(text: &str, path: &str) -> bool {
    RobotsRules::parse(text, US).allows_path(path)
}

/// Rows of (file, path, allowed).
#[test]
fn the_table_of_rules() {
    let table: &[(&str, &str, bool)] = &[
        // No rules allow everything.
        ("", "/", true),
        ("User-agent: *\n", "/", true),
        ("User-agent: *\nDisallow:\n", "/x", true),
        ("Disallow: /\n", "/x", true),
        // Groups.
        ("User-agent: *\nDisallow: /", "/x", false),
        ("User-agent: other\nDisallow: /", "/x", true),
        ("User-agent: geotrawl\nDisallow: /", "/x", false),
        ("USER-AGENT: GEOTRAWL\nDISALLOW: /", "/x", false),
        ("User-agent: Geotrawl/2.0\nDisallow: /", "/x", false),
        ("User-agent: Geotrawler\nDisallow: /", "/x", true),
        ("User-agent: *\nDisallow: /\nUser-agent: geotrawl\nAllow: /", "/x", true),
        ("User-agent: geotrawl\nDisallow: /a\nUser-agent: *\nDisallow: /b", "/b", true),
        ("User-agent: other\nUser-agent: geotrawl\nDisallow: /", "/x", false),
        ("User-agent: other\nUser-agent: *\nDisallow: /", "/x", false),
        ("User-agent: geotrawl\n\n\nDisallow: /", "/x", false),
        // Groups with the same name are merged.
        (
            "User-agent: geotrawl\nDisallow: /a\nUser-agent: x\nDisallow: /\nUser-agent: geotrawl\nDisallow: /b",
            "/a",
            false,
        ),
        (
            "User-agent: geotrawl\nDisallow: /a\nUser-agent: x\nDisallow: /\nUser-agent: geotrawl\nDisallow: /b",
            "/b",
            false,
        ),
        // Other lines do not end a group.
        ("User-agent: geotrawl\nSitemap: http://a.test/s\nUser-agent: *\nDisallow: /", "/x", false),
        ("User-agent: geotrawl\nCrawl-delay: 3\nUser-agent: x\nDisallow: /", "/x", false),
        ("User-agent: geotrawl\nWhatever: 1\nDisallow: /", "/x", false),
        // The longest rule wins; in a tie, allow wins.
        ("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", true),
        ("User-agent: *\nAllow: /a\nDisallow: /a/b", "/a/b/c", false),
        ("User-agent: *\nDisallow: /a\nAllow: /a", "/a", true),
        ("User-agent: *\nAllow: /\nDisallow: /cgi-bin", "/cgi-bin/x", false),
        ("User-agent: *\nDisallow: /x*\nAllow: /xy", "/xyz", true),
        // Prefixes, case, anchors, wildcards.
        ("User-agent: *\nDisallow: /fish", "/fisherman", false),
        ("User-agent: *\nDisallow: /fish", "/Fish", true),
        ("User-agent: *\nDisallow: /fish", "/catfish", true),
        ("User-agent: *\nDisallow: /fish/", "/fish", true),
        ("User-agent: *\nDisallow: /*.php", "/a/b.php?x", false),
        ("User-agent: *\nDisallow: /*.php$", "/a/b.php?x", true),
        ("User-agent: *\nDisallow: /*.php$", "/a/b.php", false),
        ("User-agent: *\nDisallow: /*.php$", "/a.php/b.php", false),
        ("User-agent: *\nDisallow: /a$b", "/a$bc", false),
        ("User-agent: *\nDisallow: /*?*service=", "/ows?x&service=WMS", false),
        ("User-agent: *\nDisallow: *geoserver", "/x/geoserver/wms", false),
        ("User-agent: *\nDisallow: /a*b*c$", "/abcbc", false),
        ("User-agent: *\nDisallow: /a*b*c$", "/abcb", true),
        ("User-agent: *\nDisallow: /***x", "/yyx", false),
        ("User-agent: *\nDisallow: /$", "/", false),
        ("User-agent: *\nDisallow: /$", "/x", true),
        // Escapes.
        ("User-agent: *\nDisallow: /stra%c3%9fe", "/stra%C3%9Fe", false),
        ("User-agent: *\nDisallow: /straße", "/stra%C3%9Fe", false),
        ("User-agent: *\nDisallow: /100%x", "/100%x", false),
        // Index pages.
        ("User-agent: *\nDisallow: /a\nAllow: /a/index.html", "/a/", true),
        ("User-agent: *\nDisallow: /a\nAllow: /a/index.html", "/a/b", false),
        // Common mistakes.
        ("\u{feff}User-agent: *\nDisallow: /", "/x", false),
        ("User-agent: *\r\nDisallow: /\r\n", "/x", false),
        ("User-agent: *\rDisallow: /\r", "/x", false),
        ("  User-agent : *  \n\t Disallow  :  /  # all", "/x", false),
        ("User-agent *\nDisallow /", "/x", false),
        ("Useragent: *\nDissalow: /", "/x", false),
        ("# User-agent: *\n# Disallow: /", "/x", true),
        ("User-agent: * and more\nDisallow: /", "/x", false),
        ("User-agent: *\nDisallow: / # not /x", "/x", false),
        // An HTML page instead of robots.txt.
        ("<!DOCTYPE html>\n<html><body><p>User-agent: *</p>\n<p>Disallow: /</p></body></html>", "/x", true),
    ];
    for (text, path, expected) in table {
        assert_eq!(allowed(text, path), *expected, "{text:?} {path}");
    }
}

#[test]
fn delays_are_those_of_our_group() {
    let delay = |text: &str| RobotsRules::parse(text, US).crawl_delay().map(|delay| delay.as_millis());
    assert_eq!(delay("User-agent: *\nCrawl-delay: 5"), Some(5000));
    assert_eq!(delay("User-agent: *\ncrawl-DELAY: 0.5 # half"), Some(500));
    assert_eq!(
        delay("User-agent: geotrawl\nCrawl-delay: 2\nUser-agent: *\nDisallow:\nCrawl-delay: 9"),
        Some(9000)
    );
    assert_eq!(
        delay(
            "User-agent: *\nCrawl-delay: 9\nDisallow: /a\nUser-agent: geotrawl\nCrawl-delay: 2\nDisallow: /b"
        ),
        Some(2000)
    );
    assert_eq!(delay("User-agent: *\nCrawl-delay: 9\nDisallow: /\nUser-agent: geotrawl\nDisallow: /b"), None);
    for nonsense in ["-1", "NaN", "inf", "soon", ""] {
        assert_eq!(delay(&format!("User-agent: *\nCrawl-delay: {nonsense}")), None, "{nonsense}");
    }
    assert_eq!(delay("User-agent: *\nCrawl-delay: 1e300"), Some(86_400_000));
}

#[test]
fn sitemaps_stand_anywhere() {
    let rules = RobotsRules::parse(
        "Sitemap: http://a.test/1\nUser-agent: x\nSITEMAP:http://a.test/2#top\nDisallow: /\n",
        US,
    );
    assert_eq!(rules.sitemaps(), ["http://a.test/1", "http://a.test/2"]);
    let many = "Sitemap: http://a.test/\n".repeat(5000);
    assert_eq!(RobotsRules::parse(&many, US).sitemaps().len(), MOST_SITEMAPS);
}

#[test]
fn a_line_that_is_too_long_is_cut_and_still_a_rule() {
    let long = "a".repeat(LONGEST_LINE);
    let text = format!("User-agent: *\nDisallow: /{long}/tail\nDisallow: /next");
    assert!(!allowed(&text, &format!("/{long}/other")) && !allowed(&text, "/next"));
    assert!(allowed(&text, "/a"));
}

#[test]
fn a_hostile_file_costs_little() {
    // Long lines of multi-byte characters, tens of thousands of
    // wildcard rules, and a path that almost matches.
    let wide = format!("User-agent: *\nDisallow: /{}\nDisallow: /b", "ü".repeat(50_000));
    assert!(!allowed(&wide, "/b"));
    let mut stars = String::from("User-agent: *\n");
    for n in 0..20_000 {
        stars.push_str("Disallow: /*a*a*a*b");
        stars.push_str(&n.to_string());
        stars.push('\n');
    }
    let start = std::time::Instant::now();
    let rules = RobotsRules::parse(&stars, US);
    assert!(rules.allows_path(&format!("/{}", "a".repeat(200))));
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read(text in "\\PC{0,400}", path in "/\\PC{0,50}") {
        let _ = allowed(&text, &path);
    }

    /// Our matcher agrees with the reference port where the port is
    /// right, which excludes some `*` rules.
    #[test]
    fn the_reference_agrees(
        lines in proptest::collection::vec(
            prop_oneof![
                "(User-agent|user-agent): (\\*|geotrawl|other)",
                "(Allow|Disallow): /[ab/]{0,6}\\$?",
                "(Allow|Disallow): ?",
            ],
            0..10,
        ),
        path in "/[ab/]{0,8}",
    ) {
        let text = lines.join("\n");
        let url = format!("http://a.test{path}");
        let reference = DefaultMatcher::default().one_agent_allowed_by_robots(&text, "Geotrawl", &url);
        prop_assert_eq!(allowed(&text, &path), reference, "{:?} {}", text, path);
    }

    /// The fast matcher agrees with the naive definition.
    #[test]
    fn matching_is_as_defined(path in "/[ab/]{0,10}", pattern in "/[ab/*]{0,8}\\$?") {
        prop_assert_eq!(matches(path.as_bytes(), pattern.as_bytes()), defined(path.as_bytes(), pattern.as_bytes()));
    }
}

/// The definition of a match, written naively.
fn defined(path: &[u8], pattern: &[u8]) -> bool {
    match pattern {
        [] => true,
        [b'$'] => path.is_empty(),
        [b'*', rest @ ..] => (0..=path.len()).any(|skip| defined(&path[skip..], rest)),
        [first, rest @ ..] => path.first() == Some(first) && defined(&path[1..], rest),
    }
}
