//! Following the catalogue, and recovery.

use crate::catalogue::{index_records, low_memory_options, service_record, word_query};
use geotrawl_index::{CatalogueIndex, SearchQuery, SearchTarget};

#[test]
fn changes_replace_and_remove() {
    let index = index_records([
        service_record("a", "wms", "Old words").with_layer("x", "First layer", None),
        service_record("b", "wms", "Other"),
    ]);
    assert_eq!(index.find_ids("first"), ["a"]);
    index.catalogue.put_document(
        "a",
        Some(service_record("a", "wms", "New words").with_layer("y", "Second layer", None).0),
    );
    index.catalogue.put_document("b", None);
    let followed = index.index.apply_changes(&index.catalogue).unwrap();
    assert_eq!((followed.seq, followed.records), (4, 2));
    assert!(
        index.find_ids("old").is_empty()
            && index.find_ids("other").is_empty()
            && index.find_ids("first").is_empty()
    );
    assert_eq!(index.find_ids("new"), ["a"]);
    let layers = SearchQuery { by: SearchTarget::Layers, ..word_query("layer") };
    assert_eq!(index.search(&layers).total, 1);
    assert_eq!(index.index.apply_changes(&index.catalogue).unwrap().records, 0);
    assert_eq!(index.index.progress().records, 1);
}

#[test]
fn it_goes_on_after_reopening() {
    let fixture = index_records(
        (0..70).map(|n| service_record(&format!("r{n}"), "wms", "Kept").with_layer("l", "Kept too", None)),
    );
    fixture.catalogue.put_document("r1", None);
    drop(fixture.index);
    let index = CatalogueIndex::open(fixture.directory.path(), &low_memory_options()).unwrap();
    assert_eq!(index.progress().seq, 70);
    assert_eq!(index.search(&word_query("kept")).unwrap().total, 70);
    fixture.catalogue.put_document("new", Some(service_record("new", "wms", "Kept").0));
    assert_eq!(index.apply_changes(&fixture.catalogue).unwrap().records, 2);
    assert_eq!(index.search(&word_query("kept")).unwrap().total, 70);
    index.rebuild(&fixture.catalogue).unwrap();
    assert_eq!(index.search(&word_query("kept")).unwrap().total, 70);
    assert_eq!(
        index.search(&SearchQuery { by: SearchTarget::Layers, ..word_query("kept") }).unwrap().total,
        69
    );
}

#[test]
fn damage_and_other_versions_make_it_anew() {
    for (half, file, with) in [
        ("services", "meta.json", "not json"),
        ("layers", "meta.json", "{}"),
        ("services", ".managed.json", "?"),
    ] {
        let fixture = index_records([service_record("a", "wms", "Kept").with_layer("l", "Layer", None)]);
        drop(fixture.index);
        std::fs::write(fixture.directory.path().join(half).join(file), with).unwrap();
        let index = CatalogueIndex::open(fixture.directory.path(), &low_memory_options()).unwrap();
        index.apply_changes(&fixture.catalogue).unwrap();
        assert_eq!(index.search(&word_query("kept")).unwrap().total, 1, "{half}/{file}");
    }
    // Flip a byte in the data.
    let fixture = index_records([service_record("a", "wms", "Kept").with_layer("l", "Layer", None)]);
    drop(fixture.index);
    let folder = fixture.directory.path().join("services");
    let store = std::fs::read_dir(&folder).unwrap().filter_map(|entry| Some(entry.ok()?.path()));
    let store = store.into_iter().find(|path| path.extension().is_some_and(|ext| ext == "store")).unwrap();
    let mut bytes = std::fs::read(&store).unwrap();
    bytes[5] ^= 0xff;
    std::fs::write(&store, bytes).unwrap();
    let index = CatalogueIndex::open(fixture.directory.path(), &low_memory_options()).unwrap();
    assert_eq!(index.progress().records, 0);
    index.apply_changes(&fixture.catalogue).unwrap();
    assert_eq!(index.search(&word_query("kept")).unwrap().total, 1);
}

#[test]
fn another_writer_is_named() {
    let fixture = index_records([service_record("a", "wms", "Kept")]);
    let other = CatalogueIndex::open(fixture.directory.path(), &low_memory_options()).unwrap();
    assert_eq!(other.search(&word_query("kept")).unwrap().total, 1);
    fixture.catalogue.put_document("b", Some(service_record("b", "wms", "Kept").0));
    let said = other.apply_changes(&fixture.catalogue).unwrap_err().to_string();
    assert!(said.contains("another process"), "{said}");
    drop(fixture.index);
    other.apply_changes(&fixture.catalogue).unwrap();
    assert_eq!(other.search(&word_query("kept")).unwrap().total, 2);
}

#[test]
fn searching_goes_on_while_writing() {
    let fixture = index_records([service_record("a", "wms", "Kept")]);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for n in 0..20 {
                fixture.catalogue.put_document("a", Some(service_record("a", "wms", &format!("Kept {n}")).0));
                fixture.index.apply_changes(&fixture.catalogue).unwrap();
            }
        });
        for _ in 0..200 {
            assert_eq!(fixture.index.search(&word_query("kept")).unwrap().total, 1);
        }
    });
}
