use crate::Backend;
use crate::checks::{check_dead, due_ids, hour, record_check, result_for};
use geotrawl_model::Status;
use geotrawl_model::notice::{NoticeFilter, NoticeKind};
use geotrawl_model::store::Store;
use geotrawl_model::successor::{ServiceLikeness, SuccessorState};
use geotrawl_testkit::builders::{TestCrawl, all_records, service};
use geotrawl_trust::successor::PROPOSE;
use jiff::SignedDuration;
use std::sync::Arc;

const OLD: &str = "http://old.example/wms";
const NEW: &str = "http://new.example/geo/wms";

fn id_of(store: &dyn Store, url: &str) -> String {
    store.explain(url).unwrap().resources[0].record.id.clone()
}

/// Creates a dead service and another that may be its successor.
fn moved<B: Backend>(place: &B) -> (Arc<dyn Store>, String, String) {
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    crawl.add_resource(OLD, service("wms", OLD, &["rivers", "lakes", "roads"]));
    store.enrol_records(hour(0), SignedDuration::from_secs(1)).unwrap();
    let old = id_of(&*store, OLD);
    check_dead(&*store, &old, OLD, 1);
    crawl.add_resource(NEW, service("wms", NEW, &["rivers", "lakes", "roads", "more"]));
    store.enrol_records(hour(30), SignedDuration::from_secs(1)).unwrap();
    let new = id_of(&*store, NEW);
    (store, old, new)
}

fn like(confidence: f64) -> ServiceLikeness {
    ServiceLikeness { confidence, evidence: vec!["3 of 3 layers have the same names".into()] }
}

pub fn a_successor_is_proposed_and_shown<B: Backend>() {
    let place = B::new();
    let (store, old, new) = moved(&place);
    // It may have been proposed when it was found, depending on likeness.
    store.propose_successor(&old, &new, &like(0.93), hour(31)).unwrap();
    assert!(!store.propose_successor(&old, &new, &like(0.91), hour(32)).unwrap(), "known");
    assert!(!store.propose_successor(&old, &old, &like(0.91), hour(32)).unwrap());
    assert!(!store.propose_successor("nonsense", &new, &like(0.91), hour(32)).unwrap());
    let found = store.list_successors(&old).unwrap();
    assert_eq!(
        (found.len(), found[0].id.as_str(), found[0].state),
        (1, new.as_str(), SuccessorState::Proposed)
    );
    assert!((found[0].confidence - 0.91).abs() < 1e-9);
    let record = store.find_record(&old).unwrap().unwrap();
    assert_eq!(record.moved_to.unwrap().id, Some(new.clone()));
    let filter = NoticeFilter { kinds: vec![NoticeKind::Moved], ..NoticeFilter::default() };
    let news = store.list_notices(&filter, 9).unwrap();
    assert_eq!(
        (news.len(), news[0].id.as_str(), news[0].body["id"].as_str()),
        (1, old.as_str(), Some(new.as_str()))
    );
    assert!(store.decide_successor(&old, &new, false, hour(33)).unwrap());
    assert!(store.find_record(&old).unwrap().unwrap().moved_to.is_none(), "a rejected successor was shown");
    store.propose_successor(&old, &new, &like(0.99), hour(34)).unwrap();
    assert_eq!(store.list_successors(&old).unwrap()[0].state, SuccessorState::Rejected, "and that stays");
    assert!(!store.decide_successor(&new, &old, true, hour(35)).unwrap(), "never proposed");
}

pub fn merging_keeps_the_history<B: Backend>() {
    let place = B::new();
    let (store, old, new) = moved(&place);
    record_check(&*store, result_for(&new, NEW, Status::Alive, hour(31)));
    store.propose_successor(&old, &new, &like(0.95), hour(32)).unwrap();
    let seen = store.last_change().unwrap();
    assert!(store.decide_successor(&old, &new, true, hour(33)).unwrap());
    let all = all_records(&*store);
    assert_eq!(all.len(), 1);
    assert_eq!((all[0].id.as_str(), all[0].status), (new.as_str(), Status::Alive));
    assert!(all[0].aliases.contains(&OLD.to_owned()), "{:?}", all[0].aliases);
    assert_eq!(all[0].moved_from, [OLD]);
    assert_eq!(all[0].provenance.len(), 2);
    assert_eq!(store.find_record(&old).unwrap().unwrap().id, new, "its id leads on");
    assert_eq!(id_of(&*store, OLD), new, "its address, too");
    assert_eq!(store.list_checks(&new, None, 99).unwrap().len(), 4);
    assert_eq!(store.list_checks(&old, None, 99).unwrap().len(), 4);
    let uptime = store.uptime(&new, hour(40)).unwrap();
    assert_eq!((uptime.outages.len(), uptime.windows["30d"].share), (1, Some(1.0)), "its own availability");
    let told: Vec<(String, bool)> = store
        .list_changes(seen, 9)
        .unwrap()
        .into_iter()
        .map(|one| (one.id, one.document.is_some()))
        .collect();
    assert!(told.contains(&(old.clone(), false)) && told.contains(&(new.clone(), true)), "{told:?}");
    assert_eq!(store.totals().unwrap().records, 1);
    assert_eq!(due_ids(&*store, hour(999)), std::slice::from_ref(&new), "a merged record was still checked");
    assert!(!store.merge_records(&old, &new, hour(34)).unwrap(), "they are one");
    assert_eq!(store.list_successors(&old).unwrap()[0].state, SuccessorState::Accepted);

    // The old record is found working at its own address: the merge is undone.
    let mut crawl = TestCrawl::open(&*store, "b");
    crawl.second = 50 * 3600;
    crawl.add_resource(OLD, service("wms", OLD, &["rivers", "lakes", "roads"]));
    let mut ids: Vec<String> = all_records(&*store).into_iter().map(|one| one.id).collect();
    ids.sort();
    let mut both = vec![old, new];
    both.sort();
    assert_eq!(ids, both);
}

/// Distinctive layer names, as another server software writes them.
const TELLING: [&str; 5] = ["flurstuecke", "hangneigung", "baumkataster", "radwegenetz", "altlasten"];
const RENAMED: [&str; 5] =
    ["kreis:flurstuecke", "kreis:hangneigung", "kreis:baumkataster", "kreis:radwegenetz", "kreis:altlasten"];

pub fn a_successor_is_found_by_its_likeness_whoever_came_first<B: Backend>() {
    for dies_first in [true, false] {
        let place = B::new();
        let store = place.open();
        let mut crawl = TestCrawl::open(&*store, "a");
        crawl.add_resource(OLD, service("wms", OLD, &TELLING));
        crawl.add_resource("http://far.example/wms", service("wms", "http://far.example/wms", &["rivers"]));
        store.enrol_records(hour(0), SignedDuration::from_secs(1)).unwrap();
        let old = id_of(&*store, OLD);
        if dies_first {
            check_dead(&*store, &old, OLD, 1);
            assert!(store.list_successors(&old).unwrap().is_empty());
        }
        crawl.add_resource(NEW, service("wms", NEW, &RENAMED));
        let new = id_of(&*store, NEW);
        if !dies_first {
            assert!(store.list_successors(&old).unwrap().is_empty(), "both live");
            check_dead(&*store, &old, OLD, 1);
        }
        let found = store.list_successors(&old).unwrap();
        assert_eq!(found.len(), 1, "{found:#?}");
        assert_eq!((found[0].id.as_str(), found[0].state), (new.as_str(), SuccessorState::Proposed));
        assert!(found[0].confidence >= PROPOSE && !found[0].evidence.is_empty(), "{found:#?}");
        assert_eq!(store.find_record(&old).unwrap().unwrap().moved_to.unwrap().id, Some(new));
        let filter = NoticeFilter { kinds: vec![NoticeKind::Moved], ..NoticeFilter::default() };
        assert_eq!(store.list_notices(&filter, 9).unwrap().len(), 1);
    }
}

pub fn a_mirror_is_no_successor<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    for url in [OLD, NEW] {
        crawl.add_resource(url, service("wms", url, &TELLING));
    }
    store.enrol_records(hour(0), SignedDuration::from_secs(1)).unwrap();
    let old = id_of(&*store, OLD);
    let year = 365 * 24;
    record_check(&*store, result_for(&old, OLD, Status::Alive, hour(year)));
    check_dead(&*store, &old, OLD, year + 1);
    assert_eq!(store.find_record(&old).unwrap().unwrap().status, Status::Dead);
    assert!(store.list_successors(&old).unwrap().is_empty(), "a long-standing mirror was proposed");
}
