//! Search engines that tasks may ask for seeds. Who asks them is not this crate's affair: it is told which there are.

use serde::Serialize;
use utoipa::ToSchema;

/// A search engine that is configured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct EngineInfo {
    /// What tasks call it.
    pub name: String,
    /// What it is: `searxng`, `brave`, ...
    pub kind: String,
    /// Questions it may still be asked today; absent where nothing limits them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_today: Option<u64>,
}

/// Tells which search engines there are. Asked again each time, for what is left changes with every question.
pub trait EngineDirectory: Send + Sync {
    /// All that are configured, in the order of the configuration.
    fn list_engines(&self) -> geotrawl_model::store::Result<Vec<EngineInfo>>;
}

impl EngineDirectory for Vec<EngineInfo> {
    fn list_engines(&self) -> geotrawl_model::store::Result<Vec<EngineInfo>> {
        Ok(self.clone())
    }
}
