//! The directories of a TIFF file (classic and BigTIFF, either byte order) of which only some parts
//! are available.
//!
//! Implemented here because the `tiff` crate needs `Read + Seek` over the whole file and stops at
//! the first missing byte, while a probe needs what can be read and where the rest is.

use super::cursor::{self, ByteCursor};
use crate::files::{SparseFile, SparseReadError};

/// Maximum number of directories to follow.
const MAX_DIRECTORIES: usize = 40;
/// Maximum number of entries per directory; baseline images have about 20.
const MAX_ENTRIES: u64 = 1024;
/// Maximum length of a value in bytes: GDAL's metadata may be long, coordinates are not.
const MAX_VALUE: u64 = 16 * 1024;

/// Tags that describe position, structure or origin.
pub mod tag {
    pub const NEW_SUBFILE_TYPE: u16 = 254;
    pub const IMAGE_WIDTH: u16 = 256;
    pub const IMAGE_LENGTH: u16 = 257;
    pub const DOCUMENT_NAME: u16 = 269;
    pub const IMAGE_DESCRIPTION: u16 = 270;
    pub const SOFTWARE: u16 = 305;
    pub const TILE_WIDTH: u16 = 322;
    pub const TILE_OFFSETS: u16 = 324;
    pub const MODEL_PIXEL_SCALE: u16 = 33_550;
    pub const MODEL_TIEPOINT: u16 = 33_922;
    pub const MODEL_TRANSFORMATION: u16 = 34_264;
    pub const GEO_KEY_DIRECTORY: u16 = 34_735;
    pub const GEO_DOUBLE_PARAMS: u16 = 34_736;
    pub const GEO_ASCII_PARAMS: u16 = 34_737;
}

/// Entry of a directory.
#[derive(Debug, Clone, Copy)]
struct TiffEntry {
    tag: u16,
    field: u16,
    count: u64,
    /// Offset of the value in the file.
    value_at: u64,
}

impl TiffEntry {
    fn width(self) -> u64 {
        match self.field {
            1 | 2 | 6 | 7 => 1,
            3 | 8 => 2,
            4 | 9 | 11 | 13 => 4,
            5 | 10 | 12 | 16 | 17 | 18 => 8,
            _ => 0,
        }
    }

    fn len(self) -> u64 {
        self.count.saturating_mul(self.width())
    }
}

/// Image file directory.
#[derive(Debug, Clone, Default)]
pub struct TiffDirectory {
    /// Offset of the directory in the file.
    pub at: u64,
    entries: Vec<TiffEntry>,
}

/// The directories of a TIFF file that are available.
#[derive(Debug, Clone)]
pub struct TiffFile {
    pub big_tiff: bool,
    big_endian: bool,
    /// Directories in chain order.
    pub directories: Vec<TiffDirectory>,
    /// Why the chain of directories could not be followed to its end.
    pub lack: Option<SparseReadError>,
    /// Note that GDAL writes before the first directory (`LAYOUT=IFDS_BEFORE_DATA`).
    pub note: Option<String>,
}

/// Returns whether the bytes start a TIFF file.
pub fn is_tiff(head: &[u8]) -> bool {
    matches!(head, [b'I', b'I', 42 | 43, 0, ..] | [b'M', b'M', 0, 42 | 43, ..])
}

impl TiffFile {
    /// Reads the directories. Returns `None` if the file is not a TIFF file.
    pub fn read_directories(file: &SparseFile) -> Option<Self> {
        let head = file.head();
        if !is_tiff(head) {
            return None;
        }
        let big_endian = head.starts_with(b"MM");
        let mut cursor = ByteCursor::with_byte_order(head, big_endian);
        cursor.skip(2)?;
        let big_tiff = cursor.read_u16()? == 43;
        let first = if big_tiff {
            (cursor.read_u16()? == 8 && cursor.read_u16()? == 0).then_some(())?;
            cursor.read_u64()?
        } else {
            u64::from(cursor.read_u32()?)
        };
        let mut tiff = Self { big_tiff, big_endian, directories: Vec::new(), lack: None, note: None };
        tiff.note = note(cursor.remaining());
        tiff.follow(file, first);
        Some(tiff)
    }

    fn follow(&mut self, file: &SparseFile, first: u64) {
        let mut at = first;
        while at != 0 {
            // A hostile file may link its directories in a circle.
            let seen = self.directories.iter().any(|d| d.at == at);
            if seen || self.directories.len() >= MAX_DIRECTORIES {
                return;
            }
            match self.directory(file, at) {
                Ok((directory, next)) => {
                    self.directories.push(directory);
                    at = next;
                }
                Err(lack) => {
                    self.lack = Some(lack);
                    return;
                }
            }
        }
    }

    fn directory(&self, file: &SparseFile, at: u64) -> Result<(TiffDirectory, u64), SparseReadError> {
        let (count_len, entry_len, inline) = if self.big_tiff { (8, 20, 8) } else { (2, 12, 4) };
        let number =
            |bytes: &[u8], width| ByteCursor::with_byte_order(bytes, self.big_endian).read_uint(width);
        let count =
            number(file.read_range(at, count_len)?, count_len as usize).ok_or(SparseReadError::Damage)?;
        if count == 0 || count > MAX_ENTRIES {
            return Err(SparseReadError::Damage);
        }
        let entries_at = at.checked_add(count_len).ok_or(SparseReadError::Damage)?;
        let body = file.read_range(entries_at, count * entry_len + inline)?;
        let mut cursor = ByteCursor::with_byte_order(body, self.big_endian);
        let mut entries = Vec::with_capacity(count as usize);
        for i in 0..count {
            let read = |cursor: &mut ByteCursor<'_>| {
                let (tag, field) = (cursor.read_u16()?, cursor.read_u16()?);
                let count = cursor.read_uint(inline as usize)?;
                let offset = cursor.read_uint(inline as usize)?;
                Some((TiffEntry { tag, field, count, value_at: offset }, offset))
            };
            let (mut entry, _) = read(&mut cursor).ok_or(SparseReadError::Damage)?;
            // A short value is stored in the entry itself, in place of its offset.
            if entry.len() <= inline {
                entry.value_at = entries_at + i * entry_len + entry_len - inline;
            }
            entries.push(entry);
        }
        let next = cursor.read_uint(inline as usize).unwrap_or(0);
        Ok((TiffDirectory { at, entries }, next))
    }

    /// Returns whether a directory has a tag.
    pub fn has_tag(&self, directory: &TiffDirectory, tag: u16) -> bool {
        directory.entries.iter().any(|e| e.tag == tag)
    }

    fn value(file: &SparseFile, entry: TiffEntry, max: u64) -> Result<&[u8], SparseReadError> {
        let width = entry.width();
        if width == 0 {
            return Err(SparseReadError::Damage);
        }
        let len = entry.len().min(max - max % width);
        file.read_range(entry.value_at, len)
    }

    /// Returns the numbers of a tag, up to [`MAX_VALUE`] bytes of them.
    pub fn tag_numbers(
        &self,
        file: &SparseFile,
        directory: &TiffDirectory,
        tag: u16,
    ) -> Result<Vec<f64>, SparseReadError> {
        let Some(entry) = directory.entries.iter().find(|e| e.tag == tag) else { return Ok(Vec::new()) };
        self.numbers_of(file, *entry, MAX_VALUE)
    }

    /// Returns the first number of a tag.
    pub fn first_number(
        &self,
        file: &SparseFile,
        directory: &TiffDirectory,
        tag: u16,
    ) -> Result<Option<f64>, SparseReadError> {
        let Some(entry) = directory.entries.iter().find(|e| e.tag == tag) else { return Ok(None) };
        Ok(self.numbers_of(file, *entry, entry.width())?.first().copied())
    }

    fn numbers_of(&self, file: &SparseFile, entry: TiffEntry, max: u64) -> Result<Vec<f64>, SparseReadError> {
        let mut cursor = ByteCursor::with_byte_order(Self::value(file, entry, max)?, self.big_endian);
        let mut numbers = Vec::new();
        loop {
            let number = match entry.field {
                1 | 6 | 7 => cursor.read_u8().map(f64::from),
                3 => cursor.read_u16().map(f64::from),
                4 | 13 => cursor.read_u32().map(f64::from),
                9 => cursor.read_i32().map(f64::from),
                11 => cursor.read_f32().map(f64::from),
                12 => cursor.read_f64(),
                16 | 18 => cursor.read_u64().map(|n| n as f64),
                _ => None,
            };
            match number {
                Some(number) => numbers.push(number),
                None => return Ok(numbers),
            }
        }
    }

    /// Returns the text of a tag.
    pub fn tag_text(
        &self,
        file: &SparseFile,
        directory: &TiffDirectory,
        tag: u16,
    ) -> Result<Option<String>, SparseReadError> {
        let Some(entry) = directory.entries.iter().find(|e| e.tag == tag) else { return Ok(None) };
        let text = cursor::text_until_nul(Self::value(file, *entry, MAX_VALUE)?);
        Ok(Some(text.trim().to_owned()).filter(|t| !t.is_empty()))
    }
}

/// Returns the note that GDAL writes between the header and the first directory of cloud-optimized
/// files.
fn note(behind_header: &[u8]) -> Option<String> {
    const MARK: &[u8] = b"GDAL_STRUCTURAL_METADATA_SIZE=";
    let rest = behind_header.strip_prefix(MARK)?;
    let size: usize = std::str::from_utf8(rest.get(..6)?).ok()?.parse().ok()?;
    let text = rest.get(6..)?;
    let start = memchr::memchr(b'\n', text.get(..32.min(text.len()))?)? + 1;
    let text = text.get(start..)?;
    Some(String::from_utf8_lossy(text.get(..size.min(4096)).unwrap_or(text)).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_chain_in_a_circle_ends() {
        // One entry, and the next directory is the same one.
        let mut bytes = b"II*\0\x08\0\0\0\x01\0".to_vec();
        bytes.extend([0, 1, 4, 0, 1, 0, 0, 0, 7, 0, 0, 0]);
        bytes.extend([8, 0, 0, 0]);
        let file = SparseFile::from_bytes(bytes);
        let tiff = TiffFile::read_directories(&file).unwrap();
        assert_eq!(tiff.directories.len(), 1);
        let width = tiff.tag_numbers(&file, &tiff.directories[0], tag::IMAGE_WIDTH);
        assert_eq!(width, Ok(vec![7.0]));
    }

    #[test]
    fn a_directory_that_is_not_at_hand_is_told() {
        let mut file = SparseFile::default();
        file.set_total(100_000);
        file.insert_range(0, b"MM\0*\0\0\x80\0");
        assert_eq!(
            TiffFile::read_directories(&file).unwrap().lack,
            Some(SparseReadError::Bytes(32_768, 32_769))
        );
    }

    proptest! {
        #[test]
        fn no_bytes_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..400), start in 0..4_usize) {
            let magic: [&[u8]; 4] = [b"II*\0\x08\0\0\0", b"MM\0*\0\0\0\x08", b"II+\0\x08\0\0\0\x10\0\0\0\0\0\0\0", b"MM\0+\0\x08\0\0\0\0\0\0\0\0\0\x10"];
            bytes.splice(0..0, magic[start].iter().copied());
            let file = SparseFile::from_bytes(bytes);
            if let Some(tiff) = TiffFile::read_directories(&file) {
                for directory in &tiff.directories {
                    for entry in &directory.entries {
                        let _ = tiff.tag_numbers(&file, directory, entry.tag);
                        let _ = tiff.tag_text(&file, directory, entry.tag);
                    }
                }
            }
        }
    }
}
