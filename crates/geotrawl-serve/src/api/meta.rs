//! Information about this server and the kinds of resources it knows.

use super::extract::Json;
use crate::config::BaseMap;
use crate::engines::EngineInfo;
use crate::{App, Problem};
use axum::extract::State;
use geotrawl_kinds::kinds::{KINDS, KindProfile};
use geotrawl_model::statistics::Totals;
use geotrawl_rank::{ORDERINGS, RankingChoice};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Sources of the bundled data.
const ATTRIBUTIONS: &[&str] = &[
    "World map: Natural Earth (public domain)",
    "Countries of addresses: IPtoASN (Public Domain Dedication and License)",
    "Towns and regions by name: SimpleMaps World Cities Database, https://simplemaps.com (CC BY 4.0)",
];

/// Builds the router.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(meta)).routes(routes!(kinds))
}

/// This server.
#[derive(Debug, Serialize, ToSchema)]
pub struct Meta {
    pub title: String,
    pub version: String,
    pub public_url: String,
    /// Text of the operator for visitors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub welcome: Option<String>,
    /// OpenID Connect login, if configured.
    pub oidc: Option<OidcMeta>,
    /// Whether layers may be loaded through this server.
    pub proxy: bool,
    pub base_maps: Vec<BaseMap>,
    pub max_running: u32,
    pub attributions: Vec<String>,
    /// Rankings that a task can use; the first is the default.
    pub orderings: Vec<OrderingView>,
    /// Search engines that a task can query for seeds.
    pub engines: Vec<EngineInfo>,
    pub catalogue: Totals,
}

/// A ranking of the frontier.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OrderingChoice)]
pub struct OrderingView {
    pub name: String,
    /// One-line description.
    pub about: String,
    /// Whether it learns from what it finds.
    pub learns: bool,
}

impl From<&RankingChoice> for OrderingView {
    fn from(choice: &RankingChoice) -> Self {
        Self { name: choice.name.to_owned(), about: choice.about.to_owned(), learns: choice.learns }
    }
}

/// A login provider.
#[derive(Debug, Serialize, ToSchema)]
pub struct OidcMeta {
    pub label: String,
}

/// Information about this server
#[utoipa::path(
    get, path = "/meta", tag = "meta", responses((status = 200, body = Meta)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn meta(State(app): State<App>) -> Result<Json<Meta>, Problem> {
    let answer = app.blocking(|app| {
        let settings = app.settings_blocking();
        Ok(Meta {
            title: settings.title.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            public_url: app.config.public_url.clone(),
            welcome: settings.welcome.clone(),
            oidc: app.config.oidc.as_ref().map(|oidc| OidcMeta { label: oidc.label.clone() }),
            proxy: settings.proxy,
            base_maps: settings.base_maps.clone(),
            max_running: settings.max_running,
            attributions: ATTRIBUTIONS.iter().map(|&text| text.to_owned()).collect(),
            orderings: ORDERINGS.iter().map(OrderingView::from).collect(),
            engines: app.engines.list_engines()?,
            catalogue: app.store.totals()?,
        })
    });
    Ok(Json(answer.await?))
}

/// All kinds.
#[derive(Debug, Serialize, ToSchema)]
pub struct Kinds {
    pub kinds: Vec<KindView>,
}

/// A kind of resource.
#[derive(Debug, Serialize, ToSchema)]
pub struct KindView {
    pub id: String,
    pub name: String,
    pub family: geotrawl_kinds::kinds::Family,
    pub what: String,
}

/// Kinds of resources that can be found
#[utoipa::path(
    get, path = "/kinds", tag = "meta", responses((status = 200, body = Kinds)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn kinds() -> Json<Kinds> {
    let view = |profile: &KindProfile| KindView {
        id: profile.id.to_owned(),
        name: profile.name.to_owned(),
        family: profile.family,
        what: profile.what.to_owned(),
    };
    Json(Kinds { kinds: KINDS.iter().map(|kind| view(kind.profile())).collect() })
}
