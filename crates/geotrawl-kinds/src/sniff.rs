//! Detects the type of a body from its first 16 KiB, never from the content type alone.

use crate::formats::xml::{XmlEvent, XmlReader, charset_parameter, document_start};

/// Number of leading bytes that are examined.
pub const SNIFF_LEN: usize = 16 * 1024;

/// Type of a body, detected from its first bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SniffedType {
    /// A web page.
    Html,
    /// XML, with its root element.
    Xml(XmlRoot),
    /// A JSON object or array.
    Json,
    /// A ZIP archive (KMZ and zipped Shapefiles among them).
    Zip,
    /// Gzip.
    Gzip,
    /// The main or index file of a Shapefile.
    ShpHeader,
    /// A data file of another format with a signature: TIFF, SQLite, HDF5 and similar.
    Data,
    /// PDF.
    Pdf,
    /// A raster image.
    Image,
    /// Plain text.
    Text,
    /// Empty, or only white space.
    Empty,
    /// Anything else.
    Binary,
}

impl SniffedType {
    /// Returns the root element if this is XML.
    pub fn as_xml(&self) -> Option<&XmlRoot> {
        match self {
            Self::Xml(root) => Some(root),
            _ => None,
        }
    }
}

/// The root element of an XML document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct XmlRoot {
    /// Name without prefix.
    pub local: String,
    /// Prefix, empty when there is none.
    pub prefix: String,
    /// Namespace; `None` also if the prefix is not declared.
    pub namespace: Option<String>,
    /// The `version` attribute.
    pub version: Option<String>,
    /// All attributes, including namespace declarations, as (qualified name, value).
    pub attrs: Vec<(String, String)>,
    /// Comments before the root, concatenated: some servers name their software there.
    pub comments: String,
}

impl XmlRoot {
    /// Returns the name in Clark notation: `{namespace}local`.
    pub fn clark_name(&self) -> String {
        match &self.namespace {
            Some(ns) => format!("{{{ns}}}{}", self.local),
            None => self.local.clone(),
        }
    }

    /// Returns the value of an attribute by its qualified name.
    pub fn attr(&self, name: &str) -> Option<&str> {
        self.attrs.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    /// Reads the name and attributes of the element that `reader` has just entered.
    pub fn from_reader(reader: &XmlReader<'_>) -> Self {
        let text = |b: &[u8]| String::from_utf8_lossy(&b[..b.len().min(256)]).into_owned();
        let name = text(reader.name());
        let (prefix, local) = name.split_once(':').unwrap_or(("", &name));
        Self {
            local: local.to_owned(),
            prefix: prefix.to_owned(),
            namespace: reader.namespace().map(|ns| ns.trim().to_owned()),
            version: reader
                .attr("version")
                .map(|v| v.trim().chars().take(32).collect())
                .filter(|v: &String| !v.is_empty()),
            attrs: reader.attrs().take(64).map(|(n, v)| (text(n), v.chars().take(2048).collect())).collect(),
            comments: String::new(),
        }
    }
}

/// Detects the type of a body from its first bytes. `content_type` is used only for the charset and
/// for bytes that are ambiguous.
pub fn sniff_type(prefix: &[u8], content_type: Option<&str>) -> SniffedType {
    let prefix = &prefix[..prefix.len().min(SNIFF_LEN)];
    if let Some(known) = by_magic(prefix) {
        return known;
    }
    let wide = matches!(prefix, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] | [b'<', 0, ..] | [0, b'<', ..]);
    let body = prefix.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(prefix);
    let trimmed = body.trim_ascii_start();
    if trimmed.is_empty() {
        return SniffedType::Empty;
    }
    if !wide && looks_like_html(trimmed) {
        return SniffedType::Html;
    }
    if wide || document_start(body).is_some() {
        if let Some(root) = xml_root(prefix, content_type.and_then(charset_parameter)) {
            return if is_html_root(&root) { SniffedType::Html } else { SniffedType::Xml(root) };
        }
        if contains_ignoring_case(body, b"<body") || contains_ignoring_case(body, b"<head") {
            return SniffedType::Html;
        }
    }
    match trimmed[0] {
        // In a JSON text sequence, every record starts with this separator.
        b'{' | b'[' | 0x1e => return SniffedType::Json,
        b'<' if has_html_tag(trimmed) => return SniffedType::Html,
        _ => {}
    }
    if is_texty(body) {
        let html = content_type.is_some_and(|t| t.trim_start().to_ascii_lowercase().starts_with("text/html"));
        return if html || has_html_tag(body) { SniffedType::Html } else { SniffedType::Text };
    }
    SniffedType::Binary
}

fn by_magic(s: &[u8]) -> Option<SniffedType> {
    Some(match s {
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] | [b'P', b'K', 7, 8, ..] => SniffedType::Zip,
        [0x1F, 0x8B, 8, ..] => SniffedType::Gzip,
        [0, 0, 0x27, 0x0A, rest @ ..] if rest.len() >= 28 && rest[24..28] == [0xE8, 3, 0, 0] => {
            SniffedType::ShpHeader
        }
        _ if is_data(s) => SniffedType::Data,
        _ if s.starts_with(b"%PDF-") => SniffedType::Pdf,
        _ if s.starts_with(b"\x89PNG\r\n\x1a\n") => SniffedType::Image,
        [0xFF, 0xD8, 0xFF, ..] => SniffedType::Image,
        _ if s.starts_with(b"GIF87a") || s.starts_with(b"GIF89a") => SniffedType::Image,
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => SniffedType::Image,
        [0, 0, 1, 0, _, 0, ..] => SniffedType::Image,
        _ => return None,
    })
}

/// Signatures of data files that are neither archives nor text.
const DATA: &[&[u8]] = &[
    b"II*\0",
    b"MM\0*",
    b"II+\0",
    b"MM\0+",
    b"SQLite format 3\0",
    b"PAR1",
    b"CDF\x01",
    b"CDF\x02",
    b"CDF\x05",
    b"\x89HDF\r\n\x1a\n",
    b"\x0e\x03\x13\x01",
    b"PMTiles",
    b"LASF",
];

fn is_data(s: &[u8]) -> bool {
    DATA.iter().any(|magic| s.starts_with(magic))
        || (s.starts_with(b"fgb") && s.get(4..7) == Some(b"fgb"))
        || crate::formats::grib::read_message(s).is_some()
        || crate::formats::hdf5::find_superblock(s).is_some()
}

/// Root elements that occur only in web pages and fragments of them.
const HTML_ROOTS: &[&str] = &[
    "body", "center", "div", "font", "form", "frameset", "h1", "h2", "h3", "head", "html", "iframe", "img",
    "link", "meta", "script", "style", "table", "title",
];

fn is_html_root(root: &XmlRoot) -> bool {
    let namespace = root.namespace.as_deref().is_none_or(|ns| ns == "http://www.w3.org/1999/xhtml");
    (namespace && HTML_ROOTS.contains(&root.local.to_ascii_lowercase().as_str()))
        || root.local.eq_ignore_ascii_case("html")
}

/// Recognises ordinary pages without an XML parser: skips an XML declaration and comments, then
/// looks for an HTML doctype or root element.
fn looks_like_html(mut s: &[u8]) -> bool {
    for (start, end) in [(&b"<?xml"[..], &b"?>"[..]), (b"<!--", b"-->"), (b"<!--", b"-->")] {
        if s.starts_with(start) {
            let Some(at) = memchr::memmem::find(s, end) else { return false };
            s = s[at + end.len()..].trim_ascii_start();
        }
    }
    let starts = |what: &[u8]| s.len() >= what.len() && s[..what.len()].eq_ignore_ascii_case(what);
    let names_html =
        |rest: &[u8]| rest.trim_ascii_start().get(..4).is_some_and(|w| w.eq_ignore_ascii_case(b"html"));
    (starts(b"<!doctype") && names_html(&s[9..]))
        || (starts(b"<html") && matches!(s.get(5), Some(b'>' | b' ' | b'\t' | b'\r' | b'\n')))
}

fn has_html_tag(s: &[u8]) -> bool {
    const TAGS: [&[u8]; 8] =
        [b"<html", b"<head", b"<body", b"<title", b"<meta", b"<script", b"<div", b"<table"];
    TAGS.iter().any(|tag| contains_ignoring_case(s, tag))
}

fn contains_ignoring_case(s: &[u8], needle: &[u8]) -> bool {
    s.windows(needle.len()).any(|w| w[0] == needle[0] && w.eq_ignore_ascii_case(needle))
}

/// Returns whether the bytes are mostly printable: no NUL, at most one control character in 50.
fn is_texty(s: &[u8]) -> bool {
    if s.contains(&0) {
        return false;
    }
    let odd = s.iter().filter(|b| matches!(b, 1..=8 | 11 | 14..=26 | 28..=31 | 127)).count();
    odd * 50 <= s.len()
}

fn xml_root(prefix: &[u8], http_charset: Option<&str>) -> Option<XmlRoot> {
    let mut input = prefix;
    let mut reader = XmlReader::new(&mut input, http_charset);
    let mut comments = String::new();
    loop {
        match reader.next() {
            XmlEvent::Start => {
                let mut root = XmlRoot::from_reader(&reader);
                root.comments = comments;
                return Some(root);
            }
            XmlEvent::Comment if comments.len() < 4096 => {
                comments.push_str(&String::from_utf8_lossy(
                    &reader.raw_bytes()[..reader.raw_bytes().len().min(2048)],
                ));
                comments.push('\n');
            }
            // An internal subset can be longer than the prefix; the doctype still names the root.
            XmlEvent::Eof => {
                let announced =
                    reader.doctype_name().filter(|name| !name.is_empty() && prefix.len() >= SNIFF_LEN)?;
                let (front, local) = announced.split_once(':').unwrap_or(("", announced));
                return Some(XmlRoot {
                    local: local.into(),
                    prefix: front.into(),
                    comments,
                    ..XmlRoot::default()
                });
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(s: &[u8]) -> XmlRoot {
        match sniff_type(s, None) {
            SniffedType::Xml(root) => root,
            other => panic!("{other:?} for {}", String::from_utf8_lossy(s)),
        }
    }

    #[test]
    fn xml_is_known_by_its_root_whatever_stands_before() {
        for before in [
            "",
            "\u{FEFF}",
            "\n\n",
            "<?xml version=\"1.0\"?>\n<!-- MapServer version 8.0 -->\n",
            "<br />\n<b>Warning</b>: mysql_connect() in <b>x.php</b><br />\n<?xml version=\"1.0\"?>",
            "<?xml version=\"1.0\"?><!DOCTYPE WMT_MS_Capabilities SYSTEM \"http://x/y.dtd\" [ <!ELEMENT VendorSpecificCapabilities EMPTY> ]>",
            "<?xml version=\"1.0\"?><?xml-stylesheet type='text/xsl' href='x.xsl'?>",
        ] {
            let text = format!(
                "{before}<w:WMS_Capabilities version='1.3.0' xmlns:w='http://www.opengis.net/wms' x='&amp;'>"
            );
            let root = root(text.as_bytes());
            assert_eq!(root.clark_name(), "{http://www.opengis.net/wms}WMS_Capabilities", "{before}");
            assert_eq!(root.version.as_deref(), Some("1.3.0"));
            assert_eq!(root.attr("x"), Some("&"));
        }
        assert!(
            root(b"<?xml version='1.0'?><!-- MapServer version 8.0 --><a/>").comments.contains("MapServer")
        );
        let wide: Vec<u8> = "\u{FEFF}<a version='2'/>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(root(&wide).version.as_deref(), Some("2"));
    }

    #[test]
    fn a_long_internal_subset_still_names_the_root() {
        let subset = "<!ELEMENT a (#PCDATA)>".repeat(1000);
        let text =
            format!("<?xml version='1.0'?><!DOCTYPE WMT_MS_Capabilities [{subset}]><WMT_MS_Capabilities/>");
        assert_eq!(root(text.as_bytes()).local, "WMT_MS_Capabilities");
    }

    #[test]
    fn everything_else_is_told_apart() {
        for (bytes, expected) in [
            (&b"<!DOCTYPE html><html>"[..], SniffedType::Html),
            (b"<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">", SniffedType::Html),
            (b"  \n<HTML><HEAD>", SniffedType::Html),
            (b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>", SniffedType::Html),
            (b"<br>sorry<body>", SniffedType::Html),
            (b"<!-- a --><!-- b --><!DOCTYPE html>", SniffedType::Html),
            (
                b"<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'x'>",
                SniffedType::Html,
            ),
            (b"<head><title>No root at all</title>", SniffedType::Html),
            (b"<script>location='/'</script>", SniffedType::Html),
            (b"{\"a\":1}", SniffedType::Json),
            (b"\xEF\xBB\xBF [1]", SniffedType::Json),
            (b"PK\x03\x04....", SniffedType::Zip),
            (b"\x1f\x8b\x08\x00", SniffedType::Gzip),
            (b"%PDF-1.4", SniffedType::Pdf),
            (b"GIF89a..", SniffedType::Image),
            (b"User-agent: *\nDisallow:", SniffedType::Text),
            (b"", SniffedType::Empty),
            (b" \r\n ", SniffedType::Empty),
            (b"\x1e{\"type\":\"Feature\"}", SniffedType::Json),
            (b"II*\0\x08\0\0\0", SniffedType::Data),
            (b"fgb\x03fgb\x00", SniffedType::Data),
            (b"PAR1....", SniffedType::Data),
            (b"\x00\x01\x02\x03abc", SniffedType::Binary),
        ] {
            assert_eq!(sniff_type(bytes, None), expected, "{}", String::from_utf8_lossy(bytes));
        }
        let mut shp = vec![0, 0, 0x27, 0x0A];
        shp.extend([0; 24]);
        shp.extend([0xE8, 3, 0, 0, 5, 0, 0, 0]);
        assert_eq!(sniff_type(&shp, Some("text/xml")), SniffedType::ShpHeader);
        assert_eq!(sniff_type(b"hello", Some("text/html; charset=x")), SniffedType::Html);
    }
}
