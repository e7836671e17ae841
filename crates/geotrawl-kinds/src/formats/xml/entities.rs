//! References: `&amp;`, `&#228;`, and the entities that a document declares.
//!
//! Every declared entity is checked once and never expanded beyond [`EXPAND_LIMIT`] bytes of plain
//! text, so an entity bomb costs no more than its own length.

use super::chars::is_char;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// Maximum length of an entity that is expanded into text. It must not contain markup.
const EXPAND_LIMIT: usize = 1024;
/// Maximum number of declarations to keep.
const DECLARATION_LIMIT: usize = 10_000;

/// Maximum length of a reference. Longer ones exist only in hostile documents.
pub const REFERENCE_LIMIT: usize = 1024;

/// Definition of a general entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GeneralEntity {
    /// Text inside the document, with character references resolved.
    Internal(String),
    /// External resource, which is never fetched.
    External,
    /// Resource that is not XML (`NDATA`).
    Unparsed,
}

/// Result of checking an entity, so that each entity is checked once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EntityCheck {
    /// The check is in progress. Reaching the entity again means a cycle.
    Now,
    Done(Result<(), &'static str>),
}

/// Maximum nesting depth of entities.
const NESTING: usize = 32;

/// Default attribute: name and value.
type DefaultAttribute = (Box<[u8]>, String);

/// Declarations of a document: general entities, and namespaces given as default attributes.
#[derive(Debug, std::default::Default)]
pub struct EntityTable {
    declared: HashMap<Box<[u8]>, GeneralEntity>,
    defaults: HashMap<Box<[u8]>, Vec<DefaultAttribute>>,
    /// Whether declarations may exist in parts that are not read (external subset, parameter
    /// entities), so that an unknown entity is not a violation.
    pub elsewhere: bool,
    /// `standalone="yes"`: all declarations are in the document itself.
    pub standalone: bool,
    in_content: RefCell<HashMap<Box<[u8]>, EntityCheck>>,
    in_value: RefCell<HashMap<Box<[u8]>, EntityCheck>>,
    nesting: Cell<usize>,
}

impl EntityTable {
    /// Adds a declaration. The first declaration of a name is binding.
    pub fn declare_entity(&mut self, name: &[u8], entity: GeneralEntity) {
        if self.declared.len() < DECLARATION_LIMIT {
            self.declared.entry(name.into()).or_insert(entity);
        }
    }

    /// Adds a default attribute if it declares a namespace.
    pub fn declare_default_attribute(&mut self, element: &[u8], attribute: &[u8], value: &[u8]) {
        let declares =
            attribute.strip_prefix(b"xmlns").is_some_and(|rest| rest.is_empty() || rest[0] == b':');
        if !declares || self.defaults.len() >= DECLARATION_LIMIT {
            return;
        }
        let defaults = self.defaults.entry(element.into()).or_default();
        if defaults.len() < 64 && !defaults.iter().any(|(name, _)| **name == *attribute) {
            defaults.push((attribute.into(), String::from_utf8_lossy(value).into_owned()));
        }
    }

    /// Returns the default namespace declarations of an element: attribute and namespace.
    #[inline]
    pub fn default_namespaces(&self, element: &[u8]) -> &[DefaultAttribute] {
        if self.defaults.is_empty() {
            return &[];
        }
        self.defaults.get(element).map_or(&[], Vec::as_slice)
    }

    /// Returns the text of an entity if it is short and contains no markup.
    pub fn plain_text(&self, name: &[u8]) -> Option<&str> {
        match self.declared.get(name)? {
            GeneralEntity::Internal(text) if text.len() <= EXPAND_LIMIT && !text.contains(['&', '<']) => {
                Some(text)
            }
            _ => None,
        }
    }

    fn undeclared(&self) -> Result<(), &'static str> {
        if self.elsewhere && !self.standalone { Ok(()) } else { Err("an entity that is not declared") }
    }

    /// Checks a reference `&name;` in content. `check_text` checks the text of an entity as
    /// content.
    pub fn check_in_content(
        &self,
        name: &[u8],
        check_text: impl FnOnce(&str) -> Result<(), &'static str>,
    ) -> Result<(), &'static str> {
        if predefined_entity(name).is_some() {
            return Ok(());
        }
        match self.declared.get(name) {
            None => self.undeclared(),
            Some(GeneralEntity::External) => Ok(()),
            Some(GeneralEntity::Unparsed) => Err("a reference to an unparsed entity"),
            Some(GeneralEntity::Internal(text)) => self.once(&self.in_content, name, || {
                if text.contains(['&', '<', ']']) { check_text(text) } else { Ok(()) }
            }),
        }
    }

    /// Checks an attribute value as written.
    pub fn check_value(&self, value: &[u8]) -> Result<(), &'static str> {
        if memchr::memchr(b'<', value).is_some() {
            return Err("a < in an attribute value");
        }
        let mut rest = value;
        while let Some(i) = memchr::memchr(b'&', rest) {
            let (found, len) = parse_reference(&rest[i..]);
            match found {
                EntityReference::Char(_) => {}
                EntityReference::Broken => return Err("an & that does not start a reference"),
                EntityReference::Name(name) => self.check_in_value(name)?,
            }
            rest = &rest[i + len..];
        }
        Ok(())
    }

    fn check_in_value(&self, name: &[u8]) -> Result<(), &'static str> {
        if predefined_entity(name).is_some() {
            return Ok(());
        }
        match self.declared.get(name) {
            None => self.undeclared(),
            Some(GeneralEntity::External) => Err("an external entity in an attribute value"),
            Some(GeneralEntity::Unparsed) => Err("a reference to an unparsed entity"),
            Some(GeneralEntity::Internal(text)) => {
                self.once(&self.in_value, name, || self.check_value(text.as_bytes()))
            }
        }
    }

    /// Calls `check` the first time, caches its result, and detects cycles.
    fn once(
        &self,
        seen: &RefCell<HashMap<Box<[u8]>, EntityCheck>>,
        name: &[u8],
        check: impl FnOnce() -> Result<(), &'static str>,
    ) -> Result<(), &'static str> {
        match seen.borrow().get(name) {
            Some(EntityCheck::Done(result)) => return *result,
            Some(EntityCheck::Now) => return Err("an entity that uses itself"),
            None => {}
        }
        if self.nesting.get() >= NESTING {
            return Err("entities nested too deep");
        }
        seen.borrow_mut().insert(name.into(), EntityCheck::Now);
        self.nesting.set(self.nesting.get() + 1);
        let result = check();
        self.nesting.set(self.nesting.get() - 1);
        seen.borrow_mut().insert(name.into(), EntityCheck::Done(result));
        result
    }
}

/// Parsed reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntityReference<'s> {
    /// `&#...;`, if it refers to a character that XML allows.
    Char(char),
    /// `&name;`
    Name(&'s [u8]),
    /// A `&` that does not start a reference.
    Broken,
}

/// Parses the reference at the start of `s` (which begins with `&`) and returns it with its length.
pub fn parse_reference(s: &[u8]) -> (EntityReference<'_>, usize) {
    let window = &s[..s.len().min(REFERENCE_LIMIT)];
    let Some(end) = memchr::memchr(b';', window) else { return (EntityReference::Broken, 1) };
    let name = &s[1..end];
    if let Some(number) = name.strip_prefix(b"#") {
        return match char_reference(number) {
            Some(c) => (EntityReference::Char(c), end + 1),
            None => (EntityReference::Broken, 1),
        };
    }
    if super::chars::is_whole_name(name) {
        (EntityReference::Name(name), end + 1)
    } else {
        (EntityReference::Broken, 1)
    }
}

fn char_reference(number: &[u8]) -> Option<char> {
    let (digits, radix) = match number.strip_prefix(b"x") {
        Some(hex) => (hex, 16),
        None => (number, 10),
    };
    if digits.is_empty() {
        return None;
    }
    let mut code = 0u32;
    for &d in digits {
        code = code.checked_mul(radix)?.checked_add(char::from(d).to_digit(radix)?)?;
    }
    char::from_u32(code).filter(|c| is_char(*c))
}

/// Returns the character for one of the five predefined entities.
pub fn predefined_entity(name: &[u8]) -> Option<char> {
    match name {
        b"amp" => Some('&'),
        b"lt" => Some('<'),
        b"gt" => Some('>'),
        b"quot" => Some('"'),
        b"apos" => Some('\''),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_read() {
        assert_eq!(parse_reference(b"&amp; x"), (EntityReference::Name(b"amp"), 5));
        assert_eq!(parse_reference(b"&#228;"), (EntityReference::Char('\u{e4}'), 6));
        assert_eq!(parse_reference(b"&#xE4;"), (EntityReference::Char('\u{e4}'), 6));
        for broken in [
            "& b;",
            "&",
            "&;",
            "&#;",
            "&#x;",
            "&#xZ;",
            "&#0;",
            "&#1;",
            "&#xD800;",
            "&#99999999999;",
            "&a b;",
            "&1;",
        ] {
            assert_eq!(parse_reference(broken.as_bytes()), (EntityReference::Broken, 1), "{broken}");
        }
    }

    #[test]
    fn only_short_plain_entities_are_expanded() {
        let mut entities = EntityTable::default();
        entities.declare_entity(b"a", GeneralEntity::Internal("text".into()));
        entities.declare_entity(b"a", GeneralEntity::Internal("second".into()));
        entities.declare_entity(b"b", GeneralEntity::Internal("&a;&a;".into()));
        entities.declare_entity(b"c", GeneralEntity::Internal("x".repeat(5000)));
        entities.declare_entity(b"d", GeneralEntity::External);
        assert_eq!(entities.plain_text(b"a"), Some("text"));
        assert_eq!(entities.plain_text(b"b"), None);
        assert_eq!(entities.plain_text(b"c"), None);
        assert_eq!(entities.plain_text(b"d"), None);
    }
}
