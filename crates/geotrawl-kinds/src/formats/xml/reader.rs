//! The tokenizer: a window over the stream, one event at a time, violations noted on the way.

use super::chars::{all_space, find_bad_char, is_name, is_space, may_start_name, name_run, text_needs_care};
use super::charset::Source;
use super::doctype;
use super::entities::{Entities, REFERENCE_LIMIT, Reference, predefined, reference};
use super::namespaces::{Namespaces, is_qualified, split};
use super::prolog::document_start;
use super::tags::{Attr, Scan, has_duplicate, scan_start_tag};
use super::text::resolve_into;
use super::{DEPTH_LIMIT, ELEMENT_LIMIT, TOKEN_LIMIT, Violation};
use memchr::{memchr, memmem};
use std::borrow::Cow;
use std::io::Read;
use std::rc::Rc;

/// Size of the window; it grows to [`TOKEN_LIMIT`] for a long token and only then.
const WINDOW: usize = 128 * 1024;
/// Text is given whole up to this length, then in pieces.
const TEXT_PIECE: usize = 64 * 1024;

/// What was met. Its name, attributes and text are asked of the [`Reader`] until the next event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// An element begins.
    Start,
    /// The innermost open element ends (each start has exactly one end, whatever the document does).
    End,
    /// Character data or a CDATA section of the innermost element, perhaps a piece of it.
    Text,
    /// A comment.
    Comment,
    /// Nothing more.
    Eof,
}

/// How far the document has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Fresh,
    Prolog,
    Root,
    After,
    Ended,
}

/// A pull reader over a stream. See the module for what it tolerates.
pub struct Reader<'r> {
    source: Source<'r>,
    window: Vec<u8>,
    pos: usize,
    end: usize,
    eof: bool,
    /// Decoded bytes that left the window, and the lines among them.
    gone: u64,
    lines_gone: u64,
    /// Start of the last line that left the window, as an absolute offset.
    line_start: u64,

    stage: Stage,
    /// The current token, and within it the name.
    token: (usize, usize),
    name_end: usize,
    attrs: Vec<Attr>,
    cdata: bool,
    pending_ends: usize,

    /// Names of the open elements, one after another.
    open_names: Vec<u8>,
    open_starts: Vec<usize>,
    /// Elements open below the depth limit.
    too_deep: u64,
    elements: u64,

    namespaces: Namespaces,
    entities: Rc<Entities>,
    /// The text of an entity rather than a document: no single root is asked for.
    fragment: bool,
    doctype_seen: bool,
    doctype_name: Option<String>,
    violation: Option<Violation>,
    unresolved: bool,
}

impl<'r> Reader<'r> {
    /// A reader over `input`; `http_charset` is what the server said, if anything.
    pub fn new(input: &'r mut dyn Read, http_charset: Option<&str>) -> Self {
        Self {
            source: Source::new(input, http_charset),
            window: vec![0; WINDOW],
            pos: 0,
            end: 0,
            eof: false,
            gone: 0,
            lines_gone: 0,
            line_start: 0,
            stage: Stage::Fresh,
            token: (0, 0),
            name_end: 0,
            attrs: Vec::new(),
            cdata: false,
            pending_ends: 0,
            open_names: Vec::new(),
            open_starts: Vec::new(),
            too_deep: 0,
            elements: 0,
            namespaces: Namespaces::default(),
            entities: Rc::default(),
            fragment: false,
            doctype_seen: false,
            doctype_name: None,
            violation: None,
            unresolved: false,
        }
    }

    /// The first violation, if any so far. The verdict on the document is complete at [`Event::Eof`].
    pub fn violation(&self) -> Option<&Violation> {
        self.violation.as_ref()
    }

    /// Whether the document is well-formed so far, namespaces included.
    pub fn well_formed(&self) -> bool {
        self.violation.is_none()
    }

    /// Name of the encoding that is being read.
    pub fn encoding(&self) -> &'static str {
        self.source.encoding()
    }

    /// The stream ended with an error rather than at its end.
    pub fn broken_off(&self) -> bool {
        self.source.broken().is_some()
    }

    /// References that stand for nothing we would expand were met.
    pub fn has_unresolved_entities(&self) -> bool {
        self.unresolved
    }

    /// The root that a document type declaration announces, once it was met, even if it never ends.
    pub fn doctype_name(&self) -> Option<&str> {
        self.doctype_name.as_deref()
    }

    /// Number of elements begun.
    pub fn elements(&self) -> u64 {
        self.elements
    }

    /// Depth of the innermost open element; the root has 1.
    pub fn depth(&self) -> usize {
        self.open_starts.len()
    }

    /// After [`Event::Start`]: the qualified name.
    #[inline]
    pub fn name(&self) -> &[u8] {
        &self.window[self.token.0 + 1..self.token.0 + self.name_end]
    }

    /// After [`Event::Start`]: the local name.
    #[inline]
    pub fn local(&self) -> &[u8] {
        split(self.name()).1
    }

    /// After [`Event::Start`]: the namespace of the element.
    pub fn namespace(&self) -> Option<&str> {
        self.namespaces.resolve(split(self.name()).0)
    }

    /// After [`Event::Start`]: the value of the attribute with this qualified name.
    pub fn attr(&self, name: &str) -> Option<Cow<'_, str>> {
        self.find_attr(|n| n == name.as_bytes())
    }

    /// After [`Event::Start`]: the value of the attribute with this local name, whatever its prefix and
    /// case.
    pub fn attr_local(&self, local: &str) -> Option<Cow<'_, str>> {
        self.find_attr(|n| split(n).1.eq_ignore_ascii_case(local.as_bytes()))
    }

    fn find_attr(&self, wanted: impl Fn(&[u8]) -> bool) -> Option<Cow<'_, str>> {
        let tag = self.token_bytes();
        let attr = self.attrs.iter().find(|a| wanted(a.name(tag)))?;
        Some(self.resolve(attr.value(tag), attr.care))
    }

    /// After [`Event::Start`]: all attributes, qualified name and value.
    pub fn attrs(&self) -> impl Iterator<Item = (&[u8], Cow<'_, str>)> {
        let tag = self.token_bytes();
        self.attrs.iter().map(move |a| (a.name(tag), self.resolve(a.value(tag), a.care)))
    }

    fn resolve<'s>(&'s self, raw: &'s [u8], care: bool) -> Cow<'s, str> {
        if care {
            let mut out = String::with_capacity(raw.len());
            resolve_into(raw, &self.entities, &mut out);
            Cow::Owned(out)
        } else {
            String::from_utf8_lossy(raw)
        }
    }

    #[inline]
    fn token_bytes(&self) -> &[u8] {
        &self.window[self.token.0..self.token.1]
    }

    /// After [`Event::Text`]: appends the text, references resolved, until `out` holds `limit` bytes.
    pub fn text_into(&self, out: &mut String, limit: usize) {
        let mut raw = self.token_bytes();
        let room = limit.saturating_sub(out.len());
        if raw.len() > room {
            let mut cut = room;
            while cut > 0 && raw[cut] & 0xC0 == 0x80 {
                cut -= 1;
            }
            raw = &raw[..cut];
        }
        if self.cdata {
            out.push_str(&String::from_utf8_lossy(raw));
        } else {
            resolve_into(raw, &self.entities, out);
        }
    }

    /// After [`Event::Comment`] or [`Event::Text`]: the bytes as written.
    pub fn raw(&self) -> &[u8] {
        self.token_bytes()
    }

    /// The next event.
    #[expect(
        clippy::should_implement_trait,
        reason = "an event borrows nothing, its details are asked of the reader"
    )]
    #[inline]
    pub fn next(&mut self) -> Event {
        if self.pending_ends > 0 {
            self.pending_ends -= 1;
            self.pop();
            return Event::End;
        }
        loop {
            if self.stage == Stage::Fresh {
                self.begin();
            }
            if self.stage == Stage::Ended {
                return Event::Eof;
            }
            if self.pos == self.end && !self.more() {
                return self.finish();
            }
            let event = if self.window[self.pos] == b'<' { self.markup() } else { self.text() };
            if let Some(event) = event {
                return event;
            }
        }
    }

    // --- the window -----------------------------------------------------------------------------

    /// Reads on, so that a token that was too long for the window may fit: at least doubles what is
    /// there, so that scanning it again stays linear. `false` at the end of the stream.
    #[cold]
    fn more(&mut self) -> bool {
        if self.eof {
            return false;
        }
        if self.pos > 0 {
            let left = &self.window[..self.pos];
            if self.violation.is_none() {
                self.lines_gone += memchr::memchr_iter(b'\n', left).count() as u64;
                if let Some(last) = memchr::memrchr(b'\n', left) {
                    self.line_start = self.gone + last as u64 + 1;
                }
            }
            self.gone += self.pos as u64;
            self.window.copy_within(self.pos..self.end, 0);
            self.end -= self.pos;
            self.pos = 0;
        }
        let wanted = (self.end * 2).clamp(WINDOW / 2, TOKEN_LIMIT + WINDOW);
        if self.window.len() < wanted {
            self.window.resize(wanted, 0);
        }
        let before = self.end;
        while self.end < wanted && self.window.len() - self.end >= 16 {
            let n = self.source.fill(&mut self.window[self.end..]);
            if n == 0 {
                self.eof = true;
                break;
            }
            self.end += n;
        }
        if let Some(fault) = self.source.fault() {
            self.note(self.end, fault.message());
        }
        self.end > before
    }

    /// Gives back the memory of a long token.
    fn shrink(&mut self) {
        if self.window.len() > 2 * WINDOW && self.end - self.pos < WINDOW {
            self.more();
            if self.end <= WINDOW {
                self.window.truncate(WINDOW);
                self.window.shrink_to_fit();
            }
        }
    }

    /// Notes a violation at a place in the window; only the first one counts.
    #[cold]
    fn note(&mut self, at: usize, message: &'static str) {
        self.note_as(at, message, false);
    }

    #[cold]
    fn note_as(&mut self, at: usize, message: &'static str, namespace: bool) {
        // A wrong namespace gives way to a wrong syntax: the latter says more.
        let weaker = self.violation.as_ref().is_some_and(|v| v.namespace && !namespace);
        if self.violation.is_some() && !weaker {
            return;
        }
        let before = &self.window[..at.min(self.end)];
        let line = self.lines_gone + memchr::memchr_iter(b'\n', before).count() as u64 + 1;
        let column = match memchr::memrchr(b'\n', before) {
            Some(i) => (before.len() - i) as u64,
            None => self.gone + before.len() as u64 - self.line_start + 1,
        };
        self.violation = Some(Violation { line, column, message, namespace });
    }

    // --- beginning and end ----------------------------------------------------------------------

    fn begin(&mut self) {
        self.stage = Stage::Prolog;
        self.more();
        let head = &self.window[..self.end];
        match document_start(head) {
            Some(0) => {}
            Some(start) => {
                if head[start..].starts_with(b"<?xml") && head.get(start + 5).is_some_and(|b| is_space(*b)) {
                    let message = if all_space(&head[..start]) {
                        "white space before the XML declaration"
                    } else {
                        "text before the XML declaration"
                    };
                    self.note(0, message);
                }
                self.pos = start;
            }
            None => {}
        }
        let head = &self.window[self.pos..self.end];
        if head.starts_with(b"<?xml") && head.get(5).is_some_and(|b| is_space(*b)) {
            let len = memmem::find(head, b"?>").map_or(head.len(), |i| i + 2);
            let declaration = super::declaration::read(&head[..len]);
            if let Some(message) = declaration.fault {
                self.note(self.pos, message);
            }
            if let Some(entities) = Rc::get_mut(&mut self.entities) {
                entities.standalone = declaration.standalone;
            }
            self.pos += len;
        }
    }

    #[cold]
    fn finish(&mut self) -> Event {
        if self.stage == Stage::Prolog && !self.fragment {
            self.note(self.end, "no element at all");
        }
        if !self.open_starts.is_empty() || self.too_deep > 0 {
            self.note(self.end, "the document ends before its elements do");
            self.too_deep = 0;
            self.pending_ends = self.open_starts.len().saturating_sub(1);
            self.pop();
            self.stage = Stage::Ended;
            return Event::End;
        }
        if self.source.broken().is_some() {
            self.note(self.end, "the transfer broke off");
        }
        self.stage = Stage::Ended;
        Event::Eof
    }

    fn pop(&mut self) {
        if let Some(start) = self.open_starts.pop() {
            self.open_names.truncate(start);
            self.namespaces.close(self.open_starts.len() as u32);
            if self.open_starts.is_empty() && self.stage == Stage::Root && !self.fragment {
                self.stage = Stage::After;
            }
        }
    }

    // --- text -----------------------------------------------------------------------------------

    fn text(&mut self) -> Option<Event> {
        let len = loop {
            let rest = &self.window[self.pos..self.end];
            match memchr(b'<', rest) {
                Some(i) => break i,
                None if rest.len() < TEXT_PIECE && self.more() => {}
                None if self.eof => break self.end - self.pos,
                None => break safe_cut(&self.window[self.pos..self.end]),
            }
        };
        let from = self.pos;
        self.pos += len;
        let text = &self.window[from..self.pos];
        if all_space(text) {
            return None;
        }
        if self.open_starts.is_empty() && !self.fragment {
            self.note(from, "text outside the root element");
            return None;
        }
        if text_needs_care(text) {
            self.check_text(from, self.pos);
        }
        if self.too_deep > 0 {
            return None;
        }
        self.cdata = false;
        self.token = (from, self.pos);
        Some(Event::Text)
    }

    /// Text with references, brackets or control characters.
    fn check_text(&mut self, from: usize, to: usize) {
        if self.violation.as_ref().is_none_or(|v| v.namespace) {
            let text = &self.window[from..to];
            if let Some(i) = memmem::find(text, b"]]>") {
                self.note(from + i, "]]> in text");
            }
            let text = &self.window[from..to];
            if let Some(i) = find_bad_char(text) {
                self.note(from + i, "a character that XML does not allow");
            }
        }
        self.check_references(from, to);
    }

    fn check_references(&mut self, from: usize, to: usize) {
        let mut at = from;
        while let Some(i) = memchr(b'&', &self.window[at..to]) {
            at += i;
            let (reference, len) = reference(&self.window[at..to]);
            let fault = match reference {
                Reference::Char(_) => None,
                Reference::Broken => Some("an & that begins no reference"),
                Reference::Name(name) => {
                    if predefined(name).is_none() && self.entities.plain(name).is_none() {
                        self.unresolved = true;
                    }
                    let entities = &self.entities;
                    entities.check_in_content(name, |text| check_fragment(text, entities)).err()
                }
            };
            if let Some(message) = fault {
                self.note(at, message);
            }
            at += len;
        }
    }

    // --- markup ---------------------------------------------------------------------------------

    fn markup(&mut self) -> Option<Event> {
        if self.end - self.pos < 10 {
            self.more();
        }
        let rest = &self.window[self.pos..self.end];
        match rest.get(1) {
            Some(b'/') => self.end_tag(),
            Some(b'!') if rest.starts_with(b"<!--") => self.comment(),
            Some(b'!') if rest.starts_with(b"<![CDATA[") => self.cdata(),
            Some(b'!') if rest.len() >= 9 && rest[..9].eq_ignore_ascii_case(b"<!DOCTYPE") => self.doctype(),
            Some(b'!') => self.skip_markup("a declaration that does not belong here"),
            Some(b'?') => self.instruction(),
            Some(b) if may_start_name(*b) => self.start_tag(),
            _ => self.stray(),
        }
    }

    /// A `<` that begins nothing: text, as it was meant.
    #[cold]
    fn stray(&mut self) -> Option<Event> {
        self.note(self.pos, "a < that begins no tag");
        let from = self.pos;
        self.pos += 1;
        if self.open_starts.is_empty() || self.too_deep > 0 {
            return None;
        }
        self.cdata = true;
        self.token = (from, self.pos);
        Some(Event::Text)
    }

    #[cold]
    fn skip_markup(&mut self, message: &'static str) -> Option<Event> {
        self.note(self.pos, message);
        self.skip_past(b">")
    }

    /// Drops everything up to and including `needle`, in bounded memory.
    fn skip_past(&mut self, needle: &[u8]) -> Option<Event> {
        loop {
            let rest = &self.window[self.pos..self.end];
            if let Some(i) = memmem::find(rest, needle) {
                self.pos += i + needle.len();
                self.shrink();
                return None;
            }
            self.pos = self.end.saturating_sub(needle.len() - 1).max(self.pos);
            if !self.more() {
                self.pos = self.end;
                self.note(self.end, "the document ends inside markup");
                return None;
            }
        }
    }

    /// Waits until `find` finds the end of the token at `pos`; `None` when it is too long or never ends.
    fn await_end(&mut self, find: impl Fn(&[u8]) -> Option<usize>) -> Option<usize> {
        loop {
            if let Some(len) = find(&self.window[self.pos..self.end]) {
                return Some(len);
            }
            if self.end - self.pos > TOKEN_LIMIT || !self.more() {
                return None;
            }
        }
    }

    fn comment(&mut self) -> Option<Event> {
        let Some(len) = self.await_end(|s| memmem::find(s.get(4..)?, b"-->").map(|i| i + 7)) else {
            return self.oversized(b"-->");
        };
        let from = self.pos + 4;
        let to = self.pos + len - 3;
        self.pos += len;
        let inside = &self.window[from..to];
        if memmem::find(inside, b"--").is_some() || inside.last() == Some(&b'-') {
            self.note(from, "two hyphens in a comment");
        } else if let Some(i) = find_bad_char(inside) {
            self.note(from + i, "a character that XML does not allow");
        }
        self.token = (from, to);
        Some(Event::Comment)
    }

    /// A token that never ends, or not within the limit: dropped.
    #[cold]
    fn oversized(&mut self, needle: &[u8]) -> Option<Event> {
        let message =
            if self.eof { "the document ends inside markup" } else { "a token longer than a megabyte" };
        self.note(self.pos, message);
        self.pos = (self.pos + 2).min(self.end);
        self.skip_past(needle)
    }

    fn cdata(&mut self) -> Option<Event> {
        if self.open_starts.is_empty() && !self.fragment {
            self.note(self.pos, "a CDATA section outside the root element");
        }
        let Some(len) = self.await_end(|s| memmem::find(s.get(9..)?, b"]]>").map(|i| i + 12)) else {
            return self.oversized(b"]]>");
        };
        let from = self.pos + 9;
        let to = self.pos + len - 3;
        self.pos += len;
        if let Some(i) = find_bad_char(&self.window[from..to]) {
            self.note(from + i, "a character that XML does not allow");
        }
        if self.open_starts.is_empty() || self.too_deep > 0 || from == to {
            return None;
        }
        self.cdata = true;
        self.token = (from, to);
        Some(Event::Text)
    }

    fn instruction(&mut self) -> Option<Event> {
        let Some(len) = self.await_end(|s| memmem::find(s, b"?>").map(|i| i + 2)) else {
            return self.oversized(b"?>");
        };
        let from = self.pos + 2;
        let inside = &self.window[from..self.pos + len - 2];
        let (run, high) = name_run(inside);
        let target = &inside[..run];
        let fault = if !is_name(target, high) {
            Some("a processing instruction without a proper target")
        } else if target.eq_ignore_ascii_case(b"xml") {
            Some("an XML declaration that does not stand at the start")
        } else if run < inside.len() && !is_space(inside[run]) {
            Some("no white space after the target of a processing instruction")
        } else if find_bad_char(inside).is_some() {
            Some("a character that XML does not allow")
        } else {
            None
        };
        let colon = target.contains(&b':');
        match fault {
            Some(message) => self.note(from, message),
            None if colon => self.note_as(from, "a colon in the target of a processing instruction", true),
            None => {}
        }
        self.pos += len;
        None
    }

    fn doctype(&mut self) -> Option<Event> {
        if self.stage != Stage::Prolog || self.doctype_seen {
            self.note(self.pos, "a document type declaration that does not belong here");
        }
        self.doctype_seen = true;
        let after = self.window[self.pos + 9..self.end].trim_ascii_start();
        let name = &after[..name_run(after).0];
        self.doctype_name = Some(String::from_utf8_lossy(&name[..name.len().min(256)]).into_owned());
        let Some(len) = self.await_end(doctype::find_end) else {
            if let Some(entities) = Rc::get_mut(&mut self.entities) {
                entities.elsewhere = true;
            }
            return self.oversized(b">");
        };
        let token = &self.window[self.pos..self.pos + len];
        let fault = Rc::get_mut(&mut self.entities).and_then(|entities| {
            let standalone = entities.standalone;
            doctype::read(token, standalone, entities)
        });
        if let Some(fault) = fault {
            self.note_as(self.pos + fault.at, fault.message, fault.namespace);
        }
        self.pos += len;
        self.shrink();
        None
    }

    fn start_tag(&mut self) -> Option<Event> {
        let (len, name_end, empty, fault) = loop {
            match scan_start_tag(&self.window[self.pos..self.end], &mut self.attrs) {
                Scan::Whole { len, name_end, empty, fault } => break (len, name_end, empty, fault),
                Scan::Incomplete if self.end - self.pos <= TOKEN_LIMIT && self.more() => {}
                Scan::Incomplete => return self.oversized(b">"),
            }
        };
        if let Some((at, message)) = fault {
            self.note(self.pos + at, message);
        }
        let from = self.pos;
        self.token = (from, from + len);
        self.name_end = name_end;
        self.pos += len;
        self.elements += 1;
        if self.elements > ELEMENT_LIMIT {
            self.note(from, "more elements than are read");
            self.pos = self.end;
            self.eof = true;
            return None;
        }
        match self.stage {
            Stage::Prolog => self.stage = Stage::Root,
            Stage::After => {
                self.note(from, "a second root element");
                self.stage = Stage::Root;
            }
            _ => {}
        }
        if self.open_starts.len() >= DEPTH_LIMIT {
            self.note(from, "elements nested too deep");
            self.too_deep += u64::from(!empty);
            return None;
        }
        self.open_starts.push(self.open_names.len());
        self.open_names.extend_from_slice(&self.window[from + 1..from + name_end]);
        self.default_namespaces();
        if !self.attrs.is_empty() {
            self.check_attributes();
        }
        self.check_element_prefix();
        self.pending_ends = usize::from(empty);
        Some(Event::Start)
    }

    /// Namespaces that the document type declares for this element, unless it does so itself.
    fn default_namespaces(&mut self) {
        let (from, to) = self.token;
        let entities = Rc::clone(&self.entities);
        let name = &self.window[from + 1..from + self.name_end];
        let depth = self.open_starts.len() as u32;
        for (attribute, uri) in entities.default_namespaces(name) {
            let tag = &self.window[from..to];
            if !self.attrs.iter().any(|a| a.name(tag) == &**attribute) {
                self.namespaces.declare(attribute, uri.trim(), depth);
            }
        }
    }

    fn check_element_prefix(&mut self) {
        let from = self.token.0;
        let name = &self.window[from + 1..from + self.name_end];
        let (prefix, local) = split(name);
        if prefix.is_empty() && local.len() == name.len() {
            return;
        }
        if !is_qualified(prefix, local) {
            self.note_as(from + 1, "an element name that is no qualified name", true);
        } else if !self.namespaces.knows(prefix) {
            self.note_as(from + 1, "an element with a prefix that is not declared", true);
        }
    }

    fn check_attributes(&mut self) {
        let (from, to) = self.token;
        if self.attrs.len() > 1
            && let Some(at) = has_duplicate(&self.window[from..to], &self.attrs)
        {
            self.note(from + at, "two attributes with the same name");
        }
        let depth = self.open_starts.len() as u32;
        let mut prefixed = 0;
        for i in 0..self.attrs.len() {
            let attr = self.attrs[i];
            if attr.care {
                let value = (
                    from + attr.value_at(),
                    from + attr.value_at() + attr.value(&self.window[from..to]).len(),
                );
                self.check_value(value.0, value.1);
            }
            let tag = &self.window[from..to];
            let name = attr.name(tag);
            if name.starts_with(b"xmlns") && (name.len() == 5 || name[5] == b':') {
                let uri = self.resolve(attr.value(tag), attr.care).into_owned();
                let name = attr.name(&self.window[from..to]);
                if let Some(message) = self.namespaces.declare(name, uri.trim(), depth) {
                    self.note_as(from + attr.name_at(), message, true);
                }
            } else {
                prefixed += usize::from(memchr(b':', name).is_some());
            }
        }
        if prefixed > 0 {
            self.check_attribute_prefixes(prefixed);
        }
    }

    fn check_value(&mut self, from: usize, to: usize) {
        let value = &self.window[from..to];
        if let Err(message) = self.entities.check_value(value) {
            self.note(from, message);
        } else if let Some(i) = find_bad_char(value) {
            self.note(from + i, "a character that XML does not allow");
        }
    }

    fn check_attribute_prefixes(&mut self, prefixed: usize) {
        let (from, to) = self.token;
        let mut fault = None;
        let mut expanded: Vec<(&str, &[u8])> = Vec::new();
        let tag = &self.window[from..to];
        for attr in &self.attrs {
            let name = attr.name(tag);
            let (prefix, local) = split(name);
            if local.len() == name.len() || prefix == b"xmlns" {
                continue;
            }
            if !is_qualified(prefix, local) {
                fault = fault.or(Some((attr.name_at(), "an attribute name that is no qualified name")));
                continue;
            }
            match self.namespaces.resolve(prefix) {
                None => {
                    fault =
                        fault.or(Some((attr.name_at(), "an attribute with a prefix that is not declared")));
                }
                Some(uri) if prefixed > 1 => expanded.push((uri, local)),
                Some(_) => {}
            }
        }
        if expanded.len() > 1 {
            expanded.sort_unstable();
            if expanded.windows(2).any(|w| w[0] == w[1]) {
                fault = fault.or(Some((0, "two attributes with the same name and namespace")));
            }
        }
        if let Some((at, message)) = fault {
            self.note_as(from + at, message, true);
        }
    }

    fn end_tag(&mut self) -> Option<Event> {
        let Some(len) = self.await_end(|s| memchr(b'>', s).map(|i| i + 1)) else {
            return self.oversized(b">");
        };
        let from = self.pos;
        self.pos += len;
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return None;
        }
        let inside = &self.window[from + 2..from + len - 1];
        let Some(&start) = self.open_starts.last() else {
            self.note(from, "an end tag without a start tag");
            return None;
        };
        if inside == &self.open_names[start..] {
            self.pop();
            return Some(Event::End);
        }
        let (run, _) = name_run(inside);
        let (name, rest) = inside.split_at(run);
        let clean = all_space(rest);
        if clean && name == &self.open_names[start..] {
            self.pop();
            return Some(Event::End);
        }
        // Which element was meant? The nearest open one with this name; if there is none, none.
        let mut to = self.open_names.len();
        let mut closes = None;
        for (level, &s) in self.open_starts.iter().enumerate().rev() {
            if &self.open_names[s..to] == name {
                closes = Some(level);
                break;
            }
            to = s;
        }
        self.note(from, "an end tag that does not match its start tag");
        let level = closes?;
        self.pending_ends = self.open_starts.len() - 1 - level;
        self.pop();
        Some(Event::End)
    }
}

/// Whether the text of an entity is content: elements closed, references good. Namespaces are left alone,
/// since the prefixes may be declared where the entity is used.
fn check_fragment(text: &str, entities: &Rc<Entities>) -> Result<(), &'static str> {
    let mut input = text.as_bytes();
    let mut reader = Reader::new(&mut input, Some("utf-8"));
    reader.entities = Rc::clone(entities);
    reader.fragment = true;
    reader.stage = Stage::Root;
    while reader.next() != Event::Eof {}
    match reader.violation {
        Some(Violation { message, namespace: false, .. }) => Err(message),
        _ => Ok(()),
    }
}

/// Where a long text may be cut: not inside a reference, not inside `]]>`.
fn safe_cut(text: &[u8]) -> usize {
    let tail = text.len().saturating_sub(REFERENCE_LIMIT);
    if let Some(i) = memchr::memrchr(b'&', &text[tail..])
        && tail + i > 0
        && memchr(b';', &text[tail + i..]).is_none()
    {
        return tail + i;
    }
    let brackets = text.iter().rev().take(2).take_while(|b| **b == b']').count();
    if brackets < text.len() { text.len() - brackets } else { text.len() }
}
