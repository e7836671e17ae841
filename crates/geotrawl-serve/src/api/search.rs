//! Search by words, place and facets.

use super::extract::{Bounded, Json, Query, ShortText};
use super::filters::SearchFilters;
use super::records::without_layers;
use crate::{App, Problem};
use axum::extract::State;
use geotrawl_index::{Hit, HostPlace, SearchResults, Suggestion};
use geotrawl_model::Record;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Instant;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Its routes.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(search)).routes(routes!(suggest)).routes(routes!(places))
}

/// Which part of the answer is wanted.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct SearchPaging {
    /// Results on this page; 0 gives the total and facets only.
    #[param(inline)]
    pub limit: Bounded<20, 0, 100>,
    /// Number of results to skip.
    #[param(inline)]
    pub offset: Bounded<0, 0, 10_000>,
    /// Count the facets.
    pub facets: Option<bool>,
    /// Say what each signal gave to the rank.
    pub explain: Option<bool>,
}

/// An answer to a search.
#[derive(Debug, Serialize, ToSchema)]
pub struct SearchAnswer {
    pub total: u64,
    /// How many of them have all words, where others are given too because hardly anything has all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complete: Option<u64>,
    pub results: Vec<SearchResult>,
    /// Facet, then its values with counts. Counts of a facet leave that facet's own filter out.
    pub facets: BTreeMap<String, Vec<FacetCount>>,
    /// A spelling that finds more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub did_you_mean: Option<String>,
    /// What was found is what that spelling finds: nothing has a word as it was written.
    pub corrected: bool,
    pub took_ms: f64,
}

/// A record and why it was found.
#[derive(Debug, Serialize, ToSchema)]
pub struct SearchResult {
    #[serde(flatten)]
    pub record: Record,
    pub hit: Hit,
}

/// A value of a facet.
#[derive(Debug, Serialize, ToSchema)]
pub struct FacetCount {
    pub value: String,
    pub count: u64,
}

/// Search
#[utoipa::path(
    get, path = "/search", tag = "search", params(Filters, Paging),
    responses((status = 200, body = SearchAnswer), (status = 400, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn search(
    State(app): State<App>,
    Query(filters): Query<SearchFilters>,
    Query(paging): Query<SearchPaging>,
) -> Result<Json<SearchAnswer>, Problem> {
    let started = Instant::now();
    let mut query = filters.to_query()?;
    query.limit = paging.limit.get() as usize;
    query.offset = paging.offset.get() as usize;
    query.count_facets = paging.facets.unwrap_or(true);
    query.explain = paging.explain.unwrap_or(false);
    let mut answer = app.blocking(move |app| answer(app, app.index.search(&query)?)).await?;
    answer.took_ms = (started.elapsed().as_secs_f64() * 10_000.0).round() / 10.0;
    Ok(Json(answer))
}

fn answer(app: &App, hits: SearchResults) -> Result<SearchAnswer, Problem> {
    let mut results = Vec::with_capacity(hits.hits.len());
    for hit in hits.hits {
        // The index follows the catalogue: what is gone since then is left out.
        if let Some(record) = app.store.find_record_head(&hit.id)? {
            results.push(SearchResult { record: without_layers(record), hit });
        }
    }
    let count = |(value, count)| FacetCount { value, count };
    let facets = hits.facets.into_iter();
    Ok(SearchAnswer {
        total: hits.total,
        results,
        facets: facets.map(|(name, values)| (name, values.into_iter().map(count).collect())).collect(),
        complete: hits.complete,
        did_you_mean: hits.did_you_mean,
        corrected: hits.corrected,
        took_ms: 0.0,
    })
}

/// What was typed so far.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct SuggestQuery {
    #[param(inline)]
    q: ShortText<200>,
    #[param(inline)]
    limit: Bounded<8, 1, 20>,
}

/// What a person may be about to type.
#[derive(Debug, Serialize, ToSchema)]
pub struct Suggestions {
    pub suggestions: Vec<Suggestion>,
}

/// Suggestions while typing
#[utoipa::path(
    get, path = "/suggest", tag = "search", params(Typed),
    responses((status = 200, body = Suggestions), (status = 400, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn suggest(
    State(app): State<App>,
    Query(typed): Query<SuggestQuery>,
) -> Result<Json<Suggestions>, Problem> {
    let suggestions =
        app.blocking(move |app| Ok(app.index.suggest(&typed.q, typed.limit.get() as usize)?)).await?;
    Ok(Json(Suggestions { suggestions }))
}

/// How many hosts are wanted.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct PlacesQuery {
    /// Hosts at most.
    #[param(inline)]
    limit: Bounded<5_000, 1, 20_000>,
}

/// Hosts of all hits.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlacesAnswer {
    pub places: Vec<HostPlace>,
    /// Hits whose host's place is not known.
    pub without_place: u64,
}

/// Hosts of all hits, for the map
#[utoipa::path(
    get, path = "/places", tag = "search", params(Filters, Most),
    responses((status = 200, body = PlacesAnswer), (status = 400, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn places(
    State(app): State<App>,
    Query(filters): Query<SearchFilters>,
    Query(most): Query<PlacesQuery>,
) -> Result<Json<PlacesAnswer>, Problem> {
    let mut query = filters.to_query()?;
    query.limit = 0;
    let answer = app
        .blocking(move |app| {
            let (places, without_place) =
                app.index.host_places_and_unlocated(&query, most.limit.get() as usize)?;
            Ok(PlacesAnswer { places, without_place })
        })
        .await?;
    Ok(Json(answer))
}
