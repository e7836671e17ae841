//! What a file is, and the pieces that it is read in.

use super::columnar::{Columns, MAGIC};
use super::members::{Members, Packing};
use super::source::Archive;
use std::io::{self, Read};
use std::sync::Arc;

/// Pieces of a file are not smaller than this.
const SMALLEST: u64 = 4 << 20;

/// What a file is.
pub enum Format {
    /// Records: WARC, WAT, WET.
    Records,
    /// An address a line.
    Lines,
    /// An address a row.
    Columns(Arc<Columns>),
}

/// A file that is understood.
pub struct Planned {
    pub packing: Packing,
    pub format: Format,
}

/// A piece of a file: a range of its bytes, or one group of its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    pub from: u64,
    pub to: u64,
}

impl Planned {
    /// Looks what a file is.
    pub fn of(archive: &Archive) -> io::Result<Self> {
        let mut start = Vec::new();
        archive.source.open(0)?.take(8).read_to_end(&mut start)?;
        if start.is_empty() {
            return Err(io::Error::other("the file is empty"));
        }
        if start.starts_with(MAGIC) {
            let columns = Arc::new(Columns::open(&archive.source)?);
            return Ok(Self { packing: Packing::Plain, format: Format::Columns(columns) });
        }
        let packing = Packing::of(&start);
        let plain = beginning(archive, packing)?;
        let text = plain.trim_ascii_start();
        let format = if text.starts_with(b"WARC/") {
            Format::Records
        } else if text.contains(&0) || text.is_empty() || text.starts_with(b"<") {
            let why = "neither an archive (WARC, WAT, WET) nor an index or list of addresses (CDXJ, CDX, Parquet, text)";
            return Err(io::Error::other(why));
        } else {
            Format::Lines
        };
        Ok(Self { packing, format })
    }

    /// The pieces for so many threads. What cannot be entered in its middle is one piece; so is what lies on a
    /// server, which is asked for one thing after the other.
    pub fn pieces(&self, archive: &Archive, threads: usize) -> Vec<Piece> {
        if let Format::Columns(columns) = &self.format {
            return (0..columns.groups() as u64).map(|group| Piece { from: group, to: group + 1 }).collect();
        }
        let divisible = match self.format {
            Format::Records => self.packing == Packing::Gzip,
            _ => self.packing == Packing::Plain,
        };
        let length =
            archive.source.length().filter(|_| divisible && archive.source.is_local() && threads > 1);
        let Some(length) = length else { return vec![Piece { from: 0, to: u64::MAX }] };
        // Some more pieces than threads, so that they end at about the same time.
        let size = (length / (threads as u64 * 8)).max(SMALLEST);
        let mut pieces: Vec<Piece> =
            (0..length.div_ceil(size).max(1)).map(|n| Piece { from: n * size, to: (n + 1) * size }).collect();
        if let Some(last) = pieces.last_mut() {
            last.to = u64::MAX;
        }
        pieces
    }
}

/// The first plain bytes of a file.
fn beginning(archive: &Archive, packing: Packing) -> io::Result<Vec<u8>> {
    use super::members::Fault;
    let mut members = Members::open(&archive.source, packing, 0, u64::MAX)?;
    let mut start = vec![0; 512];
    let mut held = 0;
    let mut read = || -> Result<(), Fault> {
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
        Err(Fault::Io(error)) => Err(error),
        // What is damaged from the start is told when it is read.
        Err(Fault::Damaged(what)) if start.is_empty() => Err(io::Error::other(what)),
        _ => Ok(start),
    }
}
