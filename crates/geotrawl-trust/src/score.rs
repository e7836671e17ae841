//! Quality from 0 to 100 by a published rubric: every point with its evidence.

use crate::model::{Check, History, Score};

/// Version of the rubric.
pub const RUBRIC: &str = "2026-1";

/// The score that follows from a check and what went before. Nothing else counts.
pub fn score(_check: &Check, _history: &History) -> Score {
    Score { rubric: RUBRIC.into(), value: None, provisional: true, cap: None, components: Vec::new() }
}
