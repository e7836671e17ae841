//! Evaluates resources: whether they work, how good they are, when to check them again, and where
//! they moved. Pure: the same evidence always gives the same verdict and the same score.
//!
//! A crate of its own because it builds on everything that `geotrawl-kinds` parses, and is used by
//! the store, the crawler and the server.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod alerts;
pub mod check;
pub mod facts;
pub mod schedule;
pub mod score;
pub mod standing;
pub mod successor;
