//! Bounding boxes: their representation in columns, their spatial relations and their overlap.
//!
//! A box is four numbers in units of 1e-7 degrees (about a centimetre) in two columns. Reading a
//! document's box costs two reads, and queries and records round alike. The engine's own way, four
//! ranges over floating-point columns, would scan all documents; here only documents that match the
//! words are read.

use crate::query::SpatialRelation;
use geotrawl_model::Bbox;

/// Units per degree.
const UNIT: f64 = 1e7;
const TURN: i64 = 3_600_000_000;

/// A box in units of 1e-7 degrees; `west > east` crosses the antimeridian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FixedPointBox {
    west: i64,
    south: i64,
    east: i64,
    north: i64,
}

/// Column values of a document without a box.
pub const NOWHERE: (u64, u64) = (u64::MAX, u64::MAX);

impl FixedPointBox {
    /// Converts a box in degrees. Clamps latitudes, wraps longitudes, and returns `None` if a value
    /// is not finite or south is above north.
    pub fn from_bbox(bbox: &Bbox) -> Option<Self> {
        let all = [bbox.west, bbox.south, bbox.east, bbox.north];
        if all.iter().any(|value| !value.is_finite() || value.abs() > 720.0) || bbox.south > bbox.north {
            return None;
        }
        let unit = |value: f64| (value * UNIT).round() as i64;
        let (south, north) = (unit(bbox.south.clamp(-90.0, 90.0)), unit(bbox.north.clamp(-90.0, 90.0)));
        // Maps that are scrolled around the world more than once request all of it.
        if bbox.east - bbox.west >= 360.0 {
            return Some(Self { west: -TURN / 2, south, east: TURN / 2, north });
        }
        let around = |value: i64| {
            if value.abs() > TURN / 2 { (value + TURN / 2).rem_euclid(TURN) - TURN / 2 } else { value }
        };
        Some(Self { west: around(unit(bbox.west)), south, east: around(unit(bbox.east)), north })
    }

    /// Packs the box into the values of the two columns.
    pub fn pack(self) -> (u64, u64) {
        let pair = |a: i64, b: i64| {
            let word = |value: i64| u64::from((value as i32).cast_unsigned());
            (word(a) << 32) | word(b)
        };
        (pair(self.west, self.south), pair(self.east, self.north))
    }

    /// Unpacks a box from the values of the two columns.
    pub fn unpack(packed: (u64, u64)) -> Option<Self> {
        if packed == NOWHERE {
            return None;
        }
        let high = |value: u64| i64::from(((value >> 32) as u32).cast_signed());
        let low = |value: u64| i64::from((value as u32).cast_signed());
        Some(Self { west: high(packed.0), south: low(packed.0), east: high(packed.1), north: low(packed.1) })
    }

    /// Returns the box in degrees.
    pub fn to_bbox(self) -> Bbox {
        let degrees = |value: i64| value as f64 / UNIT;
        Bbox {
            west: degrees(self.west),
            south: degrees(self.south),
            east: degrees(self.east),
            north: degrees(self.north),
        }
    }

    /// Returns west and east with `west <= east`; east exceeds 180 degrees if the box crosses the
    /// antimeridian.
    fn span(self) -> (i64, i64) {
        (self.west, if self.west > self.east { self.east + TURN } else { self.east })
    }

    /// Returns the length of the shared longitudes, or `None` if the boxes do not touch. Both boxes
    /// may cross the antimeridian, so the other box is also tried one turn east and one turn west.
    fn shared_longitude(self, other: Self) -> Option<i64> {
        let (w, e) = self.span();
        let (ow, oe) = other.span();
        let mut shared: Option<i64> = None;
        for turn in [-TURN, 0, TURN] {
            let length = e.min(oe + turn) - w.max(ow + turn);
            if length >= 0 {
                shared = Some(shared.unwrap_or(0) + length);
            }
        }
        shared.map(|length| length.min(e - w).min(oe - ow))
    }

    fn holds_longitude(self, other: Self) -> bool {
        let (w, e) = self.span();
        let (ow, oe) = other.span();
        e - w >= TURN || [-TURN, 0, TURN].iter().any(|turn| w <= ow + turn && oe + turn <= e)
    }

    /// Returns whether this record's box has the given relation to the requested box.
    #[inline]
    pub fn matches_relation(self, asked: Self, relation: SpatialRelation) -> bool {
        match relation {
            SpatialRelation::Overlaps => {
                self.south <= asked.north
                    && asked.south <= self.north
                    && self.shared_longitude(asked).is_some()
            }
            SpatialRelation::Contains => {
                self.south <= asked.south && asked.north <= self.north && self.holds_longitude(asked)
            }
            SpatialRelation::Within => {
                asked.south <= self.south && self.north <= asked.north && asked.holds_longitude(self)
            }
        }
    }
}

/// The box of a document as kept in memory: half the size of a [`FixedPointBox`], plus the sines of
/// its latitudes, so that areas on the globe need no trigonometry.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DocumentBox {
    west: i32,
    south: i32,
    east: i32,
    north: i32,
    sines: (f32, f32),
}

impl DocumentBox {
    /// No box: south lies above north, so that it matches nothing.
    pub const NOWHERE: Self = Self { west: 0, south: i32::MAX, east: 0, north: i32::MIN, sines: (0.0, 0.0) };

    /// Converts a box.
    pub fn from_box(area: FixedPointBox) -> Self {
        Self {
            west: area.west as i32,
            south: area.south as i32,
            east: area.east as i32,
            north: area.north as i32,
            sines: (sine(area.south), sine(area.north)),
        }
    }

    /// Returns south and north; south is above north if there is no box.
    pub fn latitude_range(self) -> (i32, i32) {
        (self.south, self.north)
    }

    fn nowhere(self) -> bool {
        self.south > self.north
    }

    /// Returns the box, if there is one.
    pub fn to_box(self) -> Option<FixedPointBox> {
        (!self.nowhere()).then(|| FixedPointBox {
            west: self.west.into(),
            south: self.south.into(),
            east: self.east.into(),
            north: self.north.into(),
        })
    }

    /// Returns the box around both; it spans all longitudes if one of them crosses the
    /// antimeridian.
    pub fn enclosing_box(self, other: Self) -> Self {
        if self.nowhere() || other.nowhere() {
            return if self.nowhere() { other } else { self };
        }
        let turn = (TURN / 2) as i32;
        let crosses = self.west > self.east || other.west > other.east;
        Self {
            west: if crosses { -turn } else { self.west.min(other.west) },
            south: self.south.min(other.south),
            east: if crosses { turn } else { self.east.max(other.east) },
            north: self.north.max(other.north),
            sines: (self.sines.0.min(other.sines.0), self.sines.1.max(other.sines.1)),
        }
    }

    /// Returns whether this record's box has the given relation to the requested box.
    #[inline]
    pub fn matches_relation(self, asked: &QueryBox, relation: SpatialRelation) -> bool {
        // Most boxes do not even share a latitude with the query: two comparisons exclude them.
        if i64::from(self.south) > asked.area.north || i64::from(self.north) < asked.area.south {
            return false;
        }
        self.to_box().is_some_and(|area| area.matches_relation(asked.area, relation))
    }

    /// Returns the intersection over the union of the two areas, from 0 to 1. Areas are measured on
    /// the globe, where a degree of longitude shrinks towards the poles. Points and lines count as
    /// a hundredth of a degree wide.
    pub fn overlap_ratio(self, asked: &QueryBox) -> f32 {
        const THIN: i64 = 100_000;
        let Some(area) = self.to_box() else { return 0.0 };
        let Some(width) = area.shared_longitude(asked.area) else { return 0.0 };
        if area.south.max(asked.area.south) > area.north.min(asked.area.north) {
            return 0.0;
        }
        // Difference of sines over a thousandth of a degree at the equator.
        let thin_sine = 1.745e-5_f32;
        // The sine increases with the latitude between the poles, so comparing sines compares
        // latitudes.
        let height = |south: f32, north: f32| (north - south).max(thin_sine);
        let size = |width: i64, south, north| width.max(THIN) as f32 * height(south, north);
        let own = |area: FixedPointBox, sines: (f32, f32)| {
            let (west, east) = area.span();
            size(east - west, sines.0, sines.1)
        };
        let shared = size(width, self.sines.0.max(asked.sines.0), self.sines.1.min(asked.sines.1));
        let joined = (own(area, self.sines) + own(asked.area, asked.sines) - shared).max(shared);
        shared / joined
    }
}

/// The box of a query, with the sines of its latitudes.
#[derive(Debug, Clone, Copy)]
pub struct QueryBox {
    pub area: FixedPointBox,
    sines: (f32, f32),
}

impl QueryBox {
    /// Returns south and north.
    pub fn latitude_range(&self) -> (i32, i32) {
        (self.area.south as i32, self.area.north as i32)
    }

    /// Converts a box.
    pub fn from_box(area: FixedPointBox) -> Self {
        Self { area, sines: (sine(area.south), sine(area.north)) }
    }
}

fn sine(latitude: i64) -> f32 {
    (latitude as f64 / UNIT).to_radians().sin() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(west: f64, south: f64, east: f64, north: f64) -> FixedPointBox {
        FixedPointBox::from_bbox(&Bbox { west, south, east, north }).expect("a box")
    }

    impl FixedPointBox {
        fn overlap(self, other: Self) -> f32 {
            DocumentBox::from_box(self).overlap_ratio(&QueryBox::from_box(other))
        }
    }

    #[test]
    fn what_is_around_touches_what_they_touch() {
        let (a, b) = (area(1.0, 2.0, 3.0, 4.0), area(5.0, -6.0, 7.0, 0.0));
        let fiji = area(177.0, -19.0, -179.0, -16.0);
        assert_eq!(
            DocumentBox::from_box(a).enclosing_box(DocumentBox::from_box(b)).to_box(),
            Some(area(1.0, -6.0, 7.0, 4.0))
        );
        assert_eq!(
            DocumentBox::from_box(a).enclosing_box(DocumentBox::from_box(fiji)).to_box(),
            Some(area(-180.0, -19.0, 180.0, 4.0))
        );
        assert_eq!(DocumentBox::NOWHERE.enclosing_box(DocumentBox::from_box(fiji)).to_box(), Some(fiji));
        assert_eq!(DocumentBox::from_box(fiji).enclosing_box(DocumentBox::NOWHERE).to_box(), Some(fiji));
        assert!(!DocumentBox::NOWHERE.matches_relation(
            &QueryBox::from_box(area(-180.0, -90.0, 180.0, 90.0)),
            SpatialRelation::Overlaps
        ));
    }

    #[test]
    fn boxes_survive_the_columns() {
        for one in
            [area(-180.0, -90.0, 180.0, 90.0), area(4.1, 51.2, 5.3, 52.4), area(170.0, -50.0, -170.0, -30.0)]
        {
            assert_eq!(FixedPointBox::unpack(one.pack()), Some(one));
        }
        assert_eq!(
            area(4.1, 51.25, 5.3, 52.4).to_bbox(),
            Bbox { west: 4.1, south: 51.25, east: 5.3, north: 52.4 }
        );
        assert_eq!(FixedPointBox::unpack(NOWHERE), None);
    }

    #[test]
    fn nonsense_is_no_box() {
        for [west, south, east, north] in [
            [f64::NAN, 0.0, 1.0, 1.0],
            [0.0, 10.0, 1.0, 5.0],
            [0.0, 0.0, f64::INFINITY, 1.0],
            [5e5, 1.0, 6e5, 2.0],
        ] {
            assert_eq!(FixedPointBox::from_bbox(&Bbox { west, south, east, north }), None);
        }
    }

    #[test]
    fn relations_hold_across_the_antimeridian() {
        let fiji = area(177.0, -19.0, -179.0, -16.0);
        let east = area(178.0, -18.0, 179.0, -17.0);
        let west = area(-179.9, -18.0, -179.5, -17.0);
        let far = area(0.0, -18.0, 1.0, -17.0);
        for other in [east, west] {
            assert!(
                fiji.matches_relation(other, SpatialRelation::Overlaps)
                    && other.matches_relation(fiji, SpatialRelation::Overlaps)
            );
            assert!(
                fiji.matches_relation(other, SpatialRelation::Contains)
                    && other.matches_relation(fiji, SpatialRelation::Within)
            );
        }
        for relation in [SpatialRelation::Overlaps, SpatialRelation::Contains, SpatialRelation::Within] {
            assert!(!fiji.matches_relation(far, relation) && !far.matches_relation(fiji, relation));
        }
        let world = area(-180.0, -90.0, 180.0, 90.0);
        assert!(
            fiji.matches_relation(world, SpatialRelation::Within)
                && world.matches_relation(fiji, SpatialRelation::Contains)
        );
        assert!(world.overlap(fiji) < 0.01 && world.overlap(fiji) > 0.0);
        assert!((fiji.overlap(fiji) - 1.0).abs() < 1e-3);
        assert!(
            area(170.0, 0.0, 190.0, 10.0)
                .matches_relation(area(-175.0, 1.0, -174.0, 2.0), SpatialRelation::Contains)
        );
    }

    #[test]
    fn a_city_is_more_like_a_city_than_the_world_is() {
        let asked = area(5.0, 52.0, 5.2, 52.2);
        let city = area(4.9, 51.9, 5.3, 52.3);
        let country = area(3.3, 50.7, 7.2, 53.6);
        let world = area(-180.0, -90.0, 180.0, 90.0);
        assert!(
            city.overlap(asked) > country.overlap(asked) && country.overlap(asked) > world.overlap(asked)
        );
        assert!(area(5.1, 52.1, 5.1, 52.1).overlap(asked) > 0.0);
    }
}
