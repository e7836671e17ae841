//! Due checks, finished checks and stored checks.

use crate::schedule::CheckPace;
use crate::standing::{ResourceStatus, StatusTransition};
use crate::{Check, CheckHistory, Record, Resource, Score, Status, Theme};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Datasets that are loaded with a due record; enough to sample from.
pub const DUE_DATASETS: usize = 64;

/// Number of checks per record whose full evidence is kept.
pub const KEPT_CHECKS: usize = 10;

/// Number of further checks kept per record, those whose verdict differs from the one before.
pub const KEPT_TURNS: usize = 50;

/// Days for which daily totals are kept.
pub const KEPT_DAYS: i64 = 400;

/// Selects the due checks to take.
#[derive(Debug, Clone)]
pub struct DueCheckQuery {
    pub now: Timestamp,
    /// Maximum number of checks.
    pub limit: usize,
    /// Maximum number of hosts.
    pub hosts: usize,
    /// Maximum number of checks per host in one call.
    pub per_host: usize,
    /// Maximum number of checks per host and day (UTC). Checks that a person requested are always
    /// returned, and count.
    pub per_host_day: u32,
    /// End of the lease; checks that are not recorded by then become due again.
    pub until: Timestamp,
}

/// A due check, leased to the caller.
#[derive(Debug, Clone)]
pub struct DueCheck {
    /// Public id of the record.
    pub id: String,
    /// The record with its first [`DUE_DATASETS`] datasets, without aliases, provenance and related
    /// services.
    pub record: Record,
    /// Current status; `None` before the first check of a resource that was never seen working.
    pub standing: Option<ResourceStatus>,
    pub pace: CheckPace,
    /// Whether a person requested it.
    pub asked: bool,
    /// When it became due.
    pub due: Timestamp,
}

/// A finished check.
#[derive(Debug, Clone)]
pub struct CheckResult {
    /// Public id of the record.
    pub id: String,
    pub check: Check,
    /// The resource as it describes itself now; replaces the stored one. `None` if it was not read.
    pub resource: Option<Resource>,
    /// New theme labels; `None` keeps the stored ones.
    pub themes: Option<Vec<Theme>>,
}

/// What recording a check changed.
#[derive(Debug, Clone)]
pub struct RecordedCheck {
    pub id: String,
    /// Number of the check.
    pub number: i64,
    pub standing: ResourceStatus,
    pub turn: Option<StatusTransition>,
    pub score: Score,
    pub changes: Vec<FieldChange>,
    /// When the next check is due.
    pub next: Timestamp,
}

/// A check with everything that was stored about it.
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

/// One entry of the list of checks.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CheckSummary {
    pub number: i64,
    pub at: Timestamp,
    pub verdict: Status,
    pub cause: String,
    pub reason: String,
    pub score: Option<u8>,
    /// Duration of the scored operation in milliseconds.
    pub millis: Option<u32>,
    /// Whether the evidence is still stored.
    pub kept: bool,
}

/// Status of a record and the time of its next check.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MonitoringState {
    pub standing: Option<ResourceStatus>,
    pub next: Timestamp,
    /// When a person requested a check that is still pending.
    pub asked: Option<Timestamp>,
    pub checks: u64,
}

/// Changes in the description of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MetadataChange {
    pub at: Timestamp,
    pub changes: Vec<FieldChange>,
}

/// One changed field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FieldChange {
    /// `title`, `contact.email`, `datasets` (names that were added or removed),
    /// `datasets[roads].title`, ...
    pub path: String,
    /// Old value; absent if the field is new.
    pub was: Option<String>,
    /// New value; absent if the field is gone.
    pub now: Option<String>,
}
