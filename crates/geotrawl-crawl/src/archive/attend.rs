//! Runs the collections that people have asked for and those whose schedule is due, one after the other.

use super::{ArchiveEvent, ArchiveRunner};
use geotrawl_model::collection::{Collection, RunState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::runtime::Handle;

/// How often the store is asked for work.
const LOOK: Duration = Duration::from_millis(500);

/// Works until `stop`; a run that is under way then is left for next time.
pub fn run_archive_jobs(archivist: &ArchiveRunner, runtime: &Handle, stop: &AtomicBool) {
    while !stop.load(Ordering::Acquire) {
        match archivist.store.take_next_collection(&[], (archivist.clock)()) {
            Ok(Some(collection)) => {
                let mut silent = |_: &ArchiveEvent<'_>| {};
                // Whatever happens to one collection, the others go on.
                let ran = catch_unwind(AssertUnwindSafe(|| {
                    runtime.block_on(archivist.run_collection(&collection, stop, &mut silent))
                }));
                let why = match ran {
                    Ok(Ok(_)) => continue,
                    Ok(Err(error)) => error.to_string(),
                    Err(_panic) => {
                        let why = "the run broke off by a fault of this program".to_owned();
                        fail_open_run(archivist, &collection, &why);
                        why
                    }
                };
                tracing::error!(collection = %collection.acronym, "a run of a collection failed: {why}");
                std::thread::sleep(LOOK);
            }
            Ok(None) => std::thread::sleep(LOOK),
            Err(error) => {
                tracing::error!("no collection can be taken: {error}");
                std::thread::sleep(LOOK);
            }
        }
    }
}

/// Ends a run that cannot go on, so that it is not taken again and again.
fn fail_open_run(archivist: &ArchiveRunner, collection: &Collection, why: &str) {
    let runs = archivist.store.archive_runs(collection.id, 1).unwrap_or_default();
    for run in runs.iter().filter(|run| run.state == RunState::Running) {
        let ended = archivist.store.end_archive_run(run.id, RunState::Failed, Some(why), (archivist.clock)());
        if let Err(error) = ended {
            tracing::error!("a run cannot be ended: {error}");
        }
    }
}
