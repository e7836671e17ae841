//! Search index of the catalogue: finds records by words, place and facets.
//!
//! All of its data is derived from the store's sequence of changes and can be rebuilt at any time:
//! [`CatalogueIndex::open`] on an empty directory, followed by [`CatalogueIndex::apply_changes`].

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod answer;
mod bits;
mod boxes;
mod collect;
mod compile;
mod conditions;
mod dictionary;
mod engine;
pub mod filter;
mod gazetteer;
mod highlight;
mod ingest;
pub mod moments;
mod page_cache;
mod parse;
mod pattern;
mod plan;
pub mod query;
mod rank;
mod rows;
mod schema;
mod search;
mod suggest;
mod tables;
mod words;

pub use filter::{ComparisonOperator, FilterExpression, FilterProperty};
pub use gazetteer::{Gazetteer, GazetteerPlace, PlaceKind, PlaceMatch};
pub use query::*;

use engine::IndexEngine;
use words::Synonyms;

use geotrawl_model::StoreError;
use geotrawl_model::store::ChangeStore;
use std::path::Path;

/// Errors of the search index.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The query is invalid; the message is for the user who wrote it.
    #[error("{0}")]
    Query(String),
    /// The catalogue cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The files of the index cannot be read or written.
    #[error(
        "the search index in {place} failed while {doing}: {cause}; run `geotrawl index rebuild` to rebuild it"
    )]
    Engine { place: String, doing: String, cause: String },
}

/// The search index of a catalogue. Share it between threads with `Arc`; searching never waits for
/// writing.
pub struct CatalogueIndex {
    engine: IndexEngine,
    synonyms: Synonyms,
}

/// How far the index has followed the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
// The two numbers come from one snapshot, so they always belong together.
pub struct IndexProgress {
    /// Sequence number of the last applied change.
    pub seq: i64,
    /// Number of records: those applied by this call, or all that the index holds (see
    /// [`CatalogueIndex::progress`]).
    pub records: u64,
}

impl CatalogueIndex {
    /// Opens the index in a directory for searching and writing. Creates it if it is missing, and
    /// rebuilds it if it is damaged or has another version. Only one process at a time can write.
    pub fn open(directory: &Path, options: &IndexOptions) -> Result<Self, IndexError> {
        let mut synonyms = Synonyms::built_in();
        if let Some(file) = &options.synonyms {
            let text = std::fs::read_to_string(file).map_err(|error| IndexError::Engine {
                place: directory.display().to_string(),
                doing: format!("reading the synonyms in {}", file.display()),
                cause: error.to_string(),
            })?;
            synonyms.add_lines(&text);
        }
        Ok(Self { engine: IndexEngine::open(directory, options)?, synonyms })
    }

    /// Applies the changes of the catalogue since the last call and makes them searchable.
    pub fn apply_changes(&self, changes: &dyn ChangeStore) -> Result<IndexProgress, IndexError> {
        self.engine.apply_changes(changes, false)
    }

    /// Rebuilds the index from scratch. Searches use the previous state until the new one is
    /// complete.
    pub fn rebuild(&self, changes: &dyn ChangeStore) -> Result<IndexProgress, IndexError> {
        let followed = self.engine.apply_changes(changes, true)?;
        self.engine.merge_segments()?;
        Ok(followed)
    }

    /// Merges the segments of the index, which makes searching faster; useful after large updates.
    pub fn merge_segments(&self) -> Result<(), IndexError> {
        self.engine.merge_segments()
    }

    /// Returns how far the index has followed the catalogue, and how many records it holds.
    pub fn progress(&self) -> IndexProgress {
        let snapshot = self.engine.snapshot();
        IndexProgress { seq: snapshot.seq, records: snapshot.rows.count() as u64 }
    }
}
