//! Search by text, area and facets.

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

/// Builds the router.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(search)).routes(routes!(suggest)).routes(routes!(places))
}

/// Page of a result, and options.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct SearchPaging {
    /// Results per page; 0 returns only the total and the facets.
    #[param(inline)]
    pub limit: Bounded<20, 0, 100>,
    /// Number of results to skip.
    #[param(inline)]
    pub offset: Bounded<0, 0, 10_000>,
    /// Return facet counts.
    pub facets: Option<bool>,
    /// Show how each factor contributed to the ranking.
    pub explain: Option<bool>,
}

/// A search result page.
#[derive(Debug, Serialize, ToSchema)]
pub struct SearchAnswer {
    pub total: u64,
    /// Number of hits that contain all words, if hits with fewer words are included because too few
    /// have all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complete: Option<u64>,
    pub results: Vec<SearchResult>,
    /// Facets with values and counts. The counts of a facet ignore that facet's own filter.
    pub facets: BTreeMap<String, Vec<FacetCount>>,
    /// A spelling with more hits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub did_you_mean: Option<String>,
    /// Whether the hits are those of the corrected spelling, because nothing matches the words as
    /// written.
    pub corrected: bool,
    pub took_ms: f64,
}

/// A record and why it matches.
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
    get, path = "/search", tag = "search", params(SearchFilters, SearchPaging),
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
        // The index lags behind the catalogue: skip records that are gone.
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

/// The text typed so far.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct SuggestQuery {
    #[param(inline)]
    q: ShortText<200>,
    #[param(inline)]
    limit: Bounded<8, 1, 20>,
}

/// Suggested completions.
#[derive(Debug, Serialize, ToSchema)]
pub struct Suggestions {
    pub suggestions: Vec<Suggestion>,
}

/// Suggestions while typing
#[utoipa::path(
    get, path = "/suggest", tag = "search", params(SuggestQuery),
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

/// Limit of the host locations.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct PlacesQuery {
    /// Maximum number of hosts.
    #[param(inline)]
    limit: Bounded<5_000, 1, 20_000>,
}

/// Hosts of all hits.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlacesAnswer {
    pub places: Vec<HostPlace>,
    /// Hits whose host location is unknown.
    pub without_place: u64,
}

/// Host locations of all hits, for the map
#[utoipa::path(
    get, path = "/places", tag = "search", params(SearchFilters, PlacesQuery),
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
                app.index.host_places_with_unlocated_count(&query, most.limit.get() as usize)?;
            Ok(PlacesAnswer { places, without_place })
        })
        .await?;
    Ok(Json(answer))
}
