use crate::tiny;
use geotrawl_model::RecordFilter;
use geotrawl_model::store::CrawlStore;
use geotrawl_store::{EmbeddedStore, StoreOptions};
use geotrawl_testkit::builders::{TestCrawl, new_link, service};

#[test]
fn a_slow_visitor_does_not_make_the_journal_grow() {
    let directory = tempfile::tempdir().unwrap();
    let options = StoreOptions { journal_bytes: 400_000, ..tiny() };
    let store = EmbeddedStore::open_with(directory.path(), options).unwrap();
    let mut crawl = TestCrawl::open(&store, "a");
    let found =
        (0..20).map(|n| service("wms", &format!("http://m{n}.example/wms"), &[&format!("l{n}")])).collect();
    crawl.add_resources("http://a.example/", found);
    let mut n = 0;
    let mut largest = 0;
    store
        .visit_records(&RecordFilter::default(), &mut |_| {
            for _ in 0..10 {
                n += 1;
                let links: Vec<_> =
                    (0..200).map(|nth| new_link(&format!("http://h.example/{n}/{nth}"))).collect();
                assert_eq!(crawl.add_links(&links), 200);
            }
            let journal = std::fs::metadata(directory.path().join("geotrawl.db-wal")).unwrap().len();
            largest = largest.max(journal);
            true
        })
        .unwrap();
    assert!(largest < 2_500_000, "the journal grew to {largest} bytes");
}
