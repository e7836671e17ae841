//! Formats of the archive: WARC, MPEG-21 DIDL, what a page says about itself, how alike two versions are.
//!
//! Nothing here touches the network or the clock: `geotrawl-crawl` fetches and writes, `geotrawl-store` remembers,
//! `geotrawl-serve` shows. Only [`shelf`] reads what is kept, for those who show it.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod about;
pub mod css;
pub mod didl;
pub mod digest;
pub mod likeness;
pub mod metadata;
pub mod page;
pub mod pdf;
pub mod ranked;
pub mod rewrite;
pub mod shelf;
pub mod warc;
mod words;
