//! Reports about errors in records, written by users.

use crate::account::UserId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Maximum number of open reports per record.
pub const OPEN_REPORTS_OF_RECORD: u32 = 20;

/// Maximum number of open reports in total.
pub const OPEN_REPORTS: u32 = 10_000;

/// A report to add: a wrong classification, a dead link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRecordReport {
    pub record: String,
    pub user: Option<UserId>,
    pub text: String,
}

/// A stored report.
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
