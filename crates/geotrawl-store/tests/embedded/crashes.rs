//! The test starts its own binary as a child that commits batches and reports them, kills it at
//! random moments, and checks what is left.

use crate::batches::{add_seed, commit_next, whole_batches};
use crate::{open, tiny};
use geotrawl_model::store::CrawlStore;
use geotrawl_store::EmbeddedStore;
use geotrawl_testkit::builders::{TestCrawl, task_spec, test_time};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Variable that tells the child where its store is. Without it the child's test does nothing.
const DIRECTORY: &str = "GEOTRAWL_TEST_CRASH_DIRECTORY";
/// Number of kills; set `GEOTRAWL_TEST_KILLS` for more.
const KILLS: u64 = 40;

/// Commits batches forever, each numbered by the pages finished before it, and prints these
/// numbers.
#[test]
fn child_that_commits() {
    let Some(directory) = std::env::var_os(DIRECTORY) else { return };
    let store = open(Path::new(&directory));
    let run = store.open_task(&task_spec("a"), test_time(0)).unwrap().run;
    add_seed(&store, run).unwrap();
    let mut out = std::io::stdout();
    loop {
        let (n, _) = commit_next(&store, run).unwrap();
        writeln!(out, "committed {n}").unwrap();
        out.flush().unwrap();
    }
}

/// Runs the child until it has acknowledged this many batches and a moment longer, then kills it.
/// Returns the total number of batches it acknowledged, if any.
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
    // Does not wait for anything; kills the next commit at a different moment each time.
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

#[test]
fn a_killed_process_loses_no_batch_and_leaves_none_in_part() {
    let directory = tempfile::tempdir().unwrap();
    let mut acknowledged = 0;
    let kills = std::env::var("GEOTRAWL_TEST_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(KILLS);
    for kill in 0..kills {
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
    assert!(acknowledged > kills, "the child made progress between the kills");
    assert_eq!(store.check_integrity().unwrap(), Vec::<String>::new());
    let crawl = TestCrawl::open(&store, "a");
    let mut pending = 0;
    for host in store.hosts_with_work(crawl.run, 100, &|_| false).unwrap() {
        pending += store.pending_entries(crawl.run, host.host, usize::MAX, &|_| false).unwrap().len();
    }
    assert_eq!(pending as u64, store.run_counters(crawl.run).unwrap().pending);
}
