//! What changed in the catalogue, in order: whoever derives something from it (the index) follows this.

use super::Result;
use crate::Record;
use crate::change::{Change, ChangeFilter, ChangeHead};
use crate::statistics::{Statistics, Totals};

/// The catalogue for those who follow it and for those who count it.
pub trait Changes: Send + Sync {
    /// A number that grows when something was written that followers read (changes, events): waits until it is larger
    /// than `seen`, at most so long, and gives it. Whoever follows looks first, then waits, and looks again in any
    /// case. A store that is not told of writing only waits.
    fn news(&self, seen: u64, at_most: std::time::Duration) -> u64 {
        std::thread::sleep(at_most);
        seen + 1
    }

    /// Whether [`Changes::news`] hears of writing at once now: then looking seldom besides is enough. `false` also while a
    /// connection that was listened on is lost.
    fn hears(&self) -> bool {
        false
    }

    /// Changes after a sequence number, in order.
    fn changes(&self, after: i64, limit: usize) -> Result<Vec<Change>>;
    /// The last sequence number.
    fn last_change(&self) -> Result<i64>;
    /// A record by its public id, datasets included.
    fn record(&self, id: &str) -> Result<Option<Record>>;
    /// Numbers about the whole catalogue.
    fn statistics(&self) -> Result<Statistics>;
    /// How much there is; quick enough to be asked every second.
    fn totals(&self) -> Result<Totals> {
        let Statistics { records, datasets, hosts, .. } = self.statistics()?;
        Ok(Totals { records, datasets, hosts })
    }
}

/// The catalogue for those who harvest it by date. One contract suite runs over every backend.
pub trait Dated: Send + Sync {
    /// Changes in order, at most `limit`. A record stands only at its latest one.
    fn dated(&self, filter: &ChangeFilter, limit: usize) -> Result<Vec<ChangeHead>>;
    /// How many there are.
    fn count_dated(&self, filter: &ChangeFilter) -> Result<u64>;
    /// The latest change of a record.
    fn dated_record(&self, id: &str) -> Result<Option<ChangeHead>>;
    /// When the first of all changes was; `None` in an empty catalogue.
    fn first_dated(&self) -> Result<Option<jiff::Timestamp>>;
}
