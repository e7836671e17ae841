//! Detects the server software that wrote a document.

/// Markers in namespaces, schema locations, comments, titles and URLs. The first match wins, so the
/// most specific ones come first.
const MARKS: &[(&str, &str)] = &[
    ("www.qgis.org", "QGIS Server"),
    ("qgis server", "QGIS Server"),
    ("/qgis/", "QGIS Server"),
    ("qgis_mapserv", "QGIS Server"),
    ("www.esri.com/wms", "ArcGIS Server"),
    ("www.esri.com/", "ArcGIS Server"),
    ("/arcgis/services/", "ArcGIS Server"),
    ("/arcgis/rest/", "ArcGIS Server"),
    ("mapserver/wmsserver", "ArcGIS Server"),
    ("imageserver/wcsserver", "ArcGIS Server"),
    ("/geoserver/", "GeoServer"),
    ("geoserver.org", "GeoServer"),
    ("geoserver.sf.net", "GeoServer"),
    ("geoserver web ", "GeoServer"),
    ("/geowebcache/", "GeoWebCache"),
    ("geowebcache.org", "GeoWebCache"),
    ("deegree", "deegree"),
    ("mapproxy", "MapProxy"),
    ("mapcache", "MapCache"),
    ("pycsw", "pycsw"),
    ("pywps", "PyWPS"),
    ("rasdaman", "rasdaman"),
    ("geonetwork", "GeoNetwork"),
    ("52north", "52°North"),
    ("52°north", "52°North"),
    ("n52.", "52°North"),
    ("/thredds/", "THREDDS"),
    ("/ncwms", "ncWMS"),
    ("ncwms", "ncWMS"),
    ("erddap", "ERDDAP"),
    ("cubewerx", "CubeWerx"),
    ("eoxserver", "EOxServer"),
    ("tinyows", "TinyOWS"),
    ("adaguc", "ADAGUC"),
    ("datacube", "datacube-ows"),
    ("istsos", "istSOS"),
    ("lizmap", "Lizmap"),
    ("mapguide", "MapGuide"),
    ("erdas", "ERDAS Apollo"),
    ("intergraph", "GeoMedia"),
    ("hexagon", "GeoMedia"),
    ("ldproxy", "ldproxy"),
    ("mapserv", "MapServer"),
    ("tilecache", "TileCache"),
];

/// Detects the software from text written by a server, ignoring case. Includes the version if the
/// server states it, as MapServer does: `MapServer version 8.0.1 ...`.
pub fn detect_software(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    if let Some(at) = lower.find("mapserver version ") {
        let version: String =
            lower[at + 18..].chars().take_while(|c| c.is_ascii_digit() || *c == '.').take(16).collect();
        return Some(format!("MapServer {}", version.trim_end_matches('.')).trim_end().to_owned());
    }
    let (mark, name) = MARKS.iter().find(|(mark, _)| lower.contains(mark))?;
    let at = lower.find(mark)? + mark.len();
    let signed: String = lower[at..]
        .strip_prefix(' ')
        .unwrap_or_default()
        .chars()
        .take_while(|c| c.is_ascii_digit() || *c == '.')
        .take(16)
        .collect();
    let version = signed.trim_end_matches('.');
    Some(if version.contains('.') { format!("{name} {version}") } else { (*name).to_owned() })
}

#[cfg(test)]
mod tests {
    use super::detect_software;

    #[test]
    fn servers_show_themselves() {
        assert_eq!(
            detect_software(" MapServer version 7.6.4 OUTPUT=PNG ").as_deref(),
            Some("MapServer 7.6.4")
        );
        assert_eq!(detect_software(" pycsw 2.6.1 ").as_deref(), Some("pycsw 2.6.1"));
        assert_eq!(detect_software("http://a.b/geoserver/schemas/wms").as_deref(), Some("GeoServer"));
        assert_eq!(detect_software("http://www.qgis.org/wms").as_deref(), Some("QGIS Server"));
        assert_eq!(detect_software("nothing to see"), None);
    }
}
