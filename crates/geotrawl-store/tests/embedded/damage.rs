use crate::{open, tiny};
use geotrawl_model::store::{CrawlStore, RecordReader};
use geotrawl_model::{RecordFilter, StoreError};
use geotrawl_store::EmbeddedStore;
use geotrawl_testkit::builders::{TestCrawl, all_records, new_link, service, task_spec};
use std::path::{Path, PathBuf};

fn database(directory: &Path) -> PathBuf {
    directory.join("geotrawl.db")
}

/// Creates a store with data in every table.
fn filled(directory: &Path) {
    let store = open(directory);
    let mut crawl = TestCrawl::open(&store, "a");
    for n in 0..10 {
        let links: Vec<_> =
            (0..60).map(|nth| new_link(&format!("http://h{}.example/{n}/{nth}", nth % 9))).collect();
        crawl.add_links(&links);
        let url = format!("http://m{n}.example/wms");
        crawl.add_resource(&url, service("wms", &url, &["a", "b"]));
        crawl.add_redirect(&format!("http://old{n}.example/"), &url);
    }
}

fn refusal(directory: &Path) -> StoreError {
    EmbeddedStore::open_with(directory, tiny()).err().expect("it should not open")
}

fn refusal_to_read(directory: &Path) -> StoreError {
    EmbeddedStore::open_read_only(directory).err().expect("it should not open")
}

#[test]
fn a_file_that_is_no_database_is_left_alone() {
    for content in [&b"hello"[..], &[0; 8192], &b"SQLite format 3\0 but no more"[..]] {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(database(directory.path()), content).unwrap();
        for error in [refusal(directory.path()), refusal_to_read(directory.path())] {
            assert!(matches!(error, StoreError::Open { .. }), "{error:?}");
            assert!(error.to_string().contains("not a Geotrawl database"), "{error}");
        }
        assert_eq!(std::fs::read(database(directory.path())).unwrap(), content);
    }
}

#[test]
fn an_empty_file_is_a_new_store() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(database(directory.path()), b"").unwrap();
    filled(directory.path());
}

#[test]
fn a_database_of_another_program_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let other = rusqlite::Connection::open(database(directory.path())).unwrap();
    other.execute_batch("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1);").unwrap();
    drop(other);
    let error = refusal(directory.path());
    assert!(error.to_string().contains("another program"), "{error}");
    let error = refusal_to_read(directory.path());
    assert!(error.to_string().contains("another program"), "{error}");
}

#[test]
fn a_newer_version_is_named() {
    let directory = tempfile::tempdir().unwrap();
    filled(directory.path());
    let file = rusqlite::Connection::open(database(directory.path())).unwrap();
    file.pragma_update(None, "user_version", 99).unwrap();
    drop(file);
    for error in [refusal(directory.path()), refusal_to_read(directory.path())] {
        assert!(matches!(error, StoreError::TooNew { found: 99, .. }), "{error:?}");
    }
}

#[test]
fn a_file_that_was_cut_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    filled(directory.path());
    let whole = std::fs::read(database(directory.path())).unwrap();
    for part in [whole.len() - 4096, whole.len() / 2, 4096, 5000, 100] {
        std::fs::write(database(directory.path()), &whole[..part]).unwrap();
        let error = refusal(directory.path());
        assert!(matches!(error, StoreError::Open { .. }), "cut to {part}: {error:?}");
    }
    std::fs::write(database(directory.path()), &whole).unwrap();
    assert_eq!(all_records(&open(directory.path())).len(), 10);
}

#[test]
fn a_directory_that_cannot_be_used_is_explained() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    std::fs::write(&file, b"x").unwrap();
    for error in [refusal(&file), refusal_to_read(&file), refusal(&file.join("below"))] {
        assert!(matches!(error, StoreError::Open { .. }), "{error:?}");
    }
}

/// Overwrites parts of the file at many positions: every operation returns a value or an error and
/// never panics.
#[test]
fn scribbles_are_survived() {
    let directory = tempfile::tempdir().unwrap();
    filled(directory.path());
    let whole = std::fs::read(database(directory.path())).unwrap();
    let mut errors = 0;
    for round in 0..60_u64 {
        let mut scribbled = whole.clone();
        let mut number = round + 1;
        for _ in 0..40 {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Skip the first page, which other tests cover.
            let place = 4096 + (number >> 20) as usize % (scribbled.len() - 4096);
            scribbled[place] ^= (number >> 8) as u8 | 1;
        }
        std::fs::write(database(directory.path()), &scribbled).unwrap();
        errors += use_all(directory.path());
        for suffix in ["-wal", "-shm"] {
            let _gone = std::fs::remove_file(directory.path().join(format!("geotrawl.db{suffix}")));
        }
    }
    assert!(errors > 0, "some of it was noticed");
}

/// Calls everything once and counts the errors.
fn use_all(directory: &Path) -> usize {
    let store = match EmbeddedStore::open_with(directory, tiny()) {
        Ok(store) => store,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return 1;
        }
    };
    let now = geotrawl_testkit::builders::test_time(99);
    let mut errors = 0;
    let mut count = |failed: bool| errors += usize::from(failed);
    match store.open_task(&task_spec("a"), now) {
        Err(_) => count(true),
        Ok(task) => {
            let links: Vec<_> =
                (0..300).map(|nth| new_link(&format!("http://h{}.example/x/{nth}", nth % 9))).collect();
            count(store.add_links(task.run, &links).is_err());
            match store.hosts_with_work(task.run, 50, &|_| false) {
                Err(_) => count(true),
                Ok(hosts) => {
                    for host in hosts {
                        count(store.pending_entries(task.run, host.host, 50, &|_| false).is_err());
                        count(store.host_history(task.run, host.host, 50).is_err());
                    }
                }
            }
            count(store.run_counters(task.run).is_err());
        }
    }
    count(store.visit_records(&RecordFilter::default(), &mut |_| true).is_err());
    count(store.explain("http://m3.example/wms").is_err());
    count(store.events_after(0, 100).is_err());
    count(!matches!(store.check_integrity(), Ok(findings) if findings.is_empty()));
    errors
}

#[test]
fn a_word_that_names_nothing_is_an_error_that_names_it_and_its_record() {
    let directory = tempfile::tempdir().unwrap();
    filled(directory.path());
    let store = open(directory.path());
    let known = all_records(&store).into_iter().next().unwrap();
    let file = rusqlite::Connection::open(database(directory.path())).unwrap();
    file.execute("UPDATE resource SET status = 'zombie' WHERE public_id = ?1", [&known.id]).unwrap();
    let error = RecordReader::find_record_head(&store, &known.id).unwrap_err().to_string();
    assert!(error.contains(&format!("record {}: \"zombie\" is not a status", known.id)), "{error}");

    let crawl = TestCrawl::open(&store, "b");
    crawl.add_links(&[new_link("http://q.example/")]);
    let item = crawl.pending_item("http://q.example/");
    file.execute("UPDATE queue SET intent = 'wish' WHERE id = ?1", [item.id]).unwrap();
    let error = store.pending_entries(crawl.run, item.host, 9, &|_| false).unwrap_err().to_string();
    assert!(error.contains(&format!("pending item {}: \"wish\" is not an intent", item.id)), "{error}");
}
