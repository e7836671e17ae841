//! Where a place is that people call by name.

use super::extract::{Bounded, Json, Query, ShortText};
use crate::{App, Problem, assets};
use axum::extract::State;
use geotrawl_index::{PlaceKind, PlaceMatch};
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
struct GazetteerQuery {
    /// A name, or words with a name in them.
    #[param(inline)]
    q: ShortText<200>,
    /// How the words are meant.
    #[param(inline)]
    r#as: GazetteerMode,
    #[param(inline)]
    limit: Bounded<5, 1, 20>,
}

/// How words are meant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum GazetteerMode {
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
    pub kind: PlaceKind,
    /// Two letters (ISO 3166).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// In which a town is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// West, south, east, north; around it, not its border.
    pub bbox: geotrawl_model::Bbox,
    /// The words without the name.
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

/// Places by name
#[utoipa::path(
    get, path = "/gazetteer", tag = "search", params(Asked),
    responses((status = 200, body = GazetteerAnswer), (status = 400, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn gazetteer(
    State(app): State<App>,
    Query(asked): Query<GazetteerQuery>,
) -> Result<Json<GazetteerAnswer>, Problem> {
    let limit = asked.limit.get() as usize;
    // The first to ask waits for the list to be read.
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
