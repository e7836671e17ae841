//! The test starts its own binary as a child that commits batches and says so, kills it at random
//! moments, and looks at what is left.

use crate::builders::{Crawl, at, done, link, ok, records, service};
use crate::{open, tiny};
use geotrawl_store::{Batch, Done, EmbeddedStore, NewLink, Store};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Tells the child where its store is; without it the child's test has nothing to do.
const DIRECTORY: &str = "GEOTRAWL_TEST_CRASH_DIRECTORY";
const LINKS: u64 = 40;
const KILLS: u64 = 40;

/// The links that batch `n` adds.
fn links(n: u64) -> Vec<NewLink> {
    (0..LINKS).map(|nth| link(&format!("http://h{}.example/{n}/{nth}", (n + nth) % 7))).collect()
}

fn resource_url(n: u64) -> String {
    format!("http://maps{n}.example/wms")
}

/// Commits batches for ever, each with the number of pages done before it, and prints that number.
#[test]
fn child_that_commits() {
    let Some(directory) = std::env::var_os(DIRECTORY) else { return };
    let store = open(Path::new(&directory));
    let crawl = Crawl::of(&store, "a");
    crawl.add(&[link("http://h0.example/")]);
    let mut out = std::io::stdout();
    loop {
        let n = store.counters(crawl.run).unwrap().pages;
        let host = store.hosts_with_work(crawl.run, 1, &|_| false).unwrap().remove(0).host;
        let item = store.pending(crawl.run, host, 1, &|_| false).unwrap().remove(0);
        let url = resource_url(n);
        let found = vec![service("wms", &url, &["roads", &format!("layer {n}")])];
        let done = vec![Done { links: links(n), found, ..done(item, ok()) }];
        store.commit(&Batch { run: crawl.run, done, robots: vec![], now: at(n as i64) }).unwrap();
        writeln!(out, "committed {n}").unwrap();
        out.flush().unwrap();
    }
}

/// Runs the child until it has acknowledged so many batches and a moment more, kills it, and gives the
/// number of batches it acknowledged in all, if any.
fn run_and_kill(directory: &Path, acknowledgements: u64, moment: Duration) -> Option<u64> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crashes::child_that_commits", "--nocapture", "--test-threads=1"])
        .env(DIRECTORY, directory)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut lines = Vec::new();
    let mut seen = 0;
    while seen < acknowledgements {
        let mut line = String::new();
        assert_ne!(output.read_line(&mut line).unwrap(), 0, "the child ended by itself");
        seen += u64::from(line.contains("committed"));
        lines.push(line);
    }
    // Not to wait for anything: to hit another moment of the next commit each time.
    std::thread::sleep(moment);
    child.kill().unwrap();
    child.wait().unwrap();
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    lines.extend(rest.split_inclusive('\n').map(str::to_owned));
    lines
        .iter()
        .filter(|line| line.ends_with('\n'))
        .filter_map(|line| line.split("committed ").nth(1)?.trim().parse::<u64>().ok())
        .max()
        .map(|last| last + 1)
}

/// The batches that are there, whole; panics if one is there in part.
fn whole_batches(store: &EmbeddedStore, all: bool) -> u64 {
    let crawl = Crawl::of(store, "a");
    let counters = store.counters(crawl.run).unwrap();
    let batches = counters.pages;
    if counters.known == 0 {
        return 0;
    }
    assert_eq!(counters.known, 1 + batches * LINKS);
    assert_eq!(counters.pending, counters.known - batches);
    assert_eq!(counters.resources, batches);
    let hosts = store.hosts_with_work(crawl.run, 100, &|_| false).unwrap();
    assert_eq!(hosts.iter().map(|host| host.pending).sum::<u64>(), counters.pending);
    let from = if all { 0 } else { batches.saturating_sub(3) };
    for n in from..batches {
        assert_eq!(crawl.add(&links(n)), 0, "batch {n} is known");
    }
    let found = records(store);
    assert_eq!(found.len() as u64, batches);
    assert!(found.iter().all(|record| record.resource.datasets.len() == 2 && record.provenance.len() == 1));
    batches
}

#[test]
fn a_killed_process_loses_no_batch_and_leaves_none_in_part() {
    let directory = tempfile::tempdir().unwrap();
    let mut acknowledged = 0;
    for kill in 0..KILLS {
        let (wanted, micros) = (kill * 7 % 12, kill * 397 % 3000);
        let told = run_and_kill(directory.path(), wanted, Duration::from_micros(micros));
        acknowledged = told.unwrap_or(acknowledged);
        let store = open(directory.path());
        let there = whole_batches(&store, false);
        assert!(
            (acknowledged..=acknowledged + 1).contains(&there),
            "{acknowledged} batches were acknowledged, {there} are there"
        );
        acknowledged = there;
    }
    let store = EmbeddedStore::open_with(directory.path(), tiny()).unwrap();
    assert_eq!(whole_batches(&store, true), acknowledged);
    assert!(acknowledged > KILLS, "the child made progress between the kills");
    assert_eq!(store.verify().unwrap(), Vec::<String>::new());
    let crawl = Crawl::of(&store, "a");
    let pending: usize = (0..7).map(|h| crawl.pending_beside(&format!("http://h{h}.example/")).len()).sum();
    assert_eq!(pending as u64, store.counters(crawl.run).unwrap().pending.min(7000));
}
