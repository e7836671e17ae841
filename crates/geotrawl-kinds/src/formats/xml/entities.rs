//! References: `&amp;`, `&#228;`, and the entities that a document declares itself.
//!
//! Declared entities are checked once each and never expanded beyond [`EXPAND_LIMIT`] characters of plain
//! text, so an entity bomb costs as much as its own length.

use super::chars::is_char;
use std::collections::HashMap;

/// An entity is put into text only if its own text is at most this long and holds no markup.
const EXPAND_LIMIT: usize = 1024;
/// At most this many declarations are remembered.
const DECLARATION_LIMIT: usize = 10_000;

/// The longest reference: longer ones exist only in hostile documents.
pub const REFERENCE_LIMIT: usize = 1024;

/// What a general entity stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entity {
    /// Text inside the document, character references resolved.
    Internal(String),
    /// A file elsewhere, never fetched.
    External,
    /// Something that is not XML (`NDATA`).
    Unparsed,
}

/// The general entities that a document declares.
#[derive(Debug, Default)]
pub struct Entities {
    declared: HashMap<Box<[u8]>, Entity>,
    /// Declarations may stand in places that are not read (external subset, parameter entities), so an
    /// unknown entity is no violation.
    pub elsewhere: bool,
}

impl Entities {
    /// Remembers a declaration; the first one for a name binds.
    pub fn declare(&mut self, name: &[u8], entity: Entity) {
        if self.declared.len() < DECLARATION_LIMIT {
            self.declared.entry(name.into()).or_insert(entity);
        }
    }

    /// Whether anything was declared.
    pub fn is_empty(&self) -> bool {
        self.declared.is_empty()
    }

    /// What a name stands for.
    pub fn get(&self, name: &[u8]) -> Option<&Entity> {
        self.declared.get(name)
    }

    /// The text of an entity, if it is short and plain.
    pub fn plain(&self, name: &[u8]) -> Option<&str> {
        match self.declared.get(name)? {
            Entity::Internal(text) if text.len() <= EXPAND_LIMIT && !text.contains(['&', '<']) => Some(text),
            _ => None,
        }
    }
}

/// A reference as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference<'s> {
    /// `&#...;`, if it names a character that XML allows.
    Char(char),
    /// `&name;`
    Name(&'s [u8]),
    /// A `&` that begins nothing.
    Broken,
}

/// Reads the reference at the start of `s` (which begins with `&`): what it is and how long.
pub fn reference(s: &[u8]) -> (Reference<'_>, usize) {
    let window = &s[..s.len().min(REFERENCE_LIMIT)];
    let Some(end) = memchr::memchr(b';', window) else { return (Reference::Broken, 1) };
    let name = &s[1..end];
    if let Some(number) = name.strip_prefix(b"#") {
        return match char_reference(number) {
            Some(c) => (Reference::Char(c), end + 1),
            None => (Reference::Broken, 1),
        };
    }
    if super::chars::is_whole_name(name) { (Reference::Name(name), end + 1) } else { (Reference::Broken, 1) }
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

/// The five names that XML itself defines.
pub fn predefined(name: &[u8]) -> Option<char> {
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
        assert_eq!(reference(b"&amp; x"), (Reference::Name(b"amp"), 5));
        assert_eq!(reference(b"&#228;"), (Reference::Char('\u{e4}'), 6));
        assert_eq!(reference(b"&#xE4;"), (Reference::Char('\u{e4}'), 6));
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
            assert_eq!(reference(broken.as_bytes()), (Reference::Broken, 1), "{broken}");
        }
    }

    #[test]
    fn only_short_plain_entities_are_expanded() {
        let mut entities = Entities::default();
        entities.declare(b"a", Entity::Internal("text".into()));
        entities.declare(b"a", Entity::Internal("second".into()));
        entities.declare(b"b", Entity::Internal("&a;&a;".into()));
        entities.declare(b"c", Entity::Internal("x".repeat(5000)));
        entities.declare(b"d", Entity::External);
        assert_eq!(entities.plain(b"a"), Some("text"));
        assert_eq!(entities.plain(b"b"), None);
        assert_eq!(entities.plain(b"c"), None);
        assert_eq!(entities.plain(b"d"), None);
    }
}
