//! The part of an XML reader that the KML reader needs, so that the underlying reader can be
//! replaced.

use encoding_rs::{Decoder, Encoding, UTF_8};
use quick_xml::Reader;
use quick_xml::events::Event;
use quick_xml::name::PrefixDeclaration;
use std::io::{self, BufReader, Read};

/// One token of a document.
pub(super) enum KmlToken<'a> {
    /// A start tag: local name, and the namespace if the tag itself declares it.
    Start(&'a str, Option<&'a str>),
    End,
    Text(&'a str),
}

/// Splits a document into tokens.
pub(super) struct KmlTokenizer<'r> {
    reader: Reader<BufReader<Utf8Reader<&'r mut dyn Read>>>,
    buffer: Vec<u8>,
    text: String,
    name: String,
    namespace: String,
    depth: usize,
    seen_root: bool,
    pending_end: bool,
    problem: Option<String>,
}

impl<'r> KmlTokenizer<'r> {
    /// Creates a tokenizer; detects the encoding from the byte order mark or the XML declaration.
    pub(super) fn new(source: &'r mut dyn Read) -> Self {
        let mut reader = Reader::from_reader(BufReader::with_capacity(32 * 1024, Utf8Reader::new(source)));
        let config = reader.config_mut();
        config.allow_dangling_amp = true;
        config.check_comments = true;
        config.allow_unmatched_ends = true;
        Self {
            reader,
            buffer: Vec::new(),
            text: String::new(),
            name: String::new(),
            namespace: String::new(),
            depth: 0,
            seen_root: false,
            pending_end: false,
            problem: None,
        }
    }

    /// Returns the first violation of XML syntax. Call it at the end.
    pub(super) fn syntax_error(&self) -> Option<String> {
        self.problem.clone()
    }

    fn blame(&mut self, what: impl std::fmt::Display) {
        if self.problem.is_none() {
            self.problem = Some(what.to_string());
        }
    }

    /// Returns the next token, or `None` at the end or after a fatal error.
    pub(super) fn next(&mut self) -> Option<KmlToken<'_>> {
        if std::mem::take(&mut self.pending_end) {
            return Some(KmlToken::End);
        }
        loop {
            self.buffer.clear();
            let event = match self.reader.read_event_into(&mut self.buffer) {
                Ok(event) => event,
                Err(error) => {
                    use quick_xml::Error::IllFormed;
                    use quick_xml::errors::IllFormedError::{DoubleHyphenInComment, MismatchedEndTag};
                    // Tolerate mismatched end tags and `--` in comments: the rest is still
                    // readable.
                    let (lived_with, ends) = match &error {
                        IllFormed(MismatchedEndTag { .. }) => (true, self.depth > 0),
                        IllFormed(DoubleHyphenInComment) => (true, false),
                        _ => (false, false),
                    };
                    self.blame(&error);
                    if ends {
                        self.depth -= 1;
                        return Some(KmlToken::End);
                    }
                    if lived_with {
                        continue;
                    }
                    return None;
                }
            };
            match event {
                Event::Start(ref tag) | Event::Empty(ref tag) => {
                    let empty = matches!(event, Event::Empty(_));
                    self.name.clear();
                    self.name.push_str(tag.local_name().as_ref());
                    self.namespace.clear();
                    let prefix = tag.name().prefix();
                    let mut declared = false;
                    for attribute in tag.attributes().with_checks(false).flatten() {
                        let ours = match attribute.key.as_namespace_binding() {
                            Some(PrefixDeclaration::Default) => prefix.is_none(),
                            Some(PrefixDeclaration::Named(name)) => {
                                prefix.is_some_and(|p| p.into_inner() == name)
                            }
                            None => false,
                        };
                        if ours {
                            declared = true;
                            self.namespace.push_str(attribute.value.trim());
                        }
                    }
                    let second_root = self.depth == 0 && std::mem::replace(&mut self.seen_root, true);
                    if empty {
                        self.pending_end = true;
                    } else {
                        self.depth += 1;
                    }
                    if second_root {
                        self.blame("content after the root element");
                        return None;
                    }
                    return Some(KmlToken::Start(&self.name, declared.then_some(self.namespace.as_str())));
                }
                Event::End(_) => {
                    if self.depth == 0 {
                        self.blame("an end tag without a start tag");
                        continue;
                    }
                    self.depth -= 1;
                    return Some(KmlToken::End);
                }
                Event::Text(text) => {
                    self.text.clear();
                    self.text.push_str(&text);
                    if self.depth == 0 {
                        if !self.text.trim_start_matches('\u{feff}').trim().is_empty() {
                            self.blame("text outside the root element");
                        }
                        continue;
                    }
                    if self.text.starts_with('&') {
                        self.blame("an ampersand that starts no entity");
                    }
                    return Some(KmlToken::Text(&self.text));
                }
                Event::CData(text) => {
                    self.text.clear();
                    self.text.push_str(&text);
                    return Some(KmlToken::Text(&self.text));
                }
                Event::GeneralRef(reference) => {
                    self.text.clear();
                    let known = quick_xml::escape::resolve_predefined_entity(&reference);
                    if let Ok(Some(c)) = reference.resolve_char_ref() {
                        self.text.push(c);
                    } else if let Some(known) = known {
                        self.text.push_str(known);
                    } else if self.problem.is_none() {
                        self.problem = Some(format!("unknown entity &{};", &*reference));
                    }
                    return Some(KmlToken::Text(&self.text));
                }
                Event::Eof => {
                    if self.depth > 0 {
                        self.blame("the document ends before its elements do");
                    }
                    return None;
                }
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
        }
    }
}

/// Decodes any encoding to UTF-8.
struct Utf8Reader<R> {
    source: R,
    decoder: Option<Decoder>,
    raw: Vec<u8>,
    ready: Vec<u8>,
    given: usize,
    ended: bool,
}

impl<R: Read> Utf8Reader<R> {
    fn new(source: R) -> Self {
        Self { source, decoder: None, raw: Vec::new(), ready: Vec::new(), given: 0, ended: false }
    }

    fn refill(&mut self) -> io::Result<()> {
        let mut chunk = [0; 16 * 1024];
        let wanted = if self.decoder.is_none() { 1024 } else { 1 };
        while self.raw.len() < wanted && !self.ended {
            let n = self.source.read(&mut chunk)?;
            self.ended = n == 0;
            self.raw.extend_from_slice(&chunk[..n]);
        }
        let decoder = self.decoder.get_or_insert_with(|| declared_encoding(&self.raw).new_decoder());
        let room = decoder.max_utf8_buffer_length(self.raw.len()).unwrap_or(4 * self.raw.len() + 16);
        self.ready.resize(room, 0);
        self.given = 0;
        let (_, _, written, _) = decoder.decode_to_utf8(&self.raw, &mut self.ready, self.ended);
        self.ready.truncate(written);
        self.raw.clear();
        Ok(())
    }
}

impl<R: Read> Read for Utf8Reader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.given >= self.ready.len() {
            if self.ended && self.decoder.is_some() {
                return Ok(0);
            }
            self.refill()?;
        }
        let n = (&self.ready[self.given..]).read(out)?;
        self.given += n;
        Ok(n)
    }
}

/// Detects the encoding by byte order mark, by the pattern of the first bytes, or by the XML
/// declaration.
fn declared_encoding(start: &[u8]) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(start) {
        return encoding;
    }
    match start {
        [b'<', 0, ..] => return encoding_rs::UTF_16LE,
        [0, b'<', ..] => return encoding_rs::UTF_16BE,
        _ => {}
    }
    let text = String::from_utf8_lossy(&start[..start.len().min(200)]);
    text.split_once("encoding")
        .and_then(|(before, after)| before.trim_start().starts_with("<?xml").then_some(after))
        .and_then(|after| after.trim_start().strip_prefix('='))
        .and_then(|value| value.trim_start().split(['"', '\'']).nth(1).map(str::to_owned))
        .and_then(|label| Encoding::for_label(label.as_bytes()))
        // A declaration that is readable as ASCII cannot be in UTF-16.
        .map_or(UTF_8, |e| if e.is_ascii_compatible() { e } else { UTF_8 })
}
