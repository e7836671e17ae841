//! Shared parts of the tests of all crates: required tools, builders, a clock, a PostgreSQL server,
//! stores on both engines, the built binary, a simulated web with its request log.
//!
//! A dev-dependency only: nothing that ships depends on it. Each part is a feature, so that a crate
//! builds only what its tests use. Crates that the kit depends on can use it only in integration
//! tests; in their unit tests, the types returned by the kit differ from those of the crate.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::return_self_not_must_use,
    reason = "tests fail by panicking and print what they skip; builders are used at once"
)]

#[cfg(feature = "builders")]
pub mod builders;
#[cfg(feature = "builders")]
mod clock;
#[cfg(feature = "documents")]
pub mod documents;
#[cfg(feature = "postgres")]
pub mod postgres;
#[cfg(feature = "store")]
mod program;
#[cfg(feature = "store")]
mod store;
mod tools;
#[cfg(feature = "web")]
mod web;

#[cfg(feature = "builders")]
pub use clock::TestClock;
#[cfg(feature = "store")]
pub use program::{CommandOutput, geotrawl_command, run_command};
#[cfg(feature = "store")]
pub use store::{Engine, TestStore};
pub use tools::{require_tool, skips_are_allowed};
#[cfg(feature = "web")]
pub use web::{ServedSimWeb, ServedSite};
