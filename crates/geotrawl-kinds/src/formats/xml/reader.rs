//! The tokenizer: keeps a window over the stream, returns one event at a time, and records
//! violations.

use super::chars::{all_space, is_space};
use super::charset::Utf8Source;
use super::entities::EntityTable;
use super::namespaces::{NamespaceScope, split_name};
use super::prolog::document_start;
use super::tags::AttrSpan;
use super::text::{append_resolved, push_utf8};
use super::{TOKEN_LIMIT, Violation};
use memchr::memmem;
use std::borrow::Cow;
use std::io::Read;
use std::rc::Rc;

/// Size of the window. It grows only for a long token, up to [`TOKEN_LIMIT`].
const WINDOW: usize = 128 * 1024;

/// Type of an event. The [`XmlReader`] holds its name, attributes and text until the next event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum XmlEvent {
    /// Start of an element.
    Start,
    /// End of the innermost element. Every start has exactly one end, even in broken documents.
    End,
    /// Character data or a CDATA section of the innermost element, or a piece of it.
    Text,
    /// A comment.
    Comment,
    /// End of the document.
    Eof,
}

/// How much of the document has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DocumentStage {
    Fresh,
    Prolog,
    Root,
    After,
    Ended,
}

/// Pull reader over a stream. See the module documentation for what it tolerates.
pub struct XmlReader<'r> {
    pub(super) source: Utf8Source<'r>,
    pub(super) window: Vec<u8>,
    pub(super) pos: usize,
    pub(super) end: usize,
    pub(super) eof: bool,
    /// Number of decoded bytes that have left the window, and of the lines in them.
    pub(super) gone: u64,
    pub(super) lines_gone: u64,
    /// Absolute offset of the last line start that has left the window.
    pub(super) line_start: u64,

    pub(super) stage: DocumentStage,
    /// Start and end of the current token.
    pub(super) token: (usize, usize),
    pub(super) name_end: usize,
    pub(super) attrs: Vec<AttrSpan>,
    /// Whether the current text needs no decoding: CDATA, or text without references.
    pub(super) literal: bool,
    pub(super) pending_ends: usize,

    /// Concatenated names of the open elements.
    pub(super) open_names: Vec<u8>,
    pub(super) open_starts: Vec<usize>,
    /// Number of open elements beyond the depth limit.
    pub(super) too_deep: u64,
    pub(super) elements: u64,

    pub(super) namespaces: NamespaceScope,
    pub(super) entities: Rc<EntityTable>,
    /// Whether this is the text of an entity rather than a document, so that no single root is
    /// required.
    pub(super) fragment: bool,
    pub(super) doctype_seen: bool,
    pub(super) doctype_name: Option<String>,
    pub(super) violation: Option<Violation>,
    pub(super) unresolved: bool,
}

impl<'r> XmlReader<'r> {
    /// Creates a reader over `input`. `http_charset` is the charset from the HTTP header, if any.
    pub fn new(input: &'r mut dyn Read, http_charset: Option<&str>) -> Self {
        Self {
            source: Utf8Source::new(input, http_charset),
            window: vec![0; WINDOW],
            pos: 0,
            end: 0,
            eof: false,
            gone: 0,
            lines_gone: 0,
            line_start: 0,
            stage: DocumentStage::Fresh,
            token: (0, 0),
            name_end: 0,
            attrs: Vec::new(),
            literal: false,
            pending_ends: 0,
            open_names: Vec::new(),
            open_starts: Vec::new(),
            too_deep: 0,
            elements: 0,
            namespaces: NamespaceScope::default(),
            entities: Rc::default(),
            fragment: false,
            doctype_seen: false,
            doctype_name: None,
            violation: None,
            unresolved: false,
        }
    }

    /// Returns the first violation so far. The verdict is final at [`XmlEvent::Eof`].
    pub fn violation(&self) -> Option<&Violation> {
        self.violation.as_ref()
    }

    /// Returns whether the document is well-formed so far, including its namespaces.
    pub fn is_well_formed(&self) -> bool {
        self.violation.is_none()
    }

    /// Returns the name of the encoding.
    pub fn encoding(&self) -> &'static str {
        self.source.encoding()
    }

    /// Returns whether the stream ended with an error.
    pub fn has_read_error(&self) -> bool {
        self.source.read_error().is_some()
    }

    /// Returns whether the input has ended. Element ends from here on are missing in the document.
    pub fn is_at_end(&self) -> bool {
        self.stage == DocumentStage::Ended
    }

    /// Returns whether there were references that could not be expanded.
    pub fn has_unresolved_entities(&self) -> bool {
        self.unresolved
    }

    /// Returns the root element announced by a document type declaration, even by one that never
    /// ends.
    pub fn doctype_name(&self) -> Option<&str> {
        self.doctype_name.as_deref()
    }

    /// Returns the number of elements started so far.
    pub fn element_count(&self) -> u64 {
        self.elements
    }

    /// Returns the depth of the innermost open element. The root has depth 1.
    pub fn depth(&self) -> usize {
        self.open_starts.len()
    }

    /// Returns the qualified name, after [`XmlEvent::Start`].
    #[inline]
    pub fn name(&self) -> &[u8] {
        &self.window[self.token.0 + 1..self.token.0 + self.name_end]
    }

    /// Returns the local name, after [`XmlEvent::Start`].
    #[inline]
    pub fn local_name(&self) -> &[u8] {
        split_name(self.name()).1
    }

    /// Returns the namespace of the element, after [`XmlEvent::Start`].
    pub fn namespace(&self) -> Option<&str> {
        self.namespaces.resolve_prefix(split_name(self.name()).0)
    }

    /// Returns the value of the attribute with this qualified name, after [`XmlEvent::Start`].
    pub fn attr(&self, name: &str) -> Option<Cow<'_, str>> {
        self.find_attr(|n| n == name.as_bytes())
    }

    /// Returns the value of the attribute with this local name, after [`XmlEvent::Start`]. Ignores
    /// prefix and case.
    pub fn attr_by_local_name(&self, local: &str) -> Option<Cow<'_, str>> {
        let local = local.as_bytes();
        self.find_attr(|n| {
            n.len() >= local.len()
                && n[n.len() - local.len()..].eq_ignore_ascii_case(local)
                && (n.len() == local.len() || n[n.len() - local.len() - 1] == b':')
        })
    }

    fn find_attr(&self, wanted: impl Fn(&[u8]) -> bool) -> Option<Cow<'_, str>> {
        let tag = self.token_bytes();
        let attr = self.attrs.iter().find(|a| wanted(a.name(tag)))?;
        Some(self.resolve_text(attr.value(tag), attr.care))
    }

    /// Returns all attributes with their qualified names, after [`XmlEvent::Start`].
    pub fn attrs(&self) -> impl Iterator<Item = (&[u8], Cow<'_, str>)> {
        let tag = self.token_bytes();
        self.attrs.iter().map(move |a| (a.name(tag), self.resolve_text(a.value(tag), a.care)))
    }

    pub(super) fn resolve_text<'s>(&'s self, raw: &'s [u8], care: bool) -> Cow<'s, str> {
        if care {
            let mut out = String::with_capacity(raw.len());
            append_resolved(raw, &self.entities, &mut out);
            Cow::Owned(out)
        } else {
            String::from_utf8_lossy(raw)
        }
    }

    #[inline]
    fn token_bytes(&self) -> &[u8] {
        &self.window[self.token.0..self.token.1]
    }

    /// Appends the text until `out` holds `limit` bytes, with references resolved, after
    /// [`XmlEvent::Text`].
    pub fn append_text(&self, out: &mut String, limit: usize) {
        let mut raw = self.token_bytes();
        let room = limit.saturating_sub(out.len());
        if raw.len() > room {
            let mut cut = room;
            while cut > 0 && raw[cut] & 0xC0 == 0x80 {
                cut -= 1;
            }
            raw = &raw[..cut];
        }
        if self.literal {
            push_utf8(out, raw);
        } else {
            append_resolved(raw, &self.entities, out);
        }
    }

    /// Returns the bytes as written, after [`XmlEvent::Comment`] or [`XmlEvent::Text`].
    pub fn raw_bytes(&self) -> &[u8] {
        self.token_bytes()
    }

    /// Returns the next event.
    #[expect(
        clippy::should_implement_trait,
        reason = "an event borrows nothing, its details are read from the reader"
    )]
    #[inline]
    pub fn next(&mut self) -> XmlEvent {
        if self.pending_ends > 0 {
            self.pending_ends -= 1;
            self.pop_element();
            return XmlEvent::End;
        }
        loop {
            if self.stage == DocumentStage::Fresh {
                self.begin();
            }
            if self.stage == DocumentStage::Ended {
                return XmlEvent::Eof;
            }
            if self.pos == self.end && !self.read_more() {
                return self.finish();
            }
            let event = if self.window[self.pos] == b'<' { self.read_markup() } else { self.read_text() };
            if let Some(event) = event {
                return event;
            }
        }
    }

    /// Reads more input, so that a token that was too long for the window may fit. Returns `false`
    /// at the end of the stream. At least doubles the window, so that rescanning a token stays
    /// linear.
    #[cold]
    pub(super) fn read_more(&mut self) -> bool {
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
        // `Utf8Source::fill` needs room for at least 16 bytes.
        while self.end < wanted && self.window.len() - self.end >= 16 {
            let n = self.source.fill(&mut self.window[self.end..]);
            if n == 0 {
                self.eof = true;
                break;
            }
            self.end += n;
        }
        if let Some((fault, at)) = self.source.fault() {
            self.note_violation(at.saturating_sub(self.gone) as usize, fault.message());
        }
        self.end > before
    }

    /// Frees the memory of a long token.
    pub(super) fn shrink_window(&mut self) {
        if self.window.len() > 2 * WINDOW && self.end - self.pos < WINDOW {
            self.read_more();
            if self.end <= WINDOW {
                self.window.truncate(WINDOW);
                self.window.shrink_to_fit();
            }
        }
    }

    /// Records a violation at an offset in the window. Only the first one is kept.
    #[cold]
    pub(super) fn note_violation(&mut self, at: usize, message: &'static str) {
        self.note_violation_as(at, message, false);
    }

    #[cold]
    pub(super) fn note_violation_as(&mut self, at: usize, message: &'static str, namespace: bool) {
        // A syntax error replaces a namespace error, since it says more.
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

    fn begin(&mut self) {
        self.stage = DocumentStage::Prolog;
        self.read_more();
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
                    self.note_violation(0, message);
                }
                self.pos = start;
            }
            None => {}
        }
        let head = &self.window[self.pos..self.end];
        if head.starts_with(b"<?xml") && head.get(5).is_some_and(|b| is_space(*b)) {
            let len = memmem::find(head, b"?>").map_or(head.len(), |i| i + 2);
            let declaration = super::declaration::parse_declaration(&head[..len]);
            if let Some(message) = declaration.fault {
                self.note_violation(self.pos, message);
            }
            if let Some(entities) = Rc::get_mut(&mut self.entities) {
                entities.standalone = declaration.standalone;
            }
            self.pos += len;
        }
    }

    #[cold]
    fn finish(&mut self) -> XmlEvent {
        if self.stage == DocumentStage::Prolog && !self.fragment {
            self.note_violation(self.end, "no root element");
        }
        if !self.open_starts.is_empty() || self.too_deep > 0 {
            self.note_violation(self.end, "the document ends before its elements do");
            self.too_deep = 0;
            self.pending_ends = self.open_starts.len().saturating_sub(1);
            self.pop_element();
            self.stage = DocumentStage::Ended;
            return XmlEvent::End;
        }
        if self.source.read_error().is_some() {
            self.note_violation(self.end, "the transfer was interrupted");
        }
        self.stage = DocumentStage::Ended;
        XmlEvent::Eof
    }

    pub(super) fn pop_element(&mut self) {
        if let Some(start) = self.open_starts.pop() {
            self.open_names.truncate(start);
            self.namespaces.close_scope(self.open_starts.len() as u32);
            if self.open_starts.is_empty() && self.stage == DocumentStage::Root && !self.fragment {
                self.stage = DocumentStage::After;
            }
        }
    }
}
