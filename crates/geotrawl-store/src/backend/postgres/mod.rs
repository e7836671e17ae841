//! The shared store: a schema of a PostgreSQL database with PostGIS.
//!
//! Any number of processes on any number of machines use it at once. What is not the frontier runs the same SQL as
//! the embedded store.

pub mod frontier;
pub(crate) mod location;
pub(crate) mod pool;
mod tls;
