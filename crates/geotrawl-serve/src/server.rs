//! The router, the order of its layers, and the main loop.

mod connections;
mod document;
mod etags;
mod headers;
mod refusals;
mod requests;
mod streams;

use crate::auth::needs::RouteRequirements;
use crate::{App, Problem, api, assets, auth};
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use geotrawl_model::task::{JobFilter, JobState};
use std::any::Any;
use std::collections::BTreeMap;
use std::future::Future;
use std::time::Duration;
use tokio::net::TcpListener;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::cors::{AllowOrigin, CorsLayer};
use utoipa::OpenApi as _;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Base path of the API.
pub const API: &str = "/api/v1";
/// Maximum size of a request body in bytes.
pub const BODY_LIMIT: usize = 1 << 20;
const JSON: &str = "application/json";
/// Media type of problem documents.
const PROBLEM: &str = "application/problem+json";
/// Time for open requests to finish when the server stops.
const GRACE: Duration = Duration::from_secs(10);
/// Interval at which expired sessions are removed.
const SWEEP_EVERY: Duration = Duration::from_hours(1);

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Geotrawl",
        description = "Search, monitor and control a catalogue of the geospatial web. Errors are problem documents \
            (RFC 9457). Programs use `Authorization: Bearer gt_…`; `x-needs` says who may use an operation, \
            `x-scope` which scope a token requires."
    ),
    components(schemas(Problem))
)]
struct ApiDocument;

/// Builds the router of the whole server, and its OpenAPI document.
///
/// # Panics
/// If a route does not declare its access requirements: such a program must not start.
#[expect(clippy::panic, reason = "an undeclared route is a mistake in the program, found by every test")]
pub fn build_router(app: App) -> (Router, OpenApi) {
    let api = api::router().routes(routes!(openapi));
    let (router, mut document) =
        OpenApiRouter::with_openapi(ApiDocument::openapi()).nest(API, api).split_for_parts();
    let routes = RouteRequirements::from_document(&document)
        .unwrap_or_else(|faults| panic!("routes without valid access requirements: {}", faults.join("; ")));
    document::document_problems(&mut document);
    document::merge_closed_schemas(&mut document);
    let _ = app.auth.routes.set(routes);
    let _ = app.auth.document.set(document.to_json().unwrap_or_default().into());
    let _ = app.auth.started.set(app.now());

    let router = router
        .route("/healthz", get(async || "alive\n"))
        .route("/readyz", get(readyz))
        .route("/metrics", get(metrics))
        .merge(crate::standards::router(&app))
        .merge(crate::replay::router())
        .fallback(fallback)
        .with_state(app.clone());
    (add_layers(router, &app), document)
}

/// Counts responses by status class.
async fn count_served(State(app): State<App>, request: Request, next: Next) -> Response {
    let answer = next.run(request).await;
    app.served.count_response(answer.status().as_u16());
    answer
}

/// Returns the Prometheus metrics.
async fn metrics(State(app): State<App>) -> Result<Response, Problem> {
    let served = app.served.snapshot();
    let event_subscribers = app.live.watcher_count() as u64;
    let (checks, check_seconds) = app.checks.snapshot();
    let worker = app.worker.as_ref().map(|figures| figures());
    let numbers = app.blocking(move |app| {
        let statistics = app.store.statistics()?;
        let overview = app.store.overview(app.now())?;
        let mut tasks = BTreeMap::new();
        for state in JobState::ALL {
            let filter = JobFilter { states: vec![state], ..JobFilter::default() };
            tasks.insert(state.as_str().to_owned(), app.store.list_jobs(&filter)?.1);
        }
        let records = statistics.status_kinds.into_iter().flat_map(|(status, kinds)| {
            kinds.into_iter().map(move |(kind, count)| (status.clone(), kind, count))
        });
        Ok(crate::metrics::MetricsSnapshot {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            records: records.collect(),
            enrolled: overview.enrolled,
            due: overview.due,
            overdue: overview.overdue,
            checks,
            check_seconds: Some(check_seconds),
            index_lag: app
                .store
                .last_change()?
                .saturating_sub(app.index.progress().seq)
                .max(0)
                .cast_unsigned(),
            tasks,
            served,
            event_subscribers,
            resident_bytes: crate::metrics::resident_bytes(),
            worker,
        })
    });
    let text = crate::metrics::render_metrics(&numbers.await?);
    Ok(([(header::CONTENT_TYPE, crate::metrics::TEXT)], text).into_response())
}

/// Adds the layers to a router. The layer added last runs first.
pub fn add_layers(router: Router, app: &App) -> Router {
    // Binary downloads gain little from compression.
    let uncompressed = DefaultPredicate::new()
        .and(NotForContentType::const_new("application/zip"))
        .and(NotForContentType::const_new("application/geopackage+sqlite3"))
        .and(NotForContentType::const_new("application/vnd.apache.parquet"))
        .and(NotForContentType::const_new(
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        ));
    router
        .layer(from_fn(etags::add_etags))
        .layer(from_fn_with_state(app.clone(), auth::gate::authorize_request))
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .layer(from_fn(refusals::refuse_large_bodies))
        .layer(from_fn(refusals::convert_refusals))
        .layer(CompressionLayer::new().compress_when(uncompressed))
        .layer(cors(&app.config.cors_origins))
        .layer(from_fn_with_state(app.auth.subscribe_shutdown(), streams::end_streams_on_shutdown))
        .layer(from_fn_with_state(app.clone(), headers::add_security_headers))
        .layer(from_fn_with_state(app.clone(), count_served))
        .layer(CatchPanicLayer::custom(handle_panic))
        .layer(from_fn_with_state(app.clone(), requests::assign_request_id))
}

/// Serves until `shutdown`. Open requests then get a grace period; event streams end at once.
pub async fn serve(app: App, listener: TcpListener, shutdown: impl Future<Output = ()> + Send + 'static) {
    let (router, _) = build_router(app.clone());
    let sweeper = tokio::spawn(sweep_regularly(app.clone()));
    let follower = tokio::spawn(app.live.clone().follow_store(app.store.clone()));
    let (gate, live) = (app.auth.clone(), app.live.clone());
    let serving = connections::serve_connections(listener, router, async move {
        shutdown.await;
        gate.signal_shutdown();
        live.close();
    });
    let mut stopping = app.auth.subscribe_shutdown();
    // Connections that do not end in time are dropped.
    let grace = async move {
        let _ = stopping.wait_for(|stop| *stop).await;
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        () = serving => {}
        () = grace => {}
    }
    sweeper.abort();
    follower.abort();
}

/// Removes expired sessions at regular intervals.
async fn sweep_regularly(app: App) {
    let mut ticks = tokio::time::interval(SWEEP_EVERY);
    loop {
        ticks.tick().await;
        // The failure has been logged, and the next sweep retries.
        let _ = app.blocking(|app| Ok(app.store.remove_expired_sessions(app.now())?)).await;
    }
}

/// OpenAPI document
///
/// This document, in OpenAPI 3.1.
#[utoipa::path(
    get, path = "/openapi.json", tag = "meta",
    responses((status = 200, description = "The OpenAPI document", body = Object, content_type = "application/json")),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn openapi(State(app): State<App>) -> Response {
    let document = app.auth.document.get().cloned().unwrap_or_default();
    ([(header::CONTENT_TYPE, "application/json")], document).into_response()
}

/// Reports whether the store can be read.
async fn readyz(State(app): State<App>) -> Response {
    match app.blocking(|app| Ok(app.store.count_admins()?)).await {
        Ok(admins) => Json(serde_json::json!({ "ready": true, "admins": admins > 0 })).into_response(),
        Err(_fault) => {
            Problem::from_status(StatusCode::SERVICE_UNAVAILABLE, "The store is unavailable.").into_response()
        }
    }
}

/// Answers requests that match no route.
async fn fallback(request: Request) -> Response {
    let path = request.uri().path();
    if path == "/api" || path.starts_with("/api/") {
        return Problem::not_found("There is no such API endpoint.").into_response();
    }
    assets::serve_web_app(&request)
}

fn handle_panic(panic: Box<dyn Any + Send + 'static>) -> Response {
    let words = panic.downcast_ref::<String>().map(String::as_str);
    let words = words.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown panic payload");
    Problem::internal(&format!("a handler panicked: {words}")).into_response()
}

/// Builds the CORS layer: which other sites may use the API.
fn cors(origins: &[String]) -> CorsLayer {
    let methods = [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE];
    let exposed = [header::ETAG, header::RETRY_AFTER, header::CONTENT_DISPOSITION];
    let headers = [
        header::CONTENT_TYPE,
        header::AUTHORIZATION,
        header::IF_NONE_MATCH,
        HeaderName::from_static("x-csrf-token"),
        HeaderName::from_static("last-event-id"),
    ];
    let everybody = origins.iter().any(|origin| origin == "*");
    let listed: Vec<HeaderValue> =
        origins.iter().filter_map(|origin| origin.trim_end_matches('/').parse().ok()).collect();
    let allowed = AllowOrigin::predicate(move |origin, request| {
        let path = request.uri.path();
        crate::standards::is_standard_path(path)
            || (path.starts_with("/api/") && (everybody || listed.contains(origin)))
    });
    // Never allow credentials: with cookies, other sites could act on behalf of a user. Programs
    // use tokens.
    CorsLayer::new()
        .allow_origin(allowed)
        .allow_methods(methods)
        .allow_headers(headers)
        .expose_headers(exposed)
        .max_age(Duration::from_mins(10))
}
