//! The footer of a Parquet file.

#![no_main]

use geotrawl_kinds::formats::parquet::read_footer;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = read_footer(data);
});
