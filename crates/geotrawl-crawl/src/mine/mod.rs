//! Archives of the web, mined as if their pages had just been fetched: WARC, WAT and WET files, indexes of captures
//! (CDXJ, CDX, Parquet), lists of addresses; files here or on a server, in bounded memory.
//!
//! The way: [`source`] (bytes from any place on) → [`members`] (what they hold) → [`warc`], [`lines`], [`columnar`]
//! (records, lines, rows) → [`scan`], [`wat`], [`page`] (candidates) → [`job`] (listed, or made seeds of a crawl that
//! proves them).

mod columnar;
mod http;
pub mod job;
mod lines;
mod members;
mod page;
mod plan;
mod remote;
pub mod run;
mod scan;
mod shelf;
pub mod source;
#[cfg(test)]
mod tests;
mod warc;
mod wat;

pub use job::{MineError, MiningObserver, MiningSummary, MiningTask};
pub use run::MineOptions;
pub use scan::ArchiveCandidate;
pub use source::{ByteSource, WebArchive};
