//! One folder per engine.
pub mod embedded;
pub mod postgres;
