use crate::common::{Engine, PASSWORD, TestRequest, test_server};
use axum::http::{Method, StatusCode};
use geotrawl_model::account::UserRole;
use geotrawl_model::report::NewRecordReport;
use serde_json::{Value, json};

async fn a_new_password_ends_other_sessions(engine: Engine) {
    let world = test_server(engine);
    let user = world.add_user("anna", UserRole::User);
    let (here, there) = (world.open_session(&user), world.open_session(&user));
    let change = |old: &str, new: &str| {
        TestRequest::new(Method::PUT, "/api/v1/account/password")
            .with_session(&here)
            .json(json!({ "old": old, "new": new }))
    };
    assert_eq!(world.send(change("wrong", "a better password")).await.expect_problem().0, 403);
    let (status, problem) = world.send(change(PASSWORD, "short")).await.expect_problem();
    assert_eq!((status, &problem["parameter"]), (422, &json!("new")));
    let done = world.send(change(PASSWORD, "a better password")).await;
    assert_eq!(done.status, StatusCode::NO_CONTENT, "{}", done.text());
    let alive = async |browser| {
        world.send(TestRequest::get("/api/v1/account/tokens").with_cookie(browser)).await.status
    };
    assert_eq!(alive(&here).await, StatusCode::OK);
    assert_eq!(alive(&there).await, StatusCode::UNAUTHORIZED);
    assert_eq!(world.log_in("anna", PASSWORD).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(world.log_in("anna", "a better password").await.status, StatusCode::OK);
    assert_eq!(world.audit_actions()[2], "password");
}

async fn tokens_are_shown_once_and_do_what_they_may(engine: Engine) {
    let world = test_server(engine);
    let (user, admin) = (world.add_user("anna", UserRole::User), world.add_user("root", UserRole::Admin));
    let (browser, root) = (world.open_session(&user), world.open_session(&admin));
    let make = |body: Value| TestRequest::post("/api/v1/account/tokens").with_session(&browser).json(body);
    for (body, member) in [
        (json!({ "name": "", "scopes": ["read"] }), "name"),
        (json!({ "name": "t", "scopes": [] }), "scopes"),
        (json!({ "name": "t", "scopes": ["all"] }), "scopes"),
        (json!({ "name": "t", "scopes": ["admin"] }), "scopes"),
        (json!({ "name": "t", "scopes": ["read"], "days": 0 }), "days"),
        (json!({ "name": "t", "scopes": ["read"], "days": -1 }), "days"),
        (json!({ "name": "t" }), "scopes"),
    ] {
        let (status, problem) = world.send(make(body.clone())).await.expect_problem();
        assert_eq!((status, problem["parameter"].as_str()), (422, Some(member)), "{body}");
    }
    let made = world.send(make(json!({ "name": "t", "scopes": ["read"], "days": 1 }))).await;
    assert_eq!(made.status, StatusCode::CREATED);
    let secret = made.json()["secret"].as_str().unwrap().to_owned();
    assert!(secret.starts_with("gt_") && secret.len() == 46, "{secret}");
    let id = made.json()["token"]["id"].as_i64().unwrap();

    let session = world.send(TestRequest::get("/api/v1/session").with_token(&secret)).await;
    assert_eq!(session.json()["user"]["name"], "anna");
    let list = world.send(TestRequest::get("/api/v1/account/tokens").with_cookie(&browser)).await;
    assert_eq!(list.json()["total"], 1);
    assert!(!list.text().contains(&secret) && list.json()["results"][0]["last_used"].is_string());
    assert_eq!(
        world.send(TestRequest::get("/api/v1/account/tokens").with_token(&secret)).await.expect_problem().0,
        403
    );

    let remove = |path: &str| TestRequest::new(Method::DELETE, path);
    let path = format!("/api/v1/account/tokens/{id}");
    assert_eq!(world.send(remove(&path).with_session(&root)).await.expect_problem().0, 404, "not another's");
    world.advance_clock(86_400);
    let expired = world.send(TestRequest::get("/api/v1/session").with_token(&secret)).await;
    assert_eq!(expired.expect_problem().0, 401);
    assert!(expired.header("www-authenticate").contains("invalid_token"));
    assert_eq!(world.send(remove(&path).with_session(&browser)).await.status, StatusCode::NO_CONTENT);
    assert_eq!(world.audit_actions(), ["token-revoke", "token-create"]);

    let admins = world.send(
        TestRequest::post("/api/v1/account/tokens")
            .with_session(&root)
            .json(json!({ "name": "t", "scopes": ["admin"], "days": null })),
    );
    let admins = admins.await.json();
    assert_eq!(admins["token"].get("expires"), None);
    let users = TestRequest::get("/api/v1/users").with_token(admins["secret"].as_str().unwrap());
    assert_eq!(world.send(users).await.status, StatusCode::OK);
}

async fn admins_add_change_and_remove_people(engine: Engine) {
    let world = test_server(engine);
    let admin = world.add_user("root", UserRole::Admin);
    let root = world.open_session(&admin);
    let add = |body: Value| TestRequest::post("/api/v1/users").with_session(&root).json(body);
    let new =
        json!({ "name": "Berta", "email": "b@example.org", "role": "user", "password": "a good password" });
    let added = world.send(add(new.clone())).await;
    assert_eq!(added.status, StatusCode::CREATED, "{}", added.text());
    assert!(!added.text().contains("argon2"));
    let berta = added.json()["id"].as_i64().unwrap();
    let mut again = new.clone();
    again["name"] = json!("BERTA");
    assert_eq!(world.send(add(again)).await.expect_problem().0, 409);
    for (member, value) in [
        ("name", json!("a b")),
        ("email", json!("nowhere")),
        ("role", json!("king")),
        ("password", json!("short")),
        ("max_running", json!(5_000)),
        ("extra", json!(1)),
    ] {
        let mut body = new.clone();
        body[member] = value;
        let (status, problem) = world.send(add(body)).await.expect_problem();
        assert_eq!((status, problem["parameter"].as_str()), (422, Some(member)));
    }
    let path = format!("/api/v1/users/{berta}");
    let change = |body: Value| TestRequest::new(Method::PATCH, &path).with_session(&root).json(body);
    let changed =
        world.send(change(json!({ "email": null, "max_running": 2, "role": "admin" }))).await.json();
    assert_eq!(changed["role"], "admin");
    assert_eq!((changed.get("email"), &changed["max_running"]), (None, &json!(2)));
    let changed = world.send(change(json!({ "max_running": null, "disabled": true }))).await.json();
    assert_eq!((changed.get("max_running"), &changed["disabled"]), (None, &json!(true)));

    let list =
        world.send(TestRequest::get("/api/v1/users?limit=1&offset=1").with_session(&root)).await.json();
    assert_eq!((&list["total"], &list["results"][0]["name"]), (&json!(2), &json!("root")));
    let remove = || TestRequest::new(Method::DELETE, &path).with_session(&root);
    assert_eq!(world.send(remove()).await.status, StatusCode::NO_CONTENT);
    assert_eq!(world.send(remove()).await.expect_problem().0, 404);
    assert_eq!(world.audit_actions(), ["user-delete", "user-change", "user-change", "user-create"]);
}

async fn the_last_admin_stays(engine: Engine) {
    let world = test_server(engine);
    let (first, second) =
        (world.add_user("first", UserRole::Admin), world.add_user("second", UserRole::Admin));
    let by = world.open_session(&first);
    let path = |id: i64| format!("/api/v1/users/{id}");
    let demote =
        |id| TestRequest::new(Method::PATCH, &path(id)).with_session(&by).json(json!({ "role": "user" }));
    let disable =
        |id| TestRequest::new(Method::PATCH, &path(id)).with_session(&by).json(json!({ "disabled": true }));
    let remove = |id| TestRequest::new(Method::DELETE, &path(id)).with_session(&by);
    assert_eq!(world.send(disable(second.id)).await.status, StatusCode::OK);
    for ask in [demote(first.id), disable(first.id), remove(first.id)] {
        assert_eq!(world.send(ask).await.expect_problem().0, 409);
    }
    assert_eq!(world.send(remove(second.id)).await.status, StatusCode::NO_CONTENT, "a disabled one may go");
    assert_eq!(world.app.store.count_admins().unwrap(), 1);
}

async fn two_admins_cannot_demote_each_other_at_once(engine: Engine) {
    let world = test_server(engine);
    let (first, second) =
        (world.add_user("first", UserRole::Admin), world.add_user("second", UserRole::Admin));
    let (one, two) = (world.open_session(&first), world.open_session(&second));
    let demote = |id: i64| {
        TestRequest::new(Method::PATCH, &format!("/api/v1/users/{id}")).json(json!({ "role": "user" }))
    };
    let (a, b) = tokio::join!(
        world.send(demote(second.id).with_session(&one)),
        world.send(demote(first.id).with_session(&two))
    );
    assert_eq!(world.app.store.count_admins().unwrap(), 1, "{} {}", a.status, b.status);
}

async fn settings_are_in_force_at_once(engine: Engine) {
    let world = test_server(engine);
    let root = world.open_session(&world.add_user("root", UserRole::Admin));
    let change =
        |body: Value| TestRequest::new(Method::PATCH, "/api/v1/settings").with_session(&root).json(body);
    let changed =
        world.send(change(json!({ "title": "Our maps", "max_running": 7, "welcome": "Hello" }))).await;
    assert_eq!(changed.json()["settings"]["title"], "Our maps");
    assert_eq!(changed.json()["changed"], json!(["max_running", "title", "welcome"]));
    assert_eq!(world.send(TestRequest::get("/api/v1/session")).await.json()["max_running"], 7);

    let (status, problem) =
        world.send(change(json!({ "title": "Other", "colour": "red" }))).await.expect_problem();
    assert_eq!((status, problem["parameter"].as_str()), (422, Some("colour")));
    assert_eq!(world.send(change(json!({ "unknown": null }))).await.expect_problem().0, 422);
    assert_eq!(world.send(change(json!([1]))).await.expect_problem().0, 422);
    let now = world.send(TestRequest::get("/api/v1/settings").with_session(&root)).await.json();
    assert_eq!(now["settings"]["title"], "Our maps", "all or none");
    let back = world.send(change(json!({ "title": null }))).await.json();
    assert_eq!(back["settings"]["title"], "Geotrawl");
    assert_eq!(world.audit_actions(), ["settings", "settings"]);
}

async fn notes_the_log_and_the_state_are_for_admins_to_read(engine: Engine) {
    let world = test_server(engine);
    let root = world.open_session(&world.add_user("root", UserRole::Admin));
    let note = NewRecordReport { record: "abc".into(), user: None, text: "dead".into() };
    let id = world.app.store.add_report(&note, world.app.now()).unwrap().unwrap();
    let open = world.send(TestRequest::get("/api/v1/reports").with_session(&root)).await.json();
    assert_eq!(open["results"][0]["text"], "dead");
    let close = TestRequest::post(&format!("/api/v1/reports/{id}/close")).with_session(&root);
    assert_eq!(world.send(close).await.status, StatusCode::NO_CONTENT);
    assert_eq!(
        world.send(TestRequest::get("/api/v1/reports").with_session(&root)).await.json()["results"],
        json!([])
    );
    let all = world.send(TestRequest::get("/api/v1/reports?all=true").with_session(&root)).await.json();
    assert_eq!(all["results"][0]["closed"], true);

    let audit = world.send(TestRequest::get("/api/v1/audit?limit=1").with_session(&root)).await.json();
    assert_eq!(audit["results"][0]["action"], "report-close");
    assert_eq!(audit["results"][0]["who"], "root");
    assert_eq!(audit["results"][0]["address"], "192.0.2.1");
    let system = world.send(TestRequest::get("/api/v1/system").with_session(&root)).await.json();
    assert!(system["store_bytes"].as_u64().unwrap() > 0);
    assert!(system["started"].is_string());
}

geotrawl_testkit::on_both_engines! {
    #[tokio::test]
    a_new_password_ends_other_sessions
    tokens_are_shown_once_and_do_what_they_may
    admins_add_change_and_remove_people
    the_last_admin_stays
    two_admins_cannot_demote_each_other_at_once
    settings_are_in_force_at_once
    notes_the_log_and_the_state_are_for_admins_to_read
}
