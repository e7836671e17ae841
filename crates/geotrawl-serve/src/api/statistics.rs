//! Numbers about the whole catalogue.

use crate::{App, Problem};
use axum::Json;
use axum::extract::State;
use geotrawl_store::changes::Statistics;
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Its routes.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(all))
}

/// Numbers about the whole catalogue.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct StatisticsView {
    pub records: u64,
    pub datasets: u64,
    pub hosts: u64,
    pub pages: u64,
    pub kinds: BTreeMap<String, u64>,
    pub statuses: BTreeMap<String, u64>,
    pub software: BTreeMap<String, u64>,
    pub themes: BTreeMap<String, u64>,
    pub languages: BTreeMap<String, u64>,
    /// ISO code of the host's country, then kind.
    pub countries: BTreeMap<String, BTreeMap<String, u64>>,
    pub levels: Vec<LevelView>,
    /// Day, and records known at its end.
    #[schema(value_type = Vec<Vec<serde_json::Value>>)]
    pub growth: Vec<(String, u64)>,
}

/// Discovery at one depth.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct LevelView {
    pub depth: u32,
    pub pages: u64,
    pub found: u64,
}

impl From<Statistics> for StatisticsView {
    fn from(all: Statistics) -> Self {
        let level = |level: geotrawl_store::changes::Level| LevelView {
            depth: level.depth,
            pages: level.pages,
            found: level.found,
        };
        Self {
            records: all.records,
            datasets: all.datasets,
            hosts: all.hosts,
            pages: all.pages,
            kinds: all.kinds,
            statuses: all.statuses,
            software: all.software,
            themes: all.themes,
            languages: all.languages,
            countries: all.countries,
            levels: all.levels.into_iter().map(level).collect(),
            growth: all.growth,
        }
    }
}

/// Numbers about the whole catalogue.
#[utoipa::path(get, path = "/statistics", tag = "statistics",
    responses((status = 200, body = StatisticsView)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read"))))]
async fn all(State(app): State<App>) -> Result<Json<StatisticsView>, Problem> {
    app.blocking(|app| Ok(StatisticsView::from(app.store.statistics()?))).await.map(Json)
}
