//! Guesses services from the path of a URL: known servers, and service names at its end.

use super::query::is_listed;
use super::service_hint::HintStrength;
use crate::kinds;
use url::Url;

/// Path segments (in lower case, without extension) of servers with several services. Sorted.
#[rustfmt::skip]
const MULTI_SEGMENTS: &[&str] = &[
    "cubeserv", "cubexplor", "mapserv", "mapserv6", "mapserv7", "mapserv8", "mapserver", "ogcservice",
    "ows", "owsproxy", "qgis", "qgis-server", "qgis_mapserv", "qgis_server", "qgisserver", "tinyows",
    "wms_wfs",
];

/// Extensions of server programs: a service name followed by one of them is still a service.
/// Sorted.
#[rustfmt::skip]
const PROGRAMS: &[&str] = &[
    "ashx", "asmx", "asp", "aspx", "axd", "cgi", "dll", "do", "exe", "fcgi", "jsp", "jspx", "map", "php",
    "pl", "py", "svc",
];

/// Segments that make a following service name a page about services. Sorted.
#[rustfmt::skip]
const ORDINARY: &[&str] = &[
    "about", "article", "articles", "blog", "blogs", "book", "categories", "category", "course", "courses",
    "doc", "docs", "documentation", "examples", "faq", "features", "forum", "glossary", "guide", "guides",
    "help", "howto", "issues", "keyword", "keywords", "learn", "license", "manual", "news", "post", "posts",
    "questions", "search", "specification", "specifications", "standard", "standards", "support", "tag",
    "tagged", "tags", "topic", "topics", "tutorial", "tutorials", "wiki",
];

/// Parts of host names and path segments that are typical of map sites.
const GEO_WORDS: &[&str] = &[
    "geo", "gis", "map", "ows", "wms", "wfs", "sdi", "inspire", "arcgis", "karte", "carto", "atlas", "ogc",
    "kart", "cgi-bin", "topo", "gdi", "thredds", "idee",
];

/// Last segments that are a service only on a map site. Sorted.
const GENERIC_SEGMENTS: &[&str] = &["ogc", "service", "services", "wxs"];

/// Services suggested by a path.
#[derive(Default)]
pub(super) struct PathHint {
    pub kinds: Vec<&'static str>,
    /// The path probably leads to several services.
    pub multi: bool,
    /// The path ends with the name of the service.
    pub exact: bool,
    /// The path is that of a capabilities document.
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

/// Three-letter pieces, one of which occurs in every path that [`read_path`] recognises: service
/// names, and pieces of `mapserv`, `mapcache`, `service`, `zoo`.
pub(super) const SIGNS: [&[u8; 3]; 15] = [
    b"wms", b"wfs", b"wcs", b"wmt", b"wps", b"csw", b"sos", b"ows", b"wxs", b"qgi", b"ogc", b"pse", b"pca",
    b"rvi", b"zoo",
];

/// [`SIGNS`] by slot; a test checks that no two share a slot.
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

/// Returns whether a path contains one of [`SIGNS`], ignoring case. One lookup per byte, as this
/// runs for every link.
fn may_hint(path: &str) -> bool {
    let mut three = 0_u32;
    path.bytes().any(|byte| {
        three = (three << 8 | u32::from(byte | 0x20)) & 0x00FF_FFFF;
        SIGN_SLOTS.get(sign_slot(three)) == Some(&three)
    })
}

/// Returns the services that the path suggests, if any.
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
        // `/wms/` may also be a folder of pages about the service.
        hint.strength = HintStrength::Either;
    }
    Some(hint)
}

/// Recognises servers by their typical paths.
fn known_server(segments: &[&str], last: &str) -> Option<PathHint> {
    let has = |name: &str| segments.contains(&name);
    // ArcGIS Server: `.../MapServer/WMSServer`, the first related service that needs no parameters.
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
    // THREDDS: the rest of the path is the dataset.
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
    // `/ows/roads`: one endpoint per map with several services, or a page about it.
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

/// Recognises a last segment that is the name of a service, optionally with the extension of a
/// program.
fn last_segment(last: &str, before: &[&str], host: &str, geo: impl Fn() -> bool) -> Option<PathHint> {
    let (stem, program) = match last.rsplit_once('.') {
        Some((stem, extension)) if is_listed(PROGRAMS, extension) => (stem, true),
        Some(_) => return None,
        None => (last, false),
    };
    if is_listed(MULTI_SEGMENTS, stem) {
        // `/qgis` and `/mapserver` alone may also be the product's page.
        let sure = program || !matches!(stem, "qgis" | "mapserver" | "qgis-server");
        return (sure || geo()).then(PathHint::multi);
    }
    if let Some(kind) = exact_name(stem) {
        return Some(PathHint::strong(kind));
    }
    if is_listed(GENERIC_SEGMENTS, stem) {
        // Sites have sections of this name; near a service name or "ogc" it is more likely a
        // service.
        let near = host.split('.').chain(before.iter().copied()).any(speaks_of_ows);
        return near.then(|| PathHint { strength: HintStrength::Either, ..PathHint::multi() });
    }
    // `wms_roads`, `roads_wms`, `wms-roads`: naming scheme of German and Spanish agencies.
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

/// Recognises a segment below a service name: `/wms/roads`, `/ows/project`, one endpoint per theme.
/// Pages about services look the same, so the URL is both probed and read as a page.
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

/// Returns the service that a name stands for: `wms`, `wmsserver`, `wms13`, `wmsservice`,
/// `inspirewms`.
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

/// Returns whether a segment is a page whatever its name, because it ends in `.html` or similar.
pub(super) fn is_page_name(last: &str) -> bool {
    [".html", ".htm", ".xhtml", ".shtml", ".pdf", ".md"].iter().any(|ending| last.ends_with(ending))
}

fn is_geo(text: &str) -> bool {
    GEO_WORDS.iter().any(|word| text.contains(word))
}

fn speaks_of_ows(text: &str) -> bool {
    ["ows", "wms", "wfs", "ogc", "mapserv"].iter().any(|word| text.contains(word))
}

/// Returns whether the path contains the name of a service as a whole word.
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
