//! The disk fails under a running store: `strace` makes selected system calls of a child fail, and
//! the child keeps retrying, as the crawler does. If `strace` is missing or forbidden, the test
//! says so and ends.

use crate::batches::{add_seed, commit_next, whole_batches};
use crate::{open, tiny};
use geotrawl_model::store::CrawlStore;
use geotrawl_store::{Durability, EmbeddedStore, StoreOptions};
use geotrawl_testkit::builders::{task_spec, test_time};
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// Variable that tells the child where its store is. Without it the child's test does nothing.
const DIRECTORY: &str = "GEOTRAWL_TEST_FAULT_DIRECTORY";
const BATCHES: u64 = 8;
const ATTEMPTS: u64 = 60;

/// Commits batches, retrying when one fails, and prints what happened.
#[test]
fn child_that_tries_again() {
    let Some(directory) = std::env::var_os(DIRECTORY) else { return };
    // A tiny journal is checkpointed all the time, and every commit is flushed to disk.
    let options = StoreOptions { durability: Durability::Full, journal_bytes: 1, ..tiny() };
    let mut out = std::io::stdout();
    let (mut acknowledged, mut attempts) = (0, 0);
    let mut opened: Option<(EmbeddedStore, i64)> = None;
    while acknowledged < BATCHES && attempts < ATTEMPTS {
        attempts += 1;
        let Some((store, run)) = &opened else {
            opened =
                EmbeddedStore::open_with(Path::new(&directory), options.clone()).ok().and_then(|store| {
                    let run = store.open_task(&task_spec("a"), test_time(0)).ok()?.run;
                    add_seed(&store, run).ok()?;
                    Some((store, run))
                });
            continue;
        };
        match commit_next(store, *run) {
            Ok((n, committed)) => {
                assert_eq!((committed.added.new, committed.ignored), (40, 0));
                acknowledged = n + 1;
                writeln!(out, "committed {n}").unwrap();
            }
            Err(error) => writeln!(out, "refused: {error}").unwrap(),
        }
    }
}

/// Runs the child with these faults. Returns its output, or `None` if `strace` is not available.
fn run_with(directory: &Path, inject: &str) -> Option<String> {
    let output = Command::new("strace")
        .args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=pwrite64,fdatasync,fsync", "-e", inject])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "faults::child_that_tries_again", "--nocapture", "--test-threads=1"])
        .env(DIRECTORY, directory)
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.contains("running 1 test").then(|| {
        assert!(
            output.status.success(),
            "with {inject}: {text}\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        text
    })
}

#[test]
fn no_failing_write_is_acknowledged_and_all_is_well_when_writes_work_again() {
    let mut refused = 0;
    let kinds = [("pwrite64", "ENOSPC"), ("pwrite64", "EIO"), ("fdatasync,fsync", "EIO")];
    for (calls, error) in kinds {
        // Sweep over the write calls; each fails a few times in a row.
        for first in [1, 2, 3, 5, 9, 17, 40, 70, 110, 160] {
            let directory = tempfile::tempdir().unwrap();
            let inject = format!("inject={calls}:error={error}:when={first}..{}", first + 4);
            let Some(output) = run_with(directory.path(), &inject) else {
                println!("strace cannot be used here: faults of the disk were not tried");
                return;
            };
            refused += output.matches("refused").count();
            let acknowledged = output.matches("committed").count() as u64;
            assert_eq!(acknowledged, BATCHES, "it went on after {inject}:\n{output}");
            let store = open(directory.path());
            assert_eq!(whole_batches(&store, true), BATCHES, "after {inject}");
            assert_eq!(store.check_integrity().unwrap(), Vec::<String>::new(), "after {inject}");
        }
    }
    assert!(refused > 0, "some commits met a fault");
}
