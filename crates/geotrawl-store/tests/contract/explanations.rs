use crate::Backend;
use geotrawl_model::{ChainLink, FinishedItem, NewLink, PageOutcome};
use geotrawl_testkit::builders::{TestCrawl, finished_item, new_link, ok_outcome, service};

const SEED: &str = "http://portal.example.org/";
const PAGE: &str = "http://portal.example.org/maps";
const WMS: &str = "http://geo.example.org/wms";

fn step(url: &str, way: &str, words: &str) -> ChainLink {
    ChainLink { url: url.into(), way: way.into(), words: words.into() }
}

/// Crawls a seed, a page, a redirect and the service.
fn crawl_through(crawl: &mut TestCrawl<'_>) {
    crawl.add_links(&[NewLink { way: "seed".into(), ..new_link(SEED) }]);
    let seed = crawl.pending_item(SEED);
    let page = NewLink { parent: Some(seed.id), depth: 1, words: "our maps".into(), ..new_link(PAGE) };
    crawl.commit(vec![FinishedItem { links: vec![page], ..finished_item(seed, ok_outcome()) }]);
    let page = crawl.pending_item(PAGE);
    let short =
        NewLink { parent: Some(page.id), depth: 2, way: "text".into(), ..new_link("http://s.example/w") };
    crawl.commit(vec![FinishedItem { links: vec![short], ..finished_item(page, ok_outcome()) }]);
    let short = crawl.pending_item("http://s.example/w");
    let outcome = PageOutcome { class: "redirect".into(), redirect_to: Some(WMS.into()), ..ok_outcome() };
    let target = NewLink {
        parent: Some(short.id),
        depth: 2,
        hops: 1,
        way: "redirect".into(),
        intent: "ows:wms".parse().unwrap(),
        key: format!("ows:wms {WMS}"),
        ..new_link(WMS)
    };
    crawl.commit(vec![FinishedItem { links: vec![target], ..finished_item(short, outcome) }]);
    let probe = crawl.pending_item(WMS);
    crawl.commit(vec![FinishedItem {
        found: vec![service("wms", WMS, &["a"])],
        ..finished_item(probe, ok_outcome())
    }]);
}

pub fn a_record_is_explained_by_url_id_and_alias<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    crawl_through(&mut crawl);
    let by_url = store.explain(WMS).unwrap();
    assert_eq!(by_url.resources.len(), 1);
    let explained = &by_url.resources[0];
    assert_eq!(explained.evidence.len(), 1);
    assert_eq!(explained.evidence[0].rule, "root element");
    for what in [
        explained.record.id.as_str(),
        "http://s.example/w",
        "HTTP://GEO.example.org:80/wms#top",
        "https://www.geo.example.org/wms",
        "geo.example.org/wms",
        "  http://geo.example.org/wms ",
    ] {
        let found = store.explain(what).unwrap();
        assert_eq!(found.resources.len(), 1, "{what}");
        assert_eq!(found.resources[0].record, explained.record, "{what}");
    }
}

pub fn a_chain_leads_from_the_seed<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    crawl_through(&mut crawl);
    let explained = store.explain(WMS).unwrap().resources.remove(0);
    assert_eq!(explained.chains.len(), explained.record.provenance.len());
    assert_eq!(
        explained.chains,
        [vec![
            step(SEED, "seed", ""),
            step(PAGE, "href", "our maps"),
            step("http://s.example/w", "text", ""),
            step(WMS, "redirect", ""),
        ]]
    );
}

pub fn redirects_on_the_way_are_not_the_page_that_showed_it<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    crawl_through(&mut crawl);
    let record = store.explain(WMS).unwrap().resources.remove(0).record;
    let way = &record.provenance[0];
    assert_eq!((way.task.as_str(), way.page.as_str(), way.way.as_str(), way.depth), ("a", PAGE, "text", 2));
    assert_eq!(record.aliases, ["http://s.example/w"]);
}

pub fn what_happened_to_a_url_is_told_per_task<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut one = TestCrawl::open(&*store, "one");
    crawl_through(&mut one);
    let two = TestCrawl::open(&*store, "two");
    two.add_links(&[NewLink { way: "seed".into(), ..new_link(PAGE) }]);
    let visits = store.explain(PAGE).unwrap().visits;
    assert_eq!(visits.len(), 2);
    assert_eq!((visits[0].task.as_str(), visits[0].state.as_str(), visits[0].depth), ("one", "ok", 1));
    assert!(visits[0].at.is_some());
    assert_eq!(visits[0].chain, [step(SEED, "seed", ""), step(PAGE, "href", "our maps")]);
    assert_eq!((visits[1].task.as_str(), visits[1].state.as_str()), ("two", "pending"));
    assert_eq!(visits[1].chain, [step(PAGE, "seed", "")]);
    assert_eq!(visits[1].at, None);
    let skipped =
        PageOutcome { class: "robots".into(), reason: "robots.txt forbids it".into(), ..ok_outcome() };
    let mut two = two;
    let item = two.pending_item(PAGE);
    two.commit(vec![finished_item(item, skipped)]);
    let visits = store.explain(PAGE).unwrap().visits;
    assert_eq!((visits[1].state.as_str(), visits[1].reason.as_str()), ("robots", "robots.txt forbids it"));
}

pub fn nothing_known_is_an_empty_explanation<B: Backend>() {
    let place = B::new();
    let store = place.open();
    for what in ["", "http://unknown.example/", "0123456789abcdef", "::::", "\0", "%"] {
        let explanation = store.explain(what).unwrap();
        assert!(explanation.resources.is_empty() && explanation.visits.is_empty(), "{what:?}");
    }
}
