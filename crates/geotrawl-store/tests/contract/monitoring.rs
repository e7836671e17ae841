use crate::Backend;
use crate::checks::{
    check_dead, due_ids, hour, make_check, make_result, record_check, result_for, result_reading,
    take_options,
};
use geotrawl_model::host_report::HostOrder;
use geotrawl_model::monitoring::{CheckResult, DueCheckQuery, KEPT_CHECKS};
use geotrawl_model::notice::{NoticeFilter, NoticeKind};
use geotrawl_model::schedule::ScheduleLimits;
use geotrawl_model::standing::StatusTransition;
use geotrawl_model::store::Store;
use geotrawl_model::{FoundResource, Status, Theme};
use geotrawl_testkit::builders::{TestCrawl, all_records, service, test_time};
use jiff::SignedDuration;
use std::sync::Arc;

const WMS: &str = "http://m.example/wms";

/// Creates a store with one service that is scheduled for checks.
fn watched<B: Backend>(place: &B) -> (Arc<dyn Store>, String) {
    let store = place.open();
    TestCrawl::open(&*store, "a").add_resource(WMS, service("wms", WMS, &["a", "b"]));
    let id = all_records(&*store).remove(0).id;
    assert_eq!(store.enrol_records(hour(0), SignedDuration::from_secs(1)).unwrap(), 1);
    (store, id)
}

/// Creates a store with `each` services on each of `hosts` hosts.
fn many<B: Backend>(place: &B, hosts: usize, each: usize) -> Arc<dyn Store> {
    let store = place.open();
    let mut found = Vec::new();
    for host in 0..hosts {
        for n in 0..each {
            let url = format!("http://h{host}.example/{n}/wms");
            found.push(service("wms", &url, &[&format!("layer{host}x{n}")]));
        }
    }
    TestCrawl::open(&*store, "a").add_resources("http://a.example/", found);
    store
}

fn kinds(store: &dyn Store) -> Vec<NoticeKind> {
    let filter = NoticeFilter { after: Some(0), ..NoticeFilter::default() };
    store.list_notices(&filter, 1000).unwrap().into_iter().map(|one| one.kind).collect()
}

pub fn records_get_their_places_once_and_spread<B: Backend>() {
    let place = B::new();
    let store = many(&place, 20, 5);
    assert_eq!(store.enrol_records(hour(0), SignedDuration::from_hours(24)).unwrap(), 100);
    assert_eq!(store.enrol_records(hour(0), SignedDuration::from_hours(24)).unwrap(), 0);
    let overview = store.overview(hour(12)).unwrap();
    assert_eq!(overview.enrolled, 100);
    assert!((25..75).contains(&overview.due), "{} of 100 due after half the time", overview.due);
    assert_eq!(store.overview(hour(25)).unwrap().due, 100);
    assert!(store.next_due_time().unwrap().unwrap() < hour(3));
    TestCrawl::open(&*store, "b").add_resource(WMS, service("wms", WMS, &["new"]));
    assert_eq!(store.enrol_records(hour(1), SignedDuration::from_hours(1)).unwrap(), 1, "what came later");
    let watched =
        store.monitoring_state(&store.explain(WMS).unwrap().resources[0].record.id).unwrap().unwrap();
    assert_eq!(watched.standing.unwrap().status, Status::Alive, "it was found working");
    assert!(store.monitoring_state("nonsense").unwrap().is_none());
}

pub fn due_checks_are_leased_and_bounded_per_host<B: Backend>() {
    let place = B::new();
    let store = many(&place, 3, 4);
    store.enrol_records(hour(0), SignedDuration::from_secs(1)).unwrap();
    let first = store.take_due_checks(&take_options(hour(1), 100, 2), &|host| host == "h1.example").unwrap();
    assert_eq!(first.len(), 4, "two of each host but the one left out");
    assert!(first.iter().all(|one| one.record.host.name != "h1.example"));
    assert_eq!(first[0].record.resource.datasets.len(), 1);
    assert_eq!(first[0].pace.kind, "wms");
    let second = store.take_due_checks(&take_options(hour(1), 100, 9), &|_| false).unwrap();
    assert_eq!(second.len(), 8, "the rest");
    assert!(due_ids(&*store, hour(1)).is_empty(), "all are leased");
    let later = hour(1) + SignedDuration::from_mins(11);
    let ids: Vec<String> = second.iter().map(|one| one.id.clone()).collect();
    store.renew_check_leases(&ids, hour(3)).unwrap();
    assert_eq!(due_ids(&*store, later).len(), 4, "leases that ended, not those renewed");
    store.release_check_leases(&ids).unwrap();
    assert_eq!(due_ids(&*store, later).len(), 8, "leases were not released");
    assert!(
        store.take_due_checks(&take_options(hour(9), 5, 100), &|_| false).unwrap().len() == 5,
        "no more than asked for"
    );
}

pub fn a_host_has_its_checks_of_the_day<B: Backend>() {
    let place = B::new();
    let store = many(&place, 2, 10);
    store.enrol_records(hour(0), SignedDuration::from_secs(1)).unwrap();
    let wanted =
        |hours: i64, daily: u32| DueCheckQuery { per_host_day: daily, ..take_options(hour(hours), 100, 100) };
    let midnight = (0..48).find(|hours| hour(*hours).to_string().contains("T00:")).unwrap();
    let taken = store.take_due_checks(&wanted(1, 3), &|_| false).unwrap();
    assert_eq!(taken.len(), 6, "three of each host");
    assert!(
        store.take_due_checks(&wanted(2, 3), &|_| false).unwrap().is_empty(),
        "the daily budget was exceeded"
    );
    let rest = store.overview(hour(2)).unwrap();
    assert_eq!(rest.due, 20, "the ended leases and the rest still wait");
    let id = taken[0].id.clone();
    let other = store.list_hosts("", HostOrder::Records, 0, 10).unwrap().0;
    assert_eq!(other.len(), 2);
    store.request_check(&id, hour(3)).unwrap();
    let asked = store.take_due_checks(&wanted(3, 3), &|_| false).unwrap();
    assert_eq!((asked.len(), asked[0].asked), (1, true), "a requested check must ignore the budget");
    assert_eq!(store.take_due_checks(&wanted(midnight, 3), &|_| false).unwrap().len(), 6, "another day");
}

pub fn what_people_ask_for_comes_first<B: Backend>() {
    let place = B::new();
    let store = many(&place, 5, 1);
    store.enrol_records(hour(10), SignedDuration::from_secs(1)).unwrap();
    let id = all_records(&*store).remove(3).id;
    assert!(!store.request_check("nonsense", hour(1)).unwrap());
    assert!(store.request_check(&id, hour(1)).unwrap());
    assert!(store.monitoring_state(&id).unwrap().unwrap().asked.is_some());
    let asked = store.take_due_checks(&take_options(hour(1), 10, 1), &|_| false).unwrap();
    assert_eq!((asked.len(), asked[0].id.as_str(), asked[0].asked), (1, id.as_str(), true));
    // Requested again while a check is running: the running check does not count, the next one
    // does.
    store.request_check(&id, hour(2)).unwrap();
    record_check(&*store, make_result(&asked[0], Status::Alive, hour(1)));
    let again = store.take_due_checks(&take_options(hour(2), 10, 1), &|_| false).unwrap();
    assert_eq!(again[0].id, id);
    record_check(&*store, make_result(&again[0], Status::Alive, hour(2)));
    let watched = store.monitoring_state(&id).unwrap().unwrap();
    assert!(watched.asked.is_none() && watched.next > hour(2));
    // Not scheduled yet: the request schedules it.
    TestCrawl::open(&*store, "b").add_resource(WMS, service("wms", WMS, &["new"]));
    let new = store.explain(WMS).unwrap().resources[0].record.id.clone();
    assert!(store.request_check(&new, hour(3)).unwrap());
    assert_eq!(due_ids(&*store, hour(3)), [new]);
}

pub fn a_check_is_kept_with_its_evidence<B: Backend>() {
    let place = B::new();
    let (store, id) = watched(&place);
    let taken = store.take_due_checks(&take_options(hour(1), 1, 1), &|_| false).unwrap();
    let made = make_result(&taken[0], Status::Alive, hour(1));
    let recorded = record_check(&*store, made.clone());
    assert_eq!(
        (recorded.id.as_str(), recorded.turn, recorded.standing.status),
        (id.as_str(), None, Status::Alive)
    );
    assert!(recorded.next > hour(12) && recorded.next < hour(30), "{}", recorded.next);
    let latest = store.latest_check(&id).unwrap().unwrap();
    assert_eq!(latest.check, made.check);
    assert_eq!((latest.number, latest.history.checks, latest.history.available), (recorded.number, 1, 1));
    assert_eq!(latest.score, geotrawl_trust::score::score_check(&latest.check, &latest.history));
    assert_eq!(store.find_check(recorded.number).unwrap(), Some(latest));
    assert!(store.find_check(999).unwrap().is_none() && store.latest_check("nonsense").unwrap().is_none());
    let record = store.find_record(&id).unwrap().unwrap();
    assert_eq!(
        (record.checked, record.last_ok, record.status),
        (Some(hour(1)), Some(hour(1)), Status::Alive)
    );
    assert!(record.reason.contains("answer as they should"), "{}", record.reason);
    let nothing = store.record_checks(
        &[result_for("nonsense", WMS, Status::Dead, hour(2))],
        &ScheduleLimits::default(),
        hour(2),
    );
    assert!(nothing.unwrap().is_empty(), "a result for a missing record must be skipped");
    drop(store);
    assert!(place.open().latest_check(&id).unwrap().is_some(), "after a restart");
}

pub fn old_evidence_goes_and_turns_stay<B: Backend>() {
    let place = B::new();
    let (store, id) = watched(&place);
    for n in 0..40_i64 {
        let verdict = if n == 5 { Status::Degraded } else { Status::Alive };
        record_check(&*store, result_for(&id, WMS, verdict, hour(n * 24)));
    }
    let list = store.list_checks(&id, None, 100).unwrap();
    let kept = list.iter().filter(|one| one.kept).count();
    // The turn, the check after it, and the latest ones.
    assert_eq!(kept, KEPT_CHECKS + 2);
    assert!(list.len() <= KEPT_CHECKS + 4);
    assert_eq!(list.iter().filter(|one| one.verdict == Status::Degraded).count(), 1);
    assert!(list.iter().filter(|one| one.kept).all(|one| store.find_check(one.number).unwrap().is_some()));
    assert!(list.is_sorted_by_key(|one| std::cmp::Reverse(one.number)));
    let page = store.list_checks(&id, Some(list[2].number), 3).unwrap();
    assert_eq!(page, list[3..6]);
    let uptime = store.uptime(&id, hour(39 * 24)).unwrap();
    assert_eq!((uptime.windows["30d"].checks, uptime.windows["1y"].checks, uptime.days.len()), (30, 40, 40));
    assert_eq!(store.latest_check(&id).unwrap().unwrap().history.checks, 30);
}

pub fn death_and_rebirth_are_told_and_the_record_stays_one<B: Backend>() {
    let place = B::new();
    let (store, id) = watched(&place);
    record_check(&*store, result_for(&id, WMS, Status::Alive, hour(1)));
    let seen = store.last_change().unwrap();
    let first = record_check(&*store, result_for(&id, WMS, Status::Dead, hour(24)));
    assert_eq!(
        (first.standing.status, first.turn),
        (Status::Degraded, None),
        "one failed check must not mean dead"
    );
    record_check(&*store, result_for(&id, WMS, Status::Dead, hour(25)));
    let dead = record_check(&*store, result_for(&id, WMS, Status::Dead, hour(48)));
    assert_eq!(dead.turn, Some(StatusTransition::Died));
    let record = store.find_record(&id).unwrap().unwrap();
    assert_eq!((record.status, record.last_ok), (Status::Dead, Some(hour(1))));
    assert!(record.reason.contains("3 checks in a row since"), "{}", record.reason);
    assert!(store.list_changes(seen, 10).unwrap().iter().any(|change| change.id == id), "the index follows");
    assert_eq!(store.statistics().unwrap().statuses["dead"], 1);

    // A crawl finds it working: the status waits for its checks, which are scheduled early.
    store.take_due_checks(&take_options(hour(60), 9, 9), &|_| false).unwrap();
    store.release_check_leases(std::slice::from_ref(&id)).unwrap();
    let mut crawl = TestCrawl::open(&*store, "b");
    crawl.second = 80 * 3600;
    crawl.add_resource(WMS, service("wms", WMS, &["a", "b"]));
    assert_eq!(store.find_record(&id).unwrap().unwrap().status, Status::Dead);
    assert_eq!(due_ids(&*store, hour(81)), std::slice::from_ref(&id));
    let again = record_check(&*store, result_for(&id, WMS, Status::Alive, hour(81)));
    assert_eq!((again.standing.status, again.turn), (Status::Dead, None));
    assert!(again.next < hour(83), "to be sure");
    let reborn = record_check(&*store, result_for(&id, WMS, Status::Alive, hour(82)));
    assert_eq!((reborn.standing.status, reborn.turn), (Status::Alive, Some(StatusTransition::Reborn)));
    let all = all_records(&*store);
    assert_eq!((all.len(), all[0].id.as_str(), all[0].status), (1, id.as_str(), Status::Alive));
    use NoticeKind::{Born, Degraded, Died, Reborn};
    assert_eq!(kinds(&*store), [Born, Degraded, Died, Reborn]);
    let outages = store.uptime(&id, hour(82)).unwrap().outages;
    assert_eq!((outages.len(), outages[0].began, outages[0].ended), (1, hour(24), Some(hour(81))));
}

pub fn availability_and_percentiles_are_summed<B: Backend>() {
    let place = B::new();
    let (store, id) = watched(&place);
    let mut results = Vec::new();
    for n in 0..100_i64 {
        let verdict = if n % 10 == 0 { Status::Dead } else { Status::Alive };
        let check = make_check(WMS, verdict, hour(n * 6), 100 + n as u32 * 10);
        results.push(CheckResult { id: id.clone(), check, resource: None, themes: None });
    }
    results.push(result_for(&id, WMS, Status::Blocked, hour(595)));
    store.record_checks(&results, &ScheduleLimits::default(), hour(595)).unwrap();
    let uptime = store.uptime(&id, hour(595)).unwrap();
    let year = &uptime.windows["1y"];
    assert_eq!(
        (year.checks, year.available, year.share),
        (100, 90, Some(0.9)),
        "blocked checks must not count"
    );
    let near = |got: Option<u32>, wanted: f64| (f64::from(got.unwrap()) / wanted - 1.0).abs() < 0.06;
    assert!(near(year.p50, 600.0) && near(year.p95, 1045.0) && near(year.p99, 1080.0), "{year:?}");
    assert_eq!(uptime.windows["24h"].checks, 4);
    assert_eq!(store.uptime("nonsense", hour(1)).unwrap(), geotrawl_model::uptime::Uptime::default());
    let overview = store.overview(hour(595)).unwrap();
    assert_eq!((overview.checks_24h, overview.latency.is_some()), (5, true));
}

pub fn what_a_check_reads_replaces_the_description<B: Backend>() {
    let place = B::new();
    let (store, id) = watched(&place);
    let mut found = service("wms", WMS, &["a", "b"]).resource;
    let same = record_check(&*store, result_reading(&id, &found, hour(1)));
    assert_eq!((same.changes.len(), kinds(&*store).len()), (0, 1), "nothing changed");
    found.title = Some("A new title".into());
    found.datasets.push(geotrawl_testkit::builders::dataset("c"));
    found.datasets.remove(0);
    let themes = vec![Theme { scheme: "land-cover".into(), term: "water".into(), evidence: "title".into() }];
    let seen = store.last_change().unwrap();
    let changed = record_check(
        &*store,
        CheckResult { themes: Some(themes.clone()), ..result_reading(&id, &found, hour(25)) },
    );
    let paths: Vec<&str> = changed.changes.iter().map(|one| one.path.as_str()).collect();
    assert_eq!(paths, ["title", "datasets"]);
    assert_eq!(changed.changes[1].was.as_deref(), Some("a"));
    assert_eq!(changed.changes[1].now.as_deref(), Some("c"));
    let record = store.find_record(&id).unwrap().unwrap();
    assert_eq!((record.resource, record.themes), (found.clone(), themes));
    assert_eq!(store.list_changes(seen, 9).unwrap().len(), 1);
    assert_eq!(store.statistics().unwrap().themes, [("land-cover:water".to_owned(), 1)].into());
    let told = store.metadata_changes(&id, 10).unwrap();
    assert_eq!((told.len(), told[0].at, &told[0].changes), (1, hour(25), &changed.changes));
    assert_eq!(kinds(&*store), [NoticeKind::Born, NoticeKind::Changed]);
    // A failed check keeps the description.
    record_check(&*store, result_for(&id, WMS, Status::Dead, hour(26)));
    assert_eq!(store.find_record(&id).unwrap().unwrap().resource, found);
    assert_eq!(
        store.take_due_checks(&take_options(hour(999), 9, 9), &|_| false).unwrap()[0].pace.changes,
        0,
        "30 days ago"
    );
}

pub fn doors_of_one_service_are_checked_once<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    let layers = ["a", "b", "c"];
    let old = "http://b.m.example/wms";
    crawl.add_resource(old, service("wms", old, &layers));
    let first = all_records(&*store).remove(0).id;
    store.enrol_records(hour(0), SignedDuration::from_secs(1)).unwrap();
    record_check(&*store, result_for(&first, old, Status::Alive, hour(1)));
    // A preferred alias of the same service is checked from now on and takes over the history.
    let better = "http://a.m.example/wms";
    crawl.add_resource(better, service("wms", better, &layers));
    store.enrol_records(hour(2), SignedDuration::from_secs(1)).unwrap();
    let taken = store.take_due_checks(&take_options(hour(90), 9, 9), &|_| false).unwrap();
    let urls: Vec<&str> = taken.iter().map(|one| one.record.resource.url.as_str()).collect();
    assert_eq!(urls, [better]);
    assert_eq!(store.list_checks(&first, None, 9).unwrap().len(), 1, "by the old id, too");
    assert_eq!(store.list_checks(&taken[0].id, None, 9).unwrap().len(), 1);
    // The description changes, and the other alias stays with the record.
    let more = service("wms", better, &["a", "b", "c", "d"]).resource;
    record_check(&*store, result_reading(&taken[0].id, &more, hour(90)));
    let all = all_records(&*store);
    assert_eq!(all.len(), 1);
    assert_eq!((all[0].resource.datasets.len(), all[0].aliases.as_slice()), (4, &[old.to_owned()][..]));
}

pub fn the_address_of_a_host_is_kept_current<B: Backend>() {
    let place = B::new();
    let (store, id) = watched(&place);
    let mut moved = result_for(&id, WMS, Status::Alive, hour(1));
    for seen in &mut moved.check.observations {
        seen.answer.as_mut().unwrap().ip = Some("198.51.100.7".into());
    }
    record_check(&*store, moved.clone());
    assert_eq!(store.find_record(&id).unwrap().unwrap().host.ip.as_deref(), Some("198.51.100.7"));
    assert!(store.statistics().unwrap().addresses.contains_key("198.51.100.7"));
    moved.check.at = hour(2);
    moved.check.cause = "moved".into();
    for seen in &mut moved.check.observations {
        let answer = seen.answer.as_mut().unwrap();
        (answer.url, answer.ip) = ("https://new.example/wms".into(), Some("203.0.113.9".into()));
    }
    record_check(&*store, moved);
    let record = store.find_record(&id).unwrap().unwrap();
    assert_eq!(record.host.ip.as_deref(), Some("198.51.100.7"), "the address of another host was stored");
    assert_eq!(record.moved_to.unwrap().url, "https://new.example/wms");
    assert_eq!(kinds(&*store).last(), Some(&NoticeKind::Moved));
}

pub fn news_are_filtered_both_ways<B: Backend>() {
    let place = B::new();
    let store = many(&place, 3, 2);
    store.enrol_records(hour(0), SignedDuration::from_secs(1)).unwrap();
    for record in all_records(&*store).iter().filter(|one| one.host.name == "h1.example") {
        check_dead(&*store, &record.id, &record.resource.url, 1);
    }
    let all = |filter: NoticeFilter| store.list_notices(&filter, 100).unwrap();
    let newest = all(NoticeFilter::default());
    assert_eq!(newest.len(), 6 + 4);
    assert!(newest.is_sorted_by_key(|one| std::cmp::Reverse(one.seq)));
    let died = all(NoticeFilter { kinds: vec![NoticeKind::Died], ..NoticeFilter::default() });
    assert_eq!(died.len(), 2);
    assert_eq!((died[0].host.as_str(), died[0].record_kind.as_str()), ("h1.example", "wms"));
    let two = vec![NoticeKind::Died, NoticeKind::Degraded];
    assert_eq!(all(NoticeFilter { kinds: two, ..NoticeFilter::default() }).len(), 4);
    assert_eq!(all(NoticeFilter { host: Some("h1.example".into()), ..NoticeFilter::default() }).len(), 6);
    assert_eq!(all(NoticeFilter { record: Some(died[0].id.clone()), ..NoticeFilter::default() }).len(), 3);
    let after = all(NoticeFilter { after: Some(newest[3].seq), ..NoticeFilter::default() });
    assert_eq!(
        after.iter().map(|one| one.seq).collect::<Vec<_>>(),
        [newest[2].seq, newest[1].seq, newest[0].seq]
    );
    assert_eq!(all(NoticeFilter { before: Some(newest[3].seq), ..NoticeFilter::default() }).len(), 6);
}

pub fn hosts_are_reported<B: Backend>() {
    let place = B::new();
    let store = many(&place, 3, 2);
    store.enrol_records(hour(0), SignedDuration::from_secs(1)).unwrap();
    let record = all_records(&*store).into_iter().find(|one| one.host.name == "h2.example").unwrap();
    check_dead(&*store, &record.id, &record.resource.url, 1);
    let report = store.host_report("h2.example", hour(30)).unwrap().unwrap();
    assert_eq!((report.records, report.datasets, report.statuses["dead"]), (2, 2, 1));
    assert_eq!(
        (report.services[0].id.as_str(), report.services[0].status),
        (record.id.as_str(), Status::Dead)
    );
    assert_eq!((report.outages.len(), report.uptime_30d), (1, Some(0.0)));
    assert!(store.host_report("nowhere.example", hour(1)).unwrap().is_none());
    let (hosts, total) = store.list_hosts("", HostOrder::Dead, 0, 2).unwrap();
    assert_eq!((hosts[0].host.as_str(), hosts[0].dead, hosts.len(), total), ("h2.example", 1, 2, 3));
    assert_eq!(
        store.list_hosts("H1_", HostOrder::Records, 0, 9).unwrap().1,
        0,
        "special characters must not act as patterns"
    );
    assert_eq!(store.list_hosts("H1", HostOrder::Score, 0, 9).unwrap().0[0].host, "h1.example");
    let overview = store.overview(hour(30)).unwrap();
    assert_eq!((overview.hosts.len(), overview.hosts[0].dead), (1, 1));
    assert_eq!((overview.statuses["alive"], overview.statuses["dead"]), (5, 1));
    assert_eq!(store.statistics().unwrap().by_host.len(), 3);
}

pub fn themes_of_finds_are_kept_and_counted<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let theme =
        |term: &str| Theme { scheme: "inspire".into(), term: term.into(), evidence: "title: x".into() };
    let mut crawl = TestCrawl::open(&*store, "a");
    let found = FoundResource { themes: vec![theme("hy"), theme("lc")], ..service("wms", WMS, &["a"]) };
    crawl.add_resource(WMS, found);
    let record = all_records(&*store).remove(0);
    assert_eq!(record.themes, [theme("hy"), theme("lc")]);
    assert_eq!(store.find_record_head(&record.id).unwrap().unwrap().themes.len(), 2);
    let counted = store.statistics().unwrap().themes;
    assert_eq!(counted, [("inspire:hy".to_owned(), 1), ("inspire:lc".to_owned(), 1)].into());
    let mut crawl = TestCrawl::open(&*store, "b");
    crawl.add_resource(WMS, FoundResource { themes: vec![theme("lu")], ..service("wms", WMS, &["a"]) });
    assert_eq!(all_records(&*store).remove(0).themes, [theme("lu")]);
    assert!(test_time(0) < hour(1));
}
