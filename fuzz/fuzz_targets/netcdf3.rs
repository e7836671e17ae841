//! The header of a NetCDF file.

#![no_main]

use geotrawl_kinds::formats::netcdf3;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = netcdf3::read(data);
});
