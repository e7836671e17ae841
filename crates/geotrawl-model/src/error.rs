//! Faults of a store itself; everything else is data.

/// An infrastructure fault.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Cannot be opened or created.
    #[error("cannot open the store at {path}: {cause}")]
    Open { path: String, cause: String },
    /// Another process holds it.
    #[error(
        "the store at {path} is in use by another geotrawl process; stop it or use another --data directory"
    )]
    Locked { path: String },
    /// A copy that was not finished, or still is being made.
    #[error(
        "the store at {path} is a copy that was not finished; if no copy is under way, run the same `geotrawl \
         store` command again: it begins anew"
    )]
    Incomplete { path: String },
    /// Written by a newer version.
    #[error(
        "the store at {path} has schema version {found}, this program knows up to {known}; use a newer geotrawl"
    )]
    TooNew { path: String, found: u32, known: u32 },
    /// The engine said no.
    #[error("the store failed while {doing}: {cause}")]
    Engine { doing: String, cause: String },
    /// A shared store cannot be reached just now: the same will work when it is back. Whether something that was being
    /// written was taken is not known; a batch may be committed again, what was taken of it is then left out.
    #[error("the database cannot be reached while {doing}: {cause}")]
    Unavailable { doing: String, cause: String },
}

impl StoreError {
    /// Whether it is worth waiting: the store was not reached, and may be back soon.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Unavailable { .. })
    }
}
