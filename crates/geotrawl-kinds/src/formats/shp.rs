//! The header of an ESRI shapefile's main file (`.shp`), 100 bytes.
//!
//! Read by hand: a crate would need the whole file, and the header is nine fields at fixed offsets
//! (ESRI Shapefile Technical Description, July 1998, page 4).

/// Length of a header in bytes.
pub const HEADER_LEN: usize = 100;

/// Parsed header.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShpHeader {
    /// 1 point, 3 line, 5 polygon, 8 multipoint; +10 with Z, +20 with M; 31 multipatch; 0 null.
    pub shape_type: u32,
    /// `[min x, min y, max x, max y]` in the file's own coordinates, as written.
    pub bbox: [f64; 4],
}

impl ShpHeader {
    /// Parses the header. Returns `None` if the bytes are not one.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let header: &[u8; HEADER_LEN] = bytes.first_chunk()?;
        let big =
            |at: usize| u32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        let little =
            |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        let double = |at: usize| {
            let mut eight = [0; 8];
            eight.copy_from_slice(&header[at..at + 8]);
            f64::from_le_bytes(eight)
        };
        let shape_type = little(32);
        if big(0) != 9994 || little(28) != 1000 || !is_shape_type(shape_type) {
            return None;
        }
        // The length counts 16-bit words and includes the header.
        if big(24) < 50 {
            return None;
        }
        Some(Self { shape_type, bbox: [double(36), double(44), double(52), double(60)] })
    }

    /// Returns the box unless it is infinite, inverted, or the all-zero box of an empty file.
    pub fn usable_bbox(&self) -> Option<[f64; 4]> {
        let [min_x, min_y, max_x, max_y] = self.bbox;
        // Values below -1e38 mean "no data" (page 3 of the description).
        let sane = self.bbox.iter().all(|v| v.is_finite() && v.abs() < 1e38);
        let empty = self.bbox.iter().all(|v| v.abs() == 0.0);
        (sane && !empty && min_x <= max_x && min_y <= max_y && self.shape_type != 0).then_some(self.bbox)
    }
}

/// Returns whether the bytes start a `.shp` rather than a `.shx`, whose header is the same.
///
/// The first record decides: in the main file it starts with its number and a shape type, in the
/// index with the offset 50 (the length of the header in words). Without a record, the files cannot
/// be distinguished and the result is `false`.
pub fn is_main_file(bytes: &[u8]) -> bool {
    let Some(header) = ShpHeader::parse(bytes) else { return false };
    let Some(record) = bytes.get(HEADER_LEN..HEADER_LEN + 12) else { return false };
    let number = u32::from_be_bytes([record[0], record[1], record[2], record[3]]);
    let shape_type = u32::from_le_bytes([record[8], record[9], record[10], record[11]]);
    // Record numbers start at 1, but some writers start at 0.
    number <= 1 && (shape_type == header.shape_type || shape_type == 0)
}

fn is_shape_type(code: u32) -> bool {
    matches!(code, 0 | 1 | 3 | 5 | 8 | 11 | 13 | 15 | 18 | 21 | 23 | 25 | 28 | 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(shape_type: u32, bbox: [f64; 4]) -> Vec<u8> {
        let mut bytes = vec![0; HEADER_LEN];
        bytes[0..4].copy_from_slice(&9994u32.to_be_bytes());
        bytes[24..28].copy_from_slice(&64u32.to_be_bytes());
        bytes[28..32].copy_from_slice(&1000u32.to_le_bytes());
        bytes[32..36].copy_from_slice(&shape_type.to_le_bytes());
        for (i, v) in bbox.iter().enumerate() {
            bytes[36 + 8 * i..44 + 8 * i].copy_from_slice(&v.to_le_bytes());
        }
        bytes
    }

    #[test]
    fn header_is_read() {
        let read = ShpHeader::parse(&header(5, [1.0, 2.0, 3.0, 4.0])).unwrap();
        assert_eq!(read, ShpHeader { shape_type: 5, bbox: [1.0, 2.0, 3.0, 4.0] });
        assert_eq!(read.usable_bbox(), Some([1.0, 2.0, 3.0, 4.0]));
    }

    #[test]
    fn unknown_types_and_short_headers_are_not_shapefiles() {
        assert_eq!(ShpHeader::parse(&header(7, [0.0; 4])), None);
        assert_eq!(ShpHeader::parse(&header(5, [0.0; 4])[..99]), None);
    }

    #[test]
    fn empty_and_broken_boxes_are_not_used() {
        for bbox in [[0.0; 4], [f64::NAN, 0.0, 1.0, 1.0], [1.0, 0.0, 0.0, 1.0], [-1.7e308, 0.0, 1.0, 1.0]] {
            assert_eq!(ShpHeader { shape_type: 1, bbox }.usable_bbox(), None, "{bbox:?}");
        }
    }

    #[test]
    fn the_index_is_not_the_main_file() {
        let mut shp = header(1, [0.0, 0.0, 1.0, 1.0]);
        assert!(!is_main_file(&shp), "no record: cannot tell");
        let mut shx = shp.clone();
        shp.extend_from_slice(&[0, 0, 0, 1, 0, 0, 0, 10, 1, 0, 0, 0]);
        shx.extend_from_slice(&[0, 0, 0, 50, 0, 0, 0, 10, 0, 0, 0, 64]);
        assert!(is_main_file(&shp));
        assert!(!is_main_file(&shx));
    }
}
