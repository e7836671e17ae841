//! Notes that people write about records.

use crate::account::UserId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Open notes about one record at most.
pub const OPEN_REPORTS_OF_RECORD: u32 = 20;

/// Open notes at most.
pub const OPEN_REPORTS: u32 = 10_000;

/// A note about a record: a wrong guess, a dead link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRecordReport {
    pub record: String,
    pub user: Option<UserId>,
    pub text: String,
}

/// A kept note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordReport {
    pub id: i64,
    pub at: Timestamp,
    pub record: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    pub text: String,
    pub closed: bool,
}
