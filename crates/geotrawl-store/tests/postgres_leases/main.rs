//! Several stores on one database: loans of hosts, batches from many sides, budgets.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

/// Links and pages from several sides at once, and connections that break.
mod batches;
/// Pages of a run that many processes share.
mod budget;
/// Hosts on loan.
mod loans;
mod world;
