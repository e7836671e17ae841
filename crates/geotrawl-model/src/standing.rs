//! Status of a resource after many checks.

use crate::Status;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Status of a resource after many checks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ResourceStatus {
    pub status: Status,
    pub cause: String,
    pub reason: String,
    /// When this status began.
    pub since: Timestamp,
    pub checked: Timestamp,
    pub last_ok: Option<Timestamp>,
    /// Number of consecutive checks that failed; `failing_since` is the time of the first one.
    pub failures: u32,
    pub failing_since: Option<Timestamp>,
    /// Number of consecutive checks that succeeded.
    pub successes: u32,
    /// When it changed between working and not working, newest first, at most 10.
    pub turns: Vec<Timestamp>,
    /// Verdict of the latest check; `repeated` consecutive checks since `repeated_since` had it.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub verdict: Status,
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub repeated: u32,
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub repeated_since: Option<Timestamp>,
    /// Those of the `failures` that found it dead.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub deaths: u32,
    /// Number of consecutive checks without a good verdict.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub not_good: u32,
    /// The status that was reported last.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub told: Status,
}

impl ResourceStatus {
    /// Creates the status of a resource that was found working and has not been checked yet.
    pub fn from_finding(status: Status, reason: &str, at: Timestamp) -> Self {
        Self {
            status,
            cause: "found".into(),
            reason: reason.into(),
            since: at,
            checked: at,
            last_ok: Some(at),
            failures: 0,
            failing_since: None,
            successes: 0,
            turns: Vec::new(),
            verdict: status,
            repeated: 1,
            repeated_since: Some(at),
            deaths: 0,
            not_good: 0,
            told: status,
        }
    }
}

/// A change of status that people are notified of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StatusTransition {
    /// It stopped working.
    Died,
    /// It works again after being dead.
    Reborn,
    /// It works, but badly.
    Degraded,
    /// It works well again.
    Recovered,
    /// It now requires a login or a key.
    Restricted,
    /// It now blocks us.
    Blocked,
}
