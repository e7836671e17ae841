//! Mines web archives as if their pages had just been fetched: WARC, WAT and WET files, capture
//! indexes (CDXJ, CDX, Parquet) and lists of addresses, local or on a server, in bounded memory.
//!
//! The data flow: [`source`] (bytes from any offset) → [`members`] (decompressed) → [`warc`],
//! [`lines`], [`columnar`] (records, lines, rows) → [`scan`], [`wat`], [`page`] (candidates) →
//! [`job`] (listed, or added as seeds to a crawl that verifies them).

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
mod script_index;
pub mod source;
#[cfg(test)]
mod tests;
mod warc;
mod wat;

pub use job::{MineError, MiningObserver, MiningSummary, MiningTask};
pub use run::MineOptions;
pub use scan::ArchiveCandidate;
pub use source::{ByteSource, WebArchive};
