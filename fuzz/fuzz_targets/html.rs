//! Any page through the HTML tokenizer: links and forms for the crawler, and the tree for
//! selectors.

#![no_main]

use geotrawl_kinds::extract::read_html;
use geotrawl_kinds::probe::ResponseHead;
use libfuzzer_sys::fuzz_target;
use url::Url;

fuzz_target!(|data: &[u8]| {
    let Ok(url) = Url::parse("https://page.example.org/maps/index.html") else { return };
    let head =
        ResponseHead { url: Some(url.clone()), status: 200, content_type: Some("text/html".into()), ..ResponseHead::default() };
    let finding = read_html(&url, &head, data);
    for target in finding.targets {
        assert!(matches!(target.url.scheme(), "http" | "https" | "ftp"), "{}", target.url);
    }
});
