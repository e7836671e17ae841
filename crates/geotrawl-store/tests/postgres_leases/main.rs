//! Several stores on one database: loans of hosts, batches from many sides, budgets.

#![expect(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![expect(clippy::print_stdout, reason = "a test that is left out says so")]

/// Links and pages from several sides at once, and connections that break.
mod batches;
/// Pages of a run that many processes share.
mod budget;
/// Hosts on loan.
mod loans;
#[path = "../pg/mod.rs"]
#[expect(dead_code, reason = "shared with other test targets")]
mod pg;
mod world;
