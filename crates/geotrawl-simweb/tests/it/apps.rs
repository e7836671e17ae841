use crate::client::{get, send};
use geotrawl_simweb::{AppService, AppSite, AppTruth, LogSink, ServerHandle, report};
use geotrawl_testkit::require_tool;
use serde_json::json;
use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// The applications, served on a separate runtime.
struct ServedApps {
    address: SocketAddr,
    runtime: tokio::runtime::Runtime,
    server: Option<ServerHandle>,
}

impl Drop for ServedApps {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            self.runtime.block_on(server.stop());
        }
    }
}

fn serve(site: &AppSite) -> ServedApps {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let server = {
        let _guard = runtime.enter();
        let listener = geotrawl_simweb::listen(([127, 0, 0, 1], 0).into()).unwrap();
        site.serve(listener, Some(LogSink::memory())).unwrap()
    };
    ServedApps { address: server.address(), runtime, server: Some(server) }
}

/// A folder that is deleted after the test.
struct TestFolder(PathBuf);

impl TestFolder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("simweb-apps-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: &str) {
        let file = self.0.join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Two applications: one with services and a program, one with nothing to find.
fn small() -> TestFolder {
    let folder = TestFolder::new("small");
    folder.write("one/index.html", "<html><body><script src=\"main.js\"></script></body></html>");
    folder.write("one/main.js", "start();");
    folder.write("two/index.html", "<html><body>Nothing</body></html>");
    folder.write("lib/leaflet/leaflet.js", "var L = {};");
    let apps = json!({"format": 1, "library_host": "cdn.example", "library_files": ["leaflet/leaflet.js"], "apps": [
        {"id": "one", "title": "One", "library": "leaflet", "build": "plain", "techniques": ["literal"], "level": 2, "host": "www.one.example", "base": "/karte/",
         "services": [
            {"kind": "wms", "url": "http://wms.one.example/cgi?map=/a.map", "layers": ["roads"], "requested": true},
            {"kind": "arcgis-mapserver", "url": "http://gis.one.example/arcgis/rest/services/A/MapServer", "requested": true},
            {"kind": "xyz", "url": "http://tiles.one.example/t/{z}/{x}/{y}.png", "requested": true, "optional": true}],
         "endpoints": [
            {"method": "POST", "path": "/api/session", "requires": {"body": "viewer"}, "reply": {"status": 200, "content_type": "application/json", "headers": {"X-Node": "7"}, "body": "{\"token\":\"t1\"}"}},
            {"method": "GET", "path": "/api/layers", "requires": {"authorization": "Bearer t1"}, "reply": {"status": 200, "content_type": "application/json", "body": "[]"}, "otherwise": {"status": 401, "content_type": "text/plain"}}],
         "files": ["index.html", "main.js"]},
        {"id": "two", "title": "Two", "library": "none", "build": "plain", "host": "www.two.example", "base": "/", "files": ["index.html"],
         "must_not_find": [{"url": "http://old.two.example/wms", "reason": "comment", "live": true}, {"url": "http://api.two.example/layers", "reason": "web-shop"}]}]});
    folder.write("apps.json", &apps.to_string());
    folder
}

#[test]
fn a_missing_or_broken_folder_is_an_error_that_says_why() {
    let missing = AppSite::load(Path::new("no-such-folder")).err().unwrap();
    assert_eq!(missing.kind(), std::io::ErrorKind::NotFound);
    assert!(missing.to_string().contains("npm ci"), "{missing}");
    let app = r#"{"id":"one","host":"a.example","base":"/","files":["#;
    let head = r#"{"format":1,"library_host":"cdn.example","apps":["#;
    let one = |rest: &str| format!("{head}{app}{rest}");
    for (text, says) in [
        (String::from("{"), "EOF"),
        (String::from("[]"), "apps.json"),
        (String::from(r#"{"format":9,"library_host":"x","apps":[]}"#), "format 9"),
        (one(r#""../../etc/passwd"]}]}"#), "leaves its folder"),
        (one(r#""/etc/passwd"]}]}"#), "leaves its folder"),
        (one(r#""absent.js"]}]}"#), "absent.js"),
        (one("]}]}"), "no index.html"),
        (format!(r#"{head}{{"id":"..","host":"a","base":"/"}}]}}"#), "no name of a folder"),
        (format!(r#"{head}{{"id":"a","host":"a","base":"karte"}}]}}"#), "no folder"),
    ] {
        let folder = TestFolder::new("broken");
        folder.write("apps.json", &text);
        let error = AppSite::load(&folder.0).err().unwrap().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
}

#[test]
fn applications_services_and_programs_answer_on_their_hosts() {
    let folder = small();
    let site = AppSite::load(&folder.0).unwrap();
    let served = serve(&site);
    let text = |url: &str| {
        let answer = get(served.address, url, "").unwrap();
        (answer.status, String::from_utf8_lossy(&answer.body).into_owned())
    };
    let (_, portal) = text(&site.truth().seeds[0]);
    assert!(portal.contains("/topics/1.html") && !portal.contains("wms.one"));
    assert!(text("http://portal.map-apps.example/topics/1.html").1.contains("http://www.one.example/"));
    assert!(text("http://www.one.example/").1.contains("href=\"/karte/\""));
    assert!(text("http://www.one.example/karte/").1.contains("main.js"));
    assert_eq!(text("http://www.one.example/karte/main.js"), (200, "start();".to_owned()));
    assert_eq!(text("http://cdn.example/leaflet/leaflet.js").0, 200);
    assert_eq!(text("http://www.one.example/vendor/leaflet/leaflet.js").0, 200);
    for absent in [
        "http://www.one.example/main.js",
        "http://wms.one.example/",
        "http://nobody.example/",
        "http://portal.map-apps.example/topics/0.html",
        "http://portal.map-apps.example/topics/99999999999999999999.html",
    ] {
        assert_eq!(text(absent).0, 404, "{absent}");
    }
    let (_, caps) = text("http://wms.one.example/cgi?map=/a.map&SERVICE=WMS&REQUEST=GetCapabilities");
    assert!(
        caps.contains("<Name>roads</Name>") && caps.contains("http://wms.one.example/cgi?map=/a.map&amp;")
    );
    assert!(text("http://gis.one.example/arcgis/rest/services/A/MapServer?f=json").1.contains("mapName"));
    assert!(text("http://tiles.one.example/t/3/4/2.png").1.contains("PNG"));
    assert!(
        text("http://old.two.example/wms?SERVICE=WMS&REQUEST=GetCapabilities").1.contains("WMS_Capabilities")
    );
    assert_eq!(text("http://api.two.example/layers"), (200, "[]".to_owned()));

    let session = "http://www.one.example/api/session";
    assert_eq!(get(served.address, session, "").unwrap().status, 405);
    assert_eq!(send(served.address, "POST", session, "", "{}").unwrap().status, 403);
    let answer = send(served.address, "POST", session, "", "{\"app\":\"viewer\"}").unwrap();
    assert_eq!((answer.status, answer.header("x-node")), (200, Some("7")));
    let layers = "http://www.one.example/api/layers";
    assert_eq!(get(served.address, layers, "").unwrap().status, 401);
    assert_eq!(get(served.address, layers, "Authorization: Bearer t1\r\n").unwrap().status, 200);
}

#[test]
fn the_truth_is_the_same_each_time_and_scores_claims() {
    let folder = small();
    let truth = AppSite::load(&folder.0).unwrap().truth().clone();
    assert_eq!(&truth, AppSite::load(&folder.0).unwrap().truth());
    let text = serde_json::to_string(&truth).unwrap();
    assert_eq!(serde_json::from_str::<AppTruth>(&text).unwrap(), truth);
    assert_eq!(truth.services[0].tags, ["js:leaflet", "build:plain", "via:literal"]);
    let claims = [
        ("wms", "http://wms.one.example/cgi?map=%2Fa.map"),
        ("arcgis-mapserver", "http://gis.one.example/arcgis/rest/services/A/MapServer/0"),
        ("wms", "http://old.two.example/wms"),
    ];
    let score = |level: u8| {
        report::recall_precision(
            &truth.up_to_level(level),
            claims.into_iter(),
            report::ExpectedResources::AllSurface,
        )
    };
    assert_eq!((score(2).expected, score(2).found, score(2).false_claims.len()), (2, 2, 1));
    assert_eq!((score(1).expected, score(1).correct), (0, 2));
}

/// Returns the site of the applications that `tools/apps` built.
fn built() -> Option<AppSite> {
    let folder = std::env::var_os("GEOTRAWL_APPS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/apps"), PathBuf::from);
    require_tool("the built map applications", AppSite::load(&folder), "run `make apps`")
}

#[test]
fn the_built_applications_cover_the_forms_and_their_services_answer() {
    let Some(site) = built() else { return };
    let truth = site.truth();
    assert!(truth.apps.len() >= 60, "{}", truth.apps.len());
    let levels: BTreeSet<Option<u8>> = truth.apps.iter().map(|app| app.level).collect();
    assert_eq!(levels, BTreeSet::from([None, Some(2), Some(3), Some(4)]));
    let builds: BTreeSet<&str> = truth.apps.iter().map(|app| app.build.as_str()).collect();
    for build in ["esbuild", "esbuild-esm", "webpack", "vite", "terser", "plain", "obfuscator"] {
        assert!(builds.contains(build), "{build}");
    }
    let urls: BTreeSet<&str> = truth.services.iter().map(|service| service.url.as_str()).collect();
    assert_eq!(urls.len(), truth.services.len(), "one service in two applications");
    for app in &truth.apps {
        let has = truth.services.iter().any(|service| service.app == app.id);
        assert_eq!(has, app.level.is_some(), "{}", app.id);
    }
    let served = serve(&site);
    for service in truth.services.iter().filter(|service| service.kind != "maplibre-style") {
        check_service(served.address, service);
    }
}

fn check_service(address: SocketAddr, service: &AppService) {
    let join = if service.url.contains('?') { '&' } else { '?' };
    let upper = service.kind.to_ascii_uppercase();
    let (url, says) = match service.kind.as_str() {
        "wms" | "wfs" | "wmts" => {
            let says = service.layers.first().cloned().unwrap_or_default();
            (format!("{}{join}SERVICE={upper}&REQUEST=GetCapabilities", service.url), says)
        }
        kind if kind.starts_with("arcgis") => {
            (format!("{}?f=json", service.url), "currentVersion".to_owned())
        }
        "xyz" | "mvt" => {
            let tile = ["{z}", "{x}", "{y}", "{quadkey}"]
                .iter()
                .fold(service.url.clone(), |url, at| url.replace(at, "1"));
            (tile, if service.kind == "xyz" { "PNG" } else { "cells" }.to_owned())
        }
        "kml" => (service.url.clone(), "<kml".to_owned()),
        "tilejson" => (service.url.clone(), "tilejson".to_owned()),
        _ => (service.url.clone(), "FeatureCollection".to_owned()),
    };
    let answer = get(address, &url, "").unwrap();
    let body = String::from_utf8_lossy(&answer.body).into_owned();
    assert!(answer.status == 200 && body.contains(&says), "{url}: {} {body:.200}", answer.status);
}

/// Returns the addresses of the scripts that a page loads at once.
fn scripts(page: &str, html: &str) -> Vec<String> {
    let mut base = url::Url::parse(page).unwrap();
    if let Some((_, rest)) = html.split_once("<base href=\"") {
        base = base.join(rest.split('"').next().unwrap()).unwrap();
    }
    let sources = html.match_indices("<script").filter_map(|(at, _)| {
        let tag = html[at..].split('>').next()?;
        base.join(tag.split("src=\"").nth(1)?.split('"').next()?).ok()
    });
    sources.map(|url| url.to_string()).collect()
}

#[test]
fn only_the_applications_reveal_the_services_and_deep_ones_not_in_plain_text() {
    let Some(site) = built() else { return };
    let truth = site.truth();
    let served = serve(&site);
    let text = |url: &str| {
        let answer = get(served.address, url, "").unwrap();
        assert_eq!(answer.status, 200, "{url}");
        String::from_utf8_lossy(&answer.body).into_owned()
    };
    let seed = &truth.seeds[0];
    let mut ordinary = text(seed);
    let topics = ordinary.matches("/topics/").count();
    for topic in 1..=topics {
        ordinary.push_str(&text(&format!("{seed}topics/{topic}.html")));
    }
    for app in &truth.apps {
        let mut front = url::Url::parse(&app.page).unwrap();
        front.set_path("/");
        assert!(ordinary.contains(&format!("href=\"{front}\"")), "{} is not linked", app.id);
        let page = text(&app.page);
        let mut code = page.clone();
        for script in scripts(&app.page, &page) {
            let source = text(&script);
            // Libraries are the same for all.
            if script.contains(&app.id) && !script.contains("/vendor/") {
                code.push_str(&source);
            }
        }
        for service in truth.services.iter().filter(|service| service.app == app.id) {
            assert!(!ordinary.contains(&service.url), "{}", service.url);
            let hidden = service.level > 2 && !service.optional;
            assert!(!hidden || !code.contains(&service.url), "{}: {} in plain text", app.id, service.url);
            let host = service.url.split('/').nth(2).unwrap();
            assert!(service.level < 4 || !code.contains(host), "{}: {host} in plain text", app.id);
        }
    }
}
