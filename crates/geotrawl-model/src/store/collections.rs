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

/// Archive collections. One contract suite runs against every backend.
pub trait CollectionStore: Send + Sync {
    /// Adds a collection; returns `None` if the acronym is taken.
    fn add_collection(
        &self,
        acronym: &str,
        owner: Option<UserId>,
        spec: &CollectionSpec,
        now: Timestamp,
    ) -> Result<Option<Collection>>;
    /// Changes the settings of a collection.
    fn change_collection(&self, id: CollectionId, spec: &CollectionSpec, now: Timestamp) -> Result<()>;
    /// Removes a collection with everything known about it. The caller removes its files.
    fn remove_collection(&self, id: CollectionId) -> Result<bool>;
    /// Returns the collection with this acronym, without regard to case.
    fn find_collection(&self, acronym: &str) -> Result<Option<Collection>>;
    /// Returns all collections, sorted by acronym.
    fn list_collections(&self) -> Result<Vec<Collection>>;

    /// Requests a run; returns `false` if one is already requested.
    fn request_archive_run(&self, id: CollectionId) -> Result<bool>;
    /// Returns the next collection to run: requested, interrupted, or due by its schedule. Clears
    /// the request and advances the schedule. `busy` lists the collections that are running.
    fn take_next_collection(&self, busy: &[CollectionId], now: Timestamp) -> Result<Option<Collection>>;
    /// Starts a run, or continues an interrupted one (`true`).
    fn begin_archive_run(&self, id: CollectionId, now: Timestamp) -> Result<(ArchiveRun, bool)>;
    /// Saves the progress of a run.
    fn save_run_counts(&self, run: ArchiveRunId, counts: &ArchiveRunCounts) -> Result<()>;
    /// Ends a run. A finished run creates or modifies the object of the collection.
    fn end_archive_run(
        &self,
        run: ArchiveRunId,
        state: RunState,
        error: Option<&str>,
        now: Timestamp,
    ) -> Result<()>;
    /// Returns the runs of a collection, newest first.
    fn archive_runs(&self, id: CollectionId, limit: usize) -> Result<Vec<ArchiveRun>>;

    /// Adds results to the ranked list of a run, replacing those that it already contains.
    fn save_results(&self, run: ArchiveRunId, results: &[RankedResult]) -> Result<()>;
    /// Returns the ranked list of a run, largest weight first.
    fn ranked_results(&self, run: ArchiveRunId) -> Result<Vec<RankedResult>>;

    /// Returns what is known about an address.
    fn find_known_page(&self, id: CollectionId, url: &str) -> Result<Option<KnownPage>>;
    /// Returns the addresses that existed at their last visit, in the order they were added.
    fn list_known_pages(&self, id: CollectionId) -> Result<Vec<(String, ItemRole)>>;
    /// Returns the addresses that a run has visited or tried to visit.
    fn visited_urls(&self, run: ArchiveRunId) -> Result<Vec<String>>;
    /// Returns the record in which a collection stores the payload with this digest.
    fn find_payload(&self, id: CollectionId, digest: &str) -> Result<Option<StoredPayload>>;
    /// Adds versions in one transaction; once it returns, a crash loses none of them.
    fn add_versions(&self, id: CollectionId, versions: &[NewPageVersion]) -> Result<()>;
    /// Returns where the last record of a file ends, according to the stored versions.
    fn archive_file_end(&self, id: CollectionId, file: &str) -> Result<u64>;

    /// Returns the pages that existed at a moment, results first, then by weight.
    fn pages_as_of(
        &self,
        id: CollectionId,
        at: Timestamp,
        offset: u64,
        limit: u64,
    ) -> Result<(Vec<CurrentPage>, u64)>;
    /// Returns a page as it was at a moment.
    fn page_as_of(&self, id: CollectionId, url: &str, at: Timestamp) -> Result<Option<CurrentPage>>;
    /// Returns the history of a page.
    fn page_history(&self, id: CollectionId, url: &str) -> Result<Option<PageHistory>>;
    /// Makes another version current; returns `false` if there is no such version with content.
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
    /// Returns the notes, oldest first.
    fn archive_notes(&self, id: CollectionId) -> Result<Vec<ArchiveNote>>;

    /// Returns objects in a stable order.
    fn list_objects(&self, filter: &ObjectFilter) -> Result<Vec<ArchiveObject>>;
    /// Returns the object of a run.
    fn find_object(&self, acronym: &str, run: Timestamp) -> Result<Option<ArchiveObject>>;
}
