//! Statistics of the whole catalogue.

use super::extract::{Json, Query};
use super::filters::SearchFilters;
use crate::{App, Problem};
use axum::extract::State;
use geotrawl_index::HostPlace;
use geotrawl_model::statistics::{CatalogueStatistics, DepthTotals};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Builds the router.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(all)).routes(routes!(density))
}

/// Statistics of the whole catalogue.
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
    /// Numbers by ISO code of the host's country, then by kind.
    pub countries: BTreeMap<String, BTreeMap<String, u64>>,
    pub levels: Vec<DepthTotals>,
    /// Number of records at the end of each day.
    pub growth: Vec<(String, u64)>,
}

impl From<CatalogueStatistics> for StatisticsView {
    fn from(all: CatalogueStatistics) -> Self {
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
            levels: all.levels,
            growth: all.growth,
        }
    }
}

/// Statistics of the whole catalogue
#[utoipa::path(get, path = "/statistics", tag = "statistics",
    responses((status = 200, body = StatisticsView)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read"))))]
async fn all(State(app): State<App>) -> Result<Json<StatisticsView>, Problem> {
    app.blocking(|app| Ok(StatisticsView::from(app.store.statistics()?))).await.map(Json)
}

/// Cell size in degrees: minimum, default, maximum.
const CELL: (f64, f64, f64) = (0.1, 1.0, 30.0);

/// Resolution of the grid.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct GridQuery {
    /// Cell size in degrees.
    #[param(minimum = 0.1, maximum = 30.0, default = 1.0)]
    cell: Option<f64>,
}

/// Number of services per cell.
#[derive(Debug, Serialize, ToSchema)]
struct Density {
    /// Cell size in degrees.
    cell: f64,
    /// Longitude and latitude of the cell centre, and number of services on hosts in the cell;
    /// empty cells are left out.
    cells: Vec<(f64, f64, u64)>,
}

/// Number of services by host location, on a grid
///
/// Takes the filters of a search. Services with unknown host location are not counted.
#[utoipa::path(get, path = "/statistics/density", tag = "statistics", params(SearchFilters, GridQuery),
    responses((status = 200, body = Density), (status = 400, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read"))))]
async fn density(
    State(app): State<App>,
    Query(filters): Query<SearchFilters>,
    Query(grid): Query<GridQuery>,
) -> Result<Json<Density>, Problem> {
    let (least, usual, most) = CELL;
    let cell = grid.cell.unwrap_or(usual);
    if !(least..=most).contains(&cell) {
        return Err(Problem::bad_request("cell", format!("Use a cell size from {least} to {most} degrees.")));
    }
    let query = filters.to_query()?;
    let places = app.blocking(move |app| Ok(app.index.host_places(&query, usize::MAX)?)).await?;
    Ok(Json(Density { cell, cells: cells(&places, cell) }))
}

/// Counts hosts per cell of a grid that starts in the south-west corner of the world.
fn cells(places: &[HostPlace], cell: f64) -> Vec<(f64, f64, u64)> {
    let column = |degrees: f64, whole: f64| {
        let last = (2.0 * whole / cell).ceil() - 1.0;
        ((degrees + whole) / cell).floor().clamp(0.0, last) as u32
    };
    let mut counts: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    for place in places.iter().filter(|place| place.lon.is_finite() && place.lat.is_finite()) {
        *counts.entry((column(place.lon, 180.0), column(place.lat, 90.0))).or_default() += place.count;
    }
    let middle = |number: u32, whole: f64| {
        let degrees = (f64::from(number) + 0.5) * cell - whole;
        // Round away floating-point noise: 7.35, not 7.350000000000023.
        ((degrees * 1e6).round() / 1e6).min(whole)
    };
    counts.into_iter().map(|((x, y), count)| (middle(x, 180.0), middle(y, 90.0), count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(lon: f64, lat: f64, count: u64) -> HostPlace {
        HostPlace { host: format!("{lon}.{lat}.example"), lon, lat, count, ..HostPlace::default() }
    }

    #[test]
    fn hosts_are_gathered_in_cells() {
        let places = [
            host(7.3, 46.9, 2),
            host(7.9, 46.1, 3),
            host(-0.1, -0.1, 1),
            host(0.1, 0.1, 1),
            host(180.0, 90.0, 5),
        ];
        let found = cells(&places, 1.0);
        assert_eq!(found, [(-0.5, -0.5, 1), (0.5, 0.5, 1), (7.5, 46.5, 5), (179.5, 89.5, 5)]);
        assert_eq!(cells(&places[..1], 0.1), [(7.35, 46.95, 2)]);
        let all: u64 = cells(&places, 29.0).iter().map(|(_, _, count)| count).sum();
        assert_eq!(all, 12, "none is lost where the grid does not end with the world");
        assert!(cells(&[host(f64::NAN, 0.0, 1)], 1.0).is_empty());
    }
}
