//! Finds what the catalogue holds by words, place and facets.
//!
//! Everything here is derived from the store by its sequence of changes and can be thrown away: [`Index::open`]
//! on an empty directory and [`Index::follow`] bring it back.

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
mod ingest;
pub mod moments;
mod parse;
mod pattern;
mod plan;
pub mod query;
mod rank;
mod rows;
mod schema;
mod search;
mod show;
mod suggest;
mod tables;
mod walks;
mod words;

pub use filter::{ComparisonOperator, FilterExpression, FilterProperty};
pub use gazetteer::{Gazetteer, GazetteerPlace, PlaceKind, PlaceMatch};
pub use query::*;

use engine::IndexEngine;
use words::Synonyms;

use geotrawl_model::StoreError;
use geotrawl_model::store::ChangeStore;
use std::path::Path;

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The words cannot be understood; the message is for the person who wrote them.
    #[error("{0}")]
    Query(String),
    /// The catalogue cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The index's own files fail.
    #[error(
        "the search index in {place} fails while {doing}: {cause}; `geotrawl index rebuild` makes it anew"
    )]
    Engine { place: String, doing: String, cause: String },
}

/// The search index of a catalogue. Cheap to share between threads (`Arc`); searching never waits for writing.
pub struct CatalogueIndex {
    engine: IndexEngine,
    synonyms: Synonyms,
}

/// How far the index follows the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexProgress {
    /// Sequence number of the last change taken in.
    pub seq: i64,
    /// Records taken in by this call.
    pub records: u64,
}

impl CatalogueIndex {
    /// Opens the index in this directory for searching and writing, making it when there is none or when it is
    /// of another version or damaged. One process at a time writes.
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

    /// Takes in what changed in the catalogue since the last time and makes it searchable.
    pub fn apply_changes(&self, changes: &dyn ChangeStore) -> Result<IndexProgress, IndexError> {
        self.engine.apply_changes(changes, false)
    }

    /// Throws the index away and makes it anew. What was there is searched until the new one is whole.
    pub fn rebuild(&self, changes: &dyn ChangeStore) -> Result<IndexProgress, IndexError> {
        let followed = self.engine.apply_changes(changes, true)?;
        self.engine.merge_segments()?;
        Ok(followed)
    }

    /// Merges the index's files into few, which makes searching quicker; worth it after much was taken in.
    pub fn merge_segments(&self) -> Result<(), IndexError> {
        self.engine.merge_segments()
    }

    /// How far the index follows the catalogue, and how many records it holds.
    pub fn progress(&self) -> IndexProgress {
        let snapshot = self.engine.snapshot();
        IndexProgress { seq: snapshot.seq, records: snapshot.rows.count() as u64 }
    }
}
