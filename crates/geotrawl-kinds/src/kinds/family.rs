//! Families of kinds: what people tell apart at a glance (colours, groups of choices).

use serde::{Deserialize, Serialize};

/// A family of kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// Gives maps as pictures.
    Wms,
    /// Gives features.
    Features,
    /// Gives grids.
    Coverage,
    Tiles,
    /// Describes other things.
    Catalogue,
    Process,
    Sensor,
    Arcgis,
    /// Is downloaded whole or in pieces.
    File,
    Other,
}

const MEMBERS: &[(Family, &[&str])] = &[
    (Family::Wms, &["wms", "wms-c", "ogcapi-maps", "arcims", "ncwms", "ogcapi-styles", "maplibre-style"]),
    (Family::Features, &["wfs", "ogcapi-features"]),
    (Family::Coverage, &["wcs", "wcps", "ogcapi-coverages", "ogcapi-edr", "opendap", "thredds", "erddap"]),
    (
        Family::Tiles,
        &["wmts", "tms", "ogcapi-tiles", "tilejson", "xyz", "mvt", "pmtiles", "mbtiles", "3dtiles", "i3s"],
    ),
    (
        Family::Catalogue,
        &[
            "csw",
            "ogcapi-records",
            "stac-api",
            "stac-catalog",
            "ckan",
            "socrata",
            "opendatasoft",
            "geonetwork",
            "geonode",
            "dcat",
            "oai-pmh",
            "opensearch",
            "inspire-atom",
            "schemaorg-dataset",
            "arcgis-portal",
        ],
    ),
    (Family::Process, &["wps", "ogcapi-processes"]),
    (Family::Sensor, &["sos", "sensorthings"]),
    (
        Family::Arcgis,
        &[
            "arcgis-directory",
            "arcgis-mapserver",
            "arcgis-featureserver",
            "arcgis-imageserver",
            "arcgis-geocodeserver",
            "arcgis-gpserver",
            "arcgis-vectortileserver",
            "arcgis-sceneserver",
        ],
    ),
    (
        Family::File,
        &[
            "kml",
            "kmz",
            "shapefile",
            "geojson",
            "topojson",
            "geotiff",
            "cog",
            "geopackage",
            "flatgeobuf",
            "geoparquet",
            "netcdf",
            "hdf5",
            "grib",
            "zarr",
            "gml",
            "gpx",
            "las",
            "copc",
            "filegdb",
            "csv-geo",
        ],
    ),
];

/// The family of a kind; one that is new belongs to none until it is entered above.
pub fn family(kind: &str) -> Family {
    MEMBERS.iter().find(|(_, kinds)| kinds.contains(&kind)).map_or(Family::Other, |(family, _)| *family)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::KINDS;

    #[test]
    fn every_kind_has_a_family() {
        for kind in KINDS {
            assert_ne!(family(kind.doc().id), Family::Other, "{} needs a line in family.rs", kind.doc().id);
        }
    }
}
