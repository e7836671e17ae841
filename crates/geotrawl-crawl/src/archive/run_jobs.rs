//! Runs collections, requested and scheduled ones, one after the other.

use super::{ArchiveEvent, ArchiveRunner};
use geotrawl_model::collection::{Collection, RunState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::runtime::Handle;

/// How often the store is polled for work.
const LOOK: Duration = Duration::from_millis(500);

/// Runs collections until `stop` is set; a run in progress is then left for the next time.
pub fn run_archive_jobs(archivist: &ArchiveRunner, runtime: &Handle, stop: &AtomicBool) {
    while !stop.load(Ordering::Acquire) {
        match archivist.store.take_next_collection(&[], (archivist.clock)()) {
            Ok(Some(collection)) => {
                let mut silent = |_: &ArchiveEvent<'_>| {};
                // A panic in one collection must not affect the others.
                let ran = catch_unwind(AssertUnwindSafe(|| {
                    runtime.block_on(archivist.run_collection(&collection, stop, &mut silent))
                }));
                let why = match ran {
                    Ok(Ok(_)) => continue,
                    Ok(Err(error)) => error.to_string(),
                    Err(_panic) => {
                        let why = "the run failed because of an internal error".to_owned();
                        fail_open_run(archivist, &collection, &why);
                        why
                    }
                };
                tracing::error!(collection = %collection.acronym, "a run of a collection failed: {why}");
                std::thread::sleep(LOOK);
            }
            Ok(None) => std::thread::sleep(LOOK),
            Err(error) => {
                tracing::error!("cannot get the next collection to run: {error}");
                std::thread::sleep(LOOK);
            }
        }
    }
}

/// Marks a run that panicked as failed, so that it is not continued again and again.
fn fail_open_run(archivist: &ArchiveRunner, collection: &Collection, why: &str) {
    let runs = archivist.store.archive_runs(collection.id, 1).unwrap_or_default();
    for run in runs.iter().filter(|run| run.state == RunState::Running) {
        let ended = archivist.store.end_archive_run(run.id, RunState::Failed, Some(why), (archivist.clock)());
        if let Err(error) = ended {
            tracing::error!("cannot end a run: {error}");
        }
    }
}
