//! What changed in the catalogue, in order: whoever derives something from it (the index) follows this.

use super::Result;
use crate::Record;
use crate::change::{CatalogueChange, ChangeFilter, ChangeHead};
use crate::statistics::{CatalogueStatistics, Totals};

/// The catalogue for those who follow it and for those who count it.
pub trait ChangeStore: Send + Sync {
    /// A number that grows when something was written that followers read (changes, events): waits until it is larger
    /// than `seen`, at most so long, and gives it. Whoever follows looks first, then waits, and looks again in any
    /// case. A store that is not told of writing only waits.
    fn wait_for_writes(&self, seen: u64, at_most: std::time::Duration) -> u64 {
        std::thread::sleep(at_most);
        seen + 1
    }

    /// Whether [`Changes::news`] hears of writing at once now: then looking seldom besides is enough. `false` also while a
    /// connection that was listened on is lost.
    fn is_notified(&self) -> bool {
        false
    }

    /// Changes after a sequence number, in order.
    fn list_changes(&self, after: i64, limit: usize) -> Result<Vec<CatalogueChange>>;
    /// The last sequence number.
    fn last_change(&self) -> Result<i64>;
    /// A record by its public id, datasets included.
    fn find_record(&self, id: &str) -> Result<Option<Record>>;
    /// Numbers about the whole catalogue.
    fn statistics(&self) -> Result<CatalogueStatistics>;
    /// How much there is; quick enough to be asked every second.
    fn totals(&self) -> Result<Totals> {
        let CatalogueStatistics { records, datasets, hosts, .. } = self.statistics()?;
        Ok(Totals { records, datasets, hosts })
    }
}

/// The catalogue for those who harvest it by date. One contract suite runs over every backend.
pub trait DatedChangeStore: Send + Sync {
    /// Changes in order, at most `limit`. A record stands only at its latest one.
    fn list_dated_changes(&self, filter: &ChangeFilter, limit: usize) -> Result<Vec<ChangeHead>>;
    /// How many there are.
    fn count_dated_changes(&self, filter: &ChangeFilter) -> Result<u64>;
    /// The latest change of a record.
    fn latest_change_of(&self, id: &str) -> Result<Option<ChangeHead>>;
    /// When the first of all changes was; `None` in an empty catalogue.
    fn first_change_time(&self) -> Result<Option<jiff::Timestamp>>;
}
