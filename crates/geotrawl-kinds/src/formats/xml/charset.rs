//! Decodes untrusted bytes to UTF-8 as a stream: detects the encoding and reports what is wrong
//! with it.
//!
//! Order: byte order mark, HTTP charset, XML declaration, UTF-8 if valid, UTF-16 by its zeros,
//! Latin-1. If a document that claims to be UTF-8 contains other bytes, these are decoded one by
//! one as windows-1252, which is nearly always right, so that names keep their umlauts.

use encoding_rs::{CoderResult, Decoder, Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::io::{ErrorKind, Read};

/// Number of bytes to inspect when choosing the encoding.
const LOOK: usize = 4096;
/// Size of a read from the stream.
const CHUNK: usize = 64 * 1024;

/// Minimum size of the output buffer for reading into it directly.
const DIRECT: usize = 4096;

/// Problem with the encoding. The first one decides whether the document is well-formed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EncodingFault {
    /// A UTF-16 byte order mark before a body that is not UTF-16.
    FalseMark,
    /// Bytes that are invalid in the encoding.
    Malformed,
    /// The declaration names an unknown encoding.
    Unknown,
    /// The declaration names UTF-16, but the bytes are not UTF-16.
    DeclaredWide,
}

impl EncodingFault {
    /// Returns a human-readable message.
    pub fn message(self) -> &'static str {
        match self {
            Self::FalseMark => "a UTF-16 byte order mark before a body that is not UTF-16",
            Self::Malformed => "bytes that are invalid in the encoding",
            Self::Unknown => "the XML declaration names an unknown encoding",
            Self::DeclaredWide => "the XML declaration says UTF-16 but the bytes are not UTF-16",
        }
    }
}

enum DecoderMode {
    Utf8,
    Other(Decoder),
}

/// Byte stream that is decoded to UTF-8.
pub struct Utf8Source<'r> {
    inner: &'r mut dyn Read,
    raw: Vec<u8>,
    from: usize,
    to: usize,
    ended: bool,
    drained: bool,
    mode: DecoderMode,
    name: &'static str,
    /// First problem, and the number of UTF-8 bytes before it.
    fault: Option<(EncodingFault, u64)>,
    given: u64,
    broken: Option<ErrorKind>,
}

impl<'r> Utf8Source<'r> {
    /// Inspects the first bytes and chooses the encoding.
    pub fn new(inner: &'r mut dyn Read, http_charset: Option<&str>) -> Self {
        let mut source = Self {
            inner,
            raw: vec![0; CHUNK],
            from: 0,
            to: 0,
            ended: false,
            drained: false,
            mode: DecoderMode::Utf8,
            name: "UTF-8",
            fault: None,
            given: 0,
            broken: None,
        };
        while source.to < LOOK && !source.ended {
            source.read_some();
        }
        let choice = choose(&source.raw[..source.to], http_charset);
        source.from = choice.skip;
        source.fault = choice.fault.map(|fault| (fault, 0));
        source.name = choice.encoding.name();
        if choice.encoding != UTF_8 {
            source.mode = DecoderMode::Other(choice.encoding.new_decoder_without_bom_handling());
        }
        source
    }

    /// Returns the name of the encoding.
    pub fn encoding(&self) -> &'static str {
        self.name
    }

    /// Returns the first problem with the encoding so far, and the number of UTF-8 bytes before it.
    pub fn fault(&self) -> Option<(EncodingFault, u64)> {
        self.fault
    }

    /// Returns the error that ended the stream, if any.
    pub fn read_error(&self) -> Option<ErrorKind> {
        self.broken
    }

    fn read_some(&mut self) {
        if self.from > 0 {
            self.raw.copy_within(self.from..self.to, 0);
            self.to -= self.from;
            self.from = 0;
        }
        loop {
            match self.inner.read(&mut self.raw[self.to..]) {
                Ok(0) => self.ended = true,
                Ok(n) => self.to = (self.to + n).min(self.raw.len()),
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(e) => {
                    self.broken = Some(e.kind());
                    self.ended = true;
                }
            }
            return;
        }
    }

    /// Fills `out`, which must hold at least 16 bytes, with whole UTF-8 characters. Returns 0 at
    /// the end.
    pub fn fill(&mut self, out: &mut [u8]) -> usize {
        loop {
            if self.drained {
                return 0;
            }
            if self.from == self.to
                && !self.ended
                && matches!(self.mode, DecoderMode::Utf8)
                && out.len() >= DIRECT
            {
                let n = self.fill_directly(out);
                if n > 0 {
                    self.given += n as u64;
                    return n;
                }
                continue;
            }
            if !self.ended && self.to - self.from < 16 {
                self.read_some();
            }
            let written = match &mut self.mode {
                DecoderMode::Utf8 => self.fill_utf8(out),
                DecoderMode::Other(decoder) => {
                    let (result, read, written, errors) =
                        decoder.decode_to_utf8(&self.raw[self.from..self.to], out, self.ended);
                    self.from += read;
                    if errors {
                        self.fault.get_or_insert((EncodingFault::Malformed, self.given));
                    }
                    self.drained = self.ended && self.from == self.to && result == CoderResult::InputEmpty;
                    written
                }
            };
            if written > 0 {
                self.given += written as u64;
                return written;
            }
            if self.ended && self.from == self.to {
                self.drained = true;
            }
        }
    }

    /// Reads UTF-8 straight into `out`, which avoids a second buffer. Bytes at the end that are not
    /// (yet) valid UTF-8 are kept for the next call.
    fn fill_directly(&mut self, out: &mut [u8]) -> usize {
        let room = out.len().min(self.raw.len());
        match self.inner.read(&mut out[..room]) {
            Ok(0) => self.ended = true,
            Ok(n) => {
                let n = n.min(room);
                let valid = Encoding::utf8_valid_up_to(&out[..n]);
                self.from = 0;
                self.to = n - valid;
                self.raw[..self.to].copy_from_slice(&out[valid..n]);
                return valid;
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => {
                self.broken = Some(e.kind());
                self.ended = true;
            }
        }
        0
    }

    fn fill_utf8(&mut self, out: &mut [u8]) -> usize {
        let available = &self.raw[self.from..self.to];
        let take = available.len().min(out.len());
        let valid = Encoding::utf8_valid_up_to(&available[..take]);
        if valid > 0 {
            out[..valid].copy_from_slice(&available[..valid]);
            self.from += valid;
            return valid;
        }
        if available.is_empty() {
            return 0;
        }
        // Either a character that is cut by the end of the chunk, or a byte that is not UTF-8.
        if available.len() < 4 && !self.ended {
            self.read_some();
            return 0;
        }
        self.fault.get_or_insert((EncodingFault::Malformed, self.given));
        let (text, _) = WINDOWS_1252.decode_without_bom_handling(&available[..1]);
        out[..text.len()].copy_from_slice(text.as_bytes());
        self.from += 1;
        text.len()
    }
}

struct EncodingChoice {
    encoding: &'static Encoding,
    skip: usize,
    fault: Option<EncodingFault>,
}

fn choose(head: &[u8], http_charset: Option<&str>) -> EncodingChoice {
    let plain = |encoding| EncodingChoice { encoding, skip: 0, fault: None };
    match head {
        [0xEF, 0xBB, 0xBF, ..] => return EncodingChoice { encoding: UTF_8, skip: 3, fault: None },
        [0xFE, 0xFF, rest @ ..] if has_zeros(rest) => {
            return EncodingChoice { encoding: UTF_16BE, skip: 2, fault: None };
        }
        [0xFF, 0xFE, rest @ ..] if has_zeros(rest) => {
            return EncodingChoice { encoding: UTF_16LE, skip: 2, fault: None };
        }
        [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] => {
            let inner = choose(&head[2..], http_charset);
            return EncodingChoice {
                encoding: inner.encoding,
                skip: inner.skip + 2,
                fault: Some(EncodingFault::FalseMark),
            };
        }
        [b'<' | b' ' | b'\n' | b'\r', 0, _, 0, ..] => return plain(UTF_16LE),
        [0, b'<' | b' ' | b'\n' | b'\r', 0, _, ..] => return plain(UTF_16BE),
        _ => {}
    }
    let declared = declared_encoding(head);
    let declared_as = declared.and_then(Encoding::for_label);
    let wide = |e: &'static Encoding| e == UTF_16LE || e == UTF_16BE;
    let looks_utf8 = proves_utf8(head);
    let from_http =
        http_charset.and_then(|c| Encoding::for_label(c.as_bytes())).filter(|e| !wide(e) && *e != UTF_8);
    if let Some(encoding) = from_http {
        // Application servers label everything ISO-8859-1, so trust bytes that are clearly UTF-8.
        return plain(if looks_utf8 { UTF_8 } else { encoding });
    }
    let http_says_utf8 = http_charset.and_then(|c| Encoding::for_label(c.as_bytes())) == Some(UTF_8);
    match (declared, declared_as) {
        // Header and declaration disagree. Reading UTF-8 is safe unless the bytes are certainly not
        // UTF-8.
        (Some(_), Some(_)) if http_says_utf8 && (looks_utf8 || head.is_ascii()) => plain(UTF_8),
        (Some(_), Some(encoding)) if wide(encoding) => {
            EncodingChoice { encoding: UTF_8, skip: 0, fault: Some(EncodingFault::DeclaredWide) }
        }
        (Some(_), Some(encoding)) => plain(encoding),
        (Some(_), None) => EncodingChoice { encoding: UTF_8, skip: 0, fault: Some(EncodingFault::Unknown) },
        (None, _) => plain(UTF_8),
    }
}

/// Returns whether text may be UTF-16, which has a zero in every other byte of ASCII markup.
fn has_zeros(body: &[u8]) -> bool {
    body.iter().take(64).any(|b| *b == 0)
}

/// Returns whether the bytes are valid UTF-8 with multi-byte characters. A character cut at the end
/// is fine.
fn proves_utf8(head: &[u8]) -> bool {
    if head.is_ascii() {
        return false;
    }
    match std::str::from_utf8(head) {
        Ok(_) => true,
        Err(e) => e.error_len().is_none() && e.valid_up_to() > 0 && !head[..e.valid_up_to()].is_ascii(),
    }
}

/// Returns the encoding named by an XML declaration near the start.
pub fn declared_encoding(head: &[u8]) -> Option<&[u8]> {
    let head = &head[..head.len().min(LOOK)];
    let start = memchr::memmem::find(head, b"<?xml")?;
    let rest = &head[start + 5..];
    let declaration = &rest[..memchr::memmem::find(rest, b"?>").unwrap_or(rest.len().min(256))];
    let at = memchr::memmem::find(declaration, b"encoding")? + 8;
    let value = declaration[at..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (&quote, value) = value.split_first()?;
    if quote != b'"' && quote != b'\'' {
        return None;
    }
    let end = memchr::memchr(quote, value)?;
    Some(&value[..end])
}

/// Returns the `charset` parameter of a content type.
pub fn charset_parameter(content_type: &str) -> Option<&str> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches(['"', '\'']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(bytes: &[u8], http: Option<&str>) -> (String, &'static str, Option<EncodingFault>) {
        let mut input = bytes;
        let mut source = Utf8Source::new(&mut input, http);
        let mut out = Vec::new();
        let mut part = [0u8; 37];
        loop {
            let n = source.fill(&mut part);
            if n == 0 {
                break;
            }
            out.extend_from_slice(&part[..n]);
        }
        (String::from_utf8(out).expect("utf-8"), source.encoding(), source.fault().map(|(fault, _)| fault))
    }

    fn utf16(text: &str, le: bool, mark: bool) -> Vec<u8> {
        let units = mark.then_some(0xFEFF).into_iter().chain(text.encode_utf16());
        units.flat_map(|u| if le { u.to_le_bytes() } else { u.to_be_bytes() }).collect()
    }

    #[test]
    fn every_encoding_of_the_wild_is_read() {
        let text = "<?xml version='1.0'?><a>Zürich</a>";
        assert_eq!(decode(text.as_bytes(), None).0, text);
        assert_eq!(decode(&utf16(text, true, true), None).0, text);
        assert_eq!(decode(&utf16(text, false, true), None).0, text);
        assert_eq!(decode(&utf16(text, true, false), None).0, text);
        let latin = "<?xml version='1.0' encoding='ISO-8859-1'?><a>Zürich</a>";
        let (bytes, _, _) = WINDOWS_1252.encode(latin);
        assert_eq!(decode(&bytes, None), (latin.to_owned(), "windows-1252", None));
        let mut marked = vec![0xFF, 0xFE];
        marked.extend_from_slice(&bytes);
        assert_eq!(decode(&marked, None), (latin.to_owned(), "windows-1252", Some(EncodingFault::FalseMark)));
    }

    #[test]
    fn latin_1_bytes_in_a_utf_8_document_keep_their_letters_and_are_reported() {
        let (bytes, _, _) = WINDOWS_1252.encode("<a>Zürich, Genève</a>");
        let (text, _, fault) = decode(&bytes, None);
        assert_eq!(text, "<a>Zürich, Genève</a>");
        assert_eq!(fault, Some(EncodingFault::Malformed));
    }

    #[test]
    fn a_stamped_charset_does_not_spoil_utf_8() {
        let text = "<a>Zürich</a>";
        assert_eq!(decode(text.as_bytes(), Some("ISO-8859-1")).0, text);
        let (bytes, _, _) = WINDOWS_1252.encode(text);
        assert_eq!(decode(&bytes, Some("ISO-8859-1")).0, text);
        let declared = "<?xml version='1.0' encoding='ISO-8859-1'?><a>Zürich</a>";
        assert_eq!(decode(declared.as_bytes(), Some("UTF-8")).0, declared);
        let (bytes, _, _) = WINDOWS_1252.encode(declared);
        assert_eq!(decode(&bytes, Some("UTF-8")), (declared.to_owned(), "windows-1252", None));
    }

    #[test]
    fn characters_cut_by_small_reads_are_whole() {
        struct OneByteReader(Vec<u8>, usize);
        impl Read for OneByteReader {
            fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
                let Some(b) = self.0.get(self.1) else { return Ok(0) };
                buf[0] = *b;
                self.1 += 1;
                Ok(1)
            }
        }
        let text = "x".repeat(5000) + "äöü€😀 end";
        let mut slow = OneByteReader(text.clone().into_bytes(), 0);
        let mut source = Utf8Source::new(&mut slow, None);
        let mut out = Vec::new();
        let mut part = [0u8; 16];
        loop {
            let n = source.fill(&mut part);
            if n == 0 {
                break;
            }
            out.extend_from_slice(&part[..n]);
        }
        assert_eq!(out, text.into_bytes());
        assert_eq!(source.fault(), None);
    }

    #[test]
    fn the_charset_parameter_is_found() {
        assert_eq!(charset_parameter("text/xml; Charset=\"utf-8\"; x=y"), Some("utf-8"));
        assert_eq!(charset_parameter("text/xml"), None);
    }
}
