//! Reads single records by location.

use super::RecordLocation;
use super::head::{end_of_head, find_field, parse_fields};
use flate2::read::GzDecoder;
use std::io::{self, Read, Seek, SeekFrom};

/// Extra bytes allowed for headers.
const HEADS: u64 = 256 << 10;

/// Reason why a record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("no valid record at byte {0}")]
    Damaged(u64),
    #[error("the record at byte {0} is larger than {1} bytes")]
    TooLarge(u64, u64),
}

/// A record read from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WarcRecord {
    /// `response`, `revisit`, ...
    pub kind: String,
    pub url: String,
    pub date: String,
    /// HTTP status; 0 in records without an HTTP response.
    pub status: u16,
    /// HTTP response headers.
    pub headers: Vec<(String, String)>,
    /// HTTP payload, or the block of other records.
    pub payload: Vec<u8>,
    /// Payload digest stated in the record.
    pub payload_digest: Option<String>,
}

/// Reads the record at a location. Fails if its payload is larger than `most` bytes.
pub fn read_at(
    file: &mut (impl Read + Seek),
    place: RecordLocation,
    most: u64,
) -> Result<WarcRecord, ReadError> {
    let damaged = || ReadError::Damaged(place.offset);
    file.seek(SeekFrom::Start(place.offset))?;
    let mut plain = Vec::new();
    let cap = most.saturating_add(HEADS);
    let unpacked = GzDecoder::new(file.take(place.length)).take(cap + 1).read_to_end(&mut plain);
    match unpacked {
        Ok(bytes) if bytes as u64 > cap => return Err(ReadError::TooLarge(place.offset, most)),
        Ok(_) => {}
        Err(error) if is_damage(&error) => return Err(damaged()),
        Err(error) => return Err(error.into()),
    }
    let end = end_of_head(&plain).ok_or_else(damaged)?;
    let head = plain.get(..end).unwrap_or_default();
    if !head.starts_with(b"WARC/1.") {
        return Err(damaged());
    }
    let length: usize =
        find_field(head, "Content-Length").and_then(|text| text.parse().ok()).ok_or_else(damaged)?;
    let block = end.checked_add(length).and_then(|to| plain.get(end..to)).ok_or_else(damaged)?;
    let is_http = find_field(head, "Content-Type").is_some_and(|kind| kind.starts_with("application/http"));
    let mut stored = WarcRecord {
        kind: find_field(head, "WARC-Type").unwrap_or_default(),
        url: find_field(head, "WARC-Target-URI").unwrap_or_default(),
        date: find_field(head, "WARC-Date").unwrap_or_default(),
        status: 0,
        headers: Vec::new(),
        payload: Vec::new(),
        payload_digest: find_field(head, "WARC-Payload-Digest"),
    };
    if is_http {
        let end = end_of_head(block).ok_or_else(damaged)?;
        let (head, payload) = block.split_at(end);
        let status = head.split(|byte| *byte == b' ').nth(1).unwrap_or_default();
        stored.status = std::str::from_utf8(status).ok().and_then(|text| text.parse().ok()).unwrap_or(0);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        stored.headers = parse_fields(head).map(|(name, value)| (text(name), text(value))).collect();
        stored.payload = payload.to_vec();
    } else {
        stored.payload = block.to_vec();
    }
    if stored.payload.len() as u64 > most {
        return Err(ReadError::TooLarge(place.offset, most));
    }
    Ok(stored)
}

/// Returns whether the decoder's error means a truncated or overwritten member.
pub(super) fn is_damage(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof)
}
