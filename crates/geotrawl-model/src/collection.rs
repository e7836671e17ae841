//! Archive collections: pages and documents about a subject, archived version by version.
//!
//! A person creates a *collection*. A *run* fetches the pages that the collection names and the
//! results of search engines, and records the outcome for every address. An *archived page* is an
//! address of the collection; its *versions* record each visit: new, modified, unchanged or gone.
//! The *current* version at a given moment is the latest one that changed something, unless a
//! person has chosen another since (a rollback). An *object* is what harvesters receive: the
//! collection at a moment, identified by acronym and run. A run creates a new object only if a page
//! was added, removed or changed beyond the threshold; otherwise it modifies the latest object.
//!
//! Contents are not stored here: versions point into the WARC files of the collection.

use crate::account::UserId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Number of a collection.
pub type CollectionId = i64;

/// Number of a run of a collection.
pub type ArchiveRunId = i64;

/// Settings of a collection, stored and shown unchanged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct CollectionSpec {
    /// Display title.
    pub title: String,
    pub description: String,
    /// Search engine queries; if empty, title and acronym are searched for, as in the paper.
    pub queries: Vec<String>,
    /// Names of configured search engines; empty to query none.
    pub engines: Vec<String>,
    /// Number of results to use per engine (`B` in the paper).
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 100))]
    pub top: u32,
    /// Pages that are always archived, whatever the search engines return.
    pub pages: Vec<String>,
    /// Pages that describe the subject; if empty, no page is off topic.
    pub about: Vec<String>,
    /// Levels of links to follow from a result.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 5))]
    pub depth: u32,
    /// Where followed links may lead: `host`, `domain` or `any`.
    pub scope: String,
    /// Similarity (0 to 1) below which a changed page counts as a new one.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 1))]
    pub likeness: f64,
    /// Relevance (0 to 1) below which a result is rejected.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 1))]
    pub aboutness: f64,
    /// Maximum number of pages and documents per run.
    pub max_pages: u32,
    /// Maximum number of embedded files (images, style sheets and the like) per run.
    pub max_requisites: u32,
    /// Maximum number of bytes per page or file.
    pub max_bytes: u64,
    /// Maximum number of bytes per run.
    pub max_run_bytes: u64,
    /// Cron expression (five fields, UTC) for repeated runs.
    pub schedule: Option<String>,
    /// Whether everyone may view it.
    pub public: bool,
}

impl CollectionSpec {
    /// Returns the queries to send to search engines.
    pub fn search_queries(&self, acronym: &str) -> Vec<String> {
        if self.queries.is_empty() { vec![format!("{} {acronym}", self.title)] } else { self.queries.clone() }
    }
}

impl Default for CollectionSpec {
    fn default() -> Self {
        Self {
            title: String::new(),
            description: String::new(),
            queries: Vec::new(),
            engines: Vec::new(),
            top: 10,
            pages: Vec::new(),
            about: Vec::new(),
            depth: 1,
            scope: "domain".into(),
            likeness: 0.7,
            aboutness: 0.1,
            max_pages: 500,
            max_requisites: 2_000,
            max_bytes: 20 << 20,
            max_run_bytes: 1 << 30,
            schedule: None,
            public: true,
        }
    }
}

/// Checks an acronym, which names a folder and a set and is part of identifiers.
pub fn validate_acronym(acronym: &str) -> std::result::Result<(), String> {
    let good = (1..=40).contains(&acronym.len())
        && acronym.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        && acronym.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric);
    if good {
        Ok(())
    } else {
        Err("an acronym has 1 to 40 letters, digits, '-' or '_' and begins with a letter or digit".into())
    }
}

/// A collection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Collection {
    pub id: CollectionId,
    pub acronym: String,
    pub owner: Option<UserId>,
    pub spec: CollectionSpec,
    pub created: Timestamp,
    /// Whether a run has been requested and waits for a worker.
    pub queued: bool,
    /// Time of the next scheduled run.
    pub next_run: Option<Timestamp>,
    /// The latest run.
    pub last_run: Option<ArchiveRun>,
    /// Number of pages that currently exist.
    pub items: u64,
}

/// State of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// Under way, or interrupted; the next run continues an interrupted one.
    Running,
    Finished,
    /// Ended by an error, which `error` describes.
    Failed,
}

impl RunState {
    /// Returns the stored name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Finished => "finished",
            Self::Failed => "failed",
        }
    }

    /// Parses a stored name; unknown names become [`Self::Running`].
    pub fn from_word(word: &str) -> Self {
        match word {
            "finished" => Self::Finished,
            "failed" => Self::Failed,
            _ => Self::Running,
        }
    }
}

/// Counts of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ArchiveRunCounts {
    pub results: u64,
    pub fetched: u64,
    pub new: u64,
    pub modified: u64,
    pub unchanged: u64,
    pub deleted: u64,
    pub rejected: u64,
    pub failed: u64,
    pub bytes: u64,
}

/// A run of a collection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ArchiveRun {
    pub id: ArchiveRunId,
    pub collection: CollectionId,
    /// Timestamp of the run, the second part of the object's identifier.
    pub at: Timestamp,
    pub state: RunState,
    pub ended: Option<Timestamp>,
    pub error: Option<String>,
    pub counts: ArchiveRunCounts,
}

/// Rank of a result at one search engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ResultPlace {
    pub engine: String,
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub query: String,
    pub rank: u32,
}

/// A result in the ranked list of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankedResult {
    pub url: String,
    #[serde(default)]
    pub title: String,
    /// Sum of `B - rank + 1` over the engines; 0 for pages that a person named.
    pub weight: f64,
    #[serde(default)]
    pub named: Vec<ResultPlace>,
    /// `html`, `document`, or empty if not known yet.
    #[serde(default)]
    pub sort: String,
    /// `waiting`, `kept`, `rejected`, `failed`, `gone`.
    pub state: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<f64>,
    /// Why it was not archived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A complex object, identified as `ACRONYM:run`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveObject {
    pub acronym: String,
    /// The run that created it.
    pub run: Timestamp,
    /// When it was created or last modified.
    pub stamp: Timestamp,
    /// Its content is the collection at this moment.
    pub as_of: Timestamp,
}

/// Selects objects, ordered by `stamp`, then by acronym and run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ObjectFilter {
    pub acronym: Option<String>,
    /// `stamp` at or after this ...
    pub from: Option<Timestamp>,
    /// ... and at or before this.
    pub until: Option<Timestamp>,
    /// Stamp, acronym and run of the last object of the previous page.
    pub after: Option<(Timestamp, String, Timestamp)>,
    /// Only collections that everyone may view.
    pub only_public: bool,
    pub limit: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_acronym_is_a_name_of_a_folder() {
        for bad in ["", "-a", "a b", "../x", "ä", "a:b", &"x".repeat(41)] {
            assert!(validate_acronym(bad).is_err(), "{bad}");
        }
        assert!(validate_acronym("ISCCP-2_b").is_ok());
    }
}
