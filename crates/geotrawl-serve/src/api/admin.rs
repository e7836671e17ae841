//! For admins: people, settings, the audit log, notes about records.

use crate::App;
use utoipa_axum::router::OpenApiRouter;

/// Its routes.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
}
