use crate::Backend;
use geotrawl_model::{FoundResource, Record, Status, TaskState};
use geotrawl_testkit::builders::{TestCrawl, all_records, service, task_spec, test_time};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

pub fn scheme_and_www_are_doors_to_one_record<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    let doors = ["http://www.example.org/wms", "http://example.org/wms", "https://www.example.org/wms"];
    let first = crawl.add_resource(doors[0], service("wms", doors[0], &["a"]));
    let second = crawl.add_resource(doors[1], service("wms", doors[1], &["b"]));
    assert_eq!(second.resources.len(), 1, "the record did not change");
    assert!(!second.resources[0].born && !second.resources[0].first_in_run);
    crawl.add_resource(doors[2], service("wms", doors[2], &["c"]));
    let all = all_records(&*store);
    assert_eq!(all.len(), 1);
    assert_eq!(all[0].resource.url, doors[2]);
    assert_eq!(all[0].resource.datasets[0].name, "c", "expected the content of the preferred URL");
    assert_eq!(all[0].aliases, [doors[1], doors[0]]);
    assert_eq!(all[0].id, first.resources[0].record.id, "the id changed with the scheme");
    assert_eq!(store.run_counters(crawl.run).unwrap().resources, 1);
}

pub fn one_content_on_one_domain_is_one_record<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    let layers = ["roads", "rivers"];
    let (here, there) = ("http://geo.city.gov.uk/ows", "http://maps.city.gov.uk/geoserver/ows");
    crawl.add_resource(there, service("wms", there, &layers));
    let merged = crawl.add_resource(here, service("wms", here, &["rivers", "roads"]));
    assert!(!merged.resources[0].born);
    crawl.add_resource("http://geo.town.gov.uk/ows", service("wms", "http://geo.town.gov.uk/ows", &layers));
    crawl.add_resource(here, service("wfs", here, &layers));
    let all: Vec<(String, String, Vec<String>)> = all_records(&*store)
        .into_iter()
        .map(|record| (record.resource.kind, record.resource.url, record.aliases))
        .collect();
    assert_eq!(
        all,
        [
            ("wfs".to_owned(), here.to_owned(), vec![]),
            ("wms".to_owned(), here.to_owned(), vec![there.to_owned()]),
            ("wms".to_owned(), "http://geo.town.gov.uk/ows".to_owned(), vec![]),
        ],
        "another domain and another kind are other things"
    );
}

pub fn different_map_files_stay_apart<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    for (map, layers) in [("a", &["a"][..]), ("b", &["b"]), ("c", &[]), ("d", &[])] {
        let url = format!("http://example.org/cgi-bin/mapserv?map=/{map}.map");
        crawl.add_resource(&url, service("wms", &url, layers));
    }
    assert_eq!(all_records(&*store).len(), 4, "resources without datasets must stay apart as well");
}

pub fn redirects_make_aliases_whoever_came_first<B: Backend>() {
    let end = "http://new.example.org/wms";
    let run = |before: bool| -> Vec<Vec<String>> {
        let place = B::new();
        let store = place.open();
        let mut crawl = TestCrawl::open(&*store, "a");
        if !before {
            crawl.add_resource(end, service("wms", end, &["a"]));
        }
        crawl.add_redirect("http://older.example.org/wms", "http://old.example.org/wms");
        crawl.add_redirect("http://old.example.org/wms", end);
        crawl.add_redirect("http://loop.example.org/", "http://loop.example.org/2");
        crawl.add_redirect("http://loop.example.org/2", "http://loop.example.org/");
        crawl.add_redirect("http://short.example.net/x", end);
        if before {
            crawl.add_resource(end, service("wms", end, &["a"]));
        }
        all_records(&*store).into_iter().map(|record| record.aliases).collect()
    };
    let expected = [vec![
        "http://old.example.org/wms".to_owned(),
        "http://older.example.org/wms".to_owned(),
        "http://short.example.net/x".to_owned(),
    ]];
    assert_eq!(run(true), expected);
    assert_eq!(run(false), expected);
}

pub fn a_door_that_changes_leaves_the_group<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    let (one, two) = ("http://example.org/ows?map=1", "http://example.org/ows?map=2");
    crawl.add_resource(one, service("wms", one, &["default"]));
    crawl.add_resource(two, service("wms", two, &["default"]));
    assert_eq!(all_records(&*store).len(), 1);
    store.set_task_state(crawl.run, TaskState::Finished, test_time(9)).unwrap();
    let run = store.open_task(&task_spec("a"), test_time(10)).unwrap().run;
    let mut later = TestCrawl { store: &*store, run, second: 10 };
    later.add_resource(one, service("wms", one, &["its own"]));
    let all = all_records(&*store);
    assert_eq!(all.len(), 2);
    assert!(all.iter().all(|record| record.aliases.is_empty()));
}

/// Generates finds of a crawl: several aliases on few domains, with few contents and statuses.
fn finds() -> impl Strategy<Value = Vec<FoundResource>> {
    let scheme = prop_oneof![Just("http"), Just("https")];
    let host =
        prop_oneof![Just("example.org"), Just("www.example.org"), Just("maps.example.org"), Just("b.test")];
    let path = prop_oneof![Just("/wms"), Just("/ows"), Just("/ows?map=1"), Just("/ows?map=2")];
    let layers = prop_oneof![Just(&[][..]), Just(&["a"][..]), Just(&["a", "b"][..]), Just(&["c"][..])];
    let status =
        prop_oneof![3 => Just(Status::Alive), 1 => Just(Status::Degraded), 1 => Just(Status::Restricted)];
    let one = (scheme, host, path, layers, status).prop_map(|(scheme, host, path, layers, status)| {
        FoundResource { status, ..service("wms", &format!("{scheme}://{host}{path}"), layers) }
    });
    proptest::collection::vec(one, 1..10)
}

/// Two orders of the same finds and redirects give the same catalogue, except for times and
/// provenance.
pub fn the_catalogue_does_not_depend_on_the_order<B: Backend>() {
    let orders =
        finds().prop_flat_map(|finds| (Just(finds.clone()), Just(finds).prop_shuffle(), any::<bool>()));
    let config = Config { cases: 48, failure_persistence: None, ..Config::default() };
    let catalogue = |finds: &[FoundResource], redirects_first: bool| -> Vec<Record> {
        let place = B::new();
        let store = place.open();
        let mut crawl = TestCrawl::open(&*store, "a");
        let redirect = |crawl: &mut TestCrawl<'_>| {
            crawl.add_redirect("http://old.example.org/wms", "http://example.org/wms");
            crawl.add_redirect("http://old.example.org/ows", "https://www.example.org/ows");
        };
        if redirects_first {
            redirect(&mut crawl);
        }
        for found in finds {
            crawl.add_resource(&found.resource.url.clone(), found.clone());
        }
        if !redirects_first {
            redirect(&mut crawl);
        }
        let mut all = all_records(&*store);
        for record in &mut all {
            record.first_seen = test_time(0);
            record.last_seen = test_time(0);
            record.last_ok = record.last_ok.map(|_| test_time(0));
            record.provenance.clear();
        }
        all
    };
    TestRunner::new(config)
        .run(&orders, |(one, other, redirects_first)| {
            prop_assert_eq!(catalogue(&one, true), catalogue(&other, redirects_first));
            Ok(())
        })
        .unwrap();
}

pub fn other_kinds_under_a_like_address_are_faces<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    let (map, rest) = (
        "http://x.example/arcgis/services/Roads/MapServer/WMSServer",
        "http://x.example/arcgis/rest/services/Roads/MapServer",
    );
    crawl.add_resource(map, service("wms", map, &["0"]));
    crawl.add_resource(rest, service("arcgis-mapserver", rest, &["0"]));
    let other = "http://x.example/arcgis/rest/services/Rails/MapServer";
    crawl.add_resource(other, service("arcgis-mapserver", other, &["0", "1"]));
    let all = all_records(&*store);
    let faces = |url: &str| {
        let record = all.iter().find(|record| record.resource.url == url).unwrap();
        record.faces.iter().map(|face| (face.kind.clone(), face.url.clone())).collect::<Vec<_>>()
    };
    assert_eq!(faces(map), [("arcgis-mapserver".to_owned(), rest.to_owned())]);
    assert_eq!(faces(rest), [("wms".to_owned(), map.to_owned())]);
    assert_eq!(faces(other), []);
}
