//! The shared store: PostgreSQL, for any number of processes on any number of machines.

pub mod frontier;
