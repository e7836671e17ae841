use crate::common::{Ask, Engine, send, world, world_with};
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
    let world = world(Engine::Embedded);
    for path in ["/", "/healthz", "/api/v1/session", "/api/v1/nowhere"] {
        let answer = world.send(Ask::get(path)).await;
        assert!(answer.header("content-security-policy").contains("frame-ancestors 'none'"), "{path}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("x-frame-options"), "DENY");
        assert_eq!(answer.header("referrer-policy"), "same-origin");
        assert!(!answer.header("permissions-policy").is_empty());
        assert!(answer.header("strict-transport-security").is_empty(), "not without https");
    }
    assert_eq!(world.send(Ask::get("/readyz")).await.json(), json!({ "ready": true, "admins": false }));
}

#[tokio::test]
async fn refusals_are_problems() {
    let world = world(Engine::Embedded);
    let root = world.browser(&world.user("root", UserRole::Admin));
    let nowhere = world.send(Ask::get("/api/v1/nowhere")).await;
    assert_eq!(nowhere.problem().0, 404);
    assert_eq!(world.send(Ask::get("/api")).await.problem().0, 404);
    let method = world.send(Ask::new(Method::PUT, "/api/v1/session").by(&root)).await;
    assert_eq!(method.problem().0, 405);
    assert_eq!(method.header("allow"), "GET, POST, DELETE, HEAD");
    let (status, problem) = world.send(Ask::get("/api/v1/audit?limit=many").by(&root)).await.problem();
    assert_eq!((status, problem["parameter"].as_str()), (400, Some("limit")), "{problem}");
    let path = Ask::new(Method::DELETE, "/api/v1/users/somebody").by(&root);
    assert_eq!(world.send(path).await.problem().0, 400);
    let broken = Ask::post("/api/v1/session").body("application/json", "{".into());
    assert_eq!(world.send(broken).await.problem().0, 400);
}

#[tokio::test]
async fn places_are_told_by_name() {
    let world = world(Engine::Embedded);
    let ask = async |query: &str| world.send(Ask::get(&format!("/api/v1/gazetteer?{query}"))).await;
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
        let (status, problem) = ask(query).await.problem();
        assert_eq!((status, problem["parameter"].as_str()), (400, Some(parameter)), "{problem}");
    }
}

#[tokio::test]
async fn large_bodies_are_not_read() {
    let world = world(Engine::Embedded);
    let large = "x".repeat(server::BODY_LIMIT + 1);
    let told = Ask::post("/api/v1/session")
        .body("application/json", large.clone())
        .header("content-length", &large.len().to_string());
    assert_eq!(world.send(told).await.problem().0, 413);
    let mut untold = Ask::post("/api/v1/session").header("content-type", "application/json");
    let pieces = (0..20).map(|_| Ok::<_, Infallible>("x".repeat(100_000)));
    *untold.0.body_mut() = Body::from_stream(futures_util::stream::iter(pieces));
    assert_eq!(world.send(untold).await.problem().0, 413);
}

#[tokio::test]
async fn what_did_not_change_is_not_sent_again() {
    let world = world(Engine::Embedded);
    let root = world.browser(&world.user("root", UserRole::Admin));
    let ask = || Ask::get("/api/v1/settings").by(&root);
    let first = world.send(ask()).await;
    let tag = first.header("etag").to_owned();
    assert!(tag.starts_with("W/\""), "{tag}");
    assert_eq!(first.header("cache-control"), "private, no-cache");
    assert!(first.header("vary").contains("cookie"));
    let again = world.send(ask().header("if-none-match", &format!("\"other\", {tag}"))).await;
    assert_eq!((again.status, again.body.len()), (StatusCode::NOT_MODIFIED, 0));
    assert_eq!(again.header("etag"), tag);
    let guest = world.send(Ask::get("/api/v1/settings").header("if-none-match", &tag)).await;
    assert_eq!(guest.status, StatusCode::UNAUTHORIZED, "a tag opens nothing");
    let change = Ask::new(Method::PATCH, "/api/v1/settings").by(&root).json(json!({ "title": "New" }));
    world.send(change).await;
    assert_eq!(world.send(ask().header("if-none-match", &tag)).await.status, StatusCode::OK);
}

#[tokio::test]
async fn answers_are_compressed() {
    let world = world(Engine::Embedded);
    let answer = world.send(Ask::get("/api/v1/openapi.json").header("accept-encoding", "gzip")).await;
    assert_eq!(answer.header("content-encoding"), "gzip");
    assert!(!answer.header("etag").is_empty());
}

#[tokio::test]
async fn other_sites_see_what_the_operator_allows() {
    let ask = |origin: &str, path: &str| Ask::get(path).header("origin", origin);
    let allowed = "access-control-allow-origin";
    let closed = world(Engine::Embedded);
    let answer = closed.send(ask("https://a.example", "/api/v1/session")).await;
    assert!(answer.header(allowed).is_empty());

    let config = ServeConfig { cors_origins: vec!["https://a.example".into()], ..ServeConfig::default() };
    let some = world_with(Engine::Embedded, config);
    let answer = some.send(ask("https://a.example", "/api/v1/session")).await;
    assert_eq!(answer.header(allowed), "https://a.example");
    assert!(answer.header("access-control-allow-credentials").is_empty());
    assert!(some.send(ask("https://b.example", "/api/v1/session")).await.header(allowed).is_empty());
    assert!(some.send(ask("https://a.example", "/healthz")).await.header(allowed).is_empty());
    let preflight = Ask::new(Method::OPTIONS, "/api/v1/users")
        .header("origin", "https://a.example")
        .header("access-control-request-method", "GET")
        .header("access-control-request-headers", "authorization");
    let preflight = some.send(preflight).await;
    assert_eq!(preflight.status, StatusCode::OK);
    assert!(preflight.header("access-control-allow-headers").contains("authorization"));

    let all = world_with(
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
    let world = world_with(Engine::Embedded, config);
    let browser = world.browser(&world.user("anna", UserRole::User));
    let ask = || Ask::get("/api/v1/session");
    for _ in 0..3 {
        assert_eq!(world.send(ask()).await.status, StatusCode::OK);
    }
    let refused = world.send(ask()).await;
    assert_eq!(refused.problem().0, 429);
    assert_eq!(refused.header("retry-after"), "20");
    assert_eq!(world.send(ask().token("gt_guess")).await.problem().0, 429, "guesses count");
    assert_eq!(world.send(ask().from("192.0.2.2")).await.status, StatusCode::OK);
    for _ in 0..5 {
        assert_eq!(world.send(ask().cookie(&browser)).await.status, StatusCode::OK, "people have their own");
    }
    assert_eq!(world.send(ask().cookie(&browser).from("192.0.2.3")).await.problem().0, 429);
    world.pass(20);
    assert_eq!(world.send(ask()).await.status, StatusCode::OK);
    assert_eq!(world.send(Ask::get("/healthz")).await.status, StatusCode::OK);
}

#[tokio::test]
async fn forwarded_addresses_count_only_from_trusted_proxies() {
    let config =
        ServeConfig { guest_rate: 1, trusted_proxies: vec!["10.0.0.1".into()], ..ServeConfig::default() };
    let world = world_with(Engine::Embedded, config);
    let ask =
        |peer: &str, named: &str| Ask::get("/api/v1/session").from(peer).header("x-forwarded-for", named);
    assert_eq!(world.send(ask("10.0.0.1", "198.51.100.1")).await.status, StatusCode::OK);
    assert_eq!(world.send(ask("10.0.0.1", "198.51.100.2")).await.status, StatusCode::OK);
    assert_eq!(world.send(ask("10.0.0.1", "198.51.100.1")).await.problem().0, 429);
    assert_eq!(world.send(ask("192.0.2.50", "198.51.100.3")).await.status, StatusCode::OK);
    assert_eq!(world.send(ask("192.0.2.50", "198.51.100.4")).await.problem().0, 429);
}

#[tokio::test]
async fn panics_and_undeclared_routes_are_answered() {
    let world = world(Engine::Embedded);
    async fn broken() -> &'static str {
        panic!("a secret detail")
    }
    let router =
        Router::new().route("/broken", get(broken)).route("/api/v1/undeclared", get(async || "secret"));
    let router = server::layered(router, &world.app);
    let answer = send(router.clone(), Ask::get("/broken")).await;
    assert_eq!(answer.problem().0, 500);
    assert!(!answer.text().contains("secret"));
    assert_eq!(send(router, Ask::get("/api/v1/undeclared")).await.problem().0, 404);
}

#[tokio::test]
async fn streams_are_not_compressed_and_end_with_the_server() {
    let world = world(Engine::Embedded);
    let endless = async || {
        let events = futures_util::stream::iter([Ok::<_, Infallible>("data: 1\n\n")]);
        let events = events.chain(futures_util::stream::pending());
        ([("content-type", "text/event-stream")], Body::from_stream(events)).into_response()
    };
    let router = Router::new().route("/api/v1/session", get(endless));
    let router = server::layered(router, &world.app);
    let ask = Ask::get("/api/v1/session").header("accept-encoding", "gzip, br");
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
    let world = world(Engine::Embedded);
    let router = Router::new().route("/api/v1/session", get(std::future::pending::<&'static str>));
    let answer = send(server::layered(router, &world.app), Ask::get("/api/v1/session")).await;
    assert_eq!(answer.problem().0, 503);
    assert!(!answer.header("retry-after").is_empty());
}
