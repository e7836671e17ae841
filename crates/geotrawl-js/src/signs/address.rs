//! Classifies URLs by their form: whether a text is a URL, and which service its form belongs to.

use crate::model::{HOLE, says};

/// Longer texts are data, not URLs.
const LONGEST: usize = 4096;

/// Removes surrounding whitespace and quotes.
pub fn trim_quotes(text: &str) -> &str {
    text.trim().trim_matches(['"', '\'', '`'])
}

/// Returns whether a text starts with a prefix, ignoring case.
pub fn starts_with_ignore_case(text: &str, prefix: &str) -> bool {
    text.as_bytes().get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix.as_bytes()))
}

/// Returns whether a text ends with a suffix, ignoring case.
pub fn ends_with_ignore_case(text: &str, suffix: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= suffix.len()
        && bytes
            .get(bytes.len() - suffix.len()..)
            .is_some_and(|end| end.eq_ignore_ascii_case(suffix.as_bytes()))
}

/// Returns the position of a lower-case piece in a text, ignoring case.
pub fn find_ignore_case(text: &str, piece: &str) -> Option<usize> {
    let (text, piece) = (text.as_bytes(), piece.as_bytes());
    let first = *piece.first()?;
    let upper = first.to_ascii_uppercase();
    memchr::memchr2_iter(first, upper, text)
        .find(|at| text.get(*at..at + piece.len()).is_some_and(|found| found.eq_ignore_ascii_case(piece)))
}

/// Returns whether a text contains a lower-case piece, ignoring case.
pub fn contains_ignore_case(text: &str, piece: &str) -> bool {
    find_ignore_case(text, piece).is_some()
}

/// Returns whether a text starts with `http://`, `https://`, or `//` and a host.
pub fn is_absolute(text: &str) -> bool {
    starts_with_ignore_case(text, "http://")
        || starts_with_ignore_case(text, "https://")
        || text
            .strip_prefix("//")
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '{' || c == HOLE))
}

/// Returns whether a text is certainly a URL: it has a host, is an explicit path, or has OGC
/// parameters.
pub fn is_rooted(text: &str) -> bool {
    let text = text.trim_start();
    is_absolute(text)
        || text.starts_with('/') && text.len() > 2
        || text.starts_with("./")
        || text.starts_with("../")
        || text.starts_with(HOLE)
        || text.contains("://")
        || requested_ogc_service(text).is_some()
}

/// Returns whether a text can be a URL, absolute or relative to the page.
pub fn is_address(text: &str) -> bool {
    if text.is_empty()
        || text.len() > LONGEST
        || text.starts_with(['#', '<', '{', '[', ',', ';', '&', '=']) && !text.starts_with("{s}")
    {
        return false;
    }
    if text.bytes().any(|b| matches!(b, b'<' | b'>' | b'\n' | b'\r' | b'\t' | b'"' | b'\\' | b'^' | b'`')) {
        return false;
    }
    // Spaces occur in unencoded queries; in a path, they indicate a sentence.
    let path = text.split(['?', '&']).next().unwrap_or(text);
    if path.contains(' ') && !is_absolute(path) {
        return false;
    }
    if is_absolute(text) {
        let after = text.split_once("//").map_or("", |(_, rest)| rest);
        let host = after.split(['/', '?', '#']).next().unwrap_or_default();
        return !host.is_empty() && !host.contains([' ', ',', '*', '(', ')', '|', '$'])
            || host.contains("${")
            || host.contains("{switch:");
    }
    if let Some((scheme, rest)) = text.split_once(':')
        && !scheme.contains(['/', '?', '.', '{', HOLE])
    {
        return matches!(scheme, "pmtiles" | "cog" | "mapbox" | "geojson" | "mbtiles" | "esri" | "arcgis")
            && rest.starts_with("//");
    }
    if text.bytes().filter(u8::is_ascii_alphanumeric).count() < 2 {
        return false;
    }
    path.contains(['/', '.']) || text.contains('?') || text.contains(HOLE)
}

/// Host of a URL, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UrlHost<'a> {
    /// Relative to the page.
    Page,
    Known(&'a str),
    /// The host is unknown.
    Unknown,
}

/// Returns the host of a URL.
pub fn url_host(text: &str) -> UrlHost<'_> {
    if !is_absolute(text) {
        return if text.starts_with(HOLE) { UrlHost::Unknown } else { UrlHost::Page };
    }
    let after = text.split_once("//").map_or("", |(_, rest)| rest);
    let host = after.split(['/', '?', '#']).next().unwrap_or_default();
    match host.rfind(HOLE) {
        None if host.is_empty() => UrlHost::Unknown,
        None => UrlHost::Known(host),
        // `https://￼.tiles.example/`: only the subdomain is unknown.
        Some(at) if host.get(at..).is_some_and(|rest| rest.matches('.').count() >= 2) => UrlHost::Known(host),
        Some(_) => UrlHost::Unknown,
    }
}

/// Returns the path of a URL, without the query.
fn path(text: &str) -> &str {
    let text = text.split(['?', '#']).next().unwrap_or(text);
    if is_absolute(text) {
        let after = text.split_once("//").map_or("", |(_, rest)| rest);
        after.find('/').and_then(|at| after.get(at..)).unwrap_or_default()
    } else {
        text
    }
}

/// ArcGIS services by the path segment that ends their URL.
const ARCGIS: &[(&str, &str)] = &[
    ("MapServer", "arcgis-mapserver"),
    ("FeatureServer", "arcgis-featureserver"),
    ("ImageServer", "arcgis-imageserver"),
    ("SceneServer", "arcgis-sceneserver"),
    ("VectorTileServer", "arcgis-vectortileserver"),
    ("GPServer", "arcgis-gpserver"),
    ("GeocodeServer", "arcgis-geocodeserver"),
    ("NAServer", says::ARCGIS),
    ("GeometryServer", says::ARCGIS),
    ("StreamServer", says::ARCGIS),
    ("UtilityNetworkServer", says::ARCGIS),
    ("KnowledgeGraphServer", says::ARCGIS),
];

/// Returns the service of an ArcGIS server that a URL belongs to, including its OGC interfaces.
pub fn arcgis_service(text: &str) -> Option<&'static str> {
    let path = path(text);
    find_ignore_case(path, "server")?;
    let services = contains_ignore_case(path, "/services/");
    let mut segments = path.split('/').filter(|s| !s.is_empty()).peekable();
    let mut before = "";
    while let Some(segment) = segments.next() {
        // `/cgi-bin/mapserver` is MapServer, not ArcGIS.
        let known = ARCGIS
            .iter()
            .find(|(name, _)| *name == segment || services && name.eq_ignore_ascii_case(segment));
        if let Some((_, kind)) = known
            && !before.is_empty()
        {
            return Some(match segments.peek() {
                Some(face) if face.eq_ignore_ascii_case("WMSServer") => "wms",
                Some(face) if face.eq_ignore_ascii_case("WFSServer") => "wfs",
                Some(face) if face.eq_ignore_ascii_case("WCSServer") => "wcs",
                Some(face) if face.eq_ignore_ascii_case("WMTS") => "wmts",
                _ => kind,
            });
        }
        if segment.eq_ignore_ascii_case("OGCFeatureServer") {
            return Some("ogcapi-features");
        }
        before = segment;
    }
    None
}

/// Returns the value of a parameter by its lower-case name.
pub fn query_parameter<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, query) = text.split_once('?')?;
    query.split(['&', '?', ';']).find_map(|pair| {
        let (key, value) = pair.split_once('=')?;
        key.trim().eq_ignore_ascii_case(name).then_some(value)
    })
}

/// OGC requests with their services.
const REQUESTS: &[(&str, &str)] = &[
    ("getmap", "wms"),
    ("getfeatureinfo", "wms"),
    ("getlegendgraphic", "wms"),
    ("getfeature", "wfs"),
    ("describefeaturetype", "wfs"),
    ("getpropertyvalue", "wfs"),
    ("gettile", "wmts"),
    ("getcoverage", "wcs"),
    ("describecoverage", "wcs"),
    ("getrecords", "csw"),
    ("getrecordbyid", "csw"),
    ("getobservation", "sos"),
    ("execute", "wps"),
    ("describeprocess", "wps"),
];

/// Known values of the parameter `service`.
pub const OGC_SERVICES: [&str; 7] = ["wms", "wmts", "wfs", "wcs", "csw", "wps", "sos"];

/// Returns the OGC service that the parameters of a URL request.
pub fn requested_ogc_service(text: &str) -> Option<&'static str> {
    if let Some(service) = query_parameter(text, "service")
        && let Some(kind) = OGC_SERVICES.into_iter().find(|kind| service.eq_ignore_ascii_case(kind))
    {
        return Some(kind);
    }
    let request = query_parameter(text, "request")?;
    REQUESTS.iter().find(|(name, _)| name.eq_ignore_ascii_case(request)).map(|(_, kind)| *kind)
}

/// Returns the service of a tile URL template, or `None` if the URL is not a template.
pub fn tile_template_service(text: &str) -> Option<&'static str> {
    if let Some(kind) = requested_ogc_service(text) {
        return Some(kind);
    }
    if contains_ignore_case(text, "{tilematrix}")
        || contains_ignore_case(text, "{tilerow}")
        || contains_ignore_case(text, "{tilecol}")
    {
        return Some("wmts");
    }
    if contains_ignore_case(text, "{bbox") || contains_ignore_case(text, "bbox=") {
        // `MapServer/export?bbox={bbox-epsg-3857}` is an ArcGIS image.
        return Some(arcgis_service(text).unwrap_or("wms"));
    }
    let vector = || matches!(file_extension(text), "pbf" | "mvt");
    is_grid(text).then(|| arcgis_service(text).unwrap_or(if vector() { "mvt" } else { "xyz" }))
}

/// Returns whether a URL has placeholders for tile numbers.
fn is_grid(text: &str) -> bool {
    if !text.contains(['{', '[']) {
        return false;
    }
    let pieces: &[&[&str]] = &[
        &["{z}", "{x}", "{y}"],
        &["{z}", "{x}", "{-y}"],
        &["{z}", "{x}", "{reversey}"],
        &["{z}", "{x}", "{invy}"],
        &["{zoom}", "{x}", "{y}"],
        &["{level}", "{row}", "{col}"],
        &["{level}", "{col}", "{row}"],
        &["{quadkey}"],
        &["{q}"],
        &["[z]", "[x]", "[y]"],
    ];
    pieces.iter().any(|all| all.iter().all(|piece| contains_ignore_case(text, piece)))
}

/// Replaces the unknown parts of a URL that a function of tile numbers returned by placeholders, in
/// the usual order, if there are exactly three.
pub fn with_placeholders(text: &str) -> Option<String> {
    if text.contains('{') || text.matches(HOLE).count() != 3 {
        return None;
    }
    let mut out = String::with_capacity(text.len() + 9);
    let mut names = ["{z}", "{x}", "{y}"].into_iter();
    let mut last = '\0';
    for (at, c) in text.char_indices() {
        if c == HOLE {
            // Each number must be a separate segment or parameter.
            if !matches!(last, '/' | '=' | '-' | '_') || at < 9 && is_absolute(text) {
                return None;
            }
            out.push_str(names.next()?);
        } else {
            out.push(c);
        }
        last = c;
    }
    Some(out)
}

/// Returns the URL inside `pmtiles://` and similar schemes.
pub fn inside_scheme(text: &str) -> &str {
    for scheme in ["pmtiles://", "cog://", "mbtiles://", "geojson://"] {
        if let Some(rest) = text.strip_prefix(scheme) {
            return rest;
        }
    }
    text
}

/// Returns the extension of the last path segment, without the dot.
pub fn file_extension(text: &str) -> &str {
    let last = path(text).rsplit('/').next().unwrap_or_default();
    last.rsplit_once('.').map_or("", |(_, extension)| extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_texts() {
        for (text, is) in [
            ("https://a.example/wms", true),
            ("//a.example/wms", true),
            ("/geoserver/wms?", true),
            ("data/roads.geojson", true),
            ("https://{s}.tile.example/{z}/{x}/{y}.png", true),
            ("https://{switch:a,b}.tile.example/{z}", true),
            ("https://${s}.tile.example/${z}/${x}/${y}.png", true),
            ("pmtiles://https://a.example/b.pmtiles", true),
            ("{s}.tile.example/{z}/{x}/{y}.png", true),
            ("geoserver/wms?layers=a b", true),
            ("see the map. It is fine", false),
            ("<a href='https://a.example'>", false),
            ("javascript:void(0)", false),
            ("data:image/png;base64,AAAA/BBB", false),
            ("#/map", false),
            ("", false),
            ("roads", false),
            ("?", false),
        ] {
            assert_eq!(is_address(text), is, "{text}");
        }
    }

    #[test]
    fn hosts_are_known_or_not() {
        assert_eq!(url_host("https://a.example/x"), UrlHost::Known("a.example"));
        assert_eq!(url_host("/x"), UrlHost::Page);
        assert_eq!(url_host("\u{FFFC}/x"), UrlHost::Unknown);
        assert_eq!(url_host("https://\u{FFFC}/x"), UrlHost::Unknown);
        assert_eq!(url_host("https://\u{FFFC}.org/x"), UrlHost::Unknown);
        assert_eq!(url_host("https://\u{FFFC}.tiles.example/x"), UrlHost::Known("\u{FFFC}.tiles.example"));
    }

    #[test]
    fn templates_say_their_service() {
        for (text, kind) in [
            ("https://a.example/{z}/{x}/{y}.png", Some("xyz")),
            ("https://a.example/${z}/${x}/${y}.png", Some("xyz")),
            ("https://a.example/{z}/{x}/{y}.pbf?key=a", Some("mvt")),
            ("https://a.example/{z}/{x}/{-y}.png", Some("xyz")),
            ("https://a.example/tiles/a{quadkey}.jpeg", Some("xyz")),
            (
                "https://a.example/1.0.0/l/default/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}.png",
                Some("wmts"),
            ),
            (
                "https://a.example/wmts?layer=l&Request=GetTile&TileMatrix={z}&TileCol={x}&TileRow={y}",
                Some("wmts"),
            ),
            ("https://a.example/x?bbox={bbox-epsg-3857}&service=WMS&request=GetMap", Some("wms")),
            ("https://a.example/x?bbox={bbox-epsg-3857}", Some("wms")),
            ("https://a.example/rest/services/A/MapServer/tile/{z}/{y}/{x}", Some("arcgis-mapserver")),
            (
                "https://a.example/rest/services/A/ImageServer/exportImage?bbox={bbox-epsg-3857}",
                Some("arcgis-imageserver"),
            ),
            ("https://a.example/a.png", None),
        ] {
            assert_eq!(tile_template_service(text), kind, "{text}");
        }
        assert_eq!(
            with_placeholders("https://a.example/t/\u{FFFC}/\u{FFFC}/\u{FFFC}.png").as_deref(),
            Some("https://a.example/t/{z}/{x}/{y}.png")
        );
        assert_eq!(with_placeholders("https://\u{FFFC}/t/\u{FFFC}/\u{FFFC}.png"), None);
    }

    #[test]
    fn services_of_arcgis_are_told_by_their_path() {
        for (text, kind) in [
            ("https://a.example/arcgis/rest/services/X/MapServer", Some("arcgis-mapserver")),
            (
                "https://a.example/arcgis/rest/services/X/FeatureServer/0/query?f=json",
                Some("arcgis-featureserver"),
            ),
            ("https://a.example/arcgis/services/X/MapServer/WMSServer?", Some("wms")),
            (
                "https://a.example/arcgis/rest/services/X/MapServer/WMTS/1.0.0/WMTSCapabilities.xml",
                Some("wmts"),
            ),
            ("https://a.example/server/rest/services/GeometryServer", Some("arcgis")),
            ("MapServer", None),
            ("https://a.example/mapserver", None),
        ] {
            assert_eq!(arcgis_service(text), kind, "{text}");
        }
    }
}
