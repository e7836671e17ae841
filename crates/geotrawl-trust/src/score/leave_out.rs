//! Which points a kind has no place for: nobody can mend them, so they do not count.

/// Kinds whose description lists no datasets, only ways to ask for them.
const LISTS_NOTHING: &[&str] = &[
    "arcgis-portal",
    "ckan",
    "csw",
    "geonetwork",
    "geonode",
    "oai-pmh",
    "opendatasoft",
    "opensearch",
    "sensorthings",
    "socrata",
    "wcps",
];

/// Formats that hold data and next to nothing about them.
const BARE: &[&str] = &[
    "cog",
    "copc",
    "csv-geo",
    "flatgeobuf",
    "geojson",
    "geoparquet",
    "geotiff",
    "grib",
    "las",
    "mvt",
    "shapefile",
    "topojson",
    "xyz",
];

/// Descriptions with a title and a text, but without words or contacts.
const TERSE: &[&str] = &[
    "3dtiles",
    "arcgis-directory",
    "arcgis-featureserver",
    "arcgis-geocodeserver",
    "arcgis-gpserver",
    "arcgis-imageserver",
    "arcgis-sceneserver",
    "arcgis-vectortileserver",
    "arcims",
    "filegdb",
    "geopackage",
    "gml",
    "hdf5",
    "i3s",
    "kml",
    "kmz",
    "maplibre-style",
    "mbtiles",
    "ncwms",
    "pmtiles",
    "tilejson",
];

/// Kinds whose datasets have no place on the globe, or none that the description could tell.
const PLACELESS: &[&str] = &[
    "arcgis-directory",
    "arcgis-geocodeserver",
    "arcgis-gpserver",
    "arcims",
    "filegdb",
    "maplibre-style",
    "mvt",
    "ogcapi-processes",
    "ogcapi-styles",
    "wps",
    "xyz",
];

/// Kinds that are no text.
const BINARY: &[&str] = &[
    "cog",
    "copc",
    "filegdb",
    "flatgeobuf",
    "geopackage",
    "geoparquet",
    "geotiff",
    "grib",
    "hdf5",
    "kmz",
    "las",
    "mbtiles",
    "mvt",
    "netcdf",
    "pmtiles",
    "shapefile",
    "xyz",
    "zarr",
];

/// Whether descriptions of a kind list no datasets.
pub(super) fn lists_nothing(kind: &str) -> bool {
    LISTS_NOTHING.contains(&kind)
}

/// Why a point does not count for a kind, if it does not.
pub(super) fn why(kind: &str, point: &str) -> Option<&'static str> {
    let is = |kinds: &[&str]| kinds.contains(&kind);
    match point {
        "capabilities.datasets" | "capabilities.names" | "metadata.boxes" | "metadata.titles"
            if is(LISTS_NOTHING) =>
        {
            Some("left out: descriptions of this kind list no datasets")
        }
        "capabilities.size" if super::FILES.contains(&kind) => {
            Some("left out: a file may be as large as its data")
        }
        "metadata.abstract" | "metadata.keywords" | "metadata.contact" | "metadata.licence"
        | "metadata.link" | "metadata.titles"
            if is(BARE) =>
        {
            Some("left out: the format has no place for it")
        }
        "metadata.title" if matches!(kind, "xyz" | "mvt") => Some("left out: the format has no place for it"),
        "metadata.keywords" | "metadata.contact" if is(TERSE) => {
            Some("left out: descriptions of this kind have no place for it")
        }
        "metadata.boxes" if is(PLACELESS) => {
            Some("left out: descriptions of this kind do not place their datasets")
        }
        "standards.encoding" if is(BINARY) => Some("left out: it is no text"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geotrawl_kinds::kinds::by_id;

    #[test]
    fn every_kind_named_here_exists() {
        for kind in [LISTS_NOTHING, BARE, TERSE, PLACELESS, BINARY].concat() {
            assert!(by_id(kind).is_some(), "{kind}");
        }
    }
}
