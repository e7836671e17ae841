//! How long a page takes: `cargo run --release -p geotrawl-kinds --example extract_speed [ours]`.
//!
//! Pages of about 40 KB with 60 links in the shape of ordinary sites, read by us (links resolved and
//! classified, words, similarity, verdict), by `lol_html` asked for `a[href]` alone (a floor that gives
//! raw strings only), and by `lol_html` asked for what we take (every element's attributes, text,
//! comments). For every page the best of several rounds counts, because other work on the machine only adds time.

#![expect(clippy::print_stdout, reason = "an example that reports")]

use geotrawl_kinds::extract::read_html;
use geotrawl_kinds::probe::ResponseHead;
use lol_html::{HtmlRewriter, Settings, doc_comments, doc_text, element};
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};
use url::Url;

const PAGES: usize = 64;
const ROUNDS: usize = 25;

fn main() {
    let pages: Vec<String> = (0..PAGES).map(page).collect();
    let bytes: usize = pages.iter().map(String::len).sum();
    let url = Url::parse("https://www.town-17.example/portal/department/page.html").ok();
    let Some(url) = url else { return };
    let head = ResponseHead {
        status: 200,
        content_type: Some("text/html; charset=utf-8".to_owned()),
        ..ResponseHead::default()
    };
    let found: usize = pages.iter().map(|p| read_html(&url, &head, p.as_bytes()).targets.len()).sum();
    println!("{} pages of {} bytes, {} targets a page", PAGES, bytes / PAGES, found / PAGES);
    report("read_html, everything", &pages, |page| drop(black_box(read_html(&url, &head, page.as_bytes()))));
    if std::env::args().any(|a| a == "ours") {
        return;
    }
    report("lol_html, a[href] as strings", &pages, |page| drop(black_box(hrefs(page))));
    report("lol_html, all attributes, text, comments", &pages, |page| drop(black_box(everything(page))));
}

fn report(what: &str, pages: &[String], run: impl Fn(&str)) {
    let best = |page: &String| {
        let times = (0..ROUNDS).map(|_| {
            let begin = Instant::now();
            run(page);
            begin.elapsed()
        });
        times.min().unwrap_or_default()
    };
    let total: Duration = pages.iter().map(best).sum();
    let bytes: usize = pages.iter().map(String::len).sum();
    let micros = total.as_secs_f64() * 1e6 / pages.len() as f64;
    let rate = bytes as f64 / total.as_secs_f64() / 1e6;
    println!("{what:<44} {micros:>7.1} µs a page  {rate:>7.0} MB/s");
}

fn hrefs(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let handler = element!("a[href]", |el| {
        found.extend(el.get_attribute("href"));
        Ok(())
    });
    let mut rewriter =
        HtmlRewriter::new(Settings::new().append_element_content_handler(handler), |_: &[u8]| {});
    let written = rewriter.write(page.as_bytes()).and_then(|()| rewriter.end());
    drop(written);
    found
}

fn everything(page: &str) -> (Vec<String>, usize) {
    let mut found = Vec::new();
    let mut text = 0;
    let mut comments = 0;
    let elements = element!("*", |el| {
        for attribute in el.attributes() {
            if attribute.name() == "href" || attribute.value().contains("://") {
                found.push(attribute.value());
            }
        }
        Ok(())
    });
    let settings = Settings::new()
        .append_element_content_handler(elements)
        .append_document_content_handler(doc_text!(|chunk| {
            text += chunk.as_str().len();
            Ok(())
        }))
        .append_document_content_handler(doc_comments!(|comment| {
            comments += comment.text().len();
            Ok(())
        }));
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    let written = rewriter.write(page.as_bytes()).and_then(|()| rewriter.end());
    drop(written);
    (found, text + comments)
}

/// A page of a town's portal: a head, a menu, paragraphs with links, a footer, a little script.
fn page(number: usize) -> String {
    let mut random = Random(number as u64 + 1);
    let mut html = String::with_capacity(42_000);
    let _ = write!(
        html,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Department page {number} of the town</title>\n\
         <link rel=\"stylesheet\" href=\"/assets/site.css?v=3\">\n<link rel=\"canonical\" href=\"https://www.town-17.example/p/{number}\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<script>window.settings={{\"base\":\"https://www.town-17.example/\",\"n\":{number}}};</script>\n</head>\n<body class=\"page page-{number}\">\n<nav><ul class=\"menu\">\n"
    );
    for n in 0..15 {
        let _ = writeln!(
            html,
            "<li class=\"item level-1\"><a class=\"menu-link\" href=\"/section/{n}/{}\">{}</a></li>",
            random.word(),
            random.word()
        );
    }
    html.push_str("</ul></nav>\n<main id=\"content\">\n<!-- content begins -->\n");
    let mut links = 15;
    while html.len() < 39_500 {
        html.push_str("<div class=\"section\"><h2 class=\"title\">");
        html.push_str(random.word());
        html.push_str("</h2>\n<p>");
        for n in 0..110 {
            html.push_str(random.word());
            html.push(if n % 13 == 12 { '.' } else { ' ' });
            if n % 55 == 30 && links < 58 {
                links += 1;
                let target = random.next() % 100_000;
                let _ = match links % 10 {
                    0 => write!(
                        html,
                        "<a href=\"https://data-{}.example/set/{target}?view=full&amp;page=2\">",
                        target % 300
                    ),
                    1 => write!(html, "<a href=\"item-{target}.html#part\">"),
                    2 => write!(
                        html,
                        "<a href=\"https://maps-{}.example/geoserver/wms?SERVICE=WMS&amp;REQUEST=GetCapabilities\">",
                        target % 300
                    ),
                    _ => write!(html, "<a href=\"/{}/{target}.html\" title=\"more\">", random.word()),
                };
                html.push_str(random.word());
                html.push(' ');
                html.push_str(random.word());
                html.push_str("</a> ");
            }
        }
        html.push_str("</p>\n<img class=\"picture\" src=\"/img/a.jpg\" alt=\"picture\" width=\"300\" height=\"200\"></div>\n");
    }
    html.push_str("</main>\n<footer><p>Published by the town. <a href=\"/contact\">Contact</a> <a href=\"mailto:office@town-17.example\">Mail</a></p></footer>\n</body>\n</html>\n");
    html
}

/// A small generator of numbers: pages must be the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn word(&mut self) -> &'static str {
        const WORDS: [&str; 64] = [
            "water",
            "service",
            "map",
            "the",
            "of",
            "and",
            "for",
            "road",
            "district",
            "planning",
            "land",
            "use",
            "data",
            "environment",
            "council",
            "meeting",
            "in",
            "to",
            "a",
            "is",
            "are",
            "public",
            "information",
            "register",
            "survey",
            "forest",
            "river",
            "building",
            "permit",
            "street",
            "address",
            "office",
            "open",
            "download",
            "layer",
            "boundary",
            "statistics",
            "population",
            "school",
            "traffic",
            "noise",
            "protection",
            "area",
            "zone",
            "development",
            "project",
            "report",
            "history",
            "town",
            "region",
            "department",
            "contact",
            "portal",
            "with",
            "on",
            "by",
            "from",
            "residents",
            "administration",
            "geographic",
            "infrastructure",
            "network",
            "quality",
            "air",
        ];
        WORDS[(self.next() % 64) as usize]
    }
}
