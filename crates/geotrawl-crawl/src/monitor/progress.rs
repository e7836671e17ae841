//! Counters of the monitoring loop.

use geotrawl_model::monitoring::{DueCheck, RecordedCheck};
use geotrawl_model::standing::StatusTransition;
use jiff::Timestamp;
use serde::Serialize;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Shared counters.
#[derive(Debug, Default)]
pub struct MonitorProgress {
    enrolled: AtomicU64,
    taken: AtomicU64,
    kept: AtomicU64,
    commits: AtomicU64,
    changed: AtomicU64,
    died: AtomicU64,
    reborn: AtomicU64,
    turns: AtomicU64,
    broken: AtomicU64,
    troubles: AtomicU64,
    under_way: AtomicU64,
    late_seconds: AtomicU64,
}

/// A snapshot of the counters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct MonitorCounts {
    /// Records that were added to the schedule.
    pub enrolled: u64,
    /// Checks taken from the schedule.
    pub taken: u64,
    /// Checks whose results are recorded.
    pub kept: u64,
    /// Recorded batches.
    pub commits: u64,
    /// Checks that found a changed description.
    pub changed: u64,
    pub died: u64,
    pub reborn: u64,
    /// Status transitions of any kind.
    pub turns: u64,
    /// Checks that panicked.
    pub broken: u64,
    /// Store failures.
    pub troubles: u64,
    /// Checks in flight.
    pub under_way: u64,
    /// Largest delay among the checks taken last.
    pub late_seconds: u64,
}

impl MonitorProgress {
    /// Returns a snapshot of the counters.
    pub fn counts(&self) -> MonitorCounts {
        MonitorCounts {
            enrolled: self.enrolled.load(Relaxed),
            taken: self.taken.load(Relaxed),
            kept: self.kept.load(Relaxed),
            commits: self.commits.load(Relaxed),
            changed: self.changed.load(Relaxed),
            died: self.died.load(Relaxed),
            reborn: self.reborn.load(Relaxed),
            turns: self.turns.load(Relaxed),
            broken: self.broken.load(Relaxed),
            troubles: self.troubles.load(Relaxed),
            under_way: self.under_way.load(Relaxed),
            late_seconds: self.late_seconds.load(Relaxed),
        }
    }

    pub(super) fn add_enrolled(&self, new: u64) {
        self.enrolled.fetch_add(new, Relaxed);
    }

    pub(super) fn add_taken(&self, taken: &[DueCheck], now: Timestamp) {
        self.taken.fetch_add(taken.len() as u64, Relaxed);
        let late = taken.iter().map(|due| now.duration_since(due.due).as_secs().max(0)).max();
        self.late_seconds.store(late.unwrap_or_default() as u64, Relaxed);
    }

    pub(super) fn add_recorded(&self, recorded: &[RecordedCheck]) {
        let count = |wanted: &dyn Fn(&RecordedCheck) -> bool| {
            recorded.iter().filter(|one| wanted(one)).count() as u64
        };
        self.kept.fetch_add(recorded.len() as u64, Relaxed);
        self.commits.fetch_add(1, Relaxed);
        self.changed.fetch_add(count(&|one| !one.changes.is_empty()), Relaxed);
        self.died.fetch_add(count(&|one| one.turn == Some(StatusTransition::Died)), Relaxed);
        self.reborn.fetch_add(count(&|one| one.turn == Some(StatusTransition::Reborn)), Relaxed);
        self.turns.fetch_add(count(&|one| one.turn.is_some()), Relaxed);
    }

    pub(super) fn add_broken(&self) {
        self.broken.fetch_add(1, Relaxed);
    }

    pub(super) fn add_trouble(&self) {
        self.troubles.fetch_add(1, Relaxed);
    }

    pub(super) fn set_under_way(&self, checks: usize) {
        self.under_way.store(checks as u64, Relaxed);
    }
}
