//! A database with a run, and several stores on it.

use geotrawl_model::store::{CrawlStore, Result};
use geotrawl_model::{
    CommitSummary, CrawlBatch, FinishedItem, FrontierEntry, NewLink, PageOutcome, RunId, TaskSpec,
};
use geotrawl_store::{LeaseOptions, PostgresOptions, PostgresStore};
use geotrawl_testkit::postgres;
use jiff::Timestamp;
use std::time::Instant;

/// A database with a run.
pub struct LeaseTestDatabase {
    database: postgres::TestDatabase,
    run: RunId,
}

impl LeaseTestDatabase {
    /// Creates a database; `None` if tests run without a server.
    pub fn new() -> Option<Self> {
        let database = postgres::TestDatabase::new(|url| drop(connect(url)))?;
        let run = open_task(&connect(&database.url), "a");
        Some(Self { database, run })
    }

    /// Returns the run.
    pub fn run(&self) -> RunId {
        self.run
    }

    /// Starts a run of another task.
    pub fn another_run(&self) -> RunId {
        open_task(&self.open(), "b")
    }

    /// Opens a store like a separate process.
    pub fn open(&self) -> PostgresStore {
        self.open_with(|_| {})
    }

    /// Opens a store with other lease options.
    pub fn open_with(&self, change: impl FnOnce(&mut LeaseOptions)) -> PostgresStore {
        let mut options = PostgresOptions::default();
        change(&mut options.leases);
        PostgresStore::connect(&self.database.url, &options).expect("the store opens")
    }

    /// Returns a link to a page.
    pub fn link(host: &str, path: &str) -> NewLink {
        NewLink {
            key: format!("page {host}{path}"),
            url: format!("{host}{path}"),
            host: host.to_owned(),
            priority: 100,
            way: "href".into(),
            ..NewLink::default()
        }
    }

    /// Returns links to pages of a host.
    pub fn links(host: &str, pages: usize) -> Vec<NewLink> {
        (0..pages).map(|page| Self::link(host, &format!("/{page}"))).collect()
    }

    /// Commits a batch.
    pub fn commit(store: &PostgresStore, run: RunId, done: Vec<FinishedItem>) -> CommitSummary {
        Self::try_commit(store, run, done).expect("the batch is committed")
    }

    /// Commits a batch and returns the result.
    pub fn try_commit(store: &PostgresStore, run: RunId, done: Vec<FinishedItem>) -> Result<CommitSummary> {
        store.commit(&CrawlBatch { run, done, robots: vec![], now: Timestamp::UNIX_EPOCH })
    }

    /// Commits a batch of a process whose clock shows this second.
    pub fn commit_at(
        store: &PostgresStore,
        run: RunId,
        done: Vec<FinishedItem>,
        second: i64,
    ) -> CommitSummary {
        let now = Timestamp::from_second(second).expect("a second");
        store.commit(&CrawlBatch { run, done, robots: vec![], now }).expect("the batch is committed")
    }

    /// Makes all leases expire this many seconds ago.
    pub fn expire_leases(&self, seconds: u32) {
        self.run_sql(&format!(
            "UPDATE geotrawl.host SET expires = now() - interval '{seconds} seconds' WHERE owner IS NOT NULL"
        ));
    }

    /// Runs a statement outside the stores.
    pub fn run_sql(&self, sql: &str) {
        postgres::execute_sql(&self.database.url, sql);
    }

    /// Returns the number that a query yields.
    pub fn query_number(&self, sql: &str) -> i64 {
        self.text(&format!("SELECT ({sql})::text")).parse().expect("a number")
    }

    /// Returns the contents of the frontier and the counters, without leases.
    pub fn frontier_state(&self) -> String {
        let tables = ["queue", "seen", "page", "host_run", "run", "level", "run_level"].map(|table| {
            format!(
                "SELECT string_agg(t::text, E'\\n' ORDER BY t::text) AS all_of_it FROM geotrawl.{table} t"
            )
        });
        self.text(&format!(
            "SELECT string_agg(all_of_it, E'\\n--\\n') FROM ({}) t",
            tables.join(" UNION ALL ")
        ))
    }

    /// Holds a lock that a commit needs while `work` runs. The function passed to `work` ends the
    /// connection waiting for it.
    pub fn while_locked<T>(&self, lock: &str, work: impl FnOnce(&dyn Fn()) -> T) -> T {
        let runtime = runtime();
        let client = runtime.block_on(session(&self.database.url));
        runtime.block_on(client.batch_execute(&format!("BEGIN; {lock}"))).expect("a lock");
        let broken = || {
            let begun = Instant::now();
            let ended = "SELECT count(pg_terminate_backend(pid))::text FROM pg_stat_activity \
                         WHERE datname = current_database() AND wait_event_type = 'Lock'";
            while self.text(ended) == "0" {
                assert!(begun.elapsed().as_secs() < 60, "no connection waited for the lock");
            }
        };
        let value = work(&broken);
        runtime.block_on(client.batch_execute("ROLLBACK")).expect("the lock is let go");
        value
    }

    fn text(&self, sql: &str) -> String {
        let runtime = runtime();
        let text = runtime.block_on(async {
            let client = session(&self.database.url).await;
            let row = client.query_one(sql, &[]).await.expect("a row");
            row.get::<_, Option<String>>(0)
        });
        text.unwrap_or_default()
    }
}

/// Finishes an item with an outcome and nothing else.
pub fn finish_item(item: FrontierEntry, class: &str) -> FinishedItem {
    let outcome = PageOutcome { class: class.to_owned(), requests: 1, ..PageOutcome::default() };
    FinishedItem::new(item, outcome)
}

fn open_task(store: &PostgresStore, name: &str) -> RunId {
    let spec = TaskSpec { name: name.to_owned(), seeds: vec![], options: serde_json::json!({}) };
    store.open_task(&spec, Timestamp::UNIX_EPOCH).expect("the task opens").run
}

fn connect(url: &str) -> PostgresStore {
    PostgresStore::connect(url, &PostgresOptions::default()).expect("the store opens")
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime")
}

async fn session(url: &str) -> tokio_postgres::Client {
    let (client, connection) =
        tokio_postgres::connect(url, tokio_postgres::NoTls).await.expect("a connection");
    tokio::spawn(connection);
    client
}
