use crate::common::{Engine, TestRequest, TestServer, send, test_server};
use geotrawl_model::account::UserRole;
use geotrawl_model::focus::IndicativeTerm;
use geotrawl_model::task::{JobCommand, JobId, JobSpec, JobState};
use geotrawl_model::{CrawlBatch, CrawlContext, FinishedItem, NewLink, PageOutcome, RunId, TaskSpec};
use geotrawl_serve::{App, EngineInfo, server};
use serde_json::json;
use std::sync::Arc;

fn page(url: &str, intent: &str, words: &str, depth: u32, priority: u32) -> NewLink {
    NewLink {
        key: format!("{intent} {url}"),
        url: url.into(),
        host: url.split('/').take(3).collect::<Vec<_>>().join("/"),
        intent: intent.parse().unwrap(),
        priority,
        depth,
        way: "href".into(),
        words: words.into(),
        bearing: CrawlContext { width: 2, ..CrawlContext::default() },
        ..NewLink::default()
    }
}

/// Adds a task of this user with a run in progress.
pub fn add_running_task(world: &TestServer, owner: i64, public: bool) -> (JobId, RunId) {
    let store = &world.app.store;
    let spec = JobSpec {
        seeds: vec!["http://a.example/".into()],
        public,
        ordering: "hints".into(),
        ..JobSpec::default()
    };
    let job = store.add_job(Some(owner), &spec, world.app.now()).unwrap();
    store.apply_job_command(job.id, JobCommand::Start, 9, world.app.now()).unwrap();
    let spec = TaskSpec { name: job.name, seeds: vec![], options: json!({}) };
    let run = store.open_task(&spec, world.app.now()).unwrap().run;
    store.set_job_run(job.id, run).unwrap();
    (job.id, run)
}

async fn the_focus_of_a_task_is_for_those_who_may_see_it(engine: Engine) {
    let world = test_server(engine);
    let (ada, ben) = (world.add_user("ada", UserRole::User), world.add_user("ben", UserRole::User));
    let root = world.open_session(&world.add_user("root", UserRole::Admin));
    let (own, _) = add_running_task(&world, ada.id, false);
    let (public, _) = add_running_task(&world, ada.id, true);
    let path = |id: JobId| format!("/api/v1/tasks/{id}/focus");
    let (ada_page, ben_page) = (world.open_session(&ada), world.open_session(&ben));
    for (ask, status) in [
        (TestRequest::get(&path(own)), 404),
        (TestRequest::get(&path(own)).with_session(&ben_page), 404),
        (TestRequest::get(&path(own)).with_session(&ada_page), 200),
        (TestRequest::get(&path(own)).with_session(&root), 200),
        (TestRequest::get(&path(own)).with_token(&world.add_token(&ada, &["read"])), 200),
        (TestRequest::get(&path(own)).with_token(&world.add_token(&ada, &["download"])), 403),
        (TestRequest::get(&path(public)), 200),
        (TestRequest::get(&path(public)).with_session(&ben_page), 200),
        (TestRequest::get(&path(987_654)).with_session(&root), 404),
    ] {
        let asked = ask.0.uri().path().to_owned();
        let answer = world.send(ask).await;
        assert_eq!(answer.status.as_u16(), status, "{asked}: {}", answer.text());
    }
}

async fn the_focus_tells_groups_depths_words_and_what_is_next(engine: Engine) {
    let world = test_server(engine);
    let ada = world.add_user("ada", UserRole::User);
    let ask = |id: JobId| TestRequest::get(&format!("/api/v1/tasks/{id}/focus"));
    let draft = world
        .app
        .store
        .add_job(
            Some(ada.id),
            &JobSpec { public: true, seeds: vec!["a.example".into()], ..JobSpec::default() },
            world.app.now(),
        )
        .unwrap();
    let empty = world.send(ask(draft.id)).await.json();
    assert_eq!(
        (empty["widths"].clone(), empty["next"].clone(), empty["opened"].clone()),
        (json!([]), json!([]), json!(0))
    );

    let (id, run) = add_running_task(&world, ada.id, true);
    let (store, now) = (&world.app.store, world.app.now());
    store.open_seed_group(run, 1, 10, now).unwrap();
    store.end_seed_group(run, 1, "Nothing of it is left to read", false, now).unwrap();
    store.open_seed_group(run, 2, 7, now).unwrap();
    let terms = vec![IndicativeTerm { term: "hydrography".into(), gained: 4, seen: 5 }];
    store.add_terms(run, &terms).unwrap();
    store.add_links(run, &[page("http://a.example/start", "page", "", 0, 1_000)]).unwrap();
    let host = store.hosts_with_work(run, 1, &|_| false).unwrap().remove(0).host;
    let item = store.pending_entries(run, host, 1, &|_| false).unwrap().remove(0);
    let links = vec![
        page("http://a.example/imprint", "page", "imprint", 1, 2_000),
        page("http://b.example/maps", "page", "our maps and data", 1, 1_900),
        page("http://b.example/wms", "ows:wms", "", 1, 0),
        page("http://b.example/roads.gpkg", "file", "", 1, 0),
    ];
    let outcome = PageOutcome { class: "ok".into(), ..PageOutcome::default() };
    let done = vec![FinishedItem { links, ..FinishedItem::new(item, outcome) }];
    store.commit(&CrawlBatch { run, done, robots: vec![], now }).unwrap();

    let focus = world.send(ask(id)).await.json();
    assert_eq!((focus["ordering"].as_str(), focus["opened"].as_u64()), (Some("hints"), Some(2)));
    assert_eq!(focus["widths"][0]["why"], "Nothing of it is left to read");
    assert_eq!(
        (focus["widths"][1]["seeds"].as_u64(), focus["widths"][1]["pages"].as_u64()),
        (Some(7), Some(1))
    );
    assert!(focus["widths"][1].get("ended").is_none(), "{focus}");
    assert_eq!(focus["depths"], json!([{ "depth": 0, "pages": 1, "finds": 0 }]));
    assert_eq!(focus["terms"], json!([{ "term": "hydrography", "gained": 4, "seen": 5 }]));
    let next = focus["next"].as_array().unwrap();
    let order: Vec<_> = next.iter().map(|one| one["url"].as_str().unwrap()).collect();
    assert_eq!(order.len(), 4, "{order:?}");
    assert_eq!(order[2..], ["http://b.example/maps", "http://a.example/imprint"]);
    let service = next.iter().find(|one| one["expected"] == "service").unwrap();
    assert!(service["why"]["reasons"][0]["text"].as_str().unwrap().contains("wms"), "{service}");
    assert!(next[2]["why"]["reasons"].as_array().unwrap().len() > 1, "depth and words: {}", next[2]);
    assert_eq!((next[2]["width"].as_u64(), next[2]["depth"].as_u64()), (Some(2), Some(1)));

    store.end_job(id, JobState::Finished, None, now).unwrap();
    let over = world.send(ask(id)).await.json();
    assert_eq!((over["next"].clone(), over["opened"].as_u64()), (json!([]), Some(2)));
}

async fn engines_are_listed_and_a_task_names_only_those(engine: Engine) {
    let world = test_server(engine);
    let ada = world.open_session(&world.add_user("ada", UserRole::User));
    let meta = world.send(TestRequest::get("/api/v1/meta")).await.json();
    assert_eq!(meta["engines"], json!([]));
    assert_eq!(meta["orderings"].as_array().unwrap().len(), geotrawl_rank::ORDERINGS.len());
    assert_eq!(meta["orderings"][0]["name"], geotrawl_rank::ORDERINGS[0].name);
    let task = json!({ "title": "Floods", "keywords": ["flood"], "engines": ["house"], "width": 3 });
    let make = |engines: serde_json::Value| {
        let mut task = task.clone();
        task["engines"] = engines;
        TestRequest::post("/api/v1/tasks").with_session(&ada).json(task)
    };
    let (status, problem) = world.send(make(json!(["house"]))).await.expect_problem();
    assert_eq!((status, problem["parameter"].as_str()), (422, Some("engines")), "{problem}");

    let house = EngineInfo { name: "house".into(), kind: "searxng".into(), left_today: Some(7) };
    let many = EngineInfo { name: "many".into(), kind: "list".into(), left_today: None };
    let (router, _) = server::build_router(App { engines: Arc::new(vec![house, many]), ..world.app.clone() });
    let meta = send(router.clone(), TestRequest::get("/api/v1/meta")).await.json();
    assert_eq!(
        meta["engines"],
        json!([{ "name": "house", "kind": "searxng", "left_today": 7 }, { "name": "many", "kind": "list" }])
    );
    // A task with engines and keywords needs no seeds.
    let made = send(router.clone(), make(json!(["house"]))).await;
    assert_eq!((made.status.as_u16(), made.json()["spec"]["engines"].clone()), (201, json!(["house"])));
    assert_eq!(send(router, make(json!(["other"]))).await.expect_problem().0, 422);
}

geotrawl_testkit::on_both_engines! {
    #[tokio::test]
    the_focus_of_a_task_is_for_those_who_may_see_it
    the_focus_tells_groups_depths_words_and_what_is_next
    engines_are_listed_and_a_task_names_only_those
}
