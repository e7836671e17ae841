//! Archive collections over HTTP: create, view, roll back; replayed pages are sandboxed.

use crate::common::{Engine, TestRequest, TestServer, test_server};
use axum::http::Method;
use geotrawl_archive::collection_files::CollectionFiles;
use geotrawl_archive::warc::{HttpExchange, WarcWriter};
use geotrawl_model::account::UserRole;
use geotrawl_model::archived_page::{ItemRole, NewPageVersion, PageVersion, VersionKind, WarcLocation};
use geotrawl_model::collection::RunState;
use geotrawl_serve::App;
use geotrawl_serve::server;
use serde_json::json;
use std::sync::Arc;

const EVIL: &str = "<!DOCTYPE html><title>Evil</title><script>steal(document.cookie)</script>\
    <body onload=steal()><a href=/next>next</a><img src=i.png><a href='javascript:steal()'>x</a>";

/// A server with an archive that contains one page.
fn archive(engine: Engine, public: bool) -> (TestServer, tempfile::TempDir) {
    let mut world = test_server(engine);
    let data = add_archive(&mut world, public);
    (world, data)
}

/// Adds an archive with the collection `TEST`, which contains one page.
pub fn add_archive(world: &mut TestServer, public: bool) -> tempfile::TempDir {
    let data = tempfile::tempdir().unwrap();
    let shelf = CollectionFiles::in_data_directory(data.path());
    world.app = App { shelf: Some(Arc::new(shelf.clone())), ..world.app.clone() };
    world.router = server::build_router(world.app.clone()).0;
    let spec = geotrawl_model::collection::CollectionSpec {
        title: "Test".into(),
        pages: vec!["http://site.example/".into()],
        public,
        ..Default::default()
    };
    let store = &world.app.store;
    let made = store.add_collection("TEST", None, &spec, world.app.now()).unwrap().unwrap();
    let (run, _) = store.begin_archive_run(made.id, world.app.now()).unwrap();
    let folder = shelf.folder("TEST");
    std::fs::create_dir_all(&folder).unwrap();
    let mut writer =
        WarcWriter::new(std::fs::File::create(folder.join("a.warc.gz")).unwrap(), "a.warc.gz", 0);
    for (url, media_type, body) in [
        ("http://site.example/?a=1&b", "text/html", EVIL),
        ("http://site.example/x.svg", "image/svg+xml", "<svg onload='steal()'/>"),
    ] {
        let exchange = HttpExchange {
            url,
            date: world.app.now(),
            ip: None,
            request: &[],
            status: 200,
            headers: &[],
            payload: body.as_bytes(),
            truncated: None,
        };
        let place = writer.write_exchange(&exchange, None).unwrap();
        let record = WarcLocation { file: "a.warc.gz".into(), offset: place.offset, length: place.length };
        let version = PageVersion {
            number: 0,
            run: run.id,
            at: world.app.now(),
            kind: VersionKind::New,
            status: 200,
            final_url: None,
            media_type: media_type.into(),
            digest: geotrawl_archive::digest::sha256(body.as_bytes()),
            bytes: body.len() as u64,
            payload: record.clone(),
            record,
            likeness: None,
            about: None,
            title: "Evil".into(),
            metadata: json!({}),
        };
        let noted = NewPageVersion {
            url: url.into(),
            role: ItemRole::Page,
            version,
            sketch: Vec::new(),
            result: None,
        };
        store.add_versions(made.id, &[noted]).unwrap();
    }
    store.end_archive_run(run.id, RunState::Finished, None, world.app.now()).unwrap();
    data
}

async fn pages_of_strangers_are_shown_without_their_powers(engine: Engine) {
    let (world, _data) = archive(engine, true);
    let items = world.send(TestRequest::get("/api/v1/collections/TEST/items")).await.json();
    assert_eq!(items["total"], 2);
    let replay = items["results"][0]["replay"].as_str().unwrap().to_owned();
    assert!(
        replay.starts_with("/replay/TEST/") && replay.ends_with("/http://site.example/?a=1&b"),
        "{replay}"
    );
    for (path, raw) in [(replay.clone(), false), (replay.replacen("Z/", "Zid_/", 1), true)] {
        let page = world.send(TestRequest::get(&path)).await;
        assert_eq!(page.status, 200, "{path}");
        let policy = page.header("content-security-policy");
        assert!(policy.starts_with("sandbox;") && policy.contains("default-src 'none'"), "{policy}");
        assert!(!policy.contains("allow-scripts") && !policy.contains("allow-same-origin"));
        assert_eq!(page.header("x-content-type-options"), "nosniff");
        assert_eq!(page.header("x-frame-options"), "SAMEORIGIN");
        assert!(page.header("content-type").starts_with("text/html"));
        if raw {
            assert_eq!(page.text(), EVIL, "byte by byte");
        } else {
            assert!(!page.text().contains("steal"), "{}", page.text());
            assert!(page.text().contains("/http://site.example/next\""), "{}", page.text());
        }
    }
    let drawing = world.send(TestRequest::get(&replay.replace("?a=1&b", "x.svg"))).await;
    assert!(drawing.header("content-security-policy").starts_with("sandbox;"));
    for path in [
        "/replay/TEST/20010101000000/http://site.example/?a=1&b",
        "/replay/NONE/20300101000000/http://a.example/",
        "/replay/TEST/x/y",
        "/replay/..%2f/20300101000000/http://a.example/",
    ] {
        let none = world.send(TestRequest::get(path)).await;
        assert_eq!(none.status, 404, "{path}");
    }
}

async fn what_is_private_is_shown_to_nobody_else(engine: Engine) {
    let (world, _data) = archive(engine, false);
    let user = world.add_user("someone", UserRole::User);
    let admin = world.add_user("admin", UserRole::Admin);
    for path in
        ["/api/v1/collections/TEST", "/api/v1/collections/TEST/items", "/api/v1/collections/TEST/didl"]
    {
        assert_eq!(world.send(TestRequest::get(path)).await.status, 404, "{path}");
        assert_eq!(
            world.send(TestRequest::get(path).with_session(&world.open_session(&user))).await.status,
            404,
            "{path}"
        );
        assert_eq!(
            world.send(TestRequest::get(path).with_session(&world.open_session(&admin))).await.status,
            200,
            "{path}"
        );
    }
    assert_eq!(
        world.send(TestRequest::get("/replay/TEST/20300101000000/http://site.example/x.svg")).await.status,
        404
    );
    assert_eq!(world.send(TestRequest::get("/api/v1/collections")).await.json()["total"], 0);
}

async fn a_collection_lives_by_the_api(engine: Engine) {
    let (world, _data) = archive(engine, true);
    let user = world.add_user("keeper", UserRole::User);
    let other = world.add_user("other", UserRole::User);
    let (keeper, stranger) = (world.open_session(&user), world.open_session(&other));
    let body =
        json!({ "acronym": "ISCCP", "title": "Clouds", "pages": ["http://clouds.example/"], "run": true });
    let made =
        world.send(TestRequest::post("/api/v1/collections").json(body.clone()).with_session(&keeper)).await;
    assert_eq!(made.status, 201, "{}", made.text());
    assert_eq!(made.json()["queued"], true);
    assert_eq!(
        world.send(TestRequest::post("/api/v1/collections").json(body).with_session(&keeper)).await.status,
        409
    );
    let wrong = json!({ "acronym": "../x", "title": "x", "pages": ["http://clouds.example/"] });
    assert_eq!(
        world.send(TestRequest::post("/api/v1/collections").json(wrong).with_session(&keeper)).await.status,
        422
    );
    assert_eq!(
        world.send(TestRequest::post("/api/v1/collections/ISCCP/run").with_session(&keeper)).await.status,
        409
    );
    assert_eq!(
        world.send(TestRequest::post("/api/v1/collections/ISCCP/run").with_session(&stranger)).await.status,
        403
    );
    let change =
        TestRequest::new(Method::PATCH, "/api/v1/collections/ISCCP").json(json!({ "schedule": "0 4 * * 1" }));
    let changed = world.send(change.with_session(&keeper)).await;
    assert_eq!(changed.status, 200, "{}", changed.text());
    assert!(changed.json()["next_run"].is_string());
    assert_eq!(changed.json()["spec"]["title"], "Clouds");
    let page = world.send(TestRequest::get("/api/v1/collections/ISCCP/ranked")).await;
    assert!(page.text().contains("<h1>Clouds</h1>") && page.text().contains("refresh"));
    let note = TestRequest::post("/api/v1/collections/ISCCP/notes").json(json!({ "text": "look at it" }));
    assert_eq!(world.send(note.with_session(&keeper)).await.status, 201);
    assert_eq!(
        world.send(TestRequest::get("/api/v1/collections/ISCCP/notes")).await.json()["results"][0]["who"],
        "keeper"
    );
    let gone =
        world.send(TestRequest::new(Method::DELETE, "/api/v1/collections/ISCCP").with_session(&keeper)).await;
    assert_eq!(gone.status, 204);
    assert_eq!(world.send(TestRequest::get("/api/v1/collections/ISCCP")).await.status, 404);

    // Data stored by a run: history, rollback, the object.
    let admin = world.open_session(&world.add_user("admin", UserRole::Admin));
    let history = world
        .send(TestRequest::get("/api/v1/collections/TEST/history?url=http%3A%2F%2Fsite.example%2Fx.svg"))
        .await;
    assert_eq!(history.json()["versions"][0]["kind"], "new");
    world.advance_clock(60);
    let back = json!({ "url": "http://site.example/x.svg", "version": 1, "note": "good" });
    let back = world
        .send(TestRequest::post("/api/v1/collections/TEST/rollback").json(back).with_session(&admin))
        .await;
    assert_eq!(back.status, 200, "{}", back.text());
    assert_eq!(back.json()["choices"][0]["who"], "admin");
    let object =
        world.send(TestRequest::get("/api/v1/collections/TEST/didl").header("host", "here.example")).await;
    let read = geotrawl_archive::didl::read_object(&object.body[..]).unwrap();
    assert_eq!((read.acronym.as_str(), read.items.len()), ("TEST", 2));
    let item = read.items.iter().find(|item| item.id.contains("?a=1")).unwrap();
    assert_eq!(item.value, EVIL.as_bytes());
    let reference = item.reference.strip_prefix("http://here.example").unwrap();
    assert_eq!(world.send(TestRequest::get(reference)).await.text(), EVIL, "by reference");
    assert!(world.audit_actions().iter().any(|action| action == "collection-rollback"));
}

geotrawl_testkit::on_both_engines! {
    #[tokio::test]
    pages_of_strangers_are_shown_without_their_powers
    what_is_private_is_shown_to_nobody_else
    a_collection_lives_by_the_api
}
