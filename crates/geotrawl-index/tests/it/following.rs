//! Following the catalogue, and coming back.

use crate::catalogue::{indexed, service, small, words};
use geotrawl_index::{By, Index, Query};

#[test]
fn changes_replace_and_remove() {
    let index = indexed([
        service("a", "wms", "Old words").layer("x", "First layer", None),
        service("b", "wms", "Other"),
    ]);
    assert_eq!(index.find("first"), ["a"]);
    index.catalogue.put("a", Some(service("a", "wms", "New words").layer("y", "Second layer", None).0));
    index.catalogue.put("b", None);
    let followed = index.index.follow(&index.catalogue).unwrap();
    assert_eq!((followed.seq, followed.records), (4, 2));
    assert!(index.find("old").is_empty() && index.find("other").is_empty() && index.find("first").is_empty());
    assert_eq!(index.find("new"), ["a"]);
    let layers = Query { by: By::Layers, ..words("layer") };
    assert_eq!(index.search(&layers).total, 1);
    assert_eq!(index.index.follow(&index.catalogue).unwrap().records, 0);
    assert_eq!(index.index.state().records, 1);
}

#[test]
fn it_goes_on_after_reopening() {
    let fixture =
        indexed((0..70).map(|n| service(&format!("r{n}"), "wms", "Kept").layer("l", "Kept too", None)));
    fixture.catalogue.put("r1", None);
    drop(fixture.index);
    let index = Index::open(fixture.directory.path(), &small()).unwrap();
    assert_eq!(index.state().seq, 70);
    assert_eq!(index.search(&words("kept")).unwrap().total, 70);
    fixture.catalogue.put("new", Some(service("new", "wms", "Kept").0));
    assert_eq!(index.follow(&fixture.catalogue).unwrap().records, 2);
    assert_eq!(index.search(&words("kept")).unwrap().total, 70);
    index.rebuild(&fixture.catalogue).unwrap();
    assert_eq!(index.search(&words("kept")).unwrap().total, 70);
    assert_eq!(index.search(&Query { by: By::Layers, ..words("kept") }).unwrap().total, 69);
}

#[test]
fn damage_and_other_versions_make_it_anew() {
    for (half, file, with) in [
        ("services", "meta.json", "not json"),
        ("layers", "meta.json", "{}"),
        ("services", ".managed.json", "?"),
    ] {
        let fixture = indexed([service("a", "wms", "Kept").layer("l", "Layer", None)]);
        drop(fixture.index);
        std::fs::write(fixture.directory.path().join(half).join(file), with).unwrap();
        let index = Index::open(fixture.directory.path(), &small()).unwrap();
        index.follow(&fixture.catalogue).unwrap();
        assert_eq!(index.search(&words("kept")).unwrap().total, 1, "{half}/{file}");
    }
    // A flipped byte in the data.
    let fixture = indexed([service("a", "wms", "Kept").layer("l", "Layer", None)]);
    drop(fixture.index);
    let folder = fixture.directory.path().join("services");
    let store = std::fs::read_dir(&folder).unwrap().filter_map(|entry| Some(entry.ok()?.path()));
    let store = store.into_iter().find(|path| path.extension().is_some_and(|ext| ext == "store")).unwrap();
    let mut bytes = std::fs::read(&store).unwrap();
    bytes[5] ^= 0xff;
    std::fs::write(&store, bytes).unwrap();
    let index = Index::open(fixture.directory.path(), &small()).unwrap();
    assert_eq!(index.state().records, 0);
    index.follow(&fixture.catalogue).unwrap();
    assert_eq!(index.search(&words("kept")).unwrap().total, 1);
}

#[test]
fn another_writer_is_named() {
    let fixture = indexed([service("a", "wms", "Kept")]);
    let other = Index::open(fixture.directory.path(), &small()).unwrap();
    assert_eq!(other.search(&words("kept")).unwrap().total, 1);
    fixture.catalogue.put("b", Some(service("b", "wms", "Kept").0));
    let said = other.follow(&fixture.catalogue).unwrap_err().to_string();
    assert!(said.contains("another process"), "{said}");
    drop(fixture.index);
    other.follow(&fixture.catalogue).unwrap();
    assert_eq!(other.search(&words("kept")).unwrap().total, 2);
}

#[test]
fn searching_goes_on_while_writing() {
    let fixture = indexed([service("a", "wms", "Kept")]);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for n in 0..20 {
                fixture.catalogue.put("a", Some(service("a", "wms", &format!("Kept {n}")).0));
                fixture.index.follow(&fixture.catalogue).unwrap();
            }
        });
        for _ in 0..200 {
            assert_eq!(fixture.index.search(&words("kept")).unwrap().total, 1);
        }
    });
}
