//! Several crawlers on one run of a shared store: what they must
//! not do, and what they achieve together.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod lab;
mod pool;
mod together;
mod workers;
