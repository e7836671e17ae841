//! Areas that are no countries: continents, mountains, seas, parts of countries. People ask for `bathymetry Baltic Sea`, and
//! hardly anything that lies there says so.

use super::lands::land_share;
use super::synonyms::COUNTRY;
use geotrawl_model::Bbox;
use std::sync::LazyLock;

pub const AREAS: &str = include_str!("areas.txt");

/// Codes of seas and of areas of land begin so; those of parts of countries with the code of the country.
const SEA: &str = "sea-";
const LAND: &str = "area-";

/// A box is about an area when so much of it lies in it, ...
const INSIDE: f64 = 0.6;
/// ... or both are so much the same.
const ALIKE: f64 = 0.35;
/// A box in a sea has some land around it, but not so much.
const MOST_LAND: f32 = 0.6;
/// What is about a continent is not as small as a town.
const LEAST_OF_LAND: f64 = 0.1;

/// A line of a list: `@code west south east north, name, name`.
#[derive(Debug)]
pub struct NamedArea {
    pub code: &'static str,
    pub bbox: Bbox,
    pub names: Vec<&'static str>,
}

impl NamedArea {
    /// The country of which it is a part, by its code.
    pub fn country_code(&self) -> Option<&'static str> {
        let (country, _) = self.code.split_once('-')?;
        (country.len() == 2).then_some(country)
    }
}

/// The lines of a list.
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

/// The areas that a box is about, by their codes.
pub fn areas_of_box(bbox: &Bbox) -> Vec<&'static str> {
    let size = size(bbox);
    let in_water = LazyLock::new(|| land_share(bbox) <= MOST_LAND);
    let is_about = |area: &&NamedArea| {
        let (shared, whole) = (shared(bbox, &area.bbox), self::size(&area.bbox));
        // Points are in it, or not.
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

/// West and east, east beyond 180 where a box crosses the date line.
fn span(bbox: &Bbox) -> (f64, f64) {
    (bbox.west, if bbox.west > bbox.east { bbox.east + 360.0 } else { bbox.east })
}

fn size(bbox: &Bbox) -> f64 {
    let (west, east) = span(bbox);
    (east - west) * (bbox.north - bbox.south)
}

/// How much two boxes have in common, in square degrees.
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
        // Points too.
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
