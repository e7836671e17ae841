use crate::common::{Ask, Engine, PASSWORD, world};
use axum::http::{Method, StatusCode};
use geotrawl_model::account::UserRole;
use geotrawl_model::report::NewRecordReport;
use serde_json::{Value, json};

async fn a_new_password_ends_other_sessions(engine: Engine) {
    let world = world(engine);
    let user = world.user("anna", UserRole::User);
    let (here, there) = (world.browser(&user), world.browser(&user));
    let change = |old: &str, new: &str| {
        Ask::new(Method::PUT, "/api/v1/account/password").by(&here).json(json!({ "old": old, "new": new }))
    };
    assert_eq!(world.send(change("wrong", "a better password")).await.problem().0, 403);
    let (status, problem) = world.send(change(PASSWORD, "short")).await.problem();
    assert_eq!((status, &problem["parameter"]), (422, &json!("new")));
    let done = world.send(change(PASSWORD, "a better password")).await;
    assert_eq!(done.status, StatusCode::NO_CONTENT, "{}", done.text());
    let alive = async |browser| world.send(Ask::get("/api/v1/account/tokens").cookie(browser)).await.status;
    assert_eq!(alive(&here).await, StatusCode::OK);
    assert_eq!(alive(&there).await, StatusCode::UNAUTHORIZED);
    assert_eq!(world.log_in("anna", PASSWORD).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(world.log_in("anna", "a better password").await.status, StatusCode::OK);
    assert_eq!(world.audit()[2], "password");
}

async fn tokens_are_shown_once_and_do_what_they_may(engine: Engine) {
    let world = world(engine);
    let (user, admin) = (world.user("anna", UserRole::User), world.user("root", UserRole::Admin));
    let (browser, root) = (world.browser(&user), world.browser(&admin));
    let make = |body: Value| Ask::post("/api/v1/account/tokens").by(&browser).json(body);
    for (body, member) in [
        (json!({ "name": "", "scopes": ["read"] }), "name"),
        (json!({ "name": "t", "scopes": [] }), "scopes"),
        (json!({ "name": "t", "scopes": ["all"] }), "scopes"),
        (json!({ "name": "t", "scopes": ["admin"] }), "scopes"),
        (json!({ "name": "t", "scopes": ["read"], "days": 0 }), "days"),
        (json!({ "name": "t", "scopes": ["read"], "days": -1 }), "days"),
        (json!({ "name": "t" }), "scopes"),
    ] {
        let (status, problem) = world.send(make(body.clone())).await.problem();
        assert_eq!((status, problem["parameter"].as_str()), (422, Some(member)), "{body}");
    }
    let made = world.send(make(json!({ "name": "t", "scopes": ["read"], "days": 1 }))).await;
    assert_eq!(made.status, StatusCode::CREATED);
    let secret = made.json()["secret"].as_str().unwrap().to_owned();
    assert!(secret.starts_with("gt_") && secret.len() == 46, "{secret}");
    let id = made.json()["token"]["id"].as_i64().unwrap();

    let session = world.send(Ask::get("/api/v1/session").token(&secret)).await;
    assert_eq!(session.json()["user"]["name"], "anna");
    let list = world.send(Ask::get("/api/v1/account/tokens").cookie(&browser)).await;
    assert_eq!(list.json()["total"], 1);
    assert!(!list.text().contains(&secret) && list.json()["results"][0]["last_used"].is_string());
    assert_eq!(world.send(Ask::get("/api/v1/account/tokens").token(&secret)).await.problem().0, 403);

    let remove = |path: &str| Ask::new(Method::DELETE, path);
    let path = format!("/api/v1/account/tokens/{id}");
    assert_eq!(world.send(remove(&path).by(&root)).await.problem().0, 404, "not another's");
    world.pass(86_400);
    let expired = world.send(Ask::get("/api/v1/session").token(&secret)).await;
    assert_eq!(expired.problem().0, 401);
    assert!(expired.header("www-authenticate").contains("invalid_token"));
    assert_eq!(world.send(remove(&path).by(&browser)).await.status, StatusCode::NO_CONTENT);
    assert_eq!(world.audit(), ["token-revoke", "token-create"]);

    let admins = world.send(
        Ask::post("/api/v1/account/tokens")
            .by(&root)
            .json(json!({ "name": "t", "scopes": ["admin"], "days": null })),
    );
    let admins = admins.await.json();
    assert_eq!(admins["token"].get("expires"), None);
    let users = Ask::get("/api/v1/users").token(admins["secret"].as_str().unwrap());
    assert_eq!(world.send(users).await.status, StatusCode::OK);
}

async fn admins_add_change_and_remove_people(engine: Engine) {
    let world = world(engine);
    let admin = world.user("root", UserRole::Admin);
    let root = world.browser(&admin);
    let add = |body: Value| Ask::post("/api/v1/users").by(&root).json(body);
    let new =
        json!({ "name": "Berta", "email": "b@example.org", "role": "user", "password": "a good password" });
    let added = world.send(add(new.clone())).await;
    assert_eq!(added.status, StatusCode::CREATED, "{}", added.text());
    assert!(!added.text().contains("argon2"));
    let berta = added.json()["id"].as_i64().unwrap();
    let mut again = new.clone();
    again["name"] = json!("BERTA");
    assert_eq!(world.send(add(again)).await.problem().0, 409);
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
        let (status, problem) = world.send(add(body)).await.problem();
        assert_eq!((status, problem["parameter"].as_str()), (422, Some(member)));
    }
    let path = format!("/api/v1/users/{berta}");
    let change = |body: Value| Ask::new(Method::PATCH, &path).by(&root).json(body);
    let changed =
        world.send(change(json!({ "email": null, "max_running": 2, "role": "admin" }))).await.json();
    assert_eq!(changed["role"], "admin");
    assert_eq!((changed.get("email"), &changed["max_running"]), (None, &json!(2)));
    let changed = world.send(change(json!({ "max_running": null, "disabled": true }))).await.json();
    assert_eq!((changed.get("max_running"), &changed["disabled"]), (None, &json!(true)));

    let list = world.send(Ask::get("/api/v1/users?limit=1&offset=1").by(&root)).await.json();
    assert_eq!((&list["total"], &list["results"][0]["name"]), (&json!(2), &json!("root")));
    let remove = || Ask::new(Method::DELETE, &path).by(&root);
    assert_eq!(world.send(remove()).await.status, StatusCode::NO_CONTENT);
    assert_eq!(world.send(remove()).await.problem().0, 404);
    assert_eq!(world.audit(), ["user-delete", "user-change", "user-change", "user-create"]);
}

async fn the_last_admin_stays(engine: Engine) {
    let world = world(engine);
    let (first, second) = (world.user("first", UserRole::Admin), world.user("second", UserRole::Admin));
    let by = world.browser(&first);
    let path = |id: i64| format!("/api/v1/users/{id}");
    let demote = |id| Ask::new(Method::PATCH, &path(id)).by(&by).json(json!({ "role": "user" }));
    let disable = |id| Ask::new(Method::PATCH, &path(id)).by(&by).json(json!({ "disabled": true }));
    let remove = |id| Ask::new(Method::DELETE, &path(id)).by(&by);
    assert_eq!(world.send(disable(second.id)).await.status, StatusCode::OK);
    for ask in [demote(first.id), disable(first.id), remove(first.id)] {
        assert_eq!(world.send(ask).await.problem().0, 409);
    }
    assert_eq!(world.send(remove(second.id)).await.status, StatusCode::NO_CONTENT, "a disabled one may go");
    assert_eq!(world.app.store.count_admins().unwrap(), 1);
}

async fn two_admins_cannot_demote_each_other_at_once(engine: Engine) {
    let world = world(engine);
    let (first, second) = (world.user("first", UserRole::Admin), world.user("second", UserRole::Admin));
    let (one, two) = (world.browser(&first), world.browser(&second));
    let demote =
        |id: i64| Ask::new(Method::PATCH, &format!("/api/v1/users/{id}")).json(json!({ "role": "user" }));
    let (a, b) = tokio::join!(world.send(demote(second.id).by(&one)), world.send(demote(first.id).by(&two)));
    assert_eq!(world.app.store.count_admins().unwrap(), 1, "{} {}", a.status, b.status);
}

async fn settings_are_in_force_at_once(engine: Engine) {
    let world = world(engine);
    let root = world.browser(&world.user("root", UserRole::Admin));
    let change = |body: Value| Ask::new(Method::PATCH, "/api/v1/settings").by(&root).json(body);
    let changed =
        world.send(change(json!({ "title": "Our maps", "max_running": 7, "welcome": "Hello" }))).await;
    assert_eq!(changed.json()["settings"]["title"], "Our maps");
    assert_eq!(changed.json()["changed"], json!(["max_running", "title", "welcome"]));
    assert_eq!(world.send(Ask::get("/api/v1/session")).await.json()["max_running"], 7);

    let (status, problem) = world.send(change(json!({ "title": "Other", "colour": "red" }))).await.problem();
    assert_eq!((status, problem["parameter"].as_str()), (422, Some("colour")));
    assert_eq!(world.send(change(json!({ "unknown": null }))).await.problem().0, 422);
    assert_eq!(world.send(change(json!([1]))).await.problem().0, 422);
    let now = world.send(Ask::get("/api/v1/settings").by(&root)).await.json();
    assert_eq!(now["settings"]["title"], "Our maps", "all or none");
    let back = world.send(change(json!({ "title": null }))).await.json();
    assert_eq!(back["settings"]["title"], "Geotrawl");
    assert_eq!(world.audit(), ["settings", "settings"]);
}

async fn notes_the_log_and_the_state_are_for_admins_to_read(engine: Engine) {
    let world = world(engine);
    let root = world.browser(&world.user("root", UserRole::Admin));
    let note = NewRecordReport { record: "abc".into(), user: None, text: "dead".into() };
    let id = world.app.store.add_report(&note, world.app.now()).unwrap().unwrap();
    let open = world.send(Ask::get("/api/v1/reports").by(&root)).await.json();
    assert_eq!(open["results"][0]["text"], "dead");
    let close = Ask::post(&format!("/api/v1/reports/{id}/close")).by(&root);
    assert_eq!(world.send(close).await.status, StatusCode::NO_CONTENT);
    assert_eq!(world.send(Ask::get("/api/v1/reports").by(&root)).await.json()["results"], json!([]));
    let all = world.send(Ask::get("/api/v1/reports?all=true").by(&root)).await.json();
    assert_eq!(all["results"][0]["closed"], true);

    let audit = world.send(Ask::get("/api/v1/audit?limit=1").by(&root)).await.json();
    assert_eq!(audit["results"][0]["action"], "report-close");
    assert_eq!(audit["results"][0]["who"], "root");
    assert_eq!(audit["results"][0]["address"], "192.0.2.1");
    let system = world.send(Ask::get("/api/v1/system").by(&root)).await.json();
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
