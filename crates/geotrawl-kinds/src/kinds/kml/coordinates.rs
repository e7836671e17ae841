//! Parses KML coordinates: `lon,lat[,alt]` tuples with all deviations found in practice.

use geotrawl_model::Bbox;

/// Maximum length of a tuple; longer ones are not coordinates.
const MAX_TUPLE: usize = 256;

/// Box around everything added so far.
#[derive(Debug, Default)]
pub(super) struct KmlExtent {
    bbox: Option<Bbox>,
    /// Box across the antimeridian; kept separately only as long as nothing else is added.
    crossing: Option<Bbox>,
    broken: u64,
}

impl KmlExtent {
    /// Adds a point; an invalid one is only counted.
    pub(super) fn add_point(&mut self, longitude: f64, latitude: f64) {
        let Some((longitude, latitude)) = on_earth(longitude, latitude) else {
            self.broken += 1;
            return;
        };
        match &mut self.bbox {
            None => {
                self.bbox = Some(Bbox { west: longitude, south: latitude, east: longitude, north: latitude });
            }
            Some(b) => {
                b.west = b.west.min(longitude);
                b.east = b.east.max(longitude);
                b.south = b.south.min(latitude);
                b.north = b.north.max(latitude);
            }
        }
    }

    /// Adds a box; returns `false` if it is invalid. `west > east` crosses the antimeridian.
    pub(super) fn add_box(&mut self, west: f64, south: f64, east: f64, north: f64) -> bool {
        let degrees = -360.0..=360.0;
        if south > north || !degrees.contains(&west) || !degrees.contains(&east) {
            return false;
        }
        if on_earth(0.0, south).is_none() || on_earth(0.0, north).is_none() {
            return false;
        }
        let crosses = west > east || west < -180.0 || east > 180.0;
        if crosses && self.bbox.is_none() && self.crossing.is_none() {
            let (west, east) = (wrapped(west), wrapped(east));
            self.crossing = Some(Bbox { west, south, east, north });
        } else if crosses {
            self.add_point(-180.0, south);
            self.add_point(180.0, north);
        } else {
            self.add_point(west, south);
            self.add_point(east, north);
        }
        true
    }

    /// Returns the number of tuples that were not coordinates.
    pub(super) fn broken_count(&self) -> u64 {
        self.broken
    }

    /// Returns the box. Together with other places, a box across the antimeridian is widened to all
    /// longitudes, since it is unknown on which side the others are.
    pub(super) fn bbox(&self) -> Option<Bbox> {
        match (self.bbox, self.crossing) {
            (Some(b), Some(c)) => Some(Bbox {
                west: -180.0,
                south: b.south.min(c.south),
                east: 180.0,
                north: b.north.max(c.north),
            }),
            (b, c) => b.or(c),
        }
    }
}

/// Normalises a longitude to -180 to 180.
fn wrapped(longitude: f64) -> f64 {
    if (-180.0..=180.0).contains(&longitude) {
        longitude
    } else {
        (longitude + 540.0).rem_euclid(360.0) - 180.0
    }
}

fn on_earth(longitude: f64, latitude: f64) -> Option<(f64, f64)> {
    // Some producers use longitudes from 0 to 360.
    let longitude = if longitude > 180.0 && longitude <= 360.0 { longitude - 360.0 } else { longitude };
    ((-180.0..=180.0).contains(&longitude) && (-90.0..=90.0).contains(&latitude))
        .then_some((longitude, latitude))
}

/// Splits text into tuples as it arrives, in pieces of any size.
///
/// Tuples are separated by white space; a space beside a comma belongs to the tuple (`8.5, 47.3,
/// 0`), a common mistake that all viewers accept.
#[derive(Debug, Default)]
pub(super) struct TupleReader {
    tuple: String,
    space: bool,
    too_long: bool,
}

impl TupleReader {
    /// Parses the next piece of text; `separator` separates the numbers of a tuple (a space for
    /// `gx:coord`).
    pub(super) fn feed_text(&mut self, text: &str, separator: char, extent: &mut KmlExtent) {
        for c in text.chars() {
            if c.is_whitespace() {
                self.space = true;
                continue;
            }
            if std::mem::take(&mut self.space) && !self.tuple.is_empty() {
                if separator == ' ' {
                    self.tuple.push(' ');
                } else if !self.tuple.ends_with(separator) && c != separator {
                    self.flush(separator, extent);
                }
            }
            if self.tuple.len() < MAX_TUPLE {
                self.tuple.push(c);
            } else {
                self.too_long = true;
            }
        }
    }

    /// Ends the element: the remaining text is the last tuple.
    pub(super) fn finish(&mut self, separator: char, extent: &mut KmlExtent) {
        self.flush(separator, extent);
        self.space = false;
    }

    fn flush(&mut self, separator: char, extent: &mut KmlExtent) {
        let too_long = std::mem::take(&mut self.too_long);
        if !self.tuple.is_empty() {
            let mut numbers = self.tuple.split(separator).map(str::parse::<f64>);
            match (numbers.next(), numbers.next()) {
                (Some(Ok(longitude)), Some(Ok(latitude))) if !too_long => {
                    extent.add_point(longitude, latitude);
                }
                _ => extent.broken += 1,
            }
        }
        self.tuple.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pieces: &[&str]) -> (Option<[f64; 4]>, u64) {
        let mut extent = KmlExtent::default();
        let mut tuples = TupleReader::default();
        for piece in pieces {
            tuples.feed_text(piece, ',', &mut extent);
        }
        tuples.finish(',', &mut extent);
        (extent.bbox().map(Into::into), extent.broken_count())
    }

    #[test]
    fn tuples_are_read_however_they_are_spaced() {
        let expected = (Some([8.0, 46.0, 9.0, 47.0]), 0);
        assert_eq!(read(&["8,46,0 9,47"]), expected);
        assert_eq!(read(&["\n 8, 46, 0\n9 ,47 , 12\n"]), expected);
        assert_eq!(read(&["8,4", "6,0", " 9,47"]), expected);
    }

    #[test]
    fn broken_tuples_are_counted_and_left_out() {
        assert_eq!(read(&["8,46 abc 47 9,147 1e400,2 NaN,3"]), (Some([8.0, 46.0, 8.0, 46.0]), 5));
        assert_eq!(read(&[&"9".repeat(100_000)]).1, 1);
    }

    #[test]
    fn longitudes_beyond_180_are_wrapped() {
        assert_eq!(read(&["190,0 170,1"]).0, Some([-170.0, 0.0, 170.0, 1.0]));
    }

    #[test]
    fn boxes_may_cross_the_antimeridian() {
        let mut extent = KmlExtent::default();
        assert!(extent.add_box(170.0, -10.0, -170.0, 10.0));
        assert_eq!(extent.bbox().map(<[f64; 4]>::from), Some([170.0, -10.0, -170.0, 10.0]));
        extent.add_point(5.0, 20.0);
        assert_eq!(extent.bbox().map(<[f64; 4]>::from), Some([-180.0, -10.0, 180.0, 20.0]));
        assert!(!extent.add_box(0.0, 10.0, 1.0, -10.0));
        assert!(!extent.add_box(0.0, -100.0, 1.0, 10.0));
    }
}
