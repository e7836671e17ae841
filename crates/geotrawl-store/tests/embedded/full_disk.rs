use crate::tiny;
use geotrawl_model::store::CrawlStore;
use geotrawl_model::{CrawlBatch, FinishedItem};
use geotrawl_store::{EmbeddedStore, StoreOptions};
use geotrawl_testkit::builders::{
    TestCrawl, all_records, finished_item, new_link, ok_outcome, service, test_time,
};

#[test]
fn a_full_disk_fails_whole_batches_and_is_got_over() {
    let directory = tempfile::tempdir().unwrap();
    let options = StoreOptions { max_bytes: Some(700_000), ..tiny() };
    let store = EmbeddedStore::open_with(directory.path(), options).unwrap();
    let crawl = TestCrawl::open(&store, "a");
    crawl.add_links(&[new_link("http://h.example/")]);
    let mut batches = 0;
    let batch = |n: u64| {
        let item = crawl.pending_on_host("http://h.example/").remove(0);
        let links = (0..50).map(|nth| new_link(&format!("http://h.example/{n}/{nth}"))).collect();
        let found = vec![service("wms", &format!("http://m{n}.example/wms"), &["a", "b"])];
        let done = vec![FinishedItem { links, found, ..finished_item(item, ok_outcome()) }];
        CrawlBatch { run: crawl.run, done, robots: vec![], now: test_time(n as i64) }
    };
    let refused = loop {
        match store.commit(&batch(batches)) {
            Ok(committed) => assert_eq!(committed.added.new, 50),
            Err(error) => break error,
        }
        batches += 1;
        assert!(batches < 1000, "the limit is reached");
    };
    assert!(batches > 3, "some batches fit");
    assert!(refused.to_string().contains("full"), "{refused}");

    let expect = |batches: u64| {
        let counters = store.run_counters(crawl.run).unwrap();
        assert_eq!((counters.pages, counters.known), (batches, 1 + 50 * batches));
        assert_eq!(counters.resources, batches);
        assert_eq!(all_records(&store).len() as u64, batches);
        assert_eq!(crawl.pending_on_host("http://h.example/").len() as u64, counters.pending.min(1000));
    };
    expect(batches);
    assert!(store.commit(&batch(batches)).is_err(), "still full");
    expect(batches);

    store.set_max_bytes(None).unwrap();
    for _ in 0..20 {
        let committed = store.commit(&batch(batches)).unwrap();
        assert_eq!(
            (committed.added.new, committed.ignored),
            (50, 0),
            "nothing of the refused batch was taken"
        );
        batches += 1;
    }
    expect(batches);
    drop(store);
    let store = EmbeddedStore::open_with(directory.path(), tiny()).unwrap();
    assert_eq!(store.check_integrity().unwrap(), Vec::<String>::new());
    let crawl = TestCrawl::open(&store, "a");
    for n in 0..batches {
        assert_eq!(crawl.add_links(&[new_link(&format!("http://h.example/{n}/7"))]), 0);
    }
}
