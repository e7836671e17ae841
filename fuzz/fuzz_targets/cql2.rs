//! A filter in CQL2, as text and as JSON, and a geometry in WKT.

#![no_main]

use geotrawl_standards::cql2;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let _ = (cql2::text(&text), cql2::json(&text), cql2::wkt_box(&text));
});
