//! WARC 1.1 (ISO 28500), with one gzip member per record, so that each record can be read alone.
//!
//! Written here because the `warc` crate compresses a file as one stream, writes version 1.0, and
//! holds every record in memory while reading.

pub mod head;
mod read;
mod tail;
mod write;

pub use read::{ReadError, WarcRecord, read_at};
pub use tail::intact_length;
pub use write::{HttpExchange, KnownPayload, SoftwareInfo, WarcWriter};

/// Profile of `revisit` records, whose payload is in another record.
pub const SAME_PAYLOAD: &str = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";

/// Location of a record in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RecordLocation {
    /// Offset of its gzip member.
    pub offset: u64,
    /// Length of its gzip member, in bytes.
    pub length: u64,
}

#[cfg(test)]
mod tests;
