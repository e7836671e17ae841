use crate::site::{Site, urls};
use geotrawl_crawl::render::{Handling, Stop};

#[tokio::test]
async fn a_map_that_is_configured_over_the_network_is_seen() {
    let site = Site::start(&[
        (
            "/",
            "text/html",
            "<title>Map</title><body><div id=map></div><script src=/app.js></script></body>",
        ),
        (
            "/app.js",
            "text/javascript",
            "fetch('/config.json').then(r => r.json()).then(c => {\n\
             const i = new Image();\n\
             i.onload = () => { document.title = 'tile ' + i.width; };\n\
             i.src = c.server + '?SERVICE=WMS&REQUEST=GetMap&LAYERS=' + c.layers.join() + '&FORMAT=image/png';\n\
             document.body.append(i);\n});",
        ),
        ("/config.json", "application/json", r#"{"server":"http://maps.test/ows","layers":["rivers","lakes"]}"#),
    ])
    .await;
    let Some(rendered) = site.render("/").await else { return };
    let getmap = "http://maps.test/ows?SERVICE=WMS&REQUEST=GetMap&LAYERS=rivers,lakes&FORMAT=image/png";
    let seen = rendered.requests.iter().find(|seen| seen.url == getmap).unwrap();
    assert_eq!((seen.resource_type.as_str(), seen.handling), ("Image", Handling::Stubbed));
    assert_eq!(rendered.title, "tile 256", "the map goes on with the picture that stands in");
    assert!(rendered.html.contains("REQUEST=GetMap"));
    assert_eq!((rendered.stopped, rendered.status), (Stop::Quiet, Some(200)));
    assert!(!site.asked().iter().any(|path| path.contains("GetMap")), "{:?}", site.asked());
    let config = rendered.requests.iter().find(|seen| seen.url.ends_with("/config.json")).unwrap();
    assert_eq!((config.status, config.handling), (Some(200), Handling::Passed));
    let initiator = config.initiator.as_ref().unwrap();
    assert_eq!((initiator.url.as_str(), initiator.line), ("http://site.test/app.js", 1));
    assert!(!site.asked().iter().any(|asked| asked.contains("favicon")), "icons show no maps");
}

#[tokio::test]
async fn workers_and_frames_are_watched_too() {
    let site = Site::start(&[
        (
            "/",
            "text/html",
            "<iframe src=http://other.test/frame></iframe><script>new Worker('/worker.js')</script>",
        ),
        ("/worker.js", "text/javascript", "fetch('/tiles/5/16/10.pbf'); fetch('http://other.test/w.json')"),
        ("/frame", "text/html", "<script>fetch('/in-frame.json', {method:'POST', body:'asked'})</script>"),
    ])
    .await;
    let Some(rendered) = site.render("/").await else { return };
    let urls = urls(&rendered);
    for expected in
        ["http://site.test/tiles/5/16/10.pbf", "http://other.test/w.json", "http://other.test/in-frame.json"]
    {
        assert_eq!(urls.iter().filter(|url| **url == expected).count(), 1, "{urls:?}");
    }
    let posted = rendered.requests.iter().find(|seen| seen.url.ends_with("in-frame.json")).unwrap();
    assert_eq!((posted.method.as_str(), posted.post_data.as_deref()), ("POST", Some("asked")));
    assert!(
        !site.asked().iter().any(|asked| asked.contains("/tiles/")),
        "tiles are answered here: {:?}",
        site.asked()
    );
    assert!(site.asked().iter().any(|asked| asked == "GET /robots.txt"), "for the frame");
}
