//! Several crawlers on one run of a shared store: what one of them must not do, and what all of them must reach
//! together.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod lab;
mod pool;
mod together;
mod workers;
