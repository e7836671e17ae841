//! Search engines against recorded shapes of their answers, and against everything that goes wrong. All on loopback.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking and its server cannot do without"
)]

/// Answers as the engines give them, one folder each, and bytes that nobody gives.
mod answers;
/// Refusals, quotas, captchas, silence: told with a class and a next step, and never at the cost of others.
mod faults;
/// Kept answers, quotas, pauses, rests.
mod limits;
/// What is asked: addresses, parameters, headers; SearXNG by its own rules.
mod requests;
mod server;
