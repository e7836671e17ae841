use crate::Backend;
use geotrawl_model::store::CrawlStore;
use geotrawl_model::{CatalogueRecord, FinishedItem, HarvestedPage, TaskState};
use geotrawl_testkit::builders::{
    TestCrawl, all_records, finished_item, new_link, ok_outcome, service, task_spec, test_time,
};

const CSW: &str = "http://catalogue.example.org/csw";

fn record(id: &str, title: &str) -> CatalogueRecord {
    CatalogueRecord { id: id.into(), title: Some(title.into()), ..CatalogueRecord::default() }
}

fn page(number: u32, records: Vec<CatalogueRecord>, next: u32) -> HarvestedPage {
    HarvestedPage {
        connector: "csw".into(),
        catalogue: CSW.into(),
        records,
        total: Some(4),
        first: number == 0,
        partial: false,
        next,
    }
}

/// Commits a page of a catalogue as the result of an item.
fn take(crawl: &mut TestCrawl<'_>, page: HarvestedPage) {
    let mut harvest = new_link(CSW);
    harvest.intent = format!("harvest:csw {}", crawl.second).parse().unwrap();
    harvest.key = format!("{} {CSW}", harvest.intent);
    crawl.add_links(&[harvest]);
    let item = crawl.pending_item(CSW);
    crawl.commit(vec![FinishedItem { harvest: Some(Box::new(page)), ..finished_item(item, ok_outcome()) }]);
}

fn next_run<'s>(crawl: &TestCrawl<'s>) -> TestCrawl<'s> {
    crawl.store.set_task_state(crawl.run, TaskState::Finished, test_time(crawl.second)).unwrap();
    let run = crawl.store.open_task(&task_spec("a"), test_time(crawl.second)).unwrap().run;
    TestCrawl { store: crawl.store, run, second: crawl.second + 100 }
}

/// Returns identifier, title and deletion state of all records.
fn kept(store: &dyn CrawlStore) -> Vec<(String, String, bool)> {
    let mut all = Vec::new();
    store
        .visit_harvested_records(Some(CSW), &mut |kept| {
            all.push((kept.record.id, kept.record.title.unwrap_or_default(), kept.gone));
            true
        })
        .unwrap();
    all
}

fn row(id: &str, title: &str, gone: bool) -> (String, String, bool) {
    (id.into(), title.into(), gone)
}

pub fn records_are_kept_and_counted_with_their_catalogue<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    crawl.add_resource(CSW, service("csw", CSW, &[]));
    take(&mut crawl, page(0, vec![record("1", "Roads"), record("2", "Rivers")], 1));
    assert_eq!(store.last_harvest_start(CSW, "csw").unwrap(), None, "a page is still to come");
    // The same page again, as after a crash: no record is duplicated.
    take(&mut crawl, page(1, vec![record("2", "Rivers"), record("3", "Rails")], 0));
    assert_eq!(
        kept(&*store),
        [row("1", "Roads", false), row("2", "Rivers", false), row("3", "Rails", false)]
    );
    assert_eq!(
        store.last_harvest_start(CSW, "csw").unwrap(),
        Some(test_time(2)),
        "the harvest began with its first page"
    );
    assert_eq!(store.last_harvest_start(CSW, "oai-pmh").unwrap(), None);
    let resource = &all_records(&*store)[0].resource;
    assert_eq!(resource.dataset_count, 3);
    assert_eq!(resource.datasets[1].title.as_deref(), Some("Rivers"));
}

pub fn a_whole_harvest_finds_what_is_gone_and_a_partial_one_does_not<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    take(&mut crawl, page(0, vec![record("1", "Roads"), record("2", "Rivers")], 0));
    let mut crawl = next_run(&crawl);
    let deleted = CatalogueRecord { deleted: true, ..record("2", "") };
    let changes = HarvestedPage { partial: true, ..page(0, vec![deleted, record("3", "Rails")], 0) };
    take(&mut crawl, changes);
    assert_eq!(kept(&*store), [row("1", "Roads", false), row("2", "Rivers", true), row("3", "Rails", false)]);
    let mut crawl = next_run(&crawl);
    take(&mut crawl, page(0, vec![record("1", "Roads and paths")], 0));
    assert_eq!(
        kept(&*store),
        [row("1", "Roads and paths", false), row("2", "Rivers", true), row("3", "Rails", true)]
    );
}

pub fn a_harvest_that_did_not_end_is_not_built_upon<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    take(&mut crawl, page(0, vec![record("1", "Roads")], 0));
    let first = store.last_harvest_start(CSW, "csw").unwrap();
    let mut crawl = next_run(&crawl);
    take(&mut crawl, page(0, vec![record("2", "Rivers")], 2));
    take(&mut crawl, page(1, vec![], 0));
    assert_eq!(
        store.last_harvest_start(CSW, "csw").unwrap(),
        first,
        "the harvest ended while one of two branches was open"
    );
    assert_eq!(kept(&*store), [row("1", "Roads", false), row("2", "Rivers", false)]);
    take(&mut crawl, page(1, vec![], 0));
    assert!(store.last_harvest_start(CSW, "csw").unwrap() > first);
    assert_eq!(kept(&*store), [row("1", "Roads", true), row("2", "Rivers", false)]);
}
