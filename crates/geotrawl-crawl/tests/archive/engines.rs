//! Tests collections whose pages come from search engines.

use crate::{ArchiveWorld, fetch_config};
use geotrawl_crawl::seeds::search::{EngineConfig, MetaSearch};
use geotrawl_model::collection::{CollectionSpec, RunState};
use geotrawl_model::store::CollectionStore;
use std::collections::BTreeMap;

const CLOUDS: &str = "cloud data from weather satellites describe optical thickness, cloud top temperature and \
    cloud cover of the earth, collected by the international satellite cloud climatology project";

#[test]
fn results_are_weighted_told_apart_and_rejected_when_off_topic() {
    let mut world = ArchiveWorld::start();
    let page = |text: &str| format!("<title>T</title><p>{text}</p>");
    world.site.set_page(
        "one.test/",
        "text/html",
        page(&format!("{CLOUDS} and more about each cloud product")),
    );
    world.site.set_page(
        "two.test/data",
        "application/json",
        "{\"clouds\": \"cloud cover of the earth by satellite\"}",
    );
    world.site.set_page(
        "shop.test/",
        "text/html",
        page("cheap shoes and handbags, free delivery for all sizes and brands"),
    );
    world.site.set_page(
        "no.test/",
        "text/html",
        "<meta name=robots content=noarchive><p>cloud data of satellites</p>",
    );
    world.site.set_page("model.test/", "text/html", page(CLOUDS));
    let list = |name: &str, lines: &str| {
        let file = world.data.path().join(name);
        std::fs::write(&file, lines).unwrap();
        EngineConfig { kind: Some("list".into()), file: Some(file), every: true, ..EngineConfig::default() }
    };
    let engines = BTreeMap::from([
        ("first".to_owned(), list("1.txt", "http://one.test/\nhttp://shop.test/\nhttp://two.test/data\n")),
        ("second".to_owned(), list("2.txt", "http://two.test/data\nhttp://one.test/\nhttp://no.test/\n")),
    ]);
    world.archivist.search =
        Some(MetaSearch::new(&fetch_config(&world.site), &engines, world.store.clone(), None).unwrap());
    let spec = CollectionSpec {
        title: "Cloud Climatology".into(),
        engines: vec!["first".into(), "second".into()],
        about: vec!["http://model.test/".into()],
        top: 10,
        ..Default::default()
    };
    let collection = world.add_collection(&spec);
    let (run, happened) = world.run(&collection, 10);
    assert_eq!(
        happened.iter().map(|(url, what)| (url.as_str(), what.as_str())).collect::<Vec<_>>(),
        [
            ("no.test/", "rejected: it asks not to be archived"),
            ("one.test/", "new"),
            ("shop.test/", "rejected: it is off topic"),
            ("two.test/data", "new"),
        ]
    );
    assert_eq!((run.counts.results, run.counts.rejected, run.counts.new), (4, 2, 2));
    let ranked = world.store.ranked_results(run.id).unwrap();
    let shown: Vec<(&str, f64, &str, &str)> = ranked
        .iter()
        .map(|result| (result.url.as_str(), result.weight, result.sort.as_str(), result.state.as_str()))
        .collect();
    // With ten results per list, the first one counts ten: 10 + 9, 8 + 10, 9, 8.
    assert_eq!(
        shown,
        [
            ("http://one.test/", 19.0, "html", "kept"),
            ("http://two.test/data", 18.0, "document", "kept"),
            ("http://shop.test/", 9.0, "html", "rejected"),
            ("http://no.test/", 8.0, "html", "rejected"),
        ]
    );
    assert!(ranked[0].about.unwrap() > 0.3 && ranked[2].about.unwrap() < 0.05, "{ranked:?}");
    assert_eq!(ranked[0].named.len(), 2);
}

#[test]
fn an_engine_that_is_asked_in_vain_is_named_where_the_run_is_looked_at() {
    let mut world = ArchiveWorld::start();
    world.site.set_page("one.test/", "text/html", "<title>T</title><p>clouds</p>");
    let missing = world.data.path().join("nowhere.txt");
    let list = EngineConfig {
        kind: Some("list".into()),
        file: Some(missing),
        every: true,
        ..EngineConfig::default()
    };
    let engines = BTreeMap::from([("lost".to_owned(), list)]);
    world.archivist.search =
        Some(MetaSearch::new(&fetch_config(&world.site), &engines, world.store.clone(), None).unwrap());
    let spec = CollectionSpec {
        title: "Clouds".into(),
        engines: vec!["lost".into()],
        pages: vec!["http://one.test/".into()],
        ..Default::default()
    };
    let collection = world.add_collection(&spec);
    let (run, _) = world.run(&collection, 10);
    assert_eq!((run.state, run.counts.new), (RunState::Finished, 1));
    assert!(run.error.as_deref().is_some_and(|told| told.contains("lost")), "{:?}", run.error);
}
