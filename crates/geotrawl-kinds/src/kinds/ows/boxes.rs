//! Boxes in capabilities: as attributes, as corners, in degrees of either axis order, in Web
//! Mercator.

use crate::formats::bbox::{parse_corner, parse_decimal};
use crate::formats::xml::XmlReader;

/// Corners of a box, collected one by one.
#[derive(Debug, Clone, Copy, Default)]
pub struct BoxCorners {
    lower: Option<(f64, f64)>,
    upper: Option<(f64, f64)>,
}

impl BoxCorners {
    /// Sets the lower corner.
    pub fn set_lower(&mut self, text: &str) {
        self.lower = parse_corner(text);
    }

    /// Sets the upper corner.
    pub fn set_upper(&mut self, text: &str) {
        self.upper = parse_corner(text);
    }

    /// Sets the next corner, lower first.
    pub fn set_next(&mut self, text: &str) {
        if self.lower.is_none() {
            self.set_lower(text);
        } else {
            self.set_upper(text);
        }
    }

    /// Returns `[x1, y1, x2, y2]` if both corners are set.
    pub fn to_array(self) -> Option<[f64; 4]> {
        let ((x1, y1), (x2, y2)) = (self.lower?, self.upper?);
        Some([x1, y1, x2, y2])
    }
}

/// Returns the box in the attributes `minx`, `miny`, `maxx`, `maxy`.
pub fn attribute_box(element: &XmlReader<'_>) -> Option<[f64; 4]> {
    let edge = |name| element.attr_by_local_name(name).and_then(|v| parse_decimal(&v));
    Some([edge("minx")?, edge("miny")?, edge("maxx")?, edge("maxy")?])
}

/// Returns the EPSG code in any notation (`EPSG:4326`, `urn:ogc:def:crs:EPSG:6.9:4326`,
/// `http://www.opengis.net/def/crs/EPSG/0/4326`, `...epsg.xml#4326`), and whether the notation is a
/// strict one, in which the authority's axis order applies.
fn epsg(crs: &str) -> Option<(u32, bool)> {
    let lower = crs.trim().to_ascii_lowercase();
    if !lower.contains("epsg") {
        return None;
    }
    let code = lower.rsplit([':', '/', '#']).next()?.parse().ok()?;
    let strict = lower.starts_with("urn:") || lower.contains("/def/crs/");
    Some((code, strict))
}

/// Returns whether a code belongs to a geographic 2D system. The few geocentric ones in this range
/// do not occur in boxes.
fn is_geographic(code: u32) -> bool {
    matches!(code, 4001..=4999 | 7844 | 9000..=9999 if code != 4978)
}

/// Converts a box in some CRS to `[west, south, east, north]` in degrees if no coordinate
/// transformation is needed: for geographic systems and Web Mercator.
pub fn geographic_box(crs: &str, [x1, y1, x2, y2]: [f64; 4]) -> Option<[f64; 4]> {
    let lower = crs.trim().to_ascii_lowercase();
    if lower.ends_with("crs84") || lower == "crs:84" || lower.ends_with(":84") {
        return Some([x1, y1, x2, y2]);
    }
    let (code, strict) = epsg(crs)?;
    if is_geographic(code) {
        return Some(if strict { lat_lon([x1, y1, x2, y2]) } else { [x1, y1, x2, y2] });
    }
    matches!(code, 3857 | 900_913 | 3785 | 102_100 | 102_113).then(|| {
        let [west, south] = from_mercator(x1, y1);
        let [east, north] = from_mercator(x2, y2);
        [west, south, east, north]
    })
}

/// Swaps the axes of a box with latitude first. Many servers ignore that rule, so a box whose first
/// values cannot be latitudes is returned unchanged.
pub fn lat_lon([a1, b1, a2, b2]: [f64; 4]) -> [f64; 4] {
    if a1.abs() > 90.5 || a2.abs() > 90.5 { [a1, b1, a2, b2] } else { [b1, a1, b2, a2] }
}

fn from_mercator(x: f64, y: f64) -> [f64; 2] {
    const RADIUS: f64 = 6_378_137.0;
    let round = |degrees: f64| (degrees * 1e8).round() / 1e8;
    let lat = 2.0 * (y / RADIUS).exp().atan() - std::f64::consts::FRAC_PI_2;
    [round((x / RADIUS).to_degrees()), round(lat.to_degrees())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axis_order_follows_the_notation() {
        let b = [45.0, 5.0, 48.0, 11.0];
        let swapped = [5.0, 45.0, 11.0, 48.0];
        for strict in [
            "urn:ogc:def:crs:EPSG::4326",
            "urn:ogc:def:crs:EPSG:6.9:4258",
            "http://www.opengis.net/def/crs/EPSG/0/4326",
        ] {
            assert_eq!(geographic_box(strict, b), Some(swapped), "{strict}");
        }
        for loose in [
            "EPSG:4326",
            "CRS:84",
            "urn:ogc:def:crs:OGC:1.3:CRS84",
            "http://www.opengis.net/gml/srs/epsg.xml#4326",
        ] {
            assert_eq!(geographic_box(loose, b), Some(b), "{loose}");
        }
        assert_eq!(geographic_box("EPSG:2056", b), None);
        assert_eq!(
            geographic_box("urn:ogc:def:crs:EPSG::4326", [-124.0, 46.0, -123.0, 47.0]),
            Some([-124.0, 46.0, -123.0, 47.0])
        );
    }

    #[test]
    fn web_mercator_is_turned_into_degrees() {
        let b = geographic_box(
            "urn:ogc:def:crs:EPSG::3857",
            [-20_037_508.342_789, 0.0, 20_037_508.342_789, 20_037_508.342_789],
        );
        let [west, south, east, north] = b.expect("a box");
        assert!(
            (west + 180.0).abs() < 1e-6
                && south.abs() < 1e-9
                && (east - 180.0).abs() < 1e-6
                && (north - 85.051_129).abs() < 1e-6
        );
    }
}
