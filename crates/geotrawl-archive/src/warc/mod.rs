//! WARC 1.1 (ISO 28500): a gzip member per record, so that every record can be read alone.
//!
//! By hand: the crate `warc` packs a whole file as one stream and writes version 1.0 (see the writer), and keeps
//! every record in memory while reading.

pub mod head;
mod read;
mod tail;
mod write;

pub use read::{ReadError, WarcRecord, read_at};
pub use tail::intact_length;
pub use write::{HttpExchange, KnownPayload, SoftwareInfo, WarcWriter};

/// The profile of records that stand for an answer whose content is in another record.
pub const SAME_PAYLOAD: &str = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";

/// Where a record is in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RecordLocation {
    /// Where its member begins.
    pub offset: u64,
    /// Bytes of its member.
    pub length: u64,
}

#[cfg(test)]
mod tests;
