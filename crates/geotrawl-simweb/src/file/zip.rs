//! ZIP archives, written by hand: archives of gigabytes must be described without their bytes, and
//! broken archives must be broken in a specific way, which no library supports.

use super::sparse::{FileSegment, SparseFile};
use bytes::Bytes;
use flate2::{Compression, Crc, write::DeflateEncoder};
use std::io::Write as _;

/// Compression method of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ZipMethod {
    Stored,
    Deflated,
}

/// A member of an archive: bytes, followed by zeros (only if stored).
pub(crate) struct ZipMember {
    pub name: String,
    pub bytes: Vec<u8>,
    pub zeros: u64,
    pub method: ZipMethod,
}

impl ZipMember {
    pub(crate) fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>, method: ZipMethod) -> Self {
        Self { name: name.into(), bytes: bytes.into(), zeros: 0, method }
    }
}

/// Writes an archive; uses ZIP64 for sizes or offsets beyond 4 GiB.
pub(crate) fn write_zip(entries: &[ZipMember], comment: &str) -> SparseFile {
    let mut segments = Vec::new();
    let mut directory = Vec::new();
    let mut offset = 0_u64;
    for entry in entries {
        let crc = crc_with_zeros(&entry.bytes, entry.zeros);
        let size = entry.bytes.len() as u64 + entry.zeros;
        let data = match entry.method {
            ZipMethod::Stored => entry.bytes.clone(),
            ZipMethod::Deflated => deflate(&entry.bytes),
        };
        let packed = data.len() as u64 + entry.zeros;
        let (local, central) = zip_headers(entry, crc, packed, size, offset);
        directory.extend_from_slice(&central);
        offset += local.len() as u64 + packed;
        segments.push(FileSegment::Data(Bytes::from([local, data].concat())));
        if entry.zeros > 0 {
            segments.push(FileSegment::Zeros(entry.zeros));
        }
    }
    let end = end_of_directory(entries.len() as u64, directory.len() as u64, offset, comment);
    directory.extend_from_slice(&end);
    segments.push(FileSegment::Data(Bytes::from(directory)));
    SparseFile::new(segments)
}

/// Returns the local and central header of a member, with ZIP64 fields if required.
fn zip_headers(entry: &ZipMember, crc: u32, packed: u64, size: u64, offset: u64) -> (Vec<u8>, Vec<u8>) {
    let big = packed >= 0xFFFF_FFFF || size >= 0xFFFF_FFFF;
    let far = offset >= 0xFFFF_FFFF;
    let version: u16 = if big || far { 45 } else { 20 };
    let method: u16 = if entry.method == ZipMethod::Deflated { 8 } else { 0 };
    let mut common = Vec::new();
    common.extend_from_slice(&version.to_le_bytes());
    common.extend_from_slice(&0x0800_u16.to_le_bytes());
    common.extend_from_slice(&method.to_le_bytes());
    common.extend_from_slice(&[0x00, 0x60, 0x21, 0x5A]);
    common.extend_from_slice(&crc.to_le_bytes());
    for length in [packed, size] {
        let short = if big { 0xFFFF_FFFF } else { length as u32 };
        common.extend_from_slice(&short.to_le_bytes());
    }
    common.extend_from_slice(&(entry.name.len() as u16).to_le_bytes());

    let mut sizes = Vec::new();
    if big {
        sizes.extend_from_slice(&size.to_le_bytes());
        sizes.extend_from_slice(&packed.to_le_bytes());
    }
    let local_extra = zip64_extra(&sizes);
    let mut local = b"PK\x03\x04".to_vec();
    local.extend_from_slice(&common);
    local.extend_from_slice(&(local_extra.len() as u16).to_le_bytes());
    local.extend_from_slice(entry.name.as_bytes());
    local.extend_from_slice(&local_extra);

    if far {
        sizes.extend_from_slice(&offset.to_le_bytes());
    }
    let central_extra = zip64_extra(&sizes);
    let mut central = b"PK\x01\x02".to_vec();
    central.extend_from_slice(&version.to_le_bytes());
    central.extend_from_slice(&common);
    central.extend_from_slice(&(central_extra.len() as u16).to_le_bytes());
    central.extend_from_slice(&[0; 10]);
    central.extend_from_slice(&(if far { 0xFFFF_FFFF } else { offset as u32 }).to_le_bytes());
    central.extend_from_slice(entry.name.as_bytes());
    central.extend_from_slice(&central_extra);
    (local, central)
}

fn zip64_extra(fields: &[u8]) -> Vec<u8> {
    if fields.is_empty() {
        return Vec::new();
    }
    [&1_u16.to_le_bytes(), &(fields.len() as u16).to_le_bytes(), fields].concat()
}

fn end_of_directory(count: u64, size: u64, offset: u64, comment: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let big = offset >= 0xFFFF_FFFF || count >= 0xFFFF;
    if big {
        out.extend_from_slice(b"PK\x06\x06");
        out.extend_from_slice(&44_u64.to_le_bytes());
        out.extend_from_slice(&[45, 0, 45, 0]);
        out.extend_from_slice(&[0; 8]);
        for number in [count, count, size, offset] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.extend_from_slice(b"PK\x06\x07");
        out.extend_from_slice(&0_u32.to_le_bytes());
        out.extend_from_slice(&(offset + size).to_le_bytes());
        out.extend_from_slice(&1_u32.to_le_bytes());
    }
    out.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    let entries = if big { 0xFFFF } else { count as u16 };
    out.extend_from_slice(&entries.to_le_bytes());
    out.extend_from_slice(&entries.to_le_bytes());
    out.extend_from_slice(&(size as u32).to_le_bytes());
    out.extend_from_slice(&(if big { 0xFFFF_FFFF } else { offset as u32 }).to_le_bytes());
    out.extend_from_slice(&(comment.len() as u16).to_le_bytes());
    out.extend_from_slice(comment.as_bytes());
    out
}

/// Writes an archive with one deflated member with the given compressed bytes and sizes, which need
/// not be consistent.
pub(crate) fn zip_of_packed(name: &str, packed: &[u8], crc: u32, declared_size: u64) -> SparseFile {
    let entry = ZipMember::new(name, Vec::new(), ZipMethod::Deflated);
    let (local, central) = zip_headers(&entry, crc, packed.len() as u64, declared_size, 0);
    let offset = (local.len() + packed.len()) as u64;
    let end = end_of_directory(1, central.len() as u64, offset, "");
    SparseFile::new(vec![FileSegment::Data(Bytes::from([&local, packed, &central, &end].concat()))])
}

/// Computes the CRC-32 of `bytes` followed by zeros, without iterating over the zeros.
pub(crate) fn crc_with_zeros(bytes: &[u8], zeros: u64) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    // The library takes 32-bit lengths: double up to 1 GiB, then add that as often as it fits.
    let mut power = Crc::new();
    power.update(&[0]);
    for bit in 0..30 {
        if zeros >> bit & 1 == 1 {
            crc.combine(&power);
        }
        let mut half = Crc::new();
        half.combine(&power);
        power.combine(&half);
    }
    for _ in 0..zeros >> 30 {
        crc.combine(&power);
    }
    crc.sum()
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    // Writing to a Vec cannot fail; if it did, an empty member would be harmless.
    if encoder.write_all(bytes).is_err() {
        return Vec::new();
    }
    encoder.finish().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_counted_in_the_checksum() {
        let mut plain = Crc::new();
        plain.update(b"abc");
        plain.update(&[0; 1000]);
        assert_eq!(crc_with_zeros(b"abc", 1000), plain.sum());
    }
}
