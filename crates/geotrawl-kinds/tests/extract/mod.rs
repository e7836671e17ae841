//! Extraction from whole documents.
//!
//! - `corpus`: labelled files from the web, if available.
//! - `fixtures`: every folder below `fixtures/` is a test with a document and the expected result.
//! - `hostile`: documents made to break a reader; each must end within its limits.
//! - `known`: links to known pages are omitted, and nothing else is.
//! - `oracle`: our tokens compared with `lol_html` on arbitrary markup, and arbitrary bytes
//!   everywhere.

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
