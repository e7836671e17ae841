//! Boxes in thousandths of a degree, and their similarity.

use geotrawl_model::Bbox;

/// West, south, east, north in thousandths of a degree (about 100 m).
pub(super) type RoundedBbox = [i32; 4];

/// Rounds a box; `None` if it is invalid.
pub(super) fn round_bbox(bbox: Bbox) -> Option<RoundedBbox> {
    let sides = [bbox.west, bbox.south, bbox.east, bbox.north];
    let sane = sides.iter().all(|side| side.is_finite() && side.abs() <= 360.0) && bbox.south <= bbox.north;
    sane.then(|| sides.map(|side| (side * 1000.0).round() as i32))
}

/// Returns the width in degrees, also across the antimeridian.
fn width(b: RoundedBbox) -> f64 {
    let width = f64::from(b[2] - b[0]) / 1000.0;
    if width < 0.0 { width + 360.0 } else { width }
}

/// Returns whether a box is too large to identify a place.
pub(super) fn is_vast(b: RoundedBbox) -> bool {
    width(b) > 150.0 || f64::from(b[3] - b[1]) / 1000.0 > 100.0
}

/// Returns the shared area divided by the total area, 0 to 1. Points and lines get a small width.
pub(super) fn overlap_ratio(a: RoundedBbox, b: RoundedBbox) -> f64 {
    // Extend every side by half a rounding step.
    let edges = |b: RoundedBbox| {
        let (west, south) = (f64::from(b[0]) - 0.5, f64::from(b[1]) - 0.5);
        [west, south, west + width(b) * 1000.0 + 1.0, f64::from(b[3]) + 0.5]
    };
    let (a, b) = (edges(a), edges(b));
    let area = |b: [f64; 4]| (b[2] - b[0]) * (b[3] - b[1]);
    // The same place may be expressed on the other side of the antimeridian.
    let shared = [-360_000.0, 0.0, 360_000.0]
        .map(|turn| {
            let wide = (a[2].min(b[2] + turn) - a[0].max(b[0] + turn)).max(0.0);
            wide * (a[3].min(b[3]) - a[1].max(b[1])).max(0.0)
        })
        .into_iter()
        .fold(0.0, f64::max);
    shared / (area(a) + area(b) - shared).max(f64::MIN_POSITIVE)
}

/// Returns the smallest box around two boxes that do not cross the antimeridian, else the first
/// box.
pub(super) fn enclosing_bbox(a: RoundedBbox, b: RoundedBbox) -> RoundedBbox {
    if a[0] > a[2] || b[0] > b[2] {
        return a;
    }
    [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]
}

/// Returns a cell in each of two grids that fit the size of the box. One grid is shifted by half a
/// cell and changes its cell size at other thresholds, so that similar boxes nearly always share a
/// cell.
pub(super) fn grid_cells(b: RoundedBbox) -> [u64; 2] {
    let (wide, high) = (width(b) * 1000.0, f64::from(b[3] - b[1]));
    let (x, y) = (f64::from(b[0]) + wide / 2.0, f64::from(b[1]) + high / 2.0);
    // For points and lines: a tenth of a degree.
    let size = wide.max(high).max(100.0).log2();
    [0.0, 0.5].map(|shift| {
        let step = (size + shift).floor();
        let cell = 4.0 * step.exp2();
        let at = |v: f64| (v / cell + shift).floor() as i32;
        let place = (u64::from(at(x) as u32) << 32) ^ u64::from(at(y) as u32);
        place ^ ((step as u64) << 56) ^ (((shift * 2.0) as u64) << 62)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_that_differ_little_share_a_cell() {
        let mut alone = 0;
        for n in 0..1000 {
            let (x, y, size) = (n * 331 % 300_000 - 150_000, n * 77 % 120_000 - 60_000, 20 + n * 7);
            let off = size / 40;
            let (a, b) = ([x, y, x + size, y + size], [x + off, y - off, x + size + off, y + size]);
            let (a, b) = (grid_cells(a), grid_cells(b));
            alone += usize::from(!a.iter().any(|cell| b.contains(cell)));
        }
        assert!(alone < 20, "{alone}");
    }

    #[test]
    fn boxes_are_compared_by_what_they_share() {
        let town = [7000, 46000, 7100, 46100];
        assert!((overlap_ratio(town, town) - 1.0).abs() < 1e-9);
        assert!(overlap_ratio(town, [7100, 46000, 7200, 46100]) < 0.02);
        assert!(overlap_ratio(town, [7000, 46000, 7105, 46100]) > 0.9);
        assert!((overlap_ratio([7000, 46000, 7000, 46000], [7000, 46000, 7000, 46000]) - 1.0).abs() < 1e-9);
        // Fiji, expressed on both sides.
        let across = [177_000, -20_000, -178_000, -12_000];
        assert!(overlap_ratio(across, [177_000, -20_000, 182_000, -12_000]) > 0.99);
        assert!(is_vast([-180_000, -90_000, 180_000, 90_000]) && !is_vast(across));
    }
}
