//! A streaming XML reader for untrusted documents: it reads what can be read and reports reliably
//! whether the document is well-formed.
//!
//! One tokenizer does both. It is not built on a parser crate for three measured reasons: the fast
//! crates accept most ill-formed documents (quick-xml: 838 of the 951 in the W3C suite), so a
//! checker that knows every production was needed anyway; running it beside a second tokenizer
//! doubles the time; and none of them limits the size of a token, which a hostile server may make a
//! hundred megabytes long. This reader records the position of a violation and continues with the
//! most plausible interpretation.
//!
//! Limits: tokens ([`TOKEN_LIMIT`]), depth ([`DEPTH_LIMIT`]), elements ([`ELEMENT_LIMIT`]).
//! External entities are never fetched, internal ones never expanded beyond a short text.

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

/// Maximum length of a tag, declaration or comment. Text has no such limit: it is returned in
/// pieces.
pub const TOKEN_LIMIT: usize = 1 << 20;
/// Maximum depth. Deeper elements are skipped, and the document counts as ill-formed, as in
/// libxml2.
pub const DEPTH_LIMIT: usize = 256;
/// Maximum number of elements. Reading stops there.
pub const ELEMENT_LIMIT: u64 = 20_000_000;

/// First violation of XML 1.0 or of Namespaces in XML 1.0 in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Line, from 1.
    pub line: u64,
    /// Column in bytes of UTF-8, from 1.
    pub column: u64,
    /// Description of the violation, as a phrase.
    pub message: &'static str,
    /// Whether the document is well-formed XML 1.0 and only its namespaces are wrong.
    pub namespace: bool,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (line {}, column {})", self.message, self.line, self.column)
    }
}
