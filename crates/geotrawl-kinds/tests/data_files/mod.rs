//! Data files of every format, built here byte by byte and served in memory.
//!
//! The files in `tests/kinds/<id>/` that are not text are made by [`plans::fixtures`]; run with
//! `GEOTRAWL_WRITE_FIXTURES=1` to write them again.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

mod build;
mod costs;
mod fixtures;
mod hostile;
mod plans;
mod serve;
mod values;
