//! Looking at one record without reading all of it: a service may have a million layers.

use super::Result;
use crate::{Dataset, Record};

/// Records in parts. One contract suite runs over every backend.
pub trait RecordReader: Send + Sync {
    /// A record by its public id, without its datasets.
    fn find_record_head(&self, id: &str) -> Result<Option<Record>>;
    /// A page of the datasets of a record in their own order, and how many there are; only those whose name or
    /// title holds every word. `None` when there is no such record.
    fn list_datasets(
        &self,
        id: &str,
        words: &str,
        offset: u64,
        limit: u64,
    ) -> Result<Option<(Vec<Dataset>, u64)>>;
}
