//! What operators rely on, on the built binary: finds on every node, lines of the log, traces, health.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking and says what it measured"
)]

/// Health and figures of processes that serve nothing else.
mod health;
/// What one process finds is shown by all.
mod live;
/// Lines for machines.
mod logs;
/// Spans at a collector.
mod traces;
/// A simulated web, processes of the program, and a plain client.
mod world;
