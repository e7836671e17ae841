//! Extraction from whole documents.
//!
//! - `corpus`: labelled files of the real web, where they are at hand.
//! - `fixtures`: every folder below `fixtures/` is a test: a document and what must be found in it.
//! - `hostile`: documents made to break a reader; each ends within its limits.
//! - `known`: pages that are known already are left out, and nothing else is.
//! - `oracle`: our tokens against `lol_html`'s on arbitrary markup, and arbitrary bytes everywhere.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking and says what it skipped"
)]

mod corpus;
mod fixtures;
mod hostile;
mod known;
mod oracle;
