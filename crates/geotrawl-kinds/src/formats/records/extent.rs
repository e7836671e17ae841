//! Extents of records: boxes given by four edges, by two corners in some coordinate system, or as
//! text.

use crate::formats::bbox::{BboxUnion, BoxClass, classify_bbox, parse_corner, parse_decimal};
use crate::formats::crs::{CrsRef, to_wgs84};
use geotrawl_model::Bbox;

/// Union of all boxes of a record, with the first issue.
#[derive(Debug, Default)]
pub struct RecordExtent {
    union: BboxUnion,
    /// The whole globe, which usually means "unknown" and counts only if it is the only box.
    world: Option<Bbox>,
    edges: [Option<f64>; 4],
    issue: Option<(&'static str, &'static str)>,
}

/// Edge of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoxEdge {
    West,
    South,
    East,
    North,
}

impl RecordExtent {
    /// Sets one edge of a box in degrees.
    pub fn set_edge(&mut self, edge: BoxEdge, text: &str) {
        self.edges[edge as usize] = parse_decimal(text).or_else(|| hemisphere(text));
    }

    /// Adds the box of the four edges.
    pub fn close_box(&mut self) {
        if let [Some(west), Some(south), Some(east), Some(north)] = std::mem::take(&mut self.edges) {
            self.add_box(classify_bbox([west, south, east, north]));
        }
    }

    /// Adds a classified box.
    pub fn add_box(&mut self, class: BoxClass) {
        match class.bbox() {
            Some(b) if b.east - b.west >= 360.0 && b.north - b.south >= 180.0 => self.world = Some(b),
            Some(b) => self.union.add(b),
            None => {}
        }
        self.issue = self.issue.or_else(|| class.issue());
    }

    /// Adds two corners in a named system.
    pub fn add_corners(&mut self, crs: Option<&str>, lower: &str, upper: &str) {
        let (Some(lower), Some(upper)) = (parse_corner(lower), parse_corner(upper)) else { return };
        self.add_box(wgs84_box(crs, lower, upper));
    }

    /// Adds a box in the text notation of Dublin Core. Returns whether the text is one.
    pub fn add_dcmi_box(&mut self, text: &str) -> bool {
        let Some(written) = in_words(text) else { return false };
        self.add_box(classify_bbox(written));
        true
    }

    /// Returns the union of all boxes.
    pub fn bbox(&self) -> Option<Bbox> {
        self.union.bbox().or(self.world)
    }

    /// Returns the first issue with a box.
    pub fn issue(&self) -> Option<(&'static str, &'static str)> {
        self.issue
    }
}

/// Returns whether corners in this notation of WGS84 start with the latitude: URNs and URIs of the
/// EPSG code do, the short `EPSG:4326` and all spellings of CRS84 do not. Returns `None` for other
/// systems.
pub fn latitude_first(crs: Option<&str>) -> Option<bool> {
    let Some(crs) = crs.map(str::trim).filter(|crs| !crs.is_empty()) else { return Some(false) };
    let ends = |tail: &str| {
        crs.len() >= tail.len()
            && crs.is_char_boundary(crs.len() - tail.len())
            && crs[crs.len() - tail.len()..].eq_ignore_ascii_case(tail)
    };
    if ends("crs84") || ends(":84") || ends("WGS 1984") || ends("WGS84") || ends("WGS 84") {
        return Some(false);
    }
    // 4258, 4269, 4979 and others differ from WGS84 by less than the precision of a record's box.
    if !(ends("4326") || ends("4979") || ends("4258") || ends("4269")) {
        return None;
    }
    let begins = |head: &str| crs.get(..head.len()).is_some_and(|h| h.eq_ignore_ascii_case(head));
    Some(begins("urn:") || crs.contains("/def/crs/"))
}

/// Converts two corners in a named system to a box in degrees.
///
/// Corrects common mistakes: impossible latitudes are longitudes, and a box that goes the long way
/// round the globe has its east and west swapped (old GeoNetworks write the south-east and the
/// north-west corner).
pub fn wgs84_box(crs: Option<&str>, lower: (f64, f64), upper: (f64, f64)) -> BoxClass {
    let ((a1, b1), (a2, b2)) = (lower, upper);
    let Some(latitude_first) = latitude_first(crs) else {
        return projected(crs.unwrap_or_default(), lower, upper);
    };
    let not_latitudes = a1.abs() > 90.0 || a2.abs() > 90.0;
    let [mut west, south, mut east, north] =
        if latitude_first && !not_latitudes { [b1, a1, b2, a2] } else { [a1, b1, a2, b2] };
    if west > east && west - east <= 180.0 && west <= 180.0 && east >= -180.0 {
        std::mem::swap(&mut west, &mut east);
    }
    classify_bbox([west, south, east, north])
}

fn projected(crs: &str, (a1, b1): (f64, f64), (a2, b2): (f64, f64)) -> BoxClass {
    // The name means nothing to us, so assume degrees.
    let Some(system) = CrsRef::from_text(crs) else { return classify_bbox([a1, b1, a2, b2]) };
    let strict = crs.trim_start().starts_with("urn:") || crs.contains("/def/crs/");
    let written = if strict && system.north_first() { [b1, a1, b2, a2] } else { [a1, b1, a2, b2] };
    match to_wgs84(&system, written) {
        Ok(b) => classify_bbox(b.into()),
        Err(_issue) => BoxClass::Projected,
    }
}

/// Parses a number with its hemisphere, such as `12.5W` or `45N`.
fn hemisphere(text: &str) -> Option<f64> {
    let text = text.trim();
    let (digits, sign) = match text.as_bytes().last()? {
        b'W' | b'w' | b'S' | b's' => (&text[..text.len() - 1], -1.0),
        b'E' | b'e' | b'N' | b'n' => (&text[..text.len() - 1], 1.0),
        _ => return None,
    };
    parse_decimal(digits.trim_end_matches(['°', ' '])).map(|v| v * sign)
}

/// Parses a DCMI Box such as `northlimit=47; southlimit=45; westlimit=5; eastlimit=10` or `North
/// 47, South 45, East 10, West 5. (Switzerland)`: the name of each edge, followed by its number.
fn in_words(text: &str) -> Option<[f64; 4]> {
    if text.len() > 4096 || !text.is_ascii() && text.len() > 1024 {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    let mut edges = [None; 4];
    for (slot, name) in edges.iter_mut().zip(["west", "south", "east", "north"]) {
        for (at, _) in lower.match_indices(name) {
            let rest = lower[at + name.len()..].trim_start_matches(|c: char| c.is_alphabetic());
            let rest = rest.trim_start_matches([' ', ':', '=']);
            let end = rest.find(|c: char| !(c.is_ascii_digit() || "+-.eE".contains(c))).unwrap_or(rest.len());
            if let Some(value) = parse_decimal(rest[..end].trim_end_matches('.')) {
                *slot = Some(value);
                break;
            }
        }
    }
    let [west, south, east, north] = edges;
    Some([west?, south?, east?, north?])
}
