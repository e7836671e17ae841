use crate::Backend;
use geotrawl_model::{
    CrawlBatch, CrawlContext, FinishedItem, FrontierEntry, NewLink, PageOutcome, PastPage, RobotsRecord,
    RobotsVerdict,
};
use geotrawl_testkit::builders::{TestCrawl, finished_item, new_link, new_link_at, ok_outcome, test_time};

pub fn items_come_back_as_they_went_in_best_first<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let crawl = TestCrawl::open(&*store, "a");
    let full = NewLink {
        intent: "ows:wms+".parse().unwrap(),
        depth: 3,
        parent: Some(1),
        way: "js:openlayers".into(),
        words: "Karten der Stadt — дом".into(),
        hops: 2,
        bearing: CrawlContext { width: 3, origin: u32::MAX, distance: 4 },
        ..new_link_at("http://a.example/deep?x=1", 7)
    };
    let odd = NewLink {
        host: "http://a.example".into(),
        url: "http://elsewhere.example/x".into(),
        ..new_link_at("http://a.example/odd", 8)
    };
    crawl.add_links(&[
        new_link_at("http://a.example/9", 9),
        new_link_at("http://a.example/9b", 9),
        odd,
        full.clone(),
    ]);
    let items = crawl.pending_on_host("http://a.example/");
    let urls: Vec<&str> = items.iter().map(|item| item.url.as_str()).collect();
    assert_eq!(
        urls,
        [
            "http://a.example/deep?x=1",
            "http://elsewhere.example/x",
            "http://a.example/9",
            "http://a.example/9b"
        ]
    );
    let first = &items[0];
    assert_eq!(
        *first,
        FrontierEntry {
            id: first.id,
            host: first.host,
            url: full.url,
            intent: full.intent,
            priority: 7,
            depth: 3,
            parent: Some(1),
            way: full.way,
            words: full.words,
            hops: 2,
            attempts: 0,
            bearing: full.bearing,
        }
    );
}

pub fn hosts_are_ordered_by_their_best_item_and_can_be_skipped<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    let added = store
        .add_links(
            crawl.run,
            &[
                new_link_at("http://slow.example/", 90),
                new_link_at("https://fast.example/", 10),
                new_link_at("http://fast.example/", 20),
                new_link_at("https://fast.example/2", 95),
            ],
        )
        .unwrap();
    assert_eq!((added.new, added.hosts.len()), (4, 3));
    let names = |crawl: &TestCrawl<'_>| -> Vec<(String, u64, u32)> {
        let hosts = store.hosts_with_work(crawl.run, 10, &|_| false).unwrap();
        hosts.into_iter().map(|host| (host.name, host.pending, host.best_priority)).collect()
    };
    assert_eq!(
        names(&crawl),
        [
            ("https://fast.example".to_owned(), 2, 10),
            ("http://fast.example".to_owned(), 1, 20),
            ("http://slow.example".to_owned(), 1, 90)
        ]
    );
    let fast = crawl.host_of("https://fast.example/").unwrap();
    let others = store.hosts_with_work(crawl.run, 1, &|host| host == fast).unwrap();
    assert_eq!(others.len(), 1);
    assert_eq!(others[0].name, "http://fast.example");

    let best = crawl.pending_item("https://fast.example/");
    crawl.commit(vec![finished_item(best, ok_outcome())]);
    assert_eq!(names(&crawl)[2], ("https://fast.example".to_owned(), 1, 95), "it falls behind");
    crawl.add_links(&[new_link_at("http://slow.example/now", 1)]);
    assert_eq!(names(&crawl)[0], ("http://slow.example".to_owned(), 2, 1), "it comes to the front");
    let last = crawl.pending_item("https://fast.example/2");
    crawl.commit(vec![finished_item(last, ok_outcome())]);
    assert_eq!(names(&crawl).len(), 2, "a host without work is not named");
}

pub fn items_stay_pending_until_they_are_done<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    crawl.add_links(&[
        new_link("http://a.example/1"),
        new_link("http://a.example/2"),
        new_link("http://a.example/3"),
    ]);
    let items = crawl.pending_on_host("http://a.example/");
    assert_eq!(crawl.pending_on_host("http://a.example/"), items, "reading takes nothing");
    let in_flight = items[0].id;
    let next = store.pending_entries(crawl.run, items[0].host, 1, &|id| id == in_flight).unwrap();
    assert_eq!(next, items[1..2]);
    crawl.commit(vec![finished_item(items[0].clone(), ok_outcome())]);
    drop(store);
    let store = place.open();
    let crawl = TestCrawl::open(&*store, "a");
    assert_eq!(crawl.pending_on_host("http://a.example/"), items[1..]);
}

pub fn an_item_cannot_be_done_twice<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    crawl.add_links(&[new_link("http://a.example/1")]);
    let item = crawl.pending_item("http://a.example/1");
    let again = FinishedItem {
        links: vec![new_link("http://a.example/2")],
        ..finished_item(item.clone(), ok_outcome())
    };
    assert_eq!(crawl.commit(vec![finished_item(item, ok_outcome())]).ignored, 0);
    let committed = crawl.commit(vec![again]);
    assert_eq!((committed.ignored, committed.added.new), (1, 0));
    let counters = store.run_counters(crawl.run).unwrap();
    assert_eq!((counters.pages, counters.pending, counters.known), (1, 0, 1));
}

pub fn a_retry_goes_behind_its_peers_with_one_more_attempt<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    crawl.add_links(&[new_link("http://a.example/1"), new_link("http://a.example/2")]);
    let item = crawl.pending_item("http://a.example/1");
    let failed = PageOutcome { class: "http-503".into(), retry: true, ..ok_outcome() };
    crawl.commit(vec![finished_item(item.clone(), failed)]);
    let items = crawl.pending_on_host("http://a.example/");
    assert_eq!(items.len(), 2);
    assert_eq!(items[0].url, "http://a.example/2");
    assert_eq!((items[1].id, items[1].attempts), (item.id, 1));
    assert!(items[1].priority > item.priority);
    let counters = store.run_counters(crawl.run).unwrap();
    assert_eq!((counters.pages, counters.pending, counters.known, counters.bytes), (0, 2, 2, 1000));
    crawl.commit(vec![finished_item(items[1].clone(), ok_outcome())]);
    assert_eq!(store.run_counters(crawl.run).unwrap().pages, 1);
}

pub fn history_is_newest_first_and_per_run<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    let host = {
        crawl.add_links(&[
            new_link("http://a.example/1"),
            new_link("http://a.example/2"),
            new_link("http://a.example/3"),
        ]);
        crawl.host_of("http://a.example/").unwrap()
    };
    for (n, simhash) in [(1, Some(u64::MAX)), (2, None), (3, Some(1))] {
        let item = crawl.pending_item(&format!("http://a.example/{n}"));
        crawl.commit(vec![finished_item(
            item,
            PageOutcome { simhash, reason: format!("Read as {n}"), ..ok_outcome() },
        )]);
    }
    let page = |n: u32, simhash| PastPage {
        url: format!("http://a.example/{n}"),
        intent: geotrawl_model::Intent::Page,
        class: "ok".into(),
        reason: format!("Read as {n}"),
        simhash,
        found: 0,
    };
    assert_eq!(store.host_history(crawl.run, host, 2).unwrap(), [page(3, Some(1)), page(2, None)]);
    assert_eq!(store.host_history(crawl.run, host, 9).unwrap()[2], page(1, Some(u64::MAX)));
    let other = TestCrawl::open(&*store, "b");
    assert!(store.host_history(other.run, host, 9).unwrap().is_empty());
    assert!(store.host_history(crawl.run, 999, 9).unwrap().is_empty());
}

pub fn robots_are_kept_with_the_host<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let crawl = TestCrawl::open(&*store, "a");
    crawl.add_links(&[new_link("http://a.example/1")]);
    let save = |verdict: RobotsVerdict, second| {
        let record = RobotsRecord { host: "http://a.example".into(), fetched_at: test_time(second), verdict };
        let batch = CrawlBatch {
            run: crawl.run,
            robots: vec![record.clone()],
            now: test_time(second),
            ..CrawlBatch::default()
        };
        store.commit(&batch).unwrap();
        record
    };
    save(RobotsVerdict::DenyAll("The server did not answer".into()), 1);
    let latest = save(RobotsVerdict::Rules("User-agent: *\nDisallow: /x\n".into()), 2);
    let hosts = store.hosts_with_work(crawl.run, 1, &|_| false).unwrap();
    assert_eq!(hosts[0].robots, Some(latest));
}

pub fn counters_tell_what_happened<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    let probe = NewLink { intent: "ows:wfs".parse().unwrap(), ..new_link("http://b.example/wfs") };
    let urls =
        ["http://a.example/ok", "http://a.example/gone", "http://a.example/no", "http://a.example/left"];
    crawl.add_links(&urls.map(new_link));
    crawl.add_links(&[probe]);
    let outcome = |class: &str| PageOutcome { class: class.into(), ..ok_outcome() };
    let finished = vec![
        finished_item(crawl.pending_item(urls[0]), outcome("ok")),
        finished_item(crawl.pending_item(urls[1]), outcome("http-404")),
        finished_item(crawl.pending_item(urls[2]), PageOutcome { bytes: 0, ..outcome("robots") }),
        finished_item(crawl.pending_item("http://b.example/wfs"), outcome("timeout")),
    ];
    crawl.commit(finished);
    let counters = store.run_counters(crawl.run).unwrap();
    assert_eq!((counters.pages, counters.probes, counters.failures, counters.skipped), (2, 1, 2, 1));
    assert_eq!((counters.bytes, counters.known, counters.pending, counters.hosts), (3000, 5, 1, 2));
    let hosts = store.hosts_with_work(crawl.run, 9, &|_| false).unwrap();
    assert_eq!((hosts.len(), hosts[0].done, hosts[0].pending), (1, 3, 1));
}

pub fn an_empty_batch_is_fine<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    let committed = crawl.commit(vec![]);
    assert_eq!((committed.added.new, committed.resources.len(), committed.ignored), (0, 0, 0));
    assert_eq!(crawl.add_links(&[]), 0);
}
