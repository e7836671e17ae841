//! The simulated web over real sockets.

#![expect(clippy::unwrap_used, reason = "a test that cannot start its server has nothing to say")]

/// Map applications: their folder, their hosts, their truth.
mod apps;
/// A small HTTP client and a web served beside the test.
mod client;
/// Hostile answers do what their names say, and the server survives its clients.
mod hostile;
/// The log and what is computed from it.
mod log;
/// What pages show agrees with the truth.
mod selfcheck;
