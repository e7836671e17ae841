//! Notices: changes of records that people are told about.

use crate::standing::StatusTransition;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What a notice is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum NoticeKind {
    /// First found.
    Born,
    Died,
    Reborn,
    Degraded,
    Recovered,
    Restricted,
    Blocked,
    /// Its description changed.
    Changed,
    /// It answers at another address, or a successor is known.
    Moved,
}

impl NoticeKind {
    /// Every kind.
    pub const ALL: [Self; 9] = [
        Self::Born,
        Self::Died,
        Self::Reborn,
        Self::Degraded,
        Self::Recovered,
        Self::Restricted,
        Self::Blocked,
        Self::Changed,
        Self::Moved,
    ];

    /// Returns the name used in the database, the API and exports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Born => "born",
            Self::Died => "died",
            Self::Reborn => "reborn",
            Self::Degraded => "degraded",
            Self::Recovered => "recovered",
            Self::Restricted => "restricted",
            Self::Blocked => "blocked",
            Self::Changed => "changed",
            Self::Moved => "moved",
        }
    }

    /// Parses the name of a kind.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

impl From<StatusTransition> for NoticeKind {
    fn from(turn: StatusTransition) -> Self {
        match turn {
            StatusTransition::Died => Self::Died,
            StatusTransition::Reborn => Self::Reborn,
            StatusTransition::Degraded => Self::Degraded,
            StatusTransition::Recovered => Self::Recovered,
            StatusTransition::Restricted => Self::Restricted,
            StatusTransition::Blocked => Self::Blocked,
        }
    }
}

/// A notice about a change of a record.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Notice {
    pub seq: i64,
    pub at: Timestamp,
    pub kind: NoticeKind,
    /// Public id of the record.
    pub id: String,
    pub title: Option<String>,
    pub url: String,
    pub host: String,
    pub record_kind: String,
    pub reason: String,
    /// Details: the changed fields or the new address.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub body: serde_json::Value,
}

/// Selects notices.
#[derive(Debug, Clone, Default)]
pub struct NoticeFilter {
    /// Only those after this one, oldest first. Without it the newest come first.
    pub after: Option<i64>,
    /// Only those before this one.
    pub before: Option<i64>,
    /// Only these kinds; empty for all.
    pub kinds: Vec<NoticeKind>,
    pub host: Option<String>,
    /// Only notices about this record.
    pub record: Option<String>,
}
