//! What the crawler needs of a store.

use super::{FocusStore, LeaseStore, Result};
use crate::{
    AddedLinks, CommitSummary, CrawlBatch, Explanation, FrontierEntry, FrontierEntryId, HarvestedRecord,
    HostId, HostWork, NewLink, OpenTask, PastPage, Record, RecordFilter, RunCounters, RunId, Seed, SeedList,
    TaskSpec, TaskState,
};

/// What the crawler needs of a store. One contract suite runs over every backend.
pub trait CrawlStore: FocusStore + LeaseStore + Send + Sync {
    /// Opens the task of this name: an unfinished one is continued (its stored spec wins where it must,
    /// see [`OpenTask::resumed`]), a finished one starts a new run with a fresh frontier, an unknown one
    /// is created.
    fn open_task(&self, spec: &TaskSpec, now: jiff::Timestamp) -> Result<OpenTask>;

    /// Sets the state of a task's current run.
    fn set_task_state(&self, task: RunId, state: TaskState, now: jiff::Timestamp) -> Result<()>;

    /// Ends a run, or lets it rest, if it is still going on; `false` when somebody else has done that before.
    /// Of several processes on one run one ends it.
    fn end_run(&self, task: RunId, state: TaskState, now: jiff::Timestamp) -> Result<bool> {
        self.set_task_state(task, state, now).map(|()| true)
    }

    /// Whether a run is still going on: not ended and not paused by another process.
    fn run_is_open(&self, _task: RunId) -> Result<bool> {
        Ok(true)
    }

    /// The runs that are going on, oldest first, whoever crawls them: another process may join in. A store that
    /// belongs to one process has none to join.
    fn open_runs(&self) -> Result<Vec<OpenTask>> {
        Ok(Vec::new())
    }

    /// Adds links to the frontier (seeds); known ones are ignored. One transaction.
    fn add_links(&self, task: RunId, links: &[NewLink]) -> Result<AddedLinks>;

    /// Commits a batch: pages done, links found, resources, evidence, robots, counters and events in
    /// one transaction. When this returns `Ok`, a crash loses none of it; when it returns `Err`, nothing of
    /// it was taken and it may be tried again. An item that is no longer pending is left out, with all it
    /// gave, and counted in [`Committed::ignored`].
    fn commit(&self, batch: &CrawlBatch) -> Result<CommitSummary>;

    /// Hosts of the run that have pending items, best head priority first, at most `limit`, leaving out
    /// those for which `skip` says so (the ones already active).
    fn hosts_with_work(
        &self,
        task: RunId,
        limit: usize,
        skip: &dyn Fn(HostId) -> bool,
    ) -> Result<Vec<HostWork>>;

    /// The best pending items of a host, in order, at most `limit`, leaving out those for which `skip`
    /// says so (the ones in flight). Items stay pending until a batch marks them done.
    fn pending_entries(
        &self,
        task: RunId,
        host: HostId,
        limit: usize,
        skip: &dyn Fn(FrontierEntryId) -> bool,
    ) -> Result<Vec<FrontierEntry>>;

    /// Latest pages done of a host in this run (newest first): lets trap detection continue after a restart.
    fn host_history(&self, task: RunId, host: HostId, limit: usize) -> Result<Vec<PastPage>>;

    /// Totals of a run.
    fn run_counters(&self, task: RunId) -> Result<RunCounters>;

    /// Records of the catalogue in stable order, streamed; `visit` may stop by returning `false`.
    fn visit_records(&self, filter: &RecordFilter, visit: &mut dyn FnMut(Record) -> bool) -> Result<()>;

    /// When the last harvest of this catalogue began that reached its end: changes are asked from there.
    fn last_harvest_start(&self, catalogue: &str, connector: &str) -> Result<Option<jiff::Timestamp>>;

    /// What catalogues say, in the order of harvesting, streamed; of one catalogue, or of all.
    fn visit_harvested_records(
        &self,
        catalogue: Option<&str>,
        visit: &mut dyn FnMut(HarvestedRecord) -> bool,
    ) -> Result<()>;

    /// Adds seeds to the list of this name, which is made when there is none; says how many were new. A seed
    /// that the list has (same address and kind) is updated.
    fn import_seeds(&self, list: &str, source: &str, seeds: &[Seed], now: jiff::Timestamp) -> Result<u64>;

    /// The lists of seeds, by name.
    fn seed_lists(&self) -> Result<Vec<SeedList>>;

    /// The seeds of a list in the order of import, streamed.
    fn visit_seeds(&self, list: &str, visit: &mut dyn FnMut(Seed) -> bool) -> Result<()>;

    /// All that is known about a URL or a resource id: records with evidence and the chain of pages from
    /// the seed, and what happened to the URL in each task (pending, fetched, skipped and why).
    fn explain(&self, what: &str) -> Result<Explanation>;
}
