//! Distinguishable batches, for child processes that crash or suffer faults.

use geotrawl_model::store::{CrawlStore, Result};
use geotrawl_model::{CommitSummary, CrawlBatch, FinishedItem, NewLink, RunId};
use geotrawl_store::EmbeddedStore;
use geotrawl_testkit::builders::{
    TestCrawl, all_records, finished_item, new_link, ok_outcome, service, test_time,
};

/// Number of links per batch.
const LINKS: u64 = 40;

/// Returns the links that batch `n` adds.
fn links(n: u64) -> Vec<NewLink> {
    (0..LINKS).map(|nth| new_link(&format!("http://h{}.example/{n}/{nth}", (n + nth) % 7))).collect()
}

fn resource_url(n: u64) -> String {
    format!("http://maps{n}.example/wms")
}

/// Adds the seed from which the batches follow.
pub fn add_seed(store: &EmbeddedStore, run: RunId) -> Result<()> {
    store.add_links(run, &[new_link("http://h0.example/")]).map(|_| ())
}

/// Commits the next batch and returns its number, which is the number of pages finished before it.
pub fn commit_next(store: &EmbeddedStore, run: RunId) -> Result<(u64, CommitSummary)> {
    let n = store.run_counters(run)?.pages;
    let host = store.hosts_with_work(run, 1, &|_| false)?.remove(0).host;
    let item = store.pending_entries(run, host, 1, &|_| false)?.remove(0);
    let url = resource_url(n);
    let found = vec![service("wms", &url, &["roads", &format!("layer {n}")])];
    let done = vec![FinishedItem { links: links(n), found, ..finished_item(item, ok_outcome()) }];
    let committed = store.commit(&CrawlBatch { run, done, robots: vec![], now: test_time(n as i64) })?;
    Ok((n, committed))
}

/// Returns the number of complete batches; panics if one is incomplete. Checks `all` batches, or
/// only the last ones.
pub fn whole_batches(store: &EmbeddedStore, all: bool) -> u64 {
    let crawl = TestCrawl::open(store, "a");
    let counters = store.run_counters(crawl.run).unwrap();
    let batches = counters.pages;
    if counters.known == 0 {
        return 0;
    }
    assert_eq!(counters.known, 1 + batches * LINKS);
    assert_eq!(counters.pending, counters.known - batches);
    assert_eq!(counters.resources, batches);
    let hosts = store.hosts_with_work(crawl.run, 100, &|_| false).unwrap();
    assert_eq!(hosts.iter().map(|host| host.pending).sum::<u64>(), counters.pending);
    let from = if all { 0 } else { batches.saturating_sub(3) };
    for n in from..batches {
        assert_eq!(crawl.add_links(&links(n)), 0, "batch {n} is known");
        let found = store.explain(&resource_url(n)).unwrap().resources;
        assert_eq!(found.len(), 1, "batch {n} has its record");
        let record = &found[0].record;
        assert!(
            record.resource.datasets.len() == 2 && record.provenance.len() == 1,
            "batch {n} has all of it"
        );
    }
    if all {
        assert_eq!(all_records(store).len() as u64, batches);
    }
    batches
}
