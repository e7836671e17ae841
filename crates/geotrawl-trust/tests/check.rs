//! Checks from their first request to their verdict, against servers that are written down.

#![expect(clippy::expect_used, reason = "helpers of tests are tests")]

mod cases;
pub mod documents;
mod hostile;
pub mod server;
mod words;
