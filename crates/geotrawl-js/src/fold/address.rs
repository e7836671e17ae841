//! Recognises texts that look like URLs.

use aho_corasick::{AhoCorasick, AhoCorasickBuilder};
use std::sync::LazyLock;

/// Pieces of URLs of services and data files. Short ones count only as whole words.
const WORDS: &[&str] = &[
    "wms",
    "wfs",
    "wmts",
    "wcs",
    "csw",
    "tms",
    "ows",
    "wps",
    "geoserver",
    "mapserv",
    "arcgis",
    "rest/services",
    "mapserver",
    "featureserver",
    "imageserver",
    "vectortileserver",
    "sceneserver",
    "geocodeserver",
    "gpserver",
    "{z}",
    "{x}",
    "{bbox",
    "${z}",
    "{tilematrix",
    "{quadkey}",
    "/tiles",
    "/tile/",
    ".geojson",
    ".topojson",
    ".kml",
    ".kmz",
    ".gml",
    ".gpx",
    ".pmtiles",
    ".mbtiles",
    ".pbf",
    ".mvt",
    ".shp",
    ".tif",
    ".czml",
    ".copc",
    ".fgb",
    "tileset.json",
    "ogcapi",
    "ogc/features",
    "/collections",
    "/stac",
    "sensorthings",
    "getcapabilities",
    "getmap",
    "getfeature",
    "service=",
    "request=",
    "layers=",
    "typename",
    "qgisserver",
    "qgis_mapserv",
    "mapproxy",
    "tilecache",
    "mapguide",
    "mapcache",
    "erddap",
    "thredds",
    "opendap",
    "bbox=",
    "version=1.",
    "lizmap",
    "tilejson",
    "geonetwork",
    "pygeoapi",
    "deegree",
    "ldproxy",
];

static WORD_FINDER: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasickBuilder::new().ascii_case_insensitive(true).build(WORDS).ok());

/// Maximum length of a URL.
const LONGEST: usize = 4_096;

/// Returns whether a literal may be part of a service URL, so that its value is followed.
pub(super) fn is_seed(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() < 4 || bytes.len() > LONGEST {
        return false;
    }
    if let Some(at) = memchr::memmem::find(bytes, b"://") {
        if (1..=64).contains(&at) || at > 64 && text.contains("http") {
            return !only_a_name(text);
        }
        return at == 0;
    }
    if text.starts_with("//") {
        return bytes.get(2).is_some_and(u8::is_ascii_alphanumeric)
            && memchr::memchr2(b'.', b':', bytes).is_some();
    }
    if text.starts_with("aHR0c") || text.starts_with("http%3A") || text.starts_with("https%3A") {
        return true;
    }
    if memchr::memchr3(b'/', b'?', b'=', bytes).is_none() && memchr::memchr2(b'.', b'{', bytes).is_none() {
        return false;
    }
    has_service_words(text)
}

/// Returns whether a complete, folded text is a URL by itself.
pub(super) fn is_address_like(text: &str) -> bool {
    let text = text.trim();
    if text.len() < 4 || text.len() > 2 * LONGEST || !is_seed(text) {
        return false;
    }
    let head = text.split(['?', '{']).next().unwrap_or_default();
    if head.contains(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '\\' | '^' | '|')) {
        return false;
    }
    !(text.starts_with('<') || text.contains('\n'))
}

/// Returns the service URLs within markup or prose.
pub(super) fn addresses_within(text: &str) -> impl Iterator<Item = &str> {
    memchr::memmem::find_iter(text.as_bytes(), "http").take(16).filter_map(|at| {
        let rest = text.get(at..)?;
        if !rest.starts_with("http://") && !rest.starts_with("https://") {
            return None;
        }
        let end = rest
            .find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '`' | '\\' | ')'))
            .unwrap_or(rest.len());
        let found = rest.get(..end)?;
        (has_service_words(found) && is_address_like(found)).then_some(found)
    })
}

/// Returns whether a text contains words of services, even without a host.
pub(super) fn has_service_words(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() > LONGEST || text.contains("http://www.opengis.net/") {
        return false;
    }
    let prefixes = ["application/", "image/", "text/", "model/", "M ", "data:"];
    if prefixes.iter().any(|prefix| text.starts_with(prefix)) {
        return false;
    }
    let Some(finder) = &*WORD_FINDER else { return false };
    for found in finder.find_words(bytes) {
        if found.1 - found.0 > 4 || !bytes.get(found.0).is_some_and(u8::is_ascii_alphabetic) {
            return true;
        }
        let before = found.0.checked_sub(1).and_then(|at| bytes.get(at));
        let after = bytes.get(found.1);
        let whole =
            !before.is_some_and(u8::is_ascii_alphanumeric) && !after.is_some_and(u8::is_ascii_alphabetic);
        if whole && (before.is_some() || after.is_some()) {
            return true;
        }
    }
    false
}

/// Finds words without overlaps, which suffices: a word inside another one does not change the
/// result.
trait WordFinder {
    fn find_words(&self, bytes: &[u8]) -> Vec<(usize, usize)>;
}

impl WordFinder for AhoCorasick {
    fn find_words(&self, bytes: &[u8]) -> Vec<(usize, usize)> {
        self.find_iter(bytes).take(32).map(|found| (found.start(), found.end())).collect()
    }
}

/// Returns whether a URL is only a name: namespaces, licences and help pages, which are never
/// requested for maps.
fn only_a_name(text: &str) -> bool {
    let Some(at) = text.find("://") else { return false };
    let rest = text.get(at + 3..).unwrap_or_default();
    let rest = rest.strip_prefix("www.").unwrap_or(rest);
    let hosts = [
        "w3.org/",
        "opengis.net/",
        "schemas.opengis.net/",
        "reactjs.org/",
        "react.dev/",
        "fb.me/",
        "schema.org",
        "purl.org/",
        "ns.adobe.com/",
        "schemas.microsoft.com/",
        "momentjs.com/",
        "openlayers.org/doc",
        "inkscape.org/",
        "vuejs.org/",
        "angular.io/",
        "angular.dev/",
        "jquery.org/",
        "json-schema.org/",
        "npms.io/",
        "developer.mozilla.org/",
        "en.wikipedia.org/",
        "stackoverflow.com/",
        "bugs.",
        "tc39.es/",
        "mths.be/",
        "isotc211.org/",
        "leafletjs.com",
        "feross.org/",
        "redux.js.org/",
        "reactrouter.com/",
        "lodash.com/",
    ];
    hosts.iter().any(|host| rest.starts_with(host))
}

#[cfg(test)]
mod tests {
    use super::{is_address_like, is_seed};

    #[test]
    fn addresses_are_told_from_other_texts() {
        for text in [
            "https://maps.example.org/wms",
            "//tiles.example.org/{z}/{x}/{y}.png",
            "/geoserver/ows?",
            "../cgi-bin/mapserv?map=a.map",
            "data/roads.geojson",
            "wms?service=WMS",
            "pmtiles://example.org/a.pmtiles",
            "/arcgis/rest/services/A/MapServer",
        ] {
            assert!(is_seed(text) && is_address_like(text), "{text}");
        }
        for text in [
            "http://www.w3.org/2000/svg",
            "wms",
            "image/png",
            "application/vnd.ogc.wms_xml",
            "a/b",
            "use strict",
            "See https://example.org for more",
            "//",
        ] {
            assert!(!is_address_like(text), "{text}");
        }
    }
}
