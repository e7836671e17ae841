use super::*;
use crate::RecordSink;
use crate::dump::{self, DumpOptions};
use geotrawl_model::RecordFilter;
use geotrawl_model::change::ChangeFilter;
use geotrawl_model::store::{CrawlStore, DatedChangeStore};
use geotrawl_store::EmbeddedStore;
use std::path::Path;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_790_000_000 + second).unwrap()
}

fn foreign(url: &str, title: &str, seen: i64) -> Record {
    let mut record = Record { id: record_id("wms", url), status: Status::Alive, ..Record::default() };
    record.resource.kind = "wms".into();
    record.resource.url = url.into();
    record.resource.title = Some(title.into());
    record.resource.bbox = Some([1.0, 2.0, 3.0, 4.0].into());
    record.host.name = "m.example".into();
    record.first_seen = at(0);
    record.last_seen = at(seen);
    record.last_ok = Some(at(seen));
    record
}

fn file(folder: &Path, records: &[Record]) -> std::path::PathBuf {
    let path = folder.join("finds.jsonl");
    let lines: Vec<String> = records.iter().map(|record| serde_json::to_string(record).unwrap()).collect();
    std::fs::write(&path, lines.join("\n")).unwrap();
    path
}

fn import(store: &EmbeddedStore, path: &Path, second: i64) -> ImportSummary {
    let opened = dump::open_dump(path).unwrap();
    opened.verify_checksums().unwrap();
    let options = ImportOptions {
        source: "http://other.example/".into(),
        task: serde_json::json!({}),
        now: at(second),
    };
    import_records(store, &opened, &options).unwrap()
}

fn all(store: &EmbeddedStore) -> Vec<Record> {
    let mut records = Vec::new();
    store
        .visit_records(&RecordFilter::default(), &mut |record| {
            records.push(record);
            true
        })
        .unwrap();
    records
}

/// Adds a service as if it had been found here.
fn prove(store: &EmbeddedStore, url: &str, title: &str, second: i64) {
    let spec = TaskSpec { name: "own".into(), seeds: vec![], options: serde_json::json!({}) };
    let run = store.open_task(&spec, at(second)).unwrap().run;
    let link = NewLink {
        key: format!("x {second}"),
        url: url.into(),
        host: "http://m.example".into(),
        intent: "ows:wms".parse().unwrap(),
        way: "href".into(),
        ..NewLink::default()
    };
    let host = store.add_links(run, &[link]).unwrap().hosts[0];
    let item = store.pending_entries(run, host, 9, &|_| false).unwrap().remove(0);
    let mut record = foreign(url, title, second);
    record.reason = "It answered".into();
    let found = FoundResource {
        resource: record.resource,
        status: Status::Alive,
        reason: record.reason,
        evidence: Evidence::default(),
        ip: None,
        themes: vec![],
    };
    let done = vec![FinishedItem { found: vec![found], ..without_finds(item, "ok") }];
    store.commit(&CrawlBatch { run, done, robots: vec![], now: at(second) }).unwrap();
    store.set_task_state(run, TaskState::Finished, at(second)).unwrap();
}

#[test]
fn finds_of_others_are_claims_with_their_source() {
    let place = tempfile::tempdir().unwrap();
    let store = EmbeddedStore::open(&place.path().join("data")).unwrap();
    let mut dead = foreign("http://d.example/wms", "Dead", 5);
    dead.status = Status::Dead;
    dead.reason = "It answers no more".into();
    let mut odd = foreign("http://o.example/wms", "Odd", 5);
    odd.resource.bbox = Some([500.0, 2.0, 3.0, 4.0].into());
    let hostile = foreign("file:///etc/passwd", "No", 5);
    let path = file(place.path(), &[foreign("http://m.example/wms", "Map", 5), dead, odd, hostile]);
    let told = import(&store, &path, 10);
    assert_eq!((told.read, told.new, told.updated, told.known, told.refused), (4, 3, 0, 0, 1), "{told:?}");
    let records = all(&store);
    assert_eq!(records.len(), 3);
    let map = records.iter().find(|one| one.resource.url.contains("m.example")).unwrap();
    assert_eq!((map.status, map.resource.title.as_deref()), (Status::Unchecked, Some("Map")));
    assert!(map.reason.contains("http://other.example/ reported it as alive"), "{}", map.reason);
    let way = &map.provenance[0];
    assert_eq!((way.way.as_str(), way.page.as_str()), ("import", "http://other.example/"));
    assert_eq!(way.task, "import http://other.example/");
    let dead = records.iter().find(|one| one.resource.url.contains("d.example")).unwrap();
    assert_eq!(dead.status, Status::Dead, "a service reported as dead was offered as alive");
    assert_eq!(
        records.iter().find(|one| one.resource.url.contains("o.example")).unwrap().resource.bbox,
        None
    );
    assert_eq!(
        store.count_dated_changes(&ChangeFilter::default()).unwrap(),
        3,
        "followers were not notified"
    );
}

#[test]
fn the_same_again_changes_nothing() {
    let place = tempfile::tempdir().unwrap();
    let store = EmbeddedStore::open(&place.path().join("data")).unwrap();
    let records: Vec<Record> =
        (0..1_203).map(|n| foreign(&format!("http://h{n}.example/wms"), &format!("Map {n}"), 5)).collect();
    let path = file(place.path(), &records);
    assert_eq!(import(&store, &path, 10).new, 1_203);
    let before = store.list_dated_changes(&ChangeFilter::default(), 2_000).unwrap();
    let again = import(&store, &path, 20);
    assert_eq!((again.new, again.refused), (0, 0));
    assert_eq!(all(&store).len(), 1_203);
    let ids = |heads: &[geotrawl_model::change::ChangeHead]| {
        let mut ids: Vec<String> = heads.iter().map(|head| head.id.clone()).collect();
        ids.sort();
        ids
    };
    assert_eq!(ids(&store.list_dated_changes(&ChangeFilter::default(), 2_000).unwrap()), ids(&before));
}

#[test]
fn what_is_known_here_is_replaced_only_by_what_is_later() {
    let place = tempfile::tempdir().unwrap();
    let store = EmbeddedStore::open(&place.path().join("data")).unwrap();
    prove(&store, "http://m.example/wms", "Own", 100);
    let path = file(place.path(), &[foreign("http://m.example/wms", "Older", 50)]);
    assert_eq!(import(&store, &path, 200).known, 1);
    assert_eq!(all(&store)[0].resource.title.as_deref(), Some("Own"));
    let mut later = foreign("http://m.example/wms", "Later", 150);
    later.status = Status::Degraded;
    let path = file(place.path(), &[later]);
    assert_eq!(import(&store, &path, 210).updated, 1);
    let record = all(&store).remove(0);
    assert_eq!(record.resource.title.as_deref(), Some("Later"));
    assert_eq!(
        (record.status, record.reason.as_str()),
        (Status::Alive, "It answered"),
        "the local status was replaced"
    );
    let dreamt = foreign("http://m.example/wms", "From the future", 1_000_000_000);
    let path = file(place.path(), &[dreamt]);
    assert_eq!(import(&store, &path, 220).known, 1);
}

#[test]
fn two_instances_exchange_all_they_have() {
    let place = tempfile::tempdir().unwrap();
    let (one, two) = (place.path().join("one"), place.path().join("two"));
    let first = EmbeddedStore::open(&one).unwrap();
    prove(&first, "http://m.example/wms", "Map", 100);
    prove(&first, "http://n.example/wms", "Other", 101);
    let folder = place.path().join("dump");
    let options = DumpOptions {
        folder: &folder,
        instance: "http://one.example/".into(),
        generator: "test".into(),
        sequence: 2,
        created: at(300),
        since: None,
        records_per_file: 1,
    };
    let records = all(&first);
    dump::write_dump(&mut |take: &mut RecordSink<'_>| records.iter().try_for_each(&mut *take), &options)
        .unwrap();
    let second = EmbeddedStore::open(&two).unwrap();
    assert_eq!(import(&second, &folder, 400).new, 2);
    let ids = |store: &EmbeddedStore| all(store).into_iter().map(|one| one.id).collect::<Vec<_>>();
    assert_eq!(ids(&first), ids(&second), "ids differ between instances");
}

#[test]
fn a_better_door_to_the_same_service_joins_it() {
    let place = tempfile::tempdir().unwrap();
    let store = EmbeddedStore::open(&place.path().join("data")).unwrap();
    let with_layers = |url: &str| {
        let mut record = foreign(url, "Map", 5);
        record.resource.datasets = ["a", "b", "c"]
            .map(|name| geotrawl_model::Dataset { name: name.into(), ..Default::default() })
            .into();
        record
    };
    let path = file(place.path(), &[with_layers("http://b.m.example/wms")]);
    assert_eq!(import(&store, &path, 10).new, 1);
    let path = file(place.path(), &[with_layers("http://a.m.example/wms")]);
    import(&store, &path, 20);
    assert_eq!(all(&store).len(), 1);
    let heads = store.list_dated_changes(&ChangeFilter::default(), 9).unwrap();
    assert_eq!(heads.iter().filter(|head| head.gone).count(), 1);
}
