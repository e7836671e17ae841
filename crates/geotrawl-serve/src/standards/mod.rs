//! Catalogue standards, each a thin layer between HTTP and `geotrawl-standards`. All of them use
//! the same search and the same store.
//!
//! Everybody may use them, also from pages of other sites, within the rate limit of guests;
//! `serve.standards = "nobody"` turns them off.

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

/// Time until a response must start.
const ANSWER_TIME: Duration = Duration::from_mins(1);

/// Paths of the standards, including everything below.
const PATHS: &[&str] = &["/csw", "/records", "/opensearch", "/stac", "/dcat", "/oai", "/feeds", "/sitemap"];
/// Single files of the standards.
const FILES: &[&str] = &["/sitemap.xml", "/robots.txt", "/dcat.jsonld", "/dcat.ttl", "/dcat.rdf"];

/// Builds the router.
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
        // A page of the application, available even if the standards are turned off.
        .route("/service/{id}", get(dcat::service_page))
}

/// Whether a path belongs to the standards, which everybody may read, also from pages of other
/// sites.
pub(crate) fn is_standard_path(path: &str) -> bool {
    let below =
        |root: &&str| path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    PATHS.iter().any(below) || FILES.contains(&path)
}

/// Returns a guest as caller: the standards do not read credentials.
fn guest(request: &Request) -> Caller {
    let address = request.extensions().get::<RequestPeer>().and_then(|peer| peer.address);
    Caller { user: None, session: None, scopes: None, address }
}

/// Refuses requests if the standards are turned off or the caller exceeds the rate limit.
async fn admit(State(app): State<App>, request: Request, next: Next) -> Response {
    if app.config.standards == StandardsAudience::Nobody {
        return Problem::not_found("Catalogue standards are turned off on this server.").into_response();
    }
    let settings = app.settings().await;
    if let Err(refusal) = app.auth.limits.count_request(&guest(&request), &settings, app.now()) {
        return refusal.into_response();
    }
    match tokio::time::timeout(ANSWER_TIME, next.run(request)).await {
        Ok(answer) => answer,
        Err(_elapsed) => {
            let detail = "The request took too long. Request less, or try again later.";
            let mut problem = Problem::from_status(StatusCode::SERVICE_UNAVAILABLE, detail);
            problem.retry_after = Some(10);
            problem.into_response()
        }
    }
}
