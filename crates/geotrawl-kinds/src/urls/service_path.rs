//! What the path of a URL says about services: known servers, and names of services at its end.

use super::query::is_listed;
use super::service_hint::HintStrength;
use crate::kinds;
use url::Url;

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

/// What a path suggests.
#[derive(Default)]
pub(super) struct PathHint {
    pub kinds: Vec<&'static str>,
    /// Several services are likely there.
    pub multi: bool,
    /// The path names its service at its very end.
    pub exact: bool,
    /// It is a capabilities document itself.
    pub document: bool,
    pub strength: HintStrength,
}

impl PathHint {
    fn strong(kind: &'static str) -> Self {
        Self { kinds: vec![kind], exact: true, strength: HintStrength::Strong, ..Self::default() }
    }

    fn multi() -> Self {
        Self { kinds: vec!["wms"], multi: true, strength: HintStrength::Strong, ..Self::default() }
    }
}

/// Three letters, one of which stands in every path that [`read_path`] can make something of: the names
/// of services, and pieces of `mapserv`, `mapcache`, `service`, `zoo`.
pub(super) const SIGNS: [&[u8; 3]; 15] = [
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

/// What the path suggests, if anything.
pub(super) fn read_path(url: &Url) -> Option<PathHint> {
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
    let ordinary = before.iter().any(|s| is_listed(ORDINARY, s));
    let host = url.host_str().unwrap_or_default();
    let geo = || is_geo(host) || before.iter().any(|s| is_geo(s));
    let mut hint = last_segment(last, before, host, geo)
        .or_else(|| below_service(last, before))
        .or_else(|| mentions_service(&segments).then(PathHint::default))?;
    if ordinary && !before.contains(&"cgi-bin") {
        hint.strength = HintStrength::Weak;
    } else if hint.strength == HintStrength::Strong && !hint.multi && lower.ends_with('/') && !geo() {
        // `/wms/` is as often a folder of pages about the service.
        hint.strength = HintStrength::Either;
    }
    Some(hint)
}

/// Servers that show themselves by their paths.
fn known_server(segments: &[&str], last: &str) -> Option<PathHint> {
    let has = |name: &str| segments.contains(&name);
    // ArcGIS Server: `.../MapServer/WMSServer`; the first parameter-free face of the service.
    if let Some(kind) =
        ["wms", "wfs", "wcs"].into_iter().find(|kind| last.strip_suffix("server") == Some(kind))
    {
        return Some(PathHint::strong(kind));
    }
    if last.ends_with(".esrimap") {
        return last.contains("wms").then(|| PathHint::strong("wms"));
    }
    if has("gwc") || has("geowebcache") || has("mapcache") || has("mapproxy") {
        return match last {
            "wms" | "wmts" => Some(PathHint::strong(if last == "wms" { "wms" } else { "wmts" })),
            "service" | "mapcache" => Some(PathHint {
                kinds: vec!["wms", "wmts"],
                strength: HintStrength::Strong,
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
        return (last != kind && !is_page_name(last)).then(|| PathHint::strong(kind));
    }
    if segments.iter().any(|s| s.starts_with("deegree")) {
        let at = segments.iter().position(|s| *s == "services" || *s == "ogcwebservice")?;
        let named = last_segment(last, &[], "", || true).filter(|hint| hint.exact);
        return named.or_else(|| (at + 2 >= segments.len()).then(PathHint::multi));
    }
    // `/ows/roads`: one endpoint a map, several services each; or a page about it.
    if segments.len() > 1 && last != "ows" && has("ows") && !is_page_name(last) && !last.contains('.') {
        return Some(PathHint { strength: HintStrength::Either, ..PathHint::multi() });
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
fn last_segment(last: &str, before: &[&str], host: &str, geo: impl Fn() -> bool) -> Option<PathHint> {
    let (stem, program) = match last.rsplit_once('.') {
        Some((stem, extension)) if is_listed(PROGRAMS, extension) => (stem, true),
        Some(_) => return None,
        None => (last, false),
    };
    if is_listed(MULTI_SEGMENTS, stem) {
        // `/qgis` and `/mapserver` alone are as often the product's page.
        let sure = program || !matches!(stem, "qgis" | "mapserver" | "qgis-server");
        return (sure || geo()).then(PathHint::multi);
    }
    if let Some(kind) = exact_name(stem) {
        return Some(PathHint::strong(kind));
    }
    if is_listed(GENERIC_SEGMENTS, stem) {
        // Sites have sections of this name; beside the name of a service or of OGC it is rather one.
        let near = host.split('.').chain(before.iter().copied()).any(speaks_of_ows);
        return near.then(|| PathHint { strength: HintStrength::Either, ..PathHint::multi() });
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

/// `/wms/roads`, `/ows/project`: one endpoint a theme, below the service's name. Pages about a service
/// stand there, too, so it is asked and read.
fn below_service(last: &str, before: &[&str]) -> Option<PathHint> {
    if last.contains('.') {
        return None;
    }
    let hint = before.iter().rev().take(2).find_map(|segment| match *segment {
        "ows" => Some(PathHint::multi()),
        name => exact_name(name).map(PathHint::strong),
    })?;
    Some(PathHint { strength: HintStrength::Either, ..hint })
}

/// `wms`, `wmsserver`, `wms13`, `wmsservice`, `inspirewms`: the service that a name means.
fn exact_name(name: &str) -> Option<&'static str> {
    if name == "discovery" || name.is_empty() {
        return None;
    }
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
    kinds::ows_kinds().iter().copied().find(|kind| {
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
pub(super) fn is_page_name(last: &str) -> bool {
    [".html", ".htm", ".xhtml", ".shtml", ".pdf", ".md"].iter().any(|ending| last.ends_with(ending))
}

fn is_geo(text: &str) -> bool {
    GEO_WORDS.iter().any(|word| text.contains(word))
}

fn speaks_of_ows(text: &str) -> bool {
    ["ows", "wms", "wfs", "ogc", "mapserv"].iter().any(|word| text.contains(word))
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

    #[test]
    fn tables_are_sorted_and_signs_do_not_collide() {
        for table in [MULTI_SEGMENTS, PROGRAMS, ORDINARY, GENERIC_SEGMENTS] {
            let mut sorted = table.to_vec();
            sorted.sort_unstable();
            assert_eq!(table, sorted);
        }
        assert_eq!(SIGN_SLOTS.iter().filter(|s| **s != 0).count(), SIGNS.len());
    }
}
