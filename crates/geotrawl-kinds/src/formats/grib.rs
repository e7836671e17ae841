//! The first message of a GRIB file, edition 1 or 2: reference time and grid.
//!
//! Implemented here because the `grib` crate reads whole files of edition 2 only, while we need 80
//! bytes.

use super::crs::{CrsRef, WktDefinition, to_wgs84};
use super::cursor::ByteCursor;
use geotrawl_model::Bbox;
use proj4rs::Proj;
use proj4rs::transform::transform;

/// Maximum offset of the message, since bulletins start with a header of some lines.
const MAX_PREFIX: usize = 256;

/// Metadata of the first message.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GribMessage {
    pub edition: u8,
    /// Number of the originating centre.
    pub centre: u16,
    /// Reference time in ISO 8601.
    pub time: Option<String>,
    /// Extent of the grid.
    pub bbox: Option<Bbox>,
    /// Human-readable grid type.
    pub grid: &'static str,
}

/// Returns the offset of the message: at the start, or after a bulletin header.
pub fn find_message(head: &[u8]) -> Option<usize> {
    let start = head.get(..MAX_PREFIX + 4).unwrap_or(head);
    let at = memchr::memmem::find(start, b"GRIB")?;
    // A bulletin header is plain text.
    let texty = |b: &u8| (32..127).contains(b) || matches!(b, 1 | 2 | 3 | b'\r' | b'\n' | b'\t');
    (at == 0 || (at >= 10 && start[..at].iter().all(texty))).then_some(at)
}

/// Parses the first message. Returns `None` if there is none.
pub fn read_message(head: &[u8]) -> Option<GribMessage> {
    let bytes = head.get(find_message(head)?..)?;
    match *bytes.get(7)? {
        1 => edition_1(bytes),
        2 => edition_2(bytes),
        _ => None,
    }
}

fn edition_1(bytes: &[u8]) -> Option<GribMessage> {
    let mut cursor = ByteCursor::big_endian(bytes);
    let length = cursor.seek(4).read_uint(3)?;
    let section = cursor.seek(8).read_uint(3)? as usize;
    // The first section has at least 28 bytes and fits into the message.
    if section < 28 || (length != 0 && length < section as u64 + 12) {
        return None;
    }
    let product = bytes.get(8..)?;
    let at = |i: usize| product.get(i).copied();
    // The year is counted within the century: year 100 of century 20 is 2000.
    let century = u16::from(at(24)?).max(1) - 1;
    let (year, month, day) = (century * 100 + u16::from(at(12)?), at(13)?, at(14)?);
    let mut message = GribMessage {
        edition: 1,
        centre: u16::from(at(4)?),
        time: iso(year, month, day, at(15)?, at(16)?),
        grid: "no grid",
        ..GribMessage::default()
    };
    if at(7)? & 0x80 != 0 {
        let grid = product.get(section..)?;
        let mut cursor = ByteCursor::big_endian(grid);
        let thousandth = |cursor: &mut ByteCursor<'_>| {
            let raw = cursor.read_uint(3)?;
            let size = (raw & 0x7f_ffff) as f64 / 1000.0;
            Some(if raw & 0x80_0000 != 0 { -size } else { size })
        };
        cursor.seek(5);
        let kind = cursor.read_u8()?;
        cursor.skip(4)?;
        let (la1, lo1) = (thousandth(&mut cursor)?, thousandth(&mut cursor)?);
        cursor.skip(1)?;
        let (la2, lo2) = (thousandth(&mut cursor)?, thousandth(&mut cursor)?);
        let di = cursor.read_u16().filter(|d| *d != u16::MAX).map_or(0.0, |d| f64::from(d) / 1000.0);
        let (name, direct) = match kind {
            0 => ("latitude and longitude", true),
            4 => ("Gaussian", true),
            10 => ("rotated latitude and longitude", false),
            1 => ("Mercator", false),
            3 => ("Lambert conformal", false),
            5 => ("polar stereographic", false),
            _ => ("another projection", false),
        };
        message.grid = name;
        message.bbox = direct.then(|| lat_lon(la1, lo1, la2, lo2, di)).flatten();
    }
    Some(message)
}

fn edition_2(bytes: &[u8]) -> Option<GribMessage> {
    let mut cursor = ByteCursor::big_endian(bytes);
    let total = cursor.seek(8).read_u64()?;
    if total < 16 + 21 {
        return None;
    }
    let mut message = GribMessage { edition: 2, grid: "no grid", ..GribMessage::default() };
    let mut at = 16_usize;
    // Sections are in the order 1, 2, 3, ...; section 3 is the grid.
    for _ in 0..4 {
        let Some(section) = bytes.get(at..) else { break };
        let mut cursor = ByteCursor::big_endian(section);
        let (Some(length), Some(number)) = (cursor.read_u32(), cursor.read_u8()) else { break };
        let length = length as usize;
        if length < 5 || u64::from(number) > 8 || length as u64 > total {
            break;
        }
        match number {
            1 => {
                message.centre = cursor.read_u16()?;
                cursor.seek(12);
                let (year, month, day) = (cursor.read_u16()?, cursor.read_u8()?, cursor.read_u8()?);
                message.time = iso(year, month, day, cursor.read_u8()?, cursor.read_u8()?);
            }
            3 => {
                let grid = section.get(..length).unwrap_or(section);
                if let Some((name, bbox)) = grid_2(grid) {
                    message.grid = name;
                    message.bbox = bbox;
                }
                break;
            }
            _ => {}
        }
        at = at.checked_add(length)?;
    }
    // Without section 1, the bytes only look like a message.
    bytes.get(20).filter(|number| **number == 1).map(|_| message)
}

/// Reads a number whose sign is its first bit.
fn signed(cursor: &mut ByteCursor<'_>) -> Option<f64> {
    let raw = cursor.read_u32()?;
    let size = f64::from(raw & 0x7fff_ffff);
    Some(if raw >> 31 == 1 { -size } else { size })
}

fn grid_2(section: &[u8]) -> Option<(&'static str, Option<Bbox>)> {
    let mut cursor = ByteCursor::big_endian(section);
    let template = cursor.seek(12).read_u16()?;
    Some(match template {
        0 | 40 => {
            let name = if template == 0 { "latitude and longitude" } else { "Gaussian" };
            cursor.seek(38);
            let (basic, divisor) = (cursor.read_u32()?, cursor.read_u32()?);
            // A basic angle of 0 means that coordinates are in microdegrees.
            let unit = match (basic, divisor) {
                (0 | u32::MAX, _) | (_, 0 | u32::MAX) => 1e-6,
                (basic, divisor) => f64::from(basic) / f64::from(divisor),
            };
            let (la1, lo1) = (signed(&mut cursor)? * unit, signed(&mut cursor)? * unit);
            cursor.skip(1)?;
            let (la2, lo2) = (signed(&mut cursor)? * unit, signed(&mut cursor)? * unit);
            let step = cursor.read_u32().filter(|s| *s != u32::MAX).map_or(0.0, |s| f64::from(s) * unit);
            (name, lat_lon(la1, lo1, la2, lo2, step))
        }
        1 => ("rotated latitude and longitude", None),
        10 => ("Mercator", mercator(section)),
        20 => ("polar stereographic", polar(section)),
        30 => ("Lambert conformal", lambert(section)),
        _ => ("another projection", None),
    })
}

/// Returns the box of a grid in degrees. A grid that is one step short of the full circle covers
/// all of it.
fn lat_lon(la1: f64, lo1: f64, la2: f64, lo2: f64, step: f64) -> Option<Bbox> {
    let (mut west, mut east) = (lo1, lo2);
    if west > east {
        east += 360.0;
    }
    if east - west + step >= 359.5 {
        (west, east) = (-180.0, 180.0);
    }
    super::bbox::classify_bbox([west, la1.min(la2), east, la1.max(la2)]).bbox()
}

/// Returns the number of columns and rows.
fn size(section: &[u8]) -> Option<(f64, f64)> {
    let mut cursor = ByteCursor::big_endian(section);
    cursor.seek(30);
    Some((f64::from(cursor.read_u32()?), f64::from(cursor.read_u32()?)))
}

/// Returns the shape of the Earth that the section describes, in the notation of `proj4rs`.
fn earth(section: &[u8]) -> String {
    match section.get(14) {
        Some(0) => "+R=6367470".to_owned(),
        Some(6) => "+R=6371229".to_owned(),
        Some(8) => "+R=6371200".to_owned(),
        Some(2) => "+a=6378160 +b=6356775".to_owned(),
        Some(4) => "+ellps=GRS80".to_owned(),
        Some(1) => {
            let mut cursor = ByteCursor::big_endian(section);
            let scale = cursor.seek(15).read_u8().unwrap_or(0);
            let radius = cursor.read_u32().unwrap_or(0);
            let radius = f64::from(radius) / 10_f64.powi(i32::from(scale.min(20)));
            if (6e6..7e6).contains(&radius) { format!("+R={radius}") } else { "+R=6371229".to_owned() }
        }
        _ => "+ellps=WGS84".to_owned(),
    }
}

fn mercator(section: &[u8]) -> Option<Bbox> {
    let mut cursor = ByteCursor::big_endian(section);
    cursor.seek(38);
    let (la1, lo1) = (signed(&mut cursor)? / 1e6, signed(&mut cursor)? / 1e6);
    cursor.skip(1)?;
    cursor.skip(4)?;
    let (la2, lo2) = (signed(&mut cursor)? / 1e6, signed(&mut cursor)? / 1e6);
    lat_lon(la1, lo1, la2, lo2, 0.0)
}

fn polar(section: &[u8]) -> Option<Bbox> {
    let mut cursor = ByteCursor::big_endian(section);
    cursor.seek(38);
    let (la1, lo1) = (signed(&mut cursor)? / 1e6, signed(&mut cursor)? / 1e6);
    cursor.skip(1)?;
    let (lad, lov) = (signed(&mut cursor)? / 1e6, signed(&mut cursor)? / 1e6);
    let (dx, dy) = (f64::from(cursor.read_u32()?) / 1e3, f64::from(cursor.read_u32()?) / 1e3);
    let south = cursor.read_u8()? & 0x80 != 0;
    let mode = cursor.read_u8()?;
    let pole = if south { -90 } else { 90 };
    let proj = format!("+proj=stere +lat_0={pole} +lat_ts={lad} +lon_0={lov} {} +no_defs", earth(section));
    projected(&proj, (lo1, la1), (dx, dy), size(section)?, mode)
}

fn lambert(section: &[u8]) -> Option<Bbox> {
    let mut cursor = ByteCursor::big_endian(section);
    cursor.seek(38);
    let (la1, lo1) = (signed(&mut cursor)? / 1e6, signed(&mut cursor)? / 1e6);
    cursor.skip(1)?;
    let (lad, lov) = (signed(&mut cursor)? / 1e6, signed(&mut cursor)? / 1e6);
    let (dx, dy) = (f64::from(cursor.read_u32()?) / 1e3, f64::from(cursor.read_u32()?) / 1e3);
    cursor.skip(1)?;
    let mode = cursor.read_u8()?;
    let (one, two) = (signed(&mut cursor)? / 1e6, signed(&mut cursor)? / 1e6);
    let proj =
        format!("+proj=lcc +lat_0={lad} +lat_1={one} +lat_2={two} +lon_0={lov} {} +no_defs", earth(section));
    projected(&proj, (lo1, la1), (dx, dy), size(section)?, mode)
}

/// Returns the box of a projected grid, computed from its first point.
fn projected(
    proj: &str,
    (longitude, latitude): (f64, f64),
    (dx, dy): (f64, f64),
    (columns, rows): (f64, f64),
    mode: u8,
) -> Option<Bbox> {
    if !(1.0..1e6).contains(&columns) || !(1.0..1e6).contains(&rows) || latitude.abs() > 90.0 {
        return None;
    }
    let target = Proj::from_proj_string(proj).ok()?;
    let source = Proj::from_proj_string("+proj=longlat +ellps=WGS84 +no_defs").ok()?;
    let longitude = if longitude > 180.0 { longitude - 360.0 } else { longitude };
    let mut point = (longitude.to_radians(), latitude.to_radians(), 0.0);
    transform(&source, &target, &mut point).ok()?;
    // Bit 1: columns run west. Bit 2: rows run north.
    let x2 = point.0 + if mode & 0x80 == 0 { dx } else { -dx } * (columns - 1.0);
    let y2 = point.1 + if mode & 0x40 == 0 { -dy } else { dy } * (rows - 1.0);
    let definition = WktDefinition { name: None, epsg: None, proj: proj.to_owned() };
    let extent = [point.0.min(x2), point.1.min(y2), point.0.max(x2), point.1.max(y2)];
    to_wgs84(&CrsRef::Wkt(Box::new(definition)), extent).ok()
}

fn iso(year: u16, month: u8, day: u8, hour: u8, minute: u8) -> Option<String> {
    let valid = (1800..2200).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    (valid && hour < 25 && minute < 60)
        .then(|| format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}Z"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_that_contain_the_mark_are_no_message() {
        assert_eq!(find_message(b"GRIB"), Some(0));
        assert_eq!(find_message(b"\x01\r\r\n123 \r\r\nHTXX01 KWBC 010000\r\r\nGRIB"), Some(32));
        assert_eq!(find_message(b"\0\0\0\0\0\0\0\0\0\0\0\0GRIB"), None);
        assert_eq!(
            read_message(b"All about GRIB files and how to read them, page 1 and 2 of a longer text"),
            None
        );
    }

    proptest! {
        #[test]
        fn no_bytes_panic(tail in prop::collection::vec(any::<u8>(), 0..300), edition in 0_u8..4) {
            let mut bytes = b"GRIB\0\0\0".to_vec();
            bytes.push(edition);
            bytes.extend(&tail);
            if let Some(b) = read_message(&bytes).and_then(|m| m.bbox) {
                prop_assert!(b.south <= b.north && b.south >= -90.0 && b.north <= 90.0, "{b:?}");
            }
        }

        #[test]
        fn no_grid_panics(template in prop::sample::select(vec![0_u8, 1, 10, 20, 30, 40]), tail in prop::collection::vec(any::<u8>(), 60..90)) {
            let mut section = vec![0; 12];
            section.extend([0, template]);
            section.extend(&tail);
            let _ = grid_2(&section);
        }
    }
}
