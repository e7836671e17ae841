//! A complete PMTiles archive.

#![no_main]

use geotrawl_kinds::files::read_whole;
use geotrawl_kinds::probe::ResponseHead;
use libfuzzer_sys::fuzz_target;
use url::Url;

fuzz_target!(|data: &[u8]| {
    let Ok(url) = Url::parse("https://data.example.org/x.pmtiles") else { return };
    let _ = read_whole(&url, &ResponseHead { status: 200, ..ResponseHead::default() }, data);
});
