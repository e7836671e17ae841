//! A sitemap or sitemap index, read by the crawler and as a seed file.

#![no_main]

use geotrawl_crawl::seeds;
use geotrawl_kinds::extract::read_sitemap;
use geotrawl_kinds::probe::ResponseHead;
use libfuzzer_sys::fuzz_target;
use url::Url;

fuzz_target!(|data: &[u8]| {
    let Ok(url) = Url::parse("https://www.example.org/sitemap.xml") else { return };
    let head = ResponseHead { url: Some(url.clone()), status: 200, ..ResponseHead::default() };
    let _ = read_sitemap(&url, &head, data);
    let _ = seeds::read(data, Some(seeds::Format::Sitemap), &mut |_| true);
});
