//! Events of the live stream.

use crate::RunId;
use serde::Serialize;

/// An event of the live stream.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StreamEvent {
    /// Strictly increasing; clients request events after the last number they have seen.
    pub seq: i64,
    pub at: jiff::Timestamp,
    pub run: Option<RunId>,
    /// Number of the task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<i64>,
    /// `run` (state of a run), `resource-born` or `resource-changed`. For viewers of tasks: `find`
    /// (a record proven for the first time in its run, as a short record) and `state` (of the
    /// task).
    pub kind: String,
    pub body: serde_json::Value,
}
