//! The scored operations, one file per kind or family.
//!
//! A kind that is not in [`OPERATIONS`] is checked by its description, and a file also by its first
//! bytes. A test keeps this list in step with the list of kinds.

mod arcgis;
mod catalogues;
mod files;
mod items;
mod ogcapi;
mod ows;
mod science;
mod sos;
#[cfg(test)]
mod tests;
mod tiles;
mod wms;
mod wms_c;
mod wmts;

use super::plan::{KeptDescription, PlanContext, PlannedRequest, no_such_dataset};
use geotrawl_kinds::kinds::{self, KindProfile};
use geotrawl_model::Dataset;
use url::Url;

pub use tiles::{follow_tile_map, follow_tile_sets};

/// The scored operation of a kind.
pub trait ScoredOperation: Sync {
    /// Returns the id of the kind.
    fn kind(&self) -> &'static str;

    /// Returns the address of the description: some servers return it only if the address asks for
    /// it.
    fn description_url(&self, url: &Url) -> Url {
        url.clone()
    }

    /// Returns whether the kept part of a description must not be replaced by a later one.
    fn keeps_description(&self, _kept: &KeptDescription) -> bool {
        false
    }

    /// Returns whether a dataset with this name can be requested.
    fn can_request(&self, _dataset: &Dataset) -> bool {
        true
    }

    /// Returns how many extra datasets to choose, as replacements for those that turn out to
    /// require parameters that cannot be guessed.
    fn spare_datasets(&self) -> usize {
        0
    }

    /// Plans the operation on one dataset; `None` if there is nothing to request.
    fn plan_dataset(&self, _context: &PlanContext<'_>, _dataset: &Dataset) -> Option<PlannedRequest> {
        None
    }

    /// Plans the operation on the chosen datasets.
    fn plan_requests(&self, context: &PlanContext<'_>) -> Vec<PlannedRequest> {
        context.chosen.iter().filter_map(|dataset| self.plan_dataset(context, dataset)).collect()
    }

    /// Plans a request for something that does not exist; `None` for kinds without a defined error
    /// response.
    fn plan_refusal(&self, context: &PlanContext<'_>) -> Option<PlannedRequest> {
        self.plan_dataset(context, &no_such_dataset(context))
    }
}

/// All operations, sorted by kind.
static OPERATIONS: &[&dyn ScoredOperation] = &[
    &arcgis::ArcgisFeature,
    &arcgis::ArcgisTask,
    &arcgis::ArcgisImage,
    &arcgis::ArcgisMap,
    &arcgis::ArcgisVectorTile,
    &catalogues::CkanSearch,
    &ows::CswRecords,
    &science::ErddapInfo,
    &catalogues::GeoNetworkRecords,
    &files::SceneLayer,
    &tiles::MVT,
    &wms::NCWMS,
    &catalogues::OaiHeaders,
    &ogcapi::COVERAGES,
    &ogcapi::EdrCollection,
    &ogcapi::OgcApiFeatures,
    &ogcapi::MAPS,
    &ogcapi::PROCESSES,
    &ogcapi::RECORDS,
    &ogcapi::TILES,
    &science::OpendapValue,
    &catalogues::OPENDATASOFT,
    &catalogues::OpenSearchResults,
    &items::SensorThingsObservation,
    &catalogues::SOCRATA,
    &sos::SosSensor,
    &items::StacApiSearch,
    &science::ThreddsLeaves,
    &tiles::TileJson,
    &tiles::TileMaps,
    &ows::WCPS,
    &ows::WCS,
    &ows::WfsFeature,
    &wms::WMS,
    &wms_c::CachedMaps,
    &wmts::TileLayers,
    &ows::WpsProcess,
    &tiles::XYZ,
    &files::ZarrStore,
];

/// Returns the operation of a kind; `None` for kinds that only have a description.
pub fn operation_of(kind: &str) -> Option<&'static dyn ScoredOperation> {
    match OPERATIONS.binary_search_by(|operation| operation.kind().cmp(kind)) {
        Ok(at) => OPERATIONS.get(at).copied(),
        Err(_) if kinds::kind_profile(kind).is_some_and(KindProfile::is_file) => Some(&files::FilePiece),
        Err(_) => None,
    }
}
