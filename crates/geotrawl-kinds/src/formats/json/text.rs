//! Repairs JSON text so that a strict parser can read it as a stream: converts it to UTF-8, strips
//! what surrounds the value, and fixes common mistakes.
//!
//! Implemented here because no crate does it: `serde_json` is strict and holds whole strings in
//! memory, so a string of 100 MB must be cut before parsing, and a single `NaN` must not lose the
//! rest of a document.

use encoding_rs::{CoderResult, Decoder, UTF_8, UTF_16BE, UTF_16LE};
use std::io::{self, Read};

/// Number of bytes to keep of a string.
const MAX_STRING: usize = 64 << 10;
/// Maximum nesting depth. Deeper values become `null`; `serde_json` stops at 128.
const MAX_DEPTH: usize = 100;
/// Number of bytes before the value to accept, as in `window.callback_123 = (`.
const MAX_WRAPPER: usize = 256;
/// Maximum length of a number or word.
const MAX_WORD: usize = 400;
const CHUNK: usize = 16 << 10;

/// Returns whether text that does not start like JSON is JSON after all: in UTF-16, as a text
/// sequence, or wrapped in a script (`callback({...})`, `var x = {...}`).
pub fn looks_like_json(prefix: &[u8]) -> bool {
    let head = &prefix[..prefix.len().min(4 * MAX_WRAPPER)];
    let (encoding, bom) = encoding_of(head);
    let decoded = encoding.decode_without_bom_handling(&head[bom..]).0;
    let Some(at) = decoded.find(['{', '[']).filter(|at| *at <= MAX_WRAPPER) else { return false };
    let (before, value) = decoded.split_at(at);
    let before = before.trim_matches(|c: char| c.is_whitespace() || c == '\u{1E}' || c == '\u{FEFF}');
    let mut inside = value.chars().skip(1).filter(|c| !c.is_whitespace());
    let starts = match (value.as_bytes()[0], inside.next()) {
        (b'{', Some('"')) => true,
        (b'[', Some(next)) => matches!(next, '{' | '[' | '"' | '-') || next.is_ascii_digit(),
        _ => false,
    };
    starts && (before.is_empty() || is_wrapper(before))
}

/// Returns whether a script wraps the value: a call, an assignment, or a guard against script
/// inclusion.
fn is_wrapper(before: &str) -> bool {
    const GUARDS: [&str; 5] = [")]}'", ")]}',", "while(1);", "for(;;);", "export default"];
    let name = |text: &str| {
        !text.is_empty()
            && text.chars().all(|c| c.is_alphanumeric() || "_$.[]'\"".contains(c))
            && !text.starts_with(|c: char| c.is_ascii_digit())
    };
    if GUARDS.contains(&before) {
        return true;
    }
    let plain = before.strip_prefix("/**/").unwrap_or(before).trim();
    if let Some(call) = plain.strip_suffix('(') {
        let called = call.trim().rsplit([';', '&', '=']).next().unwrap_or_default().trim();
        return called.is_empty() || name(called);
    }
    let Some(target) = plain.strip_suffix('=') else { return false };
    let target = target.trim();
    let target = ["var ", "let ", "const ", "export const "]
        .iter()
        .find_map(|word| target.strip_prefix(word))
        .unwrap_or(target);
    name(target.trim())
}

fn encoding_of(head: &[u8]) -> (&'static encoding_rs::Encoding, usize) {
    match head {
        [0xEF, 0xBB, 0xBF, ..] => (UTF_8, 3),
        [0xFF, 0xFE, ..] => (UTF_16LE, 2),
        [0xFE, 0xFF, ..] => (UTF_16BE, 2),
        [b'{' | b'[', 0, ..] => (UTF_16LE, 0),
        [0, b'{' | b'[', ..] => (UTF_16BE, 0),
        _ => (UTF_8, 0),
    }
}

/// State of the lexer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LexerState {
    /// Before the first value.
    Before,
    /// Between tokens.
    Outside,
    Word,
    Text,
    /// After a backslash.
    Escape,
    /// In the four digits of `\u`.
    Unicode,
    /// After a slash outside a string.
    Slash,
    LineComment,
    BlockComment,
    /// After an asterisk in a block comment.
    Star,
    /// After the value: the rest is not JSON.
    End,
}

/// Reader that repairs JSON text.
pub struct JsonRepairReader<'r> {
    input: &'r mut dyn Read,
    decoder: Option<Decoder>,
    raw: Vec<u8>,
    out: Vec<u8>,
    served: usize,
    ended: bool,
    at: LexerState,
    before: usize,
    depth: usize,
    comma: bool,
    word: Vec<u8>,
    string: usize,
    /// High surrogate that waits for its low surrogate.
    high: Option<u16>,
    garbage: bool,
    mended: bool,
    wrapped: bool,
    /// Whether to process the last byte again, because it belongs to the next token.
    redo: bool,
}

impl<'r> JsonRepairReader<'r> {
    /// Creates a reader over `input`.
    pub fn new(input: &'r mut dyn Read) -> Self {
        Self {
            input,
            decoder: None,
            raw: vec![0; CHUNK],
            out: Vec::with_capacity(2 * CHUNK),
            served: 0,
            ended: false,
            at: LexerState::Before,
            before: 0,
            depth: 0,
            comma: false,
            word: Vec::new(),
            string: 0,
            high: None,
            garbage: false,
            mended: false,
            wrapped: false,
            redo: false,
        }
    }

    /// Returns whether something other than JSON follows the value.
    pub fn has_trailing_data(&self) -> bool {
        self.garbage
    }

    /// Returns whether the text had to be changed.
    pub fn was_repaired(&self) -> bool {
        self.mended
    }

    fn fill(&mut self) {
        self.out.clear();
        self.served = 0;
        while self.out.is_empty() && !self.ended {
            let n = match self.input.read(&mut self.raw) {
                Ok(n) => n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                // Use the bytes of a body that breaks off.
                Err(_) => 0,
            };
            let raw = std::mem::take(&mut self.raw);
            let mut input = raw.get(..n).unwrap_or_default();
            if self.decoder.is_none() {
                let (encoding, bom) = encoding_of(input);
                self.decoder = Some(encoding.new_decoder_without_bom_handling());
                input = input.get(bom..).unwrap_or_default();
            }
            self.decode(input, n == 0);
            self.raw = raw;
            if n == 0 {
                self.finish();
            }
        }
    }

    fn decode(&mut self, mut input: &[u8], last: bool) {
        let Some(mut decoder) = self.decoder.take() else { return };
        let mut decoded = [0_u8; 4 * 1024];
        loop {
            let (result, read, written, _) = decoder.decode_to_utf8(input, &mut decoded, last);
            self.mend(decoded.get(..written).unwrap_or_default());
            input = input.get(read..).unwrap_or_default();
            if result == CoderResult::InputEmpty || self.at == LexerState::End {
                break;
            }
        }
        // The decoder must not be used after the end of the input.
        self.decoder = Some(if last { UTF_8.new_decoder_without_bom_handling() } else { decoder });
    }

    fn finish(&mut self) {
        self.ended = true;
        if self.at == LexerState::Word {
            self.end_word();
        }
    }

    fn mend(&mut self, mut text: &[u8]) {
        while let Some((&byte, rest)) = text.split_first() {
            // Most of a document is plain text in strings, so copy it in one go.
            if self.at == LexerState::Text {
                let run = text.iter().position(|b| matches!(b, b'"' | b'\\' | 0..=31)).unwrap_or(text.len());
                if run > 0 {
                    self.flush_surrogate();
                    self.keep_text(&text[..run]);
                    text = &text[run..];
                    continue;
                }
            }
            self.step(byte);
            if self.at == LexerState::End {
                return;
            }
            if !std::mem::take(&mut self.redo) {
                text = rest;
            }
        }
    }

    fn step(&mut self, byte: u8) {
        match self.at {
            LexerState::Before => self.before(byte),
            LexerState::Outside => self.outside(byte),
            LexerState::Word => {
                if is_word(byte) {
                    if self.word.len() < MAX_WORD {
                        self.word.push(byte);
                    }
                } else {
                    self.end_word();
                    self.at = LexerState::Outside;
                    self.outside(byte);
                }
            }
            LexerState::Text => self.text(byte),
            LexerState::Escape => self.escape(byte),
            LexerState::Unicode => self.unicode(byte),
            LexerState::Slash => {
                self.mended = true;
                self.at = match byte {
                    b'/' => LexerState::LineComment,
                    b'*' => LexerState::BlockComment,
                    _ => {
                        self.garbage = true;
                        LexerState::End
                    }
                };
            }
            LexerState::LineComment => {
                if matches!(byte, b'\n' | b'\r') {
                    self.leave_comment();
                }
            }
            LexerState::BlockComment => {
                if byte == b'*' {
                    self.at = LexerState::Star;
                }
            }
            LexerState::Star => match byte {
                b'/' => self.leave_comment(),
                b'*' => {}
                _ => self.at = LexerState::BlockComment,
            },
            LexerState::End => {}
        }
    }

    fn leave_comment(&mut self) {
        self.at = if self.before == usize::MAX { LexerState::Outside } else { LexerState::Before };
    }

    fn before(&mut self, byte: u8) {
        match byte {
            b'{' | b'[' => {
                self.before = usize::MAX;
                self.at = LexerState::Outside;
                self.outside(byte);
            }
            b' ' | b'\t' | b'\r' | b'\n' | 0x1E => {}
            b'/' => self.at = LexerState::Slash,
            _ if self.before >= MAX_WRAPPER || byte == b'<' => self.at = LexerState::End,
            _ => {
                self.before += 1;
                self.wrapped = true;
                self.mended = true;
            }
        }
    }

    fn put(&mut self, byte: u8) {
        if self.depth <= MAX_DEPTH {
            self.out.push(byte);
        }
    }

    fn put_all(&mut self, bytes: &[u8]) {
        if self.depth <= MAX_DEPTH {
            self.out.extend_from_slice(bytes);
        }
    }

    fn flush_comma(&mut self) {
        if std::mem::take(&mut self.comma) {
            self.put(b',');
        }
    }

    fn outside(&mut self, byte: u8) {
        if self.depth == 0 && !matches!(byte, b'{' | b'[' | b' ' | b'\t' | b'\r' | b'\n' | 0x1E | b'/') {
            // Only the end of the surrounding call or assignment may follow.
            self.garbage |= !(self.wrapped && matches!(byte, b')' | b';'));
            self.at = LexerState::End;
            return;
        }
        match byte {
            b'"' => {
                self.flush_comma();
                self.put(b'"');
                self.string = 0;
                self.at = LexerState::Text;
            }
            // Commas are written only when another value follows, which drops trailing and doubled
            // ones.
            b',' => {
                self.mended |= self.comma;
                self.comma = true;
            }
            b'{' | b'[' => {
                self.flush_comma();
                self.depth += 1;
                if self.depth == MAX_DEPTH + 1 {
                    self.out.extend_from_slice(b"null");
                    self.mended = true;
                }
                self.put(byte);
            }
            b'}' | b']' => {
                self.mended |= std::mem::take(&mut self.comma);
                self.put(byte);
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    self.out.push(b'\n');
                }
            }
            b'/' => self.at = LexerState::Slash,
            b' ' | b'\t' | b'\r' | b'\n' | 0x1E => self.put(b' '),
            _ if is_word(byte) => {
                self.flush_comma();
                self.word.clear();
                self.word.push(byte);
                self.at = LexerState::Word;
            }
            _ => {
                self.flush_comma();
                self.put(byte);
            }
        }
    }

    fn end_word(&mut self) {
        let word = std::mem::take(&mut self.word);
        if matches!(word.as_slice(), b"true" | b"false" | b"null") || is_plain_number(&word) {
            self.put_all(&word);
        } else {
            self.mended = true;
            let text = String::from_utf8_lossy(&word).into_owned();
            match text.as_str() {
                "True" => self.put_all(b"true"),
                "False" => self.put_all(b"false"),
                "undefined" | "None" | "NULL" | "Null" => self.put_all(b"null"),
                _ => match text.parse::<f64>() {
                    Ok(number) if number.is_finite() => self.put_all(number.to_string().as_bytes()),
                    // Rust also parses NaN and Infinity, which JSON does not have.
                    Ok(_) => self.put_all(b"null"),
                    Err(_) => self.put_all(&word),
                },
            }
        }
        self.word = word;
        self.word.clear();
    }

    /// Appends part of a string value, up to the length limit. Never splits a character.
    fn keep_text(&mut self, text: &[u8]) {
        let mut end = text.len().min(MAX_STRING.saturating_sub(self.string));
        while end > 0 && text.get(end).is_some_and(|b| b & 0xC0 == 0x80) {
            end -= 1;
        }
        self.put_all(&text[..end]);
        self.string = self.string.saturating_add(text.len());
    }

    /// Writes an escape sequence, unless it exceeds the limit.
    fn keep_escape(&mut self, escape: &[u8]) {
        if self.string + escape.len() <= MAX_STRING {
            self.put_all(escape);
        }
        self.string = self.string.saturating_add(escape.len());
    }

    fn text(&mut self, byte: u8) {
        match byte {
            b'\\' => self.at = LexerState::Escape,
            b'"' => {
                self.flush_surrogate();
                self.put(b'"');
                self.at = LexerState::Outside;
            }
            _ => {
                self.flush_surrogate();
                self.mended = true;
                self.keep_text(b" ");
            }
        }
    }

    /// Replaces an unpaired high surrogate by U+FFFD.
    fn flush_surrogate(&mut self) {
        if self.high.take().is_some() {
            self.mended = true;
            self.keep_text("\u{FFFD}".as_bytes());
        }
    }

    fn escape(&mut self, byte: u8) {
        if byte == b'u' {
            self.word.clear();
            self.at = LexerState::Unicode;
            return;
        }
        self.flush_surrogate();
        self.at = LexerState::Text;
        match byte {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => self.keep_escape(&[b'\\', byte]),
            _ => {
                // Most likely a Windows path, so the backslash is meant literally.
                self.mended = true;
                self.keep_escape(b"\\\\");
                self.redo = true;
            }
        }
    }

    fn unicode(&mut self, byte: u8) {
        if !byte.is_ascii_hexdigit() {
            self.mended = true;
            self.flush_surrogate();
            self.keep_text("\u{FFFD}".as_bytes());
            self.at = LexerState::Text;
            self.redo = true;
            return;
        }
        self.word.push(byte);
        if self.word.len() < 4 {
            return;
        }
        self.at = LexerState::Text;
        let digits = std::str::from_utf8(&self.word).unwrap_or_default();
        let unit = u16::from_str_radix(digits, 16).unwrap_or(0xFFFD);
        match (self.high, unit) {
            (Some(high), 0xDC00..=0xDFFF) => {
                self.high = None;
                for character in char::decode_utf16([high, unit]).flatten() {
                    let mut utf8 = [0; 4];
                    let text = character.encode_utf8(&mut utf8).as_bytes().to_vec();
                    self.keep_text(&text);
                }
            }
            (_, 0xD800..=0xDBFF) => {
                self.flush_surrogate();
                self.high = Some(unit);
            }
            (_, 0xDC00..=0xDFFF) => {
                self.flush_surrogate();
                self.mended = true;
                self.keep_text("\u{FFFD}".as_bytes());
            }
            _ => {
                self.flush_surrogate();
                self.keep_escape(format!("\\u{unit:04x}").as_bytes());
            }
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.' | b'_' | b'$') || byte >= 0x80
}

/// Returns whether `serde_json` accepts a number, such as `-12.5e-3`.
fn is_plain_number(word: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().take_while(|b| b.is_ascii_digit()).count();
    let mut rest = word.strip_prefix(b"-").unwrap_or(word);
    let whole = digits(rest);
    if whole == 0 || whole > 300 || (whole > 1 && rest[0] == b'0') {
        return false;
    }
    rest = &rest[whole..];
    if let Some(fraction) = rest.strip_prefix(b".") {
        let n = digits(fraction);
        if n == 0 {
            return false;
        }
        rest = &fraction[n..];
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let exponent = match exponent {
            [b'+' | b'-', tail @ ..] => tail,
            tail => tail,
        };
        let n = digits(exponent);
        // An exponent of more than two digits may not fit, so check it more closely.
        if n == 0 || n > 2 {
            return n == 3 && exponent.len() == 3 && finite(word);
        }
        rest = &exponent[n..];
    }
    rest.is_empty()
}

fn finite(word: &[u8]) -> bool {
    std::str::from_utf8(word).ok().and_then(|text| text.parse::<f64>().ok()).is_some_and(f64::is_finite)
}

impl Read for JsonRepairReader<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.served >= self.out.len() {
            if self.at == LexerState::End {
                return Ok(0);
            }
            self.fill();
        }
        let rest = self.out.get(self.served..).unwrap_or_default();
        let n = rest.len().min(buf.len());
        buf[..n].copy_from_slice(&rest[..n]);
        self.served += n;
        Ok(n)
    }
}
