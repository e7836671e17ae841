//! Quality score of a resource and its parts.

use serde::{Deserialize, Serialize};

/// Earlier checks, as far as score, status and schedule need them. Stored with every score, so that
/// the score can be recomputed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = CheckHistory))]
pub struct CheckHistory {
    /// Checks of the last 30 days that indicate availability, including this one.
    pub checks: u32,
    /// Those in which the description was returned.
    pub available: u32,
    /// Whether the description was returned in the latest checks, newest first, at most 5.
    pub latest: Vec<bool>,
    /// Duration of the scored operation (first byte and transfer) in milliseconds, for the latest
    /// checks that include it, newest first, at most 5.
    pub millis: Vec<u32>,
}

/// Quality from 0 to 100, with all parts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Score {
    /// Version of the rubric.
    pub rubric: String,
    /// Absent if the resource was never reached or is restricted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<u8>,
    /// Whether there is too little history for a reliable score.
    pub provisional: bool,
    /// Upper limit of the score, if one applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cap: Option<Cap>,
    pub components: Vec<Component>,
}

/// An upper limit of the score.
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
    /// Maximum number of points.
    pub weight: f64,
    /// Share of the points that was reached, 0 to 1.
    pub share: f64,
    pub points: Vec<Point>,
}

/// One criterion of the score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Point {
    /// Stable id, e.g. `metadata.abstract`.
    pub id: String,
    /// The criterion in words.
    pub what: String,
    /// Points reached, and points possible (`of`), as shares of the component.
    pub got: f64,
    pub of: f64,
    /// The reason in words, with the figures that decided.
    pub why: String,
    /// Index of the observation that shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observation: Option<usize>,
    /// How to fix it, if points are missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}
