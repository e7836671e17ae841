//! Tasks: what people ask to be crawled or harvested.

use crate::App;
use utoipa_axum::router::OpenApiRouter;

/// Its routes.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
}
