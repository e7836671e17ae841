//! Changes of the catalogue.

use crate::Record;

/// A record that was born, changed or went away.
#[derive(Debug, Clone)]
pub struct CatalogueChange {
    /// Strictly increasing; a record stands only at its latest.
    pub seq: i64,
    pub id: String,
    /// `None`: it is no more (or another record stands for it now).
    pub document: Option<Box<RecordDocument>>,
}

/// A record and what the web says about it around its links.
#[derive(Debug, Clone, Default)]
pub struct RecordDocument {
    pub record: Record,
    /// Pages that revealed it, at most 8.
    pub pages: Vec<PageWords>,
}

/// A page that revealed a record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageWords {
    pub title: String,
    /// The words of the link.
    pub words: String,
}

/// Which changes, for those who harvest by date.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangeFilter {
    /// Only those after this sequence number.
    pub after: i64,
    /// Only those up to this sequence number.
    pub bound: Option<i64>,
    /// Only those of this moment or later.
    pub from: Option<jiff::Timestamp>,
    /// Only those before this moment.
    pub before: Option<jiff::Timestamp>,
    /// Only records of this kind.
    pub kind: Option<String>,
    /// Only records about this, as `scheme:term`.
    pub theme: Option<String>,
    /// Only records whose host stands in this country (ISO code), as far as the store was told places.
    pub country: Option<String>,
}

/// The latest change of a record, without the record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangeHead {
    pub seq: i64,
    /// When it changed. Of two changes the later one never has the earlier time, unless the clock was set back.
    pub at: jiff::Timestamp,
    pub id: String,
    /// It is no more (or another record stands for it now).
    pub gone: bool,
    pub kind: String,
    /// What it is about, as `scheme:term`.
    pub themes: Vec<String>,
    pub country: Option<String>,
}
