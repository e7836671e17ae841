use crate::Backend;
use geotrawl_model::FinishedItem;
use geotrawl_testkit::builders::{TestCrawl, finished_item, new_link, ok_outcome};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::collections::{BTreeSet, HashSet};

/// One step of a crawler.
#[derive(Debug, Clone)]
enum CrawlStep {
    Add(Vec<u16>),
    /// Finishes the first pending page of a host, with these links.
    Finish(u16, Vec<u16>),
    Reopen,
}

fn moves() -> impl Strategy<Value = Vec<CrawlStep>> {
    let urls = || proptest::collection::vec(0u16..900, 0..60);
    let one = prop_oneof![
        4 => urls().prop_map(CrawlStep::Add),
        4 => (0u16..5, urls()).prop_map(|(host, links)| CrawlStep::Finish(host, links)),
        1 => Just(CrawlStep::Reopen),
    ];
    proptest::collection::vec(one, 1..25)
}

fn url(n: u16) -> String {
    format!("http://h{}.example/page/{n}", n % 5)
}

/// Compares the store with a set of strings, across flushes, merges and restarts.
pub fn no_url_is_lost_or_added_twice<B: Backend>() {
    let config = Config { cases: 48, failure_persistence: None, ..Config::default() };
    let run = |moves: Vec<CrawlStep>| {
        let place = B::new();
        let mut store = place.open();
        let mut known: HashSet<String> = HashSet::new();
        let mut closed: HashSet<String> = HashSet::new();
        for one in moves {
            let mut crawl = TestCrawl::open(&*store, "a");
            let (added, urls) = match one {
                CrawlStep::Reopen => {
                    drop(store);
                    store = place.open();
                    continue;
                }
                CrawlStep::Add(numbers) => {
                    let links: Vec<_> = numbers.iter().map(|n| new_link(&url(*n))).collect();
                    (crawl.add_links(&links), numbers)
                }
                CrawlStep::Finish(host, numbers) => {
                    let Some(item) = crawl.pending_on_host(&url(host)).into_iter().next() else { continue };
                    closed.insert(item.url.clone());
                    let links = numbers.iter().map(|n| new_link(&url(*n))).collect();
                    (
                        crawl
                            .commit(vec![FinishedItem { links, ..finished_item(item, ok_outcome()) }])
                            .added
                            .new,
                        numbers,
                    )
                }
            };
            let fresh = urls.into_iter().filter(|n| known.insert(url(*n))).count();
            prop_assert_eq!(added, fresh as u64);
        }
        let crawl = TestCrawl::open(&*store, "a");
        let pending: Vec<String> =
            (0..5).flat_map(|host| crawl.pending_on_host(&url(host))).map(|item| item.url).collect();
        let distinct: BTreeSet<&String> = pending.iter().collect();
        prop_assert_eq!(distinct.len(), pending.len(), "nothing is pending twice");
        let expected: BTreeSet<&String> = known.difference(&closed).collect();
        prop_assert_eq!(distinct, expected);
        let counters = store.run_counters(crawl.run).unwrap();
        prop_assert_eq!(counters.known, known.len() as u64);
        prop_assert_eq!(counters.pending, pending.len() as u64);
        Ok(())
    };
    TestRunner::new(config).run(&moves(), run).unwrap();
}

pub fn a_link_twice_in_one_batch_is_added_once<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let crawl = TestCrawl::open(&*store, "a");
    let links: Vec<_> = (0..300).map(|n| new_link(&url(n % 100))).collect();
    let added = store.add_links(crawl.run, &links).unwrap();
    assert_eq!((added.new, added.known), (100, 200));
    assert_eq!(crawl.add_links(&links), 0);
    let other_request = geotrawl_model::NewLink { key: "ows:wms x".into(), ..new_link(&url(1)) };
    assert_eq!(crawl.add_links(&[other_request]), 1, "the key decides, not the URL");
}
