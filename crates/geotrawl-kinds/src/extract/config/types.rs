//! What viewers call the types of services, and how such a service is asked.

use geotrawl_js::model::says;
use geotrawl_model::Intent;

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

/// How a service of this type is asked, by what the viewer calls it: the words are those that code uses too.
pub fn of_type(said: &str) -> Option<Way> {
    match geotrawl_js::signs::of_type(said)? {
        says::FILE => Some(Way::File),
        says::DOCUMENT => Some(Way::Page),
        // Viewers say `esri` of a server, and `arcgis` of a map service.
        says::ARCGIS if said.trim().to_ascii_lowercase().starts_with("esri") => {
            Some(Way::Ask("arcgis-directory"))
        }
        says::ARCGIS => Some(Way::Ask("arcgis-mapserver")),
        kind => of_kind(kind),
    }
}

/// How a service of this kind is asked, by the id of the kind.
pub fn of_kind(id: &str) -> Option<Way> {
    let kind = crate::kinds::by_id(id)?;
    let id = kind.profile().id;
    Some(if kind.ows().is_some() { Way::Ows(id) } else { Way::Ask(id) })
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
    crate::kinds::ows_kinds().contains(&named).then(|| of_type(named)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

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
