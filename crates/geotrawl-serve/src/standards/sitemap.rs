//! Stub.

use crate::App;
use axum::Router;

/// Its routes.
pub fn router() -> Router<App> {
    Router::new()
}
