//! Place name search.

use super::extract::{Bounded, Json, Query, ShortText};
use crate::{App, Problem, assets};
use axum::extract::State;
use geotrawl_index::{PlaceKind, PlaceMatch};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Builds the router.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(gazetteer))
}

/// A gazetteer query.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct GazetteerQuery {
    /// A place name, or text that contains one.
    #[param(inline)]
    q: ShortText<200>,
    /// How to interpret the text.
    #[param(inline)]
    r#as: GazetteerMode,
    #[param(inline)]
    limit: Bounded<5, 1, 20>,
}

/// How to interpret the text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum GazetteerMode {
    /// Still being typed: the end may be the beginning of a name.
    #[default]
    Typed,
    /// Complete: a name may be anywhere in the text.
    Said,
}

/// Places with that name, best known first.
#[derive(Debug, Serialize, ToSchema)]
pub struct GazetteerAnswer {
    pub places: Vec<NamedPlace>,
}

/// A place.
#[derive(Debug, Serialize, ToSchema)]
pub struct NamedPlace {
    pub name: String,
    /// An `area` is a sea, a continent or a mountain range.
    pub kind: PlaceKind,
    /// Country code, two letters (ISO 3166).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// Region of a town.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// Bounding box (west, south, east, north), not the border.
    pub bbox: geotrawl_model::Bbox,
    /// The text without the name.
    pub rest: String,
}

impl From<PlaceMatch<'_>> for NamedPlace {
    fn from(PlaceMatch { place, rest }: PlaceMatch) -> Self {
        let place = place.clone();
        Self {
            name: place.name,
            kind: place.kind,
            country: place.country,
            region: place.region,
            bbox: place.bbox,
            rest,
        }
    }
}

/// Search places by name
#[utoipa::path(
    get, path = "/gazetteer", tag = "search", params(GazetteerQuery),
    responses((status = 200, body = GazetteerAnswer), (status = 400, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn gazetteer(
    State(app): State<App>,
    Query(asked): Query<GazetteerQuery>,
) -> Result<Json<GazetteerAnswer>, Problem> {
    let limit = asked.limit.get() as usize;
    // The first request waits until the list has been loaded.
    let places = app.blocking(move |_| {
        let known = assets::gazetteer();
        let found = match asked.r#as {
            GazetteerMode::Typed => known.complete_places(&asked.q, limit),
            GazetteerMode::Said => known.find_mentions(&asked.q, limit),
        };
        Ok(found.into_iter().map(NamedPlace::from).collect())
    });
    Ok(Json(GazetteerAnswer { places: places.await? }))
}
