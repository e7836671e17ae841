//! robots.txt and sitemaps for search engines.

use super::base::base_url;
use crate::{App, Problem};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use geotrawl_index::{SearchQuery, SortOrder};
use geotrawl_standards::sitemap;

const XML: &str = "application/xml; charset=utf-8";

/// Builds the router.
pub fn router() -> Router<App> {
    Router::new()
        .route("/robots.txt", get(robots))
        .route("/sitemap.xml", get(index))
        .route("/sitemap/{page}", get(page))
}

async fn robots(State(app): State<App>, headers: HeaderMap) -> Response {
    let text = sitemap::render_robots(&base_url(&app, &headers));
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}

async fn index(State(app): State<App>, headers: HeaderMap) -> Result<Response, Problem> {
    let base = base_url(&app, &headers);
    let query = SearchQuery { limit: 0, ..SearchQuery::default() };
    let total = app.blocking(move |app| Ok(app.index.search(&query)?.total)).await?;
    let pages = usize::try_from(total).unwrap_or(usize::MAX).div_ceil(sitemap::PAGE).max(1);
    Ok(([(header::CONTENT_TYPE, XML)], sitemap::render_index(&base, pages)).into_response())
}

async fn page(
    State(app): State<App>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let missing = || Problem::not_found("There is no such page; /sitemap.xml lists all pages.");
    let number = name.strip_suffix(".xml").and_then(|number| number.parse::<usize>().ok());
    let number = number.filter(|number| *number >= 1).ok_or_else(missing)?;
    let base = base_url(&app, &headers);
    let body = app.blocking(move |app| {
        // An order that does not change with every check, with new records at the end.
        let ids = app.index.find_ids(&SearchQuery { sort: SortOrder::Oldest, ..SearchQuery::default() })?;
        let page = ids.chunks(sitemap::PAGE).nth(number - 1);
        match page {
            Some(page) => Ok(sitemap::render_page(&base, page)),
            None if number == 1 => Ok(sitemap::render_page(&base, &[])),
            None => Err(missing()),
        }
    });
    Ok(([(header::CONTENT_TYPE, XML)], body.await?).into_response())
}
