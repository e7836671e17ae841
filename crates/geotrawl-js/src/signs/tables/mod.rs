//! Signatures, one file per library or family.

mod arcgis;
mod cesium;
mod geoext;
mod google;
mod leaflet;
mod maplibre;
mod openlayers;
mod openlayers2;
mod requests;
mod threed;
mod viewers;

use super::sign::LibrarySignatures;

/// All signature tables. To add a library, add a file and an entry here.
pub const TABLES: &[&LibrarySignatures] = &[
    &openlayers2::TABLE,
    &openlayers::TABLE,
    &leaflet::TABLE,
    &arcgis::VERSION_3,
    &arcgis::VERSION_4,
    &maplibre::TABLE,
    &cesium::TABLE,
    &geoext::TABLE,
    &threed::DECKGL,
    &threed::ITOWNS,
    &threed::WORLDWIND,
    &google::GOOGLE,
    &google::OTHERS,
    &viewers::TABLE,
    &requests::TABLE,
];
