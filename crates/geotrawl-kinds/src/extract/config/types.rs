//! Maps the service types that viewers use to requests.

use geotrawl_js::model::says;
use geotrawl_model::Intent;

/// How to request a service or document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestKind {
    Ows(&'static str),
    Ask(&'static str),
    File,
    /// Document that is read as a page.
    Page,
}

impl RequestKind {
    /// Returns the intent of the request.
    pub fn to_intent(self) -> Intent {
        match self {
            Self::Ows(kind) => Intent::Ows { kind: kind.to_owned(), siblings: false },
            Self::Ask(kind) => Intent::Ask { kind: kind.to_owned() },
            Self::File => Intent::File,
            Self::Page => Intent::Page,
        }
    }
}

/// Returns the request for a service type as named by a viewer. Map applications in code use the
/// same names.
pub fn request_for_type(said: &str) -> Option<RequestKind> {
    match geotrawl_js::signs::service_of_type(said)? {
        says::FILE => Some(RequestKind::File),
        says::DOCUMENT => Some(RequestKind::Page),
        // Viewers use `esri` for a server and `arcgis` for a map service.
        says::ARCGIS if said.trim().to_ascii_lowercase().starts_with("esri") => {
            Some(RequestKind::Ask("arcgis-directory"))
        }
        says::ARCGIS => Some(RequestKind::Ask("arcgis-mapserver")),
        kind => request_for_kind(kind),
    }
}

/// Returns the request for a service by the id of its kind.
pub fn request_for_kind(id: &str) -> Option<RequestKind> {
    let kind = crate::kinds::by_id(id)?;
    let id = kind.profile().id;
    Some(if kind.ows().is_some() { RequestKind::Ows(id) } else { RequestKind::Ask(id) })
}

/// Returns the request for a service named by a member such as `wmsUrl`, `urlWfs` or `wmts_url`.
pub fn request_for_key(key: &str) -> Option<RequestKind> {
    if key.len() > 40 {
        return None;
    }
    let lower = key.to_ascii_lowercase();
    let letters: String = lower.chars().filter(char::is_ascii_alphanumeric).collect();
    let named = letters.strip_suffix("url").or_else(|| letters.strip_suffix("urls"));
    let named = named.or_else(|| letters.strip_prefix("url")).or_else(|| letters.strip_suffix("endpoint"))?;
    crate::kinds::ows_kinds().contains(&named).then(|| request_for_type(named)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_known_by_their_many_names() {
        for (said, way) in [
            ("wms", Some(RequestKind::Ows("wms"))),
            ("WMS", Some(RequestKind::Ows("wms"))),
            ("wms-group", Some(RequestKind::Ows("wms"))),
            ("OGC:WMS-1.3.0-http-get-map", Some(RequestKind::Ows("wms"))),
            ("wmslayer", Some(RequestKind::Ows("wms"))),
            ("gxp_wmscsource", Some(RequestKind::Ows("wms"))),
            ("esri-mapServer", Some(RequestKind::Ask("arcgis-mapserver"))),
            ("esri-mapServer-group", Some(RequestKind::Ask("arcgis-mapserver"))),
            ("ArcGISFeatureLayer", Some(RequestKind::Ask("arcgis-featureserver"))),
            ("ckan-group", Some(RequestKind::Ask("ckan"))),
            ("3d-tiles", Some(RequestKind::Ask("3dtiles"))),
            ("group", None),
            ("layer", None),
            ("text/xml", None),
            ("", None),
        ] {
            assert_eq!(request_for_type(said), way, "{said}");
        }
        assert_eq!(request_for_key("wmsUrl"), Some(RequestKind::Ows("wms")));
        assert_eq!(request_for_key("urlWfs"), Some(RequestKind::Ows("wfs")));
        assert_eq!(request_for_key("url"), None);
    }
}
