//! STAC API.

use super::base::base_url;
use super::found::{self, find_records};
use super::params::QueryParams;
use crate::api::extract::Json;
use crate::{App, Problem};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use geotrawl_index::{FilterExpression, SearchQuery, SortOrder};
use geotrawl_model::Bbox;
use geotrawl_standards::records::{self, CatalogueInfo};
use geotrawl_standards::stac::{self, StacCollection};
use geotrawl_standards::{cql2, shared_params};
use serde_json::{Map, Value, json};

const JSON: &str = "application/json";
const GEOJSON: &str = "application/geo+json";

/// Parameters of a search, as query parameters and as members of a body.
const PARAMETERS: &[&str] = &[
    "bbox",
    "datetime",
    "ids",
    "collections",
    "intersects",
    "limit",
    "token",
    "q",
    "filter",
    "filter-lang",
    "filter-crs",
];

/// Builds the router.
pub fn router() -> Router<App> {
    Router::new()
        .route("/stac", get(landing))
        .route("/stac/", get(landing))
        .route("/stac/api", get(document))
        .route("/stac/conformance", get(conformance))
        .route("/stac/queryables", get(queryables))
        .route("/stac/search", get(search).post(search_by_body))
        .route("/stac/collections", get(collections))
        .route("/stac/collections/{collection}", get(collection))
        .route("/stac/collections/{collection}/queryables", get(queryables))
        .route("/stac/collections/{collection}/items", get(items))
        .route("/stac/collections/{collection}/items/{id}", get(item))
}

fn send(media: &'static str, value: &Value) -> Response {
    ([(header::CONTENT_TYPE, media)], value.to_string()).into_response()
}

async fn place(app: &App, headers: &HeaderMap) -> CatalogueInfo {
    CatalogueInfo { base: base_url(app, headers), title: app.settings().await.title.clone() }
}

fn known(id: &str) -> Result<&'static StacCollection, Problem> {
    stac::find_collection(id).ok_or_else(|| {
        let known: Vec<&str> = stac::GROUPS.iter().map(|group| group.id).collect();
        Problem::not_found(format!("Unknown collection; the collections are {}.", known.join(", ")))
    })
}

async fn landing(State(app): State<App>, headers: HeaderMap) -> Response {
    send(JSON, &stac::landing_page(&place(&app, &headers).await))
}

async fn document(State(app): State<App>, headers: HeaderMap) -> Response {
    let document = stac::openapi_document(&place(&app, &headers).await, env!("CARGO_PKG_VERSION"));
    send("application/vnd.oai.openapi+json;version=3.0", &document)
}

async fn conformance() -> Response {
    send(JSON, &stac::conformance())
}

async fn queryables(State(app): State<App>, headers: HeaderMap) -> Response {
    send("application/schema+json", &records::queryables_schema(&place(&app, &headers).await))
}

async fn collections(State(app): State<App>, headers: HeaderMap) -> Response {
    send(JSON, &stac::list_collections(&place(&app, &headers).await))
}

async fn collection(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    Ok(send(JSON, &stac::describe_collection(&place(&app, &headers).await, known(&id)?)))
}

async fn item(
    State(app): State<App>,
    Path((collection, id)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    known(&collection)?;
    let place = place(&app, &headers).await;
    let item = app.blocking(move |app| {
        let item = stac::build_item(&place, &found::require_record(app, &id)?);
        let missing = || Problem::not_found("This collection has no such item.");
        item.filter(|item| item["collection"] == collection.as_str()).ok_or_else(missing)
    });
    Ok(send(GEOJSON, &item.await?))
}

async fn items(
    State(app): State<App>,
    Path(id): Path<String>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let group = known(&id)?;
    // pystac-client repeats the collection as a parameter.
    let params = QueryParams::from_uri(&uri)?.allow_only(|name| PARAMETERS.contains(&name))?;
    let mut asked = StacSearch::of_params(&params)?;
    asked.collections = vec![group.id.to_owned()];
    let address = format!("/collections/{}/items", group.id);
    page(app, headers, &address, &params, &asked).await
}

async fn search(State(app): State<App>, uri: Uri, headers: HeaderMap) -> Result<Response, Problem> {
    let params = QueryParams::from_uri(&uri)?.allow_only(|name| PARAMETERS.contains(&name))?;
    let asked = StacSearch::of_params(&params)?;
    page(app, headers, "/search", &params, &asked).await
}

/// Answers a search by query parameters.
async fn page(
    app: App,
    headers: HeaderMap,
    path: &str,
    params: &QueryParams,
    asked: &StacSearch,
) -> Result<Response, Problem> {
    let place = place(&app, &headers).await;
    let address = format!("{}{}{path}", place.base, stac::PATH);
    let (total, features) = found_items(&app, &place, asked.query()?).await?;
    let at = |offset: usize| params.link_with(&address, Some(("token", offset.to_string())));
    let beside: Vec<_> = asked.beside(total).into_iter().map(|(rel, offset)| (rel, at(offset))).collect();
    let links = stac::page_links(&place, params.link_with(&address, None), &beside);
    Ok(send(GEOJSON, &stac::build_item_page(links, total, features)))
}

async fn search_by_body(
    State(app): State<App>,
    headers: HeaderMap,
    Json(body): Json<Map<String, Value>>,
) -> Result<Response, Problem> {
    let asked = StacSearch::of_body(&body)?;
    let place = place(&app, &headers).await;
    let (total, features) = found_items(&app, &place, asked.query()?).await?;
    let beside = asked.beside(total).into_iter().map(|(rel, offset)| {
        let mut next = body.clone();
        next.insert("token".into(), json!(offset.to_string()));
        (rel, Value::Object(next))
    });
    let links = stac::post_links(&place, beside.collect());
    Ok(send(GEOJSON, &stac::build_item_page(links, total, features)))
}

async fn found_items(
    app: &App,
    place: &CatalogueInfo,
    query: SearchQuery,
) -> Result<(u64, Vec<Value>), Problem> {
    let place = place.clone();
    let found = app.blocking(move |app| {
        let found = find_records(app, &query)?;
        let features = found.records.iter().filter_map(|described| stac::build_item(&place, described));
        Ok((found.total, features.collect()))
    });
    found.await
}

/// A search, by query parameters or by a body.
#[derive(Debug, Default)]
struct StacSearch {
    words: String,
    bbox: Option<Bbox>,
    datetime: Option<String>,
    ids: Vec<String>,
    collections: Vec<String>,
    filter: Option<FilterExpression>,
    limit: usize,
    offset: usize,
}

impl StacSearch {
    fn of_params(params: &QueryParams) -> Result<Self, Problem> {
        let intersects = match params.get("intersects") {
            None => None,
            Some(text) => Some(serde_json::from_str::<Value>(text).map_err(|error| {
                Problem::bad_request("intersects", format!("'intersects' is not valid GeoJSON: {error}."))
            })?),
        };
        let bbox = params.get("bbox").map(shared_params::parse_bbox).transpose();
        let bbox = bbox.map_err(|why| Problem::bad_request("bbox", why))?;
        let read = match params.get("filter-lang").unwrap_or("cql2-text") {
            "cql2-text" => cql2::parse_text,
            "cql2-json" => cql2::parse_json,
            _ => {
                return Err(Problem::bad_request(
                    "filter-lang",
                    "'filter-lang' must be cql2-text or cql2-json.",
                ));
            }
        };
        let filter = params.get("filter").map(read).transpose();
        Ok(Self {
            words: params.get("q").unwrap_or_default().to_owned(),
            bbox: area(bbox, intersects.as_ref())?,
            datetime: params.get("datetime").map(str::to_owned),
            ids: params.get_list("ids", shared_params::MOST_IDS)?,
            collections: params.get_list("collections", shared_params::MOST_IDS)?,
            filter: filter.map_err(|refused| Problem::bad_request("filter", refused.to_string()))?,
            limit: params.get_count("limit", 10, shared_params::MOST_RECORDS)?,
            offset: params.get_number("token", 0, 0..=shared_params::DEEPEST)?,
        })
    }

    fn of_body(body: &Map<String, Value>) -> Result<Self, Problem> {
        if let Some(name) = body.keys().find(|name| !PARAMETERS.contains(&name.as_str())) {
            let shown: String = name.chars().take(60).collect();
            return Err(Problem::bad_request(&shown, format!("Unknown member '{shown}'.")));
        }
        // Null members count as absent.
        let member = |name: &str| body.get(name).filter(|value| !value.is_null());
        let text = |name: &'static str| match member(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(Problem::bad_request(name, format!("'{name}' must be a string."))),
        };
        let list = |name: &'static str| match member(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(list)) if list.len() <= shared_params::MOST_IDS => {
                let texts = list.iter().map(|value| value.as_str().map(str::to_owned));
                texts.collect::<Option<Vec<_>>>().ok_or_else(|| string_list_problem(name))
            }
            Some(_) => Err(string_list_problem(name)),
        };
        let bbox = match member("bbox") {
            None => None,
            Some(value) => {
                let numbers =
                    value.as_array().map(|list| list.iter().filter_map(Value::as_f64).collect::<Vec<_>>());
                Some(
                    shared_params::bbox_from_numbers(&numbers.unwrap_or_default())
                        .map_err(|why| Problem::bad_request("bbox", why))?,
                )
            }
        };
        let words = match member("q") {
            Some(Value::Array(terms)) => {
                let terms: Vec<&str> = terms.iter().take(100).filter_map(Value::as_str).collect();
                terms.join(",")
            }
            _ => text("q")?.unwrap_or_default(),
        };
        let filter = match (member("filter"), text("filter-lang")?.as_deref()) {
            (None, _) => None,
            (Some(Value::String(text)), Some("cql2-text")) => Some(cql2::parse_text(text)),
            (Some(value), None | Some("cql2-json")) => Some(cql2::parse_value(value)),
            _ => {
                return Err(Problem::bad_request(
                    "filter-lang",
                    "'filter-lang' must be cql2-text or cql2-json.",
                ));
            }
        };
        let limit = match member("limit") {
            None => 10,
            Some(value) => value
                .as_u64()
                .filter(|limit| *limit > 0)
                .ok_or_else(|| Problem::bad_request("limit", "'limit' must be a number of at least 1."))?,
        };
        let offset = text("token")?.map(|token| token.parse::<usize>());
        let offset = offset.transpose().ok().flatten().or_else(|| member("token").is_none().then_some(0));
        let offset = offset.filter(|offset| *offset <= shared_params::DEEPEST);
        Ok(Self {
            words,
            bbox: area(bbox, member("intersects"))?,
            datetime: text("datetime")?,
            ids: list("ids")?,
            collections: list("collections")?,
            filter: filter
                .transpose()
                .map_err(|refused| Problem::bad_request("filter", refused.to_string()))?,
            limit: usize::try_from(limit).unwrap_or(usize::MAX).min(shared_params::MOST_RECORDS),
            offset: offset.ok_or_else(|| Problem::bad_request("token", "'token' is not valid."))?,
        })
    }

    /// Builds the query for the index.
    fn query(&self) -> Result<SearchQuery, Problem> {
        if self.words.len() > 2_000 {
            return Err(Problem::bad_request("q", "The search text is longer than 2000 bytes."));
        }
        let mut filter = Some(stac::has_bbox_filter());
        if !self.collections.is_empty() {
            let groups: Vec<&StacCollection> =
                self.collections.iter().filter_map(|id| stac::find_collection(id)).collect();
            filter = shared_params::combine_filters(filter, stac::collections_filter(&groups));
        }
        if !self.ids.is_empty() {
            filter = shared_params::combine_filters(filter, FilterExpression::Ids(self.ids.clone()));
        }
        if let Some(datetime) = &self.datetime {
            let span = shared_params::parse_datetime(datetime)
                .map_err(|why| Problem::bad_request("datetime", why))?;
            filter = shared_params::combine_filters(filter, stac::time_filter(span));
        }
        if let Some(own) = &self.filter {
            filter = shared_params::combine_filters(filter, own.clone());
        }
        // Without search text there is nothing to rank by: new records come last, so that a walk by
        // pages misses nothing.
        let sort = if self.words.trim().is_empty() { SortOrder::Oldest } else { SortOrder::Best };
        Ok(SearchQuery {
            words: shared_params::join_alternatives(&self.words),
            sort,
            bbox: self.bbox,
            filter,
            limit: self.limit,
            offset: self.offset,
            exact: true,
            ..SearchQuery::default()
        })
    }

    /// Returns the offsets of the neighbouring pages.
    fn beside(&self, total: u64) -> Vec<(&'static str, usize)> {
        let mut beside = Vec::new();
        if ((self.offset + self.limit) as u64) < total {
            beside.push(("next", self.offset + self.limit));
        }
        if self.offset > 0 {
            beside.push(("prev", self.offset.saturating_sub(self.limit)));
        }
        beside
    }
}

fn string_list_problem(name: &str) -> Problem {
    Problem::bad_request(
        name,
        format!("'{name}' must be a list of up to {} strings.", shared_params::MOST_IDS),
    )
}

/// Returns the box, or that of the geometry; both together are refused.
fn area(bbox: Option<Bbox>, intersects: Option<&Value>) -> Result<Option<Bbox>, Problem> {
    match (bbox, intersects) {
        (Some(_), Some(_)) => {
            Err(Problem::bad_request("bbox", "Use either 'bbox' or 'intersects', not both."))
        }
        (bbox, None) => Ok(bbox),
        (None, Some(geometry)) => {
            let bbox = cql2::geometry_box(geometry);
            bbox.map(Some).map_err(|refused| Problem::bad_request("intersects", refused.to_string()))
        }
    }
}
