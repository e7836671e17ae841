//! A coordinate system in any notation, and a box in it.

#![no_main]

use geotrawl_kinds::formats::crs::{CrsRef, to_wgs84};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    for crs in [CrsRef::from_text(&text), CrsRef::from_wkt(&text)].into_iter().flatten() {
        let _ = crs.label();
        for bbox in [[-1.0, -1.0, 1.0, 1.0], [4e5, 5e6, 5e5, 5.1e6], [-2e7, -2e7, 2e7, 2e7]] {
            if let Ok(b) = to_wgs84(&crs, bbox) {
                assert!(b.south <= b.north && b.south >= -90.0 && b.north <= 90.0, "{b:?}");
                assert!(b.west >= -180.0 && b.west <= 180.0 && b.east >= -180.0 && b.east <= 180.0, "{b:?}");
            }
        }
    }
});
