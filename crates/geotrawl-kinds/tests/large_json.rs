//! A large GeoJSON document in little memory. 20 MB keep the test short; 110 MB give the same peak,
//! because what is kept is bounded. Runs alone in its process, because it measures peak memory.

#[path = "support/generated.rs"]
mod generated;

use generated::GeneratedDocument;
use geotrawl_kinds::probe::{Probe, ProbeResponse, ProbeStep, ResponseBody, ResponseHead};
use geotrawl_model::Intent;
use std::fmt::Write as _;
use url::Url;

/// Returns the peak resident memory in megabytes, if the system reports it.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes / 1024)
}

/// Generates features of about 500 bytes with various properties.
fn features(count: u64) -> GeneratedDocument<impl FnMut(u64, &mut String)> {
    GeneratedDocument::new(count + 2, move |index, out: &mut String| match index {
        0 => out.push_str("{\"type\":\"FeatureCollection\",\"name\":\"big\",\"features\":["),
        i if i == count + 1 => out.push_str("{\"type\":\"Feature\",\"properties\":{},\"geometry\":null}]}"),
        i => {
            let (x, y) = (i % 170, i % 80);
            let _ = write!(
                out,
                "{{\"type\":\"Feature\",\"id\":{i},\"properties\":{{\"name\":\"Feature number {i}\",\"class\":\"water \\u00e9 body\",\
                 \"height\":{x}.5,\"tags\":[\"a\",\"b\",null,true]}},\"geometry\":{{\"type\":\"Polygon\",\"coordinates\":[["
            );
            for k in 0..20 {
                let _ = write!(out, "[{x}.{k:03},{y}.{k:03}],");
            }
            let _ = write!(out, "[{x}.000,{y}.000]]]}}}},");
        }
    })
}

#[test]
fn many_features_are_read_in_little_memory() {
    let url = Url::parse("https://example.org/big.geojson").unwrap();
    let (mut probe, _) = Probe::start(Intent::Page, url);
    let head = ResponseHead { status: 200, ..ResponseHead::default() };
    let mut stream = features(40_000);
    let ProbeStep::Done(finding) = probe.handle_response(ProbeResponse {
        head: &head,
        body: ResponseBody::Stream(&mut stream),
        truncated: false,
    }) else {
        panic!("one answer is enough");
    };
    let resource = &finding.resources[0].resource;
    assert_eq!((resource.kind.as_str(), resource.title.as_deref()), ("geojson", Some("big")));
    assert_eq!(resource.bbox, Some([0.0, 0.0, 169.019, 79.019].into()));
    match peak() {
        Some(megabytes) => assert!(megabytes < 64, "{megabytes} MB"),
        None => println!("SKIPPED: this system does not report peak memory"),
    }
}
