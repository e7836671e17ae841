use super::*;

fn page(source: &str) -> ParsedPage {
    read_page(&Url::parse("http://a.example/dir/page.html").unwrap(), source)
}

#[test]
fn a_page_is_read_in_one_go() {
    let page = page(
        "<!doctype html><html lang=en><head><base href='/other/'><title> Clouds &amp;\n Rain </title>\
         <meta name=DC.Creator content='W. Rossow'><meta property='og:title' content='Clouds'>\
         <meta name=robots content='index, NOARCHIVE'>\
         <link rel=stylesheet href=s.css><link rel='shortcut icon' href=/i.ico><link rel=canonical href=/c>\
         <script type='application/ld+json'>{\"@type\":\"Dataset\"}</script><script src=x.js>var hidden = 1;</script>\
         <style>body{background:url(bg.png)}</style></head>\
         <body style='background:url(b2.png)'><h1>Head</h1>line&nbsp;two<a href='q?x=1&amp;y=2#f'>go</a>\
         <a href='#here'>no</a><a href='javascript:void(0)'>no</a><a href='mailto:x@y'>no</a>\
         <img src=a.png srcset='b.png 1x, c.png 2x'><iframe src=/frame></iframe><svg><title>drawing</title></svg></body></html>",
    );
    assert_eq!(page.title.as_deref(), Some("Clouds & Rain"));
    assert_eq!(page.language.as_deref(), Some("en"));
    assert!(page.noarchive && !page.nofollow);
    assert_eq!(page.metas[0], ("dc.creator".to_owned(), "W. Rossow".to_owned()));
    assert_eq!(page.ld_json, ["{\"@type\":\"Dataset\"}"]);
    assert!(page.text.starts_with("Head line two go"), "{}", page.text);
    assert!(!page.text.contains("hidden"));
    let links: Vec<&str> = page.links.iter().map(Url::as_str).collect();
    assert_eq!(links, ["http://a.example/other/q?x=1&y=2", "http://a.example/frame"]);
    let mut requisites: Vec<&str> = page.requisites.iter().map(Url::path).collect();
    requisites.sort_unstable();
    assert_eq!(
        requisites,
        [
            "/i.ico",
            "/other/a.png",
            "/other/b.png",
            "/other/b2.png",
            "/other/bg.png",
            "/other/c.png",
            "/other/s.css",
            "/other/x.js"
        ]
    );
    assert_eq!(page.relations[0].0, "canonical");
}

#[test]
fn a_page_that_cannot_be_read_to_its_end_counts_so_far() {
    let page = page(&format!("<title>T</title><p>text</p><div a='{}", "x".repeat(20 << 20)));
    assert_eq!(page.title.as_deref(), Some("T"));
    assert!(page.text.starts_with("text"));
}

proptest::proptest! {
    #[test]
    fn strange_pages_are_read(source in "(<[a-z/!]{0,8}( [a-z]{1,6}=['\"]?[a-z.:&;]{0,9}['\"]?)?>?|[ -~é]{0,12}){0,40}") {
        let _ = page(&source);
    }
}
