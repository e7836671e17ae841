//! The shared store: a schema of a PostgreSQL database with PostGIS.
//!
//! Any number of processes on any number of machines can use it at once. Everything but the
//! frontier runs the same SQL as the embedded store; a transaction that reads and then writes locks
//! its part of the store ([`LockDomain`]).

mod change_listener;
mod examine;
pub mod frontier;
pub(crate) mod location;
pub(crate) mod pool;
pub(crate) mod schema;
mod tls;

use super::shared::database_error::{DatabaseError, DatabaseResult, ErrorContext};
use super::shared::{
    self, SqlEngine, SqlStore, batch as shared_batch, catalogue, explain, robots, seeds, tasks,
};
use crate::sql::{Conn, LockDomain, OptionalExtension, PgClient};
use change_listener::ChangeListener;
use frontier::{FrontierOptions, LeaseOptions, SharedFrontier, read, upkeep};
use geotrawl_model::store::{CrawlStore, LeaseStore, Result};
use geotrawl_model::{
    AddedLinks, CommitSummary, CrawlBatch, Explanation, FinishedItem, FrontierEntry, FrontierEntryId,
    HarvestedRecord, HostId, HostWork, NewLink, OpenTask, PastPage, Record, RecordFilter, RunCounters, RunId,
    Seed, SeedList, StoreError, TaskSpec, TaskState,
};
use jiff::Timestamp;
use location::DatabaseLocation;
use pollster::block_on;
use pool::ConnectionPool;
use std::collections::HashSet;
use std::time::Duration;

/// Maximum number of attempts for a transaction that conflicts with others.
const ATTEMPTS: usize = 4;
/// Renewals per lease duration.
const RENEWED_PER_LOAN: u32 = 6;

/// Limits and settings of a process that uses a shared store.
#[derive(Debug, Clone)]
pub struct PostgresOptions {
    /// Maximum number of connections; further callers wait.
    pub connections: usize,
    /// Durations of host leases.
    pub leases: LeaseOptions,
    /// Host names whose ids are kept in memory.
    pub host_names: usize,
    /// Keys of known links kept in memory for each run.
    pub hot_keys: usize,
    /// Added to the priority of an item that is queued again after a failure.
    pub retry_penalty: u32,
}

impl Default for PostgresOptions {
    fn default() -> Self {
        let usual = FrontierOptions::default();
        Self {
            connections: 16,
            leases: usual.leases,
            host_names: usual.host_names,
            hot_keys: usual.hot_keys,
            retry_penalty: usual.retry_penalty,
        }
    }
}

/// A store in a schema of a PostgreSQL database.
pub type PostgresStore = SqlStore<PostgresEngine>;

/// Engine over one schema of a PostgreSQL database.
pub struct PostgresEngine {
    frontier: SharedFrontier,
    renew_every: Duration,
    news: ChangeListener,
    pool: ConnectionPool,
}

impl PostgresStore {
    /// Connects to the store at this URL (`postgres://…`, with `?schema=NAME` unless it is
    /// `geotrawl`), and creates or upgrades its tables.
    pub fn connect(url: &str, options: &PostgresOptions) -> Result<Self> {
        let location = DatabaseLocation::parse(url)
            .map_err(|cause| StoreError::Open { path: location::redact_url(url), cause })?;
        let pool = ConnectionPool::new(location, options.connections)?;
        let doing = "opening the store";
        let secret = {
            let place = pool.get().map_err(DatabaseError::from).with_operation(doing)?;
            let client = place.client().map_err(DatabaseError::from).with_operation(doing)?;
            schema::migrate(client, pool.location())?;
            crate::store_copy::check_complete(client, pool.location())?;
            read_secret(Conn::from(client)).with_operation(doing)?
        };
        let PostgresOptions { leases, host_names, hot_keys, retry_penalty, .. } = *options;
        let leases = pool.location().loan.map_or(leases, LeaseOptions::with_duration);
        let frontier = FrontierOptions { leases, host_names, hot_keys, retry_penalty };
        let frontier = SharedFrontier::new(&secret, &frontier);
        Ok(Self::from_engine(PostgresEngine {
            frontier,
            renew_every: leases.duration / RENEWED_PER_LOAN,
            news: ChangeListener::default(),
            pool,
        }))
    }
}

impl PostgresEngine {
    /// Returns the URL of the store without its password.
    pub fn location(&self) -> &str {
        &self.pool.location().shown
    }

    /// Runs `work` on a connection, without a transaction.
    fn with_client<T>(&self, doing: &str, work: impl FnOnce(&PgClient) -> DatabaseResult<T>) -> Result<T> {
        let place = self.pool.get().map_err(DatabaseError::from).with_operation(doing)?;
        let client = place.client().map_err(DatabaseError::from).with_operation(doing)?;
        work(client).with_operation(doing)
    }

    /// Runs `work`, which opens its own transaction, and retries it after conflicts.
    fn retry_conflicts<T>(&self, doing: &str, work: impl Fn(&PgClient) -> DatabaseResult<T>) -> Result<T> {
        self.with_client(doing, |client| {
            for _ in 0..ATTEMPTS {
                match work(client) {
                    Err(fault) if fault.is_conflict() => {
                        tracing::debug!(doing, cause = fault.cause(), "retrying after a conflict");
                    }
                    done => return done,
                }
            }
            work(client)
        })
    }

    /// Deletes the known links of a finished run.
    fn forget_known_links(&self, run: RunId) -> Result<()> {
        self.with_client("forgetting known links", |client| {
            self.frontier.forget_run(client, run)?;
            Conn::from(client).execute("UPDATE run SET knows = 0 WHERE id = ?1", [run])?;
            Ok(())
        })
    }

    /// Cleans up after runs that are over, including those whose process died while cleaning up.
    fn clean_up_runs(&self) -> Result<()> {
        let (superseded, knowing) = self.read("looking for old runs", |conn| {
            let knowing: Vec<RunId> = conn
                .prepare_cached("SELECT id FROM run WHERE knows = 1 AND state = 'finished' ORDER BY id")?
                .query_map([], |row| row.get(0))?
                .collect::<crate::sql::Result<_>>()?;
            Ok((tasks::superseded_runs(conn)?, knowing))
        })?;
        for run in superseded {
            self.with_client("removing what is pending", |client| upkeep::clear_pending(client, run))?;
        }
        knowing.into_iter().try_for_each(|run| self.forget_known_links(run))
    }
}

/// Reads the secret for hashing links: random, and shared by all processes that use the store.
fn read_secret(conn: Conn<'_>) -> DatabaseResult<[u8; 16]> {
    let secret: Option<Vec<u8>> =
        conn.query_row("SELECT bytes FROM meta WHERE key = 'seen_key'", [], |row| row.get(0)).optional()?;
    secret.and_then(|bytes| bytes.try_into().ok()).ok_or_else(|| {
        DatabaseError::Inconsistent("the setting seen_key is missing; restore a backup".to_owned())
    })
}

impl SqlEngine for PostgresEngine {
    fn read<T>(&self, doing: &str, work: impl FnOnce(Conn<'_>) -> DatabaseResult<T>) -> Result<T> {
        self.with_client(doing, |client| work(Conn::from(client)))
    }

    fn change<T>(
        &self,
        domain: LockDomain,
        doing: &str,
        work: impl FnOnce(Conn<'_>) -> DatabaseResult<T>,
    ) -> Result<T> {
        self.with_client(doing, |client| {
            let tx = Conn::from(client).transaction()?;
            client.lock_domain(domain)?;
            let value = work(tx.conn())?;
            if domain == LockDomain::Catalogue {
                client.notify()?;
            }
            tx.commit()?;
            Ok(value)
        })
    }

    fn is_writable(&self) -> bool {
        true
    }

    fn is_listening(&self) -> bool {
        self.news.is_listening()
    }

    fn wait_for_change(&self, seen: u64, at_most: Duration) -> u64 {
        self.news.wait_for_change(&self.pool, seen, at_most)
    }

    fn forget_runs(&self, runs: &[RunId]) -> Result<()> {
        runs.iter().try_for_each(|run| self.forget_known_links(*run))
    }

    fn clear_runs(&self, runs: &[RunId]) -> Result<()> {
        self.forget_runs(runs)?;
        self.with_client("removing what is pending", |client| {
            runs.iter().try_for_each(|run| upkeep::clear_pending(client, *run))
        })
    }

    fn clear_pages(&self, run: RunId, needed: &HashSet<FrontierEntryId>) -> Result<()> {
        self.with_client("removing pages of a task", |client| upkeep::clear_pages(client, run, needed))
    }
}

impl LeaseStore for PostgresStore {
    fn is_shared(&self) -> bool {
        true
    }

    fn may_send_request(&self, _run: RunId, host: HostId) -> bool {
        self.frontier.lease_covers_request(host)
    }

    fn renew_leases(&self) -> Result<Vec<HostId>> {
        self.with_client("renewing leases", |client| self.frontier.renew_leases(client))
    }

    fn release_leases(&self, run: RunId, hosts: &[(HostId, Duration)]) -> Result<()> {
        self.with_client("releasing hosts", |client| self.frontier.release_hosts(client, run, hosts))
    }

    fn claim_pages(&self, run: RunId, most: u64, wanted: i64) -> Result<u64> {
        self.with_client("claiming pages", |client| self.frontier.claim_pages(client, run, most, wanted))
    }

    fn is_exhausted(&self, run: RunId) -> Result<bool> {
        self.with_client("looking for pending items", |client| block_on(read::is_exhausted(client, run)))
    }

    fn renewal_interval(&self) -> Duration {
        self.renew_every
    }

    fn is_leased_elsewhere(&self, run: RunId) -> Result<bool> {
        self.with_client("looking for other processes", |client| {
            self.frontier.has_hosts_held_elsewhere(client, run)
        })
    }
}

impl CrawlStore for PostgresStore {
    fn open_task(&self, spec: &TaskSpec, now: Timestamp) -> Result<OpenTask> {
        let task =
            self.change(LockDomain::Catalogue, "opening a task", |tx| tasks::open_task(tx, spec, now))?;
        self.clean_up_runs()?;
        Ok(task)
    }

    fn set_task_state(&self, task: RunId, state: TaskState, now: Timestamp) -> Result<()> {
        self.change(LockDomain::Catalogue, "setting the state of a task", |tx| {
            tasks::write_state(tx, task, state, now)
        })?;
        if state == TaskState::Finished { self.forget_known_links(task) } else { Ok(()) }
    }

    fn end_run(&self, task: RunId, state: TaskState, now: Timestamp) -> Result<bool> {
        let ended =
            self.change(LockDomain::Catalogue, "ending a run", |tx| tasks::end_run(tx, task, state, now))?;
        if ended && state == TaskState::Finished {
            self.forget_known_links(task)?;
        }
        Ok(ended)
    }

    fn run_is_open(&self, task: RunId) -> Result<bool> {
        self.read("reading a run", |conn| tasks::is_open(conn, task))
    }

    fn open_runs(&self) -> Result<Vec<OpenTask>> {
        self.read("reading runs", tasks::unfinished_runs)
    }

    fn add_links(&self, task: RunId, links: &[NewLink]) -> Result<AddedLinks> {
        self.retry_conflicts("adding links", |client| {
            self.frontier.add_links(client, task, links, |conn, part| {
                tasks::add_counters(conn, task, &part.counted, part.pending)
            })
        })
    }

    fn commit(&self, batch: &CrawlBatch) -> Result<CommitSummary> {
        self.retry_conflicts("committing a batch", |client| {
            let names = batch.robots.iter().map(|record| record.host.as_str());
            let hosts = self.frontier.host_ids(client, names)?;
            let (part, resources) = self.frontier.commit_batch(client, batch, |tx, part| {
                let mut said: Vec<_> = batch
                    .robots
                    .iter()
                    .filter_map(|one| Some((*hosts.get(one.host.as_str())?, one)))
                    .collect();
                said.sort_by_key(|(host, _)| *host);
                for (host, record) in said {
                    robots::save_robots(tx, host, record)?;
                }
                let taken: Vec<&FinishedItem> =
                    part.taken.iter().filter_map(|at| batch.done.get(*at)).collect();
                let mut resources = Vec::new();
                // Only changes of the catalogue need its lock; other batches must not wait for it.
                if shared_batch::has_results(&taken) {
                    client.lock_domain(LockDomain::Catalogue)?;
                    resources = shared_batch::record_results(tx, batch, &taken)?;
                    client.notify()?;
                } else {
                    shared_batch::note_redirects(tx, &taken)?;
                }
                // Last, because every worker of the run updates these rows.
                shared_batch::count_batch(tx, batch, &taken, &resources, part.counted.clone(), part.pending)?;
                Ok(resources)
            })?;
            let taken: HashSet<usize> = part.taken.iter().copied().collect();
            let left_out = (0..).zip(&batch.done).filter(|(at, _)| !taken.contains(at));
            let left_out = left_out.map(|(_, done)| done.item.id).collect();
            Ok(CommitSummary { added: part.added, resources, ignored: part.ignored, left_out })
        })
    }

    fn hosts_with_work(
        &self,
        task: RunId,
        limit: usize,
        skip: &dyn Fn(HostId) -> bool,
    ) -> Result<Vec<HostWork>> {
        self.with_client("looking for hosts with work", |client| {
            self.frontier.hosts_with_work(client, task, limit, skip)
        })
    }

    fn pending_entries(
        &self,
        task: RunId,
        host: HostId,
        limit: usize,
        skip: &dyn Fn(FrontierEntryId) -> bool,
    ) -> Result<Vec<FrontierEntry>> {
        self.with_client("reading pending items", |client| {
            block_on(read::read_pending(client, task, host, limit, skip))
        })
    }

    fn host_history(&self, task: RunId, host: HostId, limit: usize) -> Result<Vec<PastPage>> {
        self.with_client("reading the history of a host", |client| {
            block_on(read::read_history(client, task, host, limit))
        })
    }

    fn run_counters(&self, task: RunId) -> Result<RunCounters> {
        self.read("reading counters", |conn| tasks::read_counters(conn, task))
    }

    fn visit_records(&self, filter: &RecordFilter, visit: &mut dyn FnMut(Record) -> bool) -> Result<()> {
        shared::visit_records(self, filter, visit)
    }

    fn last_harvest_start(&self, catalogue: &str, connector: &str) -> Result<Option<Timestamp>> {
        self.read("looking up a harvest", |conn| {
            catalogue::records::last_complete_harvest(conn, catalogue, connector)
        })
    }

    fn visit_harvested_records(
        &self,
        catalogue: Option<&str>,
        visit: &mut dyn FnMut(HarvestedRecord) -> bool,
    ) -> Result<()> {
        shared::visit_harvested(self, catalogue, visit)
    }

    fn import_seeds(&self, list: &str, source: &str, seeds: &[Seed], now: Timestamp) -> Result<u64> {
        self.change(LockDomain::Seeds, "importing seeds", |tx| {
            seeds::import_seeds(tx, list, source, seeds, now)
        })
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

impl Drop for PostgresEngine {
    /// Releases all hosts. If the database is unreachable, their leases expire.
    fn drop(&mut self) {
        if let Err(error) =
            self.with_client("releasing all hosts", |client| self.frontier.release_all(client))
        {
            tracing::debug!(%error, "cannot release leases");
        }
    }
}
