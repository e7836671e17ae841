//! Records of WARC files, one after the other, in bounded memory.
//!
//! By hand: the crates that read WARC (`warc`, `warc_parser`) hold every record whole, stop at the first damage and
//! cannot begin in the middle of a file.

use super::members::{ArchiveReadError, FileCompression, MemberReader};
use super::source::ByteSource;
pub(super) use geotrawl_archive::warc::head::{end_of_head, parse_fields};
use memchr::memmem;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::Arc;

/// Bytes read at a time.
const STEP: usize = 64 << 10;
/// A longer head is none.
const LONGEST_HEAD: usize = 64 << 10;
/// What a block holds in memory at most; the rest is read as a stream.
pub const MOST_HELD: usize = 8 << 20;

/// What sort of record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordKind {
    /// An answer as it came.
    Response,
    /// A thing without the answer that brought it.
    Resource,
    /// What was made of an answer: its text (WET).
    Conversion,
    /// What was found in an answer (WAT), or noted by whoever asked.
    Metadata,
    /// Nothing that shows addresses.
    Other,
}

/// Where a record can be read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordPosition {
    /// Where its member begins in the file.
    pub member: u64,
    /// Plain bytes of the member before it.
    pub skip: u64,
}

/// What stands before a record's block.
#[derive(Debug, Clone)]
pub struct WarcRecordHead {
    pub kind: RecordKind,
    /// What was asked for.
    pub uri: String,
    /// When, as written.
    pub date: String,
    pub content_type: String,
    /// Bytes of the block.
    pub length: u64,
    /// Whoever archived it cut it.
    pub truncated: bool,
    pub place: RecordPosition,
}

/// Reads records.
pub struct WarcRecordReader {
    members: MemberReader,
    /// Of which `start..filled` is held: what was made once is not cleared again for every small member.
    buffer: Vec<u8>,
    start: usize,
    filled: usize,
    /// Plain bytes before `buffer[start]` since the beginning of the part.
    position: u64,
    /// Plain position and place of the members whose bytes are held, oldest first.
    begun: VecDeque<(u64, u64)>,
    /// Plain bytes that were read since the beginning.
    read: u64,
    /// Bytes of the last record's block that were not taken.
    left: u64,
    over: bool,
    plain: bool,
}

impl WarcRecordReader {
    /// The records that begin in a part of a file, whose beginning must be that of a record or member.
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

    /// Plain bytes so far.
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

    /// Reads more behind what is held, into the next member if need be; `false` at the end.
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

    /// The next record; what is left of the last one is passed over. Damage is told, and what is behind it read.
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

    /// Leaves a damaged place behind; `false` when nothing can be read behind it.
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
                return Err(ArchiveReadError::Damaged("a record has no end of its head".to_owned()));
            }
        };
        while self.begun.get(1).is_some_and(|(at, _)| *at <= self.position) {
            self.begun.pop_front();
        }
        let (at, member) = self.begun.front().copied().unwrap_or_default();
        let place = RecordPosition { member, skip: self.position - at };
        let record = read_head(self.held().get(..head_length).unwrap_or_default(), place);
        let record = record.ok_or_else(|| ArchiveReadError::Damaged("no record begins here".to_owned()))?;
        self.consume(head_length);
        self.left = record.length;
        Ok(Some(record))
    }

    /// Finds the next record behind damage.
    fn recover(&mut self) -> io::Result<bool> {
        self.left = 0;
        if self.plain {
            // The next line that begins a record.
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

    /// Passes over bytes.
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

    /// Passes over plain bytes, to the beginning of a record.
    pub fn skip_bytes(&mut self, bytes: u64) -> Result<(), ArchiveReadError> {
        self.pass(bytes)
    }

    /// The block of the record, or its first [`MOST_HELD`] bytes; what is behind them is read by [`Self::rest`].
    pub fn read_block(&mut self) -> Result<&[u8], ArchiveReadError> {
        let wanted = usize::try_from(self.left).unwrap_or(MOST_HELD).min(MOST_HELD);
        while self.held().len() < wanted && self.more()? {}
        Ok(self.held().get(..wanted.min(self.held().len())).unwrap_or_default())
    }

    /// Whether the block is longer than what [`Self::block`] gives.
    pub fn is_large(&self) -> bool {
        self.left > MOST_HELD as u64
    }

    /// The block from its beginning, as a stream. Damage ends it.
    pub fn block_stream(&mut self) -> impl Read + '_ {
        BlockReader(self)
    }

    /// Gives back what a large record took.
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
            // Some writers put it in angle brackets.
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
