//! A database, a simulated web, and the task that workers crawl.

use super::catalogue::ComparableCatalogue;
use super::hand::{WorkerProcess, WorkerSettings};
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

/// How often is looked whether a task is over; times are only as exact as this.
const LOOK: Duration = Duration::from_millis(50);

/// A server for databases, and a place for files.
pub struct ClusterLab {
    pub database: PostgresServer,
    runtime: Runtime,
    folder: PathBuf,
    _temporary: Option<tempfile::TempDir>,
}

impl ClusterLab {
    /// Starts a server; what is to be kept goes to `keep`.
    pub fn start(keep: Option<&Path>) -> Result<Self> {
        // Durable: what is measured has the flushes of a real one, and falls must not lose what was promised.
        let database = PostgresServer::start(true).map_err(anyhow::Error::msg)?;
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let temporary = if keep.is_none() { Some(tempfile::tempdir()?) } else { None };
        let folder = match (&temporary, keep) {
            (Some(temporary), _) => temporary.path().to_owned(),
            (None, Some(keep)) => std::path::absolute(keep)?,
            (None, None) => bail!("there is no place for files"),
        };
        Ok(Self { database, runtime, folder, _temporary: temporary })
    }

    /// Where wires and the web live.
    pub fn runtime(&self) -> &Handle {
        self.runtime.handle()
    }

    /// A database and a web of its own for one crawl.
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

    /// Processor seconds of the database's server so far.
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

/// One crawl's database and web.
pub struct CrawlStage {
    /// Address of the database.
    pub url: String,
    pub store: PostgresStore,
    web: ServerHandle,
    /// Moment 0 of the log.
    born: Instant,
    pub folder: PathBuf,
    database: String,
}

impl CrawlStage {
    /// What a worker of this crawl is started with.
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

    /// Where the web is.
    pub fn web_address(&self) -> SocketAddr {
        self.web.address()
    }

    /// The address of the store behind a wire that begins there.
    pub fn store_behind(&self, wire: SocketAddr) -> String {
        format!("postgres://postgres@{wire}/{}", self.database)
    }

    /// Seconds by the clock of the log.
    pub fn elapsed_seconds(&self) -> f64 {
        self.born.elapsed().as_secs_f64()
    }

    /// Requests so far.
    pub fn request_count(&self) -> u64 {
        self.web.served_count()
    }

    /// All requests, in order.
    pub fn request_log(&self) -> Vec<LogEntry> {
        self.web.log()
    }

    /// What was found.
    pub fn read_catalogue(&self) -> Result<ComparableCatalogue> {
        ComparableCatalogue::read_store(&self.store)
    }

    /// Puts a task up, as a person does who presses "start": the workers that look take it, all of them.
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
            other => bail!("the task cannot be started: {other:?}"),
        }
    }

    /// The task, while the database can be asked.
    pub fn find_task(&self, id: JobId) -> Option<Job> {
        self.store.find_job(id).ok().flatten()
    }

    /// Waits for the end of the task; `meanwhile` is called again and again.
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
            ensure!(since.elapsed() < at_most, "the task was not over after {} s", at_most.as_secs());
            meanwhile()?;
            std::thread::sleep(LOOK);
        }
    }

    /// Items that are not closed, as `host path`, with what they are for. The database's own words, not the program's.
    pub fn pending_items(&self) -> Result<Vec<(String, String)>> {
        self.items(
            "SELECT h.name || chr(10) || q.path || chr(10) || q.intent FROM geotrawl.queue q \
             JOIN geotrawl.host h ON h.shard = q.shard AND h.id = q.host",
        )
    }

    /// Items that are closed, but for those that were not asked for, as `host path`, with what they were for.
    pub fn closed_items(&self) -> Result<Vec<(String, String)>> {
        self.items("SELECT h.name || chr(10) || p.path || chr(10) || p.intent FROM geotrawl.page p \
             JOIN geotrawl.host h ON h.shard = p.shard AND h.id = p.host WHERE p.class NOT IN ('trap', 'skipped')")
    }

    fn items(&self, sql: &str) -> Result<Vec<(String, String)>> {
        let rows = ask(&self.url, sql).context("asking the database")?;
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

/// Starts the workers of these numbers and waits until all take tasks.
pub fn start_workers(
    settings: &WorkerSettings,
    numbers: std::ops::Range<usize>,
) -> Result<Vec<WorkerProcess>> {
    let mut hands: Vec<WorkerProcess> =
        numbers.map(|number| WorkerProcess::start(settings, number)).collect::<Result<_>>()?;
    hands.iter_mut().try_for_each(WorkerProcess::wait_until_ready)?;
    Ok(hands)
}

/// What a query says, or that the database is away: unlike `postgres::query`, which is for tests.
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
