//! Tests of the embedded store alone: files, locks, crashes, full disks, old versions.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

/// Batches that the child processes commit.
mod batches;
/// A process killed at any moment loses nothing that it acknowledged.
mod crashes;
/// Foreign, truncated and overwritten files.
mod damage;
/// System calls that fail, one after another.
mod faults;
/// A full disk, and free space again.
mod full_disk;
/// The journal stays small, whatever readers do.
mod journal;
/// One writer, many readers, in one process or several.
mod locks;
/// Stores of earlier versions.
mod versions;

use geotrawl_store::{EmbeddedStore, KnownUrlLimits, StoreOptions};
use std::path::Path;

/// Returns limits so small that a short test flushes and merges.
fn tiny() -> StoreOptions {
    let seen = KnownUrlLimits { memtable_keys: 100, fan_out: 2, hot_keys: 8 };
    StoreOptions { seen, host_names: 5, ..StoreOptions::default() }
}

fn open(directory: &Path) -> EmbeddedStore {
    EmbeddedStore::open_with(directory, tiny()).expect("the store opens")
}
