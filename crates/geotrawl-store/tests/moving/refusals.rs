use crate::{connect, database, directory, moved, refusal, server};
use geotrawl_model::store::CrawlStore;
use geotrawl_store::EmbeddedStore;
use geotrawl_store::store_copy::{CopyEndpoint, copy_store};
use geotrawl_testkit::builders::{TestCrawl, new_link};
use geotrawl_testkit::postgres;

/// Creates a store file with some data.
fn filled() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    TestCrawl::open(&EmbeddedStore::open(place.path()).unwrap(), "a")
        .add_links(&[new_link("http://a.example/")]);
    place
}

#[test]
fn a_target_that_is_not_empty_is_left_alone() {
    let (one, other) = (filled(), filled());
    let said = refusal(&directory(one.path()), &directory(other.path()));
    assert!(said.contains("already") && said.contains("empty directory"), "{said}");
    let Some(database) = database() else { return };
    TestCrawl::open(&connect(&database.url), "b").add_links(&[new_link("http://b.example/")]);
    let said = refusal(&directory(one.path()), &server(&database));
    assert!(said.contains("not empty") && said.contains("?schema=NAME"), "{said}");
    assert_eq!(postgres::query_column(&database.url, "SELECT name FROM geotrawl.task"), ["b"]);
    drop(connect(&database.url));
}

#[test]
fn a_source_that_is_in_use_is_copied_only_as_of_a_moment() {
    let place = filled();
    let writer = EmbeddedStore::open(place.path()).unwrap();
    let target = tempfile::tempdir().unwrap();
    let said = refusal(&directory(place.path()), &directory(target.path()));
    assert!(said.contains("open in another"), "{said}");
    assert!(
        copy_store(&directory(place.path()), &directory(target.path()), true, &mut |_| {}).unwrap().is_same()
    );
    drop(writer);

    let Some(database) = database() else { return };
    let store = connect(&database.url);
    let crawl = TestCrawl::open(&store, "b");
    crawl.add_links(&[new_link("http://b.example/")]);
    assert_eq!(store.hosts_with_work(crawl.run, 5, &|_| false).unwrap().len(), 1, "no host was leased");
    let target = tempfile::tempdir().unwrap();
    let said = refusal(&server(&database), &directory(target.path()));
    assert!(said.contains("--snapshot"), "{said}");
    assert!(copy_store(&server(&database), &directory(target.path()), true, &mut |_| {}).unwrap().is_same());
    drop(store);
    let target = tempfile::tempdir().unwrap();
    assert!(
        moved(&server(&database), &directory(target.path())).unwrap().is_same(),
        "the lease was not released"
    );
}

#[test]
fn only_a_version_that_is_known_is_copied() {
    let place = filled();
    let set = |version: u32| {
        let conn = rusqlite::Connection::open(place.path().join("geotrawl.db")).unwrap();
        let before: u32 = conn.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
        conn.pragma_update(None, "user_version", version).unwrap();
        before
    };
    let target = tempfile::tempdir().unwrap();
    let known = set(99);
    let said = refusal(&directory(place.path()), &directory(target.path()));
    assert!(said.contains("version 99") && said.contains("upgrade geotrawl"), "{said}");
    set(1);
    let said = refusal(&directory(place.path()), &directory(target.path()));
    assert!(said.contains("version 1 ") && said.contains("upgraded to"), "{said}");
    set(known);

    let Some(database) = database() else { return };
    drop(connect(&database.url));
    postgres::execute_sql(&database.url, "UPDATE geotrawl.meta SET value = value + 5 WHERE key = 'schema'");
    for (from, to) in
        [(directory(place.path()), server(&database)), (server(&database), directory(target.path()))]
    {
        let said = refusal(&from, &to);
        assert!(said.contains("upgrade geotrawl"), "{said}");
    }
    assert!(!target.path().join("geotrawl.db").exists());
}

#[test]
fn what_is_no_store_is_told_as_such() {
    let (empty, target) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let said = refusal(&directory(&empty.path().join("none")), &directory(target.path()));
    assert!(said.contains("no store yet"), "{said}");
    assert!(!empty.path().join("none").exists(), "a directory was created");
    let nowhere = CopyEndpoint::Database("postgres://x:secret@127.0.0.1:1/none".to_owned());
    let said = refusal(&nowhere, &directory(target.path()));
    assert!(said.contains("cannot be reached") && !said.contains("secret"), "{said}");
    let Some(database) = database() else { return };
    let said = refusal(&server(&database), &directory(target.path()));
    assert!(said.contains("no store yet"), "{said}");
}
