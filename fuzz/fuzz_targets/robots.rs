//! A robots.txt file and queries for paths in it.

#![no_main]

use geotrawl_crawl::fetch::robots::Rules;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let rules = Rules::parse(&text, "Geotrawl");
    assert_eq!(rules, Rules::parse(&text.replace('\n', "\r\n"), "Geotrawl"), "line ends do not matter");
    for path in text.split_whitespace().take(50) {
        let _ = rules.allows(path);
    }
    assert_eq!(Rules::parse("", "Geotrawl").allows("/"), true);
    let _ = (rules.allows("/"), rules.crawl_delay(), rules.sitemaps());
});
