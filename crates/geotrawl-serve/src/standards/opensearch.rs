//! OpenSearch with Geo and Time.

use crate::App;
use axum::Router;

/// Its routes.
pub fn router() -> Router<App> {
    Router::new()
}
