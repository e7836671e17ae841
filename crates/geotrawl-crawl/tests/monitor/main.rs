//! Tests the monitor over days: real checks of services with known
//! behaviour, a real store, a test clock.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

/// One signed message per dead host, with retries.
mod alerts;
/// Services that moved.
mod moves;
/// Services that die, recover, flap, fail briefly or change.
mod over_time;
mod world;
