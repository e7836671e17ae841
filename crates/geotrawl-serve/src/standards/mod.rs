//! The standards of catalogues, each a thin layer between HTTP and `geotrawl-standards`: all are answered from the same
//! search and the same store.
//!
//! Everybody may read them, pages of other sites as well, within the rate of guests; `serve.standards = "nobody"` turns
//! them off.

pub(crate) mod base;
mod csw;
mod dcat;
mod found;
mod oai;
mod opensearch;
mod params;
mod records;
mod sitemap;
mod stac;
mod status_feed;

use crate::auth::Caller;
use crate::auth::peer::RequestPeer;
use crate::config::StandardsAudience;
use crate::{App, Problem};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::time::Duration;

/// Time for an answer to begin.
const ANSWER_TIME: Duration = Duration::from_mins(1);

/// Where they are: these paths and everything below.
const PATHS: &[&str] = &["/csw", "/records", "/opensearch", "/stac", "/dcat", "/oai", "/feeds", "/sitemap"];
/// Files of theirs.
const FILES: &[&str] = &["/sitemap.xml", "/robots.txt", "/dcat.jsonld", "/dcat.ttl", "/dcat.rdf"];

/// Their routes.
pub fn router(app: &App) -> Router<App> {
    Router::new()
        .merge(csw::router())
        .merge(records::router())
        .merge(opensearch::router())
        .merge(stac::router())
        .merge(dcat::router())
        .merge(oai::router())
        .merge(sitemap::router())
        .merge(status_feed::router())
        .route_layer(from_fn_with_state(app.clone(), admit))
        // A page of the application: it is there whether standards are spoken or not.
        .route("/service/{id}", get(dcat::service_page))
}

/// Whether everybody may read what is there, also from pages of other sites.
pub(crate) fn is_standard_path(path: &str) -> bool {
    let below =
        |root: &&str| path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    PATHS.iter().any(below) || FILES.contains(&path)
}

/// Whoever asks is a guest here.
fn guest(request: &Request) -> Caller {
    let address = request.extensions().get::<RequestPeer>().and_then(|peer| peer.address);
    Caller { user: None, session: None, scopes: None, address }
}

/// Before every answer: whether standards are spoken here, and how often this caller has asked.
async fn admit(State(app): State<App>, request: Request, next: Next) -> Response {
    if app.config.standards == StandardsAudience::Nobody {
        return Problem::not_found("The standards of catalogues are turned off on this server.")
            .into_response();
    }
    let settings = app.settings().await;
    if let Err(refusal) = app.auth.limits.count_request(&guest(&request), &settings, app.now()) {
        return refusal.into_response();
    }
    match tokio::time::timeout(ANSWER_TIME, next.run(request)).await {
        Ok(answer) => answer,
        Err(_elapsed) => {
            let detail = "The answer took too long. Ask for less, or try again later.";
            let mut problem = Problem::from_status(StatusCode::SERVICE_UNAVAILABLE, detail);
            problem.retry_after = Some(10);
            problem.into_response()
        }
    }
}
