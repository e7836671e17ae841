use crate::common::{Engine, PASSWORD, TestRequest, test_server, test_server_with};
use axum::http::{Method, StatusCode};
use geotrawl_model::account::{UserChange, UserRole};
use geotrawl_serve::ServeConfig;
use serde_json::{Value, json};

async fn a_person_logs_in_looks_and_logs_out(engine: Engine) {
    let world = test_server(engine);
    world.add_user("Anna", UserRole::User);
    let guest = world.send(TestRequest::get("/api/v1/session")).await;
    assert_eq!(guest.json(), json!({ "user": null, "csrf": null, "running": 0, "max_running": 5 }));

    let login = world.log_in(" anna ", PASSWORD).await;
    assert_eq!(login.status, StatusCode::OK, "{}", login.text());
    assert_eq!(login.header("cache-control"), "no-store");
    let browser = login.new_session();
    let session = world.send(TestRequest::get("/api/v1/session").with_cookie(&browser)).await;
    assert_eq!(session.json()["user"]["name"], "Anna");
    assert_eq!(session.json()["user"]["role"], "user");
    assert_eq!(session.json()["max_running"], 5);
    let admin = world.open_session(&world.add_user("boss", UserRole::Admin));
    let theirs = world.send(TestRequest::get("/api/v1/session").with_cookie(&admin)).await;
    assert_eq!(theirs.json()["max_running"], Value::Null, "those who administer may run any number");
    assert_eq!(session.json()["csrf"], browser.csrf.as_str());
    assert!(session.header("etag").is_empty(), "secrets are not kept by caches");

    let out = world.send(TestRequest::new(Method::DELETE, "/api/v1/session").with_session(&browser)).await;
    assert_eq!(out.status, StatusCode::NO_CONTENT);
    assert!(out.header("set-cookie").starts_with("geotrawl_session=;"), "{}", out.header("set-cookie"));
    assert!(out.header("set-cookie").contains("Max-Age=0"));
    let after = world.send(TestRequest::get("/api/v1/session").with_cookie(&browser)).await;
    assert_eq!(after.json()["user"], Value::Null);
    assert_eq!(world.audit_actions(), ["logout", "login"]);
}

async fn the_cookie_is_guarded(engine: Engine) {
    let world = test_server(engine);
    world.add_user("anna", UserRole::User);
    let cookie = world.log_in("anna", PASSWORD).await.header("set-cookie").to_owned();
    for part in ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=259200"] {
        assert!(cookie.contains(part), "{part} in {cookie}");
    }
    assert!(!cookie.contains("Secure") && !cookie.contains("Domain"), "{cookie}");
    let secret = cookie.split(['=', ';']).nth(1).unwrap();
    assert_eq!(secret.len(), 43, "256 bits");

    let https = ServeConfig { public_url: "https://maps.example".into(), ..ServeConfig::default() };
    let world = test_server_with(engine, https);
    world.add_user("anna", UserRole::User);
    let answer = world.log_in("anna", PASSWORD).await;
    assert!(answer.header("set-cookie").contains("Secure"));
    assert!(answer.header("strict-transport-security").starts_with("max-age="));

    let proxied = ServeConfig { trusted_proxies: vec!["10.0.0.0/8".into()], ..ServeConfig::default() };
    let world = test_server_with(engine, proxied);
    world.add_user("anna", UserRole::User);
    let login = || {
        TestRequest::post("/api/v1/session")
            .json(json!({ "name": "anna", "password": PASSWORD }))
            .header("x-forwarded-proto", "https")
    };
    assert!(world.send(login().with_address("10.0.0.1")).await.header("set-cookie").contains("Secure"));
    assert!(!world.send(login().with_address("192.0.2.7")).await.header("set-cookie").contains("Secure"));
}

async fn a_session_is_always_new_and_the_old_one_ends(engine: Engine) {
    let world = test_server(engine);
    world.add_user("anna", UserRole::User);
    let planted = "geotrawl_session=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    let body = json!({ "name": "anna", "password": PASSWORD });
    let first =
        world.send(TestRequest::post("/api/v1/session").header("cookie", planted).json(body.clone())).await;
    let first = first.new_session();
    assert_ne!(first.cookie, planted);
    let second =
        world.send(TestRequest::post("/api/v1/session").with_session(&first).json(body)).await.new_session();
    assert_ne!(second.cookie, first.cookie);
    assert_ne!(second.csrf, first.csrf);
    let old = world.send(TestRequest::get("/api/v1/session").with_cookie(&first)).await;
    assert_eq!(old.json()["user"], Value::Null);
}

async fn a_session_lasts_while_it_is_used(engine: Engine) {
    let world = test_server(engine);
    let browser = world.open_session(&world.add_user("anna", UserRole::User));
    let look = || TestRequest::get("/api/v1/account/tokens").with_cookie(&browser);
    for _ in 0..4 {
        world.advance_clock(71 * 3_600);
        assert_eq!(world.send(look()).await.status, StatusCode::OK);
    }
    world.advance_clock(72 * 3_600);
    assert_eq!(world.send(look()).await.status, StatusCode::UNAUTHORIZED);
}

async fn wrong_unknown_and_disabled_are_answered_alike(engine: Engine) {
    let world = test_server(engine);
    world.add_user("anna", UserRole::User);
    let gone = world.add_user("gone", UserRole::User);
    let off = UserChange { disabled: Some(true), ..UserChange::default() };
    world.app.store.change_user(gone.id, &off).unwrap();
    let wrong = world.log_in("anna", "wrong password").await;
    assert_eq!(wrong.expect_problem().0, 401);
    for (name, password) in [("nobody", PASSWORD), ("gone", PASSWORD), ("gone", "wrong password")] {
        let answer = world.log_in(name, password).await;
        assert_eq!((answer.status, &answer.body), (wrong.status, &wrong.body), "{name}");
        assert!(answer.headers.get("set-cookie").is_none());
    }
    assert_eq!(world.audit_actions(), ["login-failed"; 4]);
    assert_eq!(world.app.store.audit_log(0, 9).unwrap()[2].subject, "nobody");
}

async fn tries_are_throttled_by_name_and_address(engine: Engine) {
    let world = test_server(engine);
    world.add_user("anna", UserRole::User);
    for _ in 0..5 {
        assert_eq!(world.log_in("anna", "wrong password").await.status, StatusCode::UNAUTHORIZED);
    }
    let refused = world.log_in("anna", PASSWORD).await;
    let (status, problem) = refused.expect_problem();
    assert_eq!((status, &problem["retry_after"]), (429, &json!(5)));
    assert_eq!(refused.header("retry-after"), "5");
    let elsewhere =
        TestRequest::post("/api/v1/session").json(json!({ "name": "anna", "password": PASSWORD }));
    assert_eq!(world.send(elsewhere.with_address("192.0.2.99")).await.status, StatusCode::OK, "not shut out");
    world.advance_clock(5);
    assert_eq!(world.log_in("anna", PASSWORD).await.status, StatusCode::OK);
}

async fn changes_need_the_word_of_the_session(engine: Engine) {
    let world = test_server(engine);
    let user = world.add_user("anna", UserRole::User);
    let (browser, other) = (world.open_session(&user), world.open_session(&user));
    let make =
        || TestRequest::post("/api/v1/account/tokens").json(json!({ "name": "t", "scopes": ["read"] }));
    assert_eq!(world.send(make().with_cookie(&browser)).await.expect_problem().0, 403);
    let foreign = make().with_cookie(&browser).header("x-csrf-token", &other.csrf);
    assert_eq!(world.send(foreign).await.expect_problem().0, 403, "of another session");
    assert_eq!(world.send(make().with_session(&browser)).await.status, StatusCode::CREATED);
    for (name, value, status) in [
        ("sec-fetch-site", "cross-site", 403),
        ("sec-fetch-site", "same-site", 403),
        ("sec-fetch-site", "same-origin", 201),
        ("origin", "https://evil.example", 403),
        ("origin", "null", 403),
        ("origin", "https://maps.example.evil.example", 403),
        ("origin", "https://maps.example", 201),
    ] {
        let answer = world.send(make().with_session(&browser).header(name, value)).await;
        assert_eq!(answer.status.as_u16(), status, "{name}: {value}");
    }
}

async fn other_sites_cannot_log_anybody_in(engine: Engine) {
    let world = test_server(engine);
    world.add_user("anna", UserRole::User);
    let login = || TestRequest::post("/api/v1/session").json(json!({ "name": "anna", "password": PASSWORD }));
    assert_eq!(world.send(login().header("origin", "https://evil.example")).await.expect_problem().0, 403);
    let form =
        TestRequest::post("/api/v1/session").body("text/plain", r#"{"name":"anna","password":"x"}"#.into());
    assert_eq!(world.send(form).await.expect_problem().0, 415);
}

geotrawl_testkit::on_both_engines! {
    #[tokio::test]
    a_person_logs_in_looks_and_logs_out
    the_cookie_is_guarded
    a_session_is_always_new_and_the_old_one_ends
    a_session_lasts_while_it_is_used
    wrong_unknown_and_disabled_are_answered_alike
    tries_are_throttled_by_name_and_address
    changes_need_the_word_of_the_session
    other_sites_cannot_log_anybody_in
}
