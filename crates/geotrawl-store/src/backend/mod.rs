//! One folder per engine, and what they share.
pub mod embedded;
pub(crate) mod postgres;
pub(crate) mod shared;
