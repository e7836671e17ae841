//! Other records that may have taken the place of dead ones.

use crate::Status;
use serde::{Deserialize, Serialize};

/// Another record that may have taken the place of a dead one.
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

/// What people made of a proposed successor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum SuccessorState {
    Proposed,
    Accepted,
    Rejected,
}

/// How alike two services are, and why.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ServiceLikeness {
    /// 0 to 1.
    pub confidence: f64,
    /// In words, most telling first.
    pub evidence: Vec<String>,
}
