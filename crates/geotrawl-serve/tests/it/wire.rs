use crate::common::{Engine, TestRequest, send, test_server, test_server_with};
use axum::Router;
use axum::body::Body;
use axum::http::{Method, StatusCode};
use axum::response::IntoResponse;
use axum::routing::get;
use futures_util::StreamExt;
use geotrawl_model::account::UserRole;
use geotrawl_serve::{ServeConfig, server};
use serde_json::json;
use std::convert::Infallible;
use tower::ServiceExt;

#[tokio::test]
async fn every_answer_is_safe_for_browsers() {
    let world = test_server(Engine::Embedded);
    for path in ["/", "/healthz", "/api/v1/session", "/api/v1/nowhere"] {
        let answer = world.send(TestRequest::get(path)).await;
        assert!(answer.header("content-security-policy").contains("frame-ancestors 'none'"), "{path}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("x-frame-options"), "DENY");
        assert_eq!(answer.header("referrer-policy"), "same-origin");
        assert!(!answer.header("permissions-policy").is_empty());
        assert!(answer.header("strict-transport-security").is_empty(), "not without https");
    }
    assert_eq!(
        world.send(TestRequest::get("/readyz")).await.json(),
        json!({ "ready": true, "admins": false })
    );
}

#[tokio::test]
async fn refusals_are_problems() {
    let world = test_server(Engine::Embedded);
    let root = world.open_session(&world.add_user("root", UserRole::Admin));
    let nowhere = world.send(TestRequest::get("/api/v1/nowhere")).await;
    assert_eq!(nowhere.expect_problem().0, 404);
    assert_eq!(world.send(TestRequest::get("/api")).await.expect_problem().0, 404);
    let method = world.send(TestRequest::new(Method::PUT, "/api/v1/session").with_session(&root)).await;
    assert_eq!(method.expect_problem().0, 405);
    assert_eq!(method.header("allow"), "GET, POST, DELETE, HEAD");
    let (status, problem) =
        world.send(TestRequest::get("/api/v1/audit?limit=many").with_session(&root)).await.expect_problem();
    assert_eq!((status, problem["parameter"].as_str()), (400, Some("limit")), "{problem}");
    let path = TestRequest::new(Method::DELETE, "/api/v1/users/somebody").with_session(&root);
    assert_eq!(world.send(path).await.expect_problem().0, 400);
    let broken = TestRequest::post("/api/v1/session").body("application/json", "{".into());
    assert_eq!(world.send(broken).await.expect_problem().0, 400);
}

#[tokio::test]
async fn places_are_told_by_name() {
    let world = test_server(Engine::Embedded);
    let ask = async |query: &str| world.send(TestRequest::get(&format!("/api/v1/gazetteer?{query}"))).await;
    let sea = &ask("q=depth%20nords&limit=1").await.json()["places"][0];
    assert_eq!(
        (&sea["name"], &sea["kind"], &sea["rest"]),
        (&json!("North Sea"), &json!("area"), &json!("depth"))
    );
    assert_eq!(sea["bbox"], json!([-4.0, 50.9, 9.5, 61.5]));
    let said = ask("as=said&q=Polen%20stra%C3%9Fen").await.json();
    assert_eq!(
        (&said["places"][0]["country"], &said["places"][0]["rest"]),
        (&json!("PL"), &json!("straßen"))
    );
    assert_eq!(ask("q=").await.json(), json!({ "places": [] }));
    for (query, parameter) in
        [("q=x&limit=0", "limit"), ("q=x&as=shouted", "as"), (&format!("q={}", "x".repeat(201)), "q")]
    {
        let (status, problem) = ask(query).await.expect_problem();
        assert_eq!((status, problem["parameter"].as_str()), (400, Some(parameter)), "{problem}");
    }
}

#[tokio::test]
async fn large_bodies_are_not_read() {
    let world = test_server(Engine::Embedded);
    let large = "x".repeat(server::BODY_LIMIT + 1);
    let told = TestRequest::post("/api/v1/session")
        .body("application/json", large.clone())
        .header("content-length", &large.len().to_string());
    assert_eq!(world.send(told).await.expect_problem().0, 413);
    let mut untold = TestRequest::post("/api/v1/session").header("content-type", "application/json");
    let pieces = (0..20).map(|_| Ok::<_, Infallible>("x".repeat(100_000)));
    *untold.0.body_mut() = Body::from_stream(futures_util::stream::iter(pieces));
    assert_eq!(world.send(untold).await.expect_problem().0, 413);
}

#[tokio::test]
async fn what_did_not_change_is_not_sent_again() {
    let world = test_server(Engine::Embedded);
    let root = world.open_session(&world.add_user("root", UserRole::Admin));
    let ask = || TestRequest::get("/api/v1/settings").with_session(&root);
    let first = world.send(ask()).await;
    let tag = first.header("etag").to_owned();
    assert!(tag.starts_with("W/\""), "{tag}");
    assert_eq!(first.header("cache-control"), "private, no-cache");
    assert!(first.header("vary").contains("cookie"));
    let again = world.send(ask().header("if-none-match", &format!("\"other\", {tag}"))).await;
    assert_eq!((again.status, again.body.len()), (StatusCode::NOT_MODIFIED, 0));
    assert_eq!(again.header("etag"), tag);
    let guest = world.send(TestRequest::get("/api/v1/settings").header("if-none-match", &tag)).await;
    assert_eq!(guest.status, StatusCode::UNAUTHORIZED, "a tag opens nothing");
    let change = TestRequest::new(Method::PATCH, "/api/v1/settings")
        .with_session(&root)
        .json(json!({ "title": "New" }));
    world.send(change).await;
    assert_eq!(world.send(ask().header("if-none-match", &tag)).await.status, StatusCode::OK);
}

#[tokio::test]
async fn answers_are_compressed() {
    let world = test_server(Engine::Embedded);
    let answer = world.send(TestRequest::get("/api/v1/openapi.json").header("accept-encoding", "gzip")).await;
    assert_eq!(answer.header("content-encoding"), "gzip");
    assert!(!answer.header("etag").is_empty());
}

#[tokio::test]
async fn other_sites_see_what_the_operator_allows() {
    let ask = |origin: &str, path: &str| TestRequest::get(path).header("origin", origin);
    let allowed = "access-control-allow-origin";
    let closed = test_server(Engine::Embedded);
    let answer = closed.send(ask("https://a.example", "/api/v1/session")).await;
    assert!(answer.header(allowed).is_empty());

    let config = ServeConfig { cors_origins: vec!["https://a.example".into()], ..ServeConfig::default() };
    let some = test_server_with(Engine::Embedded, config);
    let answer = some.send(ask("https://a.example", "/api/v1/session")).await;
    assert_eq!(answer.header(allowed), "https://a.example");
    assert!(answer.header("access-control-allow-credentials").is_empty());
    assert!(some.send(ask("https://b.example", "/api/v1/session")).await.header(allowed).is_empty());
    assert!(some.send(ask("https://a.example", "/healthz")).await.header(allowed).is_empty());
    let preflight = TestRequest::new(Method::OPTIONS, "/api/v1/users")
        .header("origin", "https://a.example")
        .header("access-control-request-method", "GET")
        .header("access-control-request-headers", "authorization");
    let preflight = some.send(preflight).await;
    assert_eq!(preflight.status, StatusCode::OK);
    assert!(preflight.header("access-control-allow-headers").contains("authorization"));

    let all = test_server_with(
        Engine::Embedded,
        ServeConfig { cors_origins: vec!["*".into()], ..ServeConfig::default() },
    );
    let answer = all.send(ask("https://c.example", "/api/v1/session")).await;
    assert!(!answer.header(allowed).is_empty());
    assert!(answer.header("access-control-allow-credentials").is_empty(), "never with cookies");
}

#[tokio::test]
async fn one_caller_has_a_rate() {
    let config = ServeConfig { guest_rate: 3, user_rate: 5, ..ServeConfig::default() };
    let world = test_server_with(Engine::Embedded, config);
    let browser = world.open_session(&world.add_user("anna", UserRole::User));
    let ask = || TestRequest::get("/api/v1/session");
    for _ in 0..3 {
        assert_eq!(world.send(ask()).await.status, StatusCode::OK);
    }
    let refused = world.send(ask()).await;
    assert_eq!(refused.expect_problem().0, 429);
    assert_eq!(refused.header("retry-after"), "20");
    assert_eq!(world.send(ask().with_token("gt_guess")).await.expect_problem().0, 429, "guesses count");
    assert_eq!(world.send(ask().with_address("192.0.2.2")).await.status, StatusCode::OK);
    for _ in 0..5 {
        assert_eq!(
            world.send(ask().with_cookie(&browser)).await.status,
            StatusCode::OK,
            "people have their own"
        );
    }
    assert_eq!(
        world.send(ask().with_cookie(&browser).with_address("192.0.2.3")).await.expect_problem().0,
        429
    );
    world.advance_clock(20);
    assert_eq!(world.send(ask()).await.status, StatusCode::OK);
    assert_eq!(world.send(TestRequest::get("/healthz")).await.status, StatusCode::OK);
}

#[tokio::test]
async fn forwarded_addresses_count_only_from_trusted_proxies() {
    let config =
        ServeConfig { guest_rate: 1, trusted_proxies: vec!["10.0.0.1".into()], ..ServeConfig::default() };
    let world = test_server_with(Engine::Embedded, config);
    let ask = |peer: &str, named: &str| {
        TestRequest::get("/api/v1/session").with_address(peer).header("x-forwarded-for", named)
    };
    assert_eq!(world.send(ask("10.0.0.1", "198.51.100.1")).await.status, StatusCode::OK);
    assert_eq!(world.send(ask("10.0.0.1", "198.51.100.2")).await.status, StatusCode::OK);
    assert_eq!(world.send(ask("10.0.0.1", "198.51.100.1")).await.expect_problem().0, 429);
    assert_eq!(world.send(ask("192.0.2.50", "198.51.100.3")).await.status, StatusCode::OK);
    assert_eq!(world.send(ask("192.0.2.50", "198.51.100.4")).await.expect_problem().0, 429);
}

#[tokio::test]
async fn panics_and_undeclared_routes_are_answered() {
    let world = test_server(Engine::Embedded);
    async fn broken() -> &'static str {
        panic!("a secret detail")
    }
    let router =
        Router::new().route("/broken", get(broken)).route("/api/v1/undeclared", get(async || "secret"));
    let router = server::add_layers(router, &world.app);
    let answer = send(router.clone(), TestRequest::get("/broken")).await;
    assert_eq!(answer.expect_problem().0, 500);
    assert!(!answer.text().contains("secret"));
    assert_eq!(send(router, TestRequest::get("/api/v1/undeclared")).await.expect_problem().0, 404);
}

#[tokio::test]
async fn streams_are_not_compressed_and_end_with_the_server() {
    let world = test_server(Engine::Embedded);
    let endless = async || {
        let events = futures_util::stream::iter([Ok::<_, Infallible>("data: 1\n\n")]);
        let events = events.chain(futures_util::stream::pending());
        ([("content-type", "text/event-stream")], Body::from_stream(events)).into_response()
    };
    let router = Router::new().route("/api/v1/session", get(endless));
    let router = server::add_layers(router, &world.app);
    let ask = TestRequest::get("/api/v1/session").header("accept-encoding", "gzip, br");
    let response = router.oneshot(ask.0).await.unwrap();
    assert!(response.headers().get("content-encoding").is_none());
    let mut body = response.into_body().into_data_stream();
    assert_eq!(body.next().await.unwrap().unwrap(), "data: 1\n\n");

    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let serving = tokio::spawn(server::serve(world.app.clone(), listener, async move {
        let _ = stopped.await;
    }));
    stop.send(()).unwrap();
    assert!(body.next().await.is_none(), "the stream ends");
    serving.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_never_comes_is_given_up() {
    let world = test_server(Engine::Embedded);
    let router = Router::new().route("/api/v1/session", get(std::future::pending::<&'static str>));
    let answer = send(server::add_layers(router, &world.app), TestRequest::get("/api/v1/session")).await;
    assert_eq!(answer.expect_problem().0, 503);
    assert!(!answer.header("retry-after").is_empty());
}
