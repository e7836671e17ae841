//! Start and end tags: the element tree, attributes and namespaces.

use super::chars::{all_space, find_bad_char, name_run};
use super::namespaces::{is_qualified, split_name};
use super::reader::{DocumentStage, XmlEvent, XmlReader};
use super::tags::{TagScan, find_duplicate, scan_start_tag};
use super::{DEPTH_LIMIT, ELEMENT_LIMIT, TOKEN_LIMIT};
use memchr::memchr;
use std::rc::Rc;

impl XmlReader<'_> {
    pub(super) fn start_tag(&mut self) -> Option<XmlEvent> {
        let (len, name_end, empty, fault) = loop {
            match scan_start_tag(&self.window[self.pos..self.end], &mut self.attrs) {
                TagScan::Whole { len, name_end, empty, fault } => break (len, name_end, empty, fault),
                TagScan::Incomplete if self.end - self.pos <= TOKEN_LIMIT && self.read_more() => {}
                TagScan::Incomplete => return self.skip_oversized(b">"),
            }
        };
        if let Some((at, message)) = fault {
            self.note_violation(self.pos + at, message);
        }
        let from = self.pos;
        self.token = (from, from + len);
        self.name_end = name_end;
        self.pos += len;
        self.elements += 1;
        if self.elements > ELEMENT_LIMIT {
            self.note_violation(from, "too many elements");
            self.pos = self.end;
            self.eof = true;
            return None;
        }
        match self.stage {
            DocumentStage::Prolog => self.stage = DocumentStage::Root,
            DocumentStage::After => {
                self.note_violation(from, "a second root element");
                self.stage = DocumentStage::Root;
            }
            _ => {}
        }
        if self.open_starts.len() >= DEPTH_LIMIT {
            self.note_violation(from, "elements nested too deep");
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
        Some(XmlEvent::Start)
    }

    /// Applies namespaces that the document type declares for this element, unless the element
    /// declares them.
    fn default_namespaces(&mut self) {
        let (from, to) = self.token;
        let entities = Rc::clone(&self.entities);
        let name = &self.window[from + 1..from + self.name_end];
        let depth = self.open_starts.len() as u32;
        for (attribute, uri) in entities.default_namespaces(name) {
            let tag = &self.window[from..to];
            if !self.attrs.iter().any(|a| a.name(tag) == &**attribute) {
                self.namespaces.declare_prefix(attribute, uri.trim(), depth);
            }
        }
    }

    fn check_element_prefix(&mut self) {
        let from = self.token.0;
        let name = &self.window[from + 1..from + self.name_end];
        let (prefix, local) = split_name(name);
        if prefix.is_empty() && local.len() == name.len() {
            return;
        }
        if !is_qualified(prefix, local) {
            self.note_violation_as(from + 1, "an element name that is not a valid qualified name", true);
        } else if !self.namespaces.is_bound(prefix) {
            self.note_violation_as(from + 1, "an element with a prefix that is not declared", true);
        }
    }

    fn check_attributes(&mut self) {
        let (from, to) = self.token;
        if self.attrs.len() > 1
            && let Some(at) = find_duplicate(&self.window[from..to], &self.attrs)
        {
            self.note_violation(from + at, "two attributes with the same name");
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
                let uri = self.resolve_text(attr.value(tag), attr.care).into_owned();
                let name = attr.name(&self.window[from..to]);
                if let Some(message) = self.namespaces.declare_prefix(name, uri.trim(), depth) {
                    self.note_violation_as(from + attr.name_at(), message, true);
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
            self.note_violation(from, message);
        } else if let Some(i) = find_bad_char(value) {
            self.note_violation(from + i, "a character that XML does not allow");
        }
    }

    fn check_attribute_prefixes(&mut self, prefixed: usize) {
        let (from, to) = self.token;
        let mut fault = None;
        let mut expanded: Vec<(&str, &[u8])> = Vec::new();
        let tag = &self.window[from..to];
        for attr in &self.attrs {
            let name = attr.name(tag);
            let (prefix, local) = split_name(name);
            if local.len() == name.len() || prefix == b"xmlns" {
                continue;
            }
            if !is_qualified(prefix, local) {
                fault =
                    fault.or(Some((attr.name_at(), "an attribute name that is not a valid qualified name")));
                continue;
            }
            match self.namespaces.resolve_prefix(prefix) {
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
            self.note_violation_as(from + at, message, true);
        }
    }

    pub(super) fn end_tag(&mut self) -> Option<XmlEvent> {
        // Fast path: the name of the innermost element and nothing else.
        if self.too_deep == 0
            && let Some(&start) = self.open_starts.last()
        {
            let name = &self.open_names[start..];
            let after = &self.window[self.pos + 2..self.end];
            if after.get(name.len()) == Some(&b'>') && after.starts_with(name) {
                self.pos += name.len() + 3;
                self.pop_element();
                return Some(XmlEvent::End);
            }
        }
        let Some(len) = self.find_token_end(|s| memchr(b'>', s).map(|i| i + 1)) else {
            return self.skip_oversized(b">");
        };
        let from = self.pos;
        self.pos += len;
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return None;
        }
        let inside = &self.window[from + 2..from + len - 1];
        let Some(&start) = self.open_starts.last() else {
            self.note_violation(from, "an end tag without a start tag");
            return None;
        };
        if inside == &self.open_names[start..] {
            self.pop_element();
            return Some(XmlEvent::End);
        }
        let (run, _) = name_run(inside);
        let (name, rest) = inside.split_at(run);
        let clean = all_space(rest);
        if clean && name == &self.open_names[start..] {
            self.pop_element();
            return Some(XmlEvent::End);
        }
        // Close the nearest open element with this name. If there is none, ignore the tag.
        let mut to = self.open_names.len();
        let mut closes = None;
        for (level, &s) in self.open_starts.iter().enumerate().rev() {
            if &self.open_names[s..to] == name {
                closes = Some(level);
                break;
            }
            to = s;
        }
        self.note_violation(from, "an end tag that does not match its start tag");
        let level = closes?;
        self.pending_ends = self.open_starts.len() - 1 - level;
        self.pop_element();
        Some(XmlEvent::End)
    }
}
