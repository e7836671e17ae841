//! The catalogue's sequence of changes.

use crate::Record;

/// A record that was added, changed or removed.
#[derive(Debug, Clone)]
pub struct CatalogueChange {
    /// Strictly increasing. Each record appears only with its latest change.
    pub seq: i64,
    pub id: String,
    /// `None` if the record is gone or was merged into another one.
    pub document: Option<Box<RecordDocument>>,
}

/// A record with the text of the pages that link to it.
#[derive(Debug, Clone, Default)]
pub struct RecordDocument {
    pub record: Record,
    /// Pages that link to it, at most 8.
    pub pages: Vec<PageWords>,
}

/// Text of a page that links to a record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageWords {
    pub title: String,
    /// Text of the link.
    pub words: String,
}

/// Selects changes, for harvesting by date.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangeFilter {
    /// Only changes after this sequence number.
    pub after: i64,
    /// Only changes up to this sequence number.
    pub bound: Option<i64>,
    /// Only changes at this moment or later.
    pub from: Option<jiff::Timestamp>,
    /// Only changes before this moment.
    pub before: Option<jiff::Timestamp>,
    /// Only records of this kind.
    pub kind: Option<String>,
    /// Only records with this theme label, written `scheme:term`.
    pub theme: Option<String>,
    /// Only records whose host is located in this country (ISO code). Requires GeoIP data.
    pub country: Option<String>,
}

/// The latest change of a record, without the record itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangeHead {
    pub seq: i64,
    /// When it changed. Later changes never have earlier times, unless the clock was set back.
    pub at: jiff::Timestamp,
    pub id: String,
    /// Whether the record is gone or was merged into another one.
    pub gone: bool,
    pub kind: String,
    /// Theme labels, written `scheme:term`.
    pub themes: Vec<String>,
    pub country: Option<String>,
}
