//! Properties: our tokenizer sees the links that `lol_html` sees, and no bytes make a reader panic.

use geotrawl_kinds::extract::{
    TextKind, decode_text, page_verdict, read_html, read_sitemap, read_text, read_xml_links,
};
use geotrawl_kinds::probe::ResponseHead;
use lol_html::{HtmlRewriter, Settings, element};
use proptest::prelude::*;
use std::collections::BTreeSet;
use url::Url;

/// Returns the paths of `a[href]` according to `lol_html`.
fn by_lol_html(html: &str) -> Option<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    let handler = element!("a[href]", |el| {
        found.extend(el.get_attribute("href"));
        Ok(())
    });
    let settings = Settings::new().with_strict(false).append_element_content_handler(handler);
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    rewriter.write(html.as_bytes()).ok()?;
    rewriter.end().ok()?;
    Some(found)
}

/// Returns the paths of links with the discovery method `href` according to us.
fn by_us(html: &str) -> BTreeSet<String> {
    let url = Url::parse("https://site.example/").unwrap();
    let finding = read_html(&url, &ResponseHead::default(), html.as_bytes());
    finding.targets.iter().filter(|t| t.way == "href").map(|t| t.url.path().to_owned()).collect()
}

/// Generates markup that tokenizers disagree on. Hrefs are `/l0` to `/l9`. `noscript` and
/// `noframes` are left out, because we differ there on purpose.
fn markup() -> impl Strategy<Value = String> {
    let link = (0..10_u8, 0..6_u8).prop_map(|(n, form)| match form {
        0 => format!("<a href=\"/l{n}\">"),
        1 => format!("<A HREF='/l{n}' x>"),
        2 => format!("<a x=1 href=/l{n}>"),
        3 => format!("<a\nhref = \"/l{n}\"\n>"),
        4 => format!("<a x=\"'\" y='\"' href=/l{n} >"),
        _ => format!("<a href=/l{n} href=/other>"),
    });
    let piece = prop_oneof![
        6 => link,
        2 => "[a-z <>/=\"'!?-]{0,8}",
        1 => prop::sample::select(vec![
            "<!--", "-->", "--!>", "<!-->", "<!--->", "<script>", "</script>", "<SCRIPT src=x>", "</script ", "<style>",
            "</style>", "<title>", "</title>", "<textarea>", "</textarea>", "<xmp>", "</xmp>", "<iframe>", "</iframe>",
            "<!DOCTYPE html>", "<?php", "?>", "</", "</>", "<![CDATA[", "]]>", "<b", "\"", "'", ">", "<", "=", "/",
            "<p>", "</p>", "</a>", "<br/>", "<div class='x'>", "<x y=>", "<x y= >", "<x =>",
        ]).prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn our_links_are_those_of_lol_html(html in markup()) {
        let expected: BTreeSet<String> = by_lol_html(&html).unwrap().into_iter().filter(|h| is_marked(h)).collect();
        let found: BTreeSet<String> = by_us(&html).into_iter().filter(|h| is_marked(h)).collect();
        prop_assert_eq!(found, expected, "{}", html);
    }
}

fn is_marked(href: &str) -> bool {
    href.len() == 3 && href.starts_with("/l")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_without_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..600),
        content_type in prop::option::of("[a-z/;= -]{0,30}"),
    ) {
        read_all(&bytes, content_type);
    }

    #[test]
    fn any_markup_is_read_without_panic(text in "[<>/a-d=\"'&#;:!\\-\\[\\] ?x0-9äあ\u{0}h]{0,300}") {
        read_all(text.as_bytes(), None);
    }
}

fn read_all(bytes: &[u8], content_type: Option<String>) {
    let url = Url::parse("https://site.example/a/b?c").unwrap();
    let head = ResponseHead {
        content_type,
        links: vec![String::from_utf8_lossy(bytes).into_owned()],
        ..ResponseHead::default()
    };
    for reader in [read_html, read_sitemap, read_xml_links, read_text] {
        let finding = reader(&url, &head, bytes);
        for target in &finding.targets {
            assert!(matches!(target.url.scheme(), "http" | "https"));
            assert!(target.url.username().is_empty() && target.url.fragment().is_none());
            assert!(target.words.chars().count() <= 200);
        }
    }
    page_verdict(&head, bytes);
    for kind in [TextKind::Html, TextKind::Xml, TextKind::Plain] {
        decode_text(&head, bytes, kind);
    }
}
