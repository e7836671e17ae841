//! Archive collections: a subject is searched for, what is found is fetched and kept as it was, again and again.
//!
//! A run, in order: engines are asked and their answers ranked ([`crate::seeds::search`]); results are fetched through the guarded
//! [`Client`], judged ([`read`]), compared with what was there before, written to WARC files ([`files`]) and noted in the store;
//! then the pages they link to within their domain, the rest of what was there before, and what pages are shown with. A
//! payload is on the disk before the store names it, so a crash loses nothing that was noted, and what it left behind half written is
//! cut off ([`files`]). A run that was interrupted is continued by the next.

mod attend;
mod documents;
mod files;
mod queue;
mod read;
mod run;
mod visit;

pub use attend::run_archive_jobs;
pub use documents::{COMMAND, DocumentReader, serve_documents};
pub use geotrawl_archive::{didl, ranked, shelf};
pub use run::ArchiveEvent;

use crate::fetch::GuardedClient;
use crate::seeds::search::{MetaSearch, SearchError};
use geotrawl_archive::shelf::{CollectionFiles, CollectionFilesError};
use geotrawl_model::StoreError;
use geotrawl_model::store::CollectionStore;
use jiff::Timestamp;
use std::sync::Arc;

/// Who runs collections.
#[derive(Clone)]
pub struct ArchiveRunner {
    pub store: Arc<dyn CollectionStore>,
    pub client: GuardedClient,
    /// Who is asked for results.
    pub search: Option<MetaSearch>,
    pub shelf: CollectionFiles,
    /// Who reads PDF.
    pub documents: DocumentReader,
    pub clock: Arc<dyn Fn() -> Timestamp + Send + Sync>,
}

/// Why a run ended early. What a server does is never an error.
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
