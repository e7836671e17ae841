//! Metadata attributes of scientific files, following the ACDD 1.3 and CF conventions.

use super::bbox::classify_bbox;
use super::xml::tidy_text;
use crate::files::{FileDescription, MAX_ABSTRACT, MAX_TITLE, bbox_from_degrees};
use geotrawl_model::{Contact, Issue};

/// Value of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum AttributeValue {
    Text(String),
    Numbers(Vec<f64>),
}

/// Attributes by name, in file order. Lookups ignore case.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Attributes(pub Vec<(String, AttributeValue)>);

impl Attributes {
    fn get(&self, name: &str) -> Option<&AttributeValue> {
        self.0.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v)
    }

    /// Returns whether the attribute exists.
    pub fn has_attribute(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Returns a text attribute, tidied.
    pub fn text_value(&self, name: &str) -> Option<String> {
        match self.get(name)? {
            AttributeValue::Text(text) => tidy_text(text.trim_matches('\0'), MAX_ABSTRACT),
            AttributeValue::Numbers(_) => None,
        }
    }

    /// Returns the numbers of an attribute, also if they are written as text.
    pub fn numeric_values(&self, name: &str) -> Vec<f64> {
        match self.get(name) {
            Some(AttributeValue::Numbers(numbers)) => numbers.clone(),
            Some(AttributeValue::Text(text)) => {
                let clean = text.trim_matches('\0').trim();
                // "49.5" or "49.5N".
                let number = clean.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c.is_whitespace());
                number.parse().into_iter().collect()
            }
            None => Vec::new(),
        }
    }

    /// Returns the first number of an attribute.
    pub fn numeric_value(&self, name: &str) -> Option<f64> {
        self.numeric_values(name).first().copied()
    }
}

/// Fills a file description from the global attributes.
pub fn fill_metadata(sheet: &mut FileDescription, global: &Attributes) {
    let any = |names: &[&str]| names.iter().find_map(|name| global.text_value(name));
    sheet.title = any(&["title", "long_name"]);
    sheet.abstract_ = any(&["summary", "abstract", "description", "comment"]);
    sheet.licence = any(&["license", "licence"]).and_then(|l| tidy_text(&l, MAX_TITLE));
    sheet.provider = any(&["institution", "publisher_institution", "creator_institution", "publisher_name"])
        .and_then(|p| tidy_text(&p, MAX_TITLE));
    sheet.contact = Contact {
        person: any(&["creator_name", "contact"]),
        organisation: None,
        email: any(&["creator_email", "publisher_email"]),
        phone: None,
        url: any(&["creator_url", "publisher_url", "infoUrl"]),
    };
    if let Some(keywords) = any(&["keywords"]) {
        let separator = if keywords.contains(';') { ';' } else { ',' };
        let words = keywords.split(separator).filter_map(|k| tidy_text(k, 200));
        sheet.keywords = words.take(100).collect();
    }
    let (start, end) = (any(&["time_coverage_start"]), any(&["time_coverage_end"]));
    let day = |text: String| text.chars().take(40).collect::<String>();
    match (start.map(day), end.map(day)) {
        (Some(start), Some(end)) if start == end => sheet.time = vec![start],
        (Some(start), Some(end)) => sheet.time = vec![format!("{start}/{end}")],
        (Some(only), None) | (None, Some(only)) => sheet.time = vec![only],
        (None, None) => {}
    }
}

/// Returns `geospatial_lat_min` and its counterparts as `[west, south, east, north]`.
pub fn stated_bounds(global: &Attributes) -> Option<[f64; 4]> {
    let side = |names: &[&str]| names.iter().find_map(|name| global.numeric_value(name));
    Some([
        side(&[
            "geospatial_lon_min",
            "westernmost_longitude",
            "Westernmost_Easting",
            "WestBoundingCoordinate",
            "westBoundLongitude",
        ])?,
        side(&[
            "geospatial_lat_min",
            "southernmost_latitude",
            "Southernmost_Northing",
            "SouthBoundingCoordinate",
            "southBoundLatitude",
        ])?,
        side(&[
            "geospatial_lon_max",
            "easternmost_longitude",
            "Easternmost_Easting",
            "EastBoundingCoordinate",
            "eastBoundLongitude",
        ])?,
        side(&[
            "geospatial_lat_max",
            "northernmost_latitude",
            "Northernmost_Northing",
            "NorthBoundingCoordinate",
            "northBoundLatitude",
        ])?,
    ])
}

/// Sets the extent from the global attributes, or else from the ranges of the coordinate variables.
pub fn set_extent(
    sheet: &mut FileDescription,
    global: &Attributes,
    latitudes: Option<CoordinateRange>,
    longitudes: Option<CoordinateRange>,
) {
    let stated = stated_bounds(global).filter(|b| classify_bbox(*b).bbox().is_some());
    let extent = stated.or_else(|| {
        let (lat, lon) = latitudes.zip(longitudes)?;
        // In a grid around the globe, the last column is one step short of the first.
        let around = lon.max - lon.min + lon.step >= 359.5;
        let (west, east) = if around { (-180.0, 180.0) } else { (lon.min, lon.max) };
        Some([west, lat.min, east, lat.max])
    });
    if let Some(extent) = extent {
        let (bbox, issue) = bbox_from_degrees(extent);
        sheet.bbox = bbox;
        sheet.issues.extend(issue);
        if bbox.is_some() {
            sheet.crs = vec![super::crs::wgs84_code()];
        }
    } else {
        sheet.issues.push(Issue::new("bbox-missing", "no attribute or coordinate variable gives the extent"));
    }
}

/// Range of values in a coordinate variable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoordinateRange {
    pub min: f64,
    pub max: f64,
    /// Distance between neighbouring values; 0 if unknown or implausibly large.
    pub step: f64,
}

impl CoordinateRange {
    /// Returns the range of `values`, ignoring fill values and values beyond `limit`.
    pub fn from_values(values: &[f64], limit: f64, fill: Option<f64>) -> Option<Self> {
        let usable =
            |v: &&f64| v.is_finite() && v.abs() <= limit && fill.is_none_or(|f| f.to_bits() != v.to_bits());
        let mut kept = values.iter().filter(usable);
        let first = *kept.next()?;
        let (mut min, mut max) = (first, first);
        for value in kept {
            (min, max) = (min.min(*value), max.max(*value));
        }
        let step = match values {
            [a, b, ..] => (b - a).abs(),
            _ => 0.0,
        };
        Some(Self { min, max, step: if step.is_finite() && step < 30.0 { step } else { 0.0 } })
    }
}

/// Axis that a coordinate variable describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoordinateAxis {
    Latitude,
    Longitude,
}

impl CoordinateAxis {
    /// Detects the axis from the units, the standard name or the name of the variable.
    pub fn from_variable(name: &str, attributes: &Attributes) -> Option<Self> {
        let word = |name: &str| attributes.text_value(name).unwrap_or_default().to_ascii_lowercase();
        let (standard, units) = (word("standard_name"), word("units"));
        // Coordinates of a rotated pole are degrees, but not longitude and latitude.
        if standard.starts_with("grid_") || standard.contains("projection") {
            return None;
        }
        let degrees =
            |which: &str| units.replace(['_', ' '], "").starts_with("degree") && units.contains(which);
        let name = name.to_ascii_lowercase();
        if standard == "latitude"
            || degrees("north")
            || matches!(name.as_str(), "lat" | "latitude" | "nav_lat")
        {
            return Some(Self::Latitude);
        }
        if standard == "longitude"
            || degrees("east")
            || matches!(name.as_str(), "lon" | "long" | "longitude" | "nav_lon")
        {
            return Some(Self::Longitude);
        }
        None
    }

    /// Returns the largest absolute value that is plausible on this axis.
    pub fn max_degrees(self) -> f64 {
        match self {
            Self::Latitude => 90.5,
            Self::Longitude => 361.0,
        }
    }

    /// Returns the range that the attributes of the variable state.
    pub fn stated_range(self, attributes: &Attributes) -> Option<CoordinateRange> {
        let range = ["actual_range"].iter().map(|n| attributes.numeric_values(n)).find(|r| r.len() == 2)?;
        CoordinateRange::from_values(&range, self.max_degrees(), None)
            .map(|span| CoordinateRange { step: 0.0, ..span })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(pairs: &[(&str, &str)]) -> Attributes {
        Attributes(
            pairs.iter().map(|(n, v)| ((*n).to_owned(), AttributeValue::Text((*v).to_owned()))).collect(),
        )
    }

    #[test]
    fn the_conventions_fill_the_record() {
        let global = texts(&[
            ("title", "Sea surface"),
            ("keywords", "Oceans, Temperature"),
            ("time_coverage_start", "2020-01-01"),
            ("time_coverage_end", "2020-12-31"),
            ("geospatial_lat_min", "10.0"),
            ("geospatial_lat_max", "20N"),
            ("geospatial_lon_min", "350"),
            ("geospatial_lon_max", "358"),
        ]);
        let mut sheet = FileDescription::default();
        fill_metadata(&mut sheet, &global);
        set_extent(&mut sheet, &global, None, None);
        assert_eq!(sheet.title.as_deref(), Some("Sea surface"));
        assert_eq!(sheet.keywords, ["Oceans", "Temperature"]);
        assert_eq!(sheet.time, ["2020-01-01/2020-12-31"]);
        assert_eq!(sheet.bbox, Some([-10.0, 10.0, -2.0, 20.0].into()));
    }

    #[test]
    fn axes_are_known_by_units_names_and_standard_names() {
        assert_eq!(
            CoordinateAxis::from_variable("y", &texts(&[("units", "degrees_north")])),
            Some(CoordinateAxis::Latitude)
        );
        assert_eq!(CoordinateAxis::from_variable("LON", &texts(&[])), Some(CoordinateAxis::Longitude));
        assert_eq!(
            CoordinateAxis::from_variable(
                "rlat",
                &texts(&[("units", "degrees"), ("standard_name", "grid_latitude")])
            ),
            None
        );
        assert_eq!(CoordinateAxis::from_variable("lead", &texts(&[("units", "days")])), None);
    }

    #[test]
    fn a_grid_around_the_globe_is_the_globe() {
        let mut sheet = FileDescription::default();
        let lat = CoordinateRange::from_values(&[-89.0, -87.0, 89.0], 90.5, None);
        let lon = CoordinateRange::from_values(&[0.0, 2.0, 358.0], 361.0, None);
        set_extent(&mut sheet, &Attributes::default(), lat, lon);
        assert_eq!(sheet.bbox, Some([-180.0, -89.0, 180.0, 89.0].into()));
        assert_eq!(CoordinateRange::from_values(&[f64::NAN, 1e20], 90.5, None), None);
    }
}
