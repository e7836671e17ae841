//! A document that may be KML.

#![no_main]

use geotrawl_kinds::kinds::kml;
use libfuzzer_sys::fuzz_target;
use url::Url;

fuzz_target!(|data: &[u8]| {
    let Ok(url) = Url::parse("https://data.example.org/x.kml") else { return };
    let _ = kml::may_be_kml(data);
    if let Some(document) = kml::read_kml(data, true) {
        if let Some(b) = document.bbox {
            assert!(b.south <= b.north && b.south >= -90.0 && b.north <= 90.0, "{b:?}");
            assert!(b.west >= -180.0 && b.east <= 180.0, "{b:?}");
        }
        let _ = kml::build_resource(&url, document, |_| false);
    }
});
