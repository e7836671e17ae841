//! Stored files of collections, and what is made from them: archive objects, replayed pages,
//! exports.

mod export;
mod object;
mod replay;

pub use export::{ExportSummary, export_collection};
pub use object::{dublin_core, object_at, write_object};
pub use replay::{ReplayedPage, parse_replay_time, raw_replay_url, replay_page, replay_url};

use crate::warc::{self, ReadError, RecordLocation, WarcRecord};
use geotrawl_model::StoreError;
use geotrawl_model::archived_page::WarcLocation;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Maximum size of a payload, equal to the maximum that a collection may keep.
pub const MOST_PAYLOAD: u64 = 256 << 20;

/// Reason why a stored file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CollectionFilesError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{}: {cause}", path.display())]
    File { path: PathBuf, cause: ReadError },
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The folder with the files of all collections.
#[derive(Debug, Clone)]
pub struct CollectionFiles {
    root: PathBuf,
}

impl CollectionFiles {
    /// Returns the files in a data directory.
    pub fn in_data_directory(data: &Path) -> Self {
        Self { root: data.join("archive") }
    }

    /// Returns the folder of a collection.
    pub fn folder(&self, acronym: &str) -> PathBuf {
        // Acronyms are validated when a collection is created; an invalid one must not lead
        // outside.
        let sound = geotrawl_model::collection::validate_acronym(acronym).is_ok();
        self.root.join(if sound { acronym } else { "none" })
    }

    /// Reads the record at a location.
    pub fn read_record(
        &self,
        acronym: &str,
        place: &WarcLocation,
    ) -> Result<WarcRecord, CollectionFilesError> {
        // Only the file name is used, so that a location cannot lead out of the folder.
        let path = self.folder(acronym).join(Path::new(&place.file).file_name().unwrap_or_default());
        let at = RecordLocation { offset: place.offset, length: place.length };
        let read = File::open(&path)
            .map_err(ReadError::Io)
            .and_then(|mut file| warc::read_at(&mut file, at, MOST_PAYLOAD));
        read.map_err(|cause| CollectionFilesError::File { path, cause })
    }

    /// Deletes the files of a collection.
    pub fn remove_collection(&self, acronym: &str) -> io::Result<()> {
        match std::fs::remove_dir_all(self.folder(acronym)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}
