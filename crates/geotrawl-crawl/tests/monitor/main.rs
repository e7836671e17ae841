//! The monitor over days: real checks of services that behave in known ways, a real store, a clock that is driven.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

/// One message for one dead host, signed, tried again.
mod alerts;
/// Where services went.
mod moves;
/// Deaths, rebirths, flapping, outages, changes.
mod over_time;
mod world;
