//! The header of a FlatGeobuf file.
//!
//! The header is a single FlatBuffer table with a dozen fields, which we read by offset: the
//! `flatgeobuf` crate depends on 34 other crates, and its generated code panics on invalid offsets.

use super::crs::CrsRef;
use super::cursor::ByteCursor;

/// Maximum length of a text field.
const MAX_TEXT: usize = 16 * 1024;
/// Maximum length of a header, which also describes the columns.
pub const MAX_HEADER: u64 = 1024 * 1024;

/// Parsed header.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FlatGeobufHeader {
    /// Fourth byte of the file.
    pub version: u8,
    pub name: Option<String>,
    pub title: Option<String>,
    pub description: Option<String>,
    /// `[min x, min y, max x, max y]` of all features.
    pub envelope: Option<[f64; 4]>,
    pub features: u64,
    pub crs: Option<CrsRef>,
}

/// Returns the version and the header length if the bytes start a FlatGeobuf file.
pub fn header_len(head: &[u8]) -> Option<(u8, u64)> {
    match head {
        [b'f', b'g', b'b', version @ 1..=9, b'f', b'g', b'b', _, a, b, c, d, ..] => {
            Some((*version, u64::from(u32::from_le_bytes([*a, *b, *c, *d]))))
        }
        _ => None,
    }
}

/// Parses the header table.
pub fn parse_header(version: u8, bytes: &[u8]) -> Option<FlatGeobufHeader> {
    let table = FlatBufferTable::root(bytes)?;
    let crs = table.table(10).and_then(|crs| {
        let code = crs.field(1).and_then(|mut c| c.read_i32()).filter(|code| *code > 0);
        let organisation = crs.text(0).unwrap_or_else(|| "EPSG".to_owned());
        let by_code = code.and_then(|code| CrsRef::from_authority(&organisation, &code.to_string()));
        by_code.or_else(|| crs.text(4).and_then(|wkt| CrsRef::from_text(&wkt)))
    });
    let envelope = table.doubles(1);
    let axes = envelope.len() / 2;
    Some(FlatGeobufHeader {
        version,
        name: table.text(0),
        title: table.text(11),
        description: table.text(12),
        envelope: (axes >= 2).then(|| [envelope[0], envelope[1], envelope[axes], envelope[axes + 1]]),
        features: table.field(8).and_then(|mut c| c.read_u64()).unwrap_or(0),
        crs,
    })
}

/// FlatBuffer table inside `bytes`.
struct FlatBufferTable<'a> {
    bytes: &'a [u8],
    at: usize,
    offsets_at: usize,
    offsets_len: usize,
}

impl<'a> FlatBufferTable<'a> {
    fn root(bytes: &'a [u8]) -> Option<Self> {
        Self::at(bytes, ByteCursor::little_endian(bytes).read_u32()? as usize)
    }

    fn at(bytes: &'a [u8], at: usize) -> Option<Self> {
        let back = ByteCursor::little_endian(bytes).seek(at).read_i32()?;
        let offsets_at = usize::try_from(i64::try_from(at).ok()? - i64::from(back)).ok()?;
        let offsets_len = usize::from(ByteCursor::little_endian(bytes).seek(offsets_at).read_u16()?);
        Some(Self { bytes, at, offsets_at, offsets_len })
    }

    /// Returns a cursor at a field, if the table has it.
    fn field(&self, index: usize) -> Option<ByteCursor<'a>> {
        // The table's list of field offsets starts after two 16-bit sizes; offset 0 marks an absent
        // field.
        let slot = 4 + 2 * index;
        if slot + 2 > self.offsets_len {
            return None;
        }
        let mut cursor = ByteCursor::little_endian(self.bytes);
        let offset = usize::from(cursor.seek(self.offsets_at.checked_add(slot)?).read_u16()?);
        (offset != 0).then_some(())?;
        cursor.seek(self.at.checked_add(offset)?);
        Some(cursor)
    }

    /// Returns a cursor at the target of a field that holds an offset.
    fn pointed(&self, index: usize) -> Option<ByteCursor<'a>> {
        let mut cursor = self.field(index)?;
        let from = cursor.position();
        let target = from.checked_add(cursor.read_u32()? as usize)?;
        cursor.seek(target);
        Some(cursor)
    }

    fn table(&self, index: usize) -> Option<Self> {
        Self::at(self.bytes, self.pointed(index)?.position())
    }

    fn text(&self, index: usize) -> Option<String> {
        let mut cursor = self.pointed(index)?;
        let length = (cursor.read_u32()? as usize).min(MAX_TEXT);
        let text = String::from_utf8_lossy(cursor.take(length)?).trim().to_owned();
        Some(text).filter(|t| !t.is_empty())
    }

    fn doubles(&self, index: usize) -> Vec<f64> {
        let Some(mut cursor) = self.pointed(index) else { return Vec::new() };
        let count = cursor.read_u32().unwrap_or(0).min(16);
        (0..count).map_while(|_| cursor.read_f64()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = header_len(&bytes);
            let _ = parse_header(3, &bytes);
        }
    }
}
