//! Folders are tests: in `kinds/<id>/`, every `is-*` must be recognised as that kind and match its
//! snapshot, and every `not-*` must not be recognised as it. Files go through the same steps as a
//! response from the web, whatever their extension.

#![expect(clippy::expect_used, reason = "a test that cannot read its fixtures has failed")]

use geotrawl_kinds::corpus::{identify_bytes, run_probe};
use geotrawl_kinds::kinds::{KINDS, read_document};
use geotrawl_kinds::probe::Finding;
use geotrawl_model::Intent;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use url::Url;

fn folder(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kinds").join(kind)
}

fn files(kind: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder(kind))
        .map(|entries| entries.filter_map(|e| e.ok().map(|e| e.path())).collect())
        .unwrap_or_default();
    files.retain(|file| name(file) != "address");
    files.sort();
    files
}

fn name(path: &Path) -> &str {
    path.file_stem().and_then(|n| n.to_str()).expect("a file name")
}

fn read(kind: &str, path: &Path) -> Finding {
    let bytes = std::fs::read(path).expect("a fixture");
    if kind == "xyz" {
        // A tile proves its template; a tile alone says nothing about the template.
        let template = Url::parse("http://example.org/tiles/{z}/{x}/{y}").expect("a template");
        return run_probe(Intent::Ask { kind: kind.to_owned() }, &template, &bytes);
    }
    // Some documents say little without their address, which is in `address.txt`.
    let address = std::fs::read_to_string(folder(kind).join("address.txt"));
    let address = address.as_deref().map_or("http://example.org/service", str::trim);
    identify_bytes(&Url::parse(address).expect("an address"), &bytes)
}

#[test]
fn every_kind_has_a_positive_and_a_look_alike() {
    for kind in KINDS {
        let id = kind.profile().id;
        let files = files(id);
        for start in ["is-", "not-"] {
            assert!(
                files.iter().any(|f| name(f).starts_with(start)),
                "tests/kinds/{id} needs a file {start}*"
            );
        }
    }
    let folders = std::fs::read_dir(folder("")).expect("the folder of fixtures");
    for folder in folders.filter_map(|entry| entry.ok()?.file_name().into_string().ok()) {
        assert!(
            KINDS.iter().any(|kind| kind.profile().id == folder),
            "tests/kinds/{folder} belongs to no kind"
        );
    }
}

#[test]
fn fixtures_are_recognised_and_read() {
    for kind in KINDS {
        let id = kind.profile().id;
        for path in files(id) {
            let finding = read(id, &path);
            let resource = finding.resources.iter().map(|f| &f.resource).find(|r| r.kind == id);
            if name(&path).starts_with("not-") {
                assert_eq!(resource.map(|r| &r.kind), None, "{}", path.display());
                continue;
            }
            let resource = resource.unwrap_or_else(|| panic!("{} is not recognised", path.display()));
            insta::assert_json_snapshot!(format!("{id}-{}", name(&path)), resource);
            // The content of a catalogue is tested with its connector.
            let targets = finding.targets.iter().filter(|t| !matches!(t.intent, Intent::Harvest { .. }));
            let lines: Vec<String> = targets.map(|t| format!("{} {} {}", t.way, t.intent, t.url)).collect();
            if !lines.is_empty() {
                insta::assert_snapshot!(format!("{id}-{}-targets", name(&path)), lines.join("\n"));
            }
        }
    }
}

#[test]
fn look_alikes_are_claimed_by_no_kind_unless_they_are_another_one() {
    for kind in KINDS.iter().filter(|k| k.ows().is_some()) {
        for path in files(kind.profile().id).iter().filter(|p| name(p).starts_with("not-")) {
            let bytes = std::fs::read(path).expect("a fixture");
            let read = read_document(&mut bytes.as_slice(), None, "http://example.org/");
            let claimed = read.is_some_and(|(other, ..)| other.profile().id == kind.profile().id);
            assert!(!claimed, "{}", path.display());
        }
    }
}

/// Runs every kind on every fixture and records what each file is recognised as. A changed line is
/// a claim won or lost.
#[test]
fn the_confusion_matrix_is_as_it_was() {
    let mut matrix = String::new();
    let mut claims: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for kind in KINDS {
        let id = kind.profile().id;
        for path in files(id) {
            let finding = read(id, &path);
            let file = path.file_name().and_then(|n| n.to_str()).expect("a file name");
            let found: Vec<&str> = finding.resources.iter().map(|f| f.resource.kind.as_str()).collect();
            for other in found.iter().filter(|other| **other != id) {
                claims.entry((*other).to_owned()).or_default().push(format!("{id}/{file}"));
            }
            let kinds = if found.is_empty() { "-".to_owned() } else { found.join(" ") };
            let _ = writeln!(matrix, "{id}/{file}: {kinds} ({})", finding.document.unwrap_or("-"));
        }
    }
    matrix.push_str("\nclaimed in the folders of others:\n");
    for (kind, files) in claims {
        let _ = writeln!(matrix, "{kind}: {}", files.join(" "));
    }
    insta::assert_snapshot!("confusion-matrix", matrix);
}
