//! Hostile documents: each must end soon, with bounded results, and report what was dropped.

use geotrawl_kinds::extract::{MAX_TARGETS, read_html, read_sitemap, read_text, read_xml_links};
use geotrawl_kinds::probe::{Finding, ResponseHead};
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use url::Url;

type ReadFunction = fn(&Url, &ResponseHead, &[u8]) -> Finding;

fn page() -> Url {
    Url::parse("https://site.example/dir/page.html").unwrap()
}

/// Debug builds on a busy machine are slow, but anything quadratic would take hours.
const PATIENCE: Duration = Duration::from_secs(30);

fn read(reader: ReadFunction, body: &[u8], what: &str) -> Finding {
    let begin = Instant::now();
    let finding = reader(&page(), &ResponseHead::default(), body);
    assert!(begin.elapsed() < PATIENCE, "{what} took {:?}", begin.elapsed());
    finding
}

#[test]
fn a_million_links_are_capped_and_said() {
    let mut html = String::with_capacity(30 << 20);
    for n in 0..1_000_000_u32 {
        write!(html, "<a href=/p/{n}>x</a>").unwrap();
    }
    html.push_str("<a href='/geoserver/ows?service=WFS'>service</a>");
    let finding = read(read_html, html.as_bytes(), "a million links");
    assert!(finding.targets.len() <= 2 * MAX_TARGETS);
    assert!(finding.targets.iter().any(|t| t.intent.is_probe()), "the service behind them is still found");
    assert!(finding.issues.iter().any(|i| i.code == "too-many-links"));
}

#[test]
fn endless_pieces_are_linear_in_every_reader() {
    let pieces = [
        "<div>",
        "<a href='",
        "<a href=\"x\">",
        "<!--",
        "<script>",
        "<",
        "&",
        "&amp;",
        "&#",
        "http://",
        "https://x",
        "://",
        ":\\/\\/",
        "<a b='://' ",
        "[[[[",
        "((((",
        "<svg><title>",
        "<form action=x><input type=hidden name=a value=b>",
        "<loc>http://x.org/</loc>",
        "<url>",
        "<![CDATA[",
        "<?x ",
        "<!DOCTYPE [",
        "\"'",
        "%",
        "https://x.org/?u=https://x.org/",
        "<a onclick='",
        "<base href=x>",
        "<meta name=robots>",
        "\u{2026}",
        "地図",
        "\0",
        "http://a.b/&amp;",
    ];
    for piece in pieces {
        let text = piece.repeat(100_000 / piece.len());
        for (name, reader) in [
            ("html", read_html as ReadFunction),
            ("xml", read_xml_links),
            ("text", read_text),
            ("sitemap", read_sitemap),
        ] {
            read(reader, text.as_bytes(), &format!("{piece:?} in {name}"));
            read(reader, format!("<r>{text}").as_bytes(), &format!("<r>{piece:?} in {name}"));
            read(
                reader,
                format!("<a href=\"{text}\" title='{text}' onclick=\"f('{text}')\">").as_bytes(),
                &format!("attribute of {piece:?} in {name}"),
            );
        }
    }
}

#[test]
fn a_million_levels_do_not_overflow_the_stack() {
    let deep = "<div>".repeat(1_000_000) + "<a href=/deep>x</a>";
    assert_eq!(read(read_html, deep.as_bytes(), "deep html").targets.len(), 1);
    let deep = "<a>".repeat(1_000_000) + "<link>https://x.org/deep</link>";
    assert_eq!(read(read_xml_links, deep.as_bytes(), "deep xml").targets.len(), 1);
}

#[test]
fn an_attribute_of_ten_megabytes_is_passed() {
    let long = "a".repeat(10 << 20);
    let html = format!("<a href=\"/{long}\" data-x=\"{long}\" onclick=\"{long}\">x</a><a href=/after>y</a>");
    let finding = read(read_html, html.as_bytes(), "a long attribute");
    let urls: Vec<_> = finding.targets.iter().map(|t| t.url.as_str()).collect();
    assert_eq!(urls, ["https://site.example/after"]);
    let attributes = format!("<a {}href=/x>", "k=v ".repeat(1_000_000));
    read(read_html, attributes.as_bytes(), "a million attributes");
    let xml = format!(
        "<a {}/>",
        (0..100_000).map(|n| format!("k{n}='http://x.org/{n}'")).collect::<Vec<_>>().join(" ")
    );
    read(read_xml_links, xml.as_bytes(), "many xml attributes");
}

#[test]
fn entity_bombs_are_not_expanded() {
    let xml = "<!DOCTYPE r [<!ENTITY a \"http://x.org/aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">]><r><link>&b;&b;&b;</link></r>";
    let finding = read(read_xml_links, xml.as_bytes(), "an entity bomb");
    assert!(finding.targets.len() <= 1);
}

#[test]
fn a_page_of_text_urls_is_linear() {
    let text = (0..200_000).map(|n| format!("http://x.org/{n}")).collect::<Vec<_>>().join(" ");
    let finding = read(read_html, text.as_bytes(), "text addresses");
    assert!(finding.targets.len() <= MAX_TARGETS);
}
