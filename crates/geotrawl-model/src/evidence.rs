//! Evidence for a record, and how it was found.

use crate::{CrawlContext, Record};
use serde::{Deserialize, Serialize};

/// Evidence for a claim: enough to repeat the request and to dispute the result.
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
    /// SHA-256 (hex) of the answer's bytes that were read.
    pub hash: String,
    /// The rule that identified the resource.
    pub rule: String,
}

/// Everything known about a URL or id.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Explanation {
    pub resources: Vec<ExplainedResource>,
    pub visits: Vec<UrlVisit>,
}

/// A record, its evidence and how it was found.
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
    /// `pending`, or the class of the outcome.
    pub state: String,
    pub reason: String,
    pub at: Option<jiff::Timestamp>,
    pub chain: Vec<ChainLink>,
    /// Position in its run.
    pub bearing: CrawlContext,
    /// Ranking that the task uses, if it names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ordering: Option<String>,
    /// Keywords of the task.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
}
