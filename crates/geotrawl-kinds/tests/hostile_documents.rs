//! Hostile documents: each must end soon, use little memory, and produce a result.

#![expect(clippy::expect_used, reason = "a test that cannot read its documents has failed")]

use crate::support::generated::GeneratedDocument;
use geotrawl_kinds::formats::xml::{XmlEvent, XmlReader};
use geotrawl_kinds::kinds::{DocumentReading, read_document};
use std::fmt::Write as _;
use std::io::Read;

/// Reads to the end and returns the number of starts and the violation.
fn read(input: &mut dyn Read) -> (u64, Option<String>) {
    let mut reader = XmlReader::new(input, None);
    let mut starts = 0;
    loop {
        match reader.next() {
            XmlEvent::Start => starts += 1,
            XmlEvent::Eof => return (starts, reader.violation().map(|v| v.message.to_owned())),
            _ => {}
        }
    }
}

/// Returns a stream of `before`, then `times` times `piece`, then `after`.
fn repeated(before: &'static str, piece: &'static str, times: u64, after: &'static str) -> impl Read {
    let piece = piece.repeat(64);
    GeneratedDocument::new(times / 64 + 2, move |index, out| {
        out.push_str(if index == 0 {
            before
        } else if index == times / 64 + 1 {
            after
        } else {
            &piece
        });
    })
}

fn capabilities(input: &mut dyn Read) -> DocumentReading {
    read_document(input, None, "http://example.org/").expect("claimed").2
}

#[test]
fn tokens_of_any_length_are_not_held() {
    // 4 MB each, four times the token limit. Text has no limit, because it is returned in pieces.
    let (_, verdict) = read(&mut repeated("<a>", "text ", 800_000, "</a>"));
    assert_eq!(verdict, None);
    for (before, piece, after) in [
        ("<a b='", "value ", "'><c/></a>"),
        ("<a><!--", " word ", "--><c/></a>"),
        ("<a><![CDATA[", " word ", "]]><c/></a>"),
        ("<a><?p ", " word ", "?><c/></a>"),
        ("<!DOCTYPE a [<!--", " word ", "-->]><a/>"),
        ("<", "aaaaa", "/>"),
        ("<a></", "aaaaa", ">"),
    ] {
        let (_, verdict) = read(&mut repeated(before, piece, 700_000, after));
        assert_eq!(verdict.as_deref(), Some("a token longer than a megabyte"), "{before}");
    }
}

#[test]
fn depth_is_bounded() {
    let (starts, verdict) = read(&mut repeated("", "<a>", 300_000, ""));
    assert_eq!(starts, 256);
    assert_eq!(verdict.as_deref(), Some("elements nested too deep"));
    // What follows the deep nesting is read.
    let deep = format!("<r>{}{}<b/></r>", "<a>".repeat(1000), "</a>".repeat(1000));
    assert_eq!(read(&mut deep.as_bytes()).0, 257);
}

#[test]
fn a_hundred_thousand_attributes_cost_no_square() {
    let mut tag = String::from("<a");
    for i in 0..100_000 {
        let _ = write!(tag, " a{i}=''");
    }
    let (_, verdict) = read(&mut format!("{tag}/>").as_bytes());
    assert_eq!(verdict.as_deref(), None);
    let (_, verdict) = read(&mut format!("{tag} a7=''/>").as_bytes());
    assert!(verdict.is_some());
}

#[test]
fn a_hundred_thousand_namespaces_cost_no_square() {
    let mut text = String::from("<r>");
    for i in 0..30_000 {
        let _ = write!(text, "<p{i}:a xmlns:p{i}='urn:{i}'/>");
    }
    text.push_str("</r>");
    assert_eq!(read(&mut text.as_bytes()), (30_001, None));
}

#[test]
fn entity_bombs_are_cheap_and_said() {
    let mut laughs = String::from("<!DOCTYPE WMT_MS_Capabilities [<!ENTITY l0 'lol'>");
    for i in 1..30 {
        let ten = format!("&l{};", i - 1).repeat(10);
        let _ = write!(laughs, "<!ENTITY l{i} '{ten}'>");
    }
    laughs.push_str("]><WMT_MS_Capabilities version='1.1.1'><Service><Title>&l29;</Title></Service></WMT_MS_Capabilities>");
    let reading = capabilities(&mut laughs.as_bytes());
    assert_eq!(reading.resources[0].title.as_deref(), Some("&l29;"));
    assert!(reading.resources[0].issues.iter().any(|i| i.code == "xml-entities"));

    let quadratic =
        format!("<!DOCTYPE a [<!ENTITY x '{}'>]><a>{}</a>", "y".repeat(50_000), "&x;".repeat(50_000));
    assert_eq!(read(&mut quadratic.as_bytes()), (1, None));

    let looped = "<!DOCTYPE a [<!ENTITY x '&y;'><!ENTITY y '&x;'>]><a>&x;</a>";
    assert_eq!(read(&mut looped.as_bytes()).1.as_deref(), Some("an entity that uses itself"));

    let external = "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>";
    let mut input = external.as_bytes();
    let mut reader = XmlReader::new(&mut input, None);
    let mut text = String::new();
    loop {
        match reader.next() {
            XmlEvent::Text => reader.append_text(&mut text, 1000),
            XmlEvent::Eof => break,
            _ => {}
        }
    }
    assert_eq!(text, "&x;", "never fetched, never hidden");
}

#[test]
fn ampersands_and_brackets_without_end_are_linear() {
    for piece in ["&", "]", "&a", "<", "<!", "</", "<a ", "a=\"", "\u{FFFE}"] {
        let text = format!("<a>{}", piece.repeat(200_000));
        let (_, verdict) = read(&mut text.as_bytes());
        assert!(verdict.is_some(), "{piece}");
    }
}

#[test]
fn a_stream_that_breaks_gives_what_came() {
    struct BrokenStream(&'static [u8]);
    impl Read for BrokenStream {
        fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
            if self.0.is_empty() {
                return Err(std::io::Error::from(std::io::ErrorKind::ConnectionReset));
            }
            let n = self.0.len().min(buf.len());
            buf[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }
    let mut input = BrokenStream(
        b"<WMT_MS_Capabilities version='1.1.1'><Capability><Layer><Name>a</Name></Layer><Layer><Name>b",
    );
    let reading = capabilities(&mut input);
    assert_eq!(reading.resources[0].dataset_count, 2);
    assert!(reading.violation.is_some());
}

#[test]
fn endless_lists_are_bounded() {
    // Codes, keywords, formats, times and issues without end must be kept within their limits.
    let mut text = String::from(
        "<WMS_Capabilities version='1.3.0' xmlns='http://www.opengis.net/wms'><Capability><Layer><Name>a</Name>",
    );
    for i in 0..5000 {
        let _ = write!(text, "<CRS>EPSG:{i}</CRS><KeywordList><Keyword>k{i}</Keyword></KeywordList>");
    }
    text.push_str("<Dimension name='time'>");
    for i in 0..5000 {
        let _ = write!(text, "{i},");
    }
    text.push_str("</Dimension></Layer></Capability></WMS_Capabilities>");
    let reading = capabilities(&mut text.as_bytes());
    let dataset = &reading.resources[0].datasets[0];
    assert_eq!(dataset.crs.len(), 200);
    assert!(dataset.keywords.len() <= 100);
    assert_eq!(dataset.time.len(), 24);
    assert_eq!(dataset.time.last().map(String::as_str), Some("4999"));
}
