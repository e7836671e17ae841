//! What a store must do: one trait per part, and two that name the parts which belong together.
//!
//! The traits are synchronous on purpose: one writer thread of the crawler owns the commits, and readers
//! use their own connections. One contract suite runs over every backend.

mod accounts;
mod browse;
mod changes;
mod collections;
mod crawl;
mod focus;
mod jobs;
mod leases;
mod mining;
mod monitoring;
mod searches;

pub use accounts::AccountStore;
pub use browse::RecordReader;
pub use changes::{ChangeStore, DatedChangeStore};
pub use collections::CollectionStore;
pub use crawl::CrawlStore;
pub use focus::FocusStore;
pub use jobs::JobStore;
pub use leases::LeaseStore;
pub use mining::MiningStore;
pub use monitoring::MonitoringStore;
pub use searches::SearchEngineStore;

/// Result of a store operation: `Err` is always an infrastructure fault (disk, damage, a lock held).
pub type Result<T> = std::result::Result<T, crate::StoreError>;

/// A store with all its parts. A `&dyn Store` coerces to each of them.
pub trait Store:
    TaskStore
    + AccountStore
    + RecordReader
    + ChangeStore
    + CollectionStore
    + DatedChangeStore
    + MiningStore
    + MonitoringStore
    + SearchEngineStore
{
}

impl<T> Store for T where
    T: TaskStore
        + AccountStore
        + RecordReader
        + ChangeStore
        + CollectionStore
        + DatedChangeStore
        + MiningStore
        + MonitoringStore
        + SearchEngineStore
{
}

/// What a worker needs of a store: the tasks that people ask for, and their crawls.
pub trait TaskStore: CrawlStore + JobStore {}

impl<T: CrawlStore + JobStore> TaskStore for T {}
