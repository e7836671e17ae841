//! What the documents of a labelled set are to us: one table.

/// What one kind of document is.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// Kind of document, as labels name it.
    pub document: &'static str,
    /// Kinds that it proves: at least one of them, and no other. None when it proves nothing.
    pub kinds: &'static [&'static str],
    /// Whether the version of the label is that of the resource.
    pub version: bool,
}

const fn of(document: &'static str, kinds: &'static [&'static str]) -> Entry {
    Entry { document, kinds, version: false }
}

const fn versioned(document: &'static str, kinds: &'static [&'static str]) -> Entry {
    Entry { document, kinds, version: true }
}

const fn nothing(document: &'static str) -> Entry {
    Entry { document, kinds: &[], version: false }
}

const OGCAPI: &[&str] = &[
    "ogcapi-coverages",
    "ogcapi-edr",
    "ogcapi-features",
    "ogcapi-maps",
    "ogcapi-processes",
    "ogcapi-records",
    "ogcapi-styles",
    "ogcapi-tiles",
];

/// Every kind of document. Sorted.
pub const TABLE: &[Entry] = &[
    versioned("arcgis-rest-directory", &["arcgis-directory"]),
    nothing("arcgis-rest-error"),
    versioned("arcgis-rest-featureserver", &["arcgis-featureserver"]),
    versioned("arcgis-rest-imageserver", &["arcgis-imageserver"]),
    versioned("arcgis-rest-layer", &["arcgis-featureserver", "arcgis-mapserver", "i3s"]),
    versioned("arcgis-rest-mapserver", &["arcgis-mapserver"]),
    nothing("arcgis-rest-query-result"),
    of("ckan-other", &["ckan"]),
    of("ckan-package-search", &["ckan"]),
    of("ckan-package-show", &["ckan"]),
    versioned("csw-capabilities", &["csw"]),
    nothing("csw-describerecord"),
    nothing("csw-dublin-core-record"),
    nothing("csw-getdomain"),
    nothing("csw-getrecordbyid-response"),
    nothing("csw-getrecords-response"),
    of("dcat-datajson", &["dcat"]),
    of("dcat-jsonld", &["dcat"]),
    of("dcat-turtle", &["dcat"]),
    nothing("dif-record"),
    nothing("fgdc-csdgm-record"),
    versioned("flatgeobuf", &["flatgeobuf"]),
    nothing("gdal-wms-xml"),
    of("geojson", &["geojson"]),
    of("geopackage", &["geopackage"]),
    of("geoparquet", &["geoparquet"]),
    nothing("georss-atom-feed"),
    nothing("georss-rss"),
    of("geotiff", &["geotiff"]),
    of("geotiff-cog", &["cog"]),
    of("gml-featurecollection", &["gml"]),
    of("gml-other", &["gml"]),
    of("gml-wfs-featurecollection", &["gml"]),
    versioned("gpx", &["gpx"]),
    versioned("grib", &["grib"]),
    nothing("hdf4"),
    of("hdf5", &["hdf5"]),
    nothing("html-as-xml"),
    of("inspire-atom-feed", &["inspire-atom"]),
    nothing("iso19115-3-record"),
    nothing("iso19139-record"),
    nothing("json-config-ows"),
    of("json-fg", &["geojson"]),
    of("kml", &["kml"]),
    of("kmz", &["kmz"]),
    versioned("mapbox-style", &["maplibre-style"]),
    nothing("negative-not-geospatial"),
    of("netcdf", &["netcdf"]),
    of("oai-pmh-response", &["oai-pmh"]),
    nothing("ogc-exception-owsexceptionreport"),
    nothing("ogc-exception-serviceexceptionreport"),
    of("ogcapi-collection", OGCAPI),
    of("ogcapi-collections", OGCAPI),
    of("ogcapi-conformance", OGCAPI),
    of("ogcapi-features-items", &["geojson"]),
    of("ogcapi-landing", OGCAPI),
    nothing("ogcapi-record"),
    of("ogcapi-tilematrixsets", &["ogcapi-tiles"]),
    of("ogcapi-tilesets", &["ogcapi-tiles"]),
    nothing("openapi-ogcapi"),
    of("opendap-das", &["opendap"]),
    of("opendap-dds", &["opendap"]),
    of("opendap-ddx", &["opendap"]),
    nothing("opensearch-atom-response"),
    of("opensearch-description", &["opensearch"]),
    nothing("parquet"),
    versioned("pmtiles", &["pmtiles"]),
    nothing("qgis-project"),
    of("rdf-xml", &["dcat"]),
    nothing("robots-txt"),
    of("schemaorg-dataset-jsonld", &["schemaorg-dataset"]),
    nothing("sensorml"),
    of("shapefile-shp", &["shapefile"]),
    of("shapefile-zip", &["shapefile"]),
    nothing("sitemap-index"),
    nothing("sitemap-urlset"),
    nothing("sld"),
    versioned("sos-capabilities", &["sos"]),
    nothing("sos-getobservation"),
    nothing("sqlite"),
    of("stac-api-collections", &["stac-api"]),
    versioned("stac-api-landing", &["stac-api"]),
    versioned("stac-catalog", &["stac-catalog"]),
    versioned("stac-collection", &["stac-catalog"]),
    versioned("stac-item", &["stac-catalog"]),
    of("stac-itemcollection", &["geojson"]),
    nothing("terria-init-json"),
    versioned("thredds-catalog", &["thredds"]),
    nothing("tiff-plain"),
    versioned("tilejson", &["tilejson"]),
    versioned("tms-root", &["tms"]),
    versioned("tms-tilemap", &["tms"]),
    of("topojson", &["topojson"]),
    versioned("wcs-capabilities", &["wcs", "wcps"]),
    nothing("wcs-describecoverage"),
    versioned("wfs-capabilities", &["wfs"]),
    nothing("wmc-viewcontext"),
    versioned("wms-capabilities", &["wms", "wms-c", "ncwms"]),
    nothing("wms-describelayer"),
    versioned("wmts-capabilities", &["wmts"]),
    versioned("wps-capabilities", &["wps"]),
    nothing("wps-describeprocess"),
    nothing("wps-executeresponse"),
    nothing("xsd-gml-application-schema"),
];

/// What a kind of document is; `None` for one that the table does not know.
pub fn entry(document: &str) -> Option<&'static Entry> {
    TABLE.binary_search_by(|entry| entry.document.cmp(document)).ok().map(|at| &TABLE[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(TABLE.windows(2).all(|pair| pair[0].document < pair[1].document));
    }
}
