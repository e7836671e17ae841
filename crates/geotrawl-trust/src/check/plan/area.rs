//! The area of a dataset to request: a small box in its middle, or a tile that covers it.

use geotrawl_model::Bbox;

/// Half the side length of a web mercator map, in metres.
const MERCATOR: f64 = 20_037_508.342_789_244;
/// Latitude where web mercator ends.
const MERCATOR_END: f64 = 85.06;
/// Minimum side length of a box in degrees, so that points have an area as well.
const SMALLEST: f64 = 0.001;

/// A box in degrees that does not cross the antimeridian.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SampleArea {
    pub west: f64,
    pub south: f64,
    pub east: f64,
    pub north: f64,
}

/// Returns whether a box lies on Earth and has a size.
pub fn is_sane(bbox: &Bbox) -> bool {
    let Bbox { west, south, east, north } = *bbox;
    let finite = [west, south, east, north].iter().all(|edge| edge.is_finite());
    let placed = (-180.5..=360.5).contains(&west) && (-180.5..=360.5).contains(&east);
    let high = (-90.5..=90.5).contains(&south) && (-90.5..=90.5).contains(&north) && south <= north;
    finite && placed && high && !(west == 0.0 && east == 0.0 && south == 0.0 && north == 0.0)
}

impl SampleArea {
    /// Returns the area of a box, or the world if it is missing or invalid. Of a box across the
    /// antimeridian, returns the larger part.
    pub fn from_bbox(bbox: Option<&Bbox>) -> Self {
        let Some(Bbox { west, south, east, north }) = bbox.copied().filter(is_sane) else {
            return Self { west: -180.0, south: -90.0, east: 180.0, north: 90.0 };
        };
        let (west, east) = match (west, east) {
            (west, east) if west <= east => (west, east),
            (west, east) if 180.0 - west >= east + 180.0 => (west, 180.0),
            (_, east) => (-180.0, east),
        };
        Self { west, south: south.max(-90.0), east, north: north.min(90.0) }
    }

    /// Returns its centre: longitude and latitude.
    pub fn centre(self) -> (f64, f64) {
        (f64::midpoint(self.west, self.east), f64::midpoint(self.south, self.north))
    }

    /// Returns the central 20 % of it, with a minimum size.
    pub fn middle_part(self) -> Self {
        let (x, y) = self.centre();
        let half = |from: f64, to: f64| ((to - from) / 10.0).max(SMALLEST / 2.0);
        let (dx, dy) = (half(self.west, self.east), half(self.south, self.north));
        Self { west: x - dx, south: (y - dy).max(-90.0), east: x + dx, north: (y + dy).min(90.0) }
    }

    /// Returns all of it, with a minimum size.
    pub fn whole_area(self) -> Self {
        let (x, y) = self.centre();
        let half = |from: f64, to: f64| ((to - from) / 2.0).max(SMALLEST / 2.0);
        let (dx, dy) = (half(self.west, self.east), half(self.south, self.north));
        Self { west: x - dx, south: (y - dy).max(-90.0), east: x + dx, north: (y + dy).min(90.0) }
    }

    /// Returns its south-western quarter, a second place to look if the middle is empty.
    pub fn southwest_quarter(self) -> Self {
        let (x, y) = self.centre();
        Self { east: x, north: y, ..self }
    }

    /// Formats the box with longitude first.
    pub fn format_lon_lat(self) -> String {
        format!("{},{},{},{}", plain(self.west), plain(self.south), plain(self.east), plain(self.north))
    }

    /// Formats the box with latitude first.
    pub fn format_lat_lon(self) -> String {
        format!("{},{},{},{}", plain(self.south), plain(self.west), plain(self.north), plain(self.east))
    }

    /// Formats the box in metres of web mercator.
    pub fn format_mercator(self) -> String {
        let (west, south) = to_mercator(self.west, self.south);
        let (east, north) = to_mercator(self.east, self.north);
        format!("{west:.2},{south:.2},{east:.2},{north:.2}")
    }

    /// Returns the web mercator tile at the centre with about the size of the area: level, column,
    /// row.
    pub fn centre_tile(self, lowest: u32, highest: u32) -> (u32, u32, u32) {
        let highest = highest.min(18);
        let level =
            zoom_level_of(360.0 / (self.east - self.west).max(SMALLEST)).clamp(lowest.min(highest), highest);
        self.tile_at(level)
    }

    /// Returns another tile if that one is empty: at a lower level, which shows more, or at another
    /// place of the lowest level.
    pub fn other_tile(self, lowest: u32, highest: u32) -> (u32, u32, u32) {
        let highest = highest.min(18);
        let lowest = lowest.min(highest);
        let first = self.centre_tile(lowest, highest);
        if first.0 > lowest {
            return self.tile_at(first.0.saturating_sub(2).max(lowest));
        }
        let beside = self.southwest_quarter().tile_at(first.0);
        if beside == first { self.southwest_quarter().tile_at((first.0 + 1).min(highest)) } else { beside }
    }

    fn tile_at(self, level: u32) -> (u32, u32, u32) {
        let (longitude, latitude) = self.centre();
        let (x, y) = to_mercator(longitude, latitude);
        let count = f64::from(1_u32 << level);
        let place = |share: f64| (share * count).floor().clamp(0.0, count - 1.0) as u32;
        (level, place((x + MERCATOR) / (2.0 * MERCATOR)), place((MERCATOR - y) / (2.0 * MERCATOR)))
    }
}

/// Returns the level at which something that is this many times smaller than the world fills a
/// tile.
pub fn zoom_level_of(times: f64) -> u32 {
    if times <= 1.0 { 0 } else { times.log2().ceil().min(24.0) as u32 }
}

/// Converts degrees to web mercator.
pub fn to_mercator(longitude: f64, latitude: f64) -> (f64, f64) {
    let latitude = latitude.clamp(-MERCATOR_END, MERCATOR_END);
    let y = (std::f64::consts::FRAC_PI_4 + latitude.to_radians() / 2.0).tan().ln();
    (longitude / 180.0 * MERCATOR, y / std::f64::consts::PI * MERCATOR)
}

/// Formats a number with at most six decimals and without trailing zeros.
fn plain(number: f64) -> String {
    let text = format!("{number:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text.is_empty() || text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_looked_at() {
        let area = |w, s, e, n| SampleArea::from_bbox(Some(&Bbox { west: w, south: s, east: e, north: n }));
        assert_eq!(area(10.0, 40.0, 20.0, 50.0).middle_part().format_lon_lat(), "14,44,16,46");
        assert_eq!(area(10.0, 40.0, 20.0, 50.0).middle_part().format_lat_lon(), "44,14,46,16");
        assert_eq!(area(10.0, 40.0, 20.0, 50.0).whole_area().format_lon_lat(), "10,40,20,50");
        // The larger side, or the world if the box is invalid.
        assert_eq!(area(170.0, 0.0, -100.0, 10.0).middle_part().format_lon_lat(), "-148,4,-132,6");
        assert_eq!(area(f64::NAN, 0.0, 1.0, 1.0).middle_part().format_lon_lat(), "-36,-18,36,18");
        assert_eq!(
            area(7.0, 50.0, 7.0, 50.0).middle_part().format_lon_lat(),
            "6.9995,49.9995,7.0005,50.0005"
        );
        assert_eq!(
            SampleArea::from_bbox(None).format_mercator(),
            "-20037508.34,-20048966.10,20037508.34,20048966.10"
        );
    }

    #[test]
    fn tiles_cover_the_middle() {
        let area = |w, s, e, n| SampleArea::from_bbox(Some(&Bbox { west: w, south: s, east: e, north: n }));
        assert_eq!(SampleArea::from_bbox(None).centre_tile(0, 22), (0, 0, 0));
        assert_eq!(area(7.0, 50.0, 7.1, 50.1).centre_tile(0, 22), (12, 2128, 1388));
        assert_eq!(area(7.0, 50.0, 7.1, 50.1).centre_tile(0, 4), (4, 8, 5));
        assert_eq!(area(7.0, 50.0, 7.1, 50.1).centre_tile(5, 3), (3, 4, 2));
        // The fallback: two levels up, or another place of the lowest level.
        assert_eq!(area(7.0, 50.0, 7.1, 50.1).other_tile(0, 22), (10, 532, 347));
        assert_eq!(area(7.0, 50.0, 7.1, 50.1).other_tile(11, 22), (11, 1064, 694));
        assert_eq!(SampleArea::from_bbox(None).other_tile(0, 22), (1, 0, 1));
        assert_eq!(SampleArea::from_bbox(None).other_tile(1, 22), (1, 0, 1));
        assert_eq!(SampleArea::from_bbox(None).other_tile(0, 0), (0, 0, 0));
    }
}
