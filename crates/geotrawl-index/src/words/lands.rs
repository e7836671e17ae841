//! Finds the countries of a box: people search for `buildings Netherlands`, but most services name
//! no country.

use geotrawl_model::Bbox;
use std::collections::HashMap;
use std::sync::LazyLock;

const LANDS: &str = include_str!("lands.txt");

/// Grid cells per degree.
const FINE: f64 = 4.0;
const COLUMNS: usize = 1440;
/// A box that covers a larger share of the globe belongs to no country: the largest countries cover
/// a tenth, including the seas in between.
const TOO_LARGE: f64 = 0.15;
/// A box belongs to a country that has at least this share of the land in the box, ...
const MOSTLY: f32 = 0.5;
/// ... or to a country that lies mostly inside the box and has some of its land: boxes of elongated
/// countries include much of their neighbours.
const WHOLE: f32 = 0.8;
const SOME: f32 = 0.1;

/// Consecutive cells of one country.
#[derive(Debug, Clone, Copy)]
struct CountryRun {
    from: u16,
    to: u16,
    country: u8,
}

struct CountryGrid {
    /// ISO 3166 codes in lower case.
    codes: Vec<String>,
    /// Rows of the grid from north to south.
    rows: Vec<Vec<CountryRun>>,
    /// Area of each country, in cells at the equator.
    sizes: Vec<f32>,
}

static ALL: LazyLock<CountryGrid> = LazyLock::new(|| {
    let mut numbers: HashMap<String, u8> = HashMap::new();
    let mut lands = CountryGrid { codes: Vec::new(), rows: Vec::new(), sizes: Vec::new() };
    for line in LANDS.lines().filter(|line| !line.starts_with('#')) {
        let mut row = Vec::new();
        let mut from = 0_u16;
        for run in line.split(' ').filter(|run| !run.is_empty()) {
            let (length, code) = run.split_at(run.find(|c: char| c.is_alphabetic()).unwrap_or(run.len()));
            let to = from + length.parse::<u16>().unwrap_or_default();
            if !code.is_empty() {
                let country = *numbers.entry(code.to_lowercase()).or_insert_with_key(|code| {
                    lands.codes.push(code.clone());
                    lands.sizes.push(0.0);
                    (lands.codes.len() - 1) as u8
                });
                lands.sizes[usize::from(country)] += f32::from(to - from) * width(lands.rows.len());
                row.push(CountryRun { from, to, country });
            }
            from = to;
        }
        lands.rows.push(row);
    }
    lands
});

/// Returns the width of a cell in a row, relative to the equator.
fn width(row: usize) -> f32 {
    (90.0 - (row as f64 + 0.5) / FINE).to_radians().cos() as f32
}

/// Returns the lower-case codes of the countries that a box belongs to. Empty for boxes that span
/// many countries.
pub fn countries_of_box(bbox: &Bbox) -> Vec<&'static str> {
    let degrees = if bbox.west > bbox.east { bbox.east + 360.0 - bbox.west } else { bbox.east - bbox.west };
    let high = bbox.north.to_radians().sin() - bbox.south.to_radians().sin();
    if degrees / 360.0 * high / 2.0 > TOO_LARGE {
        return Vec::new();
    }
    let lands = &*ALL;
    let GridCells { shares, land, .. } = cells(bbox);
    let about = |country: usize| {
        let share = shares[country];
        share > 0.0
            && (share >= MOSTLY * land || share >= WHOLE * lands.sizes[country] && share >= SOME * land)
    };
    (0..shares.len()).filter(|country| about(*country)).map(|country| &*lands.codes[country]).collect()
}

/// Returns the share of land in a box, from 0 to 1.
pub fn land_share(bbox: &Bbox) -> f32 {
    let GridCells { land, all, .. } = cells(bbox);
    if all > 0.0 { land / all } else { 0.0 }
}

/// Areas within a box, in cells at the equator.
struct GridCells {
    /// By country.
    shares: Vec<f32>,
    land: f32,
    all: f32,
}

fn cells(bbox: &Bbox) -> GridCells {
    let lands = &*ALL;
    let spans = if bbox.west > bbox.east {
        vec![(bbox.west, 180.0), (-180.0, bbox.east)]
    } else {
        vec![(bbox.west, bbox.east)]
    };
    // Rows and columns whose centres lie in the box; for a small box, the cell that contains its
    // centre.
    let within = |from: f64, to: f64, most: usize| {
        let (first, end) = ((from * FINE - 0.5).ceil(), (to * FINE - 0.5).floor() + 1.0);
        let (first, end) = if first < end {
            (first, end)
        } else {
            let middle = (f64::midpoint(from, to) * FINE).floor();
            (middle, middle + 1.0)
        };
        let kept = |value: f64| (value.max(0.0) as usize).min(most);
        (kept(first).min(most - 1), kept(end))
    };
    let mut shares = vec![0.0_f32; lands.codes.len()];
    let mut all = 0.0;
    // On a coast, the land may begin in the next cell.
    for beyond in [0.0, 1.0 / FINE] {
        let (top, bottom) = within(90.0 - bbox.north - beyond, 90.0 - bbox.south + beyond, lands.rows.len());
        if shares.iter().any(|share| *share > 0.0) {
            break;
        }
        all = 0.0;
        for (row, runs) in lands.rows.iter().enumerate().take(bottom).skip(top) {
            for (west, east) in &spans {
                let (from, to) = within(west + 180.0 - beyond, east + 180.0 + beyond, COLUMNS);
                all += to.saturating_sub(from) as f32 * width(row);
                let first = runs.partition_point(|run| usize::from(run.to) <= from);
                for run in runs[first..].iter().take_while(|run| usize::from(run.from) < to) {
                    let shared = usize::from(run.to).min(to) - usize::from(run.from).max(from);
                    shares[usize::from(run.country)] += shared as f32 * width(row);
                }
            }
        }
    }
    GridCells { land: shares.iter().sum(), shares, all }
}

/// Returns the country of a language that is hardly spoken elsewhere.
pub fn country_of_language(code: &str) -> Option<&'static str> {
    let known = [
        ("fi", "fi"),
        ("pl", "pl"),
        ("cs", "cz"),
        ("da", "dk"),
        ("no", "no"),
        ("sv", "se"),
        ("hu", "hu"),
        ("ro", "ro"),
        ("it", "it"),
        ("nl", "nl"),
        ("el", "gr"),
        ("tr", "tr"),
    ];
    known.iter().find(|(language, _)| *language == code).map(|(_, country)| *country)
}

/// Returns the country of a host by its top-level domain, except for domains that are sold
/// worldwide.
pub fn country_of_host(host: &str) -> Option<&'static str> {
    const SOLD: [&str; 12] = ["io", "ai", "me", "tv", "co", "cc", "ws", "to", "fm", "ly", "gl", "sh"];
    let end = host.rsplit('.').next()?.to_ascii_lowercase();
    let code = if end == "uk" { "gb" } else { &end };
    if !host.contains('.') || SOLD.contains(&code) {
        return None;
    }
    ALL.codes.iter().find(|known| *known == code).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(box_: [f64; 4]) -> Vec<&'static str> {
        let mut found = countries_of_box(&Bbox::from(box_));
        found.sort_unstable();
        found
    }

    #[test]
    fn a_box_is_about_the_country_that_it_holds() {
        for (box_, wanted) in [
            // A country, a part of one, a city, a point.
            ([3.3, 50.7, 7.3, 53.6], "nl"),
            ([15.6, 59.3, 33.2, 70.1], "fi"),
            ([2.5, 50.68, 5.93, 51.5], "be"),
            ([16.2, 48.1, 16.6, 48.3], "at"),
            ([24.94, 60.17, 24.94, 60.17], "fi"),
            // Larger than the country, as projected grids make them.
            ([3.6, 44.2, 13.7, 48.9], "ch"),
            ([-126.0, 24.0, -66.0, 50.0], "us"),
            // Over the antimeridian.
            ([166.0, -47.5, -176.0, -34.0], "nz"),
            ([176.8, -19.2, -179.8, -16.0], "fj"),
        ] {
            assert!(at(box_).contains(&wanted), "{box_:?}: {:?}, not {wanted}", at(box_));
        }
        assert_eq!(at([3.3, 50.7, 7.3, 53.6]), ["nl"]);
        assert_eq!(at([-180.0, -90.0, 180.0, 90.0]), Vec::<&str>::new());
        // Neither Europe nor the sea is a country.
        assert_eq!(at([-11.0, 35.0, 33.0, 71.0]), Vec::<&str>::new());
        assert_eq!(at([-40.0, 30.0, -39.0, 31.0]), Vec::<&str>::new());
    }

    #[test]
    fn no_box_is_too_odd() {
        for box_ in [[180.0, 90.0, 180.0, 90.0], [-180.0, -90.0, -180.0, -90.0], [179.9, 89.9, -179.9, 90.0]]
        {
            assert!(at(box_).len() <= 1, "{box_:?}");
        }
    }

    #[test]
    fn hosts_and_languages_tell_of_countries() {
        assert_eq!(country_of_host("paikkatieto.example.fi"), Some("fi"));
        assert_eq!(country_of_host("maps.example.co.uk"), Some("gb"));
        assert_eq!(country_of_host("example.io"), None);
        assert_eq!(country_of_host("localhost"), None);
        assert_eq!(country_of_language("fi"), Some("fi"));
        assert_eq!(country_of_language("en"), None);
    }
}
