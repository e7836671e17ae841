//! Checks that the committed files match their plans and their names.

use crate::data_files::plans;
use crate::data_files::serve::{RepeatedFile, drive_probe, probe_record};
use geotrawl_kinds::files::read_whole;
use geotrawl_kinds::probe::{Probe, ProbeResponse, ProbeStep, ResponseBody, ResponseHead};
use geotrawl_model::Intent;
use std::path::{Path, PathBuf};
use url::Url;

/// Kinds whose fixtures are tested here.
const OURS: &[&str] = &[
    "cog",
    "copc",
    "csv-geo",
    "filegdb",
    "flatgeobuf",
    "geopackage",
    "geoparquet",
    "geotiff",
    "gml",
    "gpx",
    "grib",
    "hdf5",
    "las",
    "mbtiles",
    "netcdf",
    "pmtiles",
];

fn folder(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kinds").join(kind)
}

#[test]
fn binary_fixtures_are_what_their_plans_describe() {
    let write = std::env::var_os("GEOTRAWL_WRITE_FIXTURES").is_some();
    for (kind, name, bytes) in plans::fixtures() {
        let path = folder(kind).join(name);
        assert!(bytes.len() < 20_000, "{name} has {} bytes", bytes.len());
        if write {
            std::fs::create_dir_all(folder(kind)).unwrap();
            std::fs::write(&path, &bytes).unwrap();
        }
        assert!(std::fs::read(&path).is_ok_and(|there| there == bytes), "{} is another file", path.display());
    }
}

#[test]
fn fixtures_are_what_their_names_say_in_every_way_they_come() {
    for kind in OURS {
        let mut seen = (0, 0);
        for entry in std::fs::read_dir(folder(kind)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            let bytes = std::fs::read(&path).unwrap();
            let is = name.starts_with("is-");
            assert!(is || name.starts_with("not-"), "{name}");
            // The address gives no hint.
            let found = probe_record("download?id=7", &bytes);
            let claimed = found.as_ref().is_some_and(|r| r.kind == *kind);
            assert_eq!(claimed, is, "{}: {found:?}", path.display());
            let url = Url::parse("https://data.example.org/download?id=7").unwrap();
            let head = ResponseHead {
                status: 200,
                total_length: Some(bytes.len() as u64),
                ..ResponseHead::default()
            };
            let page = read_whole(&url, &head, &bytes).and_then(|f| f.resources.into_iter().next());
            assert_eq!(page.map(|f| f.resource), found, "{}: as a page", path.display());
            // A server that ignores ranges makes no difference for small files.
            let (finding, cost) = drive_probe(url.as_str(), &RepeatedFile::from_bytes(&bytes), 0x3f);
            let whole = finding.resources.into_iter().next().map(|f| f.resource);
            assert_eq!(whole, found, "{}: without ranges, {cost:?}", path.display());
            seen = (seen.0 + usize::from(is), seen.1 + usize::from(!is));
        }
        assert!(seen.0 > 0 && seen.1 > 0, "{kind} needs a file that is one and one that is not");
    }
}

#[test]
fn a_data_file_behind_an_ordinary_link_is_read_or_proven_by_ranges() {
    let url = Url::parse("https://data.example.org/download?id=7").unwrap();
    for (kind, name, bytes) in plans::fixtures() {
        let is = name.starts_with("is-");
        let head =
            ResponseHead { status: 200, total_length: Some(bytes.len() as u64), ..ResponseHead::default() };
        let (mut probe, _) = Probe::start(Intent::Page, url.clone());
        let answer = ProbeResponse { head: &head, body: ResponseBody::Whole(&bytes), truncated: false };
        let ProbeStep::Done(finding) = probe.handle_response(answer) else { panic!("{name} wants more") };
        assert_eq!(finding.resources.iter().any(|f| f.resource.kind == kind), is, "{name}");
        // Long files are left to the file probe.
        let (mut probe, _) = Probe::start(Intent::Page, url.clone());
        let mut long = std::io::Read::chain(&bytes[..], std::io::repeat(0));
        let answer = ProbeResponse { head: &head, body: ResponseBody::Stream(&mut long), truncated: false };
        let ProbeStep::Done(finding) = probe.handle_response(answer) else { panic!("{name} wants more") };
        let sent_on = finding.targets.iter().any(|t| t.intent == Intent::File);
        assert!(sent_on || !is, "{name}: {finding:?}");
    }
}
