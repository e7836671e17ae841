//! Detects the format of a file and splits it into pieces for parallel reading.

use super::columnar::{MAGIC, ParquetIndex};
use super::members::{FileCompression, MemberReader};
use super::source::WebArchive;
use std::io::{self, Read};
use std::sync::Arc;

/// Minimum size of a piece.
const SMALLEST: u64 = 4 << 20;

/// Format of a file.
pub enum ArchiveFormat {
    /// Records: WARC, WAT, WET.
    Records,
    /// One address per line.
    Lines,
    /// One address per row.
    Columns(Arc<ParquetIndex>),
}

/// How to read a file.
pub struct ArchivePlan {
    pub packing: FileCompression,
    pub format: ArchiveFormat,
}

/// A piece of a file: a range of bytes, or one row group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArchivePiece {
    pub from: u64,
    pub to: u64,
}

impl ArchivePlan {
    /// Detects compression and format of a file.
    pub fn for_archive(archive: &WebArchive) -> io::Result<Self> {
        let mut start = Vec::new();
        archive.source.open(0)?.take(8).read_to_end(&mut start)?;
        if start.is_empty() {
            return Err(io::Error::other("the file is empty"));
        }
        if start.starts_with(MAGIC) {
            let columns = Arc::new(ParquetIndex::open(&archive.source)?);
            return Ok(Self { packing: FileCompression::Plain, format: ArchiveFormat::Columns(columns) });
        }
        let packing = FileCompression::detect(&start);
        let plain = beginning(archive, packing)?;
        let text = plain.trim_ascii_start();
        let format = if text.starts_with(b"WARC/") {
            ArchiveFormat::Records
        } else if text.contains(&0) || text.is_empty() || text.starts_with(b"<") {
            let why = "neither an archive (WARC, WAT, WET) nor an index or list of addresses (CDXJ, CDX, Parquet, text)";
            return Err(io::Error::other(why));
        } else {
            ArchiveFormat::Lines
        };
        Ok(Self { packing, format })
    }

    /// Splits a file for `threads` threads. Files that cannot be read from the middle are one
    /// piece. So are files on a server, which gets only one request at a time.
    pub fn split_pieces(&self, archive: &WebArchive, threads: usize) -> Vec<ArchivePiece> {
        if let ArchiveFormat::Columns(columns) = &self.format {
            return (0..columns.group_count() as u64)
                .map(|group| ArchivePiece { from: group, to: group + 1 })
                .collect();
        }
        let divisible = match self.format {
            ArchiveFormat::Records => self.packing == FileCompression::Gzip,
            _ => self.packing == FileCompression::Plain,
        };
        let length =
            archive.source.length().filter(|_| divisible && archive.source.is_local() && threads > 1);
        let Some(length) = length else { return vec![ArchivePiece { from: 0, to: u64::MAX }] };
        // Several pieces per thread, so that all threads end at about the same time.
        let size = (length / (threads as u64 * 8)).max(SMALLEST);
        let mut pieces: Vec<ArchivePiece> = (0..length.div_ceil(size).max(1))
            .map(|n| ArchivePiece { from: n * size, to: (n + 1) * size })
            .collect();
        if let Some(last) = pieces.last_mut() {
            last.to = u64::MAX;
        }
        pieces
    }
}

/// Returns the first decompressed bytes of a file.
fn beginning(archive: &WebArchive, packing: FileCompression) -> io::Result<Vec<u8>> {
    use super::members::ArchiveReadError;
    let mut members = MemberReader::open(&archive.source, packing, 0, u64::MAX)?;
    let mut start = vec![0; 512];
    let mut held = 0;
    let mut read = || -> Result<(), ArchiveReadError> {
        while held < start.len() {
            match members.read(start.get_mut(held..).unwrap_or_default())? {
                0 if held > 0 || !members.next_member()? => break,
                n => held += n,
            }
        }
        Ok(())
    };
    let outcome = read();
    start.truncate(held);
    match outcome {
        Err(ArchiveReadError::Io(error)) => Err(error),
        // Damage at the start is reported when the file is read.
        Err(ArchiveReadError::Damaged(what)) if start.is_empty() => Err(io::Error::other(what)),
        _ => Ok(start),
    }
}
