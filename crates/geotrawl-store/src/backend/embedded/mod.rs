//! The embedded store: one SQLite file in the data directory.
//!
//! Catalogue and frontier share one file, so a batch is one transaction: after a crash every
//! acknowledged batch is complete, and no other batch is partially present. One connection writes;
//! readers use separate connections, and neither side waits for the other. A lock file keeps out a
//! second writing process; reading commands work during a crawl.

mod clear;
pub(crate) mod copying;
mod frontier;
pub(crate) mod frontier_read;
mod hosts;
mod inbox;
pub(crate) mod open;
mod options;
pub(crate) mod schema;
pub(crate) mod seen;
mod writer;

pub use options::{Durability, KnownUrlLimits, StoreOptions};

use super::shared::{
    self, SqlEngine, SqlStore, catalogue, database_error, events, explain, robots, seeds, tasks,
};
use crate::sql::{Conn, LockDomain};
use database_error::{DatabaseResult, ErrorContext};
use geotrawl_model::store::{CrawlStore, Result};
use geotrawl_model::{
    AddedLinks, CommitSummary, CrawlBatch, Explanation, FrontierEntry, FrontierEntryId, HarvestedRecord,
    HostId, HostWork, NewLink, OpenTask, PastPage, Record, RecordFilter, RunCounters, RunId, Seed, SeedList,
    StoreError, StreamEvent, TaskSpec, TaskState,
};
use jiff::Timestamp;
use open::{StoreFiles, WriterLock};
use rusqlite::Connection;
use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, MutexGuard};
use writer::StoreWriter;

/// A store in one SQLite file.
pub type EmbeddedStore = SqlStore<EmbeddedEngine>;

/// Engine over one SQLite file.
pub struct EmbeddedEngine {
    place: StoreFiles,
    options: StoreOptions,
    // Drop order: readers first, so that the writer is the last connection and removes the journal
    // after checkpointing it; then the lock.
    readers: Mutex<Vec<Connection>>,
    /// `None` if opened read-only.
    writer: Option<Mutex<StoreWriter>>,
    _lock: Option<WriterLock>,
}

impl EmbeddedStore {
    /// Opens the store in a directory for reading and writing, creating it if necessary.
    pub fn open(directory: &Path) -> Result<Self> {
        Self::open_with(directory, StoreOptions::default())
    }

    /// Opens the store with custom limits.
    pub fn open_with(directory: &Path, options: StoreOptions) -> Result<Self> {
        let place = StoreFiles::in_directory(directory);
        let lock = place.lock_for_writing()?;
        let conn = place.open_writer(&options)?;
        let writer =
            StoreWriter::new(conn, options.clone()).map_err(|fault| place.open_error(fault.cause()))?;
        Ok(Self::from_engine(EmbeddedEngine {
            place,
            options,
            writer: Some(Mutex::new(writer)),
            readers: Mutex::new(Vec::new()),
            _lock: Some(lock),
        }))
    }

    /// Opens the store to change user accounts, even while another process writes to it.
    ///
    /// Such changes are short transactions on tables that no writer caches, so both processes only
    /// have to wait for each other. Nothing else may be changed through this store.
    pub fn open_for_accounts(directory: &Path) -> Result<Self> {
        match Self::open(directory) {
            Err(StoreError::Locked { .. }) => {}
            opened => return opened,
        }
        let (place, options) = (StoreFiles::in_directory(directory), StoreOptions::default());
        let conn = place.open_second_writer(&options)?;
        let writer =
            StoreWriter::new(conn, options.clone()).map_err(|fault| place.open_error(fault.cause()))?;
        Ok(Self::from_engine(EmbeddedEngine {
            place,
            options,
            writer: Some(Mutex::new(writer)),
            readers: Mutex::new(Vec::new()),
            _lock: None,
        }))
    }

    /// Opens the store read-only, even while another process crawls into it.
    pub fn open_read_only(directory: &Path) -> Result<Self> {
        let (place, options) = (StoreFiles::in_directory(directory), StoreOptions::default());
        let reader = place.open_reader(&options)?;
        let readers = Mutex::new(vec![reader]);
        Ok(Self::from_engine(EmbeddedEngine { place, options, writer: None, readers, _lock: None }))
    }
}

impl EmbeddedEngine {
    /// Returns up to `limit` events after a sequence number, in order.
    pub fn events_after(&self, seq: i64, limit: usize) -> Result<Vec<StreamEvent>> {
        self.read("reading events", |conn| events::events_after(conn, seq, limit))
    }

    /// Checks the whole file for damage and returns the problems found. Slow on large files.
    pub fn check_integrity(&self) -> Result<Vec<String>> {
        self.read_file("verifying the file", |conn| {
            let findings: Vec<String> = conn
                .prepare("PRAGMA integrity_check(20)")?
                .query_map([], |row| row.get(0))?
                .collect::<rusqlite::Result<_>>()?;
            Ok(findings.into_iter().filter(|finding| finding != "ok").collect())
        })
    }

    /// Returns the approximate memory used by the known-URL sets of open runs, in bytes.
    pub fn known_url_memory(&self) -> Result<usize> {
        Ok(self.writer("measuring memory")?.known_url_bytes())
    }

    /// Limits the size of the file from now on; `None` removes the limit.
    pub fn set_max_bytes(&self, bytes: Option<u64>) -> Result<()> {
        self.writer("limiting the size")?.limit_size(bytes).with_operation("limiting the size")
    }

    fn writer(&self, doing: &str) -> Result<MutexGuard<'_, StoreWriter>> {
        let fail = |cause: &str| StoreError::Engine { doing: doing.to_owned(), cause: cause.to_owned() };
        let writer = self.writer.as_ref().ok_or_else(|| fail("the store was opened read-only"))?;
        writer
            .lock()
            .map_err(|_poisoned| fail("an earlier error left the writer unusable; restart the program"))
    }

    /// Runs `work` on the writing connection, in one transaction.
    fn in_transaction<T>(
        &self,
        doing: &str,
        work: impl FnOnce(&Connection) -> DatabaseResult<T>,
    ) -> Result<T> {
        self.writer(doing)?.in_transaction(work).with_operation(doing)
    }

    /// Runs `work` on a reading connection.
    fn read_file<T>(&self, doing: &str, work: impl FnOnce(&Connection) -> DatabaseResult<T>) -> Result<T> {
        let idle = self.readers.lock().ok().and_then(|mut readers| readers.pop());
        let conn = match idle {
            Some(conn) => conn,
            None => self.place.open_reader(&self.options)?,
        };
        let result = work(&conn).with_operation(doing);
        if let Ok(mut readers) = self.readers.lock()
            && readers.len() < self.options.readers
        {
            readers.push(conn);
        }
        result
    }
}

impl SqlEngine for EmbeddedEngine {
    fn read<T>(&self, doing: &str, work: impl FnOnce(Conn<'_>) -> DatabaseResult<T>) -> Result<T> {
        self.read_file(doing, |conn| work(Conn::from(conn)))
    }

    /// Ignores the domain: the single writer already serialises all changes.
    fn change<T>(
        &self,
        _domain: LockDomain,
        doing: &str,
        work: impl FnOnce(Conn<'_>) -> DatabaseResult<T>,
    ) -> Result<T> {
        self.in_transaction(doing, |tx| work(Conn::from(tx)))
    }

    fn is_writable(&self) -> bool {
        self.writer.is_some()
    }

    fn forget_runs(&self, runs: &[RunId]) -> Result<()> {
        let doing = "forgetting known links";
        self.writer(doing)?.forget_runs(runs).with_operation(doing)
    }

    fn clear_runs(&self, runs: &[RunId]) -> Result<()> {
        let doing = "removing what is pending";
        self.writer(doing)?.clear_runs(runs).with_operation(doing)
    }

    fn clear_pages(&self, run: RunId, needed: &HashSet<FrontierEntryId>) -> Result<()> {
        while self.in_transaction("removing pages of a task", |tx| clear::clear_pages(tx, run, needed))? {}
        Ok(())
    }
}

/// The process with the file's lock owns every host.
impl geotrawl_model::store::LeaseStore for EmbeddedStore {}

impl CrawlStore for EmbeddedStore {
    fn open_task(&self, spec: &TaskSpec, now: Timestamp) -> Result<OpenTask> {
        self.writer("opening a task")?.open_task(spec, now).with_operation("opening a task")
    }

    fn set_task_state(&self, task: RunId, state: TaskState, now: Timestamp) -> Result<()> {
        let doing = "setting the state of a task";
        self.writer(doing)?.set_task_state(task, state, now).with_operation(doing)
    }

    fn add_links(&self, task: RunId, links: &[NewLink]) -> Result<AddedLinks> {
        self.writer("adding links")?.add_links(task, links).with_operation("adding links")
    }

    fn commit(&self, batch: &CrawlBatch) -> Result<CommitSummary> {
        self.writer("committing a batch")?.commit(batch).with_operation("committing a batch")
    }

    fn hosts_with_work(
        &self,
        task: RunId,
        limit: usize,
        skip: &dyn Fn(HostId) -> bool,
    ) -> Result<Vec<HostWork>> {
        let doing = "looking for hosts with work";
        let (work, unsettled) =
            self.read_file(doing, |conn| frontier_read::hosts_with_work(conn, task, limit, skip))?;
        // The caller will lease these hosts next, so move all their inboxes in one transaction.
        if self.writer.is_some() && !unsettled.is_empty() {
            self.writer(doing)?.move_inboxes_to_queues(task, &unsettled).with_operation(doing)?;
        }
        Ok(work)
    }

    fn pending_entries(
        &self,
        task: RunId,
        host: HostId,
        limit: usize,
        skip: &dyn Fn(FrontierEntryId) -> bool,
    ) -> Result<Vec<FrontierEntry>> {
        let doing = "reading pending items";
        loop {
            let items = self.read_file(doing, |conn| {
                frontier_read::read_pending(conn, task, host, limit, skip, self.writer.is_some())
            })?;
            match items {
                Some(items) => return Ok(items),
                // New links of this host go straight to the queue from now on, so this happens once
                // per host.
                None => self.writer(doing)?.move_inboxes_to_queues(task, &[host]).with_operation(doing)?,
            }
        }
    }

    fn host_history(&self, task: RunId, host: HostId, limit: usize) -> Result<Vec<PastPage>> {
        self.read_file("reading the history of a host", |conn| {
            frontier_read::read_history(conn, task, host, limit)
        })
    }

    fn run_counters(&self, task: RunId) -> Result<RunCounters> {
        self.read("reading counters", |conn| tasks::read_counters(conn, task))
    }

    fn visit_records(&self, filter: &RecordFilter, visit: &mut dyn FnMut(Record) -> bool) -> Result<()> {
        shared::visit_records(self, filter, visit)
    }

    fn last_harvest_start(&self, catalogue: &str, connector: &str) -> Result<Option<Timestamp>> {
        let doing = "looking up a harvest";
        self.read(doing, |conn| catalogue::records::last_complete_harvest(conn, catalogue, connector))
    }

    fn visit_harvested_records(
        &self,
        catalogue: Option<&str>,
        visit: &mut dyn FnMut(HarvestedRecord) -> bool,
    ) -> Result<()> {
        shared::visit_harvested(self, catalogue, visit)
    }

    fn import_seeds(&self, list: &str, source: &str, seeds: &[Seed], now: Timestamp) -> Result<u64> {
        let doing = "importing seeds";
        self.writer(doing)?.import_seeds(list, source, seeds, now).with_operation(doing)
    }

    fn seed_lists(&self) -> Result<Vec<SeedList>> {
        self.read("reading lists of seeds", seeds::read_lists)
    }

    fn visit_seeds(&self, list: &str, visit: &mut dyn FnMut(Seed) -> bool) -> Result<()> {
        shared::visit_seeds(self, list, visit)
    }

    fn explain(&self, what: &str) -> Result<Explanation> {
        self.read("explaining", |conn| explain::explain_url(conn, what))
    }
}
