//! The Atom feed for status checkers.

use super::base::base_url;
use super::found::find_records;
use super::params::QueryParams;
use crate::{App, Problem};
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use geotrawl_index::{SearchQuery, SortOrder};
use geotrawl_standards::records::CatalogueInfo;
use geotrawl_standards::shared_params;
use geotrawl_standards::status_feed::{self, StatusFeedPage};

/// Builds the router.
pub fn router() -> Router<App> {
    Router::new().route("/feeds/status.atom", get(status))
}

/// Returns services only, including dead ones, because the feed is about their status.
async fn status(State(app): State<App>, uri: Uri, headers: HeaderMap) -> Result<Response, Problem> {
    let known = ["q", "bbox", "type", "limit", "offset"];
    let params = QueryParams::from_uri(&uri)?.allow_only(|name| known.contains(&name))?;
    let words = params.get("q").unwrap_or_default().to_owned();
    if words.len() > 2_000 {
        return Err(Problem::bad_request("q", "The search text is longer than 2000 bytes."));
    }
    let bbox = params.get("bbox").map(shared_params::parse_bbox).transpose();
    let query = SearchQuery {
        words,
        bbox: bbox.map_err(|why| Problem::bad_request("bbox", why))?,
        filter: Some(shared_params::type_filter(params.get("type").unwrap_or("service"))),
        any_status: true,
        sort: SortOrder::Oldest,
        limit: params.get_count("limit", shared_params::MOST_RECORDS, shared_params::MOST_RECORDS)?,
        offset: params.get_number("offset", 0, 0..=shared_params::DEEPEST)?,
        ..SearchQuery::default()
    };
    let next = query.offset + query.limit;
    let place = CatalogueInfo { base: base_url(&app, &headers), title: app.settings().await.title.clone() };
    let address = format!("{}/feeds/status.atom", place.base);
    let found = app.blocking(move |app| find_records(app, &query)).await?;
    let feed = StatusFeedPage {
        here: params.link_with(&address, None),
        next: ((next as u64) < found.total)
            .then(|| params.link_with(&address, Some(("offset", next.to_string())))),
        total: found.total,
        now: app.now(),
    };
    let body = status_feed::render_atom(&place, &feed, &found.records);
    Ok(([(header::CONTENT_TYPE, crate::feeds::ATOM)], body).into_response())
}
