//! Web archives that were mined, and the requests listed from them.

use super::Result;
use crate::web_archive::{ArchiveId, ArchiveTotals, MinedArchive, MinedKey};
use jiff::Timestamp;

/// Store access of archive mining; tasks are identified by name. One contract suite runs against
/// every backend.
pub trait MiningStore: Send + Sync {
    /// Returns whether the task has mined this version of the archive to its end.
    fn is_mined(&self, task: &str, archive: &ArchiveId) -> Result<bool>;

    /// Records that the task has mined this archive to its end. Call it once all finds are stored.
    fn mark_mined(
        &self,
        task: &str,
        archive: &ArchiveId,
        totals: &ArchiveTotals,
        now: Timestamp,
    ) -> Result<()>;

    /// Returns the archives that the task has mined to their end, sorted by name.
    fn list_mined_archives(&self, task: &str) -> Result<Vec<MinedArchive>>;

    /// Records the keys of requests that are about to be listed, and returns for each whether it is
    /// new to the task. A key that occurs twice is new once.
    fn mark_listed(&self, task: &str, keys: &[MinedKey]) -> Result<Vec<bool>>;

    /// Forgets what the task has mined and listed, so that everything is read again.
    fn forget_mined(&self, task: &str) -> Result<()>;
}
