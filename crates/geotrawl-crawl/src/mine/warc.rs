//! Reads the records of WARC files in bounded memory.
//!
//! Written by hand because the WARC crates (`warc`, `warc_parser`) load each record completely,
//! stop at the first damage and cannot start in the middle of a file.

use super::members::{ArchiveReadError, FileCompression, MemberReader};
use super::source::ByteSource;
pub(super) use geotrawl_archive::warc::head::{end_of_head, parse_fields};
use memchr::memmem;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::Arc;

/// Bytes per read.
const STEP: usize = 64 << 10;
/// Longer record heads are treated as damage.
const LONGEST_HEAD: usize = 64 << 10;
/// Most bytes of a block held in memory; the rest is streamed.
pub const MOST_HELD: usize = 8 << 20;

/// Type of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordKind {
    /// An unmodified HTTP response.
    Response,
    /// A document without its HTTP response.
    Resource,
    /// Text derived from a response (WET).
    Conversion,
    /// Metadata derived from a response (WAT), or notes of the crawler.
    Metadata,
    /// A record without addresses.
    Other,
}

/// Position for reading a record again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordPosition {
    /// Offset of its member in the file.
    pub member: u64,
    /// Decompressed bytes of the member before the record.
    pub skip: u64,
}

/// The head of a record.
#[derive(Debug, Clone)]
pub struct WarcRecordHead {
    pub kind: RecordKind,
    /// The requested URL.
    pub uri: String,
    /// Time of the request, as written.
    pub date: String,
    pub content_type: String,
    /// Length of the block.
    pub length: u64,
    /// Whether the archiving crawler truncated it.
    pub truncated: bool,
    pub place: RecordPosition,
}

/// Reads records one after the other.
pub struct WarcRecordReader {
    members: MemberReader,
    /// Holds `start..filled`. It is allocated once, not for every small member.
    buffer: Vec<u8>,
    start: usize,
    filled: usize,
    /// Decompressed offset of `buffer[start]` in the section.
    position: u64,
    /// Decompressed and file offsets of the buffered members, oldest first.
    begun: VecDeque<(u64, u64)>,
    /// Decompressed bytes read so far.
    read: u64,
    /// Bytes of the last record's block that were not read.
    left: u64,
    over: bool,
    plain: bool,
}

impl WarcRecordReader {
    /// Opens the records that start in a section, which must start at a record or member.
    pub fn open(
        source: &Arc<dyn ByteSource>,
        packing: FileCompression,
        from: u64,
        to: u64,
    ) -> io::Result<Self> {
        Ok(Self {
            members: MemberReader::open(source, packing, from, to)?,
            buffer: Vec::new(),
            start: 0,
            filled: 0,
            position: 0,
            begun: VecDeque::new(),
            read: 0,
            left: 0,
            over: false,
            plain: packing == FileCompression::Plain,
        })
    }

    /// Returns the decompressed bytes read so far.
    pub fn bytes_read(&self) -> u64 {
        self.read
    }

    fn held(&self) -> &[u8] {
        self.buffer.get(self.start..self.filled).unwrap_or_default()
    }

    fn consume(&mut self, bytes: usize) {
        self.start += bytes;
        self.position += bytes as u64;
    }

    /// Reads more into the buffer, from the next member if necessary; returns `false` at the end.
    fn more(&mut self) -> Result<bool, ArchiveReadError> {
        if self.over {
            return Ok(false);
        }
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.filled, 0);
            self.filled -= self.start;
            self.start = 0;
        }
        if self.buffer.len() < self.filled + STEP {
            self.buffer.resize(self.filled + STEP, 0);
        }
        let outcome = loop {
            let room = self.buffer.get_mut(self.filled..).unwrap_or_default();
            match self.members.read(room) {
                Ok(0) => match self.members.next_member() {
                    Ok(true) => self.begun.push_back((self.read, self.members.member_offset())),
                    Ok(false) => {
                        self.over = true;
                        break Ok(0);
                    }
                    Err(fault) => break Err(fault),
                },
                other => break other,
            }
        };
        let read = *outcome.as_ref().unwrap_or(&0);
        self.filled += read;
        self.read += read as u64;
        outcome.map(|read| read > 0)
    }

    /// Returns the next record, skipping the rest of the last one.
    /// Reports damage and continues after it.
    pub fn next_record(&mut self, tell: &mut dyn FnMut(String)) -> io::Result<Option<WarcRecordHead>> {
        loop {
            match self.try_next() {
                Ok(record) => return Ok(record),
                Err(ArchiveReadError::Io(error)) => return Err(error),
                Err(ArchiveReadError::Damaged(what)) => {
                    if !self.skip_damage(&what, tell)? {
                        return Ok(None);
                    }
                }
            }
        }
    }

    /// Reports damage and skips it; returns `false` if nothing after it is readable.
    pub fn skip_damage(&mut self, what: &str, tell: &mut dyn FnMut(String)) -> io::Result<bool> {
        tell(format!("{what}, in the member at byte {}", self.members.member_offset()));
        let more = self.recover()?;
        self.over |= !more;
        Ok(more)
    }

    fn try_next(&mut self) -> Result<Option<WarcRecordHead>, ArchiveReadError> {
        self.pass(self.left)?;
        self.left = 0;
        loop {
            let blank = self.held().iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            self.consume(blank);
            if !self.held().is_empty() {
                break;
            }
            if !self.more()? {
                return Ok(None);
            }
        }
        let head_length = loop {
            if let Some(end) = end_of_head(self.held()) {
                break end;
            }
            if self.held().len() > LONGEST_HEAD || !self.more()? {
                return Err(ArchiveReadError::Damaged("the head of a record has no end".to_owned()));
            }
        };
        // Drop members that end before this record, so that the first one left contains it.
        while self.begun.get(1).is_some_and(|(at, _)| *at <= self.position) {
            self.begun.pop_front();
        }
        let (at, member) = self.begun.front().copied().unwrap_or_default();
        let place = RecordPosition { member, skip: self.position - at };
        let record = read_head(self.held().get(..head_length).unwrap_or_default(), place);
        let record = record.ok_or_else(|| ArchiveReadError::Damaged("no record starts here".to_owned()))?;
        self.consume(head_length);
        self.left = record.length;
        Ok(Some(record))
    }

    /// Searches the next record after damage.
    fn recover(&mut self) -> io::Result<bool> {
        self.left = 0;
        if self.plain {
            // Search the next line that starts a record.
            self.consume(1.min(self.held().len()));
            loop {
                let found = memmem::find(self.held(), b"\nWARC/1.");
                let keep = self.held().len().min(8);
                self.consume(found.map_or(self.held().len() - keep, |at| at + 1));
                if found.is_some() {
                    return Ok(true);
                }
                match self.more() {
                    Ok(true) => {}
                    Ok(false) | Err(ArchiveReadError::Damaged(_)) => return Ok(false),
                    Err(ArchiveReadError::Io(error)) => return Err(error),
                }
            }
        }
        let held = self.held().len();
        self.consume(held);
        self.begun.clear();
        self.members.skip_damage()
    }

    /// Skips bytes.
    fn pass(&mut self, mut bytes: u64) -> Result<(), ArchiveReadError> {
        while bytes > 0 {
            let held = self.held().len();
            if held == 0 && !self.more()? {
                return Ok(());
            }
            let n = bytes.min(self.held().len() as u64);
            self.consume(n as usize);
            bytes -= n;
        }
        Ok(())
    }

    /// Skips decompressed bytes, to the start of a record.
    pub fn skip_bytes(&mut self, bytes: u64) -> Result<(), ArchiveReadError> {
        self.pass(bytes)
    }

    /// Returns the block of the record, or its first [`MOST_HELD`] bytes. Use
    /// [`Self::block_stream`] to read more.
    pub fn read_block(&mut self) -> Result<&[u8], ArchiveReadError> {
        let wanted = usize::try_from(self.left).unwrap_or(MOST_HELD).min(MOST_HELD);
        while self.held().len() < wanted && self.more()? {}
        Ok(self.held().get(..wanted.min(self.held().len())).unwrap_or_default())
    }

    /// Whether the block is longer than what [`Self::read_block`] returns.
    pub fn is_large(&self) -> bool {
        self.left > MOST_HELD as u64
    }

    /// Returns the block as a stream, which ends at damage.
    pub fn block_stream(&mut self) -> impl Read + '_ {
        BlockReader(self)
    }

    /// Shrinks the buffer after a large record.
    pub fn shrink_buffer(&mut self) {
        if self.buffer.len() > 1 << 20 && self.held().len() < STEP {
            self.buffer.copy_within(self.start..self.filled, 0);
            self.filled -= self.start;
            self.start = 0;
            self.buffer.truncate(2 * STEP);
            self.buffer.shrink_to_fit();
        }
    }
}

struct BlockReader<'r>(&'r mut WarcRecordReader);

impl Read for BlockReader<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let records = &mut *self.0;
        if records.left == 0 || into.is_empty() {
            return Ok(0);
        }
        if records.held().is_empty() {
            match records.more() {
                Ok(true) => {}
                Ok(false) => return Ok(0),
                Err(ArchiveReadError::Io(error)) => return Err(error),
                Err(ArchiveReadError::Damaged(what)) => return Err(io::Error::other(what)),
            }
        }
        let held = records.held();
        let n = into.len().min(held.len()).min(usize::try_from(records.left).unwrap_or(usize::MAX));
        into.get_mut(..n).unwrap_or_default().copy_from_slice(held.get(..n).unwrap_or_default());
        records.consume(n);
        records.left -= n as u64;
        Ok(n)
    }
}

fn read_head(head: &[u8], place: RecordPosition) -> Option<WarcRecordHead> {
    if !head.starts_with(b"WARC/") {
        return None;
    }
    let mut record = WarcRecordHead {
        kind: RecordKind::Other,
        uri: String::new(),
        date: String::new(),
        content_type: String::new(),
        length: 0,
        truncated: false,
        place,
    };
    let mut length = None;
    let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
    for (name, value) in parse_fields(head) {
        let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
        if is("WARC-Type") {
            record.kind = match value {
                b"response" => RecordKind::Response,
                b"resource" => RecordKind::Resource,
                b"conversion" => RecordKind::Conversion,
                b"metadata" => RecordKind::Metadata,
                _ => RecordKind::Other,
            };
        } else if is("WARC-Target-URI") {
            // Some writers enclose it in angle brackets.
            text(value).trim_matches(['<', '>']).clone_into(&mut record.uri);
        } else if is("WARC-Date") {
            record.date = text(value);
        } else if is("Content-Type") {
            record.content_type = text(value);
        } else if is("Content-Length") {
            length = std::str::from_utf8(value).ok().and_then(|text| text.parse().ok());
        } else if is("WARC-Truncated") {
            record.truncated = true;
        }
    }
    record.length = length?;
    Some(record)
}

#[cfg(test)]
mod tests;
