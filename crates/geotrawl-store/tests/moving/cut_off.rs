use crate::{connect, database, directory, move_all, server};
use geotrawl_model::StoreError;
use geotrawl_model::store::CrawlStore;
use geotrawl_store::store_copy::{CopyEndpoint, copy_store};
use geotrawl_store::{EmbeddedStore, PostgresOptions, PostgresStore};
use geotrawl_testkit::builders::{TestCrawl, new_link};
use geotrawl_testkit::postgres;
use std::panic::AssertUnwindSafe;
use std::path::Path;

/// Creates a store with enough rows that progress is reported in the middle of a table.
fn filled() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    let links: Vec<_> = (0..5_000).map(|n| new_link(&format!("http://h{}.example/{n}", n % 90))).collect();
    TestCrawl::open(&EmbeddedStore::open(place.path()).unwrap(), "a").add_links(&links);
    place
}

/// Aborts the copy in the middle of the queue, as if the program had been stopped.
fn cut_off(from: &Path, to: &CopyEndpoint) {
    let attempt = AssertUnwindSafe(|| {
        copy_store(&directory(from), to, false, &mut |step| assert!(step.table != "queue", "cut off here"))
    });
    assert!(std::panic::catch_unwind(attempt).is_err());
}

#[test]
fn a_directory_that_was_not_finished_is_no_store_until_it_is_copied_again() {
    let (place, target) = (filled(), tempfile::tempdir().unwrap());
    cut_off(place.path(), &directory(target.path()));
    assert!(!target.path().join("geotrawl.db").exists());
    for refused in [EmbeddedStore::open(target.path()), EmbeddedStore::open_read_only(target.path())] {
        let error = refused.err().expect("it is refused");
        assert!(matches!(error, StoreError::Incomplete { .. }), "{error}");
        assert!(error.to_string().contains("run the same `geotrawl store` command again"), "{error}");
    }
    move_all(&directory(place.path()), &directory(target.path()));
    let store = EmbeddedStore::open(target.path()).unwrap();
    assert_eq!(store.run_counters(TestCrawl::open(&store, "a").run).unwrap().pending, 5_000);
    let left: Vec<_> =
        std::fs::read_dir(target.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains("incomplete")), "{left:?}");
}

#[test]
fn a_database_that_was_not_finished_is_no_store_until_it_is_copied_again() {
    let Some(database) = database() else { return };
    let place = filled();
    cut_off(place.path(), &server(&database));
    let error =
        PostgresStore::connect(&database.url, &PostgresOptions::default()).err().expect("it is refused");
    assert!(matches!(error, StoreError::Incomplete { .. }), "{error}");
    assert_eq!(
        postgres::query_column(&database.url, "SELECT count(*) FROM geotrawl.host"),
        ["0"],
        "nothing is there in part"
    );
    let elsewhere = tempfile::tempdir().unwrap();
    let said = crate::refusal(&server(&database), &directory(elsewhere.path()));
    assert!(said.contains("unfinished copy"), "{said}");
    move_all(&directory(place.path()), &server(&database));
    let store = connect(&database.url);
    assert_eq!(store.run_counters(TestCrawl::open(&store, "a").run).unwrap().pending, 5_000);
}
