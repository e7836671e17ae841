//! Generated documents.

pub mod generated;
