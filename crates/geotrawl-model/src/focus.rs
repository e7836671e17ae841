//! Where a run looks: its groups of seeds, what each depth gave, what orderings have learned.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// A group of seeds of a run. A run whose seeds are not grouped has one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SeedGroup))]
pub struct SeedGroup {
    /// From 1.
    pub width: u32,
    pub opened: Timestamp,
    /// Seeds it was opened with.
    pub seeds: u64,
    /// Pages requested.
    pub pages: u64,
    /// Resources proven for the first time in the run.
    pub finds: u64,
    /// When it ended; absent while it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Timestamp>,
    /// Why it ended, for people: one sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// It ended by the stop rule: what is pending of it is closed unread.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub given_up: bool,
}

/// What one depth of a run gave; of all groups of seeds together, or of one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DepthYield {
    /// Group of seeds; 0 when all are meant.
    pub width: u32,
    /// Links away from the seed: of pages their own, of finds that of the request that proved them, which is one more
    /// than that of the page that showed it.
    pub depth: u32,
    pub pages: u64,
    /// Resources proven for the first time in the run.
    pub finds: u64,
}

/// A word of pages that led to something new.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = TellingTerm))]
pub struct IndicativeTerm {
    pub term: String,
    /// Pages of the run with this word (in the title, or on the link that led there) that led to something new.
    pub gained: u64,
    /// Pages of the run with this word.
    pub seen: u64,
}

/// What an ordering has learned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedModel {
    pub bytes: Vec<u8>,
    pub at: Timestamp,
}
