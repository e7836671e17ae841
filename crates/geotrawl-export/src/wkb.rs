//! Boxes and points as WKB. Written here because these fixed shapes need less code than a library's
//! interface.

use geotrawl_model::Bbox;

const LITTLE_ENDIAN: u8 = 1;
const POINT: u32 = 1;
const POLYGON: u32 = 3;
const MULTI_POLYGON: u32 = 6;

/// Encodes a box as a polygon, or as two if it crosses the antimeridian.
pub(crate) fn encode_footprint(b: Bbox) -> Vec<u8> {
    if b.west <= b.east { encode_polygon(b.west, b.south, b.east, b.north) } else { encode_multi_polygon(b) }
}

/// Encodes a box as a multipolygon even if it is a single polygon, because many tools cannot handle
/// mixed types.
pub(crate) fn encode_multi_polygon(b: Bbox) -> Vec<u8> {
    let mut wkb = shape_header(MULTI_POLYGON);
    if b.west <= b.east {
        wkb.extend(1_u32.to_le_bytes());
        wkb.extend(encode_polygon(b.west, b.south, b.east, b.north));
    } else {
        wkb.extend(2_u32.to_le_bytes());
        wkb.extend(encode_polygon(b.west, b.south, 180.0, b.north));
        wkb.extend(encode_polygon(-180.0, b.south, b.east, b.north));
    }
    wkb
}

/// Encodes a point.
pub(crate) fn encode_point(x: f64, y: f64) -> Vec<u8> {
    let mut wkb = shape_header(POINT);
    wkb.extend(x.to_le_bytes());
    wkb.extend(y.to_le_bytes());
    wkb
}

fn encode_polygon(west: f64, south: f64, east: f64, north: f64) -> Vec<u8> {
    let mut wkb = shape_header(POLYGON);
    wkb.extend(1_u32.to_le_bytes());
    wkb.extend(5_u32.to_le_bytes());
    for (x, y) in [(west, south), (east, south), (east, north), (west, north), (west, south)] {
        wkb.extend(x.to_le_bytes());
        wkb.extend(y.to_le_bytes());
    }
    wkb
}

fn shape_header(shape: u32) -> Vec<u8> {
    let mut wkb = vec![LITTLE_ENDIAN];
    wkb.extend(shape.to_le_bytes());
    wkb
}
