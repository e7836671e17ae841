//! A sitemap or an index of sitemaps: as the crawler reads it on its way, and as a file of seeds.

#![no_main]

use geotrawl_crawl::seeds;
use geotrawl_kinds::extract::read_sitemap;
use geotrawl_kinds::probe::Head;
use libfuzzer_sys::fuzz_target;
use url::Url;

fuzz_target!(|data: &[u8]| {
    let Ok(url) = Url::parse("https://www.example.org/sitemap.xml") else { return };
    let head = Head { url: Some(url.clone()), status: 200, ..Head::default() };
    let _ = read_sitemap(&url, &head, data);
    let _ = seeds::read(data, Some(seeds::Format::Sitemap), &mut |_| true);
});
