//! Store access of the crawler.

use super::{FocusStore, LeaseStore, Result};
use crate::{
    AddedLinks, CommitSummary, CrawlBatch, Explanation, FrontierEntry, FrontierEntryId, HarvestedRecord,
    HostId, HostWork, NewLink, OpenTask, PastPage, Record, RecordFilter, RunCounters, RunId, Seed, SeedList,
    TaskSpec, TaskState,
};

/// Store access of the crawler. One contract suite runs against every backend.
pub trait CrawlStore: FocusStore + LeaseStore + Send + Sync {
    /// Opens the task of this name. An unfinished task is continued, with its stored spec where it
    /// differs (see [`OpenTask::resumed`]); a finished one starts a new run with an empty frontier;
    /// an unknown one is created.
    fn open_task(&self, spec: &TaskSpec, now: jiff::Timestamp) -> Result<OpenTask>;

    /// Sets the state of a task's current run.
    fn set_task_state(&self, task: RunId, state: TaskState, now: jiff::Timestamp) -> Result<()>;

    /// Ends or pauses a run that is still open; returns `false` if another process already did. If
    /// several processes share a run, only one of them ends it.
    fn end_run(&self, task: RunId, state: TaskState, now: jiff::Timestamp) -> Result<bool> {
        self.set_task_state(task, state, now).map(|()| true)
    }

    /// Returns whether a run is still open: not ended or paused by another process.
    fn run_is_open(&self, _task: RunId) -> Result<bool> {
        Ok(true)
    }

    /// Returns the open runs, oldest first, including those of other processes, which this one may
    /// join. A store that belongs to one process has none.
    fn open_runs(&self) -> Result<Vec<OpenTask>> {
        Ok(Vec::new())
    }

    /// Adds links (seeds) to the frontier in one transaction; known links are ignored.
    fn add_links(&self, task: RunId, links: &[NewLink]) -> Result<AddedLinks>;

    /// Commits a batch in one transaction: finished pages, links, resources, evidence, robots.txt
    /// rules, counters and events. After `Ok`, a crash loses none of it. After `Err`, none of it is
    /// stored and the batch may be retried. Entries that are no longer pending are skipped with all
    /// their results, and counted in [`CommitSummary::ignored`].
    fn commit(&self, batch: &CrawlBatch) -> Result<CommitSummary>;

    /// Returns at most `limit` hosts of the run with pending entries, best priority first, without
    /// those that `skip` excludes (the active ones).
    fn hosts_with_work(
        &self,
        task: RunId,
        limit: usize,
        skip: &dyn Fn(HostId) -> bool,
    ) -> Result<Vec<HostWork>>;

    /// Returns at most `limit` pending entries of a host, best first, without those that `skip`
    /// excludes (the ones in flight). Entries stay pending until a batch marks them done.
    fn pending_entries(
        &self,
        task: RunId,
        host: HostId,
        limit: usize,
        skip: &dyn Fn(FrontierEntryId) -> bool,
    ) -> Result<Vec<FrontierEntry>>;

    /// Returns the latest finished pages of a host in this run, newest first. Trap detection
    /// continues from them after a restart.
    fn host_history(&self, task: RunId, host: HostId, limit: usize) -> Result<Vec<PastPage>>;

    /// Returns the totals of a run.
    fn run_counters(&self, task: RunId) -> Result<RunCounters>;

    /// Passes the records of the catalogue to `visit` in stable order, until it returns `false`.
    fn visit_records(&self, filter: &RecordFilter, visit: &mut dyn FnMut(Record) -> bool) -> Result<()>;

    /// Returns when the last complete harvest of this catalogue began; incremental harvests ask for
    /// changes since then.
    fn last_harvest_start(&self, catalogue: &str, connector: &str) -> Result<Option<jiff::Timestamp>>;

    /// Passes catalogue records to `visit` in the order of harvesting, of one catalogue or of all.
    fn visit_harvested_records(
        &self,
        catalogue: Option<&str>,
        visit: &mut dyn FnMut(HarvestedRecord) -> bool,
    ) -> Result<()>;

    /// Adds seeds to the list of this name and creates it if needed; returns how many are new.
    /// Known seeds (same address and kind) are updated.
    fn import_seeds(&self, list: &str, source: &str, seeds: &[Seed], now: jiff::Timestamp) -> Result<u64>;

    /// Returns the seed lists, sorted by name.
    fn seed_lists(&self) -> Result<Vec<SeedList>>;

    /// Passes the seeds of a list to `visit` in the order of import, until it returns `false`.
    fn visit_seeds(&self, list: &str, visit: &mut dyn FnMut(Seed) -> bool) -> Result<()>;

    /// Returns everything known about a URL or a resource id: records with their evidence and the
    /// chain of pages from the seed, and what happened to the URL in each task.
    fn explain(&self, what: &str) -> Result<Explanation>;
}
