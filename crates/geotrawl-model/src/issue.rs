//! What was odd about something that was read.

use serde::{Deserialize, Serialize};

/// Something that is not as it should be, told once, in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Issue {
    /// Stable id for machines, e.g. `xml-not-well-formed`, `bbox-inverted`.
    pub code: String,
    /// One sentence for people.
    pub message: String,
}

impl Issue {
    /// A new issue.
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into() }
    }
}

/// A value and what was odd on the way to it.
#[derive(Debug, Clone, Default)]
pub struct ParsedValue<T> {
    pub value: T,
    pub issues: Vec<Issue>,
}
