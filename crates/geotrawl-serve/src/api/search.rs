//! Search by words, place and facets.

use super::extract::Query;
use super::filters::{DEEPEST, Filters, MOST_RESULTS};
use super::record_view::{RecordShape, shown};
use crate::{App, Problem};
use axum::Json;
use axum::extract::State;
use geotrawl_index::{Hit, Hits, HostPlace, LayerHit, Suggestion};
use geotrawl_store::record::Record;
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
pub struct Paging {
    /// Results on this page; 0 gives the total and facets only.
    #[param(minimum = 0, maximum = 100, default = 20)]
    pub limit: Option<usize>,
    /// Results to leave out before.
    #[param(minimum = 0, maximum = 10000, default = 0)]
    pub offset: Option<usize>,
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
    #[schema(value_type = RecordShape)]
    pub record: Record,
    pub hit: HitView,
}

/// Why a record was found.
#[derive(Debug, Serialize, ToSchema)]
pub struct HitView {
    pub score: f32,
    /// HTML: escaped text with `<mark>` around the words that were hit.
    pub title_html: String,
    /// HTML like the title: a piece of the text that matched.
    pub snippet_html: String,
    /// The best matching layers.
    pub layers: Vec<LayerView>,
    pub layers_matching: u64,
    /// Words of the question that it has not, where hardly anything has all of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = BTreeMap<String, f32>)]
    pub explanation: BTreeMap<geotrawl_index::Signal, f32>,
}

/// A matching layer.
#[derive(Debug, Serialize, ToSchema)]
pub struct LayerView {
    pub name: String,
    pub title_html: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<f64>>)]
    pub bbox: Option<geotrawl_kinds::model::Bbox>,
}

/// A value of a facet.
#[derive(Debug, Serialize, ToSchema)]
pub struct FacetCount {
    pub value: String,
    pub count: u64,
}

impl From<LayerHit> for LayerView {
    fn from(layer: LayerHit) -> Self {
        Self { name: layer.name, title_html: layer.title, bbox: layer.bbox }
    }
}

impl From<Hit> for HitView {
    fn from(hit: Hit) -> Self {
        Self {
            score: hit.score,
            title_html: hit.title,
            snippet_html: hit.snippet,
            layers: hit.layers.into_iter().map(LayerView::from).collect(),
            layers_matching: hit.layers_matching,
            missing: hit.missing,
            explanation: hit.explanation,
        }
    }
}

/// Search
#[utoipa::path(
    get, path = "/search", tag = "search", params(Filters, Paging),
    responses((status = 200, body = SearchAnswer), (status = 400, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn search(
    State(app): State<App>,
    Query(filters): Query<Filters>,
    Query(paging): Query<Paging>,
) -> Result<Json<SearchAnswer>, Problem> {
    let started = Instant::now();
    let mut query = filters.query()?;
    query.limit = limited("limit", paging.limit.unwrap_or(20), MOST_RESULTS)?;
    query.offset = limited("offset", paging.offset.unwrap_or(0), DEEPEST)?;
    query.count_facets = paging.facets.unwrap_or(true);
    query.explain = paging.explain.unwrap_or(false);
    let mut answer = app.blocking(move |app| answer(app, app.index.search(&query)?)).await?;
    answer.took_ms = (started.elapsed().as_secs_f64() * 10_000.0).round() / 10.0;
    Ok(Json(answer))
}

fn limited(name: &str, value: usize, most: usize) -> Result<usize, Problem> {
    if value > most {
        return Err(Problem::bad_request(name, format!("{value} is more than {most}.")));
    }
    Ok(value)
}

fn answer(app: &App, hits: Hits) -> Result<SearchAnswer, Problem> {
    let mut results = Vec::with_capacity(hits.hits.len());
    for hit in hits.hits {
        // The index follows the catalogue: what is gone since then is left out.
        if let Some(record) = app.store.head(&hit.id)? {
            results.push(SearchResult { record: shown(record), hit: hit.into() });
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
struct Typed {
    #[param(max_length = 200)]
    q: String,
    #[param(minimum = 1, maximum = 20, default = 8)]
    limit: Option<usize>,
}

/// What a person may be about to type.
#[derive(Debug, Serialize, ToSchema)]
pub struct Suggestions {
    #[schema(value_type = Vec<SuggestionShape>)]
    pub suggestions: Vec<Suggestion>,
}

/// One suggestion.
#[derive(ToSchema)]
#[schema(as = Suggestion)]
#[expect(dead_code, reason = "describes a type of geotrawl-index")]
struct SuggestionShape {
    text: String,
    /// `title`, `word`, `keyword` or `provider`.
    kind: String,
    count: u64,
}

/// Suggestions while typing
#[utoipa::path(
    get, path = "/suggest", tag = "search", params(Typed),
    responses((status = 200, body = Suggestions), (status = 400, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn suggest(State(app): State<App>, Query(typed): Query<Typed>) -> Result<Json<Suggestions>, Problem> {
    if typed.q.len() > 200 {
        return Err(Problem::bad_request("q", "More than 200 bytes."));
    }
    let limit = typed.limit.unwrap_or(8);
    if !(1..=20).contains(&limit) {
        return Err(Problem::bad_request("limit", "Between 1 and 20."));
    }
    let suggestions = app.blocking(move |app| Ok(app.index.suggest(&typed.q, limit)?)).await?;
    Ok(Json(Suggestions { suggestions }))
}

/// How many hosts are wanted.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct Most {
    /// Hosts at most.
    #[param(minimum = 1, maximum = 20000, default = 5000)]
    limit: Option<usize>,
}

/// Hosts of all hits.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlacesAnswer {
    #[schema(value_type = Vec<HostPlaceShape>)]
    pub places: Vec<HostPlace>,
    /// Hits whose host's place is not known.
    pub without_place: u64,
}

/// A host with hits.
#[derive(ToSchema)]
#[schema(as = HostPlace)]
#[expect(dead_code, reason = "describes a type of geotrawl-index")]
struct HostPlaceShape {
    host: String,
    lat: f64,
    lon: f64,
    country: Option<String>,
    count: u64,
    kinds: BTreeMap<String, u64>,
}

/// Hosts of all hits, for the map
#[utoipa::path(
    get, path = "/places", tag = "search", params(Filters, Most),
    responses((status = 200, body = PlacesAnswer), (status = 400, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn places(
    State(app): State<App>,
    Query(filters): Query<Filters>,
    Query(most): Query<Most>,
) -> Result<Json<PlacesAnswer>, Problem> {
    let limit = most.limit.unwrap_or(5_000);
    if !(1..=20_000).contains(&limit) {
        return Err(Problem::bad_request("limit", "Between 1 and 20000."));
    }
    let mut query = filters.query()?;
    query.limit = 0;
    let answer = app
        .blocking(move |app| {
            let (places, without_place) = app.index.places_and_rest(&query, limit)?;
            Ok(PlacesAnswer { places, without_place })
        })
        .await?;
    Ok(Json(answer))
}
