//! Where a resource stands after many checks: one bad answer is no death, one good answer among bad ones no
//! resurrection.

use crate::model::Check;
use geotrawl_kinds::model::Status;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Where a resource stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Standing {
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
}

/// A change that people want to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Turn {
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

/// Where it stands after one more check, and whether that is news.
pub fn next(before: Option<&Standing>, check: &Check) -> (Standing, Option<Turn>) {
    let fresh = Standing {
        status: check.verdict,
        cause: check.cause.clone(),
        reason: check.reason.clone(),
        since: check.at,
        checked: check.at,
        last_ok: None,
        failures: 0,
        failing_since: None,
        successes: 0,
        turns: Vec::new(),
    };
    (before.cloned().unwrap_or(fresh), None)
}
