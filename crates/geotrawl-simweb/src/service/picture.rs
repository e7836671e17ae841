//! Images of simulated map services: bands of colour with fixed geographic positions, so that
//! panned and zoomed maps fit together.

use crate::request::QueryParameters;

/// Largest side of a picture.
const LARGEST: u32 = 2_048;

/// Colours of the layers, red, green, blue.
const COLOURS: &[[u8; 3]] =
    &[[11, 111, 164], [0, 115, 92], [138, 90, 0], [90, 79, 176], [156, 61, 116], [176, 74, 19]];

/// Draws the response to GetMap; `None` if the request is incomplete.
pub(crate) fn draw_map(query: &QueryParameters<'_>) -> Option<Vec<u8>> {
    let side = |key: &str| query.get(key)?.parse().ok().filter(|side| (1..=LARGEST).contains(side));
    let (width, height): (u32, u32) = (side("width")?, side("height")?);
    let sides: Vec<f64> =
        query.get("bbox")?.split(',').map(|side| side.parse().ok()).collect::<Option<_>>()?;
    let &[first, second, third, fourth] = sides.as_slice() else { return None };
    let system = query.get("crs").or_else(|| query.get("srs")).unwrap_or_default();
    let newest = query.get("version") == Some("1.3.0");
    // WMS 1.3.0 puts latitude first for EPSG:4326.
    let (west, south, east, north) = if newest && system.eq_ignore_ascii_case("EPSG:4326") {
        (second, first, fourth, third)
    } else {
        (first, second, third, fourth)
    };
    let unit = if system.contains("4326") || system.contains("CRS84") { 1.0 } else { METRES };
    let degrees = [west, south, east, north].map(|side| side / unit);
    Some(draw(query.get("layers").unwrap_or_default(), width, height, degrees))
}

/// Metres per degree at the equator.
const METRES: f64 = 111_319.5;
/// Half the width of the world in Web Mercator, in degrees.
const HALF: f64 = 180.0;

/// Draws a tile of the usual pyramid.
pub(crate) fn draw_tile(layer: &str, zoom: u32, row: u32, column: u32) -> Vec<u8> {
    let side = 2.0 * HALF / f64::from(1_u32 << zoom.min(22));
    let (west, north) = (f64::from(column) * side - HALF, HALF - f64::from(row) * side);
    draw(layer, 256, 256, [west, north - side, west + side, north])
}

fn draw(layer: &str, width: u32, height: u32, [west, south, east, north]: [f64; 4]) -> Vec<u8> {
    let seed = layer.bytes().fold(7_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte)));
    let colour = COLOURS[seed % COLOURS.len()];
    let phase = (seed % 97) as f64 / 15.0;
    let mut pixels = Vec::with_capacity((width * height * 4 + height) as usize);
    for row in 0..height {
        pixels.push(0);
        let lat = north - (f64::from(row) + 0.5) / f64::from(height) * (north - south);
        for column in 0..width {
            let lon = west + (f64::from(column) + 0.5) / f64::from(width) * (east - west);
            let wave = (lon / 2.3 + phase).sin() + (lat / 1.7 - phase).cos() + ((lon + lat) / 5.1).sin();
            // Six bands, denser towards the top, with a fine grain so that no image has a single
            // colour.
            let band = (wave + 3.0).clamp(0.0, 5.99) as u8;
            let grain = u8::from((row / 8 + column / 8) % 7 == 0) * 6;
            pixels.extend(colour);
            pixels.push(40 + band * 32 + grain);
        }
    }
    png(width, height, &pixels)
}

/// Encodes an RGBA image; every row starts with its filter (none). Written by hand: only three
/// chunks around the compressor, which is a dependency anyway.
fn png(width: u32, height: u32, rows: &[u8]) -> Vec<u8> {
    use flate2::write::ZlibEncoder;
    use std::io::Write;
    let mut packed = ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    // Writing to memory cannot fail.
    let data = packed.write_all(rows).and_then(|()| packed.finish()).unwrap_or_default();
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut head = Vec::new();
    head.extend(width.to_be_bytes());
    head.extend(height.to_be_bytes());
    // Eight bits of four channels, the usual compression and filters, not interlaced.
    head.extend([8, 6, 0, 0, 0]);
    for (name, body) in [(b"IHDR", head.as_slice()), (b"IDAT", &data), (b"IEND", &[])] {
        out.extend((body.len() as u32).to_be_bytes());
        let mut sum = flate2::Crc::new();
        sum.update(name);
        sum.update(body);
        out.extend(name);
        out.extend(body);
        out.extend(sum.sum().to_be_bytes());
    }
    out
}
