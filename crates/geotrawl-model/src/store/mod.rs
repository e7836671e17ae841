//! Store traits: one per part, and two that combine parts that belong together.
//!
//! The traits are synchronous on purpose: one writer thread of the crawler owns the commits, and
//! readers use their own connections. One contract suite runs against every backend.

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

/// Result of a store operation. `Err` is always an infrastructure error (disk, corruption, a lock).
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

/// Store access of a worker: tasks and their crawls.
pub trait TaskStore: CrawlStore + JobStore {}

impl<T: CrawlStore + JobStore> TaskStore for T {}
