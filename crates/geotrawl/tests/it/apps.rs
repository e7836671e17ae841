//! Map applications built with real bundlers, crawled and read one by one. `make apps` builds them.

use crate::harness::{geotrawl_command, run_command, share_machine};
use geotrawl_crawl::render;
use geotrawl_simweb::AppSite;
use geotrawl_simweb::report::{self, ExpectedResources, RecallPrecision};
use geotrawl_testkit::{ServedSite, require_tool};
use std::path::{Path, PathBuf};

/// Serves the map applications.
struct AppServer {
    site: AppSite,
    server: ServedSite,
}

impl AppServer {
    /// Serves the applications if they have been built.
    fn start() -> Option<Self> {
        let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/apps");
        let folder = std::env::var_os("GEOTRAWL_APPS").map_or(built, PathBuf::from);
        let site = require_tool("the built map applications", AppSite::load(&folder), "run `make apps`")?;
        let server = ServedSite::start(|listener, log| site.serve(listener, log));
        Some(Self { site, server })
    }

    /// Crawls from the portal; compares the finds with the expected ones of a level.
    fn crawl(&self, level: u8, options: &[&str]) -> RecallPrecision {
        let data = tempfile::tempdir().unwrap();
        let said = run_command(
            geotrawl_command(data.path())
                .args(["--resolve", &self.server.resolve_all()])
                .args([
                    "--json",
                    "--delay",
                    "0",
                    "--concurrency",
                    "50",
                    "--timeout",
                    "20",
                    "crawl",
                    "--depth",
                    "5",
                ])
                .args(options)
                .args(&self.site.truth().seeds),
        );
        let records = said.json_lines();
        let found: Vec<_> =
            records.iter().map(|r| (r["kind"].as_str().unwrap(), r["url"].as_str().unwrap())).collect();
        let truth = self.site.truth().up_to_level(level);
        report::recall_precision(&truth, found.iter().copied(), ExpectedResources::AllSurface)
    }
}

#[test]
fn every_application_that_needs_no_network_is_read_without_a_browser() {
    let _busy = share_machine();
    let Some(apps) = AppServer::start() else { return };
    let score = apps.crawl(3, &[]);
    let missed: Vec<_> = score.missed.iter().map(|r| format!("{} {} {:?}", r.kind, r.url, r.ways)).collect();
    println!("{} services expected, {} found", score.expected, score.found);
    assert!(missed.is_empty(), "missed: {missed:#?}");
    assert!(score.false_claims.is_empty(), "false: {:#?}", score.false_claims);
    assert!(score.expected > 300, "{}", score.expected);
    // Libraries are recognised by their addresses and not fetched.
    const KNOWN: [&str; 7] =
        ["/leaflet/", "/ol/", "/openlayers/", "/mapbox-gl/", "/maplibre-gl/", "/cesium/", "/jquery/"];
    let libraries = apps.server.log().into_iter().filter(|entry| entry.host == "cdn.maplibs.example");
    let fetched: Vec<String> = libraries
        .map(|entry| entry.target.to_lowercase())
        .filter(|target| KNOWN.iter().any(|name| target.starts_with(name)))
        .collect();
    assert!(fetched.is_empty(), "libraries were fetched: {fetched:#?}");
}

#[test]
fn the_browser_finds_what_only_a_network_answer_tells() {
    let _busy = share_machine();
    let Some(apps) = AppServer::start() else { return };
    if require_tool("Chromium", render::find_browser(None), "run `make browser`").is_none() {
        return;
    }
    let score = apps.crawl(4, &["--render"]);
    let missed: Vec<_> = score.missed.iter().map(|r| format!("{} {} {:?}", r.kind, r.url, r.ways)).collect();
    assert!(missed.is_empty(), "missed: {missed:#?}");
    assert!(score.false_claims.is_empty(), "false: {:#?}", score.false_claims);
}

#[test]
fn no_scripts_means_none() {
    let _busy = share_machine();
    let Some(apps) = AppServer::start() else { return };
    let score = apps.crawl(3, &["--no-scripts"]);
    assert!(score.found < score.expected / 2, "{} of {}", score.found, score.expected);
    let scripts = apps.server.log().into_iter().filter(|entry| entry.target.contains(".js")).count();
    assert_eq!(scripts, 0);
}

#[test]
fn extract_says_where_why_and_how_an_address_stands_in_code() {
    let dir = tempfile::tempdir().unwrap();
    let page = dir.path().join("index.html");
    std::fs::write(
        &page,
        "<title>Rivers</title>\n<div id=map></div>\n<script src='https://cdn.example/leaflet@1.9.4/leaflet.js'></script>\n<script src='js/map.js'></script>\n",
    )
    .unwrap();
    std::fs::create_dir(dir.path().join("js")).unwrap();
    std::fs::write(
        dir.path().join("js/map.js"),
        "// L.tileLayer.wms('http://commented.example/wms')\nconst host = 'maps.example.org';\nL.tileLayer.wms(`https://${host}/geoserver/ows`, {layers: 'rivers,lakes'}).addTo(m);\n",
    )
    .unwrap();
    let said = run_command(
        geotrawl_command(dir.path())
            .args(["--json", "extract", "--base-url", "https://viewer.example/x/index.html"])
            .arg(&page),
    );
    let found: Vec<_> = said.json_lines().into_iter().filter(|object| object["service"] == true).collect();
    assert_eq!(found.len(), 1, "{found:#?}");
    let one = &found[0];
    assert_eq!(one["url"], "https://maps.example.org/geoserver/ows");
    assert_eq!(one["way"], "js:leaflet:tileLayer.wms");
    assert_eq!(one["rule"], "leaflet:tileLayer.wms");
    assert_eq!(one["level"], "fold");
    assert_eq!(one["line"], 3);
    assert_eq!(one["script"], "https://viewer.example/x/js/map.js");
    assert_eq!(one["layers"], serde_json::json!(["rivers", "lakes"]));
    assert!(one["reason"].as_str().unwrap().contains("tileLayer.wms"), "{one}");
}

/// Each script makes an unbounded parser or engine overflow, run forever or exhaust memory.
#[test]
fn hostile_scripts_end_and_leave_the_rest_alone() {
    let _busy = share_machine();
    let dir = tempfile::tempdir().unwrap();
    let scripts = [
        ("brackets", "[".repeat(3 << 20)),
        ("sums", format!("x={}1", "1+".repeat(1 << 20))),
        ("arrows", format!("x={}1", "a=>".repeat(1 << 20))),
        ("assignments", format!("x={}1{}", "(a=".repeat(1 << 19), ")".repeat(1 << 19))),
        ("loop", "for(;;){}".to_owned()),
        ("memory", "var a=[];for(;;)a.push(new Array(1e6).fill(1))".to_owned()),
        ("regex", "/^(a+)+$/.test('a'.repeat(60)+'b')".to_owned()),
        ("prototypes", "Object.prototype.url={get:1};Array.prototype.push=function(){for(;;){}};L.map({get x(){for(;;){}}})".to_owned()),
        ("recursion", "(function f(){f();f()})()".to_owned()),
    ];
    let good = "L.tileLayer.wms('http://alive.example/wms', {layers: 'a'});";
    for (name, script) in scripts {
        let page = dir.path().join(format!("{name}.html"));
        let html = format!("<script>{good}</script><script>L.map('m');{script}</script>");
        std::fs::write(&page, html).unwrap();
        let said =
            run_command(geotrawl_command(dir.path()).args(["--json", "extract", "--services"]).arg(&page));
        assert_eq!(said.code, 0, "{name}: {}", said.err);
        // Either the good script was analyzed, or the analysis stopped and its plain text was
        // searched.
        let urls: Vec<_> = said.json_lines().iter().map(|object| object["url"].clone()).collect();
        assert!(urls.iter().any(|url| url == "http://alive.example/wms"), "{name}: {urls:?}");
    }
}
