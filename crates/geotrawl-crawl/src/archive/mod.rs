//! Archive collections: searches for a subject and archives the pages it finds, run by run.
//!
//! A run queries the search engines and ranks their results ([`crate::seeds::search`]). It fetches
//! the results through the guarded [`Client`], judges them ([`read`]), compares them with their
//! previous versions, writes them to WARC files ([`files`]) and records them in the store. Then it
//! visits the pages that they link to within their domain, the remaining known pages, and embedded
//! files. A payload is on disk before the store refers to it, so a crash loses nothing that was
//! recorded, and partial records are truncated ([`files`]). The next run continues an interrupted
//! one.

mod documents;
mod files;
mod queue;
mod read;
mod run;
mod run_jobs;
mod visit;

pub use documents::{COMMAND, DocumentReader, serve_documents};
pub use geotrawl_archive::{collection_files, didl, ranked};
pub use run::ArchiveEvent;
pub use run_jobs::run_archive_jobs;

use crate::fetch::GuardedClient;
use crate::seeds::search::{MetaSearch, SearchError};
use geotrawl_archive::collection_files::{CollectionFiles, CollectionFilesError};
use geotrawl_model::StoreError;
use geotrawl_model::store::CollectionStore;
use jiff::Timestamp;
use std::sync::Arc;

/// Runs collections.
#[derive(Clone)]
pub struct ArchiveRunner {
    pub store: Arc<dyn CollectionStore>,
    pub client: GuardedClient,
    /// Search engines to query for results.
    pub search: Option<MetaSearch>,
    pub shelf: CollectionFiles,
    /// Reader of PDF documents.
    pub documents: DocumentReader,
    pub clock: Arc<dyn Fn() -> Timestamp + Send + Sync>,
}

/// Why a run ended early. Failed requests are never an error.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Shelf(#[from] CollectionFilesError),
    #[error("cannot write to the archive: {0}")]
    Write(#[from] std::io::Error),
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error("{0}")]
    Start(String),
}
