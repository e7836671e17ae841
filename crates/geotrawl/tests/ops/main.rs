//! Operation of the built binary: live events on every node, log lines, traces, health.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking and says what it measured"
)]

/// Health and metrics of processes without a web application.
mod health;
/// Live events across processes.
mod live;
/// JSON log lines.
mod logs;
/// Traces.
mod traces;
/// A simulated web, processes of the program, and a plain HTTP client.
mod world;
