use crate::Backend;
use geotrawl_model::{Contact, Dataset, FoundResource, Issue, RecordFilter, Status, TaskState};
use geotrawl_testkit::builders::{
    TestCrawl, all_records, matching_records, ok_outcome, service, task_spec, test_time,
};
use std::sync::Arc;

const WMS: &str = "http://maps.example.org/wms";

/// Starts another run of the same task.
fn next_run<'s>(crawl: &TestCrawl<'s>) -> TestCrawl<'s> {
    crawl.store.set_task_state(crawl.run, TaskState::Finished, test_time(crawl.second)).unwrap();
    let run = crawl.store.open_task(&task_spec("a"), test_time(crawl.second)).unwrap().run;
    TestCrawl { store: crawl.store, run, second: crawl.second + 100 }
}

pub fn a_find_becomes_a_record<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    let mut found = service("wms", WMS, &["roads", "rivers"]);
    found.resource.contact = Contact { email: Some("maps@example.org".into()), ..Contact::default() };
    found.resource.issues = vec![Issue::new("bbox-inverted", "A box was upside down")];
    found.resource.versions = vec!["1.3.0".into()];
    found.resource.datasets[0].crs = Arc::from(["EPSG:4326".into(), "EPSG:3857".into()]);
    found.resource.datasets[1].crs = found.resource.datasets[0].crs.clone();
    let committed = crawl.add_resource(WMS, found.clone());
    assert_eq!(committed.resources.len(), 1);
    let news = &committed.resources[0];
    assert!(news.born && news.first_in_run);
    let record = &news.record;
    assert_eq!(record.resource, found.resource);
    assert_eq!((record.status, record.host.name.as_str()), (Status::Alive, "maps.example.org"));
    assert_eq!(record.host.ip.as_deref(), Some("192.0.2.1"));
    assert_eq!(
        (record.first_seen, record.last_seen, record.last_ok),
        (test_time(1), test_time(1), Some(test_time(1)))
    );
    assert!(record.aliases.is_empty());
    assert!(!record.id.is_empty());
    assert_eq!(record.provenance.len(), 1);
    assert_eq!(record.provenance[0].task, "a");
    assert_eq!(all_records(&*store), vec![record.clone()]);
    assert_eq!(store.run_counters(crawl.run).unwrap().resources, 1);
    drop(store);
    assert_eq!(all_records(&*place.open()), vec![record.clone()], "it is still there after a restart");
}

pub fn finding_it_again_updates_and_never_duplicates<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    let found = service("wms", WMS, &["roads"]);
    let id = crawl.add_resource(WMS, found.clone()).resources[0].record.id.clone();
    assert!(crawl.add_resource(WMS, found.clone()).resources.is_empty(), "nothing new in the same run");

    let mut second = next_run(&crawl);
    let again = second.add_resource(WMS, found.clone());
    assert_eq!(again.resources.len(), 1);
    let news = &again.resources[0];
    assert!(!news.born && news.first_in_run);
    assert_eq!(news.record.id, id);
    assert_eq!(news.record.first_seen, test_time(1));
    assert!(news.record.last_seen > test_time(100));
    assert_eq!(news.record.provenance.len(), 1, "the same way is told once");

    let mut renamed = found;
    renamed.resource.title = Some("A new name".into());
    let mut third = next_run(&second);
    let changed = third.add_resource(WMS, renamed);
    assert_eq!(changed.resources[0].record.resource.title.as_deref(), Some("A new name"));
    assert_eq!(all_records(&*store).len(), 1);
    assert_eq!(store.run_counters(third.run).unwrap().resources, 1);
}

pub fn datasets_are_replaced_when_they_change<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    crawl.add_resource(WMS, service("wms", WMS, &["a", "b", "c"]));
    let mut second = next_run(&crawl);
    second.add_resource(WMS, service("wms", WMS, &["c", "d"]));
    let names: Vec<String> =
        all_records(&*store)[0].resource.datasets.iter().map(|d| d.name.clone()).collect();
    assert_eq!(names, ["c", "d"]);
    assert_eq!(all_records(&*store)[0].resource.dataset_count, 2);
}

pub fn a_failure_keeps_what_was_read_before<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    crawl.add_resource(WMS, service("wms", WMS, &["a", "b"]));
    let failed = FoundResource {
        status: Status::Dead,
        reason: "The server did not answer".into(),
        ..service("wms", WMS, &[])
    };
    let mut second = next_run(&crawl);
    let committed = second.add_resource(WMS, failed.clone());
    let record = &committed.resources[0].record;
    assert_eq!((record.status, record.reason.as_str()), (Status::Dead, "The server did not answer"));
    assert_eq!(record.resource.datasets.len(), 2);
    assert_eq!(record.last_ok, Some(test_time(1)));
    second.add_resource(WMS, service("wms", WMS, &["a"]));
    second.add_resource(WMS, failed);
    let record = all_records(&*store).remove(0);
    assert_eq!(record.status, Status::Alive, "within a run the better observation stands");
    assert_eq!(record.resource.datasets.len(), 1);
}

pub fn records_are_filtered_and_in_stable_order<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut one = TestCrawl::open(&*store, "one");
    let mut two = TestCrawl::open(&*store, "two");
    one.add_resource("http://z.example/wms", service("wms", "http://z.example/wms", &["z"]));
    one.add_resource("http://a.example/wms", service("wms", "http://a.example/wms", &["a"]));
    let restricted =
        FoundResource { status: Status::Restricted, ..service("wfs", "http://m.example/wfs", &[]) };
    two.add_resource("http://m.example/wfs", restricted);
    two.add_resource("http://a.example/wms", service("wms", "http://a.example/wms", &["a"]));
    let urls = |filter: &RecordFilter| -> Vec<String> {
        matching_records(&*store, filter).into_iter().map(|record| record.resource.url).collect()
    };
    let all = RecordFilter::default();
    assert_eq!(urls(&all), ["http://m.example/wfs", "http://a.example/wms", "http://z.example/wms"]);
    assert_eq!(
        urls(&RecordFilter { kinds: vec!["wfs".into(), "x".into()], ..all.clone() }),
        ["http://m.example/wfs"]
    );
    assert_eq!(urls(&RecordFilter { status: vec![Status::Alive], ..all.clone() }).len(), 2);
    assert_eq!(
        urls(&RecordFilter { task: Some("one".into()), ..all.clone() }),
        ["http://a.example/wms", "http://z.example/wms"]
    );
    assert_eq!(
        urls(&RecordFilter { task: Some("two".into()), status: vec![Status::Alive], ..all.clone() }),
        ["http://a.example/wms"]
    );
    assert!(urls(&RecordFilter { task: Some("nobody".into()), ..all }).is_empty());
}

pub fn a_visitor_can_stop<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    let found: Vec<_> = (0..250)
        .map(|n| service("wms", &format!("http://h{n}.example/wms"), &[&format!("layer{n}")]))
        .collect();
    crawl.add_resources("http://a.example/", found);
    assert_eq!(all_records(&*store).len(), 250, "all slices are read");
    let mut seen = 0;
    store
        .visit_records(&RecordFilter::default(), &mut |_| {
            seen += 1;
            seen < 3
        })
        .unwrap();
    assert_eq!(seen, 3);
}

pub fn a_large_resource_survives_the_round_trip<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    let mut found = service("wms", WMS, &[]);
    let codes: Arc<[Arc<str>]> = (0..200).map(|n| Arc::from(format!("EPSG:{n}"))).collect();
    found.resource.datasets = (0..3000)
        .map(|n| Dataset {
            name: format!("layer {n}"),
            abstract_: Some("é".repeat(n % 700)),
            crs: if n % 3 == 0 { Arc::default() } else { codes.clone() },
            time: vec!["2020-01-01/2021-01-01/P1D".into()],
            ..Dataset::default()
        })
        .collect();
    found.resource.dataset_count = 5000;
    crawl.add_resource(WMS, found.clone());
    let record = all_records(&*store).remove(0);
    assert_eq!(record.resource, found.resource);
    assert_eq!(ok_outcome().class, "ok");
}
