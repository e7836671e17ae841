//! Files, and documents that only have a description.

use super::ScoredOperation;
use crate::check::plan::{PlanContext, PlannedRequest, plan_file_piece};
use geotrawl_kinds::urls;
use url::Url;

/// Requests the first bytes of a file; used for all kinds of files that are not in the list.
pub struct FilePiece;

impl ScoredOperation for FilePiece {
    fn kind(&self) -> &'static str {
        "any file"
    }

    fn plan_requests(&self, context: &PlanContext<'_>) -> Vec<PlannedRequest> {
        vec![plan_file_piece(context)]
    }
}

/// A scene layer, which only has a description.
pub struct SceneLayer;

impl ScoredOperation for SceneLayer {
    fn kind(&self) -> &'static str {
        "i3s"
    }

    fn description_url(&self, url: &Url) -> Url {
        // ArcGIS servers return an HTML page unless the address asks for JSON.
        let arcgis = url.path().to_ascii_lowercase().contains("/rest/services/");
        if arcgis { urls::with_params(url, &[("f", "json")]) } else { url.clone() }
    }
}

/// The root document of a Zarr store; none of its many files is the whole dataset.
pub struct ZarrStore;

impl ScoredOperation for ZarrStore {
    fn kind(&self) -> &'static str {
        "zarr"
    }
}
