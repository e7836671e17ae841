//! Replay of archived pages: `/replay/{acronym}/{timestamp}/{url}`; `id_` after the timestamp
//! returns the original bytes.
//!
//! Archived pages are untrusted but served from our origin, so they must not be able to act on
//! behalf of the visitor. Every response carries [`POLICY`]: a sandbox with an opaque origin,
//! without scripts, forms, windows or external resources. The archived media type is never guessed
//! (`nosniff`), only public collections are replayed, and cookies are ignored.

use crate::auth::Caller;
use crate::auth::peer::RequestPeer;
use crate::{App, Problem};
use axum::Extension;
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use geotrawl_archive::collection_files::{self, CollectionFilesError, ReplayedPage};
use geotrawl_archive::rewrite::POLICY;

/// Builds the router.
pub fn router() -> Router<App> {
    Router::new().route("/replay/{acronym}/{moment}/{*url}", get(show))
}

/// Converts an archive error into a problem.
pub(crate) fn shelf_problem(error: CollectionFilesError) -> Problem {
    match error {
        CollectionFilesError::Store(error) => error.into(),
        other => Problem::internal(&format!("cannot read the archive: {other}")),
    }
}

/// Returns the public address of this server, without a trailing slash.
pub(crate) fn base_url(app: &App, headers: &HeaderMap) -> String {
    let given = app.config.public_url.trim_end_matches('/');
    if !given.is_empty() {
        return given.to_owned();
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost");
    format!("http://{host}")
}

async fn show(State(app): State<App>, peer: Option<Extension<RequestPeer>>, uri: Uri) -> Response {
    let guest = Caller {
        user: None,
        session: None,
        scopes: None,
        address: peer.and_then(|Extension(peer)| peer.address),
    };
    let settings = app.settings().await;
    if let Err(refusal) = app.auth.limits.count_request(&guest, &settings, app.now()) {
        return refusal.into_response();
    }
    // Use the raw request target: the router would decode the archived URL inside of it.
    let asked = uri.path_and_query().map_or("", |path| path.as_str()).to_owned();
    match app.blocking(move |app| find(app, &asked)).await {
        Ok(shown) => answer(shown),
        Err(problem) => with_security_headers(problem.into_response()),
    }
}

fn find(app: &App, asked: &str) -> Result<ReplayedPage, Problem> {
    let none = || Problem::not_found("This page is not in the archive, or was not archived at that time.");
    let mut parts = asked.trim_start_matches('/').splitn(4, '/');
    let (Some(_), Some(acronym), Some(moment), Some(url)) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(none());
    };
    let (at, raw) = collection_files::parse_replay_time(&moment.replace("%3A", ":").replace("%3a", ":"))
        .ok_or_else(none)?;
    let shelf = crate::api::collections::require_shelf(app)?;
    let collection =
        app.store.find_collection(acronym)?.filter(|found| found.spec.public).ok_or_else(none)?;
    // Some proxies collapse `//` into `/`.
    let url = match url.split_once(":/") {
        Some((scheme @ ("http" | "https"), rest)) if !rest.starts_with('/') => format!("{scheme}://{rest}"),
        _ => url.to_owned(),
    };
    let shown = collection_files::replay_page(&*app.store, &shelf, &collection, at, &url, raw)
        .map_err(shelf_problem)?;
    shown.ok_or_else(none)
}

fn answer(shown: ReplayedPage) -> Response {
    let media_type = HeaderValue::from_str(&shown.media_type)
        .unwrap_or(HeaderValue::from_static("application/octet-stream"));
    let mut response = (StatusCode::OK, shown.bytes).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, media_type);
    // Memento (RFC 7089) requires the capture time in this header.
    let when = shown.at.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string();
    if let Ok(when) = HeaderValue::from_str(&when) {
        headers.insert(HeaderName::from_static("memento-datetime"), when);
    }
    // An archived page does not change.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600"));
    with_security_headers(response)
}

fn with_security_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    // Fonts are requested with the opaque origin of the sandbox. Everything replayed is public, so
    // any origin may read it.
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    response
}
