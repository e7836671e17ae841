use crate::Backend;
use geotrawl_model::{RunCounters, TaskState};
use geotrawl_testkit::builders::{TestCrawl, finished_item, new_link, ok_outcome, task_spec, test_time};

pub fn an_unknown_task_is_created_and_an_unfinished_one_continued<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let first = store.open_task(&task_spec("a"), test_time(0)).unwrap();
    assert!(!first.resumed);
    assert_eq!(first.counters, RunCounters::default());
    assert_eq!(store.add_links(first.run, &[new_link("http://a.example/1")]).unwrap().new, 1);
    store.set_task_state(first.run, TaskState::Paused, test_time(1)).unwrap();
    drop(store);

    let store = place.open();
    let mut changed = task_spec("a");
    changed.options = serde_json::json!({ "depth": 9 });
    let again = store.open_task(&changed, test_time(2)).unwrap();
    assert!(again.resumed);
    assert_eq!(again.run, first.run);
    assert_eq!(again.spec, task_spec("a"), "the run was started with this");
    assert_eq!((again.counters.known, again.counters.pending), (1, 1));
    assert_eq!(store.add_links(again.run, &[new_link("http://a.example/1")]).unwrap().known, 1);
}

pub fn a_finished_task_starts_a_new_run_with_a_fresh_frontier<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    let links: Vec<_> = (0..200).map(|n| new_link(&format!("http://a.example/{n}"))).collect();
    crawl.add_links(&links);
    let item = crawl.pending_item("http://a.example/0");
    crawl.commit(vec![finished_item(item, ok_outcome())]);
    let first = crawl.run;
    store.set_task_state(first, TaskState::Finished, test_time(1)).unwrap();

    let second = store.open_task(&task_spec("a"), test_time(2)).unwrap();
    assert!(!second.resumed);
    assert_ne!(second.run, first);
    assert_eq!(second.counters, RunCounters::default());
    assert!(store.hosts_with_work(second.run, 10, &|_| false).unwrap().is_empty());
    assert_eq!(store.add_links(second.run, &links).unwrap().new, 200);
    let old = store.run_counters(first).unwrap();
    assert_eq!((old.pages, old.known, old.pending), (1, 200, 0), "what was left is dropped, the totals stay");
}

pub fn tasks_do_not_see_each_other<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let (one, two) = (TestCrawl::open(&*store, "one"), TestCrawl::open(&*store, "two"));
    assert_ne!(one.run, two.run);
    assert_eq!(one.add_links(&[new_link("http://a.example/1")]), 1);
    assert_eq!(two.add_links(&[new_link("http://a.example/1"), new_link("http://a.example/2")]), 2);
    assert_eq!(one.pending_on_host("http://a.example/").len(), 1);
    assert_eq!(two.pending_on_host("http://a.example/").len(), 2);
    store.set_task_state(one.run, TaskState::Finished, test_time(1)).unwrap();
    assert_eq!(two.add_links(&[new_link("http://a.example/2")]), 0, "the other task still knows its URLs");
}

pub fn an_unknown_run_is_an_error<B: Backend>() {
    let place = B::new();
    let store = place.open();
    assert!(store.add_links(77, &[new_link("http://a.example/1")]).is_err());
    assert!(store.run_counters(77).is_err());
    assert!(store.set_task_state(77, TaskState::Paused, test_time(0)).is_err());
}
