//! Decompresses a file: plain, gzip (one member per record, or not), zstd.
//!
//! Gzip members are opened one by one, so that a damaged one costs only itself, and so that a file
//! can be read from any member on. `flate2`'s multi-member reader allocates anew for each member,
//! reports no offsets and cannot continue after damage; here one decompressor is reused for all
//! members.

use super::source::ByteSource;
use flate2::{Crc, Decompress, FlushDecompress, Status};
use std::io::{self, Read};
use std::sync::Arc;

/// Bytes read from the source at a time.
const RAW: usize = 256 << 10;
/// Longer headers of gzip members are treated as damage.
const LONGEST_HEADER: usize = 64 << 10;
const GZIP: [u8; 3] = [0x1F, 0x8B, 8];
const ZSTD: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// Compression of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileCompression {
    Plain,
    Gzip,
    Zstd,
}

impl FileCompression {
    /// Detects the compression from the first bytes of a file.
    pub fn detect(start: &[u8]) -> Self {
        if start.starts_with(&GZIP) {
            Self::Gzip
        } else if start.starts_with(&ZSTD) {
            Self::Zstd
        } else {
            Self::Plain
        }
    }
}

/// Why reading failed.
#[derive(Debug)]
pub enum ArchiveReadError {
    /// The source failed; reading cannot continue.
    Io(io::Error),
    /// The data is damaged; what follows may be readable.
    Damaged(String),
}

impl From<io::Error> for ArchiveReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Buffered bytes of a source with their offset.
struct SourceBuffer {
    stream: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    start: usize,
    /// Offset of `buffer[start]` in the file.
    at: u64,
    over: bool,
}

impl SourceBuffer {
    fn open(source: &dyn ByteSource, from: u64) -> io::Result<Self> {
        Ok(Self { stream: source.open(from)?, buffer: Vec::new(), start: 0, at: from, over: false })
    }

    fn held(&self) -> &[u8] {
        self.buffer.get(self.start..).unwrap_or_default()
    }

    /// Reads more bytes into the buffer; returns `false` at the end.
    fn more(&mut self) -> io::Result<bool> {
        if self.over {
            return Ok(false);
        }
        self.buffer.drain(..self.start);
        self.start = 0;
        let before = self.buffer.len();
        let read = (&mut self.stream).take(RAW as u64).read_to_end(&mut self.buffer);
        self.over = self.buffer.len() < before + RAW;
        match read {
            // Use what arrived before the failure; the failure will occur again.
            Err(_) if self.buffer.len() > before => self.over = false,
            Err(error) => return Err(error),
            Ok(_) => {}
        }
        Ok(self.buffer.len() > before)
    }

    /// Buffers at least `bytes` bytes, or what is left.
    fn need(&mut self, bytes: usize) -> io::Result<&[u8]> {
        while self.held().len() < bytes && self.more()? {}
        Ok(self.held())
    }

    fn consume(&mut self, bytes: usize) {
        self.start += bytes;
        self.at += bytes as u64;
    }
}

/// The decompressed bytes of a section of a file, member by member.
pub struct MemberReader {
    source: Arc<dyn ByteSource>,
    packing: FileCompression,
    raw: SourceBuffer,
    /// Members that start at or after this offset belong to another reader.
    to: u64,
    inflate: Decompress,
    crc: Crc,
    inside: bool,
    /// Offset of the current member.
    member: u64,
    zstd: Option<Box<dyn Read + Send>>,
}

impl MemberReader {
    /// Opens the members that start in a section of a file. `from` must be the start of a member.
    pub fn open(
        source: &Arc<dyn ByteSource>,
        packing: FileCompression,
        from: u64,
        to: u64,
    ) -> io::Result<Self> {
        Ok(Self {
            raw: SourceBuffer::open(&**source, from)?,
            source: Arc::clone(source),
            packing,
            to,
            inflate: Decompress::new(false),
            crc: Crc::new(),
            inside: false,
            member: from,
            zstd: None,
        })
    }

    /// Returns the offset of the current member; in a plain file, that of the section.
    pub fn member_offset(&self) -> u64 {
        self.member
    }

    /// Advances to the next member; returns `false` if there is none.
    pub fn next_member(&mut self) -> Result<bool, ArchiveReadError> {
        match self.packing {
            FileCompression::Plain => {
                let first = !self.inside;
                self.inside = true;
                Ok(first && !self.raw.need(1)?.is_empty())
            }
            FileCompression::Zstd => self.next_frame(),
            FileCompression::Gzip => {
                if self.raw.at >= self.to || self.raw.need(18)?.is_empty() {
                    return Ok(false);
                }
                self.member = self.raw.at;
                let length = self.header()?;
                self.raw.consume(length);
                self.inflate.reset(false);
                self.crc.reset();
                self.inside = true;
                Ok(true)
            }
        }
    }

    /// Reads decompressed bytes of the current member; returns 0 at its end.
    pub fn read(&mut self, into: &mut [u8]) -> Result<usize, ArchiveReadError> {
        match self.packing {
            FileCompression::Plain => {
                let held = self.raw.need(1)?;
                let n = held.len().min(into.len());
                into.get_mut(..n).unwrap_or_default().copy_from_slice(held.get(..n).unwrap_or_default());
                self.raw.consume(n);
                Ok(n)
            }
            FileCompression::Zstd => match &mut self.zstd {
                Some(frame) => frame.read(into).map_err(|error| ArchiveReadError::Damaged(error.to_string())),
                None => Ok(0),
            },
            FileCompression::Gzip => self.inflate(into),
        }
    }

    fn inflate(&mut self, into: &mut [u8]) -> Result<usize, ArchiveReadError> {
        while self.inside && !into.is_empty() {
            let input = self.raw.need(1)?;
            let nothing_more = input.is_empty();
            let (was_in, was_out) = (self.inflate.total_in(), self.inflate.total_out());
            let status = self.inflate.decompress(input, into, FlushDecompress::None).map_err(|error| {
                ArchiveReadError::Damaged(format!("the compressed data is damaged ({error})"))
            })?;
            let used = (self.inflate.total_in() - was_in) as usize;
            let made = (self.inflate.total_out() - was_out) as usize;
            self.raw.consume(used);
            self.crc.update(into.get(..made).unwrap_or_default());
            if status == Status::StreamEnd {
                self.inside = false;
                self.trailer()?;
                return Ok(made);
            }
            if made > 0 {
                return Ok(made);
            }
            if nothing_more || used == 0 && status == Status::BufError {
                self.inside = false;
                return Err(ArchiveReadError::Damaged("the file ends within a member".to_owned()));
            }
        }
        Ok(0)
    }

    /// Reads and verifies the checksum after a member.
    fn trailer(&mut self) -> Result<(), ArchiveReadError> {
        let held = self.raw.need(8)?;
        let Some(&[a, b, c, d, ..]) = held.first_chunk::<8>() else {
            return Err(ArchiveReadError::Damaged("the file ends within a member".to_owned()));
        };
        let sum = u32::from_le_bytes([a, b, c, d]);
        self.raw.consume(8);
        if sum != self.crc.sum() {
            return Err(ArchiveReadError::Damaged("the checksum of a member is wrong".to_owned()));
        }
        Ok(())
    }

    /// Returns the length of the member header that starts here.
    fn header(&mut self) -> Result<usize, ArchiveReadError> {
        let damaged = || ArchiveReadError::Damaged("no gzip member starts here".to_owned());
        let held = self.raw.need(10)?;
        if !held.starts_with(&GZIP) || held.len() < 10 {
            return Err(damaged());
        }
        let flags = held.get(3).copied().unwrap_or_default();
        let mut length = 10;
        // Optional parts (RFC 1952): extra field, file name, comment, header checksum.
        if flags & 4 != 0 {
            let held = self.raw.need(12)?;
            let extra = [held.get(10).copied().unwrap_or(0), held.get(11).copied().unwrap_or(0)];
            length = 12 + usize::from(u16::from_le_bytes(extra));
        }
        // Name and comment are zero-terminated.
        for flag in [8, 16] {
            if flags & flag != 0 {
                let held = self.raw.need(LONGEST_HEADER)?;
                let end = held.get(length..).and_then(|rest| memchr::memchr(0, rest)).ok_or_else(damaged)?;
                length += end + 1;
            }
        }
        if flags & 2 != 0 {
            length += 2;
        }
        if self.raw.need(length)?.len() < length { Err(damaged()) } else { Ok(length) }
    }

    /// Opens the frames of a zstd file as one stream; skips frames without data.
    fn next_frame(&mut self) -> Result<bool, ArchiveReadError> {
        if self.zstd.is_some() {
            return Ok(false);
        }
        // The length of a frame is known only after decoding it, so one reader handles all frames.
        let stream = ZstdFrames { stream: self.source.open(self.raw.at)?, frame: None };
        self.zstd = Some(Box::new(stream));
        Ok(true)
    }

    /// Searches the next member after damage; returns `false` if there is none.
    pub fn skip_damage(&mut self) -> io::Result<bool> {
        self.inside = false;
        if self.packing != FileCompression::Gzip {
            return Ok(false);
        }
        match find_member(&self.source, self.member + 1, self.to)? {
            Some(at) => {
                self.raw = SourceBuffer::open(&*self.source, at)?;
                Ok(true)
            }
            None => Ok(false),
        }
    }
}

/// Reads consecutive zstd frames.
struct ZstdFrames {
    stream: Box<dyn Read + Send>,
    frame: Option<ruzstd::decoding::FrameDecoder>,
}

impl Read for ZstdFrames {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        use ruzstd::decoding::BlockDecodingStrategy;
        use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
        let decoder = self.frame.get_or_insert_with(ruzstd::decoding::FrameDecoder::new);
        loop {
            let n = decoder.read(into)?;
            if n > 0 || into.is_empty() {
                return Ok(n);
            }
            if decoder.is_finished() {
                let mut start = [0; 4];
                let first = self.stream.read(&mut start)?;
                if first == 0 {
                    return Ok(0);
                }
                self.stream.read_exact(start.get_mut(first..).unwrap_or_default())?;
                match decoder.reset(start.chain(&mut self.stream)) {
                    Ok(()) => {}
                    Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                        length,
                        ..
                    })) => {
                        io::copy(&mut (&mut self.stream).take(u64::from(length)), &mut io::sink())?;
                        continue;
                    }
                    Err(error) => return Err(io::Error::other(error)),
                }
            }
            decoder
                .decode_blocks(&mut self.stream, BlockDecodingStrategy::UptoBytes(into.len().max(64 << 10)))
                .map_err(io::Error::other)?;
        }
    }
}

/// Returns the offset of the first member in `from..to` that starts with a record.
pub fn find_member(source: &Arc<dyn ByteSource>, from: u64, to: u64) -> io::Result<Option<u64>> {
    let mut raw = SourceBuffer::open(&**source, from)?;
    let finder = memchr::memmem::Finder::new(&GZIP);
    loop {
        raw.need(GZIP.len())?;
        let Some(at) = finder.find(raw.held()) else {
            // A signature may start in the last bytes.
            let keep = raw.held().len().min(GZIP.len() - 1);
            raw.consume(raw.held().len() - keep);
            if raw.at >= to || !raw.more()? {
                return Ok(None);
            }
            continue;
        };
        raw.consume(at);
        if raw.at >= to {
            return Ok(None);
        }
        if begins_record(raw.need(4 << 10)?) {
            return Ok(Some(raw.at));
        }
        raw.consume(1);
    }
}

/// Whether a member starts here, and a record starts in it.
fn begins_record(bytes: &[u8]) -> bool {
    let mut start = [0; 5];
    let mut member = flate2::read::GzDecoder::new(bytes);
    member.read_exact(&mut start).is_ok() && &start == b"WARC/"
}
