//! Named areas other than countries: continents, mountains, seas, parts of countries. People search
//! for `bathymetry Baltic Sea`, but hardly any data there mentions the name.

use super::lands::land_share;
use super::synonyms::COUNTRY;
use geotrawl_model::Bbox;
use std::sync::LazyLock;

pub const AREAS: &str = include_str!("areas.txt");

/// Prefixes of the codes of seas and of land areas; parts of countries start with the country code.
const SEA: &str = "sea-";
const LAND: &str = "area-";

/// A box belongs to an area if at least this share of the box lies inside, ...
const INSIDE: f64 = 0.6;
/// ... or if intersection over union reaches this value.
const ALIKE: f64 = 0.35;
/// Maximum share of land in a box that belongs to a sea.
const MOST_LAND: f32 = 0.6;
/// Minimum share of a land area that a box must cover, so that a town does not match its continent.
const LEAST_OF_LAND: f64 = 0.1;

/// A line of a list: `@code west south east north, name, name`.
#[derive(Debug)]
pub struct NamedArea {
    pub code: &'static str,
    pub bbox: Bbox,
    pub names: Vec<&'static str>,
}

impl NamedArea {
    /// Returns the code of the country that this area is part of.
    pub fn country_code(&self) -> Option<&'static str> {
        let (country, _) = self.code.split_once('-')?;
        (country.len() == 2).then_some(country)
    }
}

/// Parses the lines of a list.
pub fn parse_areas(list: &'static str) -> impl Iterator<Item = NamedArea> {
    list.lines().filter_map(|line| {
        let mut parts = line.strip_prefix(COUNTRY)?.split(',').map(str::trim);
        let mut first = parts.next()?.split(' ');
        let code = first.next()?;
        let mut number = || first.next()?.parse::<f64>().ok();
        let bbox = Bbox { west: number()?, south: number()?, east: number()?, north: number()? };
        Some(NamedArea { code, bbox, names: parts.collect() })
    })
}

static ALL: LazyLock<Vec<NamedArea>> = LazyLock::new(|| parse_areas(AREAS).collect());

/// Returns the codes of the areas that a box belongs to.
pub fn areas_of_box(bbox: &Bbox) -> Vec<&'static str> {
    let size = size(bbox);
    let in_water = LazyLock::new(|| land_share(bbox) <= MOST_LAND);
    let is_about = |area: &&NamedArea| {
        let (shared, whole) = (shared(bbox, &area.bbox), self::size(&area.bbox));
        // Points have no area: they are either inside or not.
        let inside = if size > 0.0 { shared / size } else { f64::from(u8::from(touches(bbox, &area.bbox))) };
        let alike = shared / (size + whole - shared).max(f64::MIN_POSITIVE);
        if inside < INSIDE && alike < ALIKE {
            return false;
        }
        if area.code.starts_with(LAND) {
            return shared >= LEAST_OF_LAND * whole;
        }
        !area.code.starts_with(SEA) || *in_water
    };
    ALL.iter().filter(is_about).map(|area| area.code).collect()
}

/// Returns west and east; east exceeds 180 if the box crosses the antimeridian.
fn span(bbox: &Bbox) -> (f64, f64) {
    (bbox.west, if bbox.west > bbox.east { bbox.east + 360.0 } else { bbox.east })
}

fn size(bbox: &Bbox) -> f64 {
    let (west, east) = span(bbox);
    (east - west) * (bbox.north - bbox.south)
}

/// Returns the intersection of two boxes in square degrees.
fn shared(one: &Bbox, other: &Bbox) -> f64 {
    let high = one.north.min(other.north) - one.south.max(other.south);
    let ((west, east), (from, to)) = (span(one), span(other));
    let wide = [-360.0, 0.0, 360.0].map(|turn| (east.min(to + turn) - west.max(from + turn)).max(0.0));
    high.max(0.0) * wide.iter().sum::<f64>()
}

fn touches(one: &Bbox, other: &Bbox) -> bool {
    let ((west, east), (from, to)) = (span(one), span(other));
    let beside = [-360.0, 0.0, 360.0].iter().any(|turn| east >= from + turn && west <= to + turn);
    beside && one.north >= other.south && one.south <= other.north
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about_box(bbox: [f64; 4]) -> Vec<&'static str> {
        areas_of_box(&bbox.into())
    }

    #[test]
    fn a_box_is_about_what_it_lies_in() {
        assert_eq!(about_box([-105.1, 39.6, -104.6, 39.9]), ["us-colorado"]);
        assert_eq!(about_box([-110.0, 36.5, -101.5, 41.5]), ["us-colorado"]);
        assert!(about_box([18.0, 56.0, 21.0, 59.0]).contains(&"sea-baltic-sea"));
        // Points match, too.
        assert_eq!(about_box([-104.9, 39.7, -104.9, 39.7]), ["us-colorado"]);
    }

    #[test]
    fn land_is_no_sea_and_a_town_no_continent() {
        let berlin = about_box([13.0, 52.3, 13.8, 52.7]);
        assert!(!berlin.iter().any(|code| code.starts_with(SEA)), "{berlin:?}");
        assert!(!berlin.contains(&"area-europe"));
        assert!(about_box([-20.0, 35.0, 40.0, 70.0]).contains(&"area-europe"));
        assert!(about_box([-180.0, -90.0, 180.0, 90.0]).is_empty());
    }

    #[test]
    fn the_date_line_is_in_the_middle_of_an_ocean() {
        assert!(about_box([170.0, -20.0, -170.0, 10.0]).contains(&"sea-pacific-ocean"));
        assert!(about_box([-179.0, -30.0, -170.0, -20.0]).contains(&"sea-pacific-ocean"));
    }
}
