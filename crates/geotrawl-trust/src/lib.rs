//! What can be said about a resource after asking it: whether it works, how good it is, when to ask again, and
//! where it went. Pure: the same evidence always gives the same verdict and the same score.
//!
//! A crate of its own because it is built on everything that `geotrawl-kinds` reads and is used by the store,
//! the crawler and the server alike.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod alerts;
pub mod check;
pub mod facts;
pub mod schedule;
pub mod score;
pub mod standing;
pub mod successor;
