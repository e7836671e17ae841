//! Checks with the labelled corpus, if available, that every file of our kinds is recognised and no
//! other claimed.

use crate::files::server::{FileServer, drive_probe};
use geotrawl_kinds::corpus::{ABSENT, corpus_folder};
use geotrawl_kinds::files::{SparseFile, read_whole};
use geotrawl_kinds::formats::shp::ShpHeader;
use geotrawl_kinds::formats::zip;
use geotrawl_kinds::kinds::{kml, kmz, shapefile};
use geotrawl_kinds::probe::{Finding, ResponseHead};
use geotrawl_model::Resource;
use serde_json::Value;
use std::path::PathBuf;
use url::Url;

const OURS: &[(&str, &str)] =
    &[("kml", "kml"), ("kmz", "kmz"), ("shapefile-zip", "shapefile"), ("shapefile-shp", "shapefile")];

fn corpus() -> Option<(PathBuf, Vec<Value>)> {
    let Some(folder) = corpus_folder(env!("CARGO_MANIFEST_DIR")) else {
        println!("{ABSENT}");
        return None;
    };
    let manifest = std::fs::read_to_string(folder.join("manifest.jsonl")).unwrap();
    Some((folder, manifest.lines().map(|line| serde_json::from_str(line).unwrap()).collect()))
}

fn both_ways(bytes: &[u8], name: &str) -> (Finding, Option<Finding>) {
    let url = format!("https://data.example.org/{name}");
    let (probed, cost) = drive_probe(&url, &FileServer::from_bytes(bytes));
    assert!(cost.bytes <= 400_000 + bytes.len() as u64, "{name}: {cost:?}");
    let head =
        ResponseHead { status: 200, total_length: Some(bytes.len() as u64), ..ResponseHead::default() };
    (probed, read_whole(&Url::parse(&url).unwrap(), &head, bytes))
}

#[test]
fn labelled_files_are_known_and_no_other_is_claimed() {
    let Some((folder, entries)) = corpus() else { return };
    let mut wrong = Vec::new();
    let mut known = 0;
    for entry in &entries {
        let file = entry["file"].as_str().unwrap();
        let kind = entry["kind"].as_str().unwrap();
        let bytes = std::fs::read(folder.join(file)).unwrap();
        // The address must give no hint.
        let (probed, read) = both_ways(&bytes, "download?id=1");
        let expected = OURS.iter().find(|(label, _)| *label == kind).map(|(_, ours)| *ours);
        let ways = [("probe", Some(&probed)), ("memory", read.as_ref())];
        for (way, finding) in ways {
            let kinds: Vec<_> = finding
                .map(|f| f.resources.iter().map(|r| r.resource.kind.as_str()).collect::<Vec<_>>())
                .unwrap_or_default()
                .into_iter()
                // Other kinds are tested elsewhere.
                .filter(|kind| OURS.iter().any(|(_, ours)| ours == kind))
                .collect();
            if kinds != expected.into_iter().collect::<Vec<_>>() {
                wrong.push(format!("{file} ({kind}) by {way}: {kinds:?}"));
            }
        }
        if expected.is_some()
            && let Some(found) = probed.resources.first()
        {
            known += 1;
            if let Err(why) = agrees(kind, entry, &found.resource, &bytes) {
                wrong.push(format!("{file}: {why}"));
            }
        }
    }
    println!("{known} of our files known, {} files looked at", entries.len());
    assert!(wrong.is_empty(), "{} disagreements:\n{}", wrong.len(), wrong.join("\n"));
}

/// Compares values, ignoring the last digit, which the decimals of a label may change.
fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            (a - b).abs() <= 1e-14 * a.abs().max(b.abs())
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, value)| b.get(key).is_some_and(|b| equal(value, b)))
        }
        _ => a == b,
    }
}

fn agrees(kind: &str, entry: &Value, resource: &Resource, bytes: &[u8]) -> Result<(), String> {
    let expected = &entry["expected"];
    let same = |what: &str, ours: &Value, label: &Value| {
        if equal(ours, label) { Ok(()) } else { Err(format!("{what}: {ours} instead of {label}")) }
    };
    match kind {
        "kml" => {
            let document = kml::read_kml(bytes, true).ok_or("not KML")?;
            let version = resource.versions.first().map_or("no-ns", String::as_str);
            same("version", &version.into(), &entry["version"])?;
            same("placemarks", &document.placemarks.into(), &expected["placemarks"])?;
            same("ground overlays", &document.ground_overlays.into(), &expected["ground_overlays"])?;
            let links: Vec<&str> = document.network_links.iter().map(|(href, _)| href.as_str()).collect();
            same("network links", &links.into(), &expected["network_links"])?;
            let well_formed = !document.issues.iter().any(|i| i.code == "xml-not-well-formed");
            same("well-formed", &well_formed.into(), &expected["wellformed"])
        }
        "kmz" => {
            let file = SparseFile::from_bytes(bytes.to_vec());
            let directory = zip::read_directory(&file);
            let main = kmz::main_document(&directory.entries).ok_or("no document")?;
            let content = zip::open_entry(&file, main).ok_or("no content")?;
            let document = kml::read_kml(content, true).ok_or("not KML")?;
            same("placemarks", &document.placemarks.into(), &expected["placemarks"])?;
            same("network links", &document.network_links.len().into(), &expected["network_links"])?;
            same("issues", &resource.issues.len().into(), &0.into())?;
            same("datasets", &resource.dataset_count.into(), &1.into())
        }
        "shapefile-shp" => {
            let header = ShpHeader::parse(bytes).ok_or("no header")?;
            same("type", &header.shape_type.into(), &expected["shape_type"])?;
            same("bbox", &serde_json::json!(header.bbox), &expected["bbox"])
        }
        _ => {
            let file = SparseFile::from_bytes(bytes.to_vec());
            let directory = zip::read_directory(&file);
            // Labels list the first sixty members.
            let members: Vec<&str> = directory.entries.iter().take(60).map(|e| e.name.as_str()).collect();
            same("members", &members.into(), &expected["members"])?;
            let mut shapes = Vec::new();
            for stem in shapefile::find_shapefiles(&directory.entries) {
                let shp = &directory.entries[stem.shp];
                let start = zip::content_prefix(&file, shp, 100).ok_or("no content")?;
                let header = ShpHeader::parse(&start).ok_or("no header")?;
                shapes.push(serde_json::json!({"file": shp.name, "shape_type": header.shape_type, "bbox": header.bbox}));
            }
            let mut labels = expected["shapes"].as_array().cloned().unwrap_or_default();
            let by_name = |v: &Value| v["file"].as_str().unwrap_or_default().to_owned();
            labels.sort_by_key(by_name);
            shapes.sort_by_key(by_name);
            let count = shapes.len();
            same("shapes", &shapes.into(), &labels.into())?;
            same("datasets", &resource.datasets.len().into(), &count.into())
        }
    }
}

/// Prints the extents of the corpus' shapefiles and documents for manual inspection.
#[test]
fn extents_are_on_earth() {
    let Some((folder, entries)) = corpus() else { return };
    for entry in entries {
        let kind = entry["kind"].as_str().unwrap();
        if OURS.iter().all(|(label, _)| *label != kind) {
            continue;
        }
        let file = entry["file"].as_str().unwrap();
        let bytes = std::fs::read(folder.join(file)).unwrap();
        let (probed, _) = both_ways(&bytes, "x");
        for found in probed.resources {
            let resource = found.resource;
            println!(
                "{file}: {:?} {:?} {:?}",
                resource.bbox.map(<[f64; 4]>::from),
                resource.crs,
                resource.issues
            );
            if let Some(b) = resource.bbox {
                assert!(b.south <= b.north && b.south >= -90.0 && b.north <= 90.0, "{file}: {b:?}");
                assert!(b.west >= -180.0 && b.east <= 180.0, "{file}: {b:?}");
            }
        }
    }
}
