//! Issues found while reading a document.

use serde::{Deserialize, Serialize};

/// A problem in a document that did not prevent reading it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Issue {
    /// Stable id for programs, e.g. `xml-not-well-formed`, `bbox-inverted`.
    pub code: String,
    /// Description in one sentence.
    pub message: String,
}

impl Issue {
    /// Creates an issue.
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into() }
    }
}

/// A parsed value with the issues found on the way.
#[derive(Debug, Clone, Default)]
pub struct ParsedValue<T> {
    pub value: T,
    pub issues: Vec<Issue>,
}
