//! A person's own things: password, tokens.

use crate::App;
use utoipa_axum::router::OpenApiRouter;

/// Its routes.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
}
