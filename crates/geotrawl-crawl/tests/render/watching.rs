use crate::site::{self, BrowserSite, requested_urls};
use geotrawl_crawl::render::classify::classify_requests;
use geotrawl_crawl::render::{RequestHandling, StopReason};
use geotrawl_js::AnalysisLevel;

#[tokio::test]
async fn a_map_that_is_configured_over_the_network_is_seen() {
    let site = BrowserSite::start(&[
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
    assert_eq!((seen.resource_type.as_str(), seen.handling), ("Image", RequestHandling::Stubbed));
    assert_eq!(rendered.title, "tile 256", "the map goes on with the picture that stands in");
    assert!(rendered.html.contains("REQUEST=GetMap"));
    assert_eq!((rendered.stopped, rendered.status), (StopReason::Quiet, Some(200)));
    assert!(!site.requests().iter().any(|path| path.contains("GetMap")), "{:?}", site.requests());
    let config = rendered.requests.iter().find(|seen| seen.url.ends_with("/config.json")).unwrap();
    assert_eq!((config.status, config.handling), (Some(200), RequestHandling::Passed));
    let initiator = config.initiator.as_ref().unwrap();
    assert_eq!((initiator.url.as_str(), initiator.line), ("http://site.test/app.js", 1));
    assert!(!site.requests().iter().any(|asked| asked.contains("favicon")), "icons show no maps");
}

#[tokio::test]
async fn workers_and_frames_are_watched_too() {
    let site = BrowserSite::start(&[
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
    let urls = requested_urls(&rendered);
    for expected in
        ["http://site.test/tiles/5/16/10.pbf", "http://other.test/w.json", "http://other.test/in-frame.json"]
    {
        assert_eq!(urls.iter().filter(|url| **url == expected).count(), 1, "{urls:?}");
    }
    let posted = rendered.requests.iter().find(|seen| seen.url.ends_with("in-frame.json")).unwrap();
    assert_eq!((posted.method.as_str(), posted.post_data.as_deref()), ("POST", Some("asked")));
    assert!(
        !site.requests().iter().any(|asked| asked.contains("/tiles/")),
        "tiles are answered here: {:?}",
        site.requests()
    );
    assert!(site.requests().iter().any(|asked| asked == "GET /robots.txt"), "for the frame");
}

#[tokio::test]
async fn tiles_are_seen_without_being_fetched_and_become_one_template() {
    let page = "<body><script>\n\
        for (let x = 15; x < 20; x++) for (let y = 8; y < 12; y++) {\n\
          const tile = new Image(); tile.src = `http://${'abc'[x % 3]}.tiles.test/base/5/${x}/${y}.png`; document.body.append(tile);\n\
        }\n\
        fetch('http://site.test/arcgis/rest/services/Roads/MapServer?f=json').then(r => r.json()).then(s =>\n\
          fetch('http://site.test/arcgis/rest/services/Roads/MapServer/' + s.layers[0].id + '/query?where=1%3D1'))\n\
        </script></body>";
    let site = BrowserSite::start(&[
        ("/", "text/html", page),
        (
            "/arcgis/rest/services/Roads/MapServer",
            "application/json",
            r#"{"layers":[{"id":7,"name":"Roads"}]}"#,
        ),
    ])
    .await;
    let Some(rendered) = site.render("/").await else { return };
    let mut found = classify_requests(&rendered.requests);
    found.sort_by(|a, b| a.url.cmp(&b.url));
    let told: Vec<_> = found.iter().map(|s| (s.url.as_str(), s.says.as_str(), s.layers.join(","))).collect();
    assert_eq!(
        told,
        [
            ("http://a.tiles.test/base/{z}/{x}/{y}.png", "xyz", String::new()),
            ("http://site.test/arcgis/rest/services/Roads/MapServer", "arcgis-mapserver", "7".to_owned()),
        ]
    );
    assert!(found.iter().all(|sighting| sighting.level == AnalysisLevel::Render));
    assert!(!site.requests().iter().any(|asked| asked.contains("/base/")), "{:?}", site.requests());
}

#[tokio::test]
async fn drawing_with_the_graphics_card_works_without_one() {
    let page = "<canvas id=c></canvas><script>const gl = document.getElementById('c').getContext('webgl2');\
         document.title = gl ? 'drawn ' + gl.getError() : 'nothing'; fetch('/wms?service=WMS&request=GetCapabilities&ua=' +\
         encodeURIComponent(navigator.userAgent))</script>";
    let site = BrowserSite::start(&[("/", "text/html", page)]).await;
    let Some(rendered) = site.render("/").await else { return };
    assert_eq!(rendered.title, "drawn 0");
    let asked = site.requests().join(" ");
    assert!(asked.contains("Chrome%2F") && asked.contains("Geotrawl%2F"), "{asked}");
}

#[tokio::test]
async fn pages_at_once_have_browsers_of_their_own() {
    let site = BrowserSite::start(&[(
        "/",
        "text/html",
        "<script>fetch('/own.json?' + location.search.slice(1))</script>",
    )])
    .await;
    let Some(renderer) = site.build_renderer(|config| config.pages = 2) else { return };
    let (one, two, three) = (site::page_url("/?one"), site::page_url("/?two"), site::page_url("/?three"));
    let (one, two, three) =
        tokio::join!(renderer.render(&one), renderer.render(&two), renderer.render(&three));
    for (name, rendered) in [("one", one), ("two", two), ("three", three)] {
        let rendered = rendered.unwrap();
        let own: Vec<_> =
            requested_urls(&rendered).into_iter().filter(|url| url.contains("own.json")).collect();
        assert_eq!(own, [format!("http://site.test/own.json?{name}")]);
    }
}
