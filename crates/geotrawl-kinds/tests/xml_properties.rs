//! Properties that must hold for every document.

#![expect(clippy::format_push_string, reason = "tests may be slow where that makes them plain")]

use geotrawl_kinds::formats::xml::{XmlEvent, XmlReader};
use geotrawl_kinds::kinds::read_document;
use geotrawl_kinds::sniff::sniff_type;
use proptest::prelude::*;
use std::io::Read;

/// Reader that returns a few bytes at a time.
struct ChunkedReader<'b> {
    bytes: &'b [u8],
    sizes: Vec<usize>,
    turn: usize,
}

impl Read for ChunkedReader<'_> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        self.turn += 1;
        let size = self.sizes[self.turn % self.sizes.len()].max(1);
        let n = size.min(buf.len()).min(self.bytes.len());
        buf[..n].copy_from_slice(&self.bytes[..n]);
        self.bytes = &self.bytes[n..];
        Ok(n)
    }
}

/// Returns all events of a reader as one text.
fn transcript(input: &mut dyn Read) -> (String, bool) {
    let mut reader = XmlReader::new(input, None);
    let mut out = String::new();
    let mut depth = 0i64;
    loop {
        match reader.next() {
            XmlEvent::Start => {
                depth += 1;
                out.push_str(&format!("<{}", String::from_utf8_lossy(reader.name())));
                for (name, value) in reader.attrs() {
                    out.push_str(&format!(" {}={value:?}", String::from_utf8_lossy(name)));
                }
                out.push('>');
            }
            XmlEvent::End => {
                depth -= 1;
                out.push_str("</>");
            }
            XmlEvent::Text => reader.append_text(&mut out, usize::MAX),
            XmlEvent::Comment => {}
            XmlEvent::Eof => break,
        }
        assert!(depth >= 0, "an end without a start: {out}");
    }
    assert_eq!(depth, 0, "every start has its end: {out}");
    assert_eq!(reader.next(), XmlEvent::Eof, "the end stays the end");
    (out, reader.is_well_formed())
}

/// Part of a well-formed document, and the events expected for it.
#[derive(Debug, Clone)]
enum MarkupPiece {
    Text(String),
    Cdata(String),
    Comment(String),
    Instruction(String),
    Element(String, Vec<(String, String)>, Vec<MarkupPiece>),
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&#34;")
}

impl MarkupPiece {
    fn write(&self, out: &mut String, said: &mut String) {
        match self {
            Self::Text(text) => {
                out.push_str(&escape(text));
                said.push_str(text);
            }
            Self::Cdata(text) => {
                out.push_str(&format!("<![CDATA[{text}]]>"));
                said.push_str(text);
            }
            Self::Comment(text) => out.push_str(&format!("<!--{text}-->")),
            Self::Instruction(text) => out.push_str(&format!("<?p {text}?>")),
            Self::Element(name, attrs, inside) => {
                out.push_str(&format!("<{name}"));
                said.push_str(&format!("<{name}"));
                for (name, value) in attrs {
                    out.push_str(&format!("\n {name} = \"{}\"", escape(value)));
                    said.push_str(&format!(" {name}={value:?}"));
                }
                said.push('>');
                if inside.is_empty() {
                    out.push_str(" />");
                } else {
                    out.push('>');
                    for piece in inside {
                        piece.write(out, said);
                    }
                    out.push_str(&format!("</{name}\t>"));
                }
                said.push_str("</>");
            }
        }
    }
}

fn name() -> impl Strategy<Value = String> {
    "[a-zA-Z_äé名][a-zA-Z0-9._äé名-]{0,8}"
        .prop_filter("not reserved", |n| !n.to_ascii_lowercase().starts_with("xml"))
}

/// Generates text that is not blank, since the reader omits blank text.
fn words() -> impl Strategy<Value = String> {
    "[ -~äöü€😀\\t\\n]{0,40}[!-~]"
}

fn piece() -> impl Strategy<Value = MarkupPiece> {
    let leaf = prop_oneof![
        words().prop_map(MarkupPiece::Text),
        words().prop_map(|t| MarkupPiece::Cdata(t.replace("]]>", "x"))),
        words().prop_map(|t| MarkupPiece::Comment(t.replace('-', "x"))),
        words().prop_map(|t| MarkupPiece::Instruction(t.replace("?>", "x"))),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        (name(), prop::collection::btree_map(name(), words(), 0..4), prop::collection::vec(inner, 0..6))
            .prop_map(|(name, attrs, inside)| MarkupPiece::Element(name, attrs.into_iter().collect(), inside))
    })
}

/// Generates a well-formed document and the expected events.
fn document() -> impl Strategy<Value = (String, String)> {
    let prologs = prop_oneof![
        Just(""),
        Just("<?xml version=\"1.0\"?>\n"),
        Just(
            "\u{FEFF}<?xml version='1.0' encoding='utf-8' standalone='yes'?><!-- c --><!DOCTYPE r [<!ENTITY e \"v\">]>"
        ),
        Just("<?xml version=\"1.0\"?><!DOCTYPE r SYSTEM 'r.dtd'><?p?>"),
    ];
    (prologs, name(), prop::collection::vec(piece(), 0..5)).prop_map(|(prolog, root, inside)| {
        let (mut out, mut said) = (prolog.to_owned(), String::new());
        MarkupPiece::Element(root, Vec::new(), inside).write(&mut out, &mut said);
        (out, said)
    })
}

const CAPABILITIES: &[&str] = &[
    include_str!("kinds/wms/is-1.0.0.xml"),
    include_str!("kinds/wms/is-1.1.1-inspire-defaults.xml"),
    include_str!("kinds/wms/is-1.3.0-geoserver-defaults.xml"),
    include_str!("kinds/wms/is-broken.xml"),
    include_str!("kinds/wfs/is-2.0.0.xml"),
    include_str!("kinds/wcs/is-1.0.0.xml"),
    include_str!("kinds/wmts/is-1.0.0.xml"),
    include_str!("kinds/sos/is-1.0.0.xml"),
    include_str!("kinds/csw/is-2.0.2.xml"),
];

/// Strings that break markup.
const MISCHIEF: &[&str] = &[
    "<",
    ">",
    "&",
    "\"",
    "'",
    "=",
    "/",
    "</",
    "<!",
    "<?",
    "?>",
    "<?>",
    "<!-->",
    "-->",
    "]]>",
    "<![CDATA[",
    "<!DOCTYPE a [",
    "&#0;",
    "&#x110000;",
    "&nope;",
    "\0",
    "\u{1}",
    "\u{FFFE}",
    "xmlns:=''",
    "<a:b:c>",
    "<Layer>",
    "</Layer>",
    " x='1' x='2'",
    "<!ENTITY e '&e;'>",
    "%p;",
    "é",
    "\u{2028}",
];

/// Generates a document with pieces inserted, removed and swapped.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let change = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0usize..40, 0u8..3);
    (prop::sample::select(CAPABILITIES), prop::collection::vec(change, 1..6)).prop_map(|(text, changes)| {
        let mut bytes = text.as_bytes().to_vec();
        for (at, what, len, how) in changes {
            let at = at.index(bytes.len().max(1)).min(bytes.len());
            let end = (at + len).min(bytes.len());
            match how {
                0 => drop(bytes.splice(at..at, MISCHIEF[what.index(MISCHIEF.len())].bytes())),
                1 => drop(bytes.drain(at..end)),
                _ => bytes.truncate(bytes.len() - len.min(bytes.len() / 4)),
            }
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn well_formed_documents_are_read_to_the_letter((text, said) in document()) {
        let (ours, well_formed) = transcript(&mut text.as_bytes());
        prop_assert_eq!(ours, said, "{}", &text);
        prop_assert!(well_formed, "{}", text);
    }

    #[test]
    fn breaking_one_thing_is_noticed((text, _) in document(), breaker in 0usize..8) {
        let last = text.rfind('<').unwrap_or_default();
        let broken = match breaker {
            0 => format!("{text}x"),
            1 => format!("{text}<a/>"),
            2 => text[..text.len() - 1].to_owned(),
            3 => format!("<r>{text}</r>").replace("<?xml", "<?xml2").replace("<!DOCTYPE", "<!DOCTYPE "),
            4 => format!("{}&{}", &text[..last], &text[last..]),
            5 => format!("{}<a></b>{}", &text[..last], &text[last..]),
            6 => format!("{text}\u{1}"),
            _ => format!("{}<a b='1' b='2'/>{}", &text[..last], &text[last..]),
        };
        // Wrapping is harmless if there was no prolog.
        prop_assume!(breaker != 3 || text.contains("<!DOCTYPE"));
        let (_, well_formed) = transcript(&mut broken.as_bytes());
        prop_assert!(!well_formed, "{}", broken);
    }

    #[test]
    fn how_the_bytes_arrive_does_not_matter(bytes in mutated(), sizes in prop::collection::vec(1usize..5000, 1..5)) {
        let whole = transcript(&mut bytes.as_slice());
        let dribbled = transcript(&mut ChunkedReader { bytes: &bytes, sizes, turn: 0 });
        prop_assert_eq!(whole, dribbled);
    }

    #[test]
    fn mutated_capabilities_never_panic(bytes in mutated()) {
        let _ = sniff_type(&bytes, Some("text/xml"));
        if let Some((_, _, reading)) = read_document(&mut bytes.as_slice(), None, "http://example.org/") {
            prop_assert!(!reading.resources.is_empty());
            let again = read_document(&mut bytes.as_slice(), None, "http://example.org/").expect("the same again");
            prop_assert_eq!(reading.resources, again.2.resources, "the same bytes give the same answer");
        }
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..600), markup in any::<bool>()) {
        let mut bytes = bytes;
        if markup {
            // Draw from characters with a meaning in XML.
            const MEANING: &[u8] = b"<>/!?-[]&;#=\"' \nax:%CDATAxml\xE4\x00\xEF\xBF";
            for b in &mut bytes {
                *b = MEANING[*b as usize % MEANING.len()];
            }
        }
        let _ = sniff_type(&bytes, None);
        let _ = transcript(&mut bytes.as_slice());
        let _ = read_document(&mut bytes.as_slice(), Some("utf-8"), "http://example.org/");
    }
}
