//! The index over an in-memory catalogue.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod boxes;
mod catalogue;
mod facets;
mod filters;
mod following;
mod hostile;
mod ranking;
mod relevance;
mod showing;
mod words;
