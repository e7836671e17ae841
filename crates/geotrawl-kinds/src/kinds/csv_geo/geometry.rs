//! Table cells that contain a whole geometry.

use crate::formats::cursor::ByteCursor;
use serde_json::Value;

/// Extent of a geometry, and its coordinate system if the cell names one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParsedGeometry {
    /// `[min x, min y, max x, max y]`; `None` if only the syntax was checked.
    pub extent: Option<[f64; 4]>,
    pub srid: Option<u32>,
}

impl ParsedGeometry {
    /// Returns two corners of the extent.
    pub fn corners(&self) -> impl Iterator<Item = (f64, f64)> + use<> {
        self.extent.into_iter().flat_map(|[w, s, e, n]| [(w, s), (e, n)])
    }
}

const TYPES: &[&str] = &[
    "POINT",
    "LINESTRING",
    "POLYGON",
    "MULTIPOINT",
    "MULTILINESTRING",
    "MULTIPOLYGON",
    "GEOMETRYCOLLECTION",
];
/// Maximum number of positions read of one geometry.
const MAX_POSITIONS: usize = 2000;

/// Parses a cell with WKT, hexadecimal WKB or GeoJSON.
pub fn read_geometry(cell: &str) -> Option<ParsedGeometry> {
    let cell = cell.trim();
    if cell.starts_with('{') {
        return geojson(cell);
    }
    wkt(cell).or_else(|| wkb(cell))
}

/// Parses a cell with `latitude, longitude`, optionally in brackets, or with a point in another
/// notation.
pub fn read_pair(cell: &str) -> Option<ParsedGeometry> {
    let inner = cell.trim().trim_start_matches(['(', '[']).trim_end_matches([')', ']']);
    if let Some((lat, lon)) = inner.split_once([',', ';'])
        && let (Ok(lat), Ok(lon)) = (lat.trim().parse::<f64>(), lon.trim().parse::<f64>())
    {
        let decimals = lat.fract() != 0.0 || lon.fract() != 0.0;
        return (decimals && lat.abs() <= 90.0 && lon.abs() <= 180.0)
            .then_some(ParsedGeometry { extent: Some([lon, lat, lon, lat]), srid: None });
    }
    read_geometry(cell)
}

fn grow(extent: &mut Option<[f64; 4]>, x: f64, y: f64) {
    if x.is_finite() && y.is_finite() {
        let [west, south, east, north] = extent.unwrap_or([x, y, x, y]);
        *extent = Some([west.min(x), south.min(y), east.max(x), north.max(y)]);
    }
}

fn wkt(cell: &str) -> Option<ParsedGeometry> {
    let (srid, text) = match cell.get(..5).filter(|s| s.eq_ignore_ascii_case("SRID=")) {
        Some(_) => {
            let (number, text) = cell.get(5..)?.split_once(';')?;
            (number.trim().parse().ok(), text.trim_start())
        }
        None => (None, cell),
    };
    let (word, rest) = text.split_once('(')?;
    let mut words = word.split_ascii_whitespace();
    let name = words.next()?.to_ascii_uppercase();
    let name = name.trim_end_matches(['Z', 'M']);
    TYPES.contains(&name).then_some(())?;
    words.all(|w| matches!(w.to_ascii_uppercase().as_str(), "Z" | "M" | "ZM")).then_some(())?;
    let mut extent = None;
    // A long cell may have been cut off: use the part that is there.
    for position in rest.split([',', '(', ')']).take(MAX_POSITIONS) {
        let mut numbers = position.split_ascii_whitespace().map_while(|n| n.parse::<f64>().ok());
        if let (Some(x), Some(y)) = (numbers.next(), numbers.next()) {
            grow(&mut extent, x, y);
        }
    }
    extent.map(|extent| ParsedGeometry { extent: Some(extent), srid })
}

/// Returns the first position of hexadecimal WKB, with or without a coordinate system.
fn wkb(cell: &str) -> Option<ParsedGeometry> {
    let hex = cell.strip_prefix("\\x").or_else(|| cell.strip_prefix("0x")).unwrap_or(cell).as_bytes();
    if hex.len() < 18 || !hex.iter().take(64).all(u8::is_ascii_hexdigit) {
        return None;
    }
    let digit = |b: u8| (b as char).to_digit(16).map(|d| d as u8);
    let bytes: Vec<u8> =
        hex.chunks_exact(2).take(64).map_while(|p| Some(digit(p[0])? << 4 | digit(p[1])?)).collect();
    let big = match bytes.first()? {
        0 => true,
        1 => false,
        _ => return None,
    };
    let mut cursor = ByteCursor::with_byte_order(&bytes, big);
    cursor.seek(1);
    let kind = cursor.read_u32()?;
    ((1..=7).contains(&(kind & 0xff)) && kind & 0x1fff_ff00 <= 0x0c00).then_some(())?;
    let srid = if kind & 0x2000_0000 != 0 { cursor.read_u32() } else { None };
    let mut extent = None;
    if kind & 0xff == 1 {
        grow(&mut extent, cursor.read_f64()?, cursor.read_f64()?);
    }
    Some(ParsedGeometry { extent, srid })
}

fn geojson(cell: &str) -> Option<ParsedGeometry> {
    let json: Value = serde_json::from_str(cell).ok()?;
    json.get("type")?.as_str().filter(|t| TYPES.contains(&t.to_ascii_uppercase().as_str()))?;
    let mut extent = None;
    let mut left = MAX_POSITIONS;
    walk(json.get("coordinates")?, &mut extent, &mut left, 0);
    extent.map(|extent| ParsedGeometry { extent: Some(extent), srid: None })
}

fn walk(value: &Value, extent: &mut Option<[f64; 4]>, left: &mut usize, depth: usize) {
    let Some(items) = value.as_array().filter(|_| depth < 6 && *left > 0) else { return };
    if let [Value::Number(x), Value::Number(y), ..] = &items[..] {
        *left -= 1;
        if let (Some(x), Some(y)) = (x.as_f64(), y.as_f64()) {
            grow(extent, x, y);
        }
        return;
    }
    for item in items {
        walk(item, extent, left, depth + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn geometries_in_every_form_are_read() {
        let at = |cell: &str| read_geometry(cell).and_then(|s| s.extent);
        assert_eq!(at("POINT (7.5 47.6)"), Some([7.5, 47.6, 7.5, 47.6]));
        assert_eq!(at("Polygon Z((0 0 5,2 0 5,2 3 5,0 0 5))"), Some([0.0, 0.0, 2.0, 3.0]));
        assert_eq!(read_geometry("SRID=25832;POINT(4e5 5e6)").unwrap().srid, Some(25_832));
        assert_eq!(at("{\"type\":\"Point\",\"coordinates\":[1,2]}"), Some([1.0, 2.0, 1.0, 2.0]));
        assert_eq!(at("0101000000000000000000F03F0000000000000040"), Some([1.0, 2.0, 1.0, 2.0]));
        assert_eq!(read_geometry("POINT of no return"), None);
        assert_eq!(read_geometry("12345678901234567890"), None);
        assert_eq!(read_pair("(47.5, 8.25)").unwrap().extent, Some([8.25, 47.5, 8.25, 47.5]));
        assert_eq!(read_pair("Smith, John"), None);
        assert_eq!(read_pair("1, 2"), None, "two whole numbers may be anything");
    }

    proptest! {
        #[test]
        fn no_cell_panics(cell in "\\PC{0,60}") {
            let _ = read_geometry(&cell);
            let _ = read_pair(&cell);
        }

        #[test]
        fn no_hex_panics(cell in "[0-9A-Fa-f]{0,80}") {
            let _ = read_geometry(&cell);
        }
    }
}
