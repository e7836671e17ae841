//! Every labelled document of the public corpus that these kinds should know, and every one that they
//! should leave alone. The corpus is not part of the project: the test says so when it is not there.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot read its fixtures has failed")]

use geotrawl_kinds::formats::bbox::classify;
use geotrawl_kinds::formats::xml::{Event, Reader, tidy};
use geotrawl_kinds::kinds::{Reading, read_document};
use geotrawl_kinds::sniff::{SNIFF_LEN, Sniffed, sniff};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Kinds of documents in the corpus, and what they are to us. All others must not be claimed.
const KIND_OF: &[(&str, &str)] = &[
    ("csw-capabilities", "csw"),
    ("inspire-atom-feed", "inspire-atom"),
    ("oai-pmh-response", "oai-pmh"),
    ("opendap-ddx", "opendap"),
    ("opensearch-description", "opensearch"),
    ("sos-capabilities", "sos"),
    ("thredds-catalog", "thredds"),
    ("tms-root", "tms"),
    ("tms-tilemap", "tms"),
    ("wcs-capabilities", "wcs"),
    ("wfs-capabilities", "wfs"),
    ("wms-capabilities", "wms"),
    ("wmts-capabilities", "wmts"),
    ("wps-capabilities", "wps"),
];

fn corpus() -> Option<PathBuf> {
    let shared = match std::env::var_os("GEOTRAWL_SHARED") {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    let corpus = shared.join("corpus");
    corpus.join("manifest.jsonl").is_file().then_some(corpus)
}

/// Labels that are wrong: id and field, with the reason.
fn exceptions() -> BTreeMap<(String, String), String> {
    let text = include_str!("corpus-exceptions.json");
    let rows: Vec<BTreeMap<String, String>> = serde_json::from_str(text).expect("exceptions");
    rows.into_iter()
        .map(|row| {
            let field = |name: &str| row.get(name).cloned().unwrap_or_else(|| panic!("{name} in {row:?}"));
            ((field("id"), field("field")), field("reason"))
        })
        .collect()
}

/// Reads a document to its end: the verdict on its form, and why.
fn form(bytes: &[u8]) -> Result<(), String> {
    let mut input = bytes;
    let mut reader = Reader::new(&mut input, None);
    while reader.next() != Event::Eof {}
    reader.violation().map_or(Ok(()), |v| Err(v.to_string()))
}

fn differences(
    label: &Value,
    version: &str,
    kind: &str,
    claimed: &str,
    reading: &Reading,
) -> Vec<(String, String)> {
    let mut wrong = Vec::new();
    let mut differs = |field: &str, ours: String, theirs: String| {
        wrong.push((field.to_owned(), format!("{ours} instead of {theirs}")));
    };
    if claimed != kind {
        differs("kind", claimed.to_owned(), kind.to_owned());
    }
    let resource = &reading.resources[0];
    if !version.is_empty() && resource.versions.first().map(String::as_str) != Some(version) {
        differs("version", format!("{:?}", resource.versions), version.to_owned());
    }
    if let Some(count) = label["count"].as_u64()
        && resource.dataset_count != count
    {
        differs("count", resource.dataset_count.to_string(), count.to_string());
    }
    let names: Vec<&str> =
        label["first_names"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let named = resource.datasets.iter().map(|d| d.name.as_str()).filter(|name| !name.is_empty());
    let ours: Vec<&str> = named.take(names.len()).collect();
    if !names.is_empty() && ours != names {
        differs("names", format!("{ours:?}"), format!("{names:?}"));
    }
    let title = label["title"].as_str().and_then(|t| tidy(t, 1024));
    if resource.title != title {
        differs("title", format!("{:?}", resource.title), format!("{title:?}"));
    }
    if label.get("bbox_first_found").is_some() {
        let theirs: Option<Vec<f64>> =
            label["bbox_first_found"].as_array().map(|b| b.iter().filter_map(Value::as_f64).collect());
        let ours = reading.first_box.map(|b| b.to_vec());
        let equal = match (&ours, &theirs) {
            // The last digit is the JSON reader's, not ours.
            (Some(a), Some(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-12 * a.abs().max(1.0))
            }
            (ours, theirs) => ours == theirs,
        };
        if !equal {
            differs("bbox", format!("{ours:?}"), format!("{theirs:?}"));
        }
        // A usable box is found again in the record: as the service's own or as a dataset's.
        if let Some(b) = reading.first_box.and_then(|b| classify(b).bbox())
            && resource.bbox != Some(b)
            && !resource.datasets.iter().any(|d| d.bbox == Some(b))
        {
            differs("record bbox", format!("{:?}", resource.bbox), format!("{b:?}"));
        }
    }
    let wcps = reading.resources.iter().any(|r| r.kind == "wcps");
    if label["wcps"].as_bool().is_some_and(|expected| expected != wcps) {
        differs("wcps", wcps.to_string(), label["wcps"].to_string());
    }
    wrong
}

#[test]
fn every_label_of_the_corpus_is_met_and_nothing_else_is_claimed() {
    let Some(corpus) = corpus() else {
        println!("SKIPPED: the corpus is not there (set GEOTRAWL_SHARED to the folder that holds it)");
        return;
    };
    let exceptions = exceptions();
    let manifest = std::fs::read_to_string(corpus.join("manifest.jsonl")).expect("manifest");
    let (mut checked, mut left_alone, mut formed, mut excused) = (0, 0, 0, 0);
    let mut failures = Vec::new();
    for line in manifest.lines() {
        let row: Value = serde_json::from_str(line).expect("a row");
        let text = |name: &str| row[name].as_str().unwrap_or_default();
        let (id, kind, label) = (text("id"), text("kind"), &row["expected"]);
        let bytes = std::fs::read(corpus.join(text("file"))).expect("a corpus file");
        let sniffed = sniff(&bytes[..bytes.len().min(SNIFF_LEN)], None);
        let ours = KIND_OF.iter().find(|(theirs, _)| *theirs == kind).map(|(_, ours)| *ours);
        // What these hold is checked in corpus_xml.rs.
        if ours.is_some_and(|_| !kind.ends_with("-capabilities")) {
            continue;
        }
        let mut wrong = Vec::new();
        let claimed = match &sniffed {
            Sniffed::Xml(_) => read_document(&mut bytes.as_slice(), None, "http://example.org/"),
            _ => None,
        };
        match (ours, claimed) {
            (Some(ours), Some((claimant, _, reading))) => {
                checked += 1;
                wrong = differences(label, text("version"), ours, claimant.doc().id, &reading);
            }
            (Some(ours), None) => {
                wrong.push(("kind".to_owned(), format!("not recognised as {ours}: {sniffed:?}")));
            }
            (None, Some((claimant, ..))) => {
                wrong.push(("kind".to_owned(), format!("a {kind} claimed as {}", claimant.doc().id)));
            }
            (None, None) => left_alone += 1,
        }
        if let Some(expected) = label["wellformed"].as_bool() {
            formed += 1;
            let verdict = form(&bytes);
            if verdict.is_ok() != expected {
                wrong.push(("wellformed".to_owned(), format!("{verdict:?} instead of {expected}")));
            }
        }
        for (field, message) in wrong {
            if exceptions.contains_key(&(id.to_owned(), field.clone())) {
                excused += 1;
            } else {
                failures.push(format!("{id}: {field}: {message}"));
            }
        }
    }
    println!(
        "corpus: {checked} documents read, {left_alone} rightly left alone, {formed} verdicts on form, \
         {excused} differences excused, {} failures",
        failures.len()
    );
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(checked > 200 && left_alone > 500);
}
