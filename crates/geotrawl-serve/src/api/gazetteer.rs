//! Where a place is that people call by name.

use super::extract::Query;
use crate::{App, Problem, assets};
use axum::Json;
use axum::extract::State;
use geotrawl_index::{Named, PlaceKind};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Its routes.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(gazetteer))
}

/// What is asked.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct Asked {
    /// A name, or words with a name in them.
    #[param(max_length = 200)]
    q: String,
    /// How the words are meant.
    #[param(inline)]
    r#as: As,
    #[param(minimum = 1, maximum = 20, default = 5)]
    limit: Option<usize>,
}

/// How words are meant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum As {
    /// Still being typed: their end may begin a name.
    #[default]
    Typed,
    /// Whole: a name may stand anywhere in them.
    Said,
}

/// Places by that name, the best known first.
#[derive(Debug, Serialize, ToSchema)]
pub struct GazetteerAnswer {
    pub places: Vec<NamedPlace>,
}

/// A place.
#[derive(Debug, Serialize, ToSchema)]
pub struct NamedPlace {
    pub name: String,
    /// An `area` is a sea, a continent or mountains.
    #[schema(value_type = PlaceKindShape)]
    pub kind: PlaceKind,
    /// Two letters (ISO 3166).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// In which a town is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// West, south, east, north; around it, not its border.
    #[schema(value_type = Vec<f64>)]
    pub bbox: geotrawl_kinds::model::Bbox,
    /// The words without the name.
    pub rest: String,
}

/// What a place is.
#[derive(ToSchema)]
#[schema(as = PlaceKind, rename_all = "lowercase")]
#[expect(dead_code, reason = "describes a type of geotrawl-index")]
enum PlaceKindShape {
    Area,
    Country,
    Region,
    Town,
}

impl From<Named<'_>> for NamedPlace {
    fn from(Named { place, rest }: Named) -> Self {
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

/// Places by name
#[utoipa::path(
    get, path = "/gazetteer", tag = "search", params(Asked),
    responses((status = 200, body = GazetteerAnswer), (status = 400, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn gazetteer(
    State(app): State<App>,
    Query(asked): Query<Asked>,
) -> Result<Json<GazetteerAnswer>, Problem> {
    if asked.q.len() > 200 {
        return Err(Problem::bad_request("q", "More than 200 bytes."));
    }
    let limit = asked.limit.unwrap_or(5);
    if !(1..=20).contains(&limit) {
        return Err(Problem::bad_request("limit", "Between 1 and 20."));
    }
    // The first to ask waits for the list to be read.
    let places = app.blocking(move |_| {
        let known = assets::gazetteer();
        let found = match asked.r#as {
            As::Typed => known.typed(&asked.q, limit),
            As::Said => known.said(&asked.q, limit),
        };
        Ok(found.into_iter().map(NamedPlace::from).collect())
    });
    Ok(Json(GazetteerAnswer { places: places.await? }))
}
