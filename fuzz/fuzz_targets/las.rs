//! The header and the records of a point cloud.

#![no_main]

use geotrawl_kinds::files::SparseFile;
use geotrawl_kinds::formats::las;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Some(header) = las::read(data) {
        let _ = las::crs(&SparseFile::from_bytes(data.to_vec()), &header);
    }
});
