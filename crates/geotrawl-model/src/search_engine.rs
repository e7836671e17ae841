//! What search engines were asked and answered: quotas, pauses, failures.
//!
//! A request is counted before it is sent, so that a crash may waste one but never exceeds what was agreed. Days and
//! months are the last 24 hours and the last 31 days, rounded up to whole hours: whichever midnight or day of the
//! month a provider begins its own count at, it never sees more than the quota.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// Answers kept of all engines together; the oldest go first.
pub const MOST_ANSWERS: u64 = 20_000;

/// How often an engine may be asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EngineQuota {
    /// Within 24 hours; `None`: as often as one likes.
    pub per_day: Option<u64>,
    /// Within 31 days.
    pub per_month: Option<u64>,
    /// From one request to the next.
    pub pause: SignedDuration,
}

/// Over which time a quota holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum QuotaPeriod {
    /// The last 24 hours.
    Day,
    /// The last 31 days.
    Month,
}

/// Whether an engine may be asked now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SearchPermit {
    /// Yes, and it is counted.
    Granted,
    /// Not before this moment: the pause between two requests. Nothing is counted.
    Later(Timestamp),
    /// It asked to be left alone, or refused. Nothing is counted.
    Resting { until: Timestamp, why: String },
    /// The quota is spent. Nothing is counted.
    Spent {
        period: QuotaPeriod,
        quota: u64,
        /// When the next request is free; `None` when the quota is zero.
        free: Option<Timestamp>,
    },
}

/// How long an engine is left alone after a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineBackoff {
    /// Not at all.
    None,
    /// Until it wants to be asked again.
    Until(Timestamp),
    /// `first`, doubled with every failure in a row, up to `most`.
    Growing { first: SignedDuration, most: SignedDuration },
}

/// How the last request to an engine failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LastFailure {
    /// A short word for counting.
    pub class: String,
    /// For people.
    pub message: String,
    pub at: Timestamp,
}

/// Where an engine stands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct EngineUsage {
    /// Requests of the last 24 hours.
    pub day: u64,
    /// Requests of the last 31 days.
    pub month: u64,
    /// Left alone until then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rests_until: Option<Timestamp>,
    /// Unless the latest request was answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<LastFailure>,
}

impl EngineUsage {
    /// Requests that are left of an allowance; `None`: no quota is set.
    pub fn remaining_requests(&self, allowance: &EngineQuota) -> Option<u64> {
        let day = allowance.per_day.map(|quota| quota.saturating_sub(self.day));
        let month = allowance.per_month.map(|quota| quota.saturating_sub(self.month));
        [day, month].into_iter().flatten().min()
    }
}
