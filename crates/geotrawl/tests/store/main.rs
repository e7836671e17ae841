//! Copies between kinds of stores, backups of a store in use, and distribution over nodes, end to
//! end.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking and says what it measured"
)]

/// Backups made during a crawl, with the commands of the guide.
mod backup;
/// Distribution with Citus.
mod distribute;
mod ground;
/// Copies from a directory to a database and back, in the middle of a crawl.
mod moving;
