//! Archive collections.

use super::Result;
use crate::account::UserId;
use crate::archived_page::{
    ArchiveNote, CurrentPage, ItemRole, KnownPage, NewPageVersion, PageHistory, StoredPayload,
};
use crate::collection::{
    ArchiveObject, ArchiveRun, ArchiveRunCounts, ArchiveRunId, Collection, CollectionId, CollectionSpec,
    ObjectFilter, RankedResult, RunState,
};
use jiff::Timestamp;

/// Archive collections of a store. One contract suite runs over every backend.
pub trait CollectionStore: Send + Sync {
    /// Adds a collection; `None` when the acronym is taken.
    fn add_collection(
        &self,
        acronym: &str,
        owner: Option<UserId>,
        spec: &CollectionSpec,
        now: Timestamp,
    ) -> Result<Option<Collection>>;
    /// Changes what is asked for.
    fn change_collection(&self, id: CollectionId, spec: &CollectionSpec, now: Timestamp) -> Result<()>;
    /// Removes a collection with all that is known of it. Its files are the caller's to remove.
    fn remove_collection(&self, id: CollectionId) -> Result<bool>;
    /// The collection of this acronym, without regard to case.
    fn find_collection(&self, acronym: &str) -> Result<Option<Collection>>;
    /// All collections by acronym.
    fn list_collections(&self) -> Result<Vec<Collection>>;

    /// Asks for a run; `false` when one is wanted already.
    fn request_archive_run(&self, id: CollectionId) -> Result<bool>;
    /// The next collection to run: one that was asked for, one whose run was interrupted, or one whose schedule is due.
    /// It is no longer queued then, and its schedule is set on. `busy`: those that are being run.
    fn take_next_collection(&self, busy: &[CollectionId], now: Timestamp) -> Result<Option<Collection>>;
    /// Begins a run, or goes on with one that was interrupted (`true`).
    fn begin_archive_run(&self, id: CollectionId, now: Timestamp) -> Result<(ArchiveRun, bool)>;
    /// Writes down how far a run is.
    fn save_run_counts(&self, run: ArchiveRunId, counts: &ArchiveRunCounts) -> Result<()>;
    /// Ends a run; one that finished makes or modifies the object of the collection.
    fn end_archive_run(
        &self,
        run: ArchiveRunId,
        state: RunState,
        error: Option<&str>,
        now: Timestamp,
    ) -> Result<()>;
    /// Runs of a collection, newest first.
    fn archive_runs(&self, id: CollectionId, limit: usize) -> Result<Vec<ArchiveRun>>;

    /// Puts results into the ranked list of a run; one that is there already is replaced.
    fn save_results(&self, run: ArchiveRunId, results: &[RankedResult]) -> Result<()>;
    /// The ranked list of a run, greatest weight first.
    fn ranked_results(&self, run: ArchiveRunId) -> Result<Vec<RankedResult>>;

    /// What is known of an address.
    fn find_known_page(&self, id: CollectionId, url: &str) -> Result<Option<KnownPage>>;
    /// Addresses that were there at their last visit, in the order of their coming.
    fn list_known_pages(&self, id: CollectionId) -> Result<Vec<(String, ItemRole)>>;
    /// Addresses that were visited in a run, or could not be.
    fn visited_urls(&self, run: ArchiveRunId) -> Result<Vec<String>>;
    /// The record in which a collection keeps a payload of this digest.
    fn find_payload(&self, id: CollectionId, digest: &str) -> Result<Option<StoredPayload>>;
    /// Notes visits, in one transaction: when it returns, a crash loses none of it.
    fn add_versions(&self, id: CollectionId, versions: &[NewPageVersion]) -> Result<()>;
    /// Where the last record of a file ends, as far as versions name it.
    fn archive_file_end(&self, id: CollectionId, file: &str) -> Result<u64>;

    /// Items as they were at a moment, results first and by weight; those that were gone are left out.
    fn pages_as_of(
        &self,
        id: CollectionId,
        at: Timestamp,
        offset: u64,
        limit: u64,
    ) -> Result<(Vec<CurrentPage>, u64)>;
    /// An item as it was at a moment.
    fn page_as_of(&self, id: CollectionId, url: &str, at: Timestamp) -> Result<Option<CurrentPage>>;
    /// All that happened to an item.
    fn page_history(&self, id: CollectionId, url: &str) -> Result<Option<PageHistory>>;
    /// Makes another version current; `false` when there is no such version with content.
    fn choose_version(
        &self,
        id: CollectionId,
        url: &str,
        version: u32,
        who: &str,
        note: &str,
        now: Timestamp,
    ) -> Result<bool>;
    /// Adds a note.
    fn add_archive_note(&self, id: CollectionId, note: &ArchiveNote) -> Result<()>;
    /// Notes, oldest first.
    fn archive_notes(&self, id: CollectionId) -> Result<Vec<ArchiveNote>>;

    /// Objects in a stable order.
    fn list_objects(&self, filter: &ObjectFilter) -> Result<Vec<ArchiveObject>>;
    /// The object of a run.
    fn find_object(&self, acronym: &str, run: Timestamp) -> Result<Option<ArchiveObject>>;
}
