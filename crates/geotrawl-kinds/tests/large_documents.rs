//! Large documents in little memory. Runs alone in its process, because it measures peak memory.

#![expect(clippy::expect_used, reason = "a test that cannot read its documents has failed")]

#[path = "support/generated.rs"]
mod generated;
#[path = "support/large.rs"]
mod large;

use generated::GeneratedDocument;
use geotrawl_kinds::kinds::read_document;
use geotrawl_model::Resource;
use std::io::Read;

fn read(input: &mut dyn Read) -> Resource {
    let (_, _, reading) = read_document(input, None, "http://example.org/").expect("claimed");
    assert_eq!(reading.violation, None);
    reading.resources.into_iter().next().expect("a resource")
}

/// Returns the peak resident memory in megabytes, if the system reports it.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes / 1024)
}

#[test]
fn large_documents_are_read_in_little_memory() {
    let wmts = read(&mut large::large_wmts(120, 20));
    assert_eq!(wmts.dataset_count, 120);
    assert_eq!(wmts.datasets[119].crs.len(), 20);
    drop(wmts);
    let wms = read(&mut large::large_wms(2000));
    assert_eq!(wms.datasets[1999].title.as_deref(), Some("Layer number 2000: land cover and water bodies"));
    assert_eq!(wms.datasets[1999].crs.len(), 3);
    drop(wms);
    // Bare layers are the worst case, with more dataset than document. Beyond the budget they are
    // only counted.
    let bare = |layers: u64| {
        GeneratedDocument::new(layers + 2, move |index, out: &mut String| match index {
            0 => out.push_str("<WMT_MS_Capabilities version='1.1.1'><Capability><Layer>"),
            i if i == layers + 1 => out.push_str("</Layer></Capability></WMT_MS_Capabilities>"),
            i => out.extend(["<Layer><Name>", &i.to_string(), "</Name></Layer>\n"]),
        })
    };
    let wms = read(&mut bare(300_000));
    assert_eq!(wms.dataset_count, 300_000);
    assert!(wms.datasets.len() < 200_000);
    assert!(wms.issues.iter().any(|i| i.code == "datasets-not-kept"));
    drop(wms);
    match peak() {
        Some(megabytes) => assert!(megabytes < 64, "{megabytes} MB"),
        None => println!("SKIPPED: this system does not report peak memory"),
    }
}
