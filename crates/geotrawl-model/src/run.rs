//! Runs of crawls.

use serde::{Deserialize, Serialize};

/// Number of a run. Starting a finished task again creates a new run.
pub type RunId = i64;

/// What a task should crawl.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskSpec {
    pub name: String,
    pub seeds: Vec<String>,
    /// All other settings (depth, scope, limits, ranking ...) as the crawler's own JSON.
    pub options: serde_json::Value,
}

/// State of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TaskState {
    Running,
    Paused,
    Finished,
}

/// An open task that is ready to crawl.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenTask {
    pub run: RunId,
    /// Whether an unfinished run is continued.
    pub resumed: bool,
    /// The spec that the run was started with; equals the given one unless the run is resumed.
    pub spec: TaskSpec,
    pub counters: RunCounters,
}

/// Totals of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = TaskTotals))]
pub struct RunCounters {
    /// Pages requested (robots.txt not counted).
    pub pages: u64,
    pub probes: u64,
    pub failures: u64,
    pub skipped: u64,
    pub bytes: u64,
    /// Distinct resources proven in this run.
    pub resources: u64,
    /// Known URLs.
    pub known: u64,
    pub pending: u64,
    pub hosts: u64,
}
