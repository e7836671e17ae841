//! Which media types are right for the description of a kind.

/// Kinds whose description is XML.
const XML: &[&str] = &[
    "arcims",
    "csw",
    "gml",
    "gpx",
    "inspire-atom",
    "kml",
    "oai-pmh",
    "opensearch",
    "sos",
    "thredds",
    "tms",
    "wcps",
    "wcs",
    "wfs",
    "wms",
    "wms-c",
    "wmts",
    "wps",
];

/// Kinds whose description is JSON.
const JSON: &[&str] = &[
    "3dtiles",
    "arcgis-directory",
    "arcgis-featureserver",
    "arcgis-geocodeserver",
    "arcgis-gpserver",
    "arcgis-imageserver",
    "arcgis-mapserver",
    "arcgis-portal",
    "arcgis-sceneserver",
    "arcgis-vectortileserver",
    "ckan",
    "geojson",
    "geonetwork",
    "geonode",
    "i3s",
    "maplibre-style",
    "ncwms",
    "ogcapi-coverages",
    "ogcapi-edr",
    "ogcapi-features",
    "ogcapi-maps",
    "ogcapi-processes",
    "ogcapi-records",
    "ogcapi-styles",
    "ogcapi-tiles",
    "opendatasoft",
    "sensorthings",
    "socrata",
    "stac-api",
    "stac-catalog",
    "tilejson",
    "topojson",
    "zarr",
];

/// The others: types that are registered or in general use. Formats without a registered type may come as
/// plain bytes.
const OTHERS: &[(&str, &[&str])] = &[
    ("cog", &["image/tiff", "image/geotiff", "image/x-geotiff"]),
    ("copc", &["application/vnd.laszip+copc", "application/vnd.laszip", "application/octet-stream"]),
    ("csv-geo", &["text/csv", "application/csv", "text/tab-separated-values"]),
    (
        "dcat",
        &[
            "text/turtle",
            "application/ld+json",
            "application/rdf+xml",
            "application/json",
            "text/xml",
            "application/xml",
            "application/n-triples",
        ],
    ),
    ("erddap", &["text/csv", "application/json", "text/html", "application/xhtml+xml", "text/plain"]),
    (
        "filegdb",
        &[
            "application/zip",
            "application/x-zip-compressed",
            "application/octet-stream",
            "application/x-filegdb",
        ],
    ),
    ("flatgeobuf", &["application/flatgeobuf", "application/vnd.flatgeobuf", "application/octet-stream"]),
    (
        "geopackage",
        &[
            "application/geopackage+sqlite3",
            "application/vnd.sqlite3",
            "application/x-sqlite3",
            "application/octet-stream",
        ],
    ),
    ("geoparquet", &["application/vnd.apache.parquet", "application/x-parquet", "application/octet-stream"]),
    ("geotiff", &["image/tiff", "image/geotiff", "image/x-geotiff"]),
    (
        "grib",
        &["application/wmo-grib", "application/x-grib", "application/x-grib2", "application/octet-stream"],
    ),
    ("hdf5", &["application/x-hdf5", "application/x-hdf", "application/hdf5", "application/octet-stream"]),
    ("kmz", &["application/vnd.google-earth.kmz"]),
    ("las", &["application/vnd.las", "application/vnd.laszip", "application/octet-stream"]),
    (
        "mbtiles",
        &[
            "application/vnd.mapbox.mbtiles",
            "application/vnd.sqlite3",
            "application/x-sqlite3",
            "application/octet-stream",
        ],
    ),
    ("mvt", &["application/vnd.mapbox-vector-tile", "application/x-protobuf", "application/octet-stream"]),
    (
        "netcdf",
        &["application/netcdf", "application/x-netcdf", "application/x-netcdf4", "application/octet-stream"],
    ),
    (
        "opendap",
        &[
            "text/plain",
            "application/json",
            "application/xml",
            "text/xml",
            "text/html",
            "application/vnd.opendap.dap4.dataset-metadata+xml",
        ],
    ),
    ("pmtiles", &["application/vnd.pmtiles", "application/octet-stream"]),
    ("schemaorg-dataset", &["text/html", "application/xhtml+xml", "application/ld+json"]),
    (
        "shapefile",
        &[
            "application/zip",
            "application/x-zip-compressed",
            "application/octet-stream",
            "application/vnd.shp",
            "x-gis/x-shapefile",
        ],
    ),
    (
        "xyz",
        &[
            "image/png",
            "image/jpeg",
            "image/webp",
            "image/gif",
            "application/vnd.mapbox-vector-tile",
            "application/x-protobuf",
        ],
    ),
];

/// Whether the description of a kind is JSON.
pub(super) fn is_json(kind: &str) -> bool {
    JSON.contains(&kind)
}

/// Whether a `Content-Type` is right for the description of a kind.
pub(super) fn is_right(kind: &str, content_type: Option<&str>) -> bool {
    let Some(given) = content_type else { return false };
    let essence = given.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if XML.contains(&kind) {
        // The first versions of the OGC services named types of their own.
        return matches!(essence.as_str(), "text/xml" | "application/xml" | "application/vnd.ogc.wms_xml")
            || essence.ends_with("+xml")
            || essence.starts_with("application/vnd.ogc.") && essence.ends_with("_xml");
    }
    if is_json(kind) {
        return essence == "application/json" || essence.ends_with("+json");
    }
    OTHERS.iter().any(|(k, types)| *k == kind && types.contains(&essence.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use geotrawl_kinds::kinds::KINDS;

    #[test]
    fn every_kind_has_its_types_once() {
        for kind in KINDS {
            let id = kind.doc().id;
            let places = usize::from(XML.contains(&id))
                + usize::from(JSON.contains(&id))
                + OTHERS.iter().filter(|(k, _)| *k == id).count();
            assert_eq!(places, 1, "{id} needs one place in facts/media_types.rs");
        }
    }

    #[test]
    fn types_are_told_apart() {
        assert!(is_right("wms", Some("text/xml; charset=UTF-8")));
        assert!(is_right("wms", Some("application/vnd.ogc.wms_xml")));
        assert!(!is_right("wms", Some("text/html")));
        assert!(!is_right("wms", None));
        assert!(is_right("geojson", Some("application/geo+json")));
        assert!(!is_right("geojson", Some("text/plain")));
        assert!(is_right("cog", Some("image/tiff; application=geotiff; profile=cloud-optimized")));
    }
}
