//! Events of the live stream.

use crate::RunId;
use serde::Serialize;

/// Something that happened, in a sequence without end.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StreamEvent {
    /// Strictly increasing; ask for what came after the last one seen.
    pub seq: i64,
    pub at: jiff::Timestamp,
    pub run: Option<RunId>,
    /// Number of the task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<i64>,
    /// `run` (state of a run), `resource-born`, `resource-changed`; for those who watch tasks: `find` (a record
    /// proven for the first time in its run, as a short record) and `state` (of the task).
    pub kind: String,
    pub body: serde_json::Value,
}
