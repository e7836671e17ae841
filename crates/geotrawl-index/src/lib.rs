//! Finds what the catalogue holds by words, place and facets.
//!
//! Everything here is derived from the store by its sequence of changes and can be thrown away: [`Index::open`]
//! on an empty directory and [`Index::follow`] bring it back.

pub mod query;

pub use query::*;

use geotrawl_store::StoreError;
use geotrawl_store::changes::Changes;
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
pub struct Index {}

/// How far the index follows the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Followed {
    /// Sequence number of the last change taken in.
    pub seq: i64,
    /// Records taken in by this call.
    pub records: u64,
}

impl Index {
    /// Opens the index in this directory for searching and writing, making it when there is none or when it is
    /// of another version or damaged. One process at a time writes.
    pub fn open(_directory: &Path, _options: &IndexOptions) -> Result<Self, IndexError> {
        Ok(Self {})
    }

    /// Takes in what changed in the catalogue since the last time and makes it searchable.
    pub fn follow(&self, _changes: &dyn Changes) -> Result<Followed, IndexError> {
        Ok(Followed { seq: 0, records: 0 })
    }

    /// Throws the index away and makes it anew.
    pub fn rebuild(&self, changes: &dyn Changes) -> Result<Followed, IndexError> {
        self.follow(changes)
    }

    /// Searches.
    pub fn search(&self, _query: &Query) -> Result<Hits, IndexError> {
        Ok(Hits::default())
    }

    /// Ids of all records that a query finds, best first, without end.
    pub fn ids(&self, _query: &Query) -> Result<Vec<String>, IndexError> {
        Ok(Vec::new())
    }

    /// Layers of one service that match the words of a query, best first, with how many match.
    pub fn layers_of(&self, _id: &str, _query: &Query) -> Result<(Vec<LayerHit>, u64), IndexError> {
        Ok((Vec::new(), 0))
    }

    /// What a person may be about to type.
    pub fn suggest(&self, _prefix: &str, _limit: usize) -> Result<Vec<Suggestion>, IndexError> {
        Ok(Vec::new())
    }

    /// Hosts of all hits of a query with their places, for the map.
    pub fn places(&self, _query: &Query, _limit: usize) -> Result<Vec<HostPlace>, IndexError> {
        Ok(Vec::new())
    }
}
