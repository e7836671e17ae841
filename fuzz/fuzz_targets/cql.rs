//! A CQL constraint as OGC catalogues write it.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = geotrawl_standards::cql::read(&String::from_utf8_lossy(data));
});
