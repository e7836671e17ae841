//! Possible successors of dead records.

use crate::Status;
use serde::{Deserialize, Serialize};

/// Another record that may replace a dead one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Successor {
    pub id: String,
    pub title: Option<String>,
    pub url: String,
    pub kind: String,
    pub status: Status,
    /// 0 to 1.
    pub confidence: f64,
    pub evidence: Vec<String>,
    pub state: SuccessorState,
}

/// What people decided about a proposed successor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum SuccessorState {
    Proposed,
    Accepted,
    Rejected,
}

/// Similarity of two services, with reasons.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ServiceLikeness {
    /// 0 to 1.
    pub confidence: f64,
    /// Reasons, strongest first.
    pub evidence: Vec<String>,
}
