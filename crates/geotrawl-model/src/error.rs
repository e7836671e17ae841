//! Errors of a store. Failed requests and the like are data, not errors.

/// An infrastructure error.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The store cannot be opened or created.
    #[error("cannot open the store at {path}: {cause}")]
    Open { path: String, cause: String },
    /// Another process has it open.
    #[error(
        "the store at {path} is open in another geotrawl process; stop that process or choose another --data directory"
    )]
    Locked { path: String },
    /// A copy that was interrupted or is still under way.
    #[error(
        "the store at {path} is an unfinished copy; if no copy is in progress, run the same `geotrawl \
         store` command again to start over"
    )]
    Incomplete { path: String },
    /// Written by a newer version.
    #[error(
        "the store at {path} has schema version {found}, but this version supports only up to {known}; upgrade geotrawl"
    )]
    TooNew { path: String, found: u32, known: u32 },
    /// The database returned an error.
    #[error("the store failed while {doing}: {cause}")]
    Engine { doing: String, cause: String },
    /// A shared store cannot be reached; the operation may be retried. An interrupted write may or
    /// may not have been committed. Committing a batch again is safe: entries that were committed
    /// are skipped.
    #[error("the database cannot be reached while {doing}: {cause}")]
    Unavailable { doing: String, cause: String },
}

impl StoreError {
    /// Returns whether the store could not be reached and a retry may succeed.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Unavailable { .. })
    }
}
