//! Reading a record in parts: a service may have a million layers.

use super::Result;
use crate::{Dataset, Record};

/// Reads records in parts. One contract suite runs against every backend.
pub trait RecordReader: Send + Sync {
    /// Returns a record by its public id, without its datasets.
    fn find_record_head(&self, id: &str) -> Result<Option<Record>>;
    /// Returns a page of the datasets of a record in their original order, and the total number.
    /// Only datasets whose name or title contains every word count. `None` if there is no such
    /// record.
    fn list_datasets(
        &self,
        id: &str,
        words: &str,
        offset: u64,
        limit: u64,
    ) -> Result<Option<(Vec<Dataset>, u64)>>;
}
