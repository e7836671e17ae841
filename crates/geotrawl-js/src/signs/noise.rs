//! Recognises texts that look like URLs but are no services, and texts that may be services.
//!
//! Code is full of URLs that never return data: namespaces, licences, documentation, images. They
//! are dropped here; other texts count only if the URL itself indicates a service.

use super::address::{
    UrlHost, contains_ignore_case, ends_with_ignore_case, file_extension, find_ignore_case,
    requested_ogc_service, starts_with_ignore_case, tile_template_service, url_host,
};
use crate::model::HOLE;
use aho_corasick::AhoCorasick;
use std::sync::LazyLock;

/// Hosts (including subdomains) without map data. Sorted.
#[rustfmt::skip]
const HOSTS: &[&str] = &[
    "a9.com", "accounts.google.com", "adobe.com", "alistapart.com", "angular.dev", "angular.io",
    "angularjs.org", "apache.org", "apple.com", "babeljs.io", "bit.ly", "bootstrapcdn.com",
    "browserstack.com", "caniuse.com", "cdnjs.cloudflare.com", "cesium.com", "code.google.com",
    "code.jquery.com", "codepen.io", "codesandbox.io", "creativecommons.org", "csswg.org", "deck.gl",
    "desktop.arcgis.com", "developer.mozilla.org", "developers.arcgis.com", "developers.google.com",
    "doc.arcgis.com", "doubleclick.net", "dublincore.org", "earth.google.com", "ecma-international.org",
    "enterprise.arcgis.com", "eslint.org", "esri.com", "facebook.com", "fb.me", "flickr.com",
    "fontawesome.com", "fonts.googleapis.com", "fonts.gstatic.com", "getbootstrap.com", "git.io",
    "gitlab.com", "gnu.org", "goo.gl", "google-analytics.com", "googletagmanager.com", "gravatar.com",
    "gstatic.com", "hotjar.com", "ietf.org", "instagram.com", "isotc211.org", "joomla.org", "jquery.com",
    "jquery.org", "jqueryui.com", "jsbin.com", "jsfiddle.net", "jshint.com", "json-schema.org", "jsperf.com",
    "khronos.org", "leafletjs.com", "linkedin.com", "lodash.com", "maplibre.org", "mapzen.com", "matomo.org",
    "medium.com", "microsoft.com", "momentjs.com", "mozilla.org", "mui.com", "myaccount.google.com",
    "nodejs.org", "opengis.net", "openlayers.org", "opensource.org", "osgeo.org",
    "paypal.com", "pinterest.com", "play.google.com", "plus.google.com", "policies.google.com",
    "polyfill.io", "pro.arcgis.com", "purl.org", "react.dev", "reactjs.org", "readthedocs.io",
    "readthedocs.org", "recaptcha.net", "reddit.com", "redux.js.org", "resources.arcgis.com",
    "rfc-editor.org", "schema.org", "sentry.io", "stackoverflow.com", "support.google.com", "threejs.org",
    "tools.ietf.org", "translate.google.com", "twitter.com", "typekit.net", "unicode.org", "vimeo.com",
    "vuejs.org", "w3.org", "w3c.org", "w3schools.com", "webpack.js.org", "whatwg.org", "wikipedia.org",
    "wordpress.org", "x.com", "xmlns.com", "xmlsoap.org", "youtu.be", "youtube.com",
];

/// Hosts below one of [`HOSTS`] that do serve maps.
const EXCEPT: &[&str] = &[
    "maps.opengeo.org",
    "tilecache.osgeo.org",
    "tiles.osgeo.org",
    "demo.mapserver.org",
    "api.cesium.com",
    "assets.cesium.com",
    "services.arcgisonline.com",
    "demotiles.maplibre.org",
];

/// Hosts whose URLs are documentation unless they are raw files.
const CODE_HOSTS: &[&str] = &["github.com", "gitlab.com", "bitbucket.org"];

/// Extensions of pages, images, scripts, styles, fonts and sounds. Sorted.
#[rustfmt::skip]
const OTHER_FILES: &[&str] = &[
    "avif", "bmp", "css", "cur", "doc", "docx", "eot", "frag", "gif", "glb", "glsl", "gltf", "htm", "html",
    "ico", "jpeg", "jpg", "js", "jsx", "less", "map", "md", "mjs", "mo", "mp3", "mp4", "ogg", "otf", "pdf",
    "png", "po", "ppt", "pptx", "scss", "svg", "swf", "ts", "tsx", "ttf", "vert", "vue", "wasm", "wav", "webm",
    "webmanifest", "webp", "woff", "woff2", "xhtml", "xls", "xlsx", "xsd", "xsl", "xslt",
];

/// Pieces that occur only in URLs of namespaces, licences and the like.
const PIECES: &[&str] = &[
    "/copyright",
    "/kml/ext/",
    "/licenses/",
    "/license",
    "/xmlns",
    "/schemas/",
    "schemalocation",
    "/namespaces/",
    "/wiki/",
    "/documentation",
    "/terms",
    "/legal",
    "/privacy",
    "/help/",
    "/docs/",
    "fixthemap",
    "/attribution",
];

/// Prefixes of media types, which contain a slash, too.
const MEDIA: &[&str] =
    &["application/", "image/", "text/", "video/", "audio/", "multipart/", "model/", "font/"];

/// Returns whether a URL is certainly neither a service nor a data file.
pub fn is_noise(text: &str) -> bool {
    if tile_template_service(text).is_some() || requested_ogc_service(text).is_some() {
        return matches!(url_host(text), UrlHost::Known(name) if is_noise_host(name));
    }
    if let UrlHost::Known(name) = url_host(text) {
        if is_noise_host(name)
            || starts_with_ignore_case(name, "schemas.")
            || starts_with_ignore_case(name, "docs.")
            || starts_with_ignore_case(name, "ns.")
        {
            return true;
        }
        let raw = contains_ignore_case(text, "/raw/") || contains_ignore_case(text, "/releases/download/");
        if CODE_HOSTS.iter().any(|known| under(name, known)) && !raw {
            return true;
        }
    }
    if is_fragment(text) || is_module(text) {
        return true;
    }
    if MEDIA.iter().any(|media| starts_with_ignore_case(text, media)) {
        return true;
    }
    let extension = file_extension(text);
    let lower = extension.to_ascii_lowercase();
    // `mapserv?map=a.map`, tiles such as `/12/1/2.png` and unknown parts are left to later rules.
    if OTHER_FILES.binary_search(&lower.as_str()).is_ok() && !text.contains([HOLE, '{', '?']) {
        return true;
    }
    if lower == "map" && text.contains('?') && !contains_ignore_case(text, "map=") {
        return true;
    }
    PIECES.iter().any(|piece| contains_ignore_case(text, piece))
        && !ends_with_ignore_case(text, "/wms")
        && find_ignore_case(text, "capabilities").is_none()
}

/// Returns whether a URL is a default base map of a library, which every bundle of that library
/// contains, used or not.
pub fn is_library_default(text: &str) -> bool {
    let Some((_, rest)) = text.split_once("//") else { return false };
    const OWN: &[&str] =
        &["tile.openstreetmap.org/{z}/{x}/{y}.png", "{a-c}.tile.openstreetmap.org/{z}/{x}/{y}.png"];
    const TABLES: &[&str] = &["{s}.arcgisonline.com/", "static-map-tiles-api.arcgis.com/"];
    OWN.contains(&rest)
        || TABLES.iter().any(|host| rest.starts_with(host))
        || rest.split('/').next().is_some_and(|host| host.ends_with(".maptiles.arcgis.com"))
}

/// Returns whether a text is a suffix that code appends to a URL or looks for in one: `/MapServer`,
/// `/wms?`.
fn is_fragment(text: &str) -> bool {
    let Some(path) = text.strip_prefix('/').filter(|path| !path.starts_with('/')) else { return false };
    let mut segments = path.split(['?', '/']).filter(|segment| !segment.is_empty());
    let first = segments.next().unwrap_or_default();
    let alone = segments.next().is_none();
    let is = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(first));
    is(&[
        "MapServer",
        "FeatureServer",
        "ImageServer",
        "SceneServer",
        "VectorTileServer",
        "GPServer",
        "GeocodeServer",
    ]) || alone
        && is(&[
            "wms", "wfs", "wmts", "wcs", "csw", "wps", "ows", "tile", "tiles", "export", "items", "catalog",
        ])
        || text.trim_end_matches('/') == "/rest/services"
}

/// Returns whether a text names a module or class: `ol/format/WFS`, `ol.format.KML`,
/// `@arcgis/core/layers/WMSLayer`.
fn is_module(text: &str) -> bool {
    const ROOTS: &[&str] = &["ol/", "esri/", "dojo/", "dijit/", "dojox/", "jimu/", "leaflet/", "rxjs/", "@"];
    if text.contains(['?', HOLE]) {
        return false;
    }
    let file = text.contains('/') && file_extension(text).bytes().any(|b| b.is_ascii_lowercase());
    let class = !text.contains('/')
        && text.matches('.').count() >= 2
        && text.split('.').all(|part| part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
        && file_extension(text).starts_with(|c: char| c.is_ascii_uppercase());
    class || !file && ROOTS.iter().any(|root| text.starts_with(root))
}

fn is_noise_host(name: &str) -> bool {
    let name = name.rsplit_once(':').map_or(name, |(name, _)| name);
    if EXCEPT.iter().any(|known| under(name, known)) {
        return false;
    }
    // Look up every suffix that starts at a label.
    let mut rest = name;
    loop {
        if HOSTS
            .binary_search_by(|known| known.bytes().cmp(rest.bytes().map(|b| b.to_ascii_lowercase())))
            .is_ok()
        {
            return true;
        }
        match rest.split_once('.') {
            Some((_, tail)) => rest = tail,
            None => return false,
        }
    }
}

/// Returns whether a host is a domain or one of its subdomains.
fn under(name: &str, domain: &str) -> bool {
    ends_with_ignore_case(name, domain)
        && (name.len() == domain.len() || name.as_bytes().get(name.len() - domain.len() - 1) == Some(&b'.'))
}

/// Pieces of URLs that indicate services and data files.
#[rustfmt::skip]
const SIGNS: &[&str] = &[
    "wms", "wfs", "wmts", "wcs", "csw", "wps", "ows", "sos", "wxs", "ogc", "geoserver", "mapserv", "mapproxy",
    "mapcache", "tilecache", "geowebcache", "gwc", "qgis", "deegree", "lizmap", "cubeserv", "arcgis", "/rest/services",
    "mapserver", "featureserver", "imageserver", "sceneserver", "vectortileserver", "thredds", "erddap", "opendap",
    "dodsc", "ncwms", "geonetwork", "geonode", "/srv/", "ckan", "/api/3", "/api/views", "/resource/", "stac",
    "collections", "sensorthings", "/v1.0", "/v1.1", "oai", "verb=", "dcat", "data.json", "catalog", "explore/dataset",
    "geojson", "topojson", "kml", "kmz", "gml", "gpx", "fgb", "pmtiles", "mbtiles", "tilejson", "tileset", "3dtiles",
    ".tif", ".nc", ".grb", ".grib", ".shp", ".zip", ".csv", ".gpkg", ".parquet", ".zarr", ".las", ".laz", ".copc",
    ".h5", ".hdf", ".hgt", ".asc", ".czml", "style.json", "styles/", "getcapabilities", "request=get", "service=",
    "bbox", "layers=", "{z}", "{x}", "{q", "{tile", "tile", "esrimap", "servlet", "mapguide", "cgi-bin", 
    "entwine", "ept.json", "opensearch", "capabilities", "i3s", "geodata", "geoservice", "wmsc",
    "sharing", "webmap", "mvt", ".pbf", "overpass", "nominatim", "carto", "/ogr", "tms",
];

static PROMISE: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::builder().ascii_case_insensitive(true).build(SIGNS).ok());

/// Returns whether a URL contains a piece that indicates a service or a data file.
pub fn is_promising(text: &str) -> bool {
    PROMISE.as_ref().is_some_and(|signs| signs.is_match(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(HOSTS.is_sorted(), "{:?}", HOSTS.windows(2).find(|w| w[0] > w[1]));
        assert!(OTHER_FILES.is_sorted());
    }

    #[test]
    fn namespaces_and_pictures_are_noise() {
        for text in [
            "http://www.opengis.net/wms",
            "http://www.opengis.net/gml/3.2",
            "http://www.w3.org/1999/xlink",
            "http://schemas.opengis.net/wms/1.3.0/capabilities_1_3_0.xsd",
            "https://www.openstreetmap.org/copyright",
            "https://creativecommons.org/licenses/by/4.0/",
            "https://github.com/example/leaflet-wms",
            "https://unpkg.com/leaflet/dist/images/layers.png",
            "img/layers.png",
            "https://a.example/wms.html",
            "https://developers.google.com/maps/documentation",
            "application/vnd.ogc.wms_xml",
            "/MapServer/export",
            "/wms?",
            "ol.format.KML",
            "ol/source/TileWMS",
        ] {
            assert!(is_noise(text), "{text}");
        }
    }

    #[test]
    fn services_and_files_are_not() {
        for text in [
            "https://a.example/wms",
            "http://vmap0.tiles.osgeo.org/wms/vmap0",
            "https://a.example/{z}/{x}/{y}.png",
            "https://a.example/cgi-bin/mapserv?map=/a/b.map",
            "https://github.com/example/data/raw/main/a.geojson",
            "https://cdn.jsdelivr.net/npm/world-atlas@2/countries-110m.json",
            "https://a.example/ows?service=WMS&request=GetLegendGraphic&format=image/png",
            "/geoserver/ows",
            "geoserver/wms",
            "ROADS.KML",
            "data/roads.kml",
        ] {
            assert!(!is_noise(text), "{text}");
        }
        assert!(is_promising("https://a.example/geoserver/ows"));
        assert!(!is_promising("https://www.example.org/about-us"));
    }
}
