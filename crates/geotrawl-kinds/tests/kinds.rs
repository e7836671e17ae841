//! Folders are tests: in `kinds/<id>/`, every `is-*.xml` must be recognised as that kind and read as its
//! snapshot says, every `not-*.xml` must be left alone by it.

#![expect(clippy::expect_used, reason = "a test that cannot read its fixtures has failed")]

use geotrawl_kinds::kinds::{KINDS, Kind, read_document};
use geotrawl_kinds::model::Resource;
use geotrawl_kinds::sniff::{Sniffed, sniff};
use std::path::{Path, PathBuf};

fn folder(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kinds").join(kind)
}

fn files(kind: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder(kind))
        .map(|entries| entries.filter_map(|e| e.ok().map(|e| e.path())).collect())
        .unwrap_or_default();
    files.sort();
    files
}

fn name(path: &Path) -> &str {
    path.file_stem().and_then(|n| n.to_str()).expect("a file name")
}

/// What a file gives for one kind, through the same steps as an answer from the web.
fn read_as(kind: &str, path: &Path) -> Option<Resource> {
    let bytes = std::fs::read(path).expect("a fixture");
    let Sniffed::Xml(_) = sniff(&bytes, None) else { return None };
    let (_, _, reading) = read_document(&mut bytes.as_slice(), None, "http://example.org/service")?;
    reading.resources.into_iter().find(|r| r.kind == kind)
}

/// The services of this list, and WCPS, which is read from one.
fn is_service(kind: &dyn Kind) -> bool {
    kind.ows().is_some() || kind.doc().id == "wcps"
}

#[test]
fn every_kind_has_a_positive_and_a_look_alike() {
    for kind in KINDS {
        let id = kind.doc().id;
        let files = files(id);
        assert!(files.len() >= 2, "tests/kinds/{id} needs a document that is one and one that is not");
        if is_service(*kind) {
            assert!(files.iter().any(|f| name(f).starts_with("is-")), "{id}");
            assert!(files.iter().any(|f| name(f).starts_with("not-")), "{id}");
        }
    }
}

#[test]
fn fixtures_are_recognised_and_read() {
    for kind in KINDS.iter().filter(|k| is_service(**k)) {
        let id = kind.doc().id;
        for path in files(id) {
            let resource = read_as(id, &path);
            if name(&path).starts_with("not-") {
                assert_eq!(resource.map(|r| r.kind), None, "{}", path.display());
                continue;
            }
            let resource = resource.unwrap_or_else(|| panic!("{} is not recognised", path.display()));
            insta::assert_json_snapshot!(format!("{id}-{}", name(&path)), resource);
        }
    }
}

#[test]
fn look_alikes_are_claimed_by_no_kind_unless_they_are_another_one() {
    for kind in KINDS.iter().filter(|k| k.ows().is_some()) {
        for path in files(kind.doc().id).iter().filter(|p| name(p).starts_with("not-")) {
            let bytes = std::fs::read(path).expect("a fixture");
            let read = read_document(&mut bytes.as_slice(), None, "http://example.org/");
            let claimed = read.is_some_and(|(other, ..)| other.doc().id == kind.doc().id);
            assert!(!claimed, "{}", path.display());
        }
    }
}
