//! Database engines, one folder each, and the code they share.
pub mod embedded;
pub(crate) mod postgres;
pub(crate) mod shared;
