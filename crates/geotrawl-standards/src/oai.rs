//! OAI-PMH 2.0: catalogues and archives for those who harvest them.
//!
//! The protocol is here, without I/O: [`answer`] takes the arguments of a request and gives the document. What is
//! harvested comes from [`Source`]s, which are listed one after the other. Lists are continued by tokens that hold
//! everything needed ([`token`]): nothing is kept here between requests, so that they survive restarts and updates.

pub mod dates;
pub mod dc;
mod document;
mod lists;
mod request;
pub mod token;

pub use document::answer_request;

use jiff::Timestamp;

/// Media type of the answers.
pub const MEDIA_TYPE: &str = "text/xml; charset=utf-8";
/// Namespace of the protocol.
pub const NAMESPACE: &str = "http://www.openarchives.org/OAI/2.0/";

/// Infrastructure failed; the words are for the log.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct SourceError(pub String);

/// Result of asking a source.
pub type SourceResult<T> = Result<T, SourceError>;

/// A metadata format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetadataFormat {
    /// `metadataPrefix`.
    pub prefix: &'static str,
    /// Where its schema is.
    pub schema: &'static str,
    pub namespace: &'static str,
}

/// ISO 19139, which its encoder is plugged in for.
pub const ISO19139: MetadataFormat = MetadataFormat {
    prefix: "iso19139",
    schema: "http://www.isotc211.org/2005/gmd/gmd.xsd",
    namespace: "http://www.isotc211.org/2005/gmd",
};

/// A part of what a source has, for selective harvesting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OaiSet {
    /// `setSpec`: words of letters, digits and `-_.!~*'()`, with colons between them.
    pub spec: String,
    pub name: String,
}

/// The head of a record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordHeader {
    pub identifier: String,
    pub datestamp: Timestamp,
    pub sets: Vec<String>,
    pub deleted: bool,
}

/// A record: its head and, unless it is deleted, its metadata as XML (one element, well formed).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OaiRecord {
    pub head: RecordHeader,
    pub metadata: Option<String>,
}

/// Which records, and from where in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListRequest {
    pub set: Option<String>,
    /// Inclusive.
    pub from: Option<Timestamp>,
    /// Exclusive: the moment after `until`.
    pub before: Option<Timestamp>,
    /// `metadataPrefix`, one of the source's own.
    pub format: String,
    /// Position after which the list goes on; [`Position::default`] at its beginning.
    pub after: ListPosition,
    pub limit: usize,
    /// Heads only: no metadata is needed.
    pub heads: bool,
}

/// A place in the list of a source, as the source understands it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ListPosition {
    /// Sequence number of the last one given.
    pub after: i64,
    /// Last sequence number when the list began; 0: not yet known.
    pub bound: i64,
    /// How often the bound was moved, to give what changed meanwhile.
    pub laps: u8,
}

/// A part of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourcePage {
    pub items: Vec<OaiRecord>,
    /// Where to go on; `None` at the end.
    pub next: Option<ListPosition>,
    /// How many there are in the whole list of this source; told with the first part where it is cheap.
    pub size: Option<u64>,
}

/// What is harvested. Lists are in an order in which a record that changes moves to the end, so that none is lost to
/// those who are in the middle of the list.
pub trait OaiSource: Send + Sync {
    /// A word for it, in tokens.
    fn name(&self) -> &'static str;
    /// Its formats.
    fn list_formats(&self) -> Vec<MetadataFormat>;
    /// Its sets.
    fn list_sets(&self) -> SourceResult<Vec<OaiSet>>;
    /// Whether a set may be one of its own, also an empty one.
    fn has_set(&self, spec: &str) -> SourceResult<bool>;
    /// The time of its first change.
    fn earliest_change(&self) -> SourceResult<Option<Timestamp>>;
    /// A part of its records.
    fn list_records(&self, ask: &ListRequest) -> SourceResult<SourcePage>;
    /// One record; without metadata when `format` is `None`. `None` when the identifier is not of this source.
    fn get_record(&self, identifier: &str, format: Option<&str>) -> SourceResult<Option<OaiRecord>>;
}

/// Everything that is said about the repository itself.
pub struct OaiRepository<'a> {
    pub name: String,
    /// Address of the protocol, as it is reached.
    pub base_url: String,
    pub email: String,
    pub sources: Vec<&'a dyn OaiSource>,
    /// The time of the answer.
    pub now: Timestamp,
    /// Records and heads in one answer.
    pub records_at_once: usize,
    pub heads_at_once: usize,
}

#[cfg(test)]
mod tests;
