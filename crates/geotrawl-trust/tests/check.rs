//! Checks from the first request to the verdict, against simulated servers.

#![expect(clippy::expect_used, reason = "helpers of tests are tests")]

mod cases;
pub mod documents;
mod hostile;
pub mod server;
mod words;
