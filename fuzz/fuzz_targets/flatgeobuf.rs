//! The header of a FlatGeobuf file.

#![no_main]

use geotrawl_kinds::formats::flatgeobuf;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = flatgeobuf::header_len(data);
    let _ = flatgeobuf::read(3, data);
});
