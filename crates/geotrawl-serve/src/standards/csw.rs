//! CSW 2.0.2 and 3.0.

use crate::App;
use axum::Router;

/// Its routes.
pub fn router() -> Router<App> {
    Router::new()
}
