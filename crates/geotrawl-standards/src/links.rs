//! Links of a record, one per protocol, in the words that QGIS MetaSearch, GeoNetwork and pycsw know.

use geotrawl_store::record::Record;

/// A link of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    pub href: String,
    /// Protocol in the words of catalogues, such as `OGC:WMS`.
    pub protocol: &'static str,
    /// Media type of what is answered there.
    pub media_type: &'static str,
    pub title: String,
}

/// Links of a record: its own endpoint, then other faces of the same service, each protocol once.
pub fn of(record: &Record) -> Vec<Link> {
    let title = record.resource.title.clone().unwrap_or_else(|| record.resource.url.clone());
    let faces = record.faces.iter().map(|face| (face.kind.as_str(), face.url.as_str()));
    let doors = std::iter::once((record.resource.kind.as_str(), record.resource.url.as_str())).chain(faces);
    let mut links: Vec<Link> = Vec::new();
    for (kind, href) in doors {
        let (protocol, media_type) = protocol(kind);
        if links.iter().all(|link| link.protocol != protocol) {
            links.push(Link { href: href.to_owned(), protocol, media_type, title: title.clone() });
        }
    }
    links
}

/// Protocol and media type of a kind.
pub fn protocol(kind: &str) -> (&'static str, &'static str) {
    match kind {
        "wms" | "ncwms" => ("OGC:WMS", "application/xml"),
        "wmts" => ("OGC:WMTS", "application/xml"),
        "wfs" => ("OGC:WFS", "application/xml"),
        "wcs" | "wcps" => ("OGC:WCS", "application/xml"),
        "wps" => ("OGC:WPS", "application/xml"),
        "sos" => ("OGC:SOS", "application/xml"),
        "csw" => ("OGC:CSW", "application/xml"),
        "tms" | "wms-c" => ("OSGeo:TMS", "application/xml"),
        "ogcapi-features" => ("OGC API - Features", "application/json"),
        "ogcapi-records" => ("OGC API - Records", "application/json"),
        "ogcapi-tiles" => ("OGC API - Tiles", "application/json"),
        "ogcapi-maps" => ("OGC API - Maps", "application/json"),
        "ogcapi-coverages" => ("OGC API - Coverages", "application/json"),
        "ogcapi-processes" => ("OGC API - Processes", "application/json"),
        "ogcapi-edr" => ("OGC API - EDR", "application/json"),
        "ogcapi-styles" => ("OGC API - Styles", "application/json"),
        "sensorthings" => ("OGC:SensorThings", "application/json"),
        "stac-api" => ("STAC:API", "application/json"),
        "stac-catalog" => ("STAC:Catalog", "application/json"),
        "arcgis-mapserver" => ("ESRI:ArcGIS:MapServer", "application/json"),
        "arcgis-featureserver" => ("ESRI:ArcGIS:FeatureServer", "application/json"),
        "arcgis-imageserver" => ("ESRI:ArcGIS:ImageServer", "application/json"),
        "opendap" => ("OPeNDAP:OPeNDAP", "text/plain"),
        "xyz" => ("OSGeo:XYZ", "image/png"),
        "kml" => ("WWW:DOWNLOAD-KML", "application/vnd.google-earth.kml+xml"),
        "kmz" => ("WWW:DOWNLOAD-KMZ", "application/vnd.google-earth.kmz"),
        "geojson" => ("WWW:DOWNLOAD-GeoJSON", "application/geo+json"),
        "geotiff" | "cog" => ("WWW:DOWNLOAD-GeoTIFF", "image/tiff"),
        "geopackage" => ("WWW:DOWNLOAD-GeoPackage", "application/geopackage+sqlite3"),
        "shapefile" => ("WWW:DOWNLOAD-Shapefile", "application/zip"),
        _ => ("WWW:LINK", "application/octet-stream"),
    }
}
