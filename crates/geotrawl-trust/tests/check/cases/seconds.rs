//! Servers that return on the second request what they did not return on the first.

use super::*;

const TIPG: &str = r#"{"links":[],"collections":[{"id":"grid","extent":{"spatial":{"bbox":[[10,40,20,50]]}},"links":[]},{"id":"roads","extent":{"spatial":{"bbox":[[10,40,20,50]]}},"links":[]}]}"#;
const NEEDS: &str = r#"{"detail":"Missing Required parameters for function: grid. ['size']"}"#;
const CATALOG: &str =
    r#"{"type":"Catalog","stac_version":"1.0.0","id":"a","description":"Scenes","links":[]}"#;
const VALUES: &[u8] = b"Dataset {\n    Float32 lat[lat = 1];\n} a;\nData:\n\0\0\0\x01\0\0\0\x01\x42\x10\0\0";
const EDR: &str = r#"{"id":"sst","title":"Sea","links":[],"extent":{"spatial":{"bbox":[[10,40,20,50]]}},"data_queries":{"position":{"link":{"href":"/edr/position","rel":"data"}}},"parameter_names":{"sst":{"type":"Parameter"}},"output_formats":["csv"],"crs":["CRS84"]}"#;

pub fn retry_cases() -> Vec<CheckCase> {
    use Status::{Alive, Dead, Degraded, Inconclusive, Restricted};
    let sparse = |whole: CannedReply| {
        vec![(CAPS, ok(wms("1.3.0", &["a", "b", "c"]))), ("WIDTH=128", whole), (MAP, ok(png(false)))]
    };
    let stac = "https://x.org/stac";
    let html = || ok(page("STAC browser", "Scenes"));
    let tiles = |second: CannedReply| {
        vec![("/4/8/5.png", second), ("/tiles/", ok(png(false))), (".json", ok(TILEJSON))]
    };
    let dap = |text: CannedReply, bytes: CannedReply| {
        vec![(".ascii", text), (".dods?lat", bytes), (".dds", ok(DDS)), (".das", ok("Attributes {\n}\n"))]
    };
    let sea = "https://x.org/dodsC/a.nc";
    let needs = CannedReply::status(422, NEEDS);
    let items = |roads: CannedReply| {
        vec![
            ("/grid/items", needs.clone()),
            ("/roads/items", roads),
            ("/conformance", ok(conformance("features"))),
            ("/collections?", ok(TIPG)),
            ("/api?", ok(LANDING)),
        ]
    };
    vec![
        ("a sparse WMS", "wms", WMS, sparse(ok(png(true))), Alive, "answers"),
        ("an empty WMS", "wms", WMS, sparse(ok(png(false))), Degraded, "blank"),
        (
            "a WMS that is empty, then fails",
            "wms",
            WMS,
            sparse(CannedReply::status(500, "")),
            Degraded,
            "blank",
        ),
        (
            "a WMS that is empty, then slow",
            "wms",
            WMS,
            sparse(CannedReply::failure("timeout")),
            Degraded,
            "blank",
        ),
        ("sparse tiles", "tilejson", "https://x.org/a.json", tiles(ok(png(true))), Alive, "answers"),
        ("empty tiles", "tilejson", "https://x.org/a.json", tiles(ok(png(false))), Degraded, "blank"),
        ("tiles of colours", "tilejson", "https://x.org/a.json", tiles(ok(png_of(7))), Alive, "answers"),
        (
            "a WPS of another version",
            "wps",
            "https://x.org/wps",
            vec![
                (CAPS, ok(wps().replace("\"1.0.0\"", "\"2.0.1\""))),
                ("VERSION=1.0.0", ok("<ProcessDescriptions/>")),
                ("DescribeProcess", CannedReply::status(400, exception("version is not supported"))),
            ],
            Alive,
            "answers",
        ),
        (
            "a SOS of another format",
            "sos",
            "https://x.org/sos",
            vec![
                (CAPS, ok(sos())),
                (
                    "sensorml/2.0",
                    ok("<swes:DescribeSensorResponse xmlns:swes='s'></swes:DescribeSensorResponse>"),
                ),
                ("DescribeSensor", ok(exception("format"))),
            ],
            Alive,
            "answers",
        ),
        (
            "items as a bare list",
            "ogcapi-features",
            API,
            api("features", vec![("items&f=json", ok("[]")), ("/items", ok(FEATURES))]),
            Alive,
            "answers",
        ),
        (
            "items as a page",
            "ogcapi-features",
            API,
            api("features", vec![("items&f=json", ok(FEATURES)), ("/items", html())]),
            Alive,
            "answers",
        ),
        ("a function among collections", "ogcapi-features", API, items(ok(FEATURES)), Alive, "answers"),
        ("functions alone", "ogcapi-features", API, items(needs.clone()), Alive, "answers"),
        (
            "a function and a failure",
            "ogcapi-features",
            API,
            items(CannedReply::status(500, "")),
            Degraded,
            "server-error",
        ),
        (
            "values in bytes alone",
            "opendap",
            sea,
            dap(CannedReply::status(404, ""), ok(VALUES)),
            Alive,
            "answers",
        ),
        ("no value in text", "opendap", sea, dap(ok("lat\n"), ok(VALUES)), Alive, "answers"),
        (
            "no value at all",
            "opendap",
            sea,
            dap(ok("lat\n"), ok("Dataset {\n} a;\nData:\n")),
            Degraded,
            "blank",
        ),
        (
            "values that break off",
            "opendap",
            sea,
            dap(CannedReply::status(404, ""), ok("Dataset {\n")),
            Degraded,
            "malformed",
        ),
        (
            "an EDR that is its collection",
            "ogcapi-edr",
            "https://x.org/edr",
            vec![
                ("/collections", CannedReply::status(404, "{}")),
                ("/conformance", CannedReply::status(404, "{}")),
                ("/edr", ok(EDR)),
            ],
            Alive,
            "answers",
        ),
        (
            "a STAC behind a page",
            "stac-catalog",
            stac,
            vec![("f=json", ok(CATALOG)), ("/stac", html())],
            Alive,
            "answers",
        ),
        ("a page in place of a STAC", "stac-catalog", stac, vec![("/stac", html())], Dead, "wrong-content"),
        (
            "a page, then no answer",
            "stac-catalog",
            stac,
            vec![("f=json", CannedReply::failure("timeout")), ("/stac", html())],
            Inconclusive,
            "timeout",
        ),
        (
            "a page, then a login",
            "stac-catalog",
            stac,
            vec![("f=json", CannedReply::status(401, "")), ("/stac", html())],
            Restricted,
            "login",
        ),
        (
            "TileJSON behind a page",
            "tilejson",
            "https://x.org/data/base",
            vec![("f=json", ok(TILEJSON)), ("/tiles/", ok(png(true))), ("/base", html())],
            Alive,
            "answers",
        ),
    ]
}

/// Encodes a PNG of one grey shade.
fn png_of(shade: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 64, 64);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&[shade; 64 * 64 * 3]).expect("pixels");
    drop(writer);
    bytes
}
