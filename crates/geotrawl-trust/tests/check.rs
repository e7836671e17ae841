//! Checks from their first request to their verdict, against servers that are written down.

#![expect(clippy::expect_used, reason = "helpers of tests are tests")]

#[path = "check/cases.rs"]
mod cases;
#[path = "check/documents.rs"]
mod documents;
#[path = "check/hostile.rs"]
mod hostile;
#[path = "check/server.rs"]
mod server;
#[path = "check/words.rs"]
mod words;
