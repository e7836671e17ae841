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

pub use accounts::Accounts;
pub use browse::Browse;
pub use changes::{Changes, Dated};
pub use collections::Collections;
pub use crawl::CrawlStore;
pub use focus::Focus;
pub use jobs::Jobs;
pub use leases::Leases;
pub use mining::Mining;
pub use monitoring::Monitoring;
pub use searches::Searches;

/// Result of a store operation: `Err` is always an infrastructure fault (disk, damage, a lock held).
pub type Result<T> = std::result::Result<T, crate::StoreError>;

/// A store with all its parts. A `&dyn Store` coerces to each of them.
pub trait Store:
    TaskStore + Accounts + Browse + Changes + Collections + Dated + Mining + Monitoring + Searches
{
}

impl<T> Store for T where
    T: TaskStore + Accounts + Browse + Changes + Collections + Dated + Mining + Monitoring + Searches
{
}

/// What a worker needs of a store: the tasks that people ask for, and their crawls.
pub trait TaskStore: CrawlStore + Jobs {}

impl<T: CrawlStore + Jobs> TaskStore for T {}
