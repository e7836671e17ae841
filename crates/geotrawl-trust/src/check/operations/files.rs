//! Files, and documents that only describe themselves.

use super::ScoredOperation;
use crate::check::plan::{PlanContext, PlannedRequest, plan_file_piece};
use geotrawl_kinds::urls;
use url::Url;

/// The first bytes of a file: the operation of every kind of file that is not in the list.
pub struct FilePiece;

impl ScoredOperation for FilePiece {
    fn kind(&self) -> &'static str {
        "any file"
    }

    fn plan_requests(&self, context: &PlanContext<'_>) -> Vec<PlannedRequest> {
        vec![plan_file_piece(context)]
    }
}

/// The layer of a scene, which describes itself.
pub struct SceneLayer;

impl ScoredOperation for SceneLayer {
    fn kind(&self) -> &'static str {
        "i3s"
    }

    fn description_url(&self, url: &Url) -> Url {
        // An ArcGIS server gives people a page unless it is told.
        let arcgis = url.path().to_ascii_lowercase().contains("/rest/services/");
        if arcgis { urls::with_params(url, &[("f", "json")]) } else { url.clone() }
    }
}

/// The root of a Zarr store: of its many files none is the whole.
pub struct ZarrStore;

impl ScoredOperation for ZarrStore {
    fn kind(&self) -> &'static str {
        "zarr"
    }
}
