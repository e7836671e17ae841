//! DCAT-AP, and what search engines read.

use crate::App;
use axum::Router;

/// Its routes.
pub fn router() -> Router<App> {
    Router::new()
}
