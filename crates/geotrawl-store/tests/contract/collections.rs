use crate::Backend;
use geotrawl_model::archived_page::{
    ArchiveNote, ItemRole, NewPageVersion, PageVersion, VersionKind, WarcLocation,
};
use geotrawl_model::collection::{
    ArchiveRun, ArchiveRunCounts, Collection, CollectionSpec, ObjectFilter, RankedResult, ResultPlace,
    RunState,
};
use geotrawl_testkit::builders::test_time;
use jiff::Timestamp;

type StoreHandle = std::sync::Arc<dyn geotrawl_model::store::Store>;

fn spec() -> CollectionSpec {
    CollectionSpec { title: "Clouds".into(), pages: vec!["http://a.example/".into()], ..Default::default() }
}

fn place(offset: u64) -> WarcLocation {
    WarcLocation { file: "A-1.warc.gz".into(), offset, length: 10 }
}

fn seen(run: &ArchiveRun, url: &str, kind: VersionKind, digest: &str, moment: Timestamp) -> NewPageVersion {
    let record = place(moment.as_second() as u64 * 10);
    NewPageVersion {
        url: url.into(),
        role: ItemRole::Page,
        version: PageVersion {
            number: 0,
            run: run.id,
            at: moment,
            kind,
            status: if kind == VersionKind::Deleted { 404 } else { 200 },
            final_url: None,
            media_type: "text/html".into(),
            digest: digest.into(),
            bytes: 3,
            payload: record.clone(),
            record,
            likeness: None,
            about: None,
            title: format!("{url} {digest}"),
            metadata: serde_json::json!({ "title": digest }),
        },
        sketch: digest.as_bytes().to_vec(),
        result: None,
    }
}

fn begin(store: &StoreHandle, collection: &Collection, moment: i64) -> ArchiveRun {
    let (run, resumed) = store.begin_archive_run(collection.id, test_time(moment)).unwrap();
    assert!(!resumed);
    run
}

fn now_there(store: &StoreHandle, collection: &Collection, moment: i64) -> Vec<(String, String)> {
    let (items, total) = store.pages_as_of(collection.id, test_time(moment), 0, 100).unwrap();
    assert_eq!(items.len() as u64, total);
    items.into_iter().map(|item| (item.url, item.version.digest)).collect()
}

fn pair(url: &str, digest: &str) -> (String, String) {
    (url.into(), digest.into())
}

pub fn a_collection_is_made_changed_queued_and_removed<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let made = store.add_collection("ISCCP", Some(7), &spec(), test_time(1)).unwrap().unwrap();
    assert_eq!(
        store.add_collection("isccp", None, &spec(), test_time(1)).unwrap(),
        None,
        "the acronym is taken"
    );
    assert_eq!(store.find_collection("isccp").unwrap().unwrap(), made);
    assert_eq!((made.owner, made.items, made.queued), (Some(7), 0, false));
    let changed = CollectionSpec { schedule: Some("0 * * * *".into()), ..spec() };
    store.change_collection(made.id, &changed, test_time(10)).unwrap();
    assert_eq!(store.find_collection("ISCCP").unwrap().unwrap().next_run, Some(test_time(2_800)));
    assert_eq!(store.take_next_collection(&[], test_time(20)).unwrap(), None);
    assert!(store.request_archive_run(made.id).unwrap());
    assert!(!store.request_archive_run(made.id).unwrap(), "it is wanted already");
    assert_eq!(store.take_next_collection(&[made.id], test_time(20)).unwrap(), None, "it is being run");
    let taken = store.take_next_collection(&[], test_time(20)).unwrap().unwrap();
    assert!(!taken.queued);
    assert_eq!(store.take_next_collection(&[], test_time(2_799)).unwrap(), None);
    let taken = store.take_next_collection(&[], test_time(2_800)).unwrap().unwrap();
    assert_eq!(taken.next_run, Some(test_time(6_400)), "its schedule is set on");
    // An interrupted run is continued.
    let run = begin(&store, &made, 4_000);
    assert!(store.take_next_collection(&[], test_time(4_001)).unwrap().is_some());
    let (again, resumed) = store.begin_archive_run(made.id, test_time(4_002)).unwrap();
    assert!(resumed && again.id == run.id);
    store
        .add_versions(made.id, &[seen(&run, "http://a.example/", VersionKind::New, "d1", test_time(4_003))])
        .unwrap();
    store.end_archive_run(run.id, RunState::Finished, None, test_time(4_004)).unwrap();
    assert_eq!(store.take_next_collection(&[], test_time(4_005)).unwrap(), None);
    assert!(store.remove_collection(made.id).unwrap());
    assert!(!store.remove_collection(made.id).unwrap());
    assert!(store.list_collections().unwrap().is_empty());
    assert!(store.list_objects(&ObjectFilter { limit: 10, ..Default::default() }).unwrap().is_empty());
    assert_eq!(store.find_payload(made.id, "d1").unwrap(), None);
}

pub fn results_are_ranked_as_they_come<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let made = store.add_collection("A", None, &spec(), test_time(1)).unwrap().unwrap();
    let run = begin(&store, &made, 10);
    let result = |url: &str, weight: f64, state: &str| RankedResult {
        url: url.into(),
        title: String::new(),
        weight,
        named: vec![ResultPlace { engine: "one".into(), query: "q".into(), rank: 1 }],
        sort: String::new(),
        state: state.into(),
        about: None,
        reason: None,
    };
    store
        .save_results(
            run.id,
            &[result("http://b.example/", 9.0, "waiting"), result("http://a.example/", 23.0, "waiting")],
        )
        .unwrap();
    store.save_results(run.id, &[result("http://b.example/", 30.0, "rejected")]).unwrap();
    let ranked = store.ranked_results(run.id).unwrap();
    let shown: Vec<(&str, f64)> = ranked.iter().map(|result| (result.url.as_str(), result.weight)).collect();
    assert_eq!(shown, [("http://b.example/", 30.0), ("http://a.example/", 23.0)]);
    assert_eq!(store.visited_urls(run.id).unwrap(), ["http://b.example/"], "one that waits was not visited");
    let mut visit = seen(&run, "http://a.example/", VersionKind::New, "d", test_time(11));
    visit.result = Some(RankedResult { sort: "html".into(), ..result("http://a.example/", 23.0, "kept") });
    store.add_versions(made.id, &[visit]).unwrap();
    assert_eq!(store.ranked_results(run.id).unwrap()[1].state, "kept");
    assert_eq!(store.visited_urls(run.id).unwrap().len(), 2);
    let counts = ArchiveRunCounts { results: 2, new: 1, ..Default::default() };
    store.save_run_counts(run.id, &counts).unwrap();
    store.end_archive_run(run.id, RunState::Failed, Some("no disk"), test_time(12)).unwrap();
    let last = store.find_collection("A").unwrap().unwrap().last_run.unwrap();
    assert_eq!((last.state, last.error.as_deref(), last.counts), (RunState::Failed, Some("no disk"), counts));
}

pub fn the_past_stays_as_it_was<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let made = store.add_collection("A", None, &spec(), test_time(1)).unwrap().unwrap();
    let (x, y) = ("http://a.example/x", "http://a.example/y");
    let run = begin(&store, &made, 10);
    store
        .add_versions(
            made.id,
            &[
                seen(&run, x, VersionKind::New, "x1", test_time(11)),
                seen(&run, y, VersionKind::New, "y1", test_time(12)),
            ],
        )
        .unwrap();
    store.end_archive_run(run.id, RunState::Finished, None, test_time(13)).unwrap();
    let run = begin(&store, &made, 20);
    store
        .add_versions(
            made.id,
            &[
                seen(&run, x, VersionKind::Modified, "x2", test_time(21)),
                seen(&run, y, VersionKind::Unchanged, "y1", test_time(22)),
            ],
        )
        .unwrap();
    store.end_archive_run(run.id, RunState::Finished, None, test_time(23)).unwrap();
    let run = begin(&store, &made, 30);
    store
        .add_versions(
            made.id,
            &[
                seen(&run, x, VersionKind::New, "x3", test_time(31)),
                seen(&run, y, VersionKind::Deleted, "", test_time(32)),
            ],
        )
        .unwrap();
    store.end_archive_run(run.id, RunState::Finished, None, test_time(33)).unwrap();

    assert!(now_there(&store, &made, 5).is_empty());
    assert_eq!(now_there(&store, &made, 11), [pair(x, "x1")]);
    assert_eq!(now_there(&store, &made, 15), [pair(x, "x1"), pair(y, "y1")]);
    assert_eq!(now_there(&store, &made, 25), [pair(x, "x2"), pair(y, "y1")]);
    assert_eq!(now_there(&store, &made, 40), [pair(x, "x3")]);
    assert_eq!(store.find_collection("A").unwrap().unwrap().items, 1);
    let item = store.page_as_of(made.id, x, test_time(25)).unwrap().unwrap();
    assert_eq!((item.created, item.modified, item.version.number), (test_time(11), Some(test_time(21)), 2));
    assert_eq!(store.page_as_of(made.id, y, test_time(40)).unwrap(), None);
    let (some, total) = store.pages_as_of(made.id, test_time(15), 1, 1).unwrap();
    assert_eq!((some[0].url.as_str(), total), (y, 2));

    let known = store.find_known_page(made.id, y).unwrap().unwrap();
    assert!(known.gone && known.digest == "y1" && known.sketch == b"y1");
    assert_eq!(store.list_known_pages(made.id).unwrap(), [(x.to_owned(), ItemRole::Page)]);
    assert_eq!(
        store.find_payload(made.id, "x1").unwrap().unwrap().place,
        self::place(test_time(11).as_second() as u64 * 10)
    );
    assert_eq!(
        store.archive_file_end(made.id, "A-1.warc.gz").unwrap(),
        test_time(32).as_second() as u64 * 10 + 10
    );
    assert_eq!(store.archive_file_end(made.id, "other").unwrap(), 0);
    let history = store.page_history(made.id, y).unwrap().unwrap();
    let kinds: Vec<VersionKind> = history.versions.iter().map(|version| version.kind).collect();
    assert_eq!(kinds, [VersionKind::New, VersionKind::Unchanged, VersionKind::Deleted]);
    assert_eq!(history.current, None);
}

pub fn a_person_can_roll_back<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let made = store.add_collection("A", None, &spec(), test_time(1)).unwrap().unwrap();
    let x = "http://a.example/x";
    for (moment, kind, digest) in
        [(10, VersionKind::New, "x1"), (20, VersionKind::Modified, "x2"), (30, VersionKind::Deleted, "")]
    {
        let run = begin(&store, &made, moment);
        store.add_versions(made.id, &[seen(&run, x, kind, digest, test_time(moment + 1))]).unwrap();
        store.end_archive_run(run.id, RunState::Finished, None, test_time(moment + 2)).unwrap();
    }
    assert!(
        !store.choose_version(made.id, x, 3, "ann", "", test_time(40)).unwrap(),
        "there is nothing in it"
    );
    assert!(!store.choose_version(made.id, x, 9, "ann", "", test_time(40)).unwrap());
    assert!(!store.choose_version(made.id, "http://a.example/none", 1, "ann", "", test_time(40)).unwrap());
    assert!(store.choose_version(made.id, x, 1, "ann", "it was better", test_time(40)).unwrap());
    assert!(now_there(&store, &made, 39).is_empty(), "the past stays as it was");
    assert_eq!(now_there(&store, &made, 40), [pair(x, "x1")]);
    let item = store.page_as_of(made.id, x, test_time(50)).unwrap().unwrap();
    assert!(item.chosen && item.modified == Some(test_time(40)) && item.created == test_time(11));
    // An unchanged visit keeps the choice, a change overrides it.
    let run = begin(&store, &made, 50);
    store.add_versions(made.id, &[seen(&run, x, VersionKind::Unchanged, "x2", test_time(51))]).unwrap();
    assert_eq!(now_there(&store, &made, 52), [pair(x, "x1")]);
    store.add_versions(made.id, &[seen(&run, x, VersionKind::New, "x4", test_time(53))]).unwrap();
    assert_eq!(now_there(&store, &made, 54), [pair(x, "x4")]);
    let history = store.page_history(made.id, x).unwrap().unwrap();
    assert_eq!((history.choices.len(), history.current), (1, Some(5)));
    assert_eq!((history.choices[0].who.as_str(), history.choices[0].version), ("ann", 1));
    let note = ArchiveNote { at: test_time(60), who: "ann".into(), url: Some(x.into()), text: "look".into() };
    store.add_archive_note(made.id, &note).unwrap();
    assert_eq!(store.archive_notes(made.id).unwrap(), [note]);
}

pub fn objects_grow_only_by_what_is_new<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let a = store.add_collection("A", None, &spec(), test_time(1)).unwrap().unwrap();
    let hidden = CollectionSpec { public: false, ..spec() };
    let b = store.add_collection("B", None, &hidden, test_time(1)).unwrap().unwrap();
    let x = "http://a.example/x";
    let visit = |collection: &Collection, moment: i64, kind, digest: &str| {
        let run = begin(&store, collection, moment);
        store.add_versions(collection.id, &[seen(&run, x, kind, digest, test_time(moment + 1))]).unwrap();
        store.end_archive_run(run.id, RunState::Finished, None, test_time(moment + 2)).unwrap();
    };
    visit(&a, 10, VersionKind::New, "x1");
    visit(&b, 15, VersionKind::New, "x1");
    visit(&a, 20, VersionKind::Modified, "x2");
    visit(&a, 30, VersionKind::Unchanged, "x2");
    visit(&a, 40, VersionKind::New, "x3");
    visit(&a, 50, VersionKind::Deleted, "");
    let all = ObjectFilter { limit: 100, ..Default::default() };
    let shown = |filter: &ObjectFilter| -> Vec<(String, i64, i64)> {
        let objects = store.list_objects(filter).unwrap();
        objects
            .into_iter()
            .map(|object| {
                (
                    object.acronym,
                    object.run.as_second() - test_time(0).as_second(),
                    object.stamp.as_second() - test_time(0).as_second(),
                )
            })
            .collect()
    };
    let of = |acronym: &str, run, stamp| (acronym.to_owned(), run, stamp);
    assert_eq!(shown(&all), [of("B", 15, 17), of("A", 10, 22), of("A", 40, 42), of("A", 50, 52)]);
    assert_eq!(shown(&ObjectFilter { only_public: true, ..all.clone() }).len(), 3);
    assert_eq!(
        shown(&ObjectFilter {
            acronym: Some("A".into()),
            from: Some(test_time(22)),
            until: Some(test_time(42)),
            ..all.clone()
        }),
        [of("A", 10, 22), of("A", 40, 42)]
    );
    // Page by page.
    let mut after = None;
    let mut had = Vec::new();
    loop {
        let page = store
            .list_objects(&ObjectFilter { after: after.clone(), limit: 1, ..Default::default() })
            .unwrap();
        let Some(object) = page.into_iter().next() else { break };
        after = Some((object.stamp, object.acronym.clone(), object.run));
        had.push(object);
    }
    assert_eq!(had.len(), 4);
    let first = store.find_object("a", test_time(10)).unwrap().unwrap();
    assert_eq!(first.as_of, test_time(22));
    assert_eq!(store.page_as_of(a.id, x, first.as_of).unwrap().unwrap().version.digest, "x2");
    assert_eq!(store.find_object("A", test_time(20)).unwrap(), None, "that run only modified");
    // A choice modifies the latest object.
    assert!(store.choose_version(a.id, x, 1, "ann", "", test_time(60)).unwrap());
    assert_eq!(store.find_object("A", test_time(50)).unwrap().unwrap().stamp, test_time(60));
}
