//! The header of LAS and LAZ point clouds, and their coordinate system.
//!
//! Implemented here because the `las` crate needs the whole file and stops at the first error.

use super::crs::CrsRef;
use super::cursor::{self, ByteCursor};
use super::geokeys::GeoKeys;
use crate::files::{SparseFile, SparseReadError};

/// Number of variable length records to read.
const MAX_RECORDS: u32 = 200;
/// Maximum length of the range that is fetched for these records.
pub const MAX_RECORDS_LEN: u64 = 512 * 1024;
/// Length of a record header.
const RECORD_HEADER: u64 = 54;

/// Parsed header.
#[derive(Debug, Clone, PartialEq)]
pub struct LasHeader {
    pub version: (u8, u8),
    pub header_len: u64,
    pub points_at: u64,
    pub records: u32,
    /// Whether the points are compressed (LAZ).
    pub packed: bool,
    /// Whether the file is organised for range requests (COPC).
    pub copc: bool,
    pub points: u64,
    pub software: String,
    /// `[min x, min y, max x, max y]`.
    pub extent: [f64; 4],
}

/// Parses the header. Returns `None` if the bytes do not start a point cloud.
pub fn parse_header(head: &[u8]) -> Option<LasHeader> {
    if !head.starts_with(b"LASF") {
        return None;
    }
    let mut cursor = ByteCursor::little_endian(head);
    let version = (*head.get(24)?, *head.get(25)?);
    if version.0 != 1 {
        return None;
    }
    let software = cursor::text_until_nul(head.get(58..90)?).trim().to_owned();
    let header_len = u64::from(cursor.seek(94).read_u16()?);
    let points_at = u64::from(cursor.read_u32()?);
    let records = cursor.read_u32()?;
    let format = cursor.read_u8()?;
    let mut points = u64::from(cursor.seek(107).read_u32()?);
    // Version 1.4 has a 64-bit count of points; the older field may be 0.
    if version.1 >= 4 && header_len >= 375 {
        points = cursor.seek(247).read_u64().unwrap_or(points);
    }
    cursor.seek(179);
    let (max_x, min_x, max_y, min_y) =
        (cursor.read_f64()?, cursor.read_f64()?, cursor.read_f64()?, cursor.read_f64()?);
    let copc = version.1 == 4
        && head.get(377..381) == Some(b"copc")
        && ByteCursor::little_endian(head).seek(393).read_u16() == Some(1);
    Some(LasHeader {
        version,
        header_len,
        points_at,
        records,
        packed: format & 0xc0 != 0,
        copc,
        points,
        software,
        extent: [min_x, min_y, max_x, max_y],
    })
}

/// Reads the coordinate system from the variable length records.
pub fn read_crs(file: &SparseFile, header: &LasHeader) -> Result<Option<CrsRef>, SparseReadError> {
    let mut at = header.header_len;
    let (mut directory, mut doubles, mut text) = (Vec::new(), Vec::new(), String::new());
    let mut by_text = None;
    for _ in 0..header.records.min(MAX_RECORDS) {
        let record = match file.read_range(at, RECORD_HEADER) {
            Ok(record) => record,
            Err(SparseReadError::Damage) => break,
            Err(SparseReadError::Bytes(first, _)) => return Err(rest(header, first)),
        };
        let user = cursor::text_until_nul(record.get(2..18).unwrap_or_default());
        let mut fields = ByteCursor::little_endian(record);
        let (Some(id), Some(length)) = (fields.seek(18).read_u16(), fields.read_u16()) else { break };
        let body_at = at + RECORD_HEADER;
        at = body_at + u64::from(length);
        if user != "LASF_Projection" {
            continue;
        }
        let body = match file.read_range(body_at, u64::from(length)) {
            Ok(body) => body,
            Err(SparseReadError::Damage) => break,
            Err(SparseReadError::Bytes(first, _)) => return Err(rest(header, first)),
        };
        let pairs = |width: usize| body.chunks_exact(width);
        match id {
            34_735 => directory = pairs(2).filter_map(|b| ByteCursor::little_endian(b).read_u16()).collect(),
            34_736 => doubles = pairs(8).filter_map(|b| ByteCursor::little_endian(b).read_f64()).collect(),
            34_737 => text = String::from_utf8_lossy(body).replace('\0', " "),
            2112 => by_text = from_wkt(&cursor::text_until_nul(body)),
            _ => {}
        }
    }
    Ok(by_text.or_else(|| GeoKeys::from_tags(&directory, &doubles, &text).crs()))
}

/// Returns the range of all remaining records, so that one request fetches them.
fn rest(header: &LasHeader, first: u64) -> SparseReadError {
    let end = header.points_at.min(header.header_len + MAX_RECORDS_LEN);
    if end > first { SparseReadError::Bytes(first, end - 1) } else { SparseReadError::Damage }
}

/// Parses well-known text. Of a compound system, only the horizontal part is used.
fn from_wkt(text: &str) -> Option<CrsRef> {
    let upper = text.trim_start().to_ascii_uppercase();
    if upper.starts_with("COMPD_CS") || upper.starts_with("COMPOUNDCRS") {
        let text = text.trim_start();
        let parts = ["PROJCS[", "PROJCRS[", "GEOGCS[", "GEOGCRS["];
        let at = parts.iter().find_map(|part| upper.find(part))?;
        return CrsRef::from_wkt(text.get(at..)?);
    }
    CrsRef::from_wkt(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_bytes_panic(tail in prop::collection::vec(any::<u8>(), 0..600)) {
            let mut bytes = b"LASF".to_vec();
            bytes.extend(&tail);
            if bytes.len() > 25 { bytes[24] = 1; }
            if let Some(header) = parse_header(&bytes) {
                let _ = read_crs(&SparseFile::from_bytes(bytes), &header);
            }
        }
    }
}
