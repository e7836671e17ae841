//! Detects map applications. Runs on every page, so it uses only what the page scan has collected
//! anyway: URLs and texts of scripts, and ids of elements.

use super::draft::{RawScript, ScriptType};
use aho_corasick::{AhoCorasick, MatchKind};
use std::sync::LazyLock;

/// Strings in scripts that indicate a map. Chosen so that they hardly occur in scripts of other
/// pages.
const CODE: &[&str] = &[
    "OpenLayers.",
    "new ol.",
    "ol.Map",
    "ol/source",
    "L.map(",
    "L.tileLayer",
    "L.TileLayer",
    "L.geoJ",
    "L.esri",
    "esri/",
    "esri.layers",
    "@arcgis/core",
    "mapboxgl",
    "maplibregl",
    "maplibre-gl",
    "Cesium.",
    "google.maps",
    "Microsoft.Maps",
    "H.Map(",
    "ymaps.",
    "GeoExt.",
    "gxp.",
    "itowns",
    "deck.gl",
    "DeckGL",
    "WorldWind",
    "geomap(",
    "mapQuery(",
    "omnivore.",
    "TileWMS",
    "ImageWMS",
    "WMSLayer",
    "WMTSLayer",
    "WMSTileLayer",
    "WebMapService",
    "WebMapTileService",
    "getTileUrl",
    "GetMap",
    "GetCapabilities",
    "GetFeature",
    "bbox-epsg-3857",
    "tileLayer.wms",
    ".wms(",
    "/geoserver",
    "mapserv",
    "MapServer",
    "FeatureServer",
    "ImageServer",
    "wmsUrl",
    "wms_url",
    "WMS_URL",
    "wmtsUrl",
    "addSource(",
    "TerriaMap",
    "lizUrls",
    "mapViewer",
    "MapViewer",
    "mapStore",
    "MapStore",
    "startViewer",
    "configUrl",
    "EPSG:3857",
    "EPSG:4326",
    "EPSG:900913",
];

/// Strings in script URLs that indicate a map: names of libraries, and usual names of custom
/// scripts.
const ADDRESSES: &[&str] = &[
    "openlayers",
    "/ol.js",
    "/ol.min.js",
    "/ol@",
    "/ol-",
    "leaflet",
    "mapbox",
    "maplibre",
    "arcgis",
    "/esri",
    "cesium",
    "maps.google",
    "maps/api/js",
    "bing.com/api/maps",
    "/mapcontrol",
    "geoext",
    "terria",
    "mapstore",
    "masterportal",
    "lizmap",
    "oskari",
    "mapbender",
    "geomoose",
    "itowns",
    "deck.gl",
    "worldwind",
    "proj4",
    "mapviewer",
    "map-viewer",
    "webgis",
    "geoportal",
    "/map.js",
    "/maps.js",
    "/karte",
    "/carte",
    "/mapa",
    "/layers",
    "wms",
];

/// Words in titles and addresses that indicate a map, for pages that are little more than an app
/// shell.
const WORDS: &[&str] =
    &["map", "gis", "geo", "kart", "cart", "atlas", "viewer", "layer", "kaart", "terria", "globe", "earth"];

static IN_CODE: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(CODE).ok());
static IN_ADDRESSES: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::builder().ascii_case_insensitive(true).build(ADDRESSES).ok());
static IN_WORDS: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::builder().ascii_case_insensitive(true).build(WORDS).ok());

/// A page with fewer visible words may be an app shell.
const SHELL_WORDS: u32 = 60;

/// Facts about a page that the classification depends on.
pub(in crate::extract) struct AppSigns<'a> {
    pub source: &'a str,
    pub scripts: &'a [RawScript<'a>],
    /// Whether the page has a style sheet of a map library.
    pub map_style: bool,
    /// Whether an element is named as a map.
    pub map_id: bool,
    /// Whether an element is the usual root of a single-page application.
    pub root_id: bool,
    pub words: u32,
    pub title: &'a str,
    /// Address of the page.
    pub url: &'a str,
}

impl AppSigns<'_> {
    /// Returns why the page is a map application, or `None` if it is not and its scripts can be
    /// ignored.
    pub(in crate::extract) fn map_reason(&self) -> Option<&'static str> {
        if self.scripts.is_empty() {
            return None;
        }
        let code = self.scripts.iter().filter(|script| script.kind != ScriptType::Other);
        let mut outside = false;
        for script in code {
            if let Some(src) = script.src {
                if holds(&IN_ADDRESSES, src) {
                    return Some("a script URL suggests a map");
                }
                outside |= geotrawl_js::library::find_by_url(src).is_none();
            } else if holds(&IN_CODE, self.source.get(script.range.clone()).unwrap_or_default()) {
                return Some("a script in the page suggests a map");
            }
        }
        if self.map_style {
            return Some("the page uses the style sheet of a map library");
        }
        let loads = || {
            let text = |script: &RawScript<'_>| self.source.get(script.range.clone()).unwrap_or_default();
            self.scripts.iter().any(|script| script.src.is_none() && text(script).contains(".json"))
        };
        if self.map_id && (outside || loads()) {
            return Some("an element is named as a map and a script of the site fills it");
        }
        let shell = outside && self.root_id && self.words < SHELL_WORDS;
        if shell && (holds(&IN_WORDS, self.title) || holds(&IN_WORDS, self.url)) {
            return Some("an empty app shell whose title or address suggests a map");
        }
        None
    }
}

fn holds(automaton: &LazyLock<Option<AhoCorasick>>, text: &str) -> bool {
    automaton.as_ref().is_some_and(|automaton| automaton.is_match(text))
}

/// Returns whether the id of an element suggests a map.
pub(in crate::extract) fn is_map_id(id: &str) -> bool {
    if !(3..=40).contains(&id.len()) {
        return false;
    }
    let starts = |prefix: &str| id.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix));
    let ends = |end: &str| {
        id.len()
            .checked_sub(end.len())
            .and_then(|at| id.get(at..))
            .is_some_and(|tail| tail.eq_ignore_ascii_case(end))
    };
    (starts("map") && !starts("mapp") && !starts("maps-nav"))
        || ends("map") && !ends("sitemap") && !ends("imagemap")
        || starts("viewdiv")
        || starts("viewer")
        || ends("viewer")
        || starts("cesium")
        || starts("karte")
        || starts("carte")
        || starts("olmap")
        || starts("globe")
}

/// Returns whether an id is the usual root of a single-page application.
pub(in crate::extract) fn is_root_id(id: &str) -> bool {
    matches!(
        id,
        "root"
            | "app"
            | "__next"
            | "__nuxt"
            | "main"
            | "react-root"
            | "app-root"
            | "ui"
            | "content"
            | "container"
    )
}

/// Returns whether a style sheet belongs to a map library.
pub(in crate::extract) fn is_map_style(href: &str) -> bool {
    const SHEETS: [&str; 9] = [
        "leaflet",
        "ol.css",
        "openlayers",
        "mapbox-gl",
        "maplibre-gl",
        "esri/css",
        "esri/themes",
        "cesium",
        "/ol@",
    ];
    SHEETS.iter().any(|sheet| memchr::memmem::find(href.as_bytes(), sheet.as_bytes()).is_some())
}

#[cfg(test)]
mod tests {
    use crate::extract::read_html;
    use crate::probe::ResponseHead;

    fn why(html: &str) -> Option<&'static str> {
        let url = url::Url::parse("https://example.org/page").unwrap();
        read_html(&url, &ResponseHead::default(), html.as_bytes()).app.map(|draft| draft.why)
    }

    #[test]
    fn map_applications_are_told_from_pages_with_scripts() {
        let prose = "word ".repeat(300);
        for (html, is) in [
            ("<script src='https://cdn.example/leaflet@1.9/leaflet.js'></script>".to_owned(), true),
            (format!("{prose}<script>var m = L.map('m');</script>"), true),
            ("<link rel=stylesheet href=/css/ol.css><script src=/main.js></script>".to_owned(), true),
            (format!("{prose}<div id=map></div><script src=/static/app.1f.js></script>"), true),
            (
                "<title>GeoViewer</title><div id=root></div><script type=module src=/a.js></script>"
                    .to_owned(),
                true,
            ),
            (
                "<title>Shop</title><div id=root></div><script type=module src=/a.js></script>".to_owned(),
                false,
            ),
            (format!("{prose}<script src=/js/jquery.js></script><script>var a = 1;</script>"), false),
            (format!("{prose}<div id=map></div>"), false),
            (format!("<div id=sitemap>{prose}</div><script src=/menu.js></script>"), false),
            ("<script type='application/ld+json'>{\"a\": \"GetCapabilities\"}</script>".to_owned(), false),
            (String::new(), false),
        ] {
            assert_eq!(why(&html).is_some(), is, "{html:.120} {:?}", why(&html));
        }
    }
}
