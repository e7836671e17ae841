//! Boxes as well-known binary. By hand: two shapes of fixed form, smaller than a library's interface.

use geotrawl_kinds::model::Bbox;

const LITTLE_ENDIAN: u8 = 1;
const POLYGON: u32 = 3;
const MULTI_POLYGON: u32 = 6;

/// A box as a polygon; across the antimeridian as two.
pub(crate) fn footprint(b: Bbox) -> Vec<u8> {
    if b.west <= b.east {
        return polygon(b.west, b.south, b.east, b.north);
    }
    let mut wkb = head(MULTI_POLYGON);
    wkb.extend(2_u32.to_le_bytes());
    wkb.extend(polygon(b.west, b.south, 180.0, b.north));
    wkb.extend(polygon(-180.0, b.south, b.east, b.north));
    wkb
}

fn polygon(west: f64, south: f64, east: f64, north: f64) -> Vec<u8> {
    let mut wkb = head(POLYGON);
    wkb.extend(1_u32.to_le_bytes());
    wkb.extend(5_u32.to_le_bytes());
    for (x, y) in [(west, south), (east, south), (east, north), (west, north), (west, south)] {
        wkb.extend(x.to_le_bytes());
        wkb.extend(y.to_le_bytes());
    }
    wkb
}

fn head(shape: u32) -> Vec<u8> {
    let mut wkb = vec![LITTLE_ENDIAN];
    wkb.extend(shape.to_le_bytes());
    wkb
}
