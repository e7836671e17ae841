//! The header of a PMTiles archive.
//!
//! The header has 127 bytes at fixed offsets; the `pmtiles` crate depends on 21 other crates for
//! its I/O.

use super::cursor::ByteCursor;

/// Length of a version 3 header.
pub const HEADER_LEN: usize = 127;

/// Parsed version 3 header.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PmtilesHeader {
    /// Offset and length of the metadata.
    pub metadata: (u64, u64),
    /// 1 none, 2 gzip, 3 brotli, 4 zstd.
    pub compression: u8,
    /// 1 MVT, 2 PNG, 3 JPEG, 4 WebP, 5 AVIF, 6 MapLibre tiles.
    pub tile_type: u8,
    pub min_zoom: u8,
    pub max_zoom: u8,
    /// `[west, south, east, north]` in degrees.
    pub bounds: [f64; 4],
}

/// Returns the version if the bytes start an archive.
pub fn detect_version(head: &[u8]) -> Option<u8> {
    head.strip_prefix(b"PMTiles").and_then(|rest| rest.first().copied())
}

/// Parses a version 3 header.
pub fn parse_header(head: &[u8]) -> Option<PmtilesHeader> {
    if detect_version(head) != Some(3) {
        return None;
    }
    let mut cursor = ByteCursor::little_endian(head.get(..HEADER_LEN)?);
    cursor.seek(24);
    let metadata = (cursor.read_u64()?, cursor.read_u64()?);
    cursor.seek(97);
    let compression = cursor.read_u8()?;
    cursor.seek(99);
    let (tile_type, min_zoom, max_zoom) = (cursor.read_u8()?, cursor.read_u8()?, cursor.read_u8()?);
    let mut side = || cursor.read_i32().map(|v| f64::from(v) / 1e7);
    let bounds = [side()?, side()?, side()?, side()?];
    Some(PmtilesHeader { metadata, compression, tile_type, min_zoom, max_zoom, bounds })
}
