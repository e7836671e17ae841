//! Mining archives finds the same as crawling their pages.

use crate::harness::{
    CommandOutput, Engine, ServedSimWeb, TestStore, geotrawl_command, run_command, share_machine,
};
use geotrawl_simweb::SimWebConfig;
use geotrawl_simweb::archive::{ArchiveOptions, ArchivePaths};
use std::collections::BTreeSet;
use std::path::Path;

type FoundResources = BTreeSet<(String, String)>;

fn finds(said: &CommandOutput) -> FoundResources {
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    said.json_lines().iter().map(|record| (text(&record["kind"]), text(&record["url"]))).collect()
}

fn small(seed: u64) -> ServedSimWeb {
    ServedSimWeb::start(SimWebConfig { seed, hosts: 20, pages: Some(300), ..SimWebConfig::default() })
}

const POLITE: [&str; 5] = ["--json", "--delay", "0", "--timeout", "4"];

/// Returns the resources in the catalogue. Which alias is the main address may change during a
/// crawl.
fn catalogue(place: &TestStore) -> FoundResources {
    let said = run_command(place.geotrawl_command().args(["export", "--format", "jsonl"]));
    assert_eq!(said.code, 0, "{}", said.err);
    finds(&said)
}

/// Crawls the web completely; returns the finds and the addresses of the pages and documents read.
fn crawl(web: &ServedSimWeb, data: &TestStore) -> (FoundResources, Vec<String>) {
    run_command(
        web.geotrawl_command(data).args(POLITE).args(["crawl", "--depth", "40"]).args(web.sim.seeds()),
    );
    let mut read: Vec<String> = web
        .log()
        .iter()
        .filter(|entry| entry.status < 500 && entry.status > 0 && entry.target != "/robots.txt")
        .filter(|entry| !entry.target.to_ascii_lowercase().contains("request=get"))
        // These hosts answer every address alike, so that results depend on the order of requests.
        .filter(|entry| !entry.host.ends_with(".hostile.test"))
        .map(|entry| format!("http://{}{}", entry.host, entry.target))
        .collect();
    read.sort();
    read.dedup();
    (catalogue(data), read)
}

fn mining_the_pages_of_a_crawl_finds_what_the_crawl_found(engine: Engine) {
    let _busy = share_machine();
    let web = small(7);
    let folder = tempfile::tempdir().unwrap();
    let (crawled, read) = crawl(&web, &TestStore::new(engine));
    assert!(crawled.len() > 20, "{}", crawled.len());
    let archives = folder.path().join("archive");
    web.sim.write_captures(&archives, read.iter().cloned(), &ArchiveOptions::default()).unwrap();
    let data = TestStore::new(engine);
    let archive = ArchivePaths::in_folder(&archives, true).warc;
    let said = run_command(web.geotrawl_command(&data).args(POLITE).arg("mine").arg(&archive));
    assert_eq!(said.code, 0, "{}", said.err);
    let mined = catalogue(&data);
    let missed: Vec<_> = crawled.difference(&mined).collect();
    let more: Vec<_> = mined.difference(&crawled).collect();
    assert!(missed.is_empty() && more.is_empty(), "missed {missed:#?}, more {more:#?}\n{}", said.err);
    // Verified records still name the archived page that linked to them; others were found through
    // catalogues or siblings.
    let records = run_command(data.geotrawl_command().args(["export", "--format", "jsonl"])).json_lines();
    let by_page = |record: &&serde_json::Value| {
        let page = record["provenance"][0]["page"].as_str().unwrap_or_default();
        page != record["url"] && read.iter().any(|url| url == page)
    };
    let shown = records.iter().filter(by_page).count();
    assert!(shown * 2 > records.len(), "{shown} of {} name their page", records.len());
}

fn an_archive_is_listed_once_without_asking_anybody(engine: Engine) {
    let web = small(8);
    let folder = tempfile::tempdir().unwrap();
    let archives = folder.path().join("archive");
    web.sim.write_captures(&archives, web.sim.archived_urls(), &ArchiveOptions::default()).unwrap();
    let paths = ArchivePaths::in_folder(&archives, true);
    let data = TestStore::new(engine);
    let list = |path: &Path, more: &[&str]| {
        run_command(web.geotrawl_command(&data).args(["--json", "mine", "--offline"]).args(more).arg(path))
    };
    let whole = list(&paths.warc, &[]);
    assert_eq!(whole.code, 0, "{}", whole.err);
    let records = whole.json_lines();
    assert!(records.len() > 20, "{}", records.len());
    for record in &records {
        assert_eq!(record["status"], "unchecked", "{record}");
        assert!(record["provenance"][0]["page"].as_str().unwrap().starts_with("http://"), "{record}");
        assert_eq!(record["first_seen"], "2026-01-31T12:00:00Z", "{record}");
    }
    let again = list(&paths.warc, &[]);
    assert!(again.out.is_empty() && again.err.contains("read before"), "{}{}", again.out, again.err);
    assert_eq!(finds(&list(&paths.warc, &["--again"])), finds(&whole));
    // WAT files hold the links found in markup; indexes hold fewer addresses, but nothing else.
    let links = finds(&list(&paths.wat, &[]));
    let text = finds(&list(&paths.wet, &[]));
    let index = finds(&list(&paths.cdxj, &[]));
    assert_eq!(index, finds(&list(&paths.parquet, &[])));
    let all = finds(&whole);
    let share = |part: &FoundResources| part.intersection(&all).count() as f64 / part.len().max(1) as f64;
    assert!(links.len() > 10 && share(&links) > 0.95, "{} of {}", links.len(), all.len());
    assert!(!text.is_empty() && share(&text) > 0.9, "{text:?}");
    assert!(share(&index) > 0.9, "{index:?}");
    assert_eq!(web.request_count(), 0, "somebody was asked");
}

#[test]
fn damage_is_told_and_the_rest_is_read() {
    let web = small(9);
    let folder = tempfile::tempdir().unwrap();
    web.sim.write_captures(folder.path(), web.sim.archived_urls(), &ArchiveOptions::default()).unwrap();
    let paths = ArchivePaths::in_folder(folder.path(), true);
    let data = folder.path().join("data");
    let whole = run_command(geotrawl_command(&data).args(["--json", "mine", "--offline"]).arg(&paths.warc));
    let mut bytes = std::fs::read(&paths.warc).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 200].fill(0xAA);
    let broken = folder.path().join("broken.warc.gz");
    std::fs::write(&broken, &bytes).unwrap();
    let said = run_command(geotrawl_command(&data).args(["--json", "mine", "--offline"]).arg(&broken));
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.err.contains("could not be read") && said.err.contains("member at byte"), "{}", said.err);
    assert!(finds(&said).len() * 10 > finds(&whole).len() * 7, "{}", said.err);
    // A file that is not an archive fails by name, and the others are read.
    let no_archive = folder.path().join("page.html");
    std::fs::write(&no_archive, "<html>").unwrap();
    let said = run_command(
        geotrawl_command(&data).args(["--json", "mine", "--offline"]).args([&no_archive, &paths.wat]),
    );
    assert_eq!(said.code, 1, "{}", said.err);
    assert!(said.err.contains("page.html") && !said.out.is_empty(), "{}", said.err);
    // A missing file is not mistaken for a host, although its name looks like one.
    let said = run_command(geotrawl_command(&data).args(["mine", "--offline", "missing.warc.gz"]));
    assert!(said.code == 1 && said.err.contains("file missing.warc.gz not found"), "{}", said.err);
    let said = run_command(geotrawl_command(&data).args(["mine", "--offline", "nothing-here"]));
    assert_eq!(said.code, 2, "{}", said.err);
}

geotrawl_testkit::on_both_engines! {
    mining_the_pages_of_a_crawl_finds_what_the_crawl_found
    an_archive_is_listed_once_without_asking_anybody
}
