//! Any JSON, read by every kind that claims it.

#![no_main]

use geotrawl_kinds::formats::json::{Doc, looks_like_json};
use geotrawl_kinds::kinds::read_json;
use libfuzzer_sys::fuzz_target;
use url::Url;

fuzz_target!(|data: &[u8]| {
    let _ = looks_like_json(data);
    let Ok(url) = Url::parse("https://example.org/arcgis/rest/services/a/MapServer/collections") else { return };
    if let Some(doc) = Doc::read(&mut &data[..]) {
        for (_, reading) in read_json(&doc, &url) {
            for resource in reading.resources {
                if let Some(b) = resource.bbox {
                    assert!(b.south <= b.north && b.west.abs() <= 180.0 && b.east.abs() <= 180.0, "{b:?}");
                }
            }
        }
    }
});
