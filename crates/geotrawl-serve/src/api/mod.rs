//! The API under `/api/v1`: one file per resource, each with its own router.
//!
//! Every route declares its access requirements in its `#[utoipa::path]`: `extensions(("x-needs" =
//! json!("guest")))` (`guest`, `user` or `admin`) and, for tokens, `("x-scope" = json!("read"))`
//! (`read`, `download`, `tasks`, `admin`). The gate reads both from the OpenAPI document, so a
//! route without a declaration cannot be served.

pub mod account;
pub mod admin;
pub mod alerts;
pub mod collection_model;
pub mod collections;
pub mod downloads;
pub mod events;
pub mod extract;
pub mod filters;
pub mod focus;
mod gazetteer;
pub mod meta;
pub mod proxy;
pub mod quality;
pub mod records;
pub mod search;
pub mod session;
pub mod statistics;
pub mod task_model;
pub mod tasks;
pub mod themes;
pub mod watching;

use crate::App;
use utoipa_axum::router::OpenApiRouter;

/// Builds the router of all routes.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(account::router())
        .merge(admin::router())
        .merge(alerts::router())
        .merge(collections::router())
        .merge(downloads::router())
        .merge(events::router())
        .merge(focus::router())
        .merge(meta::router())
        .merge(proxy::router())
        .merge(quality::router())
        .merge(records::router())
        .merge(search::router())
        .merge(gazetteer::router())
        .merge(session::router())
        .merge(statistics::router())
        .merge(tasks::router())
        .merge(themes::router())
        .merge(watching::router())
}

/// Builds a `Content-Disposition` header that makes browsers save the response as a file.
fn attachment(name: &str, ending: &str) -> axum::http::HeaderValue {
    let safe: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-' || *c == '_').collect();
    axum::http::HeaderValue::from_str(&format!("attachment; filename=\"{safe}.{ending}\""))
        .unwrap_or(axum::http::HeaderValue::from_static("attachment"))
}
