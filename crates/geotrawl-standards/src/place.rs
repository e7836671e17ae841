//! Parses geometries in queries (coordinates with reference system and axis order, WKT) into their
//! bounding box.

use geotrawl_model::Bbox;

/// Maximum number of coordinates per geometry.
pub const MOST_NUMBERS: usize = 20_000;

/// Sphere radius of Web Mercator.
const RADIUS: f64 = 6_378_137.0;

/// Axis order and unit of coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AxisOrder {
    LonLat,
    LatLon,
    /// Web Mercator metres, east and north.
    Mercator,
}

/// Returns the axis order of a reference system; `None` if it is not supported. URNs and HTTP URIs
/// use the order of the authority, latitude first; the short form and a missing reference system
/// mean longitude first.
pub fn axis_order(crs: Option<&str>) -> Option<AxisOrder> {
    let Some(crs) = crs.map(str::trim).filter(|crs| !crs.is_empty()) else { return Some(AxisOrder::LonLat) };
    let lower = crs.to_ascii_lowercase();
    if lower.ends_with("crs84") || lower.ends_with("wgs84") {
        return Some(AxisOrder::LonLat);
    }
    let code = lower.rsplit([':', '/', '#']).next().unwrap_or_default();
    match code {
        "4326" | "4258" | "4269" | "4979" => {
            let official = lower.starts_with("urn:") || lower.contains("/def/crs/");
            Some(if official { AxisOrder::LatLon } else { AxisOrder::LonLat })
        }
        "3857" | "900913" | "102100" | "3785" => Some(AxisOrder::Mercator),
        _ => None,
    }
}

/// Returns the box of two corners. Swaps the axes if the latitudes are out of range, because
/// clients confuse the order.
pub fn bbox_from_corners(lower: (f64, f64), upper: (f64, f64), axes: AxisOrder) -> Option<Bbox> {
    let bbox = match axes {
        AxisOrder::LonLat => Bbox { west: lower.0, south: lower.1, east: upper.0, north: upper.1 },
        AxisOrder::LatLon => Bbox { west: lower.1, south: lower.0, east: upper.1, north: upper.0 },
        AxisOrder::Mercator => {
            let lon = |x: f64| (x / RADIUS).to_degrees();
            let lat = |y: f64| (2.0 * (y / RADIUS).exp().atan() - std::f64::consts::FRAC_PI_2).to_degrees();
            Bbox { west: lon(lower.0), south: lat(lower.1), east: lon(upper.0), north: lat(upper.1) }
        }
    };
    // Tolerates longitudes that wrap around and latitudes with rounding errors.
    let sound = |bbox: &Bbox| {
        let all = [bbox.west, bbox.south, bbox.east, bbox.north];
        all.iter().all(|value| value.is_finite() && value.abs() <= 720.0)
            && bbox.south <= bbox.north
            && bbox.south >= -90.01
            && bbox.north <= 90.01
    };
    let turned = Bbox { west: bbox.south, south: bbox.west, east: bbox.north, north: bbox.east };
    let beyond = axes != AxisOrder::Mercator && (bbox.south.abs() > 90.01 || bbox.north.abs() > 90.01);
    let found = Some(if beyond { turned } else { bbox }).filter(sound)?;
    Some(Bbox { south: found.south.max(-90.0), north: found.north.min(90.0), ..found })
}

/// Returns the box around positions `x y x y ...`.
pub fn bbox_around(numbers: &[f64], axes: AxisOrder) -> Option<Bbox> {
    let mut pairs = numbers.chunks_exact(2);
    let first = pairs.next()?;
    let mut low = (first[0], first[1]);
    let mut high = low;
    for pair in pairs {
        low = (low.0.min(pair[0]), low.1.min(pair[1]));
        high = (high.0.max(pair[0]), high.1.max(pair[1]));
    }
    bbox_from_corners(low, high, axes)
}

/// Parses numbers separated by spaces and commas; `None` if there is anything else, or too many.
pub fn parse_numbers(text: &str) -> Option<Vec<f64>> {
    let mut numbers = Vec::new();
    for part in text.split(|c: char| c.is_whitespace() || c == ',').filter(|part| !part.is_empty()) {
        if numbers.len() >= MOST_NUMBERS {
            return None;
        }
        numbers.push(part.parse::<f64>().ok().filter(|number| number.is_finite())?);
    }
    Some(numbers)
}

/// Parses `minx,miny,maxx,maxy[,crs]`.
pub fn parse_bbox(text: &str) -> Option<Bbox> {
    let mut parts = text.splitn(5, ',');
    let mut number = || parts.next()?.trim().parse::<f64>().ok();
    let (lower, upper) = ((number()?, number()?), (number()?, number()?));
    bbox_from_corners(lower, upper, axis_order(parts.next())?)
}

/// Returns the box of a WKT geometry, longitude first. Also accepts `ENVELOPE(west, east, south,
/// north)`.
pub fn bbox_of_wkt(text: &str) -> Option<Bbox> {
    let text = text.trim();
    // EWKT has `SRID=...;` before the geometry.
    let text = text.split_once(';').map_or(text, |(_, rest)| rest).trim();
    let open = text.find('(')?;
    let name = text.get(..open)?.trim().to_ascii_uppercase();
    let inside: String =
        text.get(open..)?.chars().map(|c| if matches!(c, '(' | ')') { ' ' } else { c }).collect();
    let mut name = name.split_whitespace();
    let (kind, dimensions) = (name.next()?, name.next());
    if kind == "ENVELOPE" {
        let numbers = parse_numbers(&inside)?;
        let [west, east, south, north] = numbers[..] else { return None };
        return bbox_from_corners((west, south), (east, north), AxisOrder::LonLat);
    }
    if !matches!(kind, "POINT" | "LINESTRING" | "POLYGON" | "MULTIPOINT" | "MULTILINESTRING" | "MULTIPOLYGON")
    {
        return None;
    }
    let per_position = match dimensions {
        // If the name has no dimensions, the first position shows how many numbers each has.
        None => inside.split(',').next()?.split_whitespace().count().max(2),
        Some("Z" | "M") => 3,
        Some("ZM") => 4,
        Some(_) => return None,
    };
    let numbers = parse_numbers(&inside)?;
    let flat: Vec<f64> =
        numbers.chunks_exact(per_position).flat_map(|position| [position[0], position[1]]).collect();
    bbox_around(&flat, AxisOrder::LonLat)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn boxed(west: f64, south: f64, east: f64, north: f64) -> Bbox {
        Bbox { west, south, east, north }
    }

    #[test]
    fn axes_are_those_of_the_reference_system() {
        assert_eq!(axis_order(None), Some(AxisOrder::LonLat));
        for official in [
            "urn:ogc:def:crs:EPSG::4326",
            "urn:x-ogc:def:crs:EPSG:6.11:4326",
            "http://www.opengis.net/def/crs/EPSG/0/4326",
        ] {
            assert_eq!(axis_order(Some(official)), Some(AxisOrder::LatLon), "{official}");
        }
        for short in [
            "EPSG:4326",
            "http://www.opengis.net/gml/srs/epsg.xml#4326",
            "urn:ogc:def:crs:OGC:1.3:CRS84",
            "CRS:84x4326",
        ] {
            assert!(matches!(axis_order(Some(short)), Some(AxisOrder::LonLat) | None), "{short}");
        }
        assert_eq!(axis_order(Some("EPSG:3857")), Some(AxisOrder::Mercator));
        assert_eq!(axis_order(Some("EPSG:25832")), None);
    }

    #[test]
    fn boxes_are_read() {
        assert_eq!(parse_bbox("5,50,6,51"), Some(boxed(5.0, 50.0, 6.0, 51.0)));
        assert_eq!(parse_bbox("50,5,51,6,urn:ogc:def:crs:EPSG::4326"), Some(boxed(5.0, 50.0, 6.0, 51.0)));
        // Longitude where latitude should be.
        assert_eq!(
            parse_bbox("-180,-90,180,90,urn:ogc:def:crs:EPSG::4326"),
            Some(boxed(-180.0, -90.0, 180.0, 90.0))
        );
        let web = parse_bbox("-20037508.34,-20037508.34,20037508.34,20037508.34,EPSG:3857").expect("a box");
        assert!((web.west + 180.0).abs() < 0.01 && (web.north - 85.05).abs() < 0.01);
        for bad in ["", "1,2,3", "a,b,c,d", "0,10,1,5", "0,0,NaN,1", "1,2,3,4,EPSG:25832", "1e9,1,2,3"] {
            assert_eq!(parse_bbox(bad), None, "{bad}");
        }
    }

    #[test]
    fn geometries_are_read() {
        assert_eq!(bbox_of_wkt("POLYGON((5 50, 6 50, 6 51, 5 51, 5 50))"), Some(boxed(5.0, 50.0, 6.0, 51.0)));
        assert_eq!(bbox_of_wkt("POINT Z (5 50 7)"), Some(boxed(5.0, 50.0, 5.0, 50.0)));
        assert_eq!(bbox_of_wkt("SRID=4326;point(5 50)"), Some(boxed(5.0, 50.0, 5.0, 50.0)));
        assert_eq!(bbox_of_wkt("ENVELOPE(5, 6, 50, 51)"), Some(boxed(5.0, 50.0, 6.0, 51.0)));
        assert_eq!(bbox_of_wkt("MULTIPOINT((1 2), (3 4))"), Some(boxed(1.0, 2.0, 3.0, 4.0)));
        for bad in ["", "POINT", "POINT()", "CIRCLE(1 2)", "POINT(a b)", "ENVELOPE(1,2)"] {
            assert_eq!(bbox_of_wkt(bad), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[A-Z(), 0-9.;-]{0,60}", other in any::<String>()) {
            let _ = (bbox_of_wkt(&text), parse_bbox(&text), bbox_of_wkt(&other), parse_bbox(&other), axis_order(Some(&other)));
        }
    }
}
