use crate::open;
use geotrawl_model::account::NewAuditEntry;
use geotrawl_model::store::{AccountStore, CrawlStore};
use geotrawl_model::{NewLink, PageOutcome, Seed};
use geotrawl_testkit::builders::{
    TestCrawl, all_records, finished_item, new_link, ok_outcome, service, test_time,
};

#[test]
fn addresses_of_any_length_are_kept_and_told_apart() {
    let Some(database) = crate::database() else { return };
    let store = open(&database.url);
    let mut crawl = TestCrawl::open(&store, "a");
    // No repetitions, so that compression does not help.
    let long: String =
        (0..3_000_u32).map(|n| n.wrapping_mul(2_654_435_761).to_string()).collect::<Vec<_>>().concat();
    let urls: Vec<String> = (0..3).map(|n| format!("http://long.example/wms?map={long}{n}")).collect();
    for url in &urls {
        crawl.add_resource(url, service("wms", url, &[url.get(url.len() - 9..).unwrap()]));
    }
    crawl.add_redirect(&format!("http://old.example/?{long}"), &urls[0]);
    let all = all_records(&store);
    assert_eq!(
        all.iter().map(|record| &record.resource.url).collect::<Vec<_>>(),
        urls.iter().collect::<Vec<_>>()
    );
    assert_eq!(all[0].aliases, [format!("http://old.example/?{long}")]);
    assert_eq!(store.explain(&urls[1]).unwrap().resources.len(), 1);
    let seeds: Vec<Seed> = urls.iter().map(|url| Seed { url: url.clone(), ..Seed::default() }).collect();
    assert_eq!(store.import_seeds("list", "here", &seeds, test_time(0)).unwrap(), 3);
    assert_eq!(store.import_seeds("list", "here", &seeds, test_time(1)).unwrap(), 0);
}

#[test]
fn the_character_zero_stops_nothing() {
    let Some(database) = crate::database() else { return };
    let store = open(&database.url);
    let mut crawl = TestCrawl::open(&store, "a");
    let mut found = service("wms", "http://a.example/wms", &["x\0y"]);
    found.resource.title = Some("Map\0s".into());
    found.reason = "\0".into();
    crawl.add_resource("http://a.example/wms", found);
    crawl.add_links(&[NewLink { words: "a\0b".into(), way: "\0".into(), ..new_link("http://b.example/") }]);
    let item = crawl.pending_item("http://b.example/");
    let outcome = PageOutcome { title: Some("\0".into()), reason: "x\0".into(), ..ok_outcome() };
    assert_eq!(crawl.commit(vec![finished_item(item, outcome)]).ignored, 0);
    let all = all_records(&store);
    assert_eq!(all[0].resource.datasets[0].name, "x\0y", "text inside JSON was changed");
    let entry = NewAuditEntry {
        user: None,
        who: "\0".into(),
        action: "login".into(),
        subject: String::new(),
        address: None,
        detail: serde_json::json!({ "name": "\0" }),
    };
    store.add_audit_entry(&entry, test_time(0)).unwrap();
    assert_eq!(store.audit_log(0, 1).unwrap()[0].who, "\u{fffd}");
}
