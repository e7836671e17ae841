//! Search engines that tasks can query for seeds. The crawler queries them; this crate only lists
//! them.

use serde::Serialize;
use utoipa::ToSchema;

/// A configured search engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct EngineInfo {
    /// Name used in tasks.
    pub name: String,
    /// Type of engine: `searxng`, `brave`, ...
    pub kind: String,
    /// Queries left today; absent if there is no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_today: Option<u64>,
}

/// Lists the configured search engines. Called for each request, because the remaining quota
/// changes.
pub trait EngineDirectory: Send + Sync {
    /// Returns all configured engines in the order of the configuration.
    fn list_engines(&self) -> geotrawl_model::store::Result<Vec<EngineInfo>>;
}

impl EngineDirectory for Vec<EngineInfo> {
    fn list_engines(&self) -> geotrawl_model::store::Result<Vec<EngineInfo>> {
        Ok(self.clone())
    }
}
