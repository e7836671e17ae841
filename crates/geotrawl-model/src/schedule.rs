//! What decides when a resource is checked again.

use jiff::SignedDuration;
use serde::{Deserialize, Serialize};

/// The operator's limits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduleLimits {
    pub shortest: SignedDuration,
    pub longest: SignedDuration,
}

impl Default for ScheduleLimits {
    fn default() -> Self {
        Self { shortest: SignedDuration::from_hours(1), longest: SignedDuration::from_hours(30 * 24) }
    }
}

/// What decides besides the standing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckPace {
    pub kind: String,
    /// Checks so far.
    pub checks: u32,
    /// Changes of its metadata in the last 30 days.
    pub changes: u32,
    /// Spreads neighbours: same number, same place in the interval.
    pub seed: u64,
}
