//! Formats of the archive: WARC, MPEG-21 DIDL, page metadata, and the likeness of versions.
//!
//! Uses neither network nor clock: `geotrawl-crawl` fetches and writes, `geotrawl-store` keeps the
//! records, and `geotrawl-serve` shows them. Only [`collection_files`] reads stored files.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod about;
pub mod collection_files;
pub mod css;
pub mod didl;
pub mod digest;
pub mod likeness;
pub mod metadata;
pub mod page;
pub mod pdf;
pub mod ranked;
pub mod rewrite;
pub mod warc;
mod words;
