//! A fast negative filter for lists of billions of URLs: one automaton over everything that a URL
//! must contain for [`append_targets`](super::append_targets) to recognise a service or data file.
//!
//! It is built from the tables of the classifier: the letters of service paths, the URL markers of
//! all kinds and the file extensions. Anything that could hide one of these from a search over
//! bytes (escapes, character references, dots in paths, embedded URLs) passes, too. So nothing is
//! lost, and a false positive only costs a closer look.

use super::file_hint::FILE_TYPES;
use super::service_path::SIGNS;
use crate::kinds::KINDS;
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use std::sync::LazyLock;

/// Position at which a sign is significant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SignPosition {
    Anywhere,
    /// At the end of a name, not followed by a letter or digit.
    AtEnd,
    /// After the row number of a tile, or in a template.
    AtTile,
}

/// Parameters that name a format: `format=kml`.
const FORMATS: [&str; 5] = ["=kml", "=kmz", "=geojson", "=gpx", "=gpkg"];
/// Configuration files of map servers: `map=/srv/roads.map`.
const MAP_FILES: [&str; 3] = [".map", ".qgs", ".qgz"];
/// Embedded URLs. The first occurs in every URL and counts only after the scheme.
const INNER: [&str; 4] = ["://", "%3a%2f%2f", ":%2f%2f", "%3a//"];
/// Sequences that change when a URL is cleaned, so that signs may appear that are not there as
/// written: blanks, backslashes, dots in paths, a doubled query separator, character references.
#[rustfmt::skip]
const UNTIDY: [&str; 26] = [
    "\t", "\n", "\r", "\\", "/./", "/../", "%2e", "??", "?&", "&#", "amp;#", "colon;", "sol;", "quest;", "equals;",
    "period;", "comma;", "lowbar;", "num;", "percnt;", "commat;", "plus;", "lpar;", "rpar;", "semi;", "newline;",
];

struct AddressFilter {
    automaton: AhoCorasick,
    counts: Vec<SignPosition>,
}

static GATE: LazyLock<Option<AddressFilter>> = LazyLock::new(|| {
    let mut signs: Vec<(Vec<u8>, SignPosition)> = Vec::new();
    let mut add = |text: &[u8], counts: SignPosition| signs.push((text.to_ascii_lowercase(), counts));
    for sign in SIGNS {
        add(sign, SignPosition::Anywhere);
    }
    add(b"request=", SignPosition::Anywhere);
    for text in INNER.iter().chain(&UNTIDY) {
        add(text.as_bytes(), SignPosition::Anywhere);
    }
    add(b"tab;", SignPosition::Anywhere);
    // Percent-encoded letters and digits.
    for byte in (b'0'..=b'9').chain(b'A'..=b'Z').chain(b'a'..=b'z') {
        add(format!("%{byte:02x}").as_bytes(), SignPosition::Anywhere);
    }
    for file in FILE_TYPES.all().iter().filter(|file| file.kind.is_some()) {
        add(format!(".{}", file.extension).as_bytes(), SignPosition::AtEnd);
    }
    for text in FORMATS.iter().chain(&MAP_FILES) {
        add(text.as_bytes(), SignPosition::AtEnd);
    }
    for kind in KINDS {
        for mark in kind.url_marks() {
            // Image extensions are significant only at the position of a tile.
            let tile = kind.profile().id == "xyz" && mark.starts_with('.');
            add(mark.as_bytes(), if tile { SignPosition::AtTile } else { SignPosition::Anywhere });
        }
    }
    let automaton = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        // A DFA is larger but by far the fastest: it is built once and every byte of a list passes
        // through it.
        .kind(Some(AhoCorasickKind::DFA))
        .build(signs.iter().map(|(text, _)| text))
        .ok()?;
    Some(AddressFilter { automaton, counts: signs.into_iter().map(|(_, counts)| counts).collect() })
});

/// Returns whether [`append_targets`](super::append_targets) may find a service or data file in a
/// URL as written. `false` is certain; `true` means that the URL is worth a closer look.
pub fn may_lead_to_data(address: &[u8]) -> bool {
    // Without the automaton nothing can be ruled out.
    let Some(gate) = GATE.as_ref() else { return true };
    let Some(rest) = without_scheme(address) else { return true };
    if !has_plain_host(rest) {
        return true;
    }
    gate.automaton.find_overlapping_iter(rest).any(|found| {
        match gate.counts.get(found.pattern().as_usize()) {
            Some(SignPosition::AtEnd) => {
                rest.get(found.end()).is_none_or(|next| !next.is_ascii_alphanumeric())
            }
            Some(SignPosition::AtTile) => {
                is_tile(rest.get(..found.start()).unwrap_or_default()) || has_brace(rest)
            }
            Some(SignPosition::Anywhere) | None => true,
        }
    })
}

fn without_scheme(address: &[u8]) -> Option<&[u8]> {
    let is =
        |scheme: &[u8]| address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    [&b"https://"[..], b"http://"]
        .into_iter()
        .find(|scheme| is(scheme))
        .and_then(|scheme| address.get(scheme.len()..))
}

/// Returns whether the host name is written exactly as it will be parsed.
fn has_plain_host(rest: &[u8]) -> bool {
    let end = rest.iter().position(|byte| matches!(byte, b'/' | b'?' | b'#'));
    let host = end.and_then(|end| rest.get(..end)).unwrap_or(rest);
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b':' | b'@');
    !host.is_empty() && host.iter().all(plain)
}

/// Returns whether the text ends like the path of a tile: `.../12/2200/1343`, `.../1343@2x`,
/// `.../1343.vector`.
fn is_tile(before: &[u8]) -> bool {
    let before = before.strip_suffix(b"@2x").or_else(|| before.strip_suffix(b".vector")).unwrap_or(before);
    let mut parts = before.rsplit(|byte| *byte == b'/');
    let mut number =
        || parts.next().is_some_and(|part| !part.is_empty() && part.iter().all(u8::is_ascii_digit));
    number() && number() && number()
}

fn has_brace(address: &[u8]) -> bool {
    memchr::memchr2(b'{', b'%', address).is_some()
        && (memchr::memchr(b'{', address).is_some()
            || address.windows(3).any(|three| three.eq_ignore_ascii_case(b"%7b")))
}

#[cfg(test)]
mod tests {
    use super::super::{append_targets, clean_attribute, clean_link};
    use super::*;
    use crate::probe::CrawlTarget;
    use proptest::prelude::*;
    use url::Url;

    fn shows_data(raw: &str) -> Vec<CrawlTarget> {
        let base = Url::parse("http://base.example/").unwrap();
        let mut out = Vec::new();
        for url in [clean_link(raw, &base), clean_attribute(raw, &base)].into_iter().flatten() {
            append_targets(url, "href".into(), "", &mut out);
        }
        out.retain(|target| target.intent.is_probe());
        out
    }

    #[test]
    fn ordinary_addresses_are_told_at_once() {
        for address in [
            "https://example.org/",
            "https://www.example.org/about/contact.html?id=7&lang=de#top",
            "http://example.org/img/2024/05/photo-12.jpg",
            "https://example.org/a.zipper/page",
            "https://example.org/files/manual.pdf",
            "https://example.org/karte/12",
        ] {
            assert!(!may_lead_to_data(address.as_bytes()), "{address}");
        }
        for address in [
            "https://example.org/wms",
            "https://example.org/tiles/12/2200/1343.png",
            "https://example.org/a.KMZ?x",
            "https://example.org/p?u=http%3A%2F%2Fx.org%2F",
            "https://example.org/get?file=a%2ekml",
            "not an address",
        ] {
            assert!(may_lead_to_data(address.as_bytes()), "{address}");
        }
    }

    /// Parts of URLs with data, plain and hidden.
    fn piece() -> impl Strategy<Value = String> {
        let tables = FILE_TYPES.all().iter().map(|file| format!(".{}", file.extension));
        let marks = KINDS.iter().flat_map(|kind| kind.url_marks().iter().map(|mark| (*mark).to_owned()));
        let more = [
            "/",
            "?",
            "&",
            "=",
            ".",
            "..",
            "/./",
            "/../",
            "wms",
            "WFS",
            "ows",
            "csw",
            "service",
            "SERVICE=",
            "WMS",
            "REQUEST=",
            "GetMap",
            "getcapabilities",
            "map=",
            "/a/b.map",
            "%2Ekml",
            "%6bml",
            "&amp;",
            "&#46;",
            "&colon;",
            "url=",
            "http://x.org/",
            "https%3A%2F%2Fy.org%2F",
            "proxy",
            "{z}",
            "{x}",
            "{y}",
            "%7Bz%7D",
            "${z}",
            "12",
            "2200",
            "1343",
            "@2x",
            "file=",
            "format=kml",
            "geoserver",
            "services",
            "rest",
            "arcgis",
            "mapserver",
            "MapServer",
            "a",
            "b.html",
            "#",
            ";",
            "\t",
            "\\",
            " ",
            "'",
            "ü",
            "||",
            "stac",
            "collections",
            "thredds",
            "deegree",
            "1.0.0",
            "WMTSCapabilities.xml",
            ",",
            ")",
            "\u{200b}",
        ];
        let all: Vec<String> = tables.chain(marks).chain(more.map(str::to_owned)).collect();
        prop_oneof![4 => proptest::sample::select(all), 1 => "[ -~]{0,4}"]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]
        #[test]
        fn nothing_that_shows_data_is_held_back(
            host in prop_oneof![Just("x.org"), Just("maps.arcgis.com"), Just("wms.x.org:80"), Just("ü.org"), Just("X.org")],
            scheme in prop_oneof![Just("http://"), Just("https://"), Just("HTTP://")],
            pieces in prop::collection::vec(piece(), 0..7),
        ) {
            let raw = format!("{scheme}{host}/{}", pieces.concat());
            let shown = shows_data(&raw);
            prop_assert!(shown.is_empty() || may_lead_to_data(raw.as_bytes()), "{raw} shows {shown:?}");
        }

        #[test]
        fn any_bytes_can_be_asked_about(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = may_lead_to_data(&bytes);
            let _ = may_lead_to_data(&[b"http://", &bytes[..]].concat());
        }
    }
}
