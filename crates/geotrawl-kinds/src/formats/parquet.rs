//! The geometry metadata in the footer of a Parquet file.
//!
//! The footer is a structure in Thrift's compact protocol. We read only the five fields that
//! matter, within limits: the `parquet` crate depends on 47 other crates and reads all of it.

use super::cursor::ByteCursor;

/// Maximum nesting depth.
const MAX_DEPTH: usize = 24;
/// Maximum number of geometry columns to keep.
const MAX_COLUMNS: usize = 100;
/// Maximum length of a text. The description of a coordinate system may have 10 KB.
const MAX_TEXT: usize = 1024 * 1024;
/// Maximum length of a footer that is fetched.
pub const MAX_FOOTER: u64 = 4 * 1024 * 1024;

/// Column declared as geometry by its type.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GeometryColumn {
    pub name: String,
    /// Coordinate system as written. `None` means longitude and latitude on WGS84.
    pub crs: Option<String>,
    /// Whether edges are geodesic.
    pub geography: bool,
    /// `[min x, min y, max x, max y]`, from the statistics of the row groups.
    pub extent: Option<[f64; 4]>,
}

impl GeometryColumn {
    /// Returns the footer key that holds the description of the coordinate system.
    pub fn crs_key(&self) -> Option<&str> {
        self.crs.as_deref().and_then(|crs| crs.trim().strip_prefix("projjson:"))
    }
}

/// Parsed footer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ParquetFooter {
    /// Value of the `geo` key.
    pub geo: Option<String>,
    /// Values of the keys that columns refer to for their coordinate system.
    pub systems: Vec<(String, String)>,
    /// Columns of type GEOMETRY or GEOGRAPHY.
    pub columns: Vec<GeometryColumn>,
    pub rows: u64,
    pub created_by: Option<String>,
}

/// Parses a footer. Returns `None` if it is invalid.
pub fn read_footer(bytes: &[u8]) -> Option<ParquetFooter> {
    let mut thrift = ThriftReader { cursor: ByteCursor::little_endian(bytes) };
    let mut footer = ParquetFooter::default();
    thrift.fields(|thrift, id, kind| {
        match (id, kind) {
            (2, LIST) => thrift.list(|thrift, _| schema_element(thrift, &mut footer.columns))?,
            (3, I64) => footer.rows = thrift.integer()?.max(0).cast_unsigned(),
            (4, LIST) => thrift.list(|thrift, _| row_group(thrift, &mut footer.columns))?,
            (5, LIST) => thrift.list(|thrift, _| {
                let columns = &footer.columns;
                let named = |key: &str| columns.iter().any(|c| c.crs_key() == Some(key));
                let (key, value) = key_value(thrift, |key| key == "geo" || named(key))?;
                if key == "geo" {
                    footer.geo = Some(value);
                } else if !value.is_empty() && footer.systems.len() < MAX_COLUMNS {
                    footer.systems.push((key, value));
                }
                Some(())
            })?,
            (6, BINARY) => footer.created_by = Some(thrift.text()?),
            _ => thrift.pass(kind, 0)?,
        }
        Some(())
    })?;
    Some(footer)
}

fn key_value(thrift: &mut ThriftReader<'_>, wanted: impl Fn(&str) -> bool) -> Option<(String, String)> {
    let (mut key, mut value) = (String::new(), String::new());
    thrift.fields(|thrift, id, kind| {
        match (id, kind) {
            (1, BINARY) => key = thrift.text()?,
            // Other keys hold whole schemas, so skip their values.
            (2, BINARY) if wanted(&key) => value = thrift.text()?,
            _ => thrift.pass(kind, 0)?,
        }
        Some(())
    })?;
    Some((key, value))
}

fn schema_element(thrift: &mut ThriftReader<'_>, columns: &mut Vec<GeometryColumn>) -> Option<()> {
    let mut column = GeometryColumn::default();
    let mut is_geometry = false;
    thrift.fields(|thrift, id, kind| {
        match (id, kind) {
            (4, BINARY) => column.name = thrift.text()?,
            (10, STRUCT) => thrift.fields(|thrift, id, kind| {
                // Logical types 17 and 18 are GEOMETRY and GEOGRAPHY.
                if matches!(id, 17 | 18) && kind == STRUCT {
                    is_geometry = true;
                    column.geography = id == 18;
                    return thrift.fields(|thrift, id, kind| {
                        match (id, kind) {
                            (1, BINARY) => column.crs = Some(thrift.text()?),
                            _ => thrift.pass(kind, 0)?,
                        }
                        Some(())
                    });
                }
                thrift.pass(kind, 0)
            })?,
            _ => thrift.pass(kind, 0)?,
        }
        Some(())
    })?;
    if is_geometry && columns.len() < MAX_COLUMNS {
        columns.push(column);
    }
    Some(())
}

/// Reads the extents of the geometry columns from a row group.
fn row_group(thrift: &mut ThriftReader<'_>, columns: &mut [GeometryColumn]) -> Option<()> {
    thrift.fields(|thrift, id, kind| match (id, kind) {
        (1, LIST) if !columns.is_empty() => thrift.list(|thrift, _| {
            thrift.fields(|thrift, id, kind| match (id, kind) {
                (3, STRUCT) => column_chunk(thrift, columns),
                _ => thrift.pass(kind, 0),
            })
        }),
        _ => thrift.pass(kind, 0),
    })
}

fn column_chunk(thrift: &mut ThriftReader<'_>, columns: &mut [GeometryColumn]) -> Option<()> {
    let mut path = Vec::new();
    let mut extent = None;
    thrift.fields(|thrift, id, kind| {
        match (id, kind) {
            (3, LIST) => thrift.list(|thrift, _| {
                let part = thrift.text()?;
                if path.len() < 16 {
                    path.push(part);
                }
                Some(())
            })?,
            (17, STRUCT) => extent = geospatial_statistics(thrift)?,
            _ => thrift.pass(kind, 0)?,
        }
        Some(())
    })?;
    let name = path.last().map(String::as_str).unwrap_or_default();
    if let Some([west, south, east, north]) = extent
        && let Some(column) = columns.iter_mut().find(|c| c.name == name)
    {
        let [w, s, e, n] = column.extent.unwrap_or([west, south, east, north]);
        column.extent = Some([w.min(west), s.min(south), e.max(east), n.max(north)]);
    }
    Some(())
}

/// Returns `Some(None)` if there is no box.
#[expect(clippy::option_option, reason = "the outer one is the reader's failure")]
fn geospatial_statistics(thrift: &mut ThriftReader<'_>) -> Option<Option<[f64; 4]>> {
    let mut extent = None;
    thrift.fields(|thrift, id, kind| {
        if (id, kind) != (1, STRUCT) {
            return thrift.pass(kind, 0);
        }
        let mut sides = [f64::NAN; 4];
        thrift.fields(|thrift, id, kind| {
            match (id, kind) {
                (1..=4, DOUBLE) => sides[usize::try_from(id).ok()? - 1] = thrift.cursor.read_f64()?,
                _ => thrift.pass(kind, 0)?,
            }
            Some(())
        })?;
        let [west, east, south, north] = sides;
        extent = Some([west, south, east, north]).filter(|e| e.iter().all(|v| v.is_finite()));
        Some(())
    })?;
    Some(extent)
}

const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const I16: u8 = 4;
const I32: u8 = 5;
const I64: u8 = 6;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
const STRUCT: u8 = 12;

/// Reader of Thrift's compact protocol.
struct ThriftReader<'a> {
    cursor: ByteCursor<'a>,
}

impl ThriftReader<'_> {
    fn unsigned(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.cursor.read_u8()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn integer(&mut self) -> Option<i64> {
        let value = self.unsigned()?;
        Some((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    fn binary(&mut self) -> Option<&[u8]> {
        let length = usize::try_from(self.unsigned()?).ok()?;
        self.cursor.take(length)
    }

    fn text(&mut self) -> Option<String> {
        let bytes = self.binary()?;
        Some(String::from_utf8_lossy(bytes.get(..MAX_TEXT).unwrap_or(bytes)).into_owned())
    }

    /// Iterates over the fields of a structure. `each` must consume the value.
    fn fields(&mut self, mut each: impl FnMut(&mut Self, i64, u8) -> Option<()>) -> Option<()> {
        let mut id = 0_i64;
        loop {
            let head = self.cursor.read_u8()?;
            if head == 0 {
                return Some(());
            }
            id = match head >> 4 {
                0 => self.integer()?,
                step => id.checked_add(i64::from(step))?,
            };
            each(self, id, head & 15)?;
        }
    }

    /// Iterates over a list. Every element takes at least one byte, so the input bounds the loop.
    fn list(&mut self, mut each: impl FnMut(&mut Self, u8) -> Option<()>) -> Option<()> {
        let head = self.cursor.read_u8()?;
        let count = match head >> 4 {
            15 => self.unsigned()?,
            count => u64::from(count),
        };
        for _ in 0..count {
            each(self, head & 15)?;
        }
        Some(())
    }

    /// Skips a value.
    fn pass(&mut self, kind: u8, depth: usize) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        match kind {
            TRUE | FALSE => Some(()),
            BYTE => self.cursor.skip(1),
            I16 | I32 | I64 => self.unsigned().map(|_| ()),
            DOUBLE => self.cursor.skip(8),
            BINARY => self.binary().map(|_| ()),
            LIST | SET => self.list(|thrift, kind| match kind {
                // In a list, a boolean has its own byte.
                TRUE | FALSE => thrift.cursor.skip(1),
                kind => thrift.pass(kind, depth + 1),
            }),
            MAP => {
                let count = self.unsigned()?;
                if count == 0 {
                    return Some(());
                }
                let kinds = self.cursor.read_u8()?;
                for _ in 0..count {
                    self.pass((kinds >> 4).max(BYTE), depth + 1)?;
                    self.pass((kinds & 15).max(BYTE), depth + 1)?;
                }
                Some(())
            }
            STRUCT => self.fields(|thrift, _, kind| thrift.pass(kind, depth + 1)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nesting_without_end_ends() {
        // A structure in a structure in a structure and so on.
        let bytes = vec![0x1c; 100_000];
        assert_eq!(read_footer(&bytes), None);
        // A list that claims to have 2^60 elements.
        let mut bytes = vec![0x29, 0xfc];
        bytes.extend([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f]);
        assert_eq!(read_footer(&bytes), None);
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            let _ = read_footer(&bytes);
        }
    }
}
