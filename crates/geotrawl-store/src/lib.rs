//! Persistent storage over two database engines: catalogue, frontier, tasks, events.
//!
//! This is the only crate with SQL. It implements the traits of [`geotrawl_model::store`].

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod backend;
pub mod collection_rules;
pub mod diagnosis;
pub mod geoip;
mod sql;
pub mod store_copy;
pub mod task_rules;

pub use backend::embedded::{Durability, EmbeddedStore, KnownUrlLimits, StoreOptions};
pub use backend::postgres::frontier::LeaseOptions;
pub use backend::postgres::{PostgresOptions, PostgresStore};
pub use backend::shared::SqlStore;
