//! One folder per engine.
pub mod embedded;
