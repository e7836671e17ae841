//! The simulated web over real sockets.

#![expect(clippy::unwrap_used, reason = "a test that cannot start its server has nothing to say")]

/// Map applications: their folder, their hosts, their truth.
mod apps;
/// A small HTTP client and a web served beside the test.
mod client;
/// Hostile responses behave as named, and the server survives its clients.
mod hostile;
/// The log and the reports computed from it.
mod log;
/// The pages agree with the ground truth.
mod selfcheck;
