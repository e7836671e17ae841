//! OAI-PMH 2.0.

use crate::App;
use axum::Router;

/// Its routes.
pub fn router() -> Router<App> {
    Router::new()
}
