//! A database, a simulated web, and the task that the workers crawl.

use super::catalogue::ComparableCatalogue;
use super::worker_process::{WorkerProcess, WorkerSettings};
use crate::usage::cpu_of;
use anyhow::{Context, Result, bail, ensure};
use geotrawl_model::store::JobStore;
use geotrawl_model::task::{Job, JobCommand, JobCommandOutcome, JobId, JobSpec, JobState};
use geotrawl_simweb::{LogEntry, LogSink, ServerHandle, SimWeb};
use geotrawl_store::{PostgresOptions, PostgresStore};
use geotrawl_testkit::postgres::{PostgresServer, execute_sql};
use jiff::Timestamp;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tokio::runtime::{Handle, Runtime};

/// Polling interval for the end of a task, and so the precision of times.
const LOOK: Duration = Duration::from_millis(50);

/// A database server and a folder for files.
pub struct ClusterLab {
    pub database: PostgresServer,
    runtime: Runtime,
    folder: PathBuf,
    _temporary: Option<tempfile::TempDir>,
}

impl ClusterLab {
    /// Starts a server; files to keep go to `keep`.
    pub fn start(keep: Option<&Path>) -> Result<Self> {
        // Durable, so that flushes are measured as in production, and failures do not lose
        // committed data.
        let database = PostgresServer::start(true).map_err(anyhow::Error::msg)?;
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let temporary = if keep.is_none() { Some(tempfile::tempdir()?) } else { None };
        let folder = match (&temporary, keep) {
            (Some(temporary), _) => temporary.path().to_owned(),
            (None, Some(keep)) => std::path::absolute(keep)?,
            (None, None) => bail!("no folder for files"),
        };
        Ok(Self { database, runtime, folder, _temporary: temporary })
    }

    /// Returns the runtime of relays and the web.
    pub fn runtime(&self) -> &Handle {
        self.runtime.handle()
    }

    /// Creates a database and a web for one crawl.
    pub fn create_stage(&self, name: &str, sim: &SimWeb) -> Result<CrawlStage> {
        let folder = self.folder.join(name);
        std::fs::create_dir_all(&folder)?;
        execute_sql(&self.database.url("postgres"), &format!("CREATE DATABASE {name}"));
        let url = self.database.url(name);
        execute_sql(&url, "CREATE EXTENSION IF NOT EXISTS postgis");
        let store = PostgresStore::connect(&url, &PostgresOptions::default())?;
        let inside = self.runtime.enter();
        let listener = geotrawl_simweb::listen(SocketAddr::from(([127, 0, 0, 1], 0)))?;
        let born = Instant::now();
        let web = sim.serve(listener, Some(LogSink::file(&folder.join("requests.jsonl"))?.and_memory()))?;
        drop(inside);
        Ok(CrawlStage { url, store, web, born, folder, database: name.to_owned() })
    }

    /// Returns the CPU seconds of the database server so far.
    pub fn database_cpu(&self) -> f64 {
        let text =
            std::fs::read_to_string(self.database.directory.join("data/postmaster.pid")).unwrap_or_default();
        let Some(main) = text.lines().next().and_then(|line| line.trim().parse::<u32>().ok()) else {
            return 0.0;
        };
        let (own, ended) = cpu_of(main);
        let children =
            std::fs::read_to_string(format!("/proc/{main}/task/{main}/children")).unwrap_or_default();
        let children = children.split_whitespace().filter_map(|pid| pid.parse().ok());
        own + ended + children.map(|pid| cpu_of(pid).0).sum::<f64>()
    }
}

/// Database and web of one crawl.
pub struct CrawlStage {
    /// Address of the database.
    pub url: String,
    pub store: PostgresStore,
    web: ServerHandle,
    /// Time 0 of the log.
    born: Instant,
    pub folder: PathBuf,
    database: String,
}

impl CrawlStage {
    /// Returns the settings of this crawl's workers.
    pub fn worker_settings(&self, program: &Path, concurrency: usize, delay: u64) -> WorkerSettings {
        WorkerSettings {
            program: program.to_owned(),
            store: self.url.clone(),
            web: self.web.address().to_string(),
            concurrency,
            delay,
            folder: self.folder.clone(),
        }
    }

    /// Returns the address of the web.
    pub fn web_address(&self) -> SocketAddr {
        self.web.address()
    }

    /// Returns the address of the store behind a relay.
    pub fn store_behind(&self, wire: SocketAddr) -> String {
        format!("postgres://postgres@{wire}/{}", self.database)
    }

    /// Returns the seconds on the clock of the log.
    pub fn elapsed_seconds(&self) -> f64 {
        self.born.elapsed().as_secs_f64()
    }

    /// Returns the number of requests so far.
    pub fn request_count(&self) -> u64 {
        self.web.served_count()
    }

    /// Returns all requests in order.
    pub fn request_log(&self) -> Vec<LogEntry> {
        self.web.log()
    }

    /// Reads the catalogue.
    pub fn read_catalogue(&self) -> Result<ComparableCatalogue> {
        ComparableCatalogue::read_store(&self.store)
    }

    /// Starts a task as in the application; all workers join it.
    pub fn start_task(&self, seeds: Vec<String>) -> Result<JobId> {
        let spec = JobSpec {
            title: "cluster".into(),
            seeds,
            depth: 40,
            scope: "any".into(),
            max_pages: None,
            ..JobSpec::default()
        };
        let job = self.store.add_job(Some(1), &spec, Timestamp::now())?;
        match self.store.apply_job_command(job.id, JobCommand::Start, 9, Timestamp::now())? {
            JobCommandOutcome::Noted(_) => Ok(job.id),
            other => bail!("cannot start the task: {other:?}"),
        }
    }

    /// Returns the task, if the database is available.
    pub fn find_task(&self, id: JobId) -> Option<Job> {
        self.store.find_job(id).ok().flatten()
    }

    /// Waits for the end of the task; calls `meanwhile` repeatedly.
    pub fn wait_for_end(
        &self,
        id: JobId,
        at_most: Duration,
        mut meanwhile: impl FnMut() -> Result<()>,
    ) -> Result<Job> {
        let since = Instant::now();
        loop {
            if let Some(job) = self.find_task(id)
                && !job.state.is_active()
            {
                ensure!(job.state == JobState::Finished, "the task is {:?}: {:?}", job.state, job.error);
                return Ok(job);
            }
            ensure!(since.elapsed() < at_most, "the task did not end within {} s", at_most.as_secs());
            meanwhile()?;
            std::thread::sleep(LOOK);
        }
    }

    /// Returns the pending items as `host path` with their intent, read directly from the database.
    pub fn pending_items(&self) -> Result<Vec<(String, String)>> {
        self.items(
            "SELECT h.name || chr(10) || q.path || chr(10) || q.intent FROM geotrawl.queue q \
             JOIN geotrawl.host h ON h.shard = q.shard AND h.id = q.host",
        )
    }

    /// Returns the finished items as `host path` with their intent, except those that were not
    /// requested.
    pub fn closed_items(&self) -> Result<Vec<(String, String)>> {
        self.items("SELECT h.name || chr(10) || p.path || chr(10) || p.intent FROM geotrawl.page p \
             JOIN geotrawl.host h ON h.shard = p.shard AND h.id = p.host WHERE p.class NOT IN ('trap', 'skipped')")
    }

    fn items(&self, sql: &str) -> Result<Vec<(String, String)>> {
        let rows = ask(&self.url, sql).context("cannot query the database")?;
        let item = |row: &String| {
            let mut parts = row.split('\n');
            let host = parts.next().unwrap_or_default();
            let host = host.split_once("://").map_or(host, |(_, rest)| rest);
            let path = parts.next().unwrap_or_default();
            (format!("{host} {path}"), parts.next().unwrap_or_default().to_owned())
        };
        Ok(rows.iter().map(item).collect())
    }
}

/// Starts the workers with these numbers and waits until all are ready.
pub fn start_workers(
    settings: &WorkerSettings,
    numbers: std::ops::Range<usize>,
) -> Result<Vec<WorkerProcess>> {
    let mut hands: Vec<WorkerProcess> =
        numbers.map(|number| WorkerProcess::start(settings, number)).collect::<Result<_>>()?;
    hands.iter_mut().try_for_each(WorkerProcess::wait_until_ready)?;
    Ok(hands)
}

/// Returns the result of a query, or an error if the database is unavailable; `postgres::query` is
/// for tests.
fn ask(url: &str, sql: &str) -> Result<Vec<String>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let rows = runtime.block_on(async {
        let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await?;
        let connection = tokio::spawn(connection);
        let rows = client.query(sql, &[]).await;
        drop(client);
        let _ = connection.await;
        rows
    })?;
    Ok(rows.iter().map(|row| row.try_get::<_, String>(0)).collect::<Result<_, _>>()?)
}
