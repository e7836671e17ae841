//! Inputs of the check schedule.

use jiff::SignedDuration;
use serde::{Deserialize, Serialize};

/// Bounds of the check interval, set by the operator.
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

/// Inputs of the check interval besides the status.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckPace {
    pub kind: String,
    /// Checks so far.
    pub checks: u32,
    /// Changes of its metadata in the last 30 days.
    pub changes: u32,
    /// Spreads checks over the interval: the same seed always gives the same offset.
    pub seed: u64,
}
