use crate::open;
use geotrawl_model::store::{ChangeStore, CrawlStore, JobStore};
use geotrawl_model::{CrawlBatch, FinishedItem};
use geotrawl_testkit::builders::{
    TestCrawl, all_records, finished_item, new_link, ok_outcome, service, task_spec, test_time,
};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Number of services that every process finds, in a different order each. Prime, so that every
/// stride visits all.
const SERVICES: usize = 11;
const PROCESSES: usize = 4;

/// Runs one process: a separate task and separate hosts, but the same finds as the others.
fn find_all(url: &str, nth: usize) {
    let store = open(url);
    let run = store.open_task(&task_spec(&format!("task {nth}")), test_time(0)).unwrap().run;
    for step in 0..SERVICES {
        let which = (step * (nth + 1) + nth) % SERVICES;
        let page = format!("http://p{nth}-{step}.example/");
        store.add_links(run, &[new_link(&page)]).unwrap();
        let host = store.hosts_with_work(run, 1, &|_| false).unwrap().remove(0).host;
        let item = store.pending_entries(run, host, 1, &|_| false).unwrap().remove(0);
        let found = vec![service("wms", &format!("http://maps{which}.example/wms"), &["roads"])];
        let outcome = ok_outcome();
        let batch = CrawlBatch {
            run,
            done: vec![FinishedItem { found, outcome, ..finished_item(item, ok_outcome()) }],
            robots: vec![],
            now: test_time(step as i64),
        };
        assert_eq!(store.commit(&batch).unwrap().ignored, 0);
    }
}

#[test]
fn many_processes_make_one_catalogue_and_followers_miss_nothing() {
    let Some(database) = crate::database() else { return };
    let reader = open(&database.url);
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let follower = scope.spawn(|| {
            let (mut seen, mut events, mut changes) = (0, Vec::new(), BTreeSet::new());
            let (mut event, mut change) = (0, 0);
            loop {
                let last = over.load(Ordering::Acquire);
                for one in reader.list_events(event, None, 10_000).unwrap() {
                    event = one.seq;
                    events.push(one);
                }
                for one in reader.list_changes(change, 10_000).unwrap() {
                    change = one.seq;
                    changes.insert(one.id);
                }
                if last {
                    return (events, changes);
                }
                seen = reader.wait_for_writes(seen, Duration::from_secs(5));
            }
        });
        let all: Vec<_> = (0..PROCESSES)
            .map(|nth| {
                scope.spawn({
                    let url = &database.url;
                    move || find_all(url, nth)
                })
            })
            .collect();
        let ended: Vec<_> = all.into_iter().map(std::thread::ScopedJoinHandle::join).collect();
        // Must be set in any case, otherwise the follower never ends.
        over.store(true, Ordering::Release);
        for one in ended {
            one.unwrap();
        }
        let (events, changes) = follower.join().unwrap();
        let born = events.iter().filter(|event| event.kind == "resource-born").count();
        let finds = events.iter().filter(|event| event.kind == "find").count();
        assert_eq!(
            (born, finds),
            (SERVICES, SERVICES * PROCESSES),
            "a service was not born exactly once or not found by all"
        );
        assert!(events.windows(2).all(|pair| pair[0].seq < pair[1].seq));
        assert_eq!(
            events.len(),
            reader.list_events(0, None, 100_000).unwrap().len(),
            "the follower missed events"
        );
        assert_eq!(changes.len(), SERVICES);
    });
    let all = all_records(&reader);
    assert_eq!(all.len(), SERVICES);
    assert!(all.iter().all(|record| record.provenance.len() == PROCESSES));
    let counted = reader.statistics().unwrap();
    assert_eq!((counted.records, counted.pages), (SERVICES as u64, (SERVICES * PROCESSES) as u64));
}

#[test]
fn a_task_opened_by_many_at_once_has_one_run() {
    let Some(database) = crate::database() else { return };
    let runs: BTreeSet<i64> = std::thread::scope(|scope| {
        let open_it = || open(&database.url).open_task(&task_spec("together"), test_time(0)).unwrap().run;
        let all: Vec<_> = (0..PROCESSES).map(|_| scope.spawn(open_it)).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(runs.len(), 1);
    let store = open(&database.url);
    let open_runs = store.open_runs().unwrap();
    assert_eq!(open_runs.iter().map(|task| task.run).collect::<BTreeSet<_>>(), runs);
    // Exactly one of several processes ends the run.
    let run = open_runs[0].run;
    let ended = std::thread::scope(|scope| {
        let end =
            || open(&database.url).end_run(run, geotrawl_model::TaskState::Finished, test_time(1)).unwrap();
        let all: Vec<_> = (0..PROCESSES).map(|_| scope.spawn(end)).collect();
        all.into_iter().map(|one| one.join().unwrap()).filter(|ended| *ended).count()
    });
    assert_eq!(ended, 1);
    assert!(!store.run_is_open(run).unwrap());
}

#[test]
fn whoever_waits_for_news_is_woken() {
    let Some(database) = crate::database() else { return };
    let (reader, writer) = (open(&database.url), open(&database.url));
    // The first call starts listening, which itself counts as a notification.
    let seen = reader.wait_for_writes(0, Duration::from_mins(1));
    assert!(seen > 0);
    let mut crawl = TestCrawl::open(&writer, "a");
    let after_task = reader.wait_for_writes(seen, Duration::from_mins(1));
    assert!(after_task > seen, "opening a task was not noticed");
    crawl.add_resource("http://a.example/wms", service("wms", "http://a.example/wms", &["x"]));
    assert!(
        reader.wait_for_writes(after_task, Duration::from_mins(1)) > after_task,
        "a find was not noticed"
    );
    assert_eq!(reader.list_changes(0, 10).unwrap().len(), 1);
}
