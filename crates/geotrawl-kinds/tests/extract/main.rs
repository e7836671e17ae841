//! Extraction from whole documents.
//!
//! - `fixtures`: every folder below `fixtures/` is a test: a document and what must be found in it.
//! - `hostile`: documents made to break a reader; each ends within its limits.
//! - `oracle`: our tokens against `lol_html`'s on arbitrary markup, and arbitrary bytes everywhere.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod fixtures;
mod hostile;
mod oracle;
