//! OAI-PMH 2.0 for catalogues and archives.
//!
//! This module implements the protocol without I/O: [`answer_request`] takes the arguments of a
//! request and returns the document. Records come from [`OaiSource`]s, which are listed one after
//! the other. Resumption tokens ([`token`]) contain the whole position in a list, so the server
//! keeps no state between requests, and harvests survive restarts and updates.

pub mod dates;
pub mod dc;
mod document;
mod lists;
mod request;
pub mod token;

pub use document::answer_request;

use jiff::Timestamp;

/// Media type of the responses.
pub const MEDIA_TYPE: &str = "text/xml; charset=utf-8";
/// Namespace of the protocol.
pub const NAMESPACE: &str = "http://www.openarchives.org/OAI/2.0/";

/// A source failed; the message is for the log.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct SourceError(pub String);

/// Result of a source operation.
pub type SourceResult<T> = Result<T, SourceError>;

/// A metadata format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetadataFormat {
    /// Value of `metadataPrefix`.
    pub prefix: &'static str,
    /// Address of the XML schema.
    pub schema: &'static str,
    pub namespace: &'static str,
}

/// ISO 19139; the encoder is supplied by the source.
pub const ISO19139: MetadataFormat = MetadataFormat {
    prefix: "iso19139",
    schema: "http://www.isotc211.org/2005/gmd/gmd.xsd",
    namespace: "http://www.isotc211.org/2005/gmd",
};

/// A set of records, for selective harvesting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OaiSet {
    /// `setSpec`: letters, digits and `-_.!~*'()`, in parts separated by colons.
    pub spec: String,
    pub name: String,
}

/// The header of a record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordHeader {
    pub identifier: String,
    pub datestamp: Timestamp,
    pub sets: Vec<String>,
    pub deleted: bool,
}

/// A record: its header and, unless it is deleted, its metadata as one well-formed XML element.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OaiRecord {
    pub head: RecordHeader,
    pub metadata: Option<String>,
}

/// Selects records, and the position in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListRequest {
    pub set: Option<String>,
    /// Start, inclusive.
    pub from: Option<Timestamp>,
    /// End, exclusive: the second after `until`.
    pub before: Option<Timestamp>,
    /// `metadataPrefix`, one of the source's formats.
    pub format: String,
    /// Position after which to continue; [`ListPosition::default`] at the start.
    pub after: ListPosition,
    pub limit: usize,
    /// Whether only headers are needed, without metadata.
    pub heads: bool,
}

/// A position in the list of a source; only the source interprets it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ListPosition {
    /// Sequence number of the last record returned.
    pub after: i64,
    /// Last sequence number when the list began; 0: not known yet.
    pub bound: i64,
    /// How often the bound was moved to include records that changed during the harvest.
    pub laps: u8,
}

/// Part of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourcePage {
    pub items: Vec<OaiRecord>,
    /// Where to continue; `None` at the end.
    pub next: Option<ListPosition>,
    /// Total size of this source's list; only set in the first part, and only if it is cheap to
    /// count.
    pub size: Option<u64>,
}

/// A source of records. Lists are ordered so that a changed record moves to the end, so harvesters
/// in the middle of a list do not miss it.
pub trait OaiSource: Send + Sync {
    /// Returns the name used in tokens.
    fn name(&self) -> &'static str;
    /// Returns the metadata formats.
    fn list_formats(&self) -> Vec<MetadataFormat>;
    /// Returns the sets.
    fn list_sets(&self) -> SourceResult<Vec<OaiSet>>;
    /// Whether a set belongs to this source; the set may be empty.
    fn has_set(&self, spec: &str) -> SourceResult<bool>;
    /// Returns the time of the earliest change.
    fn earliest_change(&self) -> SourceResult<Option<Timestamp>>;
    /// Returns part of the records.
    fn list_records(&self, ask: &ListRequest) -> SourceResult<SourcePage>;
    /// Returns one record, without metadata if `format` is `None`; `None` if the identifier belongs
    /// to another source.
    fn get_record(&self, identifier: &str, format: Option<&str>) -> SourceResult<Option<OaiRecord>>;
}

/// The repository and its sources.
pub struct OaiRepository<'a> {
    pub name: String,
    /// Public address of the OAI-PMH endpoint.
    pub base_url: String,
    pub email: String,
    pub sources: Vec<&'a dyn OaiSource>,
    /// Time of the response.
    pub now: Timestamp,
    /// Maximum number of records or headers per response.
    pub records_at_once: usize,
    pub heads_at_once: usize,
}

#[cfg(test)]
mod tests;
