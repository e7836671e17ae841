//! OGC API Records.

use super::base::base_url;
use super::found::{self, find_records};
use super::params::{DocumentForm, QueryParams, negotiate_form};
use crate::{App, Problem};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use geotrawl_index::{ComparisonOperator, FilterExpression, FilterProperty, SearchQuery, SortOrder};
use geotrawl_standards::cql2::{self, Cql2Queryable};
use geotrawl_standards::records::{self, CatalogueInfo, RecordsPage, api, item, pages};
use geotrawl_standards::{sanitize, shared_params};
use serde_json::Value;

const JSON: &str = "application/json";
const GEOJSON: &str = "application/geo+json";
const SCHEMA: &str = "application/schema+json";
const OPENAPI: &str = "application/vnd.oai.openapi+json;version=3.0";

const FORMS: &[DocumentForm] = &[
    DocumentForm { word: "json", media: &[JSON, GEOJSON, SCHEMA, "application/problem+json"] },
    DocumentForm { word: "html", media: &["text/html", "application/xhtml+xml"] },
];

/// Builds the router.
pub fn router() -> Router<App> {
    Router::new()
        .route("/records", get(landing))
        .route("/records/", get(landing))
        .route("/records/api", get(document))
        .route("/records/conformance", get(conformance))
        .route("/records/collections", get(collections))
        .route("/records/collections/{collection}", get(collection))
        .route("/records/collections/{collection}/queryables", get(queryables))
        .route("/records/collections/{collection}/sortables", get(sortables))
        .route("/records/collections/{collection}/items", get(items))
        .route("/records/collections/{collection}/items/{id}", get(record))
}

/// Context of a request besides its parameters.
struct RecordsRequest {
    place: CatalogueInfo,
    params: QueryParams,
    html: bool,
}

async fn asked(
    app: &App,
    uri: &Uri,
    headers: &HeaderMap,
    known: impl Fn(&str) -> bool,
) -> Result<RecordsRequest, Problem> {
    let params = QueryParams::from_uri(uri)?.allow_only(|name| name == "f" || known(name))?;
    let html = negotiate_form(&params, headers, FORMS)? == "html";
    let title = app.settings().await.title.clone();
    Ok(RecordsRequest { place: CatalogueInfo { base: base_url(app, headers), title }, params, html })
}

fn json(media: &'static str, value: &Value) -> Response {
    ([(header::CONTENT_TYPE, media)], value.to_string()).into_response()
}

fn html(page: String) -> Response {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response()
}

fn is_collection(id: &str) -> Result<(), Problem> {
    if id == records::COLLECTION {
        return Ok(());
    }
    Err(Problem::not_found(format!("The only collection is '{}'.", records::COLLECTION)))
}

async fn landing(State(app): State<App>, uri: Uri, headers: HeaderMap) -> Result<Response, Problem> {
    let asked = asked(&app, &uri, &headers, |_| false).await?;
    Ok(if asked.html {
        html(pages::render_landing(&asked.place))
    } else {
        json(JSON, &records::landing_page(&asked.place))
    })
}

async fn document(State(app): State<App>, uri: Uri, headers: HeaderMap) -> Result<Response, Problem> {
    let asked = asked(&app, &uri, &headers, |_| false).await?;
    Ok(json(OPENAPI, &api::openapi_document(&asked.place, env!("CARGO_PKG_VERSION"))))
}

async fn conformance(State(app): State<App>, uri: Uri, headers: HeaderMap) -> Result<Response, Problem> {
    let asked = asked(&app, &uri, &headers, |_| false).await?;
    Ok(if asked.html {
        html(pages::render_conformance(&asked.place))
    } else {
        json(JSON, &records::conformance())
    })
}

/// Parameters of collection lists (OGC API Common, part 2), accepted but without effect: there is
/// only one collection.
const COLLECTIONS: &[&str] = &["limit", "bbox", "datetime"];

async fn collections(State(app): State<App>, uri: Uri, headers: HeaderMap) -> Result<Response, Problem> {
    let asked = asked(&app, &uri, &headers, |name| COLLECTIONS.contains(&name)).await?;
    let (total, updated) = app.blocking(found::catalogue_extent).await?;
    Ok(if asked.html {
        html(pages::render_collection(&asked.place, total))
    } else {
        json(JSON, &records::list_collections(&asked.place, total, updated))
    })
}

async fn collection(
    State(app): State<App>,
    Path(id): Path<String>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    is_collection(&id)?;
    let asked = asked(&app, &uri, &headers, |_| false).await?;
    let (total, updated) = app.blocking(found::catalogue_extent).await?;
    Ok(if asked.html {
        html(pages::render_collection(&asked.place, total))
    } else {
        json(JSON, &records::describe_collection(&asked.place, total, updated))
    })
}

async fn queryables(
    State(app): State<App>,
    Path(id): Path<String>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    is_collection(&id)?;
    let asked = asked(&app, &uri, &headers, |_| false).await?;
    Ok(json(SCHEMA, &records::queryables_schema(&asked.place)))
}

async fn sortables(
    State(app): State<App>,
    Path(id): Path<String>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    is_collection(&id)?;
    let asked = asked(&app, &uri, &headers, |_| false).await?;
    Ok(json(SCHEMA, &records::sortables_schema(&asked.place)))
}

async fn record(
    State(app): State<App>,
    Path((collection, id)): Path<(String, String)>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    is_collection(&collection)?;
    let asked = asked(&app, &uri, &headers, |_| false).await?;
    let described = app.blocking(move |app| found::require_record(app, &id)).await?;
    Ok(if asked.html {
        html(pages::render_item(&asked.place, &described))
    } else {
        json(GEOJSON, &item::build_feature(&asked.place, &described))
    })
}

async fn items(
    State(app): State<App>,
    Path(id): Path<String>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    is_collection(&id)?;
    let is_known = |name: &str| {
        api::PARAMETERS.contains(&name)
            || cql2::NAMES.iter().any(|known| known.name == name && known.is != Cql2Queryable::Place)
    };
    let RecordsRequest { place, params, html: as_page } = asked(&app, &uri, &headers, is_known).await?;
    let query = query(&params)?;
    let (offset, limit) = (query.offset, query.limit);
    let found = app.blocking(move |app| find_records(app, &query)).await?;
    let address = place.collection_url("/items");
    let at = |offset: usize| params.link_with(&address, Some(("offset", offset.to_string())));
    let pages = RecordsPage {
        matched: found.total,
        here: params.link_with(&address, None),
        next: ((offset + limit) as u64 <= found.total.saturating_sub(1)).then(|| at(offset + limit)),
        previous: (offset > 0).then(|| at(offset.saturating_sub(limit))),
    };
    if as_page {
        let words = params.get("q").unwrap_or_default();
        return Ok(html(pages::render_items(&place, &pages, words, &found.records)));
    }
    let features = found.records.iter().map(|described| item::build_feature(&place, described)).collect();
    Ok(json(GEOJSON, &records::build_item_page(&place, &pages, features)))
}

/// Builds the query for the index.
fn query(params: &QueryParams) -> Result<SearchQuery, Problem> {
    let wrong = |name: &'static str| move |why: String| Problem::bad_request(name, why);
    for crs in ["bbox-crs", "filter-crs"] {
        if params.get(crs).is_some_and(|given| given != api::CRS84) {
            return Err(Problem::bad_request(crs, format!("Only {} is supported.", api::CRS84)));
        }
    }
    let mut query = SearchQuery {
        words: words_of(params.get("q").unwrap_or_default())?,
        bbox: params.get("bbox").map(shared_params::parse_bbox).transpose().map_err(wrong("bbox"))?,
        time: params
            .get("datetime")
            .map(shared_params::parse_datetime)
            .transpose()
            .map_err(wrong("datetime"))?,
        limit: params.get_count("limit", 10, shared_params::MOST_RECORDS)?,
        offset: params.get_number("offset", 0, 0..=shared_params::DEEPEST)?,
        sort: sort(params)?,
        exact: true,
        ..SearchQuery::default()
    };
    query.filter = filter(params)?;
    Ok(query)
}

/// Joins terms separated by commas, which are alternatives.
fn words_of(text: &str) -> Result<String, Problem> {
    if text.len() > 2_000 {
        return Err(Problem::bad_request("q", "The search text is longer than 2000 bytes."));
    }
    Ok(shared_params::join_alternatives(text))
}

fn sort(params: &QueryParams) -> Result<SortOrder, Problem> {
    let order = params.get_list("sortby", 1)?;
    let Some(first) = order.first() else { return Ok(SortOrder::Best) };
    match shared_params::parse_sort_key(first) {
        ("id", false) => Ok(SortOrder::Id),
        ("id", true) => Ok(SortOrder::IdDown),
        ("title", false) => Ok(SortOrder::Title),
        ("title", true) => Ok(SortOrder::TitleDown),
        ("created", false) => Ok(SortOrder::Oldest),
        ("created", true) => Ok(SortOrder::Newest),
        ("updated", false) => Ok(SortOrder::ChangedUp),
        ("updated", true) => Ok(SortOrder::Changed),
        ("score", false) => Ok(SortOrder::QualityUp),
        ("score", true) => Ok(SortOrder::Quality),
        _ => {
            let known: Vec<&str> = records::SORTABLES.iter().map(|(name, _)| *name).collect();
            Err(Problem::bad_request("sortby", format!("Records can be sorted by {}.", known.join(", "))))
        }
    }
}

fn filter(params: &QueryParams) -> Result<Option<FilterExpression>, Problem> {
    let mut filter = None;
    let types = params.get_list("type", shared_params::MOST_IDS)?;
    if !types.is_empty() {
        filter = shared_params::combine_filters(
            filter,
            FilterExpression::Any(types.iter().map(|word| shared_params::type_filter(word)).collect()),
        );
    }
    let ids = params.get_list("ids", shared_params::MOST_IDS)?;
    if !ids.is_empty() {
        filter = shared_params::combine_filters(filter, FilterExpression::Ids(ids));
    }
    let external = params.get_list("externalIds", shared_params::MOST_IDS)?;
    if !external.is_empty() {
        let mut any = vec![FilterExpression::Ids(external.clone())];
        any.extend(external.into_iter().map(|value| is(FilterProperty::Url, value)));
        filter = shared_params::combine_filters(filter, FilterExpression::Any(any));
    }
    for name in cql2::NAMES {
        if let (Cql2Queryable::Value(property), Some(value)) = (name.is, params.get(name.name))
            && name.name != "datetime"
        {
            filter =
                shared_params::combine_filters(filter, is(property, sanitize::single_line(value, 2_000)));
        }
    }
    let read = match params.get("filter-lang").unwrap_or("cql2-text") {
        "cql2-text" => cql2::parse_text,
        "cql2-json" => cql2::parse_json,
        _ => {
            return Err(Problem::bad_request("filter-lang", "'filter-lang' must be cql2-text or cql2-json."));
        }
    };
    if let Some(text) = params.get("filter") {
        let read = read(text).map_err(|refused| Problem::bad_request("filter", refused.to_string()))?;
        filter = shared_params::combine_filters(filter, read);
    }
    Ok(filter)
}

fn is(property: FilterProperty, value: String) -> FilterExpression {
    FilterExpression::Compare { property, comparison: ComparisonOperator::Equal, value }
}
