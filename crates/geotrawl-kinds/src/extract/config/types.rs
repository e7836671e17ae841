//! What viewers call the types of services, and how such a service is asked.

use crate::probe::Intent;

/// How something is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Ows(&'static str),
    Ask(&'static str),
    File,
    /// A document that is read as it is.
    Page,
}

impl Way {
    /// The request.
    pub fn intent(self) -> Intent {
        match self {
            Self::Ows(kind) => Intent::Ows { kind: kind.to_owned(), siblings: false },
            Self::Ask(kind) => Intent::Ask { kind: kind.to_owned() },
            Self::File => Intent::File,
            Self::Page => Intent::Page,
        }
    }
}

/// Types by their names in lower case, without marks and without the endings of [`plain`]. Sorted.
const TYPES: &[(&str, Way)] = &[
    ("3dtile", Way::Ask("3dtiles")),
    ("3dtiles", Way::Ask("3dtiles")),
    ("arcgis", Way::Ask("arcgis-mapserver")),
    ("arcgisdynamic", Way::Ask("arcgis-mapserver")),
    ("arcgisdynamicmapservice", Way::Ask("arcgis-mapserver")),
    ("arcgisfeature", Way::Ask("arcgis-featureserver")),
    ("arcgisfeatureserver", Way::Ask("arcgis-featureserver")),
    ("arcgisimageservice", Way::Ask("arcgis-imageserver")),
    ("arcgisimageservicevector", Way::Ask("arcgis-imageserver")),
    ("arcgismapserver", Way::Ask("arcgis-mapserver")),
    ("arcgismapservice", Way::Ask("arcgis-mapserver")),
    ("arcgisportal", Way::Ask("arcgis-portal")),
    ("arcgisportalitem", Way::Ask("arcgis-portal")),
    ("arcgisrest", Way::Ask("arcgis-mapserver")),
    ("arcgisscene", Way::Ask("arcgis-sceneserver")),
    ("arcgistiled", Way::Ask("arcgis-mapserver")),
    ("arcgistiledimageservice", Way::Ask("arcgis-imageserver")),
    ("arcgistiledmapservice", Way::Ask("arcgis-mapserver")),
    ("ckan", Way::Ask("ckan")),
    ("ckancatalog", Way::Ask("ckan")),
    ("cog", Way::File),
    ("csw", Way::Ows("csw")),
    ("esri", Way::Ask("arcgis-directory")),
    ("esrifeatureserver", Way::Ask("arcgis-featureserver")),
    ("esriimageserver", Way::Ask("arcgis-imageserver")),
    ("esrimapserver", Way::Ask("arcgis-mapserver")),
    ("flatgeobuf", Way::File),
    ("geojson", Way::File),
    ("geotiff", Way::File),
    ("gml", Way::File),
    ("gpx", Way::File),
    ("gxpwmscsource", Way::Ows("wms")),
    ("gxpwmssource", Way::Ows("wms")),
    ("i3s", Way::Ask("i3s")),
    ("imagewms", Way::Ows("wms")),
    ("integratedmesh", Way::Ask("arcgis-sceneserver")),
    ("kml", Way::File),
    ("kmz", Way::File),
    ("mapboxstyle", Way::Page),
    ("oaf", Way::Ask("ogcapi-features")),
    ("ogcapi", Way::Ask("ogcapi-features")),
    ("ogcapifeatures", Way::Ask("ogcapi-features")),
    ("ogcfeature", Way::Ask("ogcapi-features")),
    ("ogcfeatureserver", Way::Ask("ogcapi-features")),
    ("opendatasoft", Way::Ask("opendatasoft")),
    ("opendatasoftcatalog", Way::Ask("opendatasoft")),
    ("pointcloud", Way::Ask("arcgis-sceneserver")),
    ("sensorthings", Way::Ask("sensorthings")),
    ("shapefile", Way::File),
    ("shp", Way::File),
    ("socrata", Way::Ask("socrata")),
    ("sos", Way::Ows("sos")),
    ("stac", Way::Ask("stac-api")),
    ("stacapi", Way::Ask("stac-api")),
    ("staccatalog", Way::Page),
    ("thredds", Way::Ask("thredds")),
    ("threddscatalog", Way::Ask("thredds")),
    ("tilejson", Way::Page),
    ("tileset3d", Way::Ask("3dtiles")),
    ("tilewms", Way::Ows("wms")),
    ("vectortile", Way::Page),
    ("wcs", Way::Ows("wcs")),
    ("webfeatureservice", Way::Ows("wfs")),
    ("webmapservice", Way::Ows("wms")),
    ("webmaptileservice", Way::Ows("wmts")),
    ("wfs", Way::Ows("wfs")),
    ("wfs3", Way::Ask("ogcapi-features")),
    ("wfst", Way::Ows("wfs")),
    ("wms", Way::Ows("wms")),
    ("wmsc", Way::Ows("wms")),
    ("wmst", Way::Ows("wms")),
    ("wmstile", Way::Ows("wms")),
    ("wmstime", Way::Ows("wms")),
    ("wmsuntiled", Way::Ows("wms")),
    ("wmts", Way::Ows("wmts")),
    ("wps", Way::Ows("wps")),
];

/// How a service of this type is asked, by what the viewer calls it.
pub fn of_type(said: &str) -> Option<Way> {
    let name = plain(said)?;
    TYPES
        .binary_search_by(|(known, _)| (*known).cmp(&name))
        .ok()
        .and_then(|at| TYPES.get(at))
        .map(|(_, way)| *way)
}

/// How a service of this kind is asked, by the id of the kind.
pub fn of_kind(id: &str) -> Option<Way> {
    if crate::kinds::by_id(id).is_some_and(|kind| kind.ows().is_some()) {
        return of_type(id);
    }
    let kind = crate::kinds::by_id(id)?.doc().id;
    Some(Way::Ask(kind))
}

/// `OGC:WMS-1.3.0-http-get-map`, `wms-group`, `WMSLayer` are all `wms`.
fn plain(said: &str) -> Option<String> {
    if said.len() > 64 {
        return None;
    }
    let lower = said.trim().to_ascii_lowercase();
    let lower =
        lower.strip_prefix("ogc:").map_or(lower.as_str(), |rest| rest.split('-').next().unwrap_or(rest));
    let mut name: String = lower.chars().filter(char::is_ascii_alphanumeric).collect();
    for ending in ["group", "layer", "source", "service", "item"] {
        // A name that is nothing else, or that is known with it, keeps it.
        let known = TYPES.binary_search_by(|(k, _)| (*k).cmp(&name)).is_ok();
        if let Some(rest) = name.strip_suffix(ending).filter(|rest| !rest.is_empty() && !known) {
            name = rest.to_owned();
        }
    }
    Some(name)
}

/// The service that the name of a member says: `wmsUrl`, `urlWfs`, `wmts_url`.
pub fn of_key(key: &str) -> Option<Way> {
    if key.len() > 40 {
        return None;
    }
    let lower = key.to_ascii_lowercase();
    let letters: String = lower.chars().filter(char::is_ascii_alphanumeric).collect();
    let named = letters.strip_suffix("url").or_else(|| letters.strip_suffix("urls"));
    let named = named.or_else(|| letters.strip_prefix("url")).or_else(|| letters.strip_suffix("endpoint"))?;
    matches!(named, "wms" | "wfs" | "wmts" | "wcs" | "csw" | "wps" | "sos").then(|| of_type(named)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        for pair in TYPES.windows(2) {
            assert!(pair[0].0 < pair[1].0, "{} before {}", pair[0].0, pair[1].0);
        }
    }

    #[test]
    fn types_are_known_by_their_many_names() {
        for (said, way) in [
            ("wms", Some(Way::Ows("wms"))),
            ("WMS", Some(Way::Ows("wms"))),
            ("wms-group", Some(Way::Ows("wms"))),
            ("OGC:WMS-1.3.0-http-get-map", Some(Way::Ows("wms"))),
            ("wmslayer", Some(Way::Ows("wms"))),
            ("gxp_wmscsource", Some(Way::Ows("wms"))),
            ("esri-mapServer", Some(Way::Ask("arcgis-mapserver"))),
            ("esri-mapServer-group", Some(Way::Ask("arcgis-mapserver"))),
            ("ArcGISFeatureLayer", Some(Way::Ask("arcgis-featureserver"))),
            ("ckan-group", Some(Way::Ask("ckan"))),
            ("3d-tiles", Some(Way::Ask("3dtiles"))),
            ("group", None),
            ("layer", None),
            ("text/xml", None),
            ("", None),
        ] {
            assert_eq!(of_type(said), way, "{said}");
        }
        assert_eq!(of_key("wmsUrl"), Some(Way::Ows("wms")));
        assert_eq!(of_key("urlWfs"), Some(Way::Ows("wfs")));
        assert_eq!(of_key("url"), None);
    }
}
