//! Seed groups, yields by depth, and what rankings have learned.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// A group of seeds of a run. A run without groups has a single one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SeedGroup))]
pub struct SeedGroup {
    /// Number of the group, from 1.
    pub width: u32,
    pub opened: Timestamp,
    /// Seeds in the group.
    pub seeds: u64,
    /// Pages requested.
    pub pages: u64,
    /// Resources proven for the first time in the run.
    pub finds: u64,
    /// When it ended; absent while it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Timestamp>,
    /// Why it ended, in one sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Whether the stop rule ended it; its pending pages are closed unread.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub given_up: bool,
}

/// Yield at one depth of a run, for one seed group or all of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DepthYield {
    /// Seed group; 0 for all groups.
    pub width: u32,
    /// Links away from the seed. For finds this is the depth of the request that proved them, one
    /// more than that of the page that linked to it.
    pub depth: u32,
    pub pages: u64,
    /// Resources proven for the first time in the run.
    pub finds: u64,
}

/// A word that occurs on pages that led to something new.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = TellingTerm))]
pub struct IndicativeTerm {
    pub term: String,
    /// Pages with this word, in the title or on the link to the page, that led to something new.
    pub gained: u64,
    /// All pages of the run with this word.
    pub seen: u64,
}

/// A saved model of a learning ranking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedModel {
    pub bytes: Vec<u8>,
    pub at: Timestamp,
}
