//! Text, comments, CDATA, processing instructions and declarations.

use super::chars::{
    all_space, find_bad_char, is_name, is_space, may_start_name, name_run, space_run, text_needs_care,
};
use super::doctype;
use super::entities::{EntityReference, EntityTable, REFERENCE_LIMIT, parse_reference, predefined_entity};
use super::reader::{DocumentStage, XmlEvent, XmlReader};
use super::text::html_entity;
use super::{TOKEN_LIMIT, Violation};
use memchr::{memchr, memmem};
use std::rc::Rc;

/// Maximum length of text that is returned in one piece.
const TEXT_PIECE: usize = 64 * 1024;

impl XmlReader<'_> {
    pub(super) fn read_text(&mut self) -> Option<XmlEvent> {
        // Most text is white space between elements.
        let spaces = space_run(&self.window[self.pos..self.end]);
        if self.window.get(self.pos + spaces) == Some(&b'<') && self.pos + spaces < self.end {
            self.pos += spaces;
            return None;
        }
        let len = loop {
            let rest = &self.window[self.pos..self.end];
            match memchr(b'<', rest) {
                Some(i) => break i,
                None if rest.len() < TEXT_PIECE && self.read_more() => {}
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
            self.note_violation(from, "text outside the root element");
            return None;
        }
        let care = text_needs_care(text);
        if care {
            self.check_text(from, self.pos);
        }
        if self.too_deep > 0 {
            return None;
        }
        self.literal = !care;
        self.token = (from, self.pos);
        Some(XmlEvent::Text)
    }

    /// Checks text that contains references, brackets or control characters.
    fn check_text(&mut self, from: usize, to: usize) {
        if self.violation.as_ref().is_none_or(|v| v.namespace) {
            let text = &self.window[from..to];
            if let Some(i) = memmem::find(text, b"]]>") {
                self.note_violation(from + i, "]]> in text");
            }
            let text = &self.window[from..to];
            if let Some(i) = find_bad_char(text) {
                self.note_violation(from + i, "a character that XML does not allow");
            }
        }
        self.check_references(from, to);
    }

    fn check_references(&mut self, from: usize, to: usize) {
        let mut at = from;
        while let Some(i) = memchr(b'&', &self.window[at..to]) {
            at += i;
            let (reference, len) = parse_reference(&self.window[at..to]);
            let fault = match reference {
                EntityReference::Char(_) => None,
                EntityReference::Broken => Some("an & that does not start a reference"),
                EntityReference::Name(name) => {
                    if predefined_entity(name).is_none() {
                        self.unresolved |=
                            self.entities.plain_text(name).is_none() && html_entity(name).is_none();
                    }
                    let entities = &self.entities;
                    entities.check_in_content(name, |text| check_fragment(text, entities)).err()
                }
            };
            if let Some(message) = fault {
                self.note_violation(at, message);
            }
            at += len;
        }
    }

    pub(super) fn read_markup(&mut self) -> Option<XmlEvent> {
        if self.end - self.pos < 10 {
            self.read_more();
        }
        let rest = &self.window[self.pos..self.end];
        match rest.get(1) {
            Some(b'/') => self.end_tag(),
            Some(b'!') if rest.starts_with(b"<!--") => self.comment(),
            Some(b'!') if rest.starts_with(b"<![CDATA[") => self.cdata(),
            Some(b'!') if rest.len() >= 9 && rest[..9].eq_ignore_ascii_case(b"<!DOCTYPE") => self.doctype(),
            Some(b'!') => self.skip_markup("a declaration in the wrong place"),
            Some(b'?') => self.instruction(),
            Some(b) if may_start_name(*b) => self.start_tag(),
            _ => self.stray(),
        }
    }

    /// Treats a `<` that does not start markup as text, as the author meant it.
    #[cold]
    fn stray(&mut self) -> Option<XmlEvent> {
        self.note_violation(self.pos, "a < that does not start a tag");
        let from = self.pos;
        self.pos += 1;
        if self.open_starts.is_empty() || self.too_deep > 0 {
            return None;
        }
        self.literal = true;
        self.token = (from, self.pos);
        Some(XmlEvent::Text)
    }

    #[cold]
    fn skip_markup(&mut self, message: &'static str) -> Option<XmlEvent> {
        self.note_violation(self.pos, message);
        self.skip_past(b">")
    }

    /// Skips everything up to and including `needle`, in bounded memory.
    fn skip_past(&mut self, needle: &[u8]) -> Option<XmlEvent> {
        loop {
            let rest = &self.window[self.pos..self.end];
            if let Some(i) = memmem::find(rest, needle) {
                self.pos += i + needle.len();
                self.shrink_window();
                return None;
            }
            self.pos = self.end.saturating_sub(needle.len() - 1).max(self.pos);
            if !self.read_more() {
                self.pos = self.end;
                self.note_violation(self.end, "the document ends inside markup");
                return None;
            }
        }
    }

    /// Reads on until `find` returns the end of the token at `pos`, or `None` if it is too long or
    /// never ends.
    pub(super) fn find_token_end(&mut self, find: impl Fn(&[u8]) -> Option<usize>) -> Option<usize> {
        loop {
            if let Some(len) = find(&self.window[self.pos..self.end]) {
                return Some(len);
            }
            if self.end - self.pos > TOKEN_LIMIT || !self.read_more() {
                return None;
            }
        }
    }

    fn comment(&mut self) -> Option<XmlEvent> {
        let Some(len) = self.find_token_end(|s| memmem::find(s.get(4..)?, b"-->").map(|i| i + 7)) else {
            return self.skip_oversized(b"-->");
        };
        let from = self.pos + 4;
        let to = self.pos + len - 3;
        self.pos += len;
        let inside = &self.window[from..to];
        if memmem::find(inside, b"--").is_some() || inside.last() == Some(&b'-') {
            self.note_violation(from, "two hyphens in a comment");
        } else if let Some(i) = find_bad_char(inside) {
            self.note_violation(from + i, "a character that XML does not allow");
        }
        self.token = (from, to);
        Some(XmlEvent::Comment)
    }

    /// Skips a token that never ends or exceeds the limit.
    #[cold]
    pub(super) fn skip_oversized(&mut self, needle: &[u8]) -> Option<XmlEvent> {
        let message =
            if self.eof { "the document ends inside markup" } else { "a token longer than a megabyte" };
        self.note_violation(self.pos, message);
        self.pos = (self.pos + 2).min(self.end);
        self.skip_past(needle)
    }

    fn cdata(&mut self) -> Option<XmlEvent> {
        if self.open_starts.is_empty() && !self.fragment {
            self.note_violation(self.pos, "a CDATA section outside the root element");
        }
        let Some(len) = self.find_token_end(|s| memmem::find(s.get(9..)?, b"]]>").map(|i| i + 12)) else {
            return self.skip_oversized(b"]]>");
        };
        let from = self.pos + 9;
        let to = self.pos + len - 3;
        self.pos += len;
        if let Some(i) = find_bad_char(&self.window[from..to]) {
            self.note_violation(from + i, "a character that XML does not allow");
        }
        if self.open_starts.is_empty() || self.too_deep > 0 || from == to {
            return None;
        }
        self.literal = true;
        self.token = (from, to);
        Some(XmlEvent::Text)
    }

    fn instruction(&mut self) -> Option<XmlEvent> {
        let Some(len) = self.find_token_end(|s| memmem::find(s.get(2..)?, b"?>").map(|i| i + 4)) else {
            return self.skip_oversized(b"?>");
        };
        let from = self.pos + 2;
        let inside = &self.window[from..self.pos + len - 2];
        let (run, high) = name_run(inside);
        let target = &inside[..run];
        let fault = if !is_name(target, high) {
            Some("a processing instruction without a valid target")
        } else if target.eq_ignore_ascii_case(b"xml") {
            Some("an XML declaration that is not at the start")
        } else if run < inside.len() && !is_space(inside[run]) {
            Some("no white space after the target of a processing instruction")
        } else if find_bad_char(inside).is_some() {
            Some("a character that XML does not allow")
        } else {
            None
        };
        let colon = target.contains(&b':');
        match fault {
            Some(message) => self.note_violation(from, message),
            None if colon => {
                self.note_violation_as(from, "a colon in the target of a processing instruction", true);
            }
            None => {}
        }
        self.pos += len;
        None
    }

    fn doctype(&mut self) -> Option<XmlEvent> {
        if self.stage != DocumentStage::Prolog || self.doctype_seen {
            self.note_violation(self.pos, "a document type declaration in the wrong place");
        }
        self.doctype_seen = true;
        let after = self.window[self.pos + 9..self.end].trim_ascii_start();
        let name = &after[..name_run(after).0];
        self.doctype_name = Some(String::from_utf8_lossy(&name[..name.len().min(256)]).into_owned());
        let Some(len) = self.find_token_end(doctype::find_doctype_end) else {
            if let Some(entities) = Rc::get_mut(&mut self.entities) {
                entities.elsewhere = true;
            }
            return self.skip_oversized(b">");
        };
        let token = &self.window[self.pos..self.pos + len];
        let fault = Rc::get_mut(&mut self.entities).and_then(|entities| {
            let standalone = entities.standalone;
            doctype::parse_doctype(token, standalone, entities)
        });
        if let Some(fault) = fault {
            self.note_violation_as(self.pos + fault.at, fault.message, fault.namespace);
        }
        self.pos += len;
        self.shrink_window();
        None
    }
}

/// Checks that the text of an entity is valid content: elements closed, references valid. Ignores
/// namespaces, since the prefixes may be declared where the entity is used.
fn check_fragment(text: &str, entities: &Rc<EntityTable>) -> Result<(), &'static str> {
    let mut input = text.as_bytes();
    let mut reader = XmlReader::new(&mut input, Some("utf-8"));
    reader.entities = Rc::clone(entities);
    reader.fragment = true;
    reader.stage = DocumentStage::Root;
    while reader.next() != XmlEvent::Eof {}
    match reader.violation {
        Some(Violation { message, namespace: false, .. }) => Err(message),
        _ => Ok(()),
    }
}

/// Returns where a long text may be split: not inside a reference and not inside `]]>`.
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
