//! A streaming XML reader for documents written by strangers: it reads what can be read and says
//! truthfully whether the document is well-formed.
//!
//! One tokenizer does both. It was written here, and not built on a parser crate, for three reasons that
//! were measured: the fast crates accept most ill-formed documents (quick-xml: 838 of the 951 of the W3C
//! suite), so a checker that knows every production was needed anyway; running it beside a second
//! tokenizer costs the speed twice; and none of them bounds the size of one token, which a hostile server
//! may make a hundred megabytes long. Here a violation of the grammar is noted, with its place, and
//! reading goes on by the most plausible interpretation.
//!
//! Bounds: tokens ([`TOKEN_LIMIT`]), depth ([`DEPTH_LIMIT`]), elements ([`ELEMENT_LIMIT`]). External
//! entities are never fetched, internal ones never expanded beyond a few characters.

mod chars;
mod charset;
mod declaration;
mod doctype;
mod elements;
mod entities;
mod markup;
mod namespaces;
mod prolog;
mod reader;
mod tags;
#[cfg(test)]
mod tests;
mod text;

pub use charset::{EncodingFault, charset_parameter};
pub use prolog::document_start;
pub use reader::{XmlEvent, XmlReader};
pub use text::tidy_text;

/// The longest tag, declaration or comment that is held in memory. Text has no such limit: it is given
/// in pieces.
pub const TOKEN_LIMIT: usize = 1 << 20;
/// Elements nested deeper are skipped (and the document is not called well-formed, as in libxml2).
pub const DEPTH_LIMIT: usize = 256;
/// Reading stops after so many elements.
pub const ELEMENT_LIMIT: u64 = 20_000_000;

/// The first place where a document breaks the rules of XML 1.0 or of Namespaces in XML 1.0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Line, from 1.
    pub line: u64,
    /// Column in bytes of UTF-8, from 1.
    pub column: u64,
    /// What is wrong, as a phrase.
    pub message: &'static str,
    /// The document is well-formed XML 1.0, only its namespaces are wrong.
    pub namespace: bool,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (line {}, column {})", self.message, self.line, self.column)
    }
}
