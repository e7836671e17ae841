//! Other URLs to try on the server of an identified service, which exist by convention.
//!
//! Limited to URLs that a server has only once: the frontier requests each of them once, however
//! many services lead to it.

use crate::probe::CrawlTarget;
use geotrawl_model::Intent;
use url::Url;

/// What a server has at a conventional path.
enum ServerPath {
    Asked(&'static str),
    Service(&'static str),
    Page,
}

/// Path segments typical of a server, and the paths directly below them.
const SERVERS: &[(&str, &[(&str, ServerPath)])] = &[
    ("arcgis", &[("rest/services", ServerPath::Asked("arcgis-directory"))]),
    ("erddap", &[("", ServerPath::Asked("erddap"))]),
    ("geoserver", &[("ows", ServerPath::Service("wms"))]),
    ("thredds", &[("catalog.xml", ServerPath::Page)]),
];
/// Related services that xpublish offers for each dataset: `/datasets/{id}/edr/`.
const XPUBLISH: &[(&str, ServerPath)] = &[
    ("edr/", ServerPath::Asked("ogcapi-edr")),
    ("opendap", ServerPath::Asked("opendap")),
    ("wms/", ServerPath::Service("wms")),
];

/// Returns other URLs worth probing on the server of an identified service.
pub fn related_targets(url: &Url) -> Vec<CrawlTarget> {
    let parts: Vec<&str> = url.path().split('/').filter(|part| !part.is_empty()).collect();
    let mut targets = Vec::new();
    let mut add = |before: &[&str], path: &str, is: &ServerPath| {
        let mut at = url.clone();
        at.set_query(None);
        at.set_fragment(None);
        let mut whole = format!("/{}", before.join("/"));
        if !path.is_empty() {
            whole.push('/');
            whole.push_str(path);
        }
        at.set_path(&whole);
        let intent = match is {
            ServerPath::Asked(kind) => Intent::Ask { kind: (*kind).to_owned() },
            ServerPath::Service(kind) => {
                Intent::Ows { kind: (*kind).to_owned(), siblings: whole.ends_with("/ows") }
            }
            ServerPath::Page => Intent::Page,
        };
        targets.push(CrawlTarget::new(at, intent, "sibling"));
    };
    for (name, places) in SERVERS {
        if let Some(at) = parts.iter().position(|part| part.eq_ignore_ascii_case(name)) {
            for (path, is) in *places {
                add(&parts[..=at], path, is);
            }
        }
    }
    if let Some(at) = parts.iter().position(|part| *part == "datasets")
        && let [_, id, face] = parts[at..]
        && XPUBLISH.iter().any(|(path, _)| path.trim_end_matches('/') == face)
    {
        let before: Vec<&str> = parts[..=at].iter().copied().chain([id]).collect();
        for (path, is) in XPUBLISH.iter().filter(|(path, _)| path.trim_end_matches('/') != face) {
            add(&before, path, is);
        }
    }
    targets
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(url: &str) -> Vec<String> {
        let targets = related_targets(&Url::parse(url).unwrap());
        targets.iter().map(|target| format!("{} {}", target.intent, target.url)).collect()
    }

    #[test]
    fn a_server_is_asked_where_it_lists_what_it_has() {
        for (url, expected) in [
            (
                "https://x.org/gis/arcgis/services/A/MapServer/WMSServer",
                &["ask:arcgis-directory https://x.org/gis/arcgis/rest/services"][..],
            ),
            ("https://x.org/geoserver/roads/wms?x=1", &["ows:wms+ https://x.org/geoserver/ows"]),
            ("https://x.org/thredds/wms/a/b.nc", &["page https://x.org/thredds/catalog.xml"]),
            ("https://x.org/erddap/wms/id/request", &["ask:erddap https://x.org/erddap"]),
            (
                "https://x.org/datasets/sst/edr/",
                &[
                    "ask:opendap https://x.org/datasets/sst/opendap",
                    "ows:wms https://x.org/datasets/sst/wms/",
                ],
            ),
            ("https://x.org/wms", &[]),
            ("https://x.org/datasets/roads", &[]),
        ] {
            assert_eq!(shown(url), expected, "{url}");
        }
    }
}
