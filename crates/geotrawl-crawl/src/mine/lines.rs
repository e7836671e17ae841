//! Reads indexes and lists with one address per line: CDXJ, the older CDX, and plain lists.

use super::members::{ArchiveReadError, FileCompression, MemberReader};
use super::scan::{AddressScanner, scan_media_type};
use super::source::ByteSource;
use std::io;
use std::sync::Arc;

/// Bytes per read.
const STEP: usize = 256 << 10;
/// Longer lines are skipped.
const LONGEST_LINE: usize = 1 << 20;

/// Reads the lines of a section of a file: in a plain file, those that start in the section.
pub struct LineReader {
    members: MemberReader,
    buffer: Vec<u8>,
    start: usize,
    read: u64,
    /// Uncompressed offset of `buffer[start]`, and the end of the section.
    at: u64,
    to: u64,
    over: bool,
    /// Column of the address in CDX.
    column: usize,
}

impl LineReader {
    /// Opens a section. A compressed file has only one section.
    pub fn open(
        source: &Arc<dyn ByteSource>,
        packing: FileCompression,
        from: u64,
        to: u64,
    ) -> io::Result<Self> {
        // A line that crosses the start belongs to the section before. Start one byte earlier, so
        // that a line that starts exactly here is kept.
        let back = u64::from(from > 0);
        let mut lines = Self {
            members: MemberReader::open(
                source,
                packing,
                from - back,
                if packing == FileCompression::Plain { u64::MAX } else { to },
            )?,
            buffer: Vec::new(),
            start: 0,
            read: 0,
            at: from - back,
            to: if packing == FileCompression::Plain { to } else { u64::MAX },
            over: false,
            column: 2,
        };
        if back > 0 {
            let _ = lines.next_line(&mut |_| {})?;
        }
        Ok(lines)
    }

    /// Returns the uncompressed bytes read so far.
    pub fn bytes_read(&self) -> u64 {
        self.read
    }

    /// Scans the addresses of up to `most` lines. Returns the number of lines, 0 at the end.
    pub fn scan_lines(
        &mut self,
        most: usize,
        scanner: &mut AddressScanner,
        tell: &mut dyn FnMut(String),
    ) -> io::Result<u64> {
        let mut taken = 0;
        while taken < most as u64 {
            let Some((from, end)) = self.next_line(tell)? else { break };
            let column = self.column;
            let line = self.buffer.get(from..end).unwrap_or_default();
            if let Some(at) = header_column(line) {
                self.column = at;
            } else {
                take_line(line, column, scanner);
            }
            taken += 1;
        }
        Ok(taken)
    }

    /// Returns the next line as a range of the buffer.
    fn next_line(&mut self, tell: &mut dyn FnMut(String)) -> io::Result<Option<(usize, usize)>> {
        if self.at >= self.to {
            return Ok(None);
        }
        let mut searched = self.start;
        loop {
            if let Some(n) = self.buffer.get(searched..).and_then(|rest| memchr::memchr(b'\n', rest)) {
                let line = (self.start, searched + n);
                self.at += (line.1 + 1 - line.0) as u64;
                self.start = line.1 + 1;
                return Ok(Some(line));
            }
            if self.over {
                let line = (self.start, self.buffer.len());
                self.at = self.to;
                self.start = self.buffer.len();
                return Ok((line.0 < line.1).then_some(line));
            }
            if self.buffer.len() - self.start > LONGEST_LINE {
                tell(format!("a line of more than {LONGEST_LINE} bytes was skipped"));
                self.at += (self.buffer.len() - self.start) as u64;
                self.start = self.buffer.len();
            }
            self.buffer.drain(..self.start);
            self.start = 0;
            searched = self.buffer.len();
            self.buffer.resize(searched + STEP, 0);
            let read = self.fill(searched, tell)?;
            self.buffer.truncate(searched + read);
            self.read += read as u64;
            self.over = read == 0;
        }
    }

    fn fill(&mut self, from: usize, tell: &mut dyn FnMut(String)) -> io::Result<usize> {
        loop {
            let room = self.buffer.get_mut(from..).unwrap_or_default();
            let fault = match self.members.read(room) {
                Ok(0) => match self.members.next_member() {
                    Ok(true) => continue,
                    Ok(false) => return Ok(0),
                    Err(fault) => fault,
                },
                Ok(read) => return Ok(read),
                Err(fault) => fault,
            };
            match fault {
                ArchiveReadError::Io(error) => return Err(error),
                ArchiveReadError::Damaged(what) => {
                    tell(format!(
                        "{what}, in the member at byte {}; the rest was not read",
                        self.members.member_offset()
                    ));
                    return Ok(0);
                }
            }
        }
    }
}

/// Returns the index of the address column (`a`) in a header such as ` CDX N b a m s k r M S V g`.
fn header_column(line: &[u8]) -> Option<usize> {
    let text = std::str::from_utf8(line).ok()?.trim_start();
    let columns = text.strip_prefix("CDX ")?;
    columns.split_whitespace().position(|letter| letter == "a")
}

/// Scans the address of a line.
fn take_line(line: &[u8], column: usize, scanner: &mut AddressScanner) {
    // No lossy decoding: addresses are ASCII, so other lines cannot contain one.
    let Ok(text) = std::str::from_utf8(line) else { return };
    let text = text.trim_end();
    if let Some(at) = text.find('{')
        && !text.starts_with("http")
    {
        let json = text.get(at..).unwrap_or_default();
        if let Some(url) = string(json, "\"url\"") {
            let captured = text.get(..at).and_then(|key| key.split_whitespace().nth(1)).unwrap_or_default();
            take_address(&url, captured, scanner);
            for name in ["\"mime-detected\"", "\"mime\""] {
                if let Some(media_type) = string(json, name) {
                    scan_media_type(&url, &media_type, captured, scanner);
                }
            }
        }
        return;
    }
    if text.starts_with("http") {
        take_address(text.split_whitespace().next().unwrap_or_default(), "", scanner);
        return;
    }
    let mut fields = text.split(' ');
    let captured = text.split(' ').nth(1).unwrap_or_default();
    if let Some(url) = fields.nth(column).filter(|url| url.starts_with("http")) {
        take_address(url, captured, scanner);
    }
}

fn take_address(url: &str, captured: &str, scanner: &mut AddressScanner) {
    scanner.scan_own_address(url, captured);
}

/// Returns the string member `name` of a line's JSON.
fn string(json: &str, name: &str) -> Option<String> {
    let behind = json.get(json.find(name)? + name.len()..)?.trim_start().strip_prefix(':')?.trim_start();
    let mut end = 1;
    let bytes = behind.as_bytes();
    if bytes.first() != Some(&b'"') {
        return None;
    }
    loop {
        end += memchr::memchr2(b'"', b'\\', bytes.get(end..)?)?;
        if bytes.get(end) == Some(&b'"') {
            break;
        }
        end += 2;
    }
    serde_json::from_str(behind.get(..=end)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mine::source::WebArchive;
    use proptest::prelude::*;
    use std::io::Write as _;

    fn archive(bytes: &[u8]) -> (tempfile::TempDir, WebArchive) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list");
        std::fs::write(&path, bytes).unwrap();
        let archive = WebArchive::open_file(&path).unwrap();
        (folder, archive)
    }

    fn shown(bytes: &[u8], parts: &[u64]) -> Vec<String> {
        let (_folder, archive) = archive(bytes);
        let packing = FileCompression::detect(bytes);
        let mut scanner = AddressScanner::default();
        for part in parts.windows(2) {
            let mut lines = LineReader::open(&archive.source, packing, part[0], part[1]).unwrap();
            while lines.scan_lines(10, &mut scanner, &mut |_| {}).unwrap() > 0 {}
        }
        scanner.shown.iter().map(|c| format!("{} {} {}", c.target.intent, c.target.url, c.captured)).collect()
    }

    const INDEX: &str = concat!(
        "org,x)/wms 20240102030405 {\"url\": \"http://x.org/wms?a=\\u0062\", \"mime\": \"text/xml\"}\n",
        "org,x)/get 20240102030405 {\"url\": \"http://x.org/get?7\", \"mime-detected\": \"application/x-netcdf\"}\n",
        "org,x)/a 20240102030405 {\"url\": \"http://x.org/a\"}\n",
        "garbage {\n",
        "https://y.org/b.kmz some words\n",
        "org,z)/ 20240102030405 http://z.org/ows text/html 200 - - - 1 2 f\n",
    );

    #[test]
    fn every_form_of_line_is_read() {
        let expected = [
            "ows:wms http://x.org/wms?a=b 20240102030405",
            "file http://x.org/get?7 20240102030405",
            "file https://y.org/b.kmz ",
            "ows:wms+ http://z.org/ows 20240102030405",
        ];
        assert_eq!(shown(INDEX.as_bytes(), &[0, u64::MAX]), expected);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(INDEX.as_bytes()).unwrap();
        assert_eq!(shown(&gzip.finish().unwrap(), &[0, u64::MAX]), expected);
        let cdx = " CDX N a b\norg,x)/wms http://x.org/wms 2024\n";
        assert_eq!(shown(cdx.as_bytes(), &[0, u64::MAX]).len(), 1);
    }

    proptest! {
        #[test]
        fn parts_give_the_whole(at in 0..400_u64, other in 0..400_u64) {
            let parts = [0, at.min(other), at.max(other), u64::MAX];
            prop_assert_eq!(shown(INDEX.as_bytes(), &parts), shown(INDEX.as_bytes(), &[0, u64::MAX]));
        }

        #[test]
        fn any_line_can_be_read(line in prop::collection::vec(any::<u8>(), 0..200), text in "[\"url: {}htp/wms\\\\]{0,80}") {
            let mut scanner = AddressScanner::default();
            take_line(&line, 2, &mut scanner);
            take_line(text.as_bytes(), 2, &mut scanner);
            let _ = header_column(&line);
        }
    }
}
