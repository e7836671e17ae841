//! Damaged files on misbehaving servers: no panic, no seventh request, no box beyond the globe.

use crate::data_files::plans;
use crate::data_files::serve::{RepeatedFile, drive_probe};
use proptest::prelude::*;
use std::sync::LazyLock;

fn check(bytes: &[u8], total: u64, manners: u8) -> Result<(), TestCaseError> {
    let mut file = RepeatedFile::from_bytes(bytes);
    file.total = total;
    let (finding, cost) = drive_probe("https://data.example.org/x", &file, manners);
    prop_assert!(cost.bytes <= 64 << 20, "{} bytes", cost.bytes);
    for found in &finding.resources {
        let boxes = found.resource.datasets.iter().filter_map(|d| d.bbox).chain(found.resource.bbox);
        for b in boxes {
            prop_assert!(b.south <= b.north && b.south >= -90.0 && b.north <= 90.0, "{b:?}");
            prop_assert!(b.west.abs() <= 180.0 && b.east.abs() <= 180.0, "{b:?}");
        }
    }
    Ok(())
}

static FIXTURES: LazyLock<Vec<Vec<u8>>> =
    LazyLock::new(|| plans::fixtures().into_iter().map(|(_, _, bytes)| bytes).collect());
static TEXTS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(texts);

/// Returns the fixtures that are text.
fn texts() -> Vec<Vec<u8>> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kinds");
    let files =
        ["csv-geo", "gml", "gpx"].into_iter().flat_map(|kind| std::fs::read_dir(folder.join(kind)).unwrap());
    let mut paths: Vec<_> = files.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn files_with_changed_bytes(
        which in 0_usize..1000,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..12),
        cut in any::<prop::sample::Index>(),
        whole in any::<bool>(),
        manners in any::<u8>(),
    ) {
        let mut bytes = FIXTURES[which % FIXTURES.len()].clone();
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        if !whole {
            bytes.truncate(cut.index(bytes.len()) + 1);
        }
        let total = bytes.len() as u64;
        check(&bytes, total, manners)?;
    }

    #[test]
    fn files_that_are_larger_than_what_they_hold(
        which in 0_usize..1000,
        at in any::<prop::sample::Index>(),
        value in any::<u64>(),
        manners in any::<u8>(),
    ) {
        let mut bytes = FIXTURES[which % FIXTURES.len()].clone();
        // Replace a number by a large or odd one.
        let at = at.index(bytes.len());
        for (slot, byte) in bytes.iter_mut().skip(at).zip(value.to_le_bytes()) {
            *slot = byte;
        }
        check(&bytes, 2_000_000, manners)?;
    }

    #[test]
    fn texts_with_changed_bytes(
        which in 0_usize..1000,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..12),
        packed in any::<bool>(),
        manners in any::<u8>(),
    ) {
        let mut bytes = TEXTS[which % TEXTS.len()].clone();
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        if packed {
            bytes = crate::data_files::build::compress_gzip(&bytes);
        }
        let total = bytes.len() as u64;
        check(&bytes, total, manners)?;
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300), manners in any::<u8>()) {
        let total = bytes.len() as u64;
        check(&bytes, total, manners)?;
    }
}
