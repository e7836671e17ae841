//! What happens, as it happens: server-sent events with resume, and long polling.

use crate::App;
use utoipa_axum::router::OpenApiRouter;

/// Its routes.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
}
