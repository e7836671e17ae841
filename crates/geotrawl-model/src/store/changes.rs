//! The catalogue's sequence of changes, which derived data such as the index follows.

use super::Result;
use crate::Record;
use crate::change::{CatalogueChange, ChangeFilter, ChangeHead};
use crate::statistics::{CatalogueStatistics, Totals};

/// Access to the catalogue for followers and for statistics.
pub trait ChangeStore: Send + Sync {
    /// Waits until something that followers read (changes, events) is written, at most for
    /// `at_most`. Returns a number that grows with every write; `seen` is the last one returned.
    /// Followers read before waiting, and read again afterwards in any case, because a store
    /// without notifications only waits.
    fn wait_for_writes(&self, seen: u64, at_most: std::time::Duration) -> u64 {
        std::thread::sleep(at_most);
        seen + 1
    }

    /// Returns whether [`ChangeStore::wait_for_writes`] is notified of writes at once, so that
    /// followers need to poll only seldom. Returns `false` while the connection that listens is
    /// lost.
    fn is_notified(&self) -> bool {
        false
    }

    /// Returns changes after a sequence number, in order.
    fn list_changes(&self, after: i64, limit: usize) -> Result<Vec<CatalogueChange>>;
    /// Returns the last sequence number.
    fn last_change(&self) -> Result<i64>;
    /// Returns a record by its public id, with its datasets.
    fn find_record(&self, id: &str) -> Result<Option<Record>>;
    /// Returns statistics of the whole catalogue.
    fn statistics(&self) -> Result<CatalogueStatistics>;
    /// Returns the totals of the catalogue; fast enough to be called every second.
    fn totals(&self) -> Result<Totals> {
        let CatalogueStatistics { records, datasets, hosts, .. } = self.statistics()?;
        Ok(Totals { records, datasets, hosts })
    }
}

/// Access to the catalogue by date. One contract suite runs against every backend.
pub trait DatedChangeStore: Send + Sync {
    /// Returns at most `limit` changes in order. Each record appears only with its latest change.
    fn list_dated_changes(&self, filter: &ChangeFilter, limit: usize) -> Result<Vec<ChangeHead>>;
    /// Returns the number of matching changes.
    fn count_dated_changes(&self, filter: &ChangeFilter) -> Result<u64>;
    /// Returns the latest change of a record.
    fn latest_change_of(&self, id: &str) -> Result<Option<ChangeHead>>;
    /// Returns the time of the first change; `None` if the catalogue is empty.
    fn first_change_time(&self) -> Result<Option<jiff::Timestamp>>;
}
