//! Quality of a resource, with everything that it is made of.

use serde::{Deserialize, Serialize};

/// What went before, as far as score, standing and schedule ask. Stored with every score, so that it can be
/// computed again.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = CheckHistory))]
pub struct CheckHistory {
    /// Checks of the last 30 days that say something about availability (this one included).
    pub checks: u32,
    /// Those of them in which the description was given.
    pub available: u32,
    /// Whether it was, for the latest checks, newest first, at most 5.
    pub latest: Vec<bool>,
    /// Milliseconds of the scored operation (first byte and transfer) in the latest checks that have it, newest
    /// first, at most 5.
    pub millis: Vec<u32>,
}

/// Quality from 0 to 100 with everything that it is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Score {
    /// Version of the rubric.
    pub rubric: String,
    /// Absent when it was never reached or is restricted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<u8>,
    /// There is too little history to be sure.
    pub provisional: bool,
    /// Why no more than this can be reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cap: Option<Cap>,
    pub components: Vec<Component>,
}

/// A limit of the score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Cap {
    pub at: u8,
    pub why: String,
}

/// One part of the score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Component {
    /// `availability`, `latency`, `capabilities`, `operation`, `metadata`, `standards`.
    pub id: String,
    /// Points that can be had.
    pub weight: f64,
    /// Share of them, 0 to 1.
    pub share: f64,
    pub points: Vec<Point>,
}

/// One point that can be disputed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Point {
    /// Stable id, e.g. `metadata.abstract`.
    pub id: String,
    /// What is asked, in words.
    pub what: String,
    /// Share of the component that was got and could be got.
    pub got: f64,
    pub of: f64,
    /// Why, in words: the figures that decided.
    pub why: String,
    /// The observation that shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observation: Option<usize>,
    /// How to mend it, when points are missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}
