//! Related services: a server offers the same data as WMS, WFS, tiles and its own protocol, each at
//! a different URL. The part that these URLs have in common is the key of the cluster.

use super::query::query_pairs;
use crate::kinds;
use url::Url;

/// Last path segments that name the protocol, not the service, in addition to the ids of OGC
/// services.
const PROTOCOLS: &[&str] = &[
    "arcgis",
    "capabilities",
    "edr",
    "ogcapi",
    "ogcfeatureserver",
    "opendap",
    "ows",
    "service",
    "tiles",
    "wcsserver",
    "wfs3",
    "wfsserver",
    "wmsserver",
];
/// Types of ArcGIS services: one map may be published as several of them.
const ARCGIS: &[&str] = &["featureserver", "imageserver", "mapserver", "vectortileserver"];
/// Path segments of THREDDS and ERDDAP URLs that name the protocol, directly after the server's own
/// segment.
const DATA_SERVERS: &[(&str, &[&str])] = &[
    ("erddap", &["griddap", "tabledap", "wms", "files", "info"]),
    ("thredds", &["dodsc", "wms", "wcs", "ncss", "fileserver", "iso", "ncml", "uddc", "catalog"]),
];

/// Returns the key shared by related services. Services with different keys may still be related;
/// services with the same key are on the same host and have the same name.
pub fn cluster_key(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host);
    let mut key = host.to_owned();
    if let Some(port) = url.port() {
        key.push(':');
        key.push_str(&port.to_string());
    }
    for part in service_parts(url) {
        key.push('/');
        key.push_str(&part);
    }
    // Parameters set by the operator (`map=`, `project=`) distinguish services on the same path.
    let mut vendor: Vec<(String, &str)> = url
        .query()
        .map(|query| query_pairs(query).map(|pair| (pair.key.to_ascii_lowercase(), pair.value)).collect())
        .unwrap_or_default();
    vendor.sort();
    for (name, value) in vendor {
        key.push(if key.contains('?') { '&' } else { '?' });
        key.push_str(&name);
        key.push('=');
        key.push_str(value);
    }
    key
}

/// Returns the path segments that name the service.
fn service_parts(url: &Url) -> Vec<String> {
    let mut parts: Vec<String> =
        url.path().split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
    let is = |part: &str, word: &str| part.eq_ignore_ascii_case(word);
    // `.../rest/services/Roads/MapServer` and `.../services/Roads/MapServer/WMSServer`.
    if let Some(at) = parts.iter().position(|part| is(part, "services"))
        && parts.iter().skip(at).any(|part| ARCGIS.iter().any(|word| is(part, word)))
    {
        let end = parts.iter().rposition(|part| ARCGIS.iter().any(|word| is(part, word)));
        parts.truncate(end.unwrap_or(parts.len()));
        if at > 0 && is(&parts[at - 1], "rest") {
            parts.remove(at - 1);
        }
        return parts;
    }
    for (server, protocols) in DATA_SERVERS {
        if let Some(at) = parts.iter().position(|part| is(part, server))
            && parts.get(at + 1).is_some_and(|part| protocols.iter().any(|word| is(part, word)))
        {
            parts.remove(at + 1);
            if parts.last().is_some_and(|last| is(last, "request")) {
                parts.pop();
            }
            return parts;
        }
    }
    // GeoWebCache inside GeoServer: `/geoserver/roads/gwc/service/wmts` is related to
    // `/geoserver/roads/wms`.
    if let Some(at) = parts.iter().position(|part| is(part, "gwc")) {
        parts.truncate(at);
        return parts;
    }
    if parts.last().is_some_and(|last| is(last, "WMTSCapabilities.xml")) {
        parts.pop();
        if parts.last().is_some_and(|last| last.starts_with("1.0")) {
            parts.pop();
        }
    }
    if parts.last().is_some_and(|last| PROTOCOLS.iter().chain(kinds::ows_kinds()).any(|word| is(last, word)))
    {
        parts.pop();
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(url: &str) -> String {
        cluster_key(&Url::parse(url).unwrap())
    }

    #[test]
    fn faces_of_one_service_share_their_key() {
        for faces in [
            &[
                "https://x.org/arcgis/rest/services/Water/Rivers/MapServer",
                "http://www.x.org/arcgis/services/Water/Rivers/MapServer/WMSServer",
                "https://x.org/arcgis/rest/services/Water/Rivers/FeatureServer",
                "https://x.org/arcgis/rest/services/Water/Rivers/MapServer/WMTS/1.0.0/WMTSCapabilities.xml",
            ][..],
            &[
                "https://x.org/geoserver/roads/wms",
                "https://x.org/geoserver/roads/wfs",
                "https://x.org/geoserver/roads/ows",
                "https://x.org/geoserver/roads/gwc/service/wmts",
            ],
            &["https://x.org/thredds/wms/sst/a.nc", "https://x.org/thredds/dodsC/sst/a.nc"],
            &["https://x.org/erddap/griddap/sst", "https://x.org/erddap/wms/sst/request"],
            &["https://x.org/cgi-bin/mapserv?map=/a.map", "https://x.org/cgi-bin/mapserv?MAP=/a.map"],
            &["https://x.org/maps/wmts/1.0.0/WMTSCapabilities.xml", "https://x.org/maps/wms"],
        ] {
            for face in faces {
                assert_eq!(key(face), key(faces[0]), "{face}");
            }
        }
    }

    #[test]
    fn different_services_do_not() {
        for (one, other) in [
            ("https://x.org/geoserver/roads/wms", "https://x.org/geoserver/rivers/wms"),
            ("https://x.org/mapserv?map=/a.map", "https://x.org/mapserv?map=/b.map"),
            ("https://x.org/wms", "https://y.org/wms"),
            ("https://x.org:8443/wms", "https://x.org/wms"),
            (
                "https://x.org/arcgis/rest/services/A/MapServer",
                "https://x.org/arcgis/rest/services/B/MapServer",
            ),
        ] {
            assert_ne!(key(one), key(other), "{one}");
        }
    }
}
