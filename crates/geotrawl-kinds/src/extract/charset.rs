//! Decodes documents to text: byte order mark, HTTP header, declaration in the document, detection.
//!
//! Transcoding is expensive, so it happens at most once and only if needed: bytes that are valid
//! UTF-8 (all of ASCII, and most of the web) are used as they are, whatever encoding is declared.
//! Text in another encoding that happens to be valid UTF-8 beyond ASCII practically does not exist.

use crate::probe::ResponseHead;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    Encoding, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED,
};
use std::borrow::Cow;

/// Type of a document, which determines where its encoding may be declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    /// `<meta charset>` or `<?xml encoding?>`.
    Html,
    /// `<?xml encoding?>`.
    Xml,
    /// No declaration.
    Plain,
}

/// Number of bytes to search for a declaration.
const PRESCAN: usize = 4_096;
/// Number of bytes to search for non-ASCII passages during detection.
const DETECT: usize = 256 * 1024;
/// Number of bytes of these passages to feed to the detector. Every candidate encoding reads every
/// byte, so this is the cost of detection: reading whole pages took longer than all other
/// processing, without better results.
const DETECT_READ: usize = 3 * 1024;
/// Number of bytes to include around a non-ASCII passage: the adjacent letters hint at the
/// language.
const AROUND: usize = 24;

/// Decodes a document. Returns its text and the name of the encoding.
pub fn decode_text<'a>(head: &ResponseHead, body: &'a [u8], kind: TextKind) -> (Cow<'a, str>, &'static str) {
    let (encoding, body) = match byte_order_mark(body) {
        Some((encoding, length)) => (encoding, body.get(length..).unwrap_or_default()),
        None => (None, body),
    };
    let encoding = encoding.or_else(|| without_mark(head, body, kind));
    let ascii_compatible =
        encoding.is_none_or(|e| e != UTF_16LE && e != UTF_16BE && e != ISO_2022_JP && e != REPLACEMENT);
    if ascii_compatible && let Ok(text) = std::str::from_utf8(body) {
        // An ASCII-only document with another declaration: keep the declared name, which describes
        // the site.
        let name = match encoding {
            Some(declared) if text.is_ascii() => declared.name(),
            _ => UTF_8.name(),
        };
        return (Cow::Borrowed(text), name);
    }
    let encoding = match encoding {
        Some(declared) if declared != UTF_8 && declared != REPLACEMENT => declared,
        Some(_) if is_mostly_utf8(body) => UTF_8,
        _ => detect(head, body),
    };
    let (text, _) = encoding.decode_without_bom_handling(body);
    (text, encoding.name())
}

/// Returns the encoding and the length of a byte order mark. A mark before text that is clearly not
/// UTF-16 (seen in the wild before ISO 8859-1) is skipped without effect.
fn byte_order_mark(body: &[u8]) -> Option<(Option<&'static Encoding>, usize)> {
    let (encoding, length) = Encoding::for_bom(body)?;
    let start = body.get(length..(length + 16).min(body.len())).unwrap_or_default();
    let lies = encoding != UTF_8 && start.len() >= 16 && start.is_ascii() && !start.contains(&0);
    Some(((!lies).then_some(encoding), length))
}

fn without_mark(head: &ResponseHead, body: &[u8], kind: TextKind) -> Option<&'static Encoding> {
    utf16_by_zeros(body)
        .or_else(|| head.content_type.as_deref().and_then(charset_parameter))
        .or_else(|| declared(body, kind))
}

/// Detects UTF-16 without a mark by the zeros between its ASCII letters.
fn utf16_by_zeros(body: &[u8]) -> Option<&'static Encoding> {
    match body.get(..4)? {
        [a, 0, b, 0] if *a != 0 && *b != 0 => Some(UTF_16LE),
        [0, a, 0, b] if *a != 0 && *b != 0 => Some(UTF_16BE),
        _ => None,
    }
}

/// Returns the encoding in the `charset` parameter of a content type.
fn charset_parameter(content_type: &str) -> Option<&'static Encoding> {
    let lower = content_type.to_ascii_lowercase();
    label_after(lower.as_bytes(), lower.find("charset")? + 7)
}

/// Returns the encoding declared in the document.
fn declared(body: &[u8], kind: TextKind) -> Option<&'static Encoding> {
    let start = body.get(..PRESCAN.min(body.len()))?.to_ascii_lowercase();
    let found = match kind {
        TextKind::Plain => None,
        TextKind::Xml => xml_declaration(&start),
        TextKind::Html => xml_declaration(&start).or_else(|| meta_charset(&start)),
    }?;
    // The declaration was readable byte by byte, so the document is not UTF-16.
    Some(match found {
        e if e == UTF_16LE || e == UTF_16BE => UTF_8,
        e if e == X_USER_DEFINED => WINDOWS_1252,
        e => e,
    })
}

fn xml_declaration(start: &[u8]) -> Option<&'static Encoding> {
    let from = start.iter().position(|b| !b.is_ascii_whitespace())?;
    let rest = start.get(from..)?;
    let end = memchr::memchr(b'>', rest.strip_prefix(b"<?xml")?)?;
    let inside = rest.get(..end + 5)?;
    label_after(inside, memchr::memmem::find(inside, b"encoding")? + 8)
}

fn meta_charset(start: &[u8]) -> Option<&'static Encoding> {
    memchr::memmem::find_iter(start, b"charset").find_map(|at| {
        let open = memchr::memrchr(b'<', start.get(..at)?)?;
        start.get(open..)?.starts_with(b"<meta").then(|| label_after(start, at + 7)).flatten()
    })
}

/// Returns the encoding named by `= "label"` at a position.
fn label_after(text: &[u8], at: usize) -> Option<&'static Encoding> {
    let rest = text.get(at..)?.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let rest = match rest.first()? {
        b'"' | b'\'' => rest.get(1..)?,
        _ => rest,
    };
    let end = rest.iter().position(|b| b" \t\r\n\"';,>?/".contains(b)).unwrap_or(rest.len());
    Encoding::for_label(rest.get(..end)?)
}

/// Returns whether the text is UTF-8 with some invalid bytes, rather than in a wrongly declared
/// encoding.
fn is_mostly_utf8(body: &[u8]) -> bool {
    let (mut good, mut bad) = (0_usize, 0_usize);
    for chunk in body.utf8_chunks() {
        good += chunk.valid().bytes().filter(|b| *b >= 0xC0).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    good > bad
}

fn detect(head: &ResponseHead, body: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    for passage in telling_passages(body.get(..DETECT).unwrap_or(body)) {
        detector.feed(passage, false);
    }
    detector.feed(&[], true);
    let host = head.url.as_ref().and_then(|u| u.domain());
    // The detector uses the top-level domain as a hint, and panics unless it is lower-case ASCII.
    let tld = host
        .and_then(|h| h.rsplit('.').next())
        .filter(|t| t.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'));
    detector.guess(tld.map(str::as_bytes), Utf8Detection::Allow)
}

/// Returns the passages with non-ASCII bytes, each with some context, up to [`DETECT_READ`] bytes
/// in total. They are cut only at bytes below `0`, which are not part of a character in any web
/// encoding.
fn telling_passages(body: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (mut at, mut left) = (0, DETECT_READ);
    std::iter::from_fn(move || {
        let rest = body.get(at..)?;
        let first = at + Encoding::ascii_valid_up_to(rest);
        if first >= body.len() || left == 0 {
            return None;
        }
        let is_cut = |byte: &u8| *byte < b'0';
        let before = body.get(at.max(first.saturating_sub(AROUND))..first)?;
        let start = first - before.len() + before.iter().position(is_cut).unwrap_or(0);
        let mut end = first;
        while end < body.len() && end - start < left {
            let plain = Encoding::ascii_valid_up_to(body.get(end..)?);
            if plain > AROUND {
                end += body.get(end..end + plain)?.iter().position(is_cut).unwrap_or(plain);
                break;
            }
            end += plain.max(1);
        }
        let end = end.min(start + left);
        left -= end - start;
        at = end.max(first + 1);
        body.get(start..end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_type(content_type: &str) -> ResponseHead {
        ResponseHead { content_type: Some(content_type.to_owned()), ..ResponseHead::default() }
    }

    #[test]
    fn every_way_to_say_the_charset_is_heard() {
        let body = |declaration: &str, label: &str, text: &str| {
            let encoding = Encoding::for_label(label.as_bytes()).unwrap();
            encoding.encode(&format!("{declaration}<p>{text}")).0.into_owned()
        };
        let plain = with_type("text/html");
        for (label, text) in [
            ("windows-1252", "Straße für Geodaten"),
            ("iso-8859-2", "Łódź mapa żółw"),
            ("windows-1251", "Карта России и услуги"),
            ("koi8-r", "Карта России и услуги"),
            ("windows-1253", "Χάρτης της Ελλάδας"),
            ("iso-8859-9", "Türkiye haritası"),
            ("shift_jis", "日本の地図サービス"),
            ("euc-jp", "日本の地図サービス"),
            ("iso-2022-jp", "日本の地図サービス"),
            ("gbk", "中国地图服务"),
            ("gb18030", "中国地图服务"),
            ("big5", "台灣地圖服務"),
            ("euc-kr", "한국 지도 서비스"),
            ("windows-1255", "מפה של ישראל"),
            ("windows-1256", "خريطة المدينة"),
            ("utf-8", "地図 Straße"),
        ] {
            let meta = body(&format!("<meta charset='{label}'>"), label, text);
            let (read, _) = decode_text(&plain, &meta, TextKind::Html);
            assert!(read.ends_with(text), "meta {label}: {read}");
            let http = body("", label, text);
            let (read, _) =
                decode_text(&with_type(&format!("text/html; Charset=\"{label}\"")), &http, TextKind::Html);
            assert!(read.ends_with(text), "http {label}: {read}");
            let xml = body(&format!("<?xml version='1.0' encoding='{label}'?>"), label, text);
            let (read, _) = decode_text(&plain, &xml, TextKind::Xml);
            assert!(read.ends_with(text), "xml {label}: {read}");
        }
    }

    #[test]
    fn utf16_is_read_with_and_without_mark() {
        for big in [false, true] {
            let units = |text: &str| -> Vec<u8> {
                text.encode_utf16()
                    .flat_map(|u| if big { u.to_be_bytes() } else { u.to_le_bytes() })
                    .collect()
            };
            for text in ["<p>Straße 地図</p>", "\u{feff}<p>Straße 地図</p>"] {
                let bytes = units(text);
                let (read, name) = decode_text(&ResponseHead::default(), &bytes, TextKind::Html);
                assert_eq!(read, "<p>Straße 地図</p>");
                assert_eq!(name, if big { "UTF-16BE" } else { "UTF-16LE" });
            }
        }
    }

    #[test]
    fn a_false_mark_is_skipped() {
        let body = b"\xff\xfe<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe4</a>";
        let (read, _) = decode_text(&ResponseHead::default(), body, TextKind::Xml);
        assert!(read.ends_with("<a>ä</a>"), "{read}");
    }

    #[test]
    fn valid_utf8_is_borrowed_whatever_is_declared() {
        let (text, name) =
            decode_text(&with_type("text/html; charset=iso-8859-1"), "ä".as_bytes(), TextKind::Html);
        assert!(matches!(text, Cow::Borrowed("ä")));
        assert_eq!(name, "UTF-8");
        let (_, name) = decode_text(&with_type("text/html; charset=iso-8859-1"), b"a", TextKind::Html);
        assert_eq!(name, "windows-1252");
    }

    #[test]
    fn undeclared_and_wrongly_declared_text_is_detected() {
        let text = "Карта России: услуги и данные для всех пользователей портала открытых данных";
        let bytes = encoding_rs::WINDOWS_1251.encode(text).0.into_owned();
        assert_eq!(decode_text(&ResponseHead::default(), &bytes, TextKind::Plain).0, text);
        assert_eq!(decode_text(&with_type("text/html; charset=utf-8"), &bytes, TextKind::Html).0, text);
    }

    /// Returns a page of markup and text in an encoding that is not declared.
    fn undeclared(encoding: &'static Encoding, text: &str, paragraphs: usize) -> Vec<u8> {
        let mut page = b"<html><head><title>x</title></head><body class=\"main\">\n".to_vec();
        for (number, word) in text.split(' ').cycle().take(paragraphs).enumerate() {
            page.extend(format!("<div id=\"a{number}\"><a href=\"/list/{number}.html\">").bytes());
            page.extend(encoding.encode(word).0.iter());
            page.extend(b"</a> and a text that tells nothing at all of its language</div>\n");
        }
        page
    }

    #[test]
    fn passages_tell_what_the_whole_page_tells() {
        for (label, text) in [
            ("windows-1252", "Straße für Geodaten und Größe der Flächen über Länder"),
            ("iso-8859-2", "Łódź mapa żółw źródło usługi ścieżka dróg"),
            ("windows-1251", "Карта России и услуги для всех пользователей"),
            ("koi8-r", "Карта России и услуги для всех пользователей"),
            ("windows-1253", "Χάρτης της Ελλάδας και υπηρεσίες δεδομένων"),
            ("windows-1254", "Türkiye haritası için coğrafi şehir bilgisi ığdır"),
            ("shift_jis", "日本の地図サービス 地理空間情報の一覧 表示"),
            ("euc-jp", "日本の地図サービス 地理空間情報の一覧 表示"),
            ("gbk", "中国地图服务 地理信息公共服务平台 数据目录"),
            ("big5", "台灣地圖服務 地理資訊圖資雲服務平台 資料目錄"),
            ("euc-kr", "한국 지도 서비스 공간정보 목록 데이터"),
        ] {
            let encoding = Encoding::for_label(label.as_bytes()).unwrap();
            for paragraphs in [8, 40, 900] {
                let page = undeclared(encoding, text, paragraphs);
                let mut whole = EncodingDetector::new(Iso2022JpDetection::Allow);
                whole.feed(&page, true);
                let expected = whole.guess(None, Utf8Detection::Allow);
                assert_eq!(
                    detect(&ResponseHead::default(), &page),
                    expected,
                    "{label}, {paragraphs} paragraphs"
                );
                let read: usize = telling_passages(&page).map(<[u8]>::len).sum();
                assert!(read <= DETECT_READ.min(page.len()), "{label}: {read}");
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn passages_of_any_bytes_are_in_order_and_few(body: Vec<u8>) {
            let mut end = body.as_ptr() as usize;
            let mut read = 0;
            for passage in telling_passages(&body) {
                proptest::prop_assert!(!passage.is_empty() && passage.as_ptr() as usize >= end);
                end = passage.as_ptr() as usize + passage.len();
                read += passage.len();
            }
            proptest::prop_assert!(read <= DETECT_READ);
        }
    }

    #[test]
    fn broken_utf8_stays_utf8() {
        let mut bytes = "Straße für alle, schöne Grüße".as_bytes().to_vec();
        bytes.push(0xff);
        let (text, name) = decode_text(&with_type("text/html; charset=utf-8"), &bytes, TextKind::Html);
        assert_eq!(name, "UTF-8");
        assert!(text.starts_with("Straße für alle, schöne Grüße"));
    }
}
