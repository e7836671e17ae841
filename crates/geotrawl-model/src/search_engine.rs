//! Quotas, pauses and failures of search engines.
//!
//! A request is counted before it is sent, so a crash may waste a request but never exceeds the
//! quota. Days and months are the last 24 hours and the last 31 days, rounded up to whole hours.
//! Providers reset their own counts at different times, and never see more than the quota this way.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// Maximum number of cached responses of all engines together; the oldest are removed first.
pub const MOST_ANSWERS: u64 = 20_000;

/// How often an engine may be queried.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EngineQuota {
    /// Requests within 24 hours; `None` for no limit.
    pub per_day: Option<u64>,
    /// Requests within 31 days; `None` for no limit.
    pub per_month: Option<u64>,
    /// Minimum time between two requests.
    pub pause: SignedDuration,
}

/// Period of a quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum QuotaPeriod {
    /// The last 24 hours.
    Day,
    /// The last 31 days.
    Month,
}

/// Whether an engine may be queried now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SearchPermit {
    /// Yes; the request is counted.
    Granted,
    /// Not before this moment, because of the pause between two requests. Nothing is counted.
    Later(Timestamp),
    /// The engine asked for a pause or rejected requests. Nothing is counted.
    Resting { until: Timestamp, why: String },
    /// The quota is used up. Nothing is counted.
    Spent {
        period: QuotaPeriod,
        quota: u64,
        /// When the next request is allowed; `None` if the quota is zero.
        free: Option<Timestamp>,
    },
}

/// How long to wait after a failure before an engine is queried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineBackoff {
    /// No wait.
    None,
    /// Until the moment that the engine named.
    Until(Timestamp),
    /// `first`, doubled with every consecutive failure, up to `most`.
    Growing { first: SignedDuration, most: SignedDuration },
}

/// How the last request to an engine failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LastFailure {
    /// A short class for counting.
    pub class: String,
    /// Description for people.
    pub message: String,
    pub at: Timestamp,
}

/// Current usage of an engine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct EngineUsage {
    /// Requests of the last 24 hours.
    pub day: u64,
    /// Requests of the last 31 days.
    pub month: u64,
    /// Not queried before this moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rests_until: Option<Timestamp>,
    /// Failure of the latest request; `None` if it was answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<LastFailure>,
}

impl EngineUsage {
    /// Returns the requests that remain of a quota; `None` if no quota is set.
    pub fn remaining_requests(&self, allowance: &EngineQuota) -> Option<u64> {
        let day = allowance.per_day.map(|quota| quota.saturating_sub(self.day));
        let month = allowance.per_month.map(|quota| quota.saturating_sub(self.month));
        [day, month].into_iter().flatten().min()
    }
}
