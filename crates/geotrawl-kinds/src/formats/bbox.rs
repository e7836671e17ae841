//! Geographic boxes from untrusted sources: parsed, classified and, where that is safe, repaired.

use geotrawl_model::Bbox;

/// Degrees by which a box may exceed the globe (rounding, pixel edges) before it counts as wrong.
const SLACK: f64 = 1.0;

/// Classification of a box. Only the first two variants hold a usable box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BoxClass {
    /// A box in degrees; `west > east` crosses the antimeridian.
    Good(Bbox),
    /// Latitude and longitude were swapped; this is the corrected box.
    Swapped(Bbox),
    /// All zeros or another placeholder for "no extent".
    Empty,
    /// Contains infinity or NaN.
    NonFinite,
    /// South is above north, or west and east are swapped beyond repair.
    Inverted,
    /// Contains metres or feet instead of degrees.
    Projected,
}

impl BoxClass {
    /// Returns the box if it is usable.
    pub fn bbox(self) -> Option<Bbox> {
        match self {
            Self::Good(b) | Self::Swapped(b) => Some(b),
            _ => None,
        }
    }

    /// Returns the code and the message of the issue, if the box has one.
    pub fn issue(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Good(_) => None,
            Self::Swapped(_) => {
                Some(("bbox-swapped", "latitude and longitude are swapped in a geographic box"))
            }
            Self::Empty => Some(("bbox-empty", "a geographic box is empty")),
            Self::NonFinite => {
                Some(("bbox-nonfinite", "a geographic box contains numbers that are not finite"))
            }
            Self::Inverted => Some(("bbox-inverted", "a geographic box has its corners swapped")),
            Self::Projected => Some(("bbox-projected", "a geographic box is not in degrees")),
        }
    }
}

/// Classifies `[west, south, east, north]`.
pub fn classify_bbox([west, south, east, north]: [f64; 4]) -> BoxClass {
    let all = [west, south, east, north];
    if all.iter().any(|v| !v.is_finite() || v.abs() > 1e30) {
        return BoxClass::NonFinite;
    }
    // Empty envelopes as common libraries print them.
    const NOTHING: [[f64; 4]; 3] = [[0.0, 0.0, 0.0, 0.0], [-1.0, -1.0, 0.0, 0.0], [0.0, 0.0, -1.0, -1.0]];
    if NOTHING.contains(&all) {
        return BoxClass::Empty;
    }
    let latitudes = |a: f64, b: f64| a.abs() <= 90.0 + SLACK && b.abs() <= 90.0 + SLACK;
    let longitudes = |a: f64, b: f64| {
        a >= -360.0 - SLACK && b >= -360.0 - SLACK && a <= 360.0 + SLACK && b <= 360.0 + SLACK
    };
    if latitudes(south, north) && longitudes(west, east) {
        return match settle(west, south, east, north) {
            Some(b) => BoxClass::Good(b),
            None => BoxClass::Inverted,
        };
    }
    // Valid only as latitude, longitude: common where a service mixes up the axis order.
    let beyond_latitude = south.abs().max(north.abs());
    if latitudes(west, east) && beyond_latitude <= 180.0 + SLACK && west <= east && south <= north {
        return match settle(south, west, north, east) {
            Some(b) => BoxClass::Swapped(b),
            None => BoxClass::Inverted,
        };
    }
    BoxClass::Projected
}

/// Normalises a box in degrees to the globe. Returns `None` if its corners are swapped.
fn settle(west: f64, south: f64, east: f64, north: f64) -> Option<Bbox> {
    if south > north || (west >= 180.0 && east <= -180.0) {
        return None;
    }
    let south = south.clamp(-90.0, 90.0);
    let north = north.clamp(-90.0, 90.0);
    if east - west >= 360.0 - 1e-9 {
        return Some(Bbox { west: -180.0, south, east: 180.0, north });
    }
    let (mut west, mut east) = (west, east);
    let near = |v: f64| if (v.abs() - 180.0).abs() < 1e-6 { v.clamp(-180.0, 180.0) } else { v };
    (west, east) = (near(west), near(east));
    if west >= 180.0 && east > 180.0 || west > 180.0 {
        west -= 360.0;
    }
    if east > 180.0 {
        east -= 360.0;
    }
    if west < -180.0 {
        west += 360.0;
    }
    if east < -180.0 {
        east += 360.0;
    }
    Some(Bbox { west, south, east, north })
}

/// Parses a number, tolerating surrounding spaces and a decimal comma.
pub fn parse_decimal(text: &str) -> Option<f64> {
    let text = text.trim();
    match text.parse() {
        Ok(value) => Some(value),
        Err(_) if text.contains(',') && !text.contains('.') && text.len() < 64 => {
            text.replacen(',', ".", 1).parse().ok()
        }
        Err(_) => None,
    }
}

/// Parses the first two numbers of a corner such as `"lon lat"`, `"lon lat height"` or `"lon,lat"`.
pub fn parse_corner(text: &str) -> Option<(f64, f64)> {
    let text = text.trim();
    let mut by_space = text.split_ascii_whitespace();
    if let (Some(x), Some(y)) = (by_space.next(), by_space.next()) {
        return Some((parse_decimal(x.trim_end_matches(','))?, parse_decimal(y.trim_end_matches(','))?));
    }
    let (x, y) = text.split_once(',')?;
    Some((parse_decimal(x)?, parse_decimal(y.split(',').next()?)?))
}

/// Smallest box that contains several boxes.
///
/// To handle boxes across the antimeridian, the union is computed on two maps, one cut at 180
/// degrees and one at 0. The narrower result wins.
#[derive(Debug, Clone, Copy, Default)]
pub struct BboxUnion {
    span: Option<[f64; 6]>,
}

impl BboxUnion {
    /// Extends the union by a box.
    pub fn add(&mut self, b: Bbox) {
        let crosses = b.west > b.east;
        let plain = if crosses { (-180.0, 180.0) } else { (b.west, b.east) };
        let turn = |lon: f64| if lon < 0.0 { lon + 360.0 } else { lon };
        let shifted = if !crosses && b.west < 0.0 && b.east >= 0.0 {
            (0.0, 360.0)
        } else {
            (turn(b.west), turn(b.east))
        };
        let [south, north, w, e, w2, e2] =
            self.span.unwrap_or([b.south, b.north, plain.0, plain.1, shifted.0, shifted.1]);
        self.span = Some([
            south.min(b.south),
            north.max(b.north),
            w.min(plain.0),
            e.max(plain.1),
            w2.min(shifted.0),
            e2.max(shifted.1),
        ]);
    }

    /// Returns the box around all added boxes.
    pub fn bbox(self) -> Option<Bbox> {
        let [south, north, west, east, west2, east2] = self.span?;
        // Shifting longitudes loses the last digit, so it must make the box narrower.
        if east2 - west2 < east - west - 1e-6 {
            let back = |lon: f64| if lon > 180.0 { lon - 360.0 } else { lon };
            return Some(Bbox { west: back(west2), south, east: back(east2), north });
        }
        Some(Bbox { west, south, east, north })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good(b: [f64; 4]) -> BoxClass {
        BoxClass::Good(b.into())
    }

    #[test]
    fn boxes_are_classified() {
        assert_eq!(classify_bbox([5.0, 45.0, 11.0, 48.0]), good([5.0, 45.0, 11.0, 48.0]));
        assert_eq!(classify_bbox([-180.0, -90.0, 180.0, 90.0]), good([-180.0, -90.0, 180.0, 90.0]));
        assert_eq!(
            classify_bbox([-180.0, -90.000_000_1, 180.000_000_07, 90.0]),
            good([-180.0, -90.0, 180.0, 90.0])
        );
        assert_eq!(classify_bbox([170.0, -50.0, -170.0, -30.0]), good([170.0, -50.0, -170.0, -30.0]));
        assert_eq!(classify_bbox([170.0, -50.0, 190.0, -30.0]), good([170.0, -50.0, -170.0, -30.0]));
        assert_eq!(classify_bbox([190.0, -50.0, 200.0, -30.0]), good([-170.0, -50.0, -160.0, -30.0]));
        assert_eq!(classify_bbox([0.0, -90.0, 360.0, 90.0]), good([-180.0, -90.0, 180.0, 90.0]));
        assert_eq!(
            classify_bbox([7.5, 47.5, 7.5, 47.5]),
            good([7.5, 47.5, 7.5, 47.5]),
            "a station is a point"
        );
        assert_eq!(classify_bbox([0.0; 4]), BoxClass::Empty);
        assert_eq!(classify_bbox([0.0, 0.0, -1.0, -1.0]), BoxClass::Empty);
        assert_eq!(classify_bbox([f64::INFINITY, 0.0, 1.0, 1.0]), BoxClass::NonFinite);
        assert_eq!(classify_bbox([1.79e308, 0.0, 1.0, 1.0]), BoxClass::NonFinite);
        assert_eq!(classify_bbox([5.0, 48.0, 11.0, 45.0]), BoxClass::Inverted);
        assert_eq!(classify_bbox([180.0, -90.0, -180.0, 90.0]), BoxClass::Inverted);
        assert_eq!(classify_bbox([425_360.0, -2_746_000.0, 968_000.0, -2_102_960.0]), BoxClass::Projected);
        assert_eq!(
            classify_bbox([46.03, -124.18, 46.38, -123.29]),
            BoxClass::Swapped([-124.18, 46.03, -123.29, 46.38].into())
        );
    }

    #[test]
    fn numbers_and_corners_are_read_as_written() {
        assert_eq!(parse_decimal(" 12,5 "), Some(12.5));
        assert_eq!(parse_decimal("-1.5e2"), Some(-150.0));
        assert_eq!(parse_decimal("abc"), None);
        assert_eq!(parse_corner("5.1 45.2"), Some((5.1, 45.2)));
        assert_eq!(parse_corner("5.1,45.2"), Some((5.1, 45.2)));
        assert_eq!(parse_corner("5.1, 45.2"), Some((5.1, 45.2)));
        assert_eq!(parse_corner(" 5 45 100 "), Some((5.0, 45.0)));
        assert_eq!(parse_corner("5"), None);
    }

    #[test]
    fn the_union_takes_the_short_way_round() {
        let mut u = BboxUnion::default();
        u.add([170.0, -50.0, 175.0, -40.0].into());
        u.add([-178.0, -45.0, -170.0, -30.0].into());
        assert_eq!(u.bbox(), Some([170.0, -50.0, -170.0, -30.0].into()));
        let mut u = BboxUnion::default();
        u.add([5.0, 45.0, 11.0, 48.0].into());
        u.add([-5.0, 40.0, 2.0, 44.0].into());
        assert_eq!(u.bbox(), Some([-5.0, 40.0, 11.0, 48.0].into()));
        assert_eq!(BboxUnion::default().bbox(), None);
    }
}
