//! What there is to choose from: kinds, settings for the page, the OpenAPI document.

use crate::App;
use utoipa_axum::router::OpenApiRouter;

/// Its routes.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
}
