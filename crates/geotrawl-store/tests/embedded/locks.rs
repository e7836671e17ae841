use crate::{open, tiny};
use geotrawl_model::account::{NewUser, UserRole};
use geotrawl_model::store::{AccountStore, CrawlStore};
use geotrawl_model::{CrawlBatch, StoreError};
use geotrawl_store::EmbeddedStore;
use geotrawl_testkit::builders::{TestCrawl, all_records, new_link, new_link_at, service, test_time};
use std::sync::atomic::{AtomicBool, Ordering};

#[test]
fn a_second_writer_is_kept_out_and_told_what_to_do() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let Err(error) = EmbeddedStore::open(directory.path()) else { panic!("two writers") };
    assert!(matches!(error, StoreError::Locked { .. }));
    let text = error.to_string();
    assert!(text.contains("open in another") && text.contains("--data"), "{text}");
    drop(store);
    open(directory.path());
}

#[test]
fn accounts_can_be_changed_beside_a_writer() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let mut crawl = TestCrawl::open(&store, "a");
    let accounts = EmbeddedStore::open_for_accounts(directory.path()).unwrap();
    let user = |name: &str| NewUser {
        name: name.into(),
        email: None,
        role: UserRole::Admin,
        password_hash: None,
        identity: None,
        max_running: None,
    };
    let added = accounts.add_user(&user("ann"), test_time(0)).unwrap().unwrap();
    assert_eq!(store.count_admins().unwrap(), 1);
    assert!(store.add_user(&user("ann"), test_time(1)).unwrap().is_none(), "the name is taken");
    crawl.add_resource("http://m.example/wms", service("wms", "http://m.example/wms", &["a"]));
    assert!(store.add_user(&user("ben"), test_time(2)).unwrap().is_some());
    assert_eq!(accounts.count_admins().unwrap(), 2);
    accounts.remove_user(added.id).unwrap();
    drop(accounts);
    assert_eq!(store.count_admins().unwrap(), 1);
    assert_eq!(all_records(&store).len(), 1);
    drop(store);
    // Without another writer, the store is opened as usual and keeps others out.
    let accounts = EmbeddedStore::open_for_accounts(directory.path()).unwrap();
    assert!(matches!(EmbeddedStore::open(directory.path()), Err(StoreError::Locked { .. })));
    assert_eq!(accounts.count_admins().unwrap(), 1);
}

#[test]
fn a_lock_that_a_dying_writer_still_holds_is_waited_for() {
    let directory = tempfile::tempdir().unwrap();
    drop(open(directory.path()));
    // As after `kill -9`: a child that the dead process was about to start still has its lock file open.
    let held = std::fs::File::options().write(true).open(directory.path().join("geotrawl.lock")).unwrap();
    held.lock().unwrap();
    let child = std::process::Command::new("sleep").arg("0.2").stdin(held).spawn().unwrap();
    open(directory.path());
    let _ = child.wait_with_output();
}

#[test]
fn readers_work_beside_a_writer_and_see_what_is_committed() {
    let directory = tempfile::tempdir().unwrap();
    let Err(error) = EmbeddedStore::open_read_only(directory.path()) else { panic!("nothing is there") };
    assert!(error.to_string().contains("no store yet"), "{error}");

    let store = open(directory.path());
    let mut crawl = TestCrawl::open(&store, "a");
    let reader = EmbeddedStore::open_read_only(directory.path()).unwrap();
    assert!(all_records(&reader).is_empty());
    crawl.add_resource("http://m.example/wms", service("wms", "http://m.example/wms", &["a"]));
    assert_eq!(all_records(&reader).len(), 1);
    assert_eq!(reader.explain("http://m.example/wms").unwrap().resources.len(), 1);
    assert_eq!(reader.run_counters(crawl.run).unwrap().resources, 1);

    crawl.add_links(&[
        new_link_at("http://h.example/2", 2),
        new_link_at("http://h.example/1", 1),
        new_link_at("http://h.example/3", 3),
    ]);
    let host = reader.hosts_with_work(crawl.run, 1, &|_| false).unwrap().remove(0).host;
    let items = reader.pending_entries(crawl.run, host, 2, &|_| false).unwrap();
    assert_eq!(items.iter().map(|item| item.priority).collect::<Vec<_>>(), [1, 2]);

    let refused = reader.commit(&CrawlBatch { run: crawl.run, ..CrawlBatch::default() }).unwrap_err();
    assert!(refused.to_string().contains("read-only"), "{refused}");
    drop(store);
    assert_eq!(all_records(&reader).len(), 1, "also when the writer is gone");
    let again = EmbeddedStore::open_read_only(directory.path()).unwrap();
    assert_eq!(all_records(&again).len(), 1);
}

#[test]
fn threads_read_while_another_commits() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let crawl = TestCrawl::open(&store, "a");
    let finished = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| {
                    let mut last = 0;
                    while !finished.load(Ordering::Relaxed) {
                        let counters = store.run_counters(crawl.run).unwrap();
                        assert!(
                            counters.known >= last && counters.known.is_multiple_of(20),
                            "only whole batches are seen"
                        );
                        last = counters.known;
                        for host in store.hosts_with_work(crawl.run, 3, &|_| false).unwrap() {
                            store.pending_entries(crawl.run, host.host, 5, &|_| false).unwrap();
                        }
                    }
                })
            })
            .collect();
        for n in 0..150 {
            let links: Vec<_> =
                (0..20).map(|nth| new_link(&format!("http://h{}.example/{n}/{nth}", nth % 9))).collect();
            assert_eq!(crawl.add_links(&links), 20);
        }
        finished.store(true, Ordering::Relaxed);
        for reader in readers {
            reader.join().unwrap();
        }
    });
    assert_eq!(store.run_counters(crawl.run).unwrap().pending, 3000);
}

#[test]
fn events_come_in_order_and_can_be_resumed() {
    let directory = tempfile::tempdir().unwrap();
    let store = EmbeddedStore::open_with(directory.path(), tiny()).unwrap();
    let mut crawl = TestCrawl::open(&store, "a");
    crawl.add_resource("http://m.example/wms", service("wms", "http://m.example/wms", &["a"]));
    crawl.add_resource("http://m.example/wms", service("wms", "http://m.example/wms", &["a", "b"]));
    store.set_task_state(crawl.run, geotrawl_model::TaskState::Finished, test_time(9)).unwrap();
    let events = store.events_after(0, 100).unwrap();
    let kinds: Vec<&str> = events.iter().map(|event| event.kind.as_str()).collect();
    assert_eq!(kinds, ["run", "resource-born", "find", "resource-changed", "run"]);
    assert!(events.windows(2).all(|pair| pair[0].seq < pair[1].seq));
    assert_eq!(store.events_after(events[1].seq, 1).unwrap(), [events[2].clone()]);
    assert_eq!(events[2].body["dataset_count"], 1);
    assert_eq!(events[4].body["state"], "finished");
}
