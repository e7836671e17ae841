//! Which OGC services a URL suggests, and how strongly.
//!
//! Strong: a protocol parameter, a known server path, a last path segment that is a service's name. Such
//! a URL is worth a probe. Weak: a service's name somewhere in an ordinary-looking path (`/blog/what-is-wms`):
//! the page is read like any other, and should it be a service after all, its answer tells.

use super::query::{lowered, pairs, percent_decoded};
use url::Url;

/// How sure a hint is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// Read it as a page.
    Weak,
    /// A service or a page about one: ask, and read the page too.
    Either,
    /// Ask it.
    Strong,
}

/// What a URL suggests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceHint {
    /// Kinds to ask for, the likeliest first.
    pub kinds: Vec<&'static str>,
    /// Whether other services are likely on the same endpoint.
    pub siblings: bool,
    pub strength: Strength,
    /// Whether the URL names layers, feature types or coverages.
    pub layers: bool,
    /// The URL itself is the capabilities document (REST): do not strip it to an endpoint.
    pub document: bool,
}

/// The services that [`ServiceHint::kinds`] can name.
const SERVICES: [&str; 7] = ["wms", "wfs", "wcs", "wmts", "wps", "csw", "sos"];

/// Requests that belong to one service, in lower case. Sorted.
const REQUESTS: &[(&str, &str)] = &[
    ("capabilities", "wms"),
    ("describecoverage", "wcs"),
    ("describeeocoverageset", "wcs"),
    ("describefeaturetype", "wfs"),
    ("describelayer", "wms"),
    ("describeprocess", "wps"),
    ("describerecord", "csw"),
    ("describesensor", "sos"),
    ("describestoredqueries", "wfs"),
    ("execute", "wps"),
    ("feature_info", "wms"),
    ("getcoverage", "wcs"),
    ("getdomain", "csw"),
    ("getfeature", "wfs"),
    ("getfeatureinfo", "wms"),
    ("getfeatureofinterest", "sos"),
    ("getgmlobject", "wfs"),
    ("getlegendgraphic", "wms"),
    ("getmap", "wms"),
    ("getobservation", "sos"),
    ("getobservationbyid", "sos"),
    ("getprint", "wms"),
    ("getpropertyvalue", "wfs"),
    ("getrecordbyid", "csw"),
    ("getrecords", "csw"),
    ("getstyles", "wms"),
    ("gettile", "wmts"),
    ("liststoredqueries", "wfs"),
    ("processcoverages", "wcs"),
];

/// Path segments (lower case, extension cut) that are a server answering several services. Sorted.
#[rustfmt::skip]
const MULTI_SEGMENTS: &[&str] = &[
    "cubeserv", "cubexplor", "mapserv", "mapserv6", "mapserv7", "mapserv8", "mapserver", "ogcservice",
    "ows", "owsproxy", "qgis", "qgis-server", "qgis_mapserv", "qgis_server", "qgisserver", "tinyows",
    "wms_wfs",
];

/// Extensions of programs: a service's name with one of them is still a service. Sorted.
#[rustfmt::skip]
const PROGRAMS: &[&str] = &[
    "ashx", "asmx", "asp", "aspx", "axd", "cgi", "dll", "do", "exe", "fcgi", "jsp", "jspx", "map", "php",
    "pl", "py", "svc",
];

/// Segments before a service's name that make it a page about services. Sorted.
#[rustfmt::skip]
const ORDINARY: &[&str] = &[
    "about", "article", "articles", "blog", "blogs", "book", "categories", "category", "course", "courses",
    "doc", "docs", "documentation", "examples", "faq", "features", "forum", "glossary", "guide", "guides",
    "help", "howto", "issues", "keyword", "keywords", "learn", "license", "manual", "news", "post", "posts",
    "questions", "search", "specification", "specifications", "standard", "standards", "support", "tag",
    "tagged", "tags", "topic", "topics", "tutorial", "tutorials", "wiki",
];

/// Pieces of host names and path segments that speak of maps.
const GEO_WORDS: &[&str] = &[
    "geo", "gis", "map", "ows", "wms", "wfs", "sdi", "inspire", "arcgis", "karte", "carto", "atlas", "ogc",
    "kart", "cgi-bin", "topo", "gdi", "thredds", "idee",
];

/// Segments that hold the service at their end only in a map-like surrounding. Sorted.
const GENERIC_SEGMENTS: &[&str] = &["ogc", "service", "services", "wxs"];

/// What the URL suggests, if anything.
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
    let mut kinds = if from_query.kinds.is_empty() { path.kinds } else { from_query.kinds };
    if kinds.is_empty() {
        kinds.push("wms");
    }
    let asks = from_query.has_request || (from_query.has_service && !looks_like_page(url));
    let strength = if asks || from_query.map_file { Strength::Strong } else { path.strength };
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
    for pair in pairs(query) {
        lowered(pair.key, |key| match key {
            "service" => {
                for kind in services_in(pair.value) {
                    if !hint.kinds.contains(&kind) {
                        hint.kinds.push(kind);
                    }
                    hint.has_service = true;
                }
            }
            "request" => {
                let known = lowered(pair.value, |value| {
                    if value == "getcapabilities" {
                        return Some(("", true));
                    }
                    let at = REQUESTS.binary_search_by(|(name, _)| name.cmp(&value)).ok()?;
                    REQUESTS.get(at).map(|(_, kind)| (*kind, *kind == "wms" && value == "capabilities"))
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

/// The services that a `SERVICE` value names, which some pages write as a list.
fn services_in(value: &str) -> impl Iterator<Item = &'static str> {
    let decoded = lowered(value, str::to_owned);
    let words: Vec<&'static str> = decoded
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter_map(|word| match word {
            "wcps" => Some("wcs"),
            _ => SERVICES.iter().find(|s| **s == word).copied(),
        })
        .collect();
    words.into_iter()
}

/// `map=/data/roads.map`, `map=project.qgs`: the configuration of a MapServer or QGIS Server.
fn names_map_file(value: &str) -> bool {
    let value = percent_decoded(value).to_ascii_lowercase();
    [".map", ".qgs", ".qgz"].iter().any(|ending| value.ends_with(ending))
}

#[derive(Default)]
struct PathHint {
    kinds: Vec<&'static str>,
    multi: bool,
    /// The path names its service at its very end.
    exact: bool,
    document: bool,
    strength: Strength,
}

impl Default for Strength {
    fn default() -> Self {
        Self::Weak
    }
}

impl PathHint {
    fn strong(kind: &'static str) -> Self {
        Self { kinds: vec![kind], exact: true, strength: Strength::Strong, ..Self::default() }
    }

    fn multi() -> Self {
        Self { kinds: vec!["wms"], multi: true, strength: Strength::Strong, ..Self::default() }
    }
}

/// Three letters, one of which stands in every path that [`read_path`] can make something of: the names
/// of services, and pieces of `mapserv`, `mapcache`, `service`, `zoo`.
const SIGNS: [&[u8; 3]; 15] = [
    b"wms", b"wfs", b"wcs", b"wmt", b"wps", b"csw", b"sos", b"ows", b"wxs", b"qgi", b"ogc", b"pse", b"pca",
    b"rvi", b"zoo",
];

/// The signs by their slots; a test makes sure that no two share one.
static SIGN_SLOTS: [u32; 1024] = {
    let mut slots = [0; 1024];
    let mut at = 0;
    while at < SIGNS.len() {
        let [a, b, c] = *SIGNS[at];
        let three = (a as u32) << 16 | (b as u32) << 8 | c as u32;
        slots[sign_slot(three)] = three;
        at += 1;
    }
    slots
};

const fn sign_slot(three: u32) -> usize {
    (three.wrapping_mul(0x9E37_79B1) >> 22) as usize
}

/// Whether one of [`SIGNS`] stands in a path, in any case. One look a byte: every link is asked.
fn may_hint(path: &str) -> bool {
    let mut three = 0_u32;
    path.bytes().any(|byte| {
        three = (three << 8 | u32::from(byte | 0x20)) & 0x00FF_FFFF;
        SIGN_SLOTS.get(sign_slot(three)) == Some(&three)
    })
}

fn read_path(url: &Url) -> Option<PathHint> {
    let path = url.path();
    if !may_hint(path) {
        return None;
    }
    let lower = path.to_ascii_lowercase();
    let segments: Vec<&str> = lower.split('/').filter(|s| !s.is_empty()).collect();
    let (&last, before) = segments.split_last()?;
    if last == "wmtscapabilities.xml" {
        return Some(PathHint { document: true, ..PathHint::strong("wmts") });
    }
    if let Some(hint) = known_server(&segments, last) {
        return Some(hint);
    }
    if is_page_name(last) {
        return mentions_service(&segments).then(PathHint::default);
    }
    let ordinary = before.iter().any(|s| super::query::listed(ORDINARY, s));
    let geo = || url.host_str().is_some_and(is_geo) || before.iter().any(|s| is_geo(s));
    let mut hint =
        last_segment(last, before, geo).or_else(|| mentions_service(&segments).then(PathHint::default))?;
    if ordinary && !before.contains(&"cgi-bin") {
        hint.strength = Strength::Weak;
    } else if hint.strength == Strength::Strong && !hint.multi && lower.ends_with('/') && !geo() {
        // `/wms/` is as often a folder of pages about the service.
        hint.strength = Strength::Either;
    }
    Some(hint)
}

/// Servers that show themselves by their paths.
fn known_server(segments: &[&str], last: &str) -> Option<PathHint> {
    let has = |name: &str| segments.contains(&name);
    // ArcGIS Server: `.../MapServer/WMSServer`; the first parameter-free face of the service.
    for (name, kind) in [("wmsserver", "wms"), ("wfsserver", "wfs"), ("wcsserver", "wcs")] {
        if last == name {
            return Some(PathHint::strong(kind));
        }
    }
    if last.ends_with(".esrimap") {
        return last.contains("wms").then(|| PathHint::strong("wms"));
    }
    if has("gwc") || has("geowebcache") || has("mapcache") || has("mapproxy") {
        return match last {
            "wms" | "wmts" => Some(PathHint::strong(if last == "wms" { "wms" } else { "wmts" })),
            "service" | "mapcache" => Some(PathHint {
                kinds: vec!["wms", "wmts"],
                strength: Strength::Strong,
                ..PathHint::default()
            }),
            _ => None,
        };
    }
    // THREDDS: the data set is the rest of the path.
    if let Some(at) = segments.iter().position(|s| *s == "thredds" || *s == "erddap") {
        let kind = segments
            .get(at + 1)
            .and_then(|next| ["wms", "wcs", "sos"].into_iter().find(|kind| next == kind))?;
        let document =
            last.ends_with(".html") || last.ends_with(".htm") || last == kind || last == "index.html";
        return (!document).then(|| PathHint::strong(kind));
    }
    if segments.iter().any(|s| s.starts_with("deegree")) {
        let at = segments.iter().position(|s| *s == "services" || *s == "ogcwebservice")?;
        return (at + 2 >= segments.len()).then(PathHint::multi);
    }
    if has("lizmap") && last == "service" {
        return Some(PathHint::multi());
    }
    if segments.iter().any(|s| s.starts_with("52n-sos") || s.starts_with("52n-wps")) {
        let kind = if segments.iter().any(|s| s.contains("wps")) { "wps" } else { "sos" };
        return matches!(last, "service" | "kvp" | "sos" | "webprocessingservice")
            .then(|| PathHint::strong(kind));
    }
    match last {
        "wmsconnector" => Some(PathHint::strong("wms")),
        "webprocessingservice" | "zoo_loader.cgi" | "pywps.cgi" => Some(PathHint::strong("wps")),
        _ => None,
    }
}

/// A last segment that is a service's name, whole or with a program's extension.
fn last_segment(last: &str, before: &[&str], geo: impl Fn() -> bool) -> Option<PathHint> {
    let (stem, program) = match last.rsplit_once('.') {
        Some((stem, extension)) if super::query::listed(PROGRAMS, extension) => (stem, true),
        Some(_) => return None,
        None => (last, false),
    };
    if super::query::listed(MULTI_SEGMENTS, stem) {
        // `/qgis` and `/mapserver` alone are as often the product's page.
        let sure = program || !matches!(stem, "qgis" | "mapserver" | "qgis-server");
        return (sure || geo()).then(PathHint::multi);
    }
    if let Some(kind) = exact_name(stem) {
        return Some(PathHint::strong(kind));
    }
    if super::query::listed(GENERIC_SEGMENTS, stem) {
        // `/rest/services` is ArcGIS' directory, which is no OGC service.
        let may_answer = !before.contains(&"rest") && geo();
        return may_answer.then(|| PathHint { strength: Strength::Either, ..PathHint::multi() });
    }
    // `wms_roads`, `roads_wms`, `wms-roads`: how German and Spanish agencies name their services.
    let joined = |separator: char| {
        let mut pieces = stem.split(separator);
        let first = pieces.next().and_then(exact_name);
        first.or_else(|| pieces.next_back().and_then(exact_name)).filter(|_| stem.contains(separator))
    };
    if let Some(kind) = joined('_') {
        return Some(PathHint::strong(kind));
    }
    joined('-').filter(|_| program || geo()).map(PathHint::strong)
}

/// `wms`, `wmsserver`, `wms13`, `wmsservice`, `inspirewms`: the service that a name means.
fn exact_name(name: &str) -> Option<&'static str> {
    if name == "discovery" || name.is_empty() {
        return None;
    }
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
    SERVICES.into_iter().find(|kind| {
        name.strip_prefix(kind).is_some_and(|rest| {
            matches!(
                rest,
                "" | "server"
                    | "service"
                    | "services"
                    | "request"
                    | "serv"
                    | "proxy"
                    | "gate"
                    | "_service"
                    | "-service"
            )
        }) || name.strip_suffix(kind).is_some_and(|front| front == "inspire" || front == "nc")
    })
}

/// `.html` and the like: a page, whatever its name.
fn is_page_name(last: &str) -> bool {
    [".html", ".htm", ".xhtml", ".shtml", ".pdf", ".md"].iter().any(|ending| last.ends_with(ending))
}

fn looks_like_page(url: &Url) -> bool {
    let last = url.path().rsplit('/').next().unwrap_or_default();
    lowered(last, is_page_name)
}

fn is_geo(text: &str) -> bool {
    GEO_WORDS.iter().any(|word| text.contains(word))
}

/// A service's name as a whole word anywhere in the path.
fn mentions_service(segments: &[&str]) -> bool {
    segments.iter().any(|segment| {
        segment
            .split(|c: char| !c.is_ascii_alphanumeric())
            .any(|word| exact_name(word).is_some() || word == "ows" || word.starts_with("mapserv"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(text: &str) -> Option<ServiceHint> {
        service_hint(&Url::parse(text).unwrap())
    }

    #[test]
    fn tables_are_sorted() {
        assert!(REQUESTS.is_sorted());
        assert_eq!(SIGN_SLOTS.iter().filter(|s| **s != 0).count(), SIGNS.len());
        for table in [MULTI_SEGMENTS, PROGRAMS, ORDINARY, GENERIC_SEGMENTS] {
            let mut sorted = table.to_vec();
            sorted.sort_unstable();
            assert_eq!(table, sorted);
        }
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
            ("https://x.org/52n-sos-webapp/service", "sos", false),
            ("https://x.org/pycsw/csw.py", "csw", false),
            ("https://x.org/wps", "wps", false),
            ("https://x.org/ncWMS2/wms", "wms", false),
            ("https://x.org/wms.ashx", "wms", false),
        ] {
            let found = hint(url).unwrap_or_else(|| panic!("no hint in {url}"));
            assert_eq!((found.kinds.join(","), found.siblings), (kinds.to_owned(), siblings), "{url}");
            assert_eq!(found.strength, Strength::Strong, "{url}");
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
            assert_eq!(hint(url).map(|h| h.strength), Some(Strength::Weak), "{url}");
        }
        for url in
            ["https://x.org/", "https://x.org/windows", "https://x.org/news?map=parks", "https://x.org/a.zip"]
        {
            assert_eq!(hint(url), None, "{url}");
        }
        assert_eq!(hint("https://x.org/wms/").map(|h| h.strength), Some(Strength::Either));
        assert_eq!(hint("https://x.org/geoserver/wms/").map(|h| h.strength), Some(Strength::Strong));
    }

    #[test]
    fn named_layers_are_noticed() {
        assert!(hint("https://x.org/wms?layers=a").unwrap().layers);
        assert!(!hint("https://x.org/wms?layers=").unwrap().layers);
    }
}
