//! The directories of a TIFF file.

#![no_main]

use geotrawl_kinds::files::SparseFile;
use geotrawl_kinds::formats::tiff::Tiff;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let file = SparseFile::from_bytes(data.to_vec());
    let Some(tiff) = Tiff::read(&file) else { return };
    for directory in &tiff.directories {
        for tag in [256, 270, 33_550, 33_922, 34_264, 34_735, 34_736, 34_737] {
            let _ = tiff.numbers(&file, directory, tag);
            let _ = tiff.text(&file, directory, tag);
        }
    }
});
