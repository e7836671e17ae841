use crate::Backend;
use geotrawl_model::focus::{DepthYield, IndicativeTerm};
use geotrawl_model::{CrawlContext, EngineMention, FinishedItem, NewLink, PageOutcome, RankedSeed};
use geotrawl_rank::LinkToRank;
use geotrawl_testkit::builders::{
    TestCrawl, finished_item, new_link, new_link_at, ok_outcome, service, test_time,
};

fn of_width(width: u32, url: &str) -> NewLink {
    NewLink { bearing: CrawlContext { width, ..CrawlContext::default() }, ..new_link(url) }
}

fn probe(parent: i64, url: &str) -> NewLink {
    NewLink {
        key: format!("ows:wms {url}"),
        intent: "ows:wms".parse().unwrap(),
        parent: Some(parent),
        depth: 1,
        ..new_link(url)
    }
}

fn term(term: &str, gained: u64, seen: u64) -> IndicativeTerm {
    IndicativeTerm { term: term.into(), gained, seen }
}

pub fn groups_of_seeds_are_opened_and_ended_once<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let run = TestCrawl::open(&*store, "a").run;
    assert_eq!(store.list_seed_groups(run).unwrap(), []);
    store.open_seed_group(run, 1, 10, test_time(1)).unwrap();
    store.end_seed_group(run, 1, "Everything was read", false, test_time(5)).unwrap();
    store.end_seed_group(run, 1, "Something else", true, test_time(6)).unwrap();
    store.open_seed_group(run, 2, 3, test_time(7)).unwrap();
    drop(store);
    let store = place.open();
    store.open_seed_group(run, 2, 4, test_time(9)).unwrap();
    let widths = store.list_seed_groups(run).unwrap();
    let told: Vec<_> = widths
        .iter()
        .map(|one| (one.width, one.opened, one.seeds, one.ended, one.why.as_deref(), one.given_up))
        .collect();
    assert_eq!(
        told,
        [
            (1, test_time(1), 10, Some(test_time(5)), Some("Everything was read"), false),
            (2, test_time(7), 4, None, None, false)
        ]
    );
    store.add_time_taken(run, 1_500).unwrap();
    store.add_time_taken(run, 700).unwrap();
    assert_eq!(store.time_taken(run).unwrap(), 2_200);
}

pub fn pages_and_finds_are_counted_by_group_and_depth<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    store.open_seed_group(crawl.run, 1, 1, test_time(0)).unwrap();
    store.open_seed_group(crawl.run, 2, 1, test_time(0)).unwrap();
    crawl.add_links(&[of_width(1, "http://a.example/"), of_width(2, "http://b.example/")]);
    let (first, second) = (crawl.pending_item("http://a.example/"), crawl.pending_item("http://b.example/"));
    let wms = NewLink {
        bearing: CrawlContext { width: 2, ..CrawlContext::default() },
        ..probe(second.id, "http://b.example/wms")
    };
    crawl.commit(vec![
        finished_item(first, ok_outcome()),
        FinishedItem { links: vec![wms], ..finished_item(second, ok_outcome()) },
    ]);
    let wms = crawl.pending_item("http://b.example/wms");
    let found = vec![service("wms", "http://b.example/wms", &["l"])];
    let committed = crawl.commit(vec![FinishedItem { found, ..finished_item(wms.clone(), ok_outcome()) }]);
    assert_eq!(committed.resources[0].item, wms.id);
    let level = |width, depth, pages, finds| DepthYield { width, depth, pages, finds };
    assert_eq!(
        store.yield_by_seed_group(crawl.run).unwrap(),
        [level(1, 0, 1, 0), level(2, 0, 1, 0), level(2, 1, 0, 1)]
    );
    assert_eq!(store.yield_by_depth(crawl.run).unwrap(), [level(0, 0, 2, 0), level(0, 1, 0, 1)]);
    let widths = store.list_seed_groups(crawl.run).unwrap();
    assert_eq!(widths.iter().map(|one| (one.pages, one.finds)).collect::<Vec<_>>(), [(1, 0), (1, 1)]);
}

pub fn new_probes_are_told_by_who_showed_them<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    crawl.add_links(&[new_link("http://a.example/1"), new_link("http://a.example/2")]);
    let (one, two) = (crawl.pending_item("http://a.example/1"), crawl.pending_item("http://a.example/2"));
    let of_one = vec![
        probe(one.id, "http://a.example/x"),
        NewLink { parent: Some(one.id), ..new_link("http://a.example/3") },
        probe(one.id, "http://a.example/y"),
    ];
    let of_two = vec![probe(two.id, "http://a.example/x"), probe(two.id, "http://a.example/z")];
    let batch = vec![
        FinishedItem { links: of_one, ..finished_item(one.clone(), ok_outcome()) },
        FinishedItem { links: of_two, ..finished_item(two.clone(), ok_outcome()) },
    ];
    let committed = crawl.commit(batch);
    assert_eq!(
        committed.added.probes,
        [(one.id, 2), (two.id, 1)],
        "a probe counts for the item that showed it first"
    );
}

pub fn telling_words_stand_on_many_good_pages_and_few_others<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let run = TestCrawl::open(&*store, "a").run;
    store.add_terms(run, &[term("the", 9, 900), term("wms", 6, 6), term("karte", 1, 1)]).unwrap();
    store.add_terms(run, &[term("karte", 7, 9)]).unwrap();
    assert_eq!(store.indicative_terms(run, 2).unwrap(), [term("karte", 8, 10), term("wms", 6, 6)]);
    assert_eq!(store.indicative_terms(run, 9).unwrap().len(), 3);
}

pub fn ranked_seeds_stay_as_the_run_began<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let run = TestCrawl::open(&*store, "a").run;
    let seed = |url: &str, weight| RankedSeed {
        url: url.into(),
        weight,
        named: vec![EngineMention { engine: "own".into(), query: "karten".into(), rank: 1 }],
        title: None,
    };
    let first = [seed("http://b.example/", 20.0), seed("http://a.example/", 19.5)];
    store.save_ranked_seeds(run, &first).unwrap();
    store.save_ranked_seeds(run, &[seed("http://c.example/", 99.0)]).unwrap();
    assert_eq!(store.ranked_seeds(run).unwrap(), first);
}

pub fn models_are_kept_by_ordering<B: Backend>() {
    let place = B::new();
    let store = place.open();
    assert_eq!((store.load_model("x").unwrap(), store.model_saved_at("x").unwrap()), (None, None));
    assert_eq!(store.save_model("x", b"one", test_time(1), None).unwrap(), Some(test_time(1)));
    assert_eq!(store.save_model("y", b"other", test_time(1), None).unwrap(), Some(test_time(1)));
    assert_eq!(
        store.save_model("x", &vec![7; 3 << 20], test_time(2), Some(test_time(1))).unwrap(),
        Some(test_time(2))
    );
    // A save that does not name the latest version is rejected.
    assert_eq!(store.save_model("x", b"late", test_time(3), Some(test_time(1))).unwrap(), None);
    assert_eq!(store.save_model("x", b"late", test_time(3), None).unwrap(), None);
    assert_eq!(store.save_model("z", b"none", test_time(3), Some(test_time(1))).unwrap(), None);
    drop(store);
    let store = place.open();
    let model = store.load_model("x").unwrap().unwrap();
    assert_eq!((model.bytes, model.at), (vec![7; 3 << 20], test_time(2)));
    assert_eq!(store.model_saved_at("y").unwrap(), Some(test_time(1)));
    let again = store.save_model("y", b"more", test_time(1), Some(test_time(1))).unwrap().unwrap();
    assert!(again > test_time(1), "the version needs a distinct time: {again}");
}

pub fn what_is_next_comes_from_many_hosts<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let crawl = TestCrawl::open(&*store, "a");
    let mut links = vec![new_link_at("http://b.example/", 500), new_link_at("http://c.example/", 50)];
    links.extend((0..40).map(|n| new_link_at(&format!("http://a.example/{n}"), 100 + n)));
    crawl.add_links(&links);
    let next = store.next_entries(crawl.run, 10).unwrap();
    let urls: Vec<&str> = next.iter().map(|item| item.url.as_str()).collect();
    assert_eq!(urls[..2], ["http://c.example/", "http://a.example/0"]);
    assert!(urls.contains(&"http://b.example/") && urls.len() <= 10, "{urls:?}");
    assert_eq!(LinkToRank::from(&next[0]).url, "http://c.example/");
}

pub fn a_page_tells_where_it_stood<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    let bearing = CrawlContext { width: 4, origin: 99, distance: 2 };
    crawl.add_links(&[NewLink { bearing, ..new_link("http://a.example/") }]);
    assert_eq!(store.explain("http://a.example/").unwrap().visits[0].bearing, bearing);
    let item = crawl.pending_item("http://a.example/");
    crawl.commit(vec![finished_item(item, PageOutcome { retry: true, ..ok_outcome() })]);
    let item = crawl.pending_item("http://a.example/");
    assert_eq!(item.bearing, bearing, "the context was lost by a retry");
    crawl.commit(vec![finished_item(item, ok_outcome())]);
    let told = store.explain("http://a.example/").unwrap();
    assert_eq!((told.visits[0].bearing, told.visits[0].task.as_str()), (bearing, "a"));
}
