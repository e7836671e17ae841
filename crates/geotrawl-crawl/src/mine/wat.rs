//! Scans WAT and WET records: links that others have extracted from pages, and addresses in text.
//!
//! The JSON of WAT records is not parsed, because most of it is irrelevant. The values that contain
//! addresses are found by searching for their names, which is much faster; false matches are
//! harmless.

use super::scan::{AddressContext, AddressScanner, BaseUrl};
use super::warc::WarcRecordHead;
use geotrawl_kinds::extract::{SchemeMarks, addresses_in, without_js_escapes};
use geotrawl_model::DiscoveryMethod;
use memchr::memmem::Finder;
use std::borrow::Cow;
use std::sync::LazyLock;

/// Names of the values that contain addresses.
static NAMES: LazyLock<[Finder<'static>; 2]> =
    LazyLock::new(|| [Finder::new(b"\"url\":"), Finder::new(b"\"href\":")]);
static BASE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\"Base\":"));

/// Discovery method by the element that contained a link.
const WAYS: &[(&str, &str)] = &[
    ("A@", "href"),
    ("AREA@", "area"),
    ("EMBED@", "object"),
    ("FORM@", "form"),
    ("FRAME@", "frame"),
    ("IFRAME@", "iframe"),
    ("IMG@", "img"),
    ("LINK@", "link"),
    ("OBJECT@", "object"),
];

/// Scans a WAT record.
pub fn scan_metadata(record: &WarcRecordHead, block: &[u8], scanner: &mut AddressScanner) {
    scanner.scan_own_address(&record.uri, &record.date);
    let text = readable(block);
    let own_base =
        BASE.find(block).and_then(|at| value_at(&text, at + BASE.needle().len())).map(|(value, _)| value);
    let own_base = own_base.filter(|base| base.starts_with("http://") || base.starts_with("https://"));
    let mut base = BaseUrl::new(own_base.as_deref().unwrap_or(&record.uri));
    let mut marks = SchemeMarks::new(text.as_bytes());
    let mut next = [0; 2];
    let mut passed = 0;
    loop {
        // Find the next value with either name.
        let mut first = usize::MAX;
        for (name, at) in NAMES.iter().zip(&mut next) {
            if *at != usize::MAX && *at <= passed {
                *at = text
                    .as_bytes()
                    .get(passed..)
                    .and_then(|rest| name.find(rest))
                    .map_or(usize::MAX, |n| passed + n + name.needle().len());
            }
            first = first.min(*at);
        }
        let at = first;
        if at == usize::MAX {
            break;
        }
        let Some((value, end)) = value_at(&text, at) else {
            passed = at;
            continue;
        };
        loose(&text, &mut marks, passed..at, &mut base, record, scanner);
        scanner
            .scan_address(&value, AddressContext::Exact, &mut base, &record.date, || about(&text, at, end));
        passed = end;
    }
    loose(&text, &mut marks, passed..text.len(), &mut base, record, scanner);
}

/// Scans the addresses in the text of a WET record.
pub fn scan_text(record: &WarcRecordHead, block: &[u8], scanner: &mut AddressScanner) {
    scanner.scan_own_address(&record.uri, &record.date);
    let text = readable(block);
    let mut base = BaseUrl::new(&record.uri);
    let mut marks = SchemeMarks::new(text.as_bytes());
    loose(&text, &mut marks, 0..text.len(), &mut base, record, scanner);
}

/// Returns the bytes as text. They are nearly always valid UTF-8, and checking is several times
/// faster than a lossy conversion.
fn readable(block: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(block).map_or_else(|_| String::from_utf8_lossy(block), Cow::Borrowed)
}

fn loose<'t>(
    text: &'t str,
    marks: &mut SchemeMarks<'t>,
    range: std::ops::Range<usize>,
    base: &mut BaseUrl<'_>,
    record: &WarcRecordHead,
    scanner: &mut AddressScanner,
) {
    if marks.none_before(range.end) {
        return;
    }
    for (_, raw) in addresses_in(text, marks, range) {
        let about = || (DiscoveryMethod::Borrowed("text"), String::new());
        scanner.scan_address(&without_js_escapes(raw), AddressContext::Loose, base, &record.date, about);
    }
}

/// Returns the string value at an offset, and its end; `None` if there is no string.
fn value_at(text: &str, at: usize) -> Option<(Cow<'_, str>, usize)> {
    let bytes = text.as_bytes();
    let quote = at + bytes.get(at..)?.iter().position(|byte| *byte != b' ')?;
    if bytes.get(quote) != Some(&b'"') {
        return None;
    }
    let mut end = quote + 1;
    let mut escaped = false;
    loop {
        end += memchr::memchr2(b'"', b'\\', bytes.get(end..)?)?;
        if bytes.get(end) == Some(&b'"') {
            break;
        }
        escaped = true;
        end += 2;
    }
    let inside = text.get(quote + 1..end)?;
    if !escaped {
        return Some((Cow::Borrowed(inside), end + 1));
    }
    let value: String = serde_json::from_str(text.get(quote..=end)?).ok()?;
    Some((Cow::Owned(value), end + 1))
}

/// Returns discovery method and text of a link from the other members of its object.
fn about(text: &str, at: usize, end: usize) -> (DiscoveryMethod, String) {
    let from = text.get(..at).and_then(|before| before.rfind('{')).unwrap_or(at);
    let to = text.get(end..).and_then(|behind| behind.find('}')).map_or(end, |n| end + n);
    let object = text.get(from..to).unwrap_or_default();
    let value = |name: &str| {
        let at = object.find(name)? + name.len();
        value_at(object, at).map(|(value, _)| value.into_owned())
    };
    let path = value("\"path\":").unwrap_or_default();
    let way = WAYS.iter().find(|(element, _)| path.starts_with(element)).map_or("archive", |(_, way)| way);
    let words = value("\"text\":").unwrap_or_default();
    (DiscoveryMethod::Borrowed(way), words.chars().take(200).collect())
}

#[cfg(test)]
mod tests {
    use super::super::warc::{RecordKind, RecordPosition};
    use super::*;
    use proptest::prelude::*;

    fn record(uri: &str) -> WarcRecordHead {
        WarcRecordHead {
            kind: RecordKind::Metadata,
            uri: uri.to_owned(),
            date: "2026-01-31T12:00:00Z".to_owned(),
            content_type: "application/json".to_owned(),
            length: 0,
            truncated: false,
            place: RecordPosition { member: 0, skip: 0 },
        }
    }

    fn shown(json: &str) -> Vec<String> {
        let mut scanner = AddressScanner::default();
        scan_metadata(&record("http://a.example/maps/index.html"), json.as_bytes(), &mut scanner);
        let line = |c: &super::super::scan::ArchiveCandidate| {
            format!("{} {} {} {}", c.target.intent, c.target.url, c.target.way, c.target.words)
        };
        scanner.shown.iter().map(line).collect()
    }

    #[test]
    fn links_headers_and_text_are_read() {
        let json = r#"{"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{"Headers":{"Link":"<http://l.example/wfs?service=WFS>; rel=x"},"HTML-Metadata":{"Head":{"Metas":[{"content":"see http://m.example/data.gpkg now"}]},"Links":[{"path":"A@/href","text":"Roads \"all\"","url":"../geoserver/wms?x=1&y=2"},{"path":"IMG@/src","url":"/logo.png"},{"path":"A@/href","url":"http:\/\/e.example\/ows"},{"href":"/style/a.kml","path":"STYLE/#text"}]}}}}}"#;
        assert_eq!(
            shown(json),
            [
                "ows:wfs http://l.example/wfs text ",
                "file http://m.example/data.gpkg text ",
                "ows:wms http://a.example/geoserver/wms href Roads \"all\"",
                "ows:wms+ http://e.example/ows href ",
                "file http://a.example/style/a.kml archive ",
            ]
        );
    }

    #[test]
    fn a_base_of_its_own_counts() {
        let json = r#"{"Head":{"Base":"http://b.example/x/"},"Links":[{"path":"A@/href","url":"wms"}]}"#;
        assert_eq!(shown(json), ["ows:wms http://b.example/x/wms href "]);
    }

    proptest! {
        #[test]
        fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..300), text in "[\"url:\\\\{}/wms.htp ]{0,120}") {
            let mut scanner = AddressScanner::default();
            for block in [&bytes[..], text.as_bytes(), format!("\"url\":{text}").as_bytes()] {
                scan_metadata(&record("http://a.example/"), block, &mut scanner);
                scan_text(&record(&text), block, &mut scanner);
            }
        }
    }
}
