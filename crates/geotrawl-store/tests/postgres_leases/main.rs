//! Several stores on one database: host leases, batches from many sides, budgets.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

/// Links and pages from several sides at once, and broken connections.
mod batches;
/// The page budget of a run shared by many processes.
mod budget;
/// Host leases.
mod loans;
mod world;
