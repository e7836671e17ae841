//! Archives of the web that were read: which to their end, and what was listed of them.

use super::Result;
use crate::web_archive::{ArchiveId, ArchiveTotals, MinedArchive, MinedKey};
use jiff::Timestamp;

/// What reading archives needs of a store. A task is known by its name; one contract suite runs over every backend.
pub trait MiningStore: Send + Sync {
    /// Whether the task has read this archive, as it is now, to its end.
    fn is_mined(&self, task: &str, archive: &ArchiveId) -> Result<bool>;

    /// Notes that the task has read this archive to its end. To be called when all that it showed is stored.
    fn mark_mined(
        &self,
        task: &str,
        archive: &ArchiveId,
        totals: &ArchiveTotals,
        now: Timestamp,
    ) -> Result<()>;

    /// The archives that the task has read to their end, by name.
    fn list_mined_archives(&self, task: &str) -> Result<Vec<MinedArchive>>;

    /// Takes keys of what is about to be listed; says of each whether it is new to the task. A key that stands twice
    /// among them is new once.
    fn mark_listed(&self, task: &str, keys: &[MinedKey]) -> Result<Vec<bool>>;

    /// Forgets what the task has read and listed, so that all is read anew.
    fn forget_mined(&self, task: &str) -> Result<()>;
}
