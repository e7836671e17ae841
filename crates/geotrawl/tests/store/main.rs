//! The store as a whole, end to end: moved between kinds, backed up and restored while it is used, spread over nodes.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking and says what it measured"
)]

/// Backups made while a crawl goes on, by the commands of the guide.
mod backup;
/// Citus.
mod distribute;
mod ground;
/// From a directory to a database and back, in the middle of a crawl.
mod moving;
