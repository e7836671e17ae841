//! ZIP archives of which only the end and a few pieces are available.
//!
//! `rawzip` reads the central directory (with ZIP64 records, prefixed data and comments): it has no
//! dependencies and no unsafe code, is fuzzed by its author, and reads through a positioned reader,
//! so that a file with holes needs no special treatment. `rc-zip`, the other reader without I/O,
//! rejects the whole archive for one undecodable name and depends on 37 crates; `zip` needs `Read +
//! Seek` and keeps the whole directory in its own structures. Local headers are read here, because
//! no crate reads them without a directory, and a server without range support gives us nothing
//! else.

use crate::files::SparseFile;
use flate2::read::DeflateDecoder;
use std::io::{self, Read};

/// Length of an end of central directory record with the longest comment, plus one byte.
pub const TAIL_LEN: u64 = 65_558;
/// Maximum number of entries to keep of a directory; more than any real collection of shapefiles
/// has.
const MAX_ENTRIES: usize = 100_000;
/// Maximum length of a name.
const MAX_NAME: usize = 1024;
/// Number of false end records to skip before giving up.
const MAX_FALSE_RECORDS: usize = 16;
/// Length of the fixed part of a local header.
const LOCAL_HEADER_LEN: u64 = 30;

/// File in an archive, as described by the directory or its local header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ZipEntry {
    /// Path inside the archive with `/` between folders.
    pub name: String,
    /// Compression method: 0 stored, 8 deflated. Others are not supported.
    pub method: u16,
    /// Whether the entry needs a password.
    pub encrypted: bool,
    /// Declared compressed size.
    pub compressed: u64,
    /// Declared uncompressed size. Not to be trusted.
    pub uncompressed: u64,
    /// Offset of the local header.
    pub header_at: u64,
}

impl ZipEntry {
    /// Returns whether the content can be read.
    pub fn is_readable(&self) -> bool {
        !self.encrypted && matches!(self.method, 0 | 8)
    }

    /// Returns the part of the name after the last `/`.
    pub fn file_name(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or_default()
    }

    /// Returns whether the name ends in `extension`, ignoring case.
    pub fn has_extension(&self, extension: &str) -> bool {
        self.name
            .len()
            .checked_sub(extension.len())
            .and_then(|at| self.name.get(at..))
            .is_some_and(|end| end.eq_ignore_ascii_case(extension))
    }

    /// Returns whether this is one of the resource fork files that macOS adds.
    pub fn is_resource_fork(&self) -> bool {
        self.name.split('/').any(|part| part == "__MACOSX" || part.starts_with("._"))
    }

    /// Returns the first and last byte of the local header and `content` bytes of compressed data.
    ///
    /// The local extra field may be longer than the directory says, hence the slack.
    pub fn byte_range(&self, content: u64) -> (u64, u64) {
        const EXTRA_SLACK: u64 = 128;
        let header = LOCAL_HEADER_LEN + self.name.len() as u64 + EXTRA_SLACK;
        let length = header.saturating_add(content.min(self.compressed));
        (self.header_at, self.header_at.saturating_add(length - 1))
    }
}

/// Entries of a central directory, as far as it could be read.
#[derive(Debug, Default)]
pub struct CentralDirectory {
    /// Entries in directory order.
    pub entries: Vec<ZipEntry>,
    /// First and last byte of the directory.
    pub span: Option<(u64, u64)>,
    /// First and last byte of the part of the directory that is not available yet.
    pub missing: Option<(u64, u64)>,
    /// Human-readable reason why reading ended early.
    pub problem: Option<String>,
}

/// Reads the central directory. `file.total()` must be known and the tail must be available.
pub fn read_directory(file: &SparseFile) -> CentralDirectory {
    let mut directory = CentralDirectory::default();
    let Some(total) = file.total() else { return directory };
    let mut buffer = vec![0; 4 * 65_536];
    let mut end = total;
    let mut false_records = 0;
    // The signature of the end record may also occur in a comment, so skip false ones.
    let archive = loop {
        let space = TAIL_LEN.saturating_sub(total - end);
        let locator = rawzip::ZipLocator::new().max_search_space(space);
        match locator.locate_in_reader(file, &mut buffer, end) {
            Ok(archive) => break archive,
            Err((_, error)) => match error.eocd_offset() {
                Some(at) if at < end && total - at < TAIL_LEN && false_records < MAX_FALSE_RECORDS => {
                    end = at;
                    false_records += 1;
                }
                _ => {
                    directory.problem = Some(format!("no central directory: {error}"));
                    return directory;
                }
            },
        }
    };
    file.take_missed();
    let from = archive.directory_offset();
    if archive.eocd_offset() > from {
        directory.span = Some((from, archive.eocd_offset() - 1));
        directory.missing = file.missing_range(from, archive.eocd_offset() - 1);
    }
    let mut entries = archive.entries(&mut buffer);
    loop {
        match entries.next_entry() {
            Ok(Some(record)) => {
                let name = decode_name(record.file_path().as_bytes());
                directory.entries.push(ZipEntry {
                    name,
                    method: record.compression_method().as_u16(),
                    encrypted: record.flags().is_encrypted(),
                    compressed: record.compressed_size_hint(),
                    uncompressed: record.uncompressed_size_hint(),
                    header_at: record.local_header_offset(),
                });
                if directory.entries.len() >= MAX_ENTRIES {
                    directory.problem = Some(format!("more than {MAX_ENTRIES} entries"));
                    break;
                }
            }
            Ok(None) => break,
            Err(error) => {
                if !file.take_missed() {
                    directory.problem = Some(format!("the central directory is damaged: {error}"));
                }
                break;
            }
        }
    }
    directory
}

/// Local header with the offset of its data.
struct LocalHeader {
    entry: ZipEntry,
    data_at: u64,
    /// Whether the sizes are only stored after the data.
    sizes_follow: bool,
}

fn local_header(file: &SparseFile, at: u64) -> Option<LocalHeader> {
    let bytes = file.bytes_from(at);
    let fixed: &[u8; LOCAL_HEADER_LEN as usize] = bytes.first_chunk()?;
    if fixed[..4] != *b"PK\x03\x04" {
        return None;
    }
    let short = |i: usize| u16::from_le_bytes([fixed[i], fixed[i + 1]]);
    let long = |i: usize| u32::from_le_bytes([fixed[i], fixed[i + 1], fixed[i + 2], fixed[i + 3]]);
    let name_len = u64::from(short(26));
    let name = bytes.get(LOCAL_HEADER_LEN as usize..(LOCAL_HEADER_LEN + name_len) as usize)?;
    let flags = short(6);
    Some(LocalHeader {
        entry: ZipEntry {
            name: decode_name(name),
            method: short(8),
            encrypted: flags & 1 != 0,
            compressed: u64::from(long(18)),
            uncompressed: u64::from(long(22)),
            header_at: at,
        },
        data_at: at.checked_add(LOCAL_HEADER_LEN + name_len + u64::from(short(28)))?,
        sizes_follow: flags & 8 != 0,
    })
}

/// Walks the local headers from the start of the file, for servers without range support.
///
/// The walk ends at an entry of unknown size (streamed archives store it after the data) or where
/// the bytes end.
pub fn walk_local_headers(file: &SparseFile) -> Vec<ZipEntry> {
    let mut entries = Vec::new();
    let mut at = 0;
    while entries.len() < MAX_ENTRIES
        && let Some(header) = local_header(file, at)
    {
        let next = header.data_at.checked_add(header.entry.compressed);
        let unknown = header.sizes_follow || header.entry.compressed == u64::from(u32::MAX);
        let mut entry = header.entry;
        if unknown {
            // The rest of the file may belong to this entry. Callers bound what they read.
            entry.compressed = u64::from(u32::MAX);
            entry.uncompressed = u64::from(u32::MAX);
        }
        entries.push(entry);
        match next {
            Some(next) if !unknown => at = next,
            _ => break,
        }
    }
    entries
}

/// Content of an entry, unpacked on the fly as far as its data is available.
pub struct EntryContent<'a> {
    reader: ContentReader<'a>,
    /// Whether all of the data is available.
    pub whole: bool,
}

enum ContentReader<'a> {
    Stored(&'a [u8]),
    Deflated(Box<DeflateDecoder<&'a [u8]>>),
}

impl Read for EntryContent<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match &mut self.reader {
            ContentReader::Stored(data) => data.read(out),
            // Treat broken or incomplete data as the end of the content.
            ContentReader::Deflated(decoder) => Ok(decoder.read(out).unwrap_or(0)),
        }
    }
}

/// Opens an entry. Returns `None` if its local header is missing or belongs to another entry, or if
/// the compression method is not supported. Declared sizes are not trusted: callers must limit what
/// they read.
pub fn open_entry<'a>(file: &'a SparseFile, entry: &ZipEntry) -> Option<EntryContent<'a>> {
    if !entry.is_readable() {
        return None;
    }
    let local = local_header(file, entry.header_at)?;
    if local.entry.name != entry.name {
        return None;
    }
    let data = file.bytes_from(local.data_at);
    let data = &data[..data.len().min(usize::try_from(entry.compressed).unwrap_or(usize::MAX))];
    let whole = data.len() as u64 == entry.compressed;
    let reader = match entry.method {
        0 => ContentReader::Stored(data),
        _ => ContentReader::Deflated(Box::new(DeflateDecoder::new(data))),
    };
    Some(EntryContent { reader, whole })
}

/// Returns the first `max` bytes of an entry, fewer if the available data ends or is broken.
pub fn content_prefix(file: &SparseFile, entry: &ZipEntry, max: usize) -> Option<Vec<u8>> {
    let content = open_entry(file, entry)?;
    let mut prefix = Vec::new();
    content.take(max as u64).read_to_end(&mut prefix).ok()?;
    Some(prefix)
}

/// Decodes a file name: UTF-8 if valid (writers often forget the flag), otherwise code page 437.
/// Replaces backslashes by slashes and removes control characters.
fn decode_name(raw: &[u8]) -> String {
    let raw = &raw[..raw.len().min(MAX_NAME)];
    let text = match std::str::from_utf8(raw) {
        Ok(text) => text.to_owned(),
        Err(_) => raw.iter().map(|b| if *b < 128 { *b as char } else { cp437(*b) }).collect(),
    };
    text.chars()
        .filter(|c| !c.is_control())
        .map(|c| if c == '\\' { '/' } else { c })
        .collect::<String>()
        .trim_start_matches('/')
        .to_owned()
}

/// Decodes the upper half of code page 437, the format's default, which `encoding_rs` does not
/// support.
fn cp437(byte: u8) -> char {
    const UPPER: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";
    UPPER.chars().nth(usize::from(byte.wrapping_sub(128))).unwrap_or('\u{fffd}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_decoded_and_cleaned() {
        assert_eq!(decode_name("Übersicht/Straße.shp".as_bytes()), "Übersicht/Straße.shp");
        assert_eq!(decode_name(b"stra\xe1e.shp"), "straße.shp");
        assert_eq!(decode_name(b"\\data\\a\0b.shp"), "data/ab.shp");
        assert_eq!(cp437(0xff), '\u{a0}');
        assert_eq!(cp437(0x80), 'Ç');
    }

    #[test]
    fn unpacking_stops_at_the_limit() {
        use std::io::Write;
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(&vec![7; 1_000_000]).unwrap();
        let bomb = encoder.finish().unwrap();
        let entry = |size: usize| ZipEntry {
            name: "b".to_owned(),
            method: 8,
            encrypted: false,
            compressed: size as u64,
            uncompressed: 10,
            header_at: 0,
        };
        let file = |data: &[u8]| {
            let mut bytes = b"PK\x03\x04".to_vec();
            bytes.resize(30, 0);
            bytes[8] = 8;
            bytes[26] = 1;
            bytes.push(b'b');
            bytes.extend_from_slice(data);
            SparseFile::from_bytes(bytes)
        };
        assert_eq!(content_prefix(&file(&bomb), &entry(bomb.len()), 1000), Some(vec![7; 1000]));
        // Half of the data gives a part of the content, garbage gives nothing.
        let half = content_prefix(&file(&bomb[..bomb.len() / 2]), &entry(bomb.len()), 5_000_000).unwrap();
        assert!(!half.is_empty() && half.len() < 1_000_000);
        assert_eq!(content_prefix(&file(b"\xff\xff\xff\xff"), &entry(4), 100), Some(Vec::new()));
    }
}
