//! Archive collections: pages and documents about a subject, kept as they were, version by version.
//!
//! A *collection* is asked for by a person. A *run* fetches what it names and what search engines name, and notes
//! what became of every address. An *item* is an address of the collection; its *versions* are the times it was
//! seen: new, modified, unchanged, or gone. What is *current* at a moment is the latest version that changed
//! something, unless a person chose another since (a rollback). An *object* is what harvesters get: the collection as it was,
//! identified by acronym and run; a run makes a new one only when an item appeared, went away or changed beyond the threshold,
//! else it modifies the latest.
//!
//! Bytes are not in here: versions say where they are in the WARC files of the collection.

use crate::account::UserId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Number of a collection.
pub type CollectionId = i64;

/// Number of a run of a collection.
pub type ArchiveRunId = i64;

/// What a person asks for. Stored whole, shown as given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct CollectionSpec {
    /// For people.
    pub title: String,
    pub description: String,
    /// What search engines are asked; with none, the title and the acronym, as in the paper.
    pub queries: Vec<String>,
    /// Names of configured engines; empty: none is asked.
    pub engines: Vec<String>,
    /// Results of each engine that count (`B` of the paper).
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 100))]
    pub top: u32,
    /// Pages that belong to it whatever engines say.
    pub pages: Vec<String>,
    /// Pages that say what it is about; empty: nothing is off topic.
    pub about: Vec<String>,
    /// Levels of links that are followed from a result.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 5))]
    pub depth: u32,
    /// `host`, `domain` or `any`: where followed links may lead.
    pub scope: String,
    /// Below this likeness (0 to 1) a changed page is a new item, else a modification.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 1))]
    pub likeness: f64,
    /// Below this aboutness (0 to 1) a result is rejected.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 1))]
    pub aboutness: f64,
    /// Pages and documents of one run.
    pub max_pages: u32,
    /// Images, style sheets and the like of one run.
    pub max_requisites: u32,
    /// Bytes of one thing.
    pub max_bytes: u64,
    /// Bytes of one run.
    pub max_run_bytes: u64,
    /// Cron text (five fields, UTC) for collections that are run again and again.
    pub schedule: Option<String>,
    /// Everybody may look at it.
    pub public: bool,
}

impl CollectionSpec {
    /// What engines are asked.
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

/// Whether an acronym can be one: a name of a folder, of a set, and of part of an identifier.
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
    /// A run is wanted and waits for a worker.
    pub queued: bool,
    /// When the schedule runs it next.
    pub next_run: Option<Timestamp>,
    /// The latest run.
    pub last_run: Option<ArchiveRun>,
    /// Items that are there now.
    pub items: u64,
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// Under way, or interrupted: then the next run goes on with it.
    Running,
    Finished,
    /// Ended by a fault, which `error` names.
    Failed,
}

impl RunState {
    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Finished => "finished",
            Self::Failed => "failed",
        }
    }

    /// The state of this word.
    pub fn from_word(word: &str) -> Self {
        match word {
            "finished" => Self::Finished,
            "failed" => Self::Failed,
            _ => Self::Running,
        }
    }
}

/// What a run did.
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
    /// Its timestamp: the second part of the object's identifier.
    pub at: Timestamp,
    pub state: RunState,
    pub ended: Option<Timestamp>,
    pub error: Option<String>,
    pub counts: ArchiveRunCounts,
}

/// Which engine named a result, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ResultPlace {
    pub engine: String,
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub query: String,
    pub rank: u32,
}

/// A result of a run, in the ranked list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankedResult {
    pub url: String,
    #[serde(default)]
    pub title: String,
    /// Sum over the engines of `B - rank + 1`; 0 for pages that a person named.
    pub weight: f64,
    #[serde(default)]
    pub named: Vec<ResultPlace>,
    /// `html`, `document`, or empty as long as it is not known.
    #[serde(default)]
    pub sort: String,
    /// `waiting`, `kept`, `rejected`, `failed`, `gone`.
    pub state: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<f64>,
    /// Why it is not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A complex object: `ACRONYM:run`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveObject {
    pub acronym: String,
    /// The run that made it.
    pub run: Timestamp,
    /// When it was made or last modified.
    pub stamp: Timestamp,
    /// Its content is the collection as of this moment.
    pub as_of: Timestamp,
}

/// Which objects. Ordered by `stamp`, then by acronym and run; `after` is the last one that was had.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ObjectFilter {
    pub acronym: Option<String>,
    /// `stamp` at or after this ...
    pub from: Option<Timestamp>,
    /// ... and at or before this.
    pub until: Option<Timestamp>,
    /// Stamp, acronym and run of the last one that was had.
    pub after: Option<(Timestamp, String, Timestamp)>,
    /// Only collections that everybody may look at.
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
