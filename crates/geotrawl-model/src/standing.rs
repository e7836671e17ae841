//! Where a resource stands after many checks.

use crate::Status;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Where a resource stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ResourceStatus {
    pub status: Status,
    pub cause: String,
    pub reason: String,
    /// Since when it stands so.
    pub since: Timestamp,
    pub checked: Timestamp,
    pub last_ok: Option<Timestamp>,
    /// Checks in a row in which it did not answer, and when they began.
    pub failures: u32,
    pub failing_since: Option<Timestamp>,
    /// Checks in a row in which it answered as it should.
    pub successes: u32,
    /// When it last changed between working and not, newest first, at most 10.
    pub turns: Vec<Timestamp>,
    /// Verdict of the latest check, how many in a row had it, and since when.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub verdict: Status,
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub repeated: u32,
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub repeated_since: Option<Timestamp>,
    /// Among `failures`, those that found it dead.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub deaths: u32,
    /// Checks in a row that were not good.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub not_good: u32,
    /// The status that was told last.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub told: Status,
}

impl ResourceStatus {
    /// Of something that was found working and has not been checked yet.
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

/// A change that people want to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StatusTransition {
    /// It works no more.
    Died,
    /// It works again after having been dead.
    Reborn,
    /// It works badly.
    Degraded,
    /// It works well again.
    Recovered,
    /// It wants a login or a key now.
    Restricted,
    /// It keeps us away now.
    Blocked,
}
