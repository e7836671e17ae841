use crate::Backend;
use geotrawl_model::change::{ChangeFilter, ChangeHead};
use geotrawl_model::store::Store;
use geotrawl_model::{FinishedItem, PageOutcome, Theme};
use geotrawl_testkit::builders::{TestCrawl, new_link, ok_outcome, service, test_time};

/// Returns changed ids after a sequence number, and whether they still exist.
fn changed(store: &dyn Store, after: i64) -> Vec<(String, bool)> {
    store.list_changes(after, 100).unwrap().into_iter().map(|one| (one.id, one.document.is_some())).collect()
}

fn id_of(store: &dyn Store, url: &str) -> String {
    store.explain(url).unwrap().resources[0].record.id.clone()
}

pub fn a_record_stands_at_its_latest_change<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    assert_eq!(store.last_change().unwrap(), 0);
    crawl.add_resource("http://m.example/wms", service("wms", "http://m.example/wms", &["a"]));
    crawl.add_resource("http://n.example/wms", service("wms", "http://n.example/wms", &["b"]));
    let (m, n) = (id_of(&*store, "http://m.example/wms"), id_of(&*store, "http://n.example/wms"));
    assert_eq!(changed(&*store, 0), [(m.clone(), true), (n.clone(), true)]);
    let seen = store.last_change().unwrap();
    crawl.add_resource("http://n.example/wms", service("wms", "http://n.example/wms", &["b"]));
    assert_eq!(changed(&*store, seen), [], "an invisible change was reported");
    crawl.add_resource("http://m.example/wms", service("wms", "http://m.example/wms", &["a", "c"]));
    assert_eq!(changed(&*store, seen), [(m.clone(), true)]);
    assert_eq!(changed(&*store, 0), [(n, true), (m.clone(), true)]);
    assert_eq!(store.find_record(&m).unwrap().unwrap().resource.datasets.len(), 2);
    assert!(store.find_record("nonsense").unwrap().is_none());
}

pub fn who_joins_or_leaves_a_group_is_told<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    let layers = ["a", "b", "c"];
    crawl.add_resource("http://b.m.example/wms", service("wms", "http://b.m.example/wms", &layers));
    let b = store.list_changes(0, 9).unwrap()[0].id.clone();
    let seen = store.last_change().unwrap();
    crawl.add_resource("http://a.m.example/wms", service("wms", "http://a.m.example/wms", &layers));
    let told = changed(&*store, seen);
    let a = told.iter().find(|(id, _)| *id != b).unwrap().0.clone();
    assert!(told.contains(&(a.clone(), true)) && told.contains(&(b.clone(), false)), "{told:?}");
    assert_eq!(store.totals().unwrap().records, 1);
    assert_eq!(store.find_record(&b).unwrap().unwrap().id, a, "the old id does not lead to the record");

    let seen = store.last_change().unwrap();
    crawl.add_resource(
        "http://a.m.example/wms",
        service("wms", "http://a.m.example/wms", &["a", "b", "c", "d"]),
    );
    let told = changed(&*store, seen);
    assert!(told.contains(&(a, true)) && told.contains(&(b, true)), "{told:?}");
    assert_eq!(store.totals().unwrap().records, 2);
}

pub fn documents_know_the_pages_that_revealed_them<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    crawl.add_links(&[new_link("http://p.example/")]);
    let page = crawl.pending_item("http://p.example/");
    let mut probe = new_link("http://m.example/wms");
    probe.intent = "ows:wms".parse().unwrap();
    probe.parent = Some(page.id);
    probe.words = "Rivers as a map".into();
    probe.depth = 1;
    let outcome = PageOutcome { title: Some("Waters of Nowhere".into()), ..ok_outcome() };
    crawl.commit(vec![FinishedItem {
        item: page,
        outcome,
        links: vec![probe],
        found: vec![],
        harvest: None,
    }]);
    let item = crawl.pending_item("http://m.example/wms");
    let found = vec![service("wms", "http://m.example/wms", &["a"])];
    crawl.commit(vec![FinishedItem { item, outcome: ok_outcome(), links: vec![], found, harvest: None }]);
    let change = store.list_changes(0, 9).unwrap().remove(0);
    let pages = change.document.unwrap().pages;
    assert_eq!(pages.len(), 1);
    assert_eq!((pages[0].title.as_str(), pages[0].words.as_str()), ("Waters of Nowhere", "Rivers as a map"));
}

pub fn the_catalogue_is_counted<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    let mut one = service("wms", "http://m.example/wms", &["a", "b"]);
    one.resource.software = Some("MapServer 8.0".into());
    one.resource.languages = vec!["de".into(), "en".into()];
    crawl.add_resource("http://m.example/wms", one);
    crawl.add_resource("http://m.example/wfs", service("wfs", "http://m.example/wfs", &["c"]));
    crawl.add_links(&[new_link("http://p.example/")]);
    let page = crawl.pending_item("http://p.example/");
    crawl.commit(vec![geotrawl_testkit::builders::finished_item(page, ok_outcome())]);
    let counted = store.statistics().unwrap();
    assert_eq!((counted.records, counted.datasets, counted.hosts, counted.pages), (2, 3, 1, 1));
    assert_eq!(counted.kinds, [("wfs".to_owned(), 1), ("wms".to_owned(), 1)].into());
    assert_eq!(counted.statuses, [("alive".to_owned(), 2)].into());
    assert_eq!(counted.software, [("MapServer".to_owned(), 1)].into());
    assert_eq!(counted.languages, [("de".to_owned(), 1), ("en".to_owned(), 1)].into());
    assert_eq!(counted.addresses["192.0.2.1"].len(), 2);
    assert_eq!(counted.levels.len(), 1);
    assert_eq!((counted.levels[0].pages, counted.levels[0].found), (1, 2));
    assert_eq!(counted.growth, [(test_time(1).to_string()[..10].to_owned(), 2)]);
}

fn dated(store: &dyn Store, filter: ChangeFilter) -> Vec<ChangeHead> {
    let heads = store.list_dated_changes(&filter, 100).unwrap();
    assert_eq!(store.count_dated_changes(&filter).unwrap(), heads.len() as u64, "{filter:?}");
    // Reading one at a time gives the same, in the same order.
    let (mut one_by_one, mut next) = (Vec::new(), filter);
    while let Some(head) = store.list_dated_changes(&next, 1).unwrap().pop() {
        next.after = head.seq;
        one_by_one.push(head);
    }
    assert_eq!(one_by_one, heads);
    heads
}

pub fn changes_are_dated_and_selected<B: Backend>() {
    let place = B::new();
    let store = place.open();
    assert_eq!(store.first_change_time().unwrap(), None);
    let mut crawl = TestCrawl::open(&*store, "a");
    let mut water = service("wms", "http://m.example/wms", &["a"]);
    let term = |term: &str| Theme { scheme: "iso".into(), term: term.into(), evidence: "x".into() };
    water.themes = vec![term("inland \"waters\""), term("oceans")];
    crawl.add_resource("http://m.example/wms", water);
    crawl.add_resource("http://n.example/wfs", service("wfs", "http://n.example/wfs", &["b"]));
    crawl.add_resource("http://o.example/wms", service("wms", "http://o.example/wms", &["c"]));
    let all = dated(&*store, ChangeFilter::default());
    assert_eq!(
        all.iter().map(|head| head.at).collect::<Vec<_>>(),
        [test_time(1), test_time(2), test_time(3)]
    );
    assert_eq!(store.first_change_time().unwrap(), Some(test_time(1)));
    assert_eq!(store.latest_change_of(&all[1].id).unwrap().as_ref(), Some(&all[1]));
    assert_eq!(store.latest_change_of("nonsense").unwrap(), None);
    let span =
        ChangeFilter { from: Some(test_time(2)), before: Some(test_time(3)), ..ChangeFilter::default() };
    assert_eq!(dated(&*store, span), all[1..2]);
    let bounded = ChangeFilter { after: all[0].seq, bound: Some(all[1].seq), ..ChangeFilter::default() };
    assert_eq!(dated(&*store, bounded), all[1..2]);
    let maps = ChangeFilter { kind: Some("wms".into()), ..ChangeFilter::default() };
    assert_eq!(dated(&*store, maps).len(), 2);
    let about = |term: &str| ChangeFilter { theme: Some(term.into()), ..ChangeFilter::default() };
    assert_eq!(dated(&*store, about("iso:inland \"waters\""))[0].themes.len(), 2);
    assert_eq!(dated(&*store, about("iso:ocean")), [], "the whole term, not its beginning");
    let abroad = ChangeFilter { country: Some("XX".into()), ..ChangeFilter::default() };
    assert_eq!(dated(&*store, abroad), [], "no place is known");
    // A change moves a record to the end, with a new time.
    crawl.add_resource("http://m.example/wms", service("wms", "http://m.example/wms", &["a", "d"]));
    let later = dated(&*store, ChangeFilter { from: Some(test_time(4)), ..ChangeFilter::default() });
    assert_eq!((later.len(), &later[0].id, later[0].at), (1, &all[0].id, test_time(4)));
    // If the clock is slightly behind, no change is dated before one already reported.
    crawl.second = 1;
    crawl.add_resource("http://p.example/wms", service("wms", "http://p.example/wms", &["e"]));
    assert_eq!(dated(&*store, ChangeFilter::default()).last().unwrap().at, test_time(4));
}

pub fn what_is_gone_is_told_with_its_time_and_kind<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    let layers = ["a", "b", "c"];
    crawl.add_resource("http://b.m.example/wms", service("wms", "http://b.m.example/wms", &layers));
    crawl.second = 9;
    crawl.add_resource("http://a.m.example/wms", service("wms", "http://a.m.example/wms", &layers));
    let heads = dated(&*store, ChangeFilter { kind: Some("wms".into()), ..ChangeFilter::default() });
    let gone: Vec<_> = heads.iter().filter(|head| head.gone).collect();
    assert_eq!((heads.len(), gone.len(), gone[0].at), (2, 1, test_time(10)));
}
