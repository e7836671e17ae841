//! Stores written by earlier versions. `versions/v<N>.sql` is the dump of a store in the middle of
//! a crawl with data in every table, written by the last program of that version and never edited.

use crate::open;
use geotrawl_model::RobotsVerdict;
use geotrawl_model::store::{ChangeStore, CrawlStore, JobStore};
use geotrawl_model::task::{JobFilter, JobState};
use geotrawl_store::EmbeddedStore;
use geotrawl_testkit::builders::{TestCrawl, all_records, finished_item, new_link, ok_outcome};
use std::path::Path;

const VERSIONS: &[(u32, &str)] = &[(1, include_str!("versions/v1.sql"))];
const APPLICATION_ID: i32 = 0x4754_524c;

/// Creates a directory with a store of that version.
fn old_store(version: u32, dump: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let file = rusqlite::Connection::open(directory.path().join("geotrawl.db")).unwrap();
    file.execute_batch(dump).unwrap();
    file.pragma_update(None, "user_version", version).unwrap();
    file.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
    directory
}

fn schema(directory: &Path) -> Vec<String> {
    let file = rusqlite::Connection::open(directory.join("geotrawl.db")).unwrap();
    let mut select =
        file.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name").unwrap();
    select.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}

#[test]
fn every_earlier_version_opens_and_goes_on() {
    for (version, dump) in VERSIONS {
        let directory = old_store(*version, dump);
        let store = open(directory.path());
        let mut crawl = TestCrawl::open(&store, "harvest");
        let counters = store.run_counters(crawl.run).unwrap();
        assert_eq!((counters.pages, counters.probes, counters.known, counters.pending), (3, 3, 132, 126));

        let known: Vec<_> =
            (0..120).map(|n| new_link(&format!("https://portal.example.org/map/{n}"))).collect();
        assert_eq!(crawl.add_links(&known), 0, "version {version}: known URLs stay known");
        assert_eq!(crawl.add_links(&[new_link("https://portal.example.org/new")]), 1);
        assert_eq!(crawl.pending_on_host("http://late.example.net/").len(), 2);
        let hosts = store.hosts_with_work(crawl.run, 100, &|_| false).unwrap();
        assert_eq!(hosts.iter().map(|host| host.pending).sum::<u64>(), 127);
        let portal = hosts.iter().find(|host| host.name == "https://portal.example.org").unwrap();
        let robots = portal.robots.clone().unwrap();
        assert_eq!(robots.verdict, RobotsVerdict::Rules("User-agent: *\nDisallow: /x\n".into()));
        assert_eq!(store.host_history(crawl.run, portal.host, 9).unwrap().len(), 2);

        let all = all_records(&store);
        let urls: Vec<&str> = all.iter().map(|record| record.resource.url.as_str()).collect();
        assert_eq!(urls, ["http://geo.example.org/wfs", "https://www.geo.example.org/wms"]);
        assert_eq!(all[1].id, "t4pmwdgmjwa9xt8f", "ids are for ever");
        assert_eq!(all[1].aliases, ["http://geo.example.org/wms", "http://old.example.org/wms"]);
        assert_eq!(all[1].resource.datasets.len(), 2);
        assert_eq!(all[1].provenance.len(), 2);
        let explained = store.explain("http://old.example.org/wms").unwrap();
        assert_eq!(explained.resources[0].evidence.len(), 2);
        assert_eq!(explained.resources[0].chains[1][0].url, "https://portal.example.org/");
        assert_eq!(store.events_after(0, 100).unwrap()[1].kind, "resource-born");

        let ids: Vec<String> =
            store.list_changes(0, 100).unwrap().into_iter().map(|change| change.id).collect();
        assert_eq!(ids.len(), 2, "version {version}: what was there counts as changed");
        assert!(ids.contains(&all[1].id));
        let counted = store.statistics().unwrap();
        assert_eq!((counted.records, counted.pages), (2, 3));
        assert_eq!(counted.levels.iter().map(|level| level.pages).sum::<u64>(), 3);
        let (jobs, _) = store.list_jobs(&JobFilter { limit: 10, ..JobFilter::default() }).unwrap();
        let job = jobs.iter().find(|job| job.name == "harvest").unwrap();
        assert_eq!((job.owner, job.state, job.run), (None, JobState::Paused, Some(crawl.run)));

        let item = crawl.pending_item("https://portal.example.org/map/7");
        assert_eq!(crawl.commit(vec![finished_item(item, ok_outcome())]).ignored, 0);
        assert_eq!(store.check_integrity().unwrap(), Vec::<String>::new());
    }
}

#[test]
fn an_upgraded_store_is_like_a_new_one() {
    let fresh = tempfile::tempdir().unwrap();
    drop(open(fresh.path()));
    for (version, dump) in VERSIONS {
        let old = old_store(*version, dump);
        drop(open(old.path()));
        assert_eq!(schema(old.path()), schema(fresh.path()), "version {version}");
        EmbeddedStore::open_read_only(old.path()).unwrap();
    }
}

/// Data that a program of version 2 had harvested, on top of a store of version 1: records of two
/// catalogues, one of them gone, and a seed list.
const HARVESTED: &str = r#"
INSERT INTO catalogue (id, url, connector, run, started, pending, partial, complete, total) VALUES
  (1, 'http://geo.example.org/wfs', 'csw', 1, 1000000, 0, 0, 1000000, 3),
  (2, 'http://other.example.net/csw', 'csw', 1, 2000000, 1, 0, NULL, NULL);
INSERT INTO record (seq, catalogue, key, run, gone, body) VALUES
  (1, 1, x'01', 1, 0, '{"id":"a","title":"Rivers"}'),
  (2, 1, x'02', 1, 1, '{"id":"b","title":"Lakes"}'),
  (3, 1, x'03', 1, 0, '{"id":"c","title":"Harbours","bbox":[1,2,3,4]}'),
  (4, 2, x'01', 1, 0, '{"id":"a","title":"Elsewhere"}');
INSERT INTO seed_list (id, name, source, imported) VALUES (1, 'registry', 'file', 3000000);
INSERT INTO seed (list, url, kind, title) VALUES (1, 'http://seed.example/wms', 'wms', 'A seed');
"#;

#[test]
fn what_version_2_harvested_is_kept_and_counted() {
    let second = include_str!("../../src/backend/embedded/schema/v2.sql");
    let directory = old_store(2, &format!("{}\n{second}\n{HARVESTED}", VERSIONS[0].1));
    let store = open(directory.path());
    let mut kept = Vec::new();
    store
        .visit_harvested_records(None, &mut |record| {
            kept.push((record.catalogue, record.record.title.unwrap_or_default(), record.gone));
            true
        })
        .unwrap();
    kept.sort();
    let titles: Vec<_> = kept.iter().map(|(_, title, gone)| (title.as_str(), *gone)).collect();
    assert_eq!(titles, [("Harbours", false), ("Lakes", true), ("Rivers", false), ("Elsewhere", false)]);
    assert!(store.last_harvest_start("http://geo.example.org/wfs", "csw").unwrap().is_some());
    assert_eq!(
        store.last_harvest_start("http://other.example.net/csw", "csw").unwrap(),
        None,
        "it did not end"
    );
    let lists = store.seed_lists().unwrap();
    assert_eq!((lists[0].name.as_str(), lists[0].seeds), ("registry", 1));

    let counted = store.statistics().unwrap();
    // Two layers of the WMS, and the catalogue's remaining records.
    assert_eq!((counted.records, counted.datasets), (2, 4));
    assert_eq!(store.list_changes(0, 100).unwrap().len(), 2);
    assert_eq!(store.check_integrity().unwrap(), Vec::<String>::new());
    let fresh = tempfile::tempdir().unwrap();
    drop(open(fresh.path()));
    drop(store);
    assert_eq!(schema(directory.path()), schema(fresh.path()));
}
