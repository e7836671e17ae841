//! Level 1: the published method of 2020, as the baseline that the others are measured against.

use crate::model::{App, Limits, Sighting};

/// What the published method finds.
pub fn read(_app: &App, _limits: &Limits) -> Vec<Sighting> {
    Vec::new()
}
