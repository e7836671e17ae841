//! The Atom feed for status checkers.

use super::base::base;
use super::found::find;
use super::params::Params;
use crate::{App, Problem};
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use geotrawl_index::{Query, Sort};
use geotrawl_standards::ask;
use geotrawl_standards::records::Place;
use geotrawl_standards::status_feed::{self, Feed};

/// Its routes.
pub fn router() -> Router<App> {
    Router::new().route("/feeds/status.atom", get(status))
}

/// Services only: dead ones as well, for their status is what is asked for.
async fn status(State(app): State<App>, uri: Uri, headers: HeaderMap) -> Result<Response, Problem> {
    let known = ["q", "bbox", "type", "limit", "offset"];
    let params = Params::read(&uri)?.only(|name| known.contains(&name))?;
    let words = params.get("q").unwrap_or_default().to_owned();
    if words.len() > 2_000 {
        return Err(Problem::bad_request("q", "The question is longer than 2000 bytes."));
    }
    let bbox = params.get("bbox").map(ask::bbox).transpose();
    let query = Query {
        words,
        bbox: bbox.map_err(|why| Problem::bad_request("bbox", why))?,
        filter: Some(ask::of_type(params.get("type").unwrap_or("service"))),
        any_status: true,
        sort: Sort::Oldest,
        limit: params.count("limit", ask::MOST_RECORDS, ask::MOST_RECORDS)?,
        offset: params.number("offset", 0, 0..=ask::DEEPEST)?,
        ..Query::default()
    };
    let next = query.offset + query.limit;
    let place = Place { base: base(&app, &headers), title: app.settings().await.title.clone() };
    let address = format!("{}/feeds/status.atom", place.base);
    let found = app.blocking(move |app| find(app, &query)).await?;
    let feed = Feed {
        here: params.link(&address, None),
        next: ((next as u64) < found.total)
            .then(|| params.link(&address, Some(("offset", next.to_string())))),
        total: found.total,
        now: app.now(),
    };
    let body = status_feed::atom(&place, &feed, &found.records);
    Ok(([(header::CONTENT_TYPE, crate::feeds::ATOM)], body).into_response())
}
