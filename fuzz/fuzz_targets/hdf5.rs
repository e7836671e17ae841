//! The root group of an HDF5 file and its members.

#![no_main]

use geotrawl_kinds::files::SparseFile;
use geotrawl_kinds::formats::hdf5::Hdf5;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let file = SparseFile::from_bytes(data.to_vec());
    let Some(hdf) = Hdf5::open(&file) else { return };
    for (_, member) in hdf.root().unwrap_or_default().links {
        let _ = hdf.object(member);
    }
});
