use super::*;
use crate::RecordSink;
use geotrawl_model::Record;

fn record(id: &str, title: &str) -> Record {
    let mut record = Record { id: id.into(), ..Record::default() };
    record.resource.kind = "wms".into();
    record.resource.url = format!("http://{id}.example/wms");
    record.resource.title = Some(title.into());
    record.resource.dataset_count = 2;
    record
}

fn dump(folder: &Path, records: &[Record], since: Option<&Path>) -> Result<DumpManifest, ExportError> {
    let options = DumpOptions {
        folder,
        instance: "http://h.example/".into(),
        generator: "geotrawl test".into(),
        sequence: 7,
        created: Timestamp::from_second(1_790_000_000).unwrap(),
        since,
        records_per_file: 2,
    };
    write_dump(&mut |take: &mut RecordSink<'_>| records.iter().try_for_each(&mut *take), &options)
}

fn read_back(opened: &OpenDump) -> Vec<Record> {
    let mut all = Vec::new();
    opened
        .read_records(&mut |claim| {
            match claim {
                DumpLine::Record(record, _) => all.push(*record),
                DumpLine::Unreadable(why) => panic!("{why}"),
            }
            Ok(())
        })
        .unwrap();
    all
}

#[test]
fn what_is_dumped_comes_back_and_differences_are_told() {
    let place = tempfile::tempdir().unwrap();
    let (one, two) = (place.path().join("one"), place.path().join("two"));
    let before = [record("a", "A"), record("b", "B"), record("c", "C")];
    let manifest = dump(&one, &before, None).unwrap();
    assert_eq!((manifest.records, manifest.datasets, manifest.files.len()), (3, 6, 2));
    assert_eq!(manifest.files.iter().map(|file| file.records).sum::<u64>(), 3);
    let opened = open_dump(&one).unwrap();
    opened.verify_checksums().unwrap();
    assert_eq!(read_back(&opened), before);
    assert_eq!(opened.manifest.as_ref(), Some(&manifest));
    let now = [record("a", "A"), record("b", "better"), record("d", "D")];
    for since in [one.clone(), one.join(MANIFEST)] {
        let folder = two.join(since.file_name().unwrap());
        let diff = dump(&folder, &now, Some(&since)).unwrap().diff.unwrap();
        assert_eq!((diff.added.records, diff.changed.records, diff.removed.records), (1, 1, 1));
        assert_eq!(diff.previous_sequence, 7);
        let changed = open_dump(&folder).unwrap().only_differences().unwrap();
        changed.verify_checksums().unwrap();
        let ids: Vec<String> = read_back(&changed).into_iter().map(|record| record.id).collect();
        assert_eq!(ids, ["d", "b"]);
    }
    assert!(dump(&one, &now, None).unwrap_err().to_string().contains("already holds a dump"));
    assert!(opened.only_differences().is_err());
}

#[test]
fn an_empty_catalogue_is_a_dump_too() {
    let place = tempfile::tempdir().unwrap();
    let manifest = dump(place.path(), &[], None).unwrap();
    assert_eq!((manifest.records, manifest.files.len()), (0, 1));
    assert_eq!(read_back(&open_dump(place.path()).unwrap()), []);
}

#[test]
fn what_was_changed_on_the_way_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let manifest = dump(place.path(), &[record("a", "A")], None).unwrap();
    let part = place.path().join(&manifest.files[0].name);
    let mut bytes = std::fs::read(&part).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&part, bytes).unwrap();
    let told = open_dump(place.path()).unwrap().verify_checksums().unwrap_err().to_string();
    assert!(told.contains("checksum"), "{told}");
    let manifest_file = place.path().join(MANIFEST);
    let text = std::fs::read_to_string(&manifest_file).unwrap();
    for (from, to, word) in [
        ("records-00001.jsonl.gz", "../records.gz", "invalid file name"),
        ("\"schema_version\": 1", "\"schema_version\": 99", "version 99"),
        ("geotrawl-dump", "another-dump", "not the manifest"),
    ] {
        std::fs::write(&manifest_file, text.replace(from, to)).unwrap();
        let told = open_dump(place.path()).unwrap_err().to_string();
        assert!(told.contains(word), "{told}");
    }
}

#[test]
fn lines_that_are_no_records_are_told_and_passed_over() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("x.jsonl");
    let good = serde_json::to_string(&record("a", "A")).unwrap();
    std::fs::write(&path, format!("{good}\n\nnonsense\n{{\"id\":1}}\n{good}")).unwrap();
    let (mut good, mut bad) = (0, Vec::new());
    let opened = open_dump(&path).unwrap();
    opened.verify_checksums().unwrap();
    opened
        .read_records(&mut |claim| {
            match claim {
                DumpLine::Record(..) => good += 1,
                DumpLine::Unreadable(why) => bad.push(why),
            }
            Ok(())
        })
        .unwrap();
    assert_eq!((good, bad.len()), (2, 2));
    assert!(bad[0].starts_with("x.jsonl, line 3"), "{bad:?}");
}
