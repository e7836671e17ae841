//! Checks that are due, that were made, and that are kept.

use crate::schedule::CheckPace;
use crate::standing::{ResourceStatus, StatusTransition};
use crate::{Check, CheckHistory, Record, Resource, Score, Status, Theme};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Datasets of a due record that come with it, enough to sample from.
pub const DUE_DATASETS: usize = 64;

/// Checks of a record whose whole evidence is kept.
pub const KEPT_CHECKS: usize = 10;

/// Checks kept besides, whose verdict differs from the one before.
pub const KEPT_TURNS: usize = 50;

/// Days for which daily sums are kept.
pub const KEPT_DAYS: i64 = 400;

/// Which due checks are taken.
#[derive(Debug, Clone)]
pub struct DueCheckQuery {
    pub now: Timestamp,
    /// At most so many,
    pub limit: usize,
    /// of at most so many hosts.
    pub hosts: usize,
    /// Of one host at once.
    pub per_host: usize,
    /// Of one host on one day (UTC); what people ask for themselves is given in any case, and counts.
    pub per_host_day: u32,
    /// Nobody else gets them before this moment; then they are due again.
    pub until: Timestamp,
}

/// A check that is due, leased to who asked.
#[derive(Debug, Clone)]
pub struct DueCheck {
    /// Public id of the record.
    pub id: String,
    /// The record without aliases, provenance and faces, and with its first [`DUE_DATASETS`] datasets.
    pub record: Record,
    /// Where it stands; `None` before the first check of something that was never seen working.
    pub standing: Option<ResourceStatus>,
    pub pace: CheckPace,
    /// A person asked for it.
    pub asked: bool,
    /// When it should have been made.
    pub due: Timestamp,
}

/// A check that was made.
#[derive(Debug, Clone)]
pub struct CheckResult {
    /// Public id of the record.
    pub id: String,
    pub check: Check,
    /// The resource as it describes itself now, when its description was read: replaces what is stored.
    pub resource: Option<Resource>,
    /// What it is about now; `None` leaves what is stored.
    pub themes: Option<Vec<Theme>>,
}

/// What taking in a check did.
#[derive(Debug, Clone)]
pub struct RecordedCheck {
    pub id: String,
    /// Number of the check.
    pub number: i64,
    pub standing: ResourceStatus,
    pub turn: Option<StatusTransition>,
    pub score: Score,
    pub changes: Vec<FieldChange>,
    /// When it is checked next.
    pub next: Timestamp,
}

/// A check with everything that was kept of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StoredCheck {
    pub number: i64,
    /// Public id of the record.
    pub id: String,
    pub check: Check,
    pub history: CheckHistory,
    pub score: Score,
    pub standing: ResourceStatus,
}

/// One line of the list of checks.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CheckSummary {
    pub number: i64,
    pub at: Timestamp,
    pub verdict: Status,
    pub cause: String,
    pub reason: String,
    pub score: Option<u8>,
    /// Milliseconds of the scored operation.
    pub millis: Option<u32>,
    /// Its evidence is still there.
    pub kept: bool,
}

/// Where a record stands and when it is looked at again.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MonitoringState {
    pub standing: Option<ResourceStatus>,
    pub next: Timestamp,
    /// A person has asked for a check that is not made yet.
    pub asked: Option<Timestamp>,
    pub checks: u64,
}

/// The description of a record changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MetadataChange {
    pub at: Timestamp,
    pub changes: Vec<FieldChange>,
}

/// One thing that changed, readable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FieldChange {
    /// `title`, `contact.email`, `datasets` (names that came or went), `datasets[roads].title`, ...
    pub path: String,
    /// What it was; absent when it is new.
    pub was: Option<String>,
    /// What it is; absent when it is gone.
    pub now: Option<String>,
}
