//! Why a record is believed, and how it was reached.

use crate::{CrawlContext, Record};
use serde::{Deserialize, Serialize};

/// Why we believe it: enough to repeat and to argue with.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Evidence {
    /// The exact request URL that was answered.
    pub request: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<String>,
    pub at: jiff::Timestamp,
    pub status: u16,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    pub bytes: u64,
    pub millis: u32,
    /// SHA-256 (hex) of the answer's bytes as read.
    pub hash: String,
    /// The rule that decided.
    pub rule: String,
}

/// Everything known about one URL or id.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Explanation {
    pub resources: Vec<ExplainedResource>,
    pub visits: Vec<UrlVisit>,
}

/// A record, its evidence and how it was reached.
#[derive(Debug, Clone, Serialize)]
pub struct ExplainedResource {
    pub record: Record,
    pub evidence: Vec<Evidence>,
    /// One chain per provenance entry, seed first.
    pub chains: Vec<Vec<ChainLink>>,
}

/// One step from the seed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChainLink {
    pub url: String,
    pub way: String,
    pub words: String,
}

/// What happened to a URL in a task.
#[derive(Debug, Clone, Default, Serialize)]
pub struct UrlVisit {
    pub task: String,
    pub url: String,
    pub intent: String,
    pub depth: u32,
    /// `pending`, or the outcome's class.
    pub state: String,
    pub reason: String,
    pub at: Option<jiff::Timestamp>,
    pub chain: Vec<ChainLink>,
    /// Where it stood in its run.
    pub bearing: CrawlContext,
    /// How the task orders pages, where it says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ordering: Option<String>,
    /// What the task is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
}
