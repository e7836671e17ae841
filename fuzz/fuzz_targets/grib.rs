//! The first message of a GRIB file.

#![no_main]

use geotrawl_kinds::formats::grib;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Some(b) = grib::read(data).and_then(|message| message.bbox) {
        assert!(b.south <= b.north && b.south >= -90.0 && b.north <= 90.0, "{b:?}");
    }
});
