//! Search engines against recorded shapes of their answers, and against everything that goes wrong. All on loopback.

#![expect(clippy::unwrap_used, reason = "a test server that cannot start fails the test")]

/// Answers as the engines give them, one folder each, and bytes that nobody gives.
mod answers;
/// Refusals, quotas, captchas, silence: told with a class and a next step, and never at the cost of others.
mod faults;
/// Kept answers, quotas, pauses, rests.
mod limits;
/// What is asked: addresses, parameters, headers; SearXNG by its own rules.
mod requests;
mod server;
