//! Tests with the labelled corpus next to the repository, if available (`GEOTRAWL_SHARED` names
//! another place).

use geotrawl_kinds::corpus::{ABSENT, corpus_folder};
use geotrawl_kinds::extract::{read_html, read_sitemap, read_text, read_xml_links};
use geotrawl_kinds::probe::{CrawlTarget, Finding, ResponseHead};
use geotrawl_kinds::urls;
use serde_json::Value;
use url::Url;

/// Returns every labelled file with its manifest entry.
fn files() -> Vec<(Value, Vec<u8>)> {
    let Some(corpus) = corpus_folder(env!("CARGO_MANIFEST_DIR")) else {
        println!("{ABSENT}");
        return Vec::new();
    };
    let manifest = std::fs::read_to_string(corpus.join("manifest.jsonl")).unwrap();
    manifest
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|entry| {
            let body = std::fs::read(corpus.join(entry["file"].as_str().unwrap())).unwrap();
            (entry, body)
        })
        .collect()
}

fn page() -> Url {
    Url::parse("https://site.example/dir/document").unwrap()
}

/// Returns what a labelled link becomes; empty if such links are never followed.
fn becomes(link: &str) -> Vec<Url> {
    let mut out: Vec<CrawlTarget> = Vec::new();
    if let Some(url) = urls::clean_attribute(link, &page()) {
        urls::append_targets(url, "xml".into(), "", &mut out);
    }
    out.into_iter().map(|t| t.url).collect()
}

fn assert_found(finding: &Finding, links: &Value, file: &str) {
    for link in links.as_array().into_iter().flatten().filter_map(Value::as_str) {
        for url in becomes(link) {
            assert!(finding.targets.iter().any(|t| t.url == url), "{file}: {url} was not found");
        }
    }
}

#[test]
fn labelled_sitemaps_and_feeds_give_their_links() {
    for (entry, body) in files() {
        let file = entry["file"].as_str().unwrap();
        let expected = &entry["expected"];
        match entry["kind"].as_str().unwrap() {
            "sitemap-urlset" | "sitemap-index" => {
                let finding = read_sitemap(&page(), &ResponseHead::default(), &body);
                assert_found(&finding, &expected["first_locs"], file);
                let count = usize::try_from(expected["count"].as_u64().unwrap()).unwrap();
                // Entries that are pictures or duplicates have no target of their own.
                assert!(
                    finding.targets.len() * 10 >= count * 9,
                    "{file}: {} of {count}",
                    finding.targets.len()
                );
            }
            "georss-rss" | "georss-atom-feed" | "inspire-atom-feed" => {
                let finding = read_xml_links(&page(), &ResponseHead::default(), &body);
                assert_found(&finding, &expected["links"], file);
                assert!(finding.targets.iter().all(|t| t.way == "feed"), "{file}");
            }
            _ => {}
        }
    }
}

#[test]
fn every_file_can_be_read_by_every_reader() {
    for (entry, body) in files() {
        // Text readers see only the beginning of large files; the hostile tests cover size.
        let body = body.get(..60_000).unwrap_or(&body);
        let head = ResponseHead::default();
        for reader in [read_html, read_sitemap, read_xml_links, read_text] {
            let finding = reader(&page(), &head, body);
            let file = entry["file"].as_str().unwrap();
            assert!(finding.targets.iter().all(|t| t.url.host_str().is_some()), "{file}");
        }
    }
}
