//! Boxes in thousandths of a degree, and how alike two are.

use geotrawl_kinds::model::Bbox;

/// West, south, east, north in thousandths of a degree (about 100 m).
pub(super) type Rounded = [i32; 4];

/// A box, unless it is broken.
pub(super) fn rounded(bbox: Bbox) -> Option<Rounded> {
    let sides = [bbox.west, bbox.south, bbox.east, bbox.north];
    let sane = sides.iter().all(|side| side.is_finite() && side.abs() <= 360.0) && bbox.south <= bbox.north;
    sane.then(|| sides.map(|side| (side * 1000.0).round() as i32))
}

/// Width in degrees, also across the antimeridian.
fn width(b: Rounded) -> f64 {
    let width = f64::from(b[2] - b[0]) / 1000.0;
    if width < 0.0 { width + 360.0 } else { width }
}

/// Whether a box covers so much that it tells nothing about a place.
pub(super) fn is_vast(b: Rounded) -> bool {
    width(b) > 150.0 || f64::from(b[3] - b[1]) / 1000.0 > 100.0
}

/// Shared area over the area of both, 0 to 1. Points and lines are given a little breadth.
pub(super) fn likeness(a: Rounded, b: Rounded) -> f64 {
    // Half a rounding step on every side.
    let edges = |b: Rounded| {
        let (west, south) = (f64::from(b[0]) - 0.5, f64::from(b[1]) - 0.5);
        [west, south, west + width(b) * 1000.0 + 1.0, f64::from(b[3]) + 0.5]
    };
    let (a, b) = (edges(a), edges(b));
    let area = |b: [f64; 4]| (b[2] - b[0]) * (b[3] - b[1]);
    // The same place may be counted from the other side of the antimeridian.
    let shared = [-360_000.0, 0.0, 360_000.0]
        .map(|turn| {
            let wide = (a[2].min(b[2] + turn) - a[0].max(b[0] + turn)).max(0.0);
            wide * (a[3].min(b[3]) - a[1].max(b[1])).max(0.0)
        })
        .into_iter()
        .fold(0.0, f64::max);
    shared / (area(a) + area(b) - shared).max(f64::MIN_POSITIVE)
}

/// The smallest box around two that do not cross the antimeridian; else the first.
pub(super) fn around(a: Rounded, b: Rounded) -> Rounded {
    if a[0] > a[2] || b[0] > b[2] {
        return a;
    }
    [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]
}

/// Cells of two grids of four degrees, one shifted by half a cell: near centres share at least one.
pub(super) fn cells(b: Rounded) -> [(i32, i32); 2] {
    const CELL: i32 = 4000;
    let x = b[0] + (width(b) * 500.0) as i32;
    let y = i32::midpoint(b[1], b[3]);
    [0, CELL / 2].map(|shift| ((x + shift).div_euclid(CELL), (y + shift).div_euclid(CELL)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_compared_by_what_they_share() {
        let town = [7000, 46000, 7100, 46100];
        assert!((likeness(town, town) - 1.0).abs() < 1e-9);
        assert!(likeness(town, [7100, 46000, 7200, 46100]) < 0.02);
        assert!(likeness(town, [7000, 46000, 7105, 46100]) > 0.9);
        assert!((likeness([7000, 46000, 7000, 46000], [7000, 46000, 7000, 46000]) - 1.0).abs() < 1e-9);
        // Fiji from both sides.
        let across = [177_000, -20_000, -178_000, -12_000];
        assert!(likeness(across, [177_000, -20_000, 182_000, -12_000]) > 0.99);
        assert!(is_vast([-180_000, -90_000, 180_000, 90_000]) && !is_vast(across));
    }
}
