//! Guesses which OGC services a URL belongs to, and how likely that is.
//!
//! Strong: a protocol parameter, a known server path, or a last path segment that is the name of a
//! service. Such a URL is worth a probe. Weak: the name of a service somewhere in an ordinary path
//! (`/blog/what-is-wms`): the page is read like any other; if it is a service after all, its
//! response shows that.

use super::query::{percent_decode, query_pairs, with_lowercase};
use super::service_path::{is_page_name, read_path};
use crate::kinds;
use url::Url;

/// Confidence of a hint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum HintStrength {
    /// Read it as a page.
    #[default]
    Weak,
    /// A service, or a page about one: probe it and read it as a page.
    Either,
    /// Probe it.
    Strong,
}

/// Services suggested by a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceHint {
    /// Kinds to probe, most likely first.
    pub kinds: Vec<&'static str>,
    /// Whether the same endpoint probably offers other services.
    pub siblings: bool,
    pub strength: HintStrength,
    /// Whether the URL names layers, feature types or coverages.
    pub layers: bool,
    /// The URL is a capabilities document (REST) and must not be reduced to an endpoint.
    pub document: bool,
}

/// Returns the services that a URL suggests, if any.
pub fn service_hint(url: &Url) -> Option<ServiceHint> {
    let from_query = url.query().map(read_query).unwrap_or_default();
    let from_path = read_path(url);
    if from_query.kinds.is_empty() && !from_query.capabilities && !from_query.map_file && from_path.is_none()
    {
        return None;
    }
    let path = from_path.unwrap_or_default();
    let multi = path.multi || from_query.map_file;
    let unnamed = from_query.capabilities && from_query.kinds.is_empty();
    let mut kinds = from_query.kinds;
    // A server known for several services is probed for all of them, whichever one the link
    // requests.
    if kinds.is_empty() || path.kinds.len() > 1 {
        for kind in path.kinds {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
    }
    if kinds.is_empty() {
        kinds.push("wms");
    }
    let asks = from_query.has_request || (from_query.has_service && !looks_like_page(url));
    let strength = if asks || from_query.map_file { HintStrength::Strong } else { path.strength };
    Some(ServiceHint {
        kinds,
        siblings: multi || (unnamed && !path.exact),
        strength,
        layers: from_query.layers,
        document: path.document,
    })
}

#[derive(Default)]
struct QueryHint {
    kinds: Vec<&'static str>,
    has_service: bool,
    has_request: bool,
    capabilities: bool,
    map_file: bool,
    layers: bool,
}

fn read_query(query: &str) -> QueryHint {
    let mut hint = QueryHint::default();
    let mut by_request = None;
    let mut tiles = false;
    for pair in query_pairs(query) {
        with_lowercase(pair.key, |key| match key {
            "service" => {
                for kind in services_in(pair.value) {
                    if !hint.kinds.contains(&kind) {
                        hint.kinds.push(kind);
                    }
                    hint.has_service = true;
                }
            }
            "request" => {
                let known = with_lowercase(pair.value, |value| {
                    if value == "getcapabilities" {
                        return Some(("", true));
                    }
                    kinds::by_operation(value).map(|kind| (kind, kind == "wms" && value == "capabilities"))
                });
                if let Some((kind, capabilities)) = known {
                    hint.has_request = true;
                    hint.capabilities |= capabilities;
                    by_request = (!kind.is_empty()).then_some(kind);
                }
            }
            "wmtver" => by_request = by_request.or(Some("wms")),
            "tilematrix" | "tilematrixset" => tiles = true,
            "map" | "mapfile" => hint.map_file |= names_map_file(pair.value),
            "layers" | "layer" | "typename" | "typenames" | "coverage" | "coverageid" => {
                hint.layers |= !pair.value.is_empty();
            }
            _ => {}
        });
    }
    if hint.kinds.is_empty() {
        match by_request {
            Some("wms") if tiles => hint.kinds.push("wmts"),
            Some(kind) => hint.kinds.push(kind),
            None => {}
        }
    }
    hint
}

/// Returns the services named in a `SERVICE` value, which some pages write as a list.
fn services_in(value: &str) -> impl Iterator<Item = &'static str> {
    let decoded = with_lowercase(value, str::to_owned);
    let words: Vec<&'static str> = decoded
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter_map(|word| match word {
            "wcps" => Some("wcs"),
            _ => kinds::ows_kinds().iter().find(|s| **s == word).copied(),
        })
        .collect();
    words.into_iter()
}

/// Returns whether a value is the configuration of a MapServer or QGIS Server:
/// `map=/data/roads.map`, `map=project.qgs`.
fn names_map_file(value: &str) -> bool {
    let value = percent_decode(value).to_ascii_lowercase();
    [".map", ".qgs", ".qgz"].iter().any(|ending| value.ends_with(ending))
}

fn looks_like_page(url: &Url) -> bool {
    let last = url.path().rsplit('/').next().unwrap_or_default();
    with_lowercase(last, is_page_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(text: &str) -> Option<ServiceHint> {
        service_hint(&Url::parse(text).unwrap())
    }

    #[test]
    fn services_are_told_by_query_and_path() {
        // URL, kinds, siblings.
        for (url, kinds, siblings) in [
            ("https://x.org/a?SERVICE=WMS&REQUEST=GetCapabilities", "wms", false),
            ("https://x.org/a?service=wfs", "wfs", false),
            ("https://x.org/a?request=GetMap&layers=a", "wms", false),
            ("https://x.org/a?REQUEST=getfeature", "wfs", false),
            ("https://x.org/a?REQUEST=GetFeatureInfo&TILEMATRIX=1", "wmts", false),
            ("https://x.org/a?request=GetCapabilities", "wms", true),
            ("https://x.org/wfs?request=GetCapabilities", "wfs", false),
            ("https://x.org/a?WMTVER=1.0.0&REQUEST=capabilities", "wms", false),
            ("https://x.org/cgi-bin/mapserv?map=/a/b.map", "wms", true),
            ("https://x.org/cgi-bin/mapserv.exe?map=/a/b.map&SERVICE=WCS", "wcs", true),
            ("https://x.org/maps?map=%2Fa%2Fb.MAP", "wms", true),
            ("https://x.org/cgi-bin/qgis_mapserv.fcgi?MAP=/a.qgs", "wms", true),
            ("https://x.org/geoserver/ows", "wms", true),
            ("https://x.org/ows/roads?SERVICE=WFS&REQUEST=GetCapabilities", "wfs", true),
            ("https://x.org/mapproxy/x/service?SERVICE=WMTS&REQUEST=GetCapabilities", "wmts,wms", false),
            ("https://x.org/geoserver/topp/states/wms", "wms", false),
            ("https://x.org/geoserver/wfs?", "wfs", false),
            ("https://x.org/arcgis/services/A/MapServer/WMSServer", "wms", false),
            ("https://x.org/arcgis/services/A/MapServer/WFSServer?x=1", "wfs", false),
            ("https://x.org/geoserver/gwc/service/wmts", "wmts", false),
            ("https://x.org/a/1.0.0/WMTSCapabilities.xml", "wmts", false),
            ("https://x.org/geonetwork/srv/eng/csw", "csw", false),
            ("https://x.org/thredds/wms/data/a.nc", "wms", false),
            ("https://x.org/erddap/wms/id/request", "wms", false),
            ("https://x.org/servlet/com.esri.wms.Esrimap?ServiceName=A", "wms", false),
            ("https://www.wms.nrw.de/geobasis/wms_nw_dtk", "wms", false),
            ("https://x.org/deegree-webservices/services/roads", "wms", true),
            ("https://x.org/lizmap/index.php/lizmap/service/?repository=a&project=b", "wms", true),
            ("https://x.org/deegree/services/csw", "csw", false),
            ("https://x.org/deegree/services/wms_roads", "wms", false),
            ("https://x.org/52n-sos-webapp/service", "sos", false),
            ("https://x.org/pycsw/csw.py", "csw", false),
            ("https://x.org/wps", "wps", false),
            ("https://x.org/ncWMS2/wms", "wms", false),
            ("https://x.org/wms.ashx", "wms", false),
        ] {
            let found = hint(url).unwrap_or_else(|| panic!("no hint in {url}"));
            assert_eq!((found.kinds.join(","), found.siblings), (kinds.to_owned(), siblings), "{url}");
            assert_eq!(found.strength, HintStrength::Strong, "{url}");
        }
    }

    #[test]
    fn several_services_can_be_hinted() {
        assert_eq!(hint("https://x.org/a?service=WMS,WFS").unwrap().kinds, ["wms", "wfs"]);
        assert_eq!(hint("https://x.org/mapproxy/service").unwrap().kinds, ["wms", "wmts"]);
    }

    #[test]
    fn pages_about_services_are_only_weak_hints() {
        for url in [
            "https://x.org/wms/about.html",
            "https://x.org/blog/what-is-wms",
            "https://www.ogc.org/standards/wms",
            "https://x.org/docs/wms",
            "https://x.org/wms.html?service=wms",
            "https://x.org/wms-howto",
        ] {
            assert_eq!(hint(url).map(|h| h.strength), Some(HintStrength::Weak), "{url}");
        }
        for url in [
            "https://x.org/",
            "https://x.org/windows",
            "https://x.org/news?map=parks",
            "https://x.org/a.zip",
            "https://maps.x.org/services/",
            "https://x.org/arcgis/rest/services",
        ] {
            assert_eq!(hint(url), None, "{url}");
        }
        for url in [
            "https://x.org/wms/",
            "https://x.org/wms/roads",
            "https://x.org/ows/project/layer",
            "https://ows.x.org/osm/service",
        ] {
            assert_eq!(hint(url).map(|h| h.strength), Some(HintStrength::Either), "{url}");
        }
        assert_eq!(hint("https://x.org/geoserver/wms/").map(|h| h.strength), Some(HintStrength::Strong));
    }

    #[test]
    fn named_layers_are_noticed() {
        assert!(hint("https://x.org/wms?layers=a").unwrap().layers);
        assert!(!hint("https://x.org/wms?layers=").unwrap().layers);
    }
}
