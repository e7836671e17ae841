//! DCAT-AP, and structured data for search engines on the page of a record.

use super::base::base_url;
use super::found::{self, find_records};
use super::guest;
use super::params::{DocumentForm, QueryParams, negotiate_form};
use crate::config::StandardsAudience;
use crate::{App, Problem, assets};
use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use geotrawl_index::{SearchQuery, SortOrder};
use geotrawl_standards::dcat::write::{self, write_triples};
use geotrawl_standards::dcat::{self, DcatPage, PAGE};
use geotrawl_standards::records::CatalogueInfo;
use geotrawl_standards::{schemaorg, shared_params};

const FORMS: &[DocumentForm] = &[
    DocumentForm { word: "jsonld", media: &["application/ld+json", "application/json"] },
    DocumentForm { word: "ttl", media: &["text/turtle", "application/x-turtle", "text/n3"] },
    DocumentForm { word: "rdf", media: &["application/rdf+xml", "application/xml", "text/xml"] },
];

/// Builds the router.
pub fn router() -> Router<App> {
    Router::new()
        .route("/dcat", get(catalogue))
        .route("/dcat/", get(catalogue))
        .route("/dcat.jsonld", get(catalogue))
        .route("/dcat.ttl", get(catalogue))
        .route("/dcat.rdf", get(catalogue))
        .route("/dcat/record/{id}", get(record))
}

async fn place(app: &App, headers: &HeaderMap) -> CatalogueInfo {
    CatalogueInfo { base: base_url(app, headers), title: app.settings().await.title.clone() }
}

fn written(word: &str) -> write::RdfFormat {
    match word {
        "ttl" => write::RdfFormat::Turtle,
        "rdf" => write::RdfFormat::RdfXml,
        _ => write::RdfFormat::JsonLd,
    }
}

async fn catalogue(State(app): State<App>, uri: Uri, headers: HeaderMap) -> Result<Response, Problem> {
    let known = ["f", "format", "page", "limit", "q", "bbox"];
    let params = QueryParams::from_uri(&uri)?.allow_only(|name| known.contains(&name))?;
    let place = place(&app, &headers).await;
    let path = uri.path().trim_end_matches('/').to_owned();
    let word = match path.strip_prefix("/dcat.") {
        Some("ttl") => "ttl",
        Some("rdf") => "rdf",
        Some(_) => "jsonld",
        None => negotiate_form(&params, &headers, FORMS)?,
    };
    let limit = params.get_number("limit", PAGE, 1..=PAGE)?;
    let page = params.get_number("page", 1, 1..=shared_params::DEEPEST / PAGE)?;
    let bbox = params.get("bbox").map(shared_params::parse_bbox).transpose();
    let query = SearchQuery {
        words: params.get("q").unwrap_or_default().to_owned(),
        bbox: bbox.map_err(|why| Problem::bad_request("bbox", why))?,
        offset: (page - 1) * limit,
        limit,
        // New records come last, so that a harvest by pages misses nothing.
        sort: SortOrder::Oldest,
        ..SearchQuery::default()
    };
    if query.words.len() > 2_000 {
        return Err(Problem::bad_request("q", "The search text is longer than 2000 bytes."));
    }
    let address = format!("{}{path}", place.base);
    let body = app.blocking(move |app| {
        let found = find_records(app, &query)?;
        let (_, updated) = found::catalogue_extent(app)?;
        let at = |page: usize| params.link_with(&address, Some(("page", page.to_string())));
        let last = usize::try_from(found.total).unwrap_or(usize::MAX).div_ceil(limit).max(1);
        let mut beside = vec![("first", at(1)), ("last", at(last))];
        if page < last {
            beside.push(("next", at(page + 1)));
        }
        if page > 1 {
            beside.push(("previous", at((page - 1).min(last))));
        }
        let pages = DcatPage { total: found.total, limit, updated, here: at(page), beside };
        Ok(write_triples(written(word), &dcat::page_triples(&place, &pages, &found.records)))
    });
    Ok(([(header::CONTENT_TYPE, written(word).media_type())], body.await?).into_response())
}

async fn record(
    State(app): State<App>,
    Path(id): Path<String>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let params = QueryParams::from_uri(&uri)?.allow_only(|name| name == "f" || name == "format")?;
    let form = written(negotiate_form(&params, &headers, FORMS)?);
    let place = place(&app, &headers).await;
    let body = app.blocking(move |app| {
        Ok(write_triples(form, &dcat::record_triples(&place, &found::require_record(app, &id)?)))
    });
    Ok(([(header::CONTENT_TYPE, form.media_type())], body.await?).into_response())
}

/// Serves the page of a record: the application's page with structured data for search engines.
/// Without the application, or if the record does not exist, answers like any other path of the
/// application.
pub(super) async fn service_page(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    request: Request,
) -> Response {
    let Some(index) = assets::index_html().filter(|_| app.config.standards == StandardsAudience::Everyone)
    else {
        return assets::serve_web_app(&request);
    };
    // Above the rate limit of guests, serve the page without structured data instead of refusing
    // people who read a lot.
    let settings = app.settings().await;
    if app.auth.limits.count_request(&guest(&request), &settings, app.now()).is_err() {
        return assets::serve_web_app(&request);
    }
    let place = place(&app, &headers).await;
    let described = app.blocking(move |app| found::find_record(app, &id)).await;
    match described {
        Ok(Some(described)) => {
            let page = schemaorg::insert_head(&index, &place, &described);
            let mut answer = page.into_response();
            let out = answer.headers_mut();
            out.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
            out.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
            answer
        }
        // The application reports that the record does not exist or that the store failed.
        Ok(None) | Err(_) => assets::serve_web_app(&request),
    }
}
