//! The header of NetCDF files in the classic, 64-bit offset and 64-bit data formats.
//!
//! Implemented here because the `netcdf3` crate needs the whole file and does not support 64-bit
//! data.

use super::acdd::{AttributeValue, Attributes};
use super::cursor::ByteCursor;

/// Maximum number of dimensions, attributes or variables to keep of a list.
const MAX_ITEMS: u64 = 4096;
/// Maximum length of an attribute in bytes.
const MAX_ATTRIBUTE: usize = 64 * 1024;

/// Variable of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct NetcdfVariable {
    pub name: String,
    /// Lengths of the dimensions; 0 for the unlimited one.
    pub shape: Vec<u64>,
    pub attributes: Attributes,
    /// Number of the data type.
    pub kind: u32,
    /// Offset of the values.
    pub begin: u64,
}

impl NetcdfVariable {
    /// Returns the number of values, or `None` if a dimension is unlimited.
    pub fn value_count(&self) -> Option<u64> {
        self.shape.iter().try_fold(1_u64, |n, d| n.checked_mul(*d)).filter(|n| *n > 0)
    }
}

/// Parsed header.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NetcdfHeader {
    /// 1 classic, 2 64-bit offset, 5 64-bit data.
    pub version: u8,
    pub attributes: Attributes,
    pub variables: Vec<NetcdfVariable>,
    /// Whether the bytes ended before the header did.
    pub cut: bool,
}

/// Returns the format version if the bytes start a NetCDF file.
pub fn detect_version(head: &[u8]) -> Option<u8> {
    match head {
        [b'C', b'D', b'F', version @ (1 | 2 | 5), ..] => Some(*version),
        _ => None,
    }
}

/// Parses as much of a header as the bytes hold.
pub fn parse_header(head: &[u8]) -> Option<NetcdfHeader> {
    let version = detect_version(head)?;
    let mut reader = NetcdfHeaderReader {
        cursor: ByteCursor::big_endian(head),
        wide: version == 5,
        offset: if version == 1 { 4 } else { 8 },
    };
    let mut header = NetcdfHeader { version, cut: true, ..NetcdfHeader::default() };
    if reader.read(&mut header).is_some() {
        header.cut = false;
    }
    Some(header)
}

/// Returns the width of a value of this type in bytes.
pub fn type_width(kind: u32) -> Option<u64> {
    match kind {
        1 | 2 | 7 => Some(1),
        3 | 8 => Some(2),
        4 | 5 | 9 => Some(4),
        6 | 10 | 11 => Some(8),
        _ => None,
    }
}

/// Decodes numbers of this type.
pub fn decode_numbers(kind: u32, bytes: &[u8]) -> Vec<f64> {
    let mut cursor = ByteCursor::big_endian(bytes);
    let mut numbers = Vec::new();
    loop {
        let number = match kind {
            1 => cursor.read_u8().map(|v| f64::from(v.cast_signed())),
            7 => cursor.read_u8().map(f64::from),
            3 => cursor.read_u16().map(|v| f64::from(v.cast_signed())),
            8 => cursor.read_u16().map(f64::from),
            4 => cursor.read_i32().map(f64::from),
            9 => cursor.read_u32().map(f64::from),
            5 => cursor.read_f32().map(f64::from),
            6 => cursor.read_f64(),
            10 => cursor.read_u64().map(|v| v.cast_signed() as f64),
            11 => cursor.read_u64().map(|v| v as f64),
            _ => None,
        };
        match number {
            Some(number) => numbers.push(number),
            None => return numbers,
        }
    }
}

struct NetcdfHeaderReader<'a> {
    cursor: ByteCursor<'a>,
    /// Whether counts have eight bytes.
    wide: bool,
    offset: usize,
}

impl NetcdfHeaderReader<'_> {
    fn read(&mut self, header: &mut NetcdfHeader) -> Option<()> {
        self.cursor.skip(4)?;
        self.count()?;
        let mut dimensions = Vec::new();
        for _ in 0..self.list(10)? {
            self.name()?;
            dimensions.push(self.count()?);
        }
        header.attributes = self.attributes()?;
        for _ in 0..self.list(11)? {
            let variable = self.variable(&dimensions)?;
            if header.variables.len() < MAX_ITEMS as usize {
                header.variables.push(variable);
            }
        }
        Some(())
    }

    fn count(&mut self) -> Option<u64> {
        self.cursor.read_uint(if self.wide { 8 } else { 4 })
    }

    /// Reads the length of a list with this tag. An absent list has the tag 0.
    fn list(&mut self, mark: u32) -> Option<u64> {
        let found = self.cursor.read_u32()?;
        let count = self.count()?;
        (found == mark || (found == 0 && count == 0)).then_some(count)
    }

    fn padded(&mut self, length: u64) -> Option<&[u8]> {
        let length = usize::try_from(length).ok()?;
        let bytes = self.cursor.take(length)?;
        self.cursor.skip((4 - length % 4) % 4)?;
        Some(bytes)
    }

    fn name(&mut self) -> Option<String> {
        let length = self.count()?;
        let bytes = self.padded(length)?;
        Some(String::from_utf8_lossy(bytes.get(..256).unwrap_or(bytes)).into_owned())
    }

    fn attributes(&mut self) -> Option<Attributes> {
        let mut attributes = Attributes::default();
        for _ in 0..self.list(12)? {
            let name = self.name()?;
            let kind = self.cursor.read_u32()?;
            let length = self.count()?.checked_mul(type_width(kind)?)?;
            let bytes = self.padded(length)?;
            let bytes = bytes.get(..MAX_ATTRIBUTE).unwrap_or(bytes);
            let value = match kind {
                2 => AttributeValue::Text(String::from_utf8_lossy(bytes).into_owned()),
                kind => AttributeValue::Numbers(decode_numbers(kind, bytes)),
            };
            if attributes.0.len() < MAX_ITEMS as usize {
                attributes.0.push((name, value));
            }
        }
        Some(attributes)
    }

    fn variable(&mut self, dimensions: &[u64]) -> Option<NetcdfVariable> {
        let name = self.name()?;
        let rank = self.count()?;
        let mut shape = Vec::new();
        for _ in 0..rank {
            let index = usize::try_from(self.count()?).ok()?;
            let length = dimensions.get(index).copied()?;
            if shape.len() < 64 {
                shape.push(length);
            }
        }
        let attributes = self.attributes()?;
        let kind = self.cursor.read_u32()?;
        self.count()?;
        let begin = self.cursor.read_uint(self.offset)?;
        Some(NetcdfVariable { name, shape, attributes, kind, begin })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_bytes_panic(tail in prop::collection::vec(any::<u8>(), 0..400), version in prop::sample::select(vec![1_u8, 2, 5])) {
            let mut bytes = vec![b'C', b'D', b'F', version];
            bytes.extend(&tail);
            let _ = parse_header(&bytes);
        }

        #[test]
        fn counts_that_lie_end_with_the_bytes(counts in prop::collection::vec(prop::sample::select(vec![0_u32, 1, 10, 11, 12, u32::MAX]), 0..60)) {
            let mut bytes = b"CDF\x01".to_vec();
            for count in counts {
                bytes.extend(count.to_be_bytes());
            }
            let _ = parse_header(&bytes);
        }
    }
}
