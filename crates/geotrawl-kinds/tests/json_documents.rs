//! JSON responses of all kinds, and JSON documents that are broken in every way: they must never
//! cause a panic or a false claim.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot read its fixtures has failed")]

use geotrawl_kinds::corpus::{identify_bytes, run_probe};
use geotrawl_kinds::formats::json::JsonDocument;
use geotrawl_kinds::kinds::read_json;
use geotrawl_kinds::probe::{
    Finding, Probe, ProbeResponse, ProbeStep, ResponseBody, ResponseClass, ResponseHead,
};
use geotrawl_model::Intent;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::LazyLock;
use url::Url;

fn url() -> Url {
    Url::parse("https://example.org/arcgis/rest/services/A/B/MapServer/collections/stac/v1.1/a.zarr")
        .expect("an address")
}

fn page(status: u16, body: &str) -> Finding {
    let (mut probe, _) = Probe::start(Intent::Page, Url::parse("https://example.org/a").expect("an address"));
    let head = ResponseHead { status, ..ResponseHead::default() };
    match probe.handle_response(ProbeResponse {
        head: &head,
        body: ResponseBody::Whole(body.as_bytes()),
        truncated: false,
    }) {
        ProbeStep::Done(finding) => *finding,
        ProbeStep::Ask(ask) => panic!("asks for {}", ask.url),
    }
}

#[test]
fn refusals_are_no_resources_and_say_why() {
    let collection = r#"{"type":"FeatureCollection","features":[]}"#;
    assert_eq!(page(200, collection).resources.len(), 1);
    for (status, body, verdict) in [
        (404, collection, ResponseClass::Nothing),
        (500, r#"{"message":"boom"}"#, ResponseClass::Nothing),
        (
            401,
            r#"{"statusCode":401,"message":"Access denied due to missing subscription key."}"#,
            ResponseClass::Login,
        ),
        (403, r#"{"message":"Missing API key"}"#, ResponseClass::Login),
        (200, r#"{"error":{"code":499,"message":"Token Required","details":[]}}"#, ResponseClass::Login),
        (200, r#"{"error":{"code":498,"message":"Invalid Token","details":[]}}"#, ResponseClass::Login),
        (200, r#"{"error":{"code":400,"message":"Invalid URL","details":[]}}"#, ResponseClass::Nothing),
    ] {
        let finding = page(status, body);
        assert_eq!((finding.verdict, finding.resources.len()), (verdict, 0), "{body}");
        assert!(finding.targets.is_empty(), "{body}");
    }
    assert_eq!(page(500, r#"{"message":"boom"}"#).issues[0].message, "status 500: boom");
}

#[test]
fn ordinary_json_is_left_alone() {
    for body in ["{}", "[]", "[1,2]", r#"{"type":"module","version":"8","layers":[]}"#, "{\"a\":", "{'a':1}"]
    {
        let finding = page(200, body);
        assert!(finding.resources.is_empty() && finding.document.is_none(), "{body}");
    }
}

#[test]
fn a_long_file_is_fetched_whole_after_its_beginning_is_known() {
    let features: Vec<Value> = (0..2000)
        .map(|i| json!({"type": "Feature", "properties": {"i": i}, "geometry": {"type": "Point", "coordinates": [i % 100, i % 50]}}))
        .collect();
    let text = json!({"features": features, "type": "FeatureCollection"}).to_string();
    assert!(text.len() > 100_000);
    let at = Url::parse("https://example.org/points.geojson").expect("an address");
    // The type is at the end, so nothing is known before the whole document is read.
    let finding = run_probe(Intent::File, &at, text.as_bytes());
    let resource = &finding.resources[0].resource;
    assert_eq!(resource.bbox, Some([0.0, 0.0, 99.0, 49.0].into()));
    assert!(resource.issues.is_empty(), "{:?}", resource.issues);
}

/// All JSON fixtures of all kinds.
static FIXTURES: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kinds");
    let mut paths: Vec<_> = std::fs::read_dir(root)
        .expect("fixtures")
        .flat_map(|folder| std::fs::read_dir(folder.expect("a folder").path()).expect("files"))
        .map(|file| file.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect();
    paths.sort();
    paths.iter().filter_map(|path| serde_json::from_slice(&std::fs::read(path).ok()?).ok()).collect()
});

/// Replaces some values of a document.
fn disturb(value: &mut Value, seeds: &mut impl Iterator<Item = u32>) {
    let Some(seed) = seeds.next() else { return };
    if seed % 7 == 0 {
        *value = match seed / 7 % 12 {
            0 => Value::Null,
            1 => json!(""),
            2 => json!(-1),
            3 => json!(1e300),
            4 => json!([]),
            5 => json!({}),
            6 => json!([null, "x", [[]]]),
            7 => json!({"type": "Feature", "id": 1, "links": [{"rel": "next", "href": "http://[::1"}]}),
            8 => json!("é\u{0}\u{FEFF}%%%{z}{x}{y}"),
            9 => json!(u64::MAX),
            10 => json!(true),
            _ => json!(["NaN", "1,5", -0.0, 1e-300]),
        };
        return;
    }
    match value {
        Value::Array(list) => list.iter_mut().for_each(|v| disturb(v, seeds)),
        Value::Object(members) => members.values_mut().for_each(|v| disturb(v, seeds)),
        _ => {}
    }
}

proptest! {
    #[test]
    fn no_disturbed_document_breaks_a_kind(at in any::<prop::sample::Index>(), seeds in prop::collection::vec(any::<u32>(), 1..200)) {
        let mut value = at.get(FIXTURES.as_slice()).clone();
        disturb(&mut value, &mut seeds.into_iter());
        let text = value.to_string();
        if let Some(doc) = JsonDocument::from_reader(&mut text.as_bytes()) {
            for (_, reading) in read_json(&doc, &url()) {
                for resource in reading.resources {
                    prop_assert!(!resource.kind.is_empty() && !resource.url.is_empty());
                    if let Some(b) = resource.bbox {
                        prop_assert!(b.west.abs() <= 180.0 && b.east.abs() <= 180.0 && -90.0 <= b.south && b.south <= b.north && b.north <= 90.0, "{:?}", b);
                    }
                }
            }
        }
    }

    #[test]
    fn no_cut_document_breaks_the_probe(at in any::<prop::sample::Index>(), share in 0.0..1.0) {
        let text = at.get(FIXTURES.as_slice()).to_string();
        let end = (text.len() as f64 * share) as usize;
        let _ = identify_bytes(&url(), &text.as_bytes()[..end]);
    }
}
