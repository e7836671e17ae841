//! What servers answer, and the verdict on it.

use crate::documents::*;
use crate::server::{Reply, converse, known, site};
use geotrawl_kinds::model::Status;
use geotrawl_trust::check::{Options, verdict};

type Case = (&'static str, &'static str, &'static str, Vec<(&'static str, Reply)>, Status, &'static str);

const WMS: &str = "https://x.org/wms";
const CAPS: &str = "GetCapabilities";
const MAP: &str = "GetMap";

fn ok(body: impl Into<Vec<u8>>) -> Reply {
    Reply::ok(body)
}

fn wms_with(map: Reply) -> Vec<(&'static str, Reply)> {
    vec![(CAPS, ok(wms("1.3.0", &["a", "b", "c"]))), (MAP, map)]
}

fn wms_description(caps: Reply) -> Vec<(&'static str, Reply)> {
    vec![(CAPS, caps), (MAP, ok(png(true)))]
}

fn api(name: &str, more: Vec<(&'static str, Reply)>) -> Vec<(&'static str, Reply)> {
    let mut pages = more;
    pages.push(("/conformance", ok(conformance(name))));
    pages.push(("/collections?", ok(COLLECTIONS)));
    pages.push(("/api?", ok(LANDING)));
    pages
}

fn ows_with(caps: String, operation: &'static str, reply: Reply) -> Vec<(&'static str, Reply)> {
    vec![(CAPS, ok(caps)), (operation, reply)]
}

const API: &str = "https://x.org/api";
const GML: &str = r#"<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" numberReturned="1"><wfs:member><r xmlns="t"/></wfs:member></wfs:FeatureCollection>"#;
const NO_GML: &str =
    r#"<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" numberReturned="0"/>"#;

const TMS_LIST: &str = r#"<TileMapService version="1.0.0"><Title>Tiles</Title><TileMaps><TileMap title="Base" srs="EPSG:3857" profile="global-mercator" href="https://x.org/tms/1.0.0/base"/></TileMaps></TileMapService>"#;
const TABLE: &str = "name,lat,lon,comment\nTown hall,50.1,7.1,log in to see more\nLibrary,50.2,7.2,api key at the desk\nBath,50.3,7.3,unauthorized\nPark,50.4,7.4,closed at night and on holidays\nSchool,50.5,7.5,open\nStation,50.6,7.6,open\nMarket,50.7,7.7,open\nBridge,50.8,7.8,open at all times of the day\nMuseum,50.9,7.9,open from nine to five o'clock on most days of the week\nZoo,50.15,7.15,open from nine to five o'clock on most days of the week\nHarbour,50.25,7.25,open from nine to five\n";

fn records(matched: u32) -> String {
    format!(
        r#"<csw:GetRecordsResponse xmlns:csw="http://www.opengis.net/cat/csw/2.0.2"><csw:SearchResults numberOfRecordsMatched="{matched}" numberOfRecordsReturned="0" nextRecord="0"/></csw:GetRecordsResponse>"#
    )
}

fn descriptions() -> Vec<Case> {
    use Status::{Alive, Blocked, Dead, Degraded, Inconclusive, Restricted};
    let one =
        |name, reply, status, cause| -> Case { (name, "wms", WMS, wms_description(reply), status, cause) };
    let caps = || wms("1.3.0", &["a"]);
    let esri = |code: u16, text: &str| {
        ok(format!(r#"{{"error":{{"code":{code},"message":"{text}","details":[]}}}}"#))
    };
    let map_server = "https://x.org/arcgis/rest/services/Town/MapServer";
    let arcgis = |name, reply, status, cause| -> Case {
        (name, "arcgis-mapserver", map_server, vec![("MapServer", reply)], status, cause)
    };
    vec![
        one("capabilities of 1.3.0", ok(caps()), Alive, "answers"),
        one("capabilities of 1.1.1", ok(wms("1.1.1", &["a"])), Alive, "answers"),
        one("capabilities as a stream", ok(caps()).streamed(), Alive, "answers"),
        one("capabilities with status 500", Reply::status(500, caps()), Alive, "answers"),
        one("capabilities as text/html", ok(caps()).header("content-type", "text/html"), Alive, "answers"),
        one("no layers", ok(wms("1.3.0", &[])), Alive, "answers"),
        one("an exception", ok(exception("out of memory")), Degraded, "exception"),
        one("an exception with 500", Reply::status(500, exception("out of memory")), Degraded, "exception"),
        one("an exception with 404", Reply::status(404, exception("no such map")), Degraded, "exception"),
        one("an exception about a login", ok(exception("Authentication required")), Restricted, "login"),
        one("an exception about a key", Reply::status(403, exception("Missing API key")), Restricted, "key"),
        one("an exception with 401", Reply::status(401, exception("who are you?")), Restricted, "login"),
        one(
            "401",
            Reply::status(401, "").header("www-authenticate", "Basic realm=maps"),
            Restricted,
            "login",
        ),
        one(
            "401 and a key",
            Reply::status(401, r#"{"message":"Access denied due to missing subscription key."}"#),
            Restricted,
            "key",
        ),
        one("407", Reply::status(407, ""), Restricted, "login"),
        one(
            "a login page",
            ok(page("Sign in", "<form><input type=\"password\"></form>")),
            Restricted,
            "login",
        ),
        one(
            "a login page with 403",
            Reply::status(403, page("Sign in", "<input type=password>")),
            Restricted,
            "login",
        ),
        one(
            "a redirect to a login",
            ok(page("Welcome", "")).redirected(302, "https://id.org/auth/realms/x?next=wms"),
            Restricted,
            "login",
        ),
        one("403", Reply::status(403, "no"), Blocked, "forbidden"),
        one("403 page", Reply::status(403, page("403 Forbidden", "")), Blocked, "forbidden"),
        one(
            "403 of a firewall",
            Reply::status(403, page("Attention Required! | Cloudflare", "cf-chl")),
            Blocked,
            "firewall",
        ),
        one(
            "a challenge with 200",
            ok(page("Just a moment", "checking your browser before accessing")),
            Blocked,
            "firewall",
        ),
        one("a challenge with 503", Reply::status(503, page("One moment", "cf-chl")), Blocked, "firewall"),
        one(
            "a challenge by header",
            Reply::status(403, page("x", "")).header("cf-mitigated", "challenge"),
            Blocked,
            "firewall",
        ),
        one(
            "403 and a key in JSON",
            Reply::status(403, r#"{"error":"API key required"}"#),
            Restricted,
            "key",
        ),
        one("200 and a key in text", ok("Error: missing API key"), Restricted, "key"),
        one("200 and a key in JSON", ok(r#"{"message":"No API key found in request"}"#), Restricted, "key"),
        one("429", Reply::status(429, "slow down"), Blocked, "rate-limited"),
        one("429 page", Reply::status(429, page("Too many requests", "")), Blocked, "rate-limited"),
        one("503 and a wait", Reply::status(503, "").header("retry-after", "120"), Blocked, "rate-limited"),
        one("503", Reply::status(503, page("Unavailable", "")), Dead, "server-error"),
        one("500", Reply::status(500, "oops"), Dead, "server-error"),
        one("502 in JSON", Reply::status(502, r#"{"message":"Bad gateway"}"#), Dead, "server-error"),
        one("404", Reply::status(404, page("Not found", "")), Dead, "gone"),
        one("410", Reply::status(410, ""), Dead, "gone"),
        one(
            "a 404 with a login form on it",
            Reply::status(404, page("Not found", "<input type=password>")),
            Dead,
            "gone",
        ),
        one("400", Reply::status(400, "what?"), Degraded, "client-error"),
        one("a soft 404", ok(page("404 - Page not found", "")), Dead, "wrong-content"),
        one(
            "a parked host",
            ok(page("x.org", "This domain is for sale: buy this domain")),
            Dead,
            "wrong-content",
        ),
        one("a plain page", ok(page("Our town", "Welcome")), Dead, "wrong-content"),
        one("nothing", ok(""), Degraded, "wrong-content"),
        one("a picture", ok(png(true)), Degraded, "wrong-content"),
        one("another document", ok("<a><b/></a>"), Degraded, "wrong-content"),
        one("another service", ok(csw()), Degraded, "wrong-content"),
        one("JSON", ok("{\"a\":1}"), Degraded, "wrong-content"),
        one("half of it", ok(&caps().as_bytes()[..100]), Degraded, "malformed"),
        one("cut before anything came", ok(&caps().as_bytes()[..60]).cut(), Inconclusive, "reset"),
        one("no such name", Reply::fails("dns"), Dead, "dns"),
        one("trouble with names", Reply::fails("resolver"), Inconclusive, "dns"),
        one("refused", Reply::fails("connect"), Dead, "connect"),
        one("certificate", Reply::fails("tls"), Inconclusive, "tls"),
        one("timeout", Reply::fails("timeout"), Inconclusive, "timeout"),
        one("reset", Reply::fails("reset"), Inconclusive, "reset"),
        one("cut off", Reply::fails("truncated"), Inconclusive, "reset"),
        one("no HTTP", Reply::fails("protocol"), Degraded, "malformed"),
        one("robots", Reply::fails("robots"), Blocked, "robots"),
        one("a private address", Reply::fails("blocked-address"), Inconclusive, "refused"),
        one("a loop of redirects", Reply::fails("redirect-loop"), Inconclusive, "refused"),
        one("too large", Reply::fails("too-large"), Inconclusive, "too-large"),
        one("resting", Reply::fails("resting"), Blocked, "rate-limited"),
        one("a failure without a name", Reply::fails("cosmic"), Inconclusive, "reset"),
        one("moved", ok(caps()).redirected(301, "https://new.org/wms?SERVICE=WMS"), Alive, "moved"),
        one("moved for now", ok(caps()).redirected(302, "https://new.org/wms?SERVICE=WMS"), Alive, "answers"),
        one(
            "moved to https",
            ok(caps()).redirected(301, "https://www.x.org/wms?SERVICE=WMS"),
            Alive,
            "answers",
        ),
        (
            "an address that is none",
            "wms",
            "no address",
            vec![("about:", Reply::fails("bad-url"))],
            Inconclusive,
            "refused",
        ),
        arcgis("499 with 200", esri(499, "Token Required"), Restricted, "key"),
        arcgis("498 with 200", esri(498, "Invalid Token"), Restricted, "key"),
        arcgis(
            "403 with 200",
            esri(403, "You do not have permissions to access this resource"),
            Blocked,
            "forbidden",
        ),
        arcgis("404 with 200", esri(404, "Service not found"), Dead, "gone"),
        arcgis("500 with 200", esri(500, "Service Town/MapServer not started"), Degraded, "exception"),
        arcgis("a directory page", ok(page("Folder: /", "")), Dead, "wrong-content"),
    ]
}

fn operations() -> Vec<Case> {
    use Status::{Alive, Blocked, Degraded, Restricted};
    let map = |name, reply, status, cause| -> Case { (name, "wms", WMS, wms_with(reply), status, cause) };
    let good = || png(true);
    let jpeg = {
        let mut bytes = Vec::new();
        let pixels: Vec<u8> = (0..64 * 64 * 3).map(|n| (n % 200) as u8).collect();
        let encoder = jpeg_encoder::Encoder::new(&mut bytes, 80);
        encoder.encode(&pixels, 64, 64, jpeg_encoder::ColorType::Rgb).expect("a picture");
        bytes
    };
    let sometimes = vec![
        (CAPS, ok(wms("1.3.0", &["a", "b", "c"]))),
        ("LAYERS=a", ok(good())),
        (MAP, ok(exception("no"))),
    ];
    let bad_then_blank = vec![
        (CAPS, ok(wms("1.3.0", &["a", "b"]))),
        ("LAYERS=a", ok(png(false))),
        (MAP, Reply::status(500, "")),
    ];
    vec![
        map("maps are drawn", ok(good()), Alive, "answers"),
        map("maps are slow", ok(good()).after(10_001), Degraded, "slow"),
        map("maps are just in time", ok(good()).after(10_000), Alive, "answers"),
        map("maps of one colour", ok(png(false)), Degraded, "blank"),
        map("maps are refused", ok(exception("Layer not defined")), Degraded, "exception"),
        map("maps fail", Reply::status(500, "oops"), Degraded, "server-error"),
        map("maps are absent", Reply::status(404, page("404", "")), Degraded, "gone"),
        map("maps are pages", ok(page("Our town", "")), Degraded, "wrong-content"),
        map("maps are cut", ok(&good()[..200]), Degraded, "malformed"),
        map("maps are JPEG", ok(jpeg), Degraded, "wrong-content"),
        map("maps are text", ok("error in line 3"), Degraded, "wrong-content"),
        map("maps are nothing", ok(""), Degraded, "wrong-content"),
        map("maps want a login", Reply::status(401, ""), Restricted, "login"),
        map("maps want a key", ok(exception("Invalid token")), Restricted, "key"),
        map("maps are forbidden", Reply::status(403, ""), Degraded, "forbidden"),
        map("maps come too often", Reply::status(429, ""), Blocked, "rate-limited"),
        map("maps behind a firewall", Reply::status(403, page("x", "cf-chl")), Blocked, "firewall"),
        map("maps take too long", Reply::fails("timeout"), Degraded, "timeout"),
        map("maps break off", Reply::fails("reset"), Degraded, "reset"),
        map("maps are not for robots", Reply::fails("robots"), Alive, "answers"),
        map("maps are too large", Reply::fails("too-large"), Alive, "answers"),
        ("one map of three", "wms", WMS, sometimes, Alive, "answers"),
        ("half blank, half broken", "wms", WMS, bad_then_blank, Degraded, "server-error"),
        (
            "an ncWMS",
            "ncwms",
            "https://x.org/thredds/wms/a.nc",
            vec![(CAPS, ok(wms("1.3.0", &["a"]))), (MAP, ok(good()))],
            Alive,
            "answers",
        ),
        ("a plain WMS is no ncWMS", "ncwms", WMS, wms_with(ok(good())), Degraded, "wrong-content"),
    ]
}

fn kinds() -> Vec<Case> {
    use Status::{Alive, Dead, Degraded, Restricted};
    let (wfs_at, csw_at, wmts_at) = ("https://x.org/wfs", "https://x.org/csw", "https://x.org/wmts");
    let good = || png(true);
    let fs = "https://x.org/arcgis/rest/services/Town/FeatureServer";
    let ms = "https://x.org/arcgis/rest/services/Town/MapServer";
    let is = "https://x.org/arcgis/rest/services/Town/ImageServer";
    let gp = "https://x.org/arcgis/rest/services/Town/GPServer";
    let sta = |observations: Reply| {
        vec![("/Observations", observations), ("/Datastreams", ok(STA_STREAMS)), ("/v1.1", ok(STA_ROOT))]
    };
    let stac = |search: Reply| {
        vec![
            ("/search", search),
            (
                "/collections/s2",
                ok(r#"{"type":"Collection","stac_version":"1.0.0","id":"s2","links":[],"extent":{}}"#),
            ),
            ("/collections", ok(STAC_COLLECTIONS)),
            ("/stac", ok(STAC)),
        ]
    };
    let dap = |value: Reply| vec![(".ascii", value), (".dds", ok(DDS)), (".das", ok("Attributes {\n}\n"))];
    let geojson = || format!("{FEATURES}{}", " ".repeat(3000));
    vec![
        ("a WFS", "wfs", wfs_at, ows_with(wfs(), "GetFeature", ok(GML)), Alive, "answers"),
        ("a WFS in JSON", "wfs", wfs_at, ows_with(wfs(), "GetFeature", ok(FEATURES)), Alive, "answers"),
        (
            "a WFS without features",
            "wfs",
            wfs_at,
            ows_with(wfs(), "GetFeature", ok(NO_GML)),
            Degraded,
            "blank",
        ),
        (
            "a WFS that refuses",
            "wfs",
            wfs_at,
            ows_with(wfs(), "GetFeature", ok(exception("no"))),
            Degraded,
            "exception",
        ),
        (
            "a WFS cut short",
            "wfs",
            wfs_at,
            ows_with(wfs(), "GetFeature", ok(&GML[..GML.len() - 40])),
            Degraded,
            "malformed",
        ),
        (
            "a WCS",
            "wcs",
            "https://x.org/wcs",
            ows_with(
                wcs(),
                "DescribeCoverage",
                ok("<wcs:CoverageDescriptions xmlns:wcs='w'></wcs:CoverageDescriptions>"),
            ),
            Alive,
            "answers",
        ),
        (
            "a WCS with another answer",
            "wcs",
            "https://x.org/wcs",
            ows_with(wcs(), "DescribeCoverage", ok("<a/>")),
            Degraded,
            "wrong-content",
        ),
        (
            "a WPS",
            "wps",
            "https://x.org/wps",
            ows_with(wps(), "DescribeProcess", ok("<ProcessDescriptions/>")),
            Alive,
            "answers",
        ),
        (
            "a WPS that fails",
            "wps",
            "https://x.org/wps",
            ows_with(wps(), "DescribeProcess", Reply::status(500, "")),
            Degraded,
            "server-error",
        ),
        ("a CSW", "csw", csw_at, ows_with(csw(), "GetRecords", ok(records(12))), Alive, "answers"),
        ("an empty CSW", "csw", csw_at, ows_with(csw(), "GetRecords", ok(records(0))), Degraded, "blank"),
        (
            "a CSW that refuses",
            "csw",
            csw_at,
            ows_with(csw(), "GetRecords", ok(exception("POST only"))),
            Degraded,
            "exception",
        ),
        (
            "a SOS",
            "sos",
            "https://x.org/sos",
            ows_with(
                sos(),
                "DescribeSensor",
                ok("<swes:DescribeSensorResponse xmlns:swes='s'></swes:DescribeSensorResponse>"),
            ),
            Alive,
            "answers",
        ),
        (
            "a SOS that refuses",
            "sos",
            "https://x.org/sos",
            ows_with(sos(), "DescribeSensor", ok(exception("no"))),
            Degraded,
            "exception",
        ),
        ("a WMTS", "wmts", wmts_at, ows_with(wmts(), "GetTile", ok(good())), Alive, "answers"),
        (
            "a WMTS of one colour",
            "wmts",
            wmts_at,
            ows_with(wmts(), "GetTile", ok(png(false))),
            Degraded,
            "blank",
        ),
        (
            "a WMTS that is slow",
            "wmts",
            wmts_at,
            ows_with(wmts(), "GetTile", ok(good()).after(2001)),
            Degraded,
            "slow",
        ),
        (
            "a WMTS without tiles",
            "wmts",
            wmts_at,
            ows_with(wmts(), "GetTile", Reply::status(404, "")),
            Degraded,
            "gone",
        ),
        (
            "a TMS",
            "tms",
            "https://x.org/tms/1.0.0/base",
            vec![(".png", ok(good())), ("/tms", ok(tms()))],
            Alive,
            "answers",
        ),
        (
            "a TMS without tiles",
            "tms",
            "https://x.org/tms/1.0.0/base",
            vec![(".png", Reply::status(404, "")), ("/tms", ok(tms()))],
            Degraded,
            "gone",
        ),
        (
            "a list of a TMS",
            "tms",
            "https://x.org/tms/1.0.0/",
            vec![(".png", ok(good())), ("/base", ok(tms())), ("/tms", ok(TMS_LIST))],
            Alive,
            "answers",
        ),
        (
            "a list of a TMS without tiles",
            "tms",
            "https://x.org/tms/1.0.0/",
            vec![("/base", ok(tms())), ("/tms", ok(TMS_LIST))],
            Alive,
            "answers",
        ),
        (
            "a list of a TMS without maps",
            "tms",
            "https://x.org/tms/1.0.0/",
            vec![("/base", Reply::status(500, "")), ("/tms", ok(TMS_LIST))],
            Degraded,
            "server-error",
        ),
        (
            "an XYZ",
            "xyz",
            "https://x.org/{z}/{x}/{y}.png",
            vec![("/0/0/0.png", ok(good()))],
            Alive,
            "answers",
        ),
        (
            "an XYZ from level 4",
            "xyz",
            "https://x.org/{z}/{x}/{y}.png",
            vec![("/4/8/5.png", ok(good()))],
            Alive,
            "answers",
        ),
        (
            "an XYZ of one colour",
            "xyz",
            "https://x.org/{z}/{x}/{y}.png",
            vec![("/0/0/0.png", ok(png(false)))],
            Degraded,
            "blank",
        ),
        (
            "an XYZ that wants a key",
            "xyz",
            "https://x.org/{z}/{x}/{y}.png",
            vec![("/0/0/0.png", Reply::status(401, ""))],
            Restricted,
            "login",
        ),
        ("an XYZ that is gone", "xyz", "https://x.org/{z}/{x}/{y}.png", vec![], Dead, "gone"),
        (
            "vector tiles",
            "mvt",
            "https://x.org/{z}/{x}/{y}.pbf",
            vec![("/0/0/0.pbf", ok(mvt()))],
            Alive,
            "answers",
        ),
        (
            "a TileJSON",
            "tilejson",
            "https://x.org/base.json",
            vec![("/tiles/6/", ok(good())), ("/base.json", ok(TILEJSON))],
            Alive,
            "answers",
        ),
        (
            "a TileJSON of empty tiles",
            "tilejson",
            "https://x.org/base.json",
            vec![("/tiles/6/", Reply::status(204, "")), ("/base.json", ok(TILEJSON))],
            Degraded,
            "blank",
        ),
        (
            "tiles of an API",
            "ogcapi-tiles",
            API,
            api(
                "tiles",
                vec![
                    ("/tiles/0/", ok(mvt())),
                    (
                        "/tiles?",
                        ok(
                            r#"{"links":[{"rel":"item","href":"https://x.org/tiles/{tileMatrix}/{tileRow}/{tileCol}"}]}"#,
                        ),
                    ),
                ],
            ),
            Alive,
            "answers",
        ),
        ("maps of an API", "ogcapi-maps", API, api("maps", vec![("/map?", ok(good()))]), Alive, "answers"),
        (
            "records of an API",
            "ogcapi-records",
            API,
            api("records", vec![("/items", ok(FEATURES))]),
            Alive,
            "answers",
        ),
        (
            "a style",
            "maplibre-style",
            "https://x.org/style.json",
            vec![(
                "style.json",
                ok(
                    r#"{"version":8,"name":"Day","sources":{"a":{"type":"vector","url":"https://x.org/t.json"}},"layers":[{"id":"b","type":"background"}]}"#,
                ),
            )],
            Alive,
            "answers",
        ),
        (
            "a table that speaks of logins",
            "csv-geo",
            "https://x.org/a.csv",
            vec![("a.csv", ok(TABLE))],
            Alive,
            "answers",
        ),
        (
            "features",
            "ogcapi-features",
            API,
            api("features", vec![("/items", ok(FEATURES))]),
            Alive,
            "answers",
        ),
        (
            "no features",
            "ogcapi-features",
            API,
            api("features", vec![("/items", ok(NO_FEATURES))]),
            Degraded,
            "blank",
        ),
        (
            "features that fail",
            "ogcapi-features",
            API,
            api(
                "features",
                vec![("/items", Reply::status(500, r#"{"code":"Oops","description":"no database"}"#))],
            ),
            Degraded,
            "exception",
        ),
        (
            "features that are a page",
            "ogcapi-features",
            API,
            api("features", vec![("/items", ok(page("Items", "")))]),
            Degraded,
            "wrong-content",
        ),
        (
            "broken JSON",
            "ogcapi-features",
            API,
            api("features", vec![("/items", ok(&FEATURES[..60]))]),
            Degraded,
            "malformed",
        ),
        (
            "processes of an API",
            "ogcapi-coverages",
            API,
            api("coverages", vec![("/collections/roads?", ok(r#"{"id":"roads","extent":{},"links":[]}"#))]),
            Alive,
            "answers",
        ),
        (
            "environmental data",
            "ogcapi-edr",
            API,
            api("edr", vec![("/collections/roads?", ok(r#"{"id":"roads","data_queries":{}}"#))]),
            Alive,
            "answers",
        ),
        ("an API that is another", "ogcapi-tiles", API, api("features", vec![]), Degraded, "wrong-content"),
        (
            "a map server",
            "arcgis-mapserver",
            ms,
            vec![("/export", ok(good())), ("MapServer", ok(MAPSERVER))],
            Alive,
            "answers",
        ),
        (
            "a map server that draws nothing",
            "arcgis-mapserver",
            ms,
            vec![("/export", ok(png(false))), ("MapServer", ok(MAPSERVER))],
            Degraded,
            "blank",
        ),
        (
            "a map server that wants a token",
            "arcgis-mapserver",
            ms,
            vec![
                ("/export", ok(r#"{"error":{"code":499,"message":"Token Required"}}"#)),
                ("MapServer", ok(MAPSERVER)),
            ],
            Restricted,
            "key",
        ),
        (
            "a feature server",
            "arcgis-featureserver",
            fs,
            vec![
                ("/query", ok(r#"{"geometryType":"esriGeometryPoint","features":[{"attributes":{"a":1}}]}"#)),
                ("FeatureServer", ok(FEATURESERVER)),
            ],
            Alive,
            "answers",
        ),
        (
            "a feature server without features",
            "arcgis-featureserver",
            fs,
            vec![("/query", ok(r#"{"features":[]}"#)), ("FeatureServer", ok(FEATURESERVER))],
            Degraded,
            "blank",
        ),
        (
            "a feature server that fails",
            "arcgis-featureserver",
            fs,
            vec![
                ("/query", ok(r#"{"error":{"code":400,"message":"Unable to complete operation."}}"#)),
                ("FeatureServer", ok(FEATURESERVER)),
            ],
            Degraded,
            "exception",
        ),
        (
            "an image server",
            "arcgis-imageserver",
            is,
            vec![("/exportImage", ok(good())), ("ImageServer", ok(IMAGESERVER))],
            Alive,
            "answers",
        ),
        (
            "a geoprocessing server",
            "arcgis-gpserver",
            gp,
            vec![("/Buffer", ok(r#"{"name":"Buffer","parameters":[]}"#)), ("GPServer", ok(GPSERVER))],
            Alive,
            "answers",
        ),
        (
            "SensorThings",
            "sensorthings",
            "https://x.org/v1.1",
            sta(ok(r#"{"value":[{"result":1}]}"#)),
            Alive,
            "answers",
        ),
        (
            "SensorThings without observations",
            "sensorthings",
            "https://x.org/v1.1",
            sta(ok(r#"{"value":[]}"#)),
            Degraded,
            "blank",
        ),
        ("a STAC", "stac-api", "https://x.org/stac", stac(ok(FEATURES)), Alive, "answers"),
        (
            "a STAC whose search fails",
            "stac-api",
            "https://x.org/stac",
            stac(Reply::status(500, "")),
            Alive,
            "answers",
        ),
        (
            "an OPeNDAP dataset",
            "opendap",
            "https://x.org/dodsC/sst.nc",
            dap(ok("Dataset {\n Float32 lat[lat = 1];\n} sst.nc;\n---\nlat[1]\n-88.0\n")),
            Alive,
            "answers",
        ),
        (
            "an OPeNDAP dataset without values",
            "opendap",
            "https://x.org/dodsC/sst.nc",
            dap(ok("Error {\n code = 500;\n message = \"file not found\";\n};")),
            Degraded,
            "exception",
        ),
        (
            "a THREDDS catalogue",
            "thredds",
            "https://x.org/thredds/catalog.xml",
            vec![(".dds", ok(DDS)), ("catalog.xml", ok(THREDDS))],
            Alive,
            "answers",
        ),
        (
            "a THREDDS catalogue without leaves",
            "thredds",
            "https://x.org/thredds/catalog.xml",
            vec![("catalog.xml", ok(THREDDS))],
            Degraded,
            "gone",
        ),
        (
            "an ERDDAP",
            "erddap",
            "https://x.org/erddap/",
            vec![
                ("/version", ok("ERDDAP_version=2.23\n")),
                ("allDatasets", ok(ERDDAP_TABLE)),
                ("/info/", ok(r#"{"table":{"columnNames":["Row Type"],"rows":[["attribute"]]}}"#)),
            ],
            Alive,
            "answers",
        ),
        (
            "a CKAN",
            "ckan",
            "https://x.org/",
            vec![
                ("status_show", ok(CKAN_STATUS)),
                ("package_search", ok(r#"{"success":true,"result":{"count":5,"results":[{"name":"a"}]}}"#)),
            ],
            Alive,
            "answers",
        ),
        (
            "an empty CKAN",
            "ckan",
            "https://x.org/",
            vec![
                ("status_show", ok(CKAN_STATUS)),
                ("package_search", ok(r#"{"success":true,"result":{"count":0,"results":[]}}"#)),
            ],
            Degraded,
            "blank",
        ),
        (
            "an OAI-PMH",
            "oai-pmh",
            "https://x.org/oai",
            vec![
                ("verb=Identify", ok(IDENTIFY)),
                (
                    "ListIdentifiers",
                    ok(
                        r#"<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListIdentifiers><header><identifier>a</identifier></header></ListIdentifiers></OAI-PMH>"#,
                    ),
                ),
            ],
            Alive,
            "answers",
        ),
        (
            "an OAI-PMH without records",
            "oai-pmh",
            "https://x.org/oai",
            vec![
                ("verb=Identify", ok(IDENTIFY)),
                (
                    "ListIdentifiers",
                    ok(
                        r#"<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><error code="noRecordsMatch">none</error></OAI-PMH>"#,
                    ),
                ),
            ],
            Degraded,
            "blank",
        ),
        (
            "an OpenSearch",
            "opensearch",
            "https://x.org/osdd.xml",
            vec![
                ("/find", ok("<feed xmlns='http://www.w3.org/2005/Atom'><entry/></feed>")),
                ("/osdd.xml", ok(OPENSEARCH)),
            ],
            Alive,
            "answers",
        ),
        (
            "an OpenSearch that finds nothing",
            "opensearch",
            "https://x.org/osdd.xml",
            vec![
                ("/find", ok("<feed xmlns='http://www.w3.org/2005/Atom'></feed>")),
                ("/osdd.xml", ok(OPENSEARCH)),
            ],
            Degraded,
            "blank",
        ),
        (
            "a GeoJSON",
            "geojson",
            "https://x.org/a.geojson",
            vec![("a.geojson", ok(geojson()).header("accept-ranges", "bytes"))],
            Alive,
            "answers",
        ),
        (
            "a GeoJSON without ranges",
            "geojson",
            "https://x.org/a.geojson",
            vec![("a.geojson", ok(geojson()))],
            Alive,
            "answers",
        ),
        (
            "a GeoJSON that is a page now",
            "geojson",
            "https://x.org/a.geojson",
            vec![("a.geojson", ok(page("Data", "")))],
            Dead,
            "wrong-content",
        ),
        ("a GeoJSON that is gone", "geojson", "https://x.org/a.geojson", vec![], Dead, "gone"),
    ]
}

#[test]
fn servers_get_the_verdict_that_they_deserve() {
    let cases: Vec<Case> = descriptions().into_iter().chain(operations()).chain(kinds()).collect();
    assert!(cases.len() >= 80, "{}", cases.len());
    let mut wrong = Vec::new();
    for (name, kind, url, pages, status, cause) in cases {
        let (checked, asked) = converse(&known(kind, url), &Options::default(), site(pages));
        let check = &checked.check;
        if (check.verdict, check.cause.as_str()) != (status, cause) {
            let requests: Vec<String> = check
                .observations
                .iter()
                .map(|seen| {
                    format!("  {:?} {} -> {:?} {}", seen.purpose, seen.request.url, seen.outcome, seen.seen)
                })
                .collect();
            wrong.push(format!(
                "{name} ({kind}): {} {}, expected {} {cause}\n  {}\n{}",
                check.verdict.as_str(),
                check.cause,
                status.as_str(),
                check.reason,
                requests.join("\n")
            ));
        }
        let again = verdict(kind, &check.observations);
        assert_eq!(
            (again.status, again.cause, &again.reason),
            (check.verdict, check.cause.as_str(), &check.reason)
        );
        assert_eq!(asked.len(), check.observations.len());
        assert!(check.reason.ends_with('.') && check.reason.len() > 10, "{}", check.reason);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
