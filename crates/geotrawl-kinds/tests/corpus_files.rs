//! Runs every data file of the public corpus through the file probe, with ranges served from the
//! file, and checks kind, version, labels, requests and bytes. The corpus is not part of the
//! project; without it, the test reports that it was skipped.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that cannot read its fixtures has failed; the table is for people"
)]

use geotrawl_kinds::corpus::{ABSENT, corpus_folder};
use geotrawl_kinds::files::{FileProbe, read_whole};
use geotrawl_kinds::kinds::{gml, gpx};
use geotrawl_kinds::probe::{ByteRange, Finding, ProbeResponse, ProbeStep, ResponseBody, ResponseHead};
use geotrawl_model::Resource;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use url::Url;

/// File kinds of the corpus, our kinds for them, and the number of requests allowed.
const KINDS: &[(&str, Option<&str>, u32)] = &[
    ("flatgeobuf", Some("flatgeobuf"), 1),
    ("geopackage", Some("geopackage"), 2),
    ("geoparquet", Some("geoparquet"), 2),
    ("geotiff", Some("geotiff"), 2),
    ("geotiff-cog", Some("cog"), 1),
    ("gml-featurecollection", Some("gml"), 2),
    ("gml-other", Some("gml"), 2),
    ("gml-wfs-featurecollection", Some("gml"), 2),
    ("gpx", Some("gpx"), 2),
    ("grib", Some("grib"), 1),
    ("hdf4", None, 1),
    ("hdf5", Some("hdf5"), 2),
    ("kml", Some("kml"), 2),
    ("kmz", Some("kmz"), 3),
    ("netcdf", Some("netcdf"), 3),
    ("parquet", None, 2),
    ("pmtiles", Some("pmtiles"), 2),
    ("shapefile-shp", Some("shapefile"), 2),
    ("shapefile-zip", Some("shapefile"), 4),
    ("sqlite", None, 2),
    ("tiff-plain", None, 1),
];

/// Wrong labels: the file name after the `__`, the actual kind, and the reason.
const WRONG: &[(&str, Option<&str>, &str)] = &[
    ("developmentseed-titiler__B01.tif", Some("cog"), "tiled, overviews, all directories before all pixels"),
    ("developmentseed-titiler__B09.tif", Some("cog"), "tiled, overviews, all directories before all pixels"),
    ("OSGeo-gdal__single_char_varname.h5", Some("netcdf"), "its dimensions say that they are netCDF's"),
    ("OSGeo-gdal__crs-projjson.parquet", Some("geoparquet"), "a column of the type GEOMETRY"),
];

fn corpus() -> Option<(PathBuf, Vec<Value>)> {
    let Some(folder) = corpus_folder(env!("CARGO_MANIFEST_DIR")) else {
        println!("{ABSENT}");
        return None;
    };
    let manifest = std::fs::read_to_string(folder.join("manifest.jsonl")).unwrap();
    Some((folder, manifest.lines().map(|line| serde_json::from_str(line).unwrap()).collect()))
}

/// Probes a file on a server with correct range support. Returns the finding, the requests and the
/// bytes.
fn probe(url: &Url, file: &[u8]) -> (Finding, u32, u64) {
    let total = file.len() as u64;
    let (mut probe, mut ask) = FileProbe::start(url.clone());
    let (mut requests, mut bytes) = (0, 0);
    loop {
        requests += 1;
        let (status, from, to) = match ask.range {
            _ if &ask.url != url => (404, 0, 0),
            None => (200, 0, total),
            Some(ByteRange::Span { from, .. }) if from >= total => (416, 0, 0),
            Some(ByteRange::Span { from, to }) => (206, from, (to + 1).min(total)),
            Some(ByteRange::Suffix(n)) => (206, total.saturating_sub(n), total),
        };
        let body = &file[from as usize..to.min(from + ask.max_bytes) as usize];
        bytes += body.len() as u64;
        let head = ResponseHead {
            status,
            total_length: Some(total).filter(|_| status != 404),
            served_from: (status == 206).then_some(from),
            ..ResponseHead::default()
        };
        let truncated = (body.len() as u64) < to - from;
        match probe.handle_response(ProbeResponse { head: &head, body: ResponseBody::Whole(body), truncated })
        {
            ProbeStep::Ask(next) => ask = *next,
            ProbeStep::Done(finding) => return (*finding, requests, bytes),
        }
    }
}

/// Returns whether the version matches, as the corpus writes it.
fn version_matches(kind: &str, label: &str, resource: &Resource) -> bool {
    let ours = resource.versions.first().map(String::as_str);
    match (kind, label) {
        (_, "" | "no-ns") => true,
        ("geopackage", "GP10") => ours == Some("1.0"),
        ("geopackage", "GPKG") => ours.is_some_and(|v| v >= "1.2"),
        // These labels name a root element or the version of a service.
        (kind, _) if kind.starts_with("gml-") || kind.starts_with("shapefile") => true,
        _ => ours == Some(label),
    }
}

fn label_faults(row: &Value, resource: &Resource, bytes: &[u8]) -> Vec<String> {
    let label = &row["expected"];
    let kind = row["kind"].as_str().unwrap();
    let mut faults = Vec::new();
    if !version_matches(kind, row["version"].as_str().unwrap(), resource) {
        faults.push(format!("versions {:?} instead of {}", resource.versions, row["version"]));
    }
    if kind == "geopackage" {
        let names: Vec<&str> =
            label["contents"].as_array().unwrap().iter().map(|c| c[0].as_str().unwrap()).collect();
        let ours: Vec<&str> = resource.datasets.iter().map(|d| d.name.as_str()).collect();
        if ours != names || resource.dataset_count != label["count"].as_u64().unwrap() {
            faults.push(format!("datasets {ours:?} instead of {names:?}"));
        }
    }
    if let Some(bounds) = label["bounds"].as_array().filter(|_| kind == "pmtiles") {
        let bounds: Vec<f64> = bounds.iter().filter_map(Value::as_f64).collect();
        let ours = resource.bbox.map(<[f64; 4]>::from);
        if !ours.is_some_and(|b| b.iter().zip(&bounds).all(|(a, b)| (a - b).abs() < 1e-6)) {
            faults.push(format!("bbox {ours:?} instead of {bounds:?}"));
        }
    }
    if kind.starts_with("gml-") {
        let members = gml::read_gml(&mut &bytes[..], None).unwrap().members;
        let expected = label["members"].as_u64().unwrap();
        if expected != 0 && members != expected {
            faults.push(format!("{members} members instead of {expected}"));
        }
    }
    if kind == "gpx" {
        let document = gpx::read_gpx(&mut &bytes[..], None).unwrap();
        let ours = [document.waypoints, document.tracks, document.routes];
        let expected = ["wpt", "trk", "rte"].map(|name| label[name].as_u64().unwrap());
        if ours != expected {
            faults.push(format!("{ours:?} instead of {expected:?}"));
        }
    }
    faults
}

#[test]
fn every_data_file_of_the_corpus_is_known_in_few_requests() {
    let Some((folder, rows)) = corpus() else { return };
    let mut faults = Vec::new();
    let mut costs: BTreeMap<&str, Vec<(u32, u64, u64)>> = BTreeMap::new();
    let details = std::env::var_os("GEOTRAWL_DETAILS").is_some();
    for row in &rows {
        let (kind, name) = (row["kind"].as_str().unwrap(), row["file"].as_str().unwrap());
        let bytes = std::fs::read(folder.join(name)).unwrap();
        let short = name.split_once("__").map_or(name, |(_, rest)| rest);
        let url = Url::parse("https://data.example.org/files/").unwrap().join(short).unwrap();
        let (finding, requests, sent) = probe(&url, &bytes);
        let ours: Vec<&str> = finding.resources.iter().map(|f| f.resource.kind.as_str()).collect();
        let Some((_, expected, allowed)) = KINDS.iter().find(|(k, ..)| *k == kind) else {
            // Other files must not be claimed as one of these kinds.
            let ours: Vec<&&str> =
                ours.iter().filter(|k| KINDS.iter().any(|(_, o, _)| *o == Some(**k))).collect();
            let georss = ours.iter().all(|k| **k == "kml");
            if !ours.is_empty() && !georss {
                faults.push(format!("{kind} {short} claimed as {ours:?}"));
            }
            continue;
        };
        let wrong = WRONG.iter().find(|(file, ..)| *file == short);
        let expected = wrong.map_or(*expected, |(_, right, _)| *right);
        costs.entry(kind).or_default().push((requests, sent, bytes.len() as u64));
        if details {
            for found in &finding.resources {
                let r = &found.resource;
                let issues: Vec<&str> = r.issues.iter().map(|i| i.code.as_str()).collect();
                println!(
                    "{kind} | {short} | {requests} req {sent} B | {:?} | {:?} | {:?} | {} ds | {issues:?}",
                    r.bbox.map(<[f64; 4]>::from),
                    r.crs,
                    r.title,
                    r.dataset_count
                );
            }
        }
        if ours != expected.into_iter().collect::<Vec<_>>() {
            faults.push(format!("{kind} {short} is {ours:?}: {:?}", finding.document));
            continue;
        }
        if requests > *allowed {
            faults.push(format!("{kind} {short} took {requests} requests"));
        }
        let head =
            ResponseHead { status: 200, total_length: Some(bytes.len() as u64), ..ResponseHead::default() };
        if let Some(found) = finding.resources.first() {
            let page = read_whole(&url, &head, &bytes);
            let same = page.as_ref().and_then(|f| f.resources.first()).map(|f| &f.resource);
            if same.map(|r| (&r.kind, r.bbox, r.dataset_count))
                != Some((&found.resource.kind, found.resource.bbox, found.resource.dataset_count))
            {
                faults.push(format!("{kind} {short}: another record when read as a page: {same:?}"));
            }
            if wrong.is_none() {
                faults.extend(
                    label_faults(row, &found.resource, &bytes)
                        .into_iter()
                        .map(|f| format!("{kind} {short}: {f}")),
                );
            }
        }
    }
    println!("kind: files, requests at most, bytes at most (of the largest file)");
    for (kind, costs) in &costs {
        let most = |value: fn(&(u32, u64, u64)) -> u64| costs.iter().map(value).max().unwrap();
        println!(
            "{kind}: {}, {}, {} ({})",
            costs.len(),
            most(|c| u64::from(c.0)),
            most(|c| c.1),
            most(|c| c.2)
        );
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
