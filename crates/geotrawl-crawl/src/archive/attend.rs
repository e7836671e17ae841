//! Runs the collections that people have asked for and those whose schedule is due, one after the other.

use super::Archivist;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::runtime::Handle;

/// How often the store is asked for work.
const LOOK: Duration = Duration::from_millis(500);

/// Works until `stop`; a run that is under way then is left for next time.
pub fn attend(archivist: &Archivist, runtime: &Handle, stop: &AtomicBool) {
    while !stop.load(Ordering::Acquire) {
        match archivist.store.take_collection(&[], (archivist.clock)()) {
            Ok(Some(collection)) => {
                let ran = runtime.block_on(archivist.run(&collection, stop, &mut |_| {}));
                if let Err(error) = ran {
                    tracing::error!(collection = %collection.acronym, "a run of a collection failed: {error}");
                }
            }
            Ok(None) => std::thread::sleep(LOOK),
            Err(error) => {
                tracing::error!("no collection can be taken: {error}");
                std::thread::sleep(LOOK);
            }
        }
    }
}
