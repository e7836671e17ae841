//! The worker: takes started tasks from the store and crawls several of them at once.
//!
//! All tasks share one guarded client, so that the crawl delays of a host or an address hold across
//! tasks. They also share a runtime, the parsing threads and a budget of concurrent requests
//! ([`crate::resources::RequestBudget`]). Commands arrive as rows in the store: a task that should
//! pause or stop is told within a quarter of a second. A failure of one task does not affect the
//! worker or other tasks. Several workers on a shared store also crawl one task together
//! ([`sharing`]).

mod plan;
mod rounds;
mod sharing;
mod task;
mod watch;

pub use plan::crawl_options;
pub use watch::TaskWatch;

use crate::apps::ScriptAnalyzer;
use crate::options::CrawlOptions;
use crate::pipeline::CrawlError;
use crate::resources::SharedResources;
use crate::seeds::search::MetaSearch;
use crossbeam_channel::{Sender, unbounded};
use geotrawl_model::store::TaskStore;
use geotrawl_model::task::JobId;
use geotrawl_model::{RunId, StoreError};
use rounds::WorkLoop;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// How long a task that pauses or stops waits for requests in flight.
pub const SHUTDOWN_GRACE: Duration = Duration::from_millis(1_200);

/// Settings of a worker.
pub struct Worker {
    pub store: Arc<dyn TaskStore>,
    /// Resources of all its tasks. Others may use them as well; their requests and those of tasks
    /// take turns.
    pub resources: Arc<SharedResources>,
    /// Defaults for options that tasks do not set.
    pub defaults: CrawlOptions,
    /// Where the code of map applications is analyzed.
    pub students: ScriptAnalyzer,
    /// Maximum number of concurrent tasks.
    pub max_tasks: usize,
    /// Maximum number of concurrent tasks per user, unless the user has a limit of their own.
    pub max_running: u32,
    /// Search engines that provide seeds.
    pub search: Option<MetaSearch>,
}

impl Worker {
    /// Creates a worker with the default settings.
    pub fn new(store: Arc<dyn TaskStore>, resources: Arc<SharedResources>, students: ScriptAnalyzer) -> Self {
        let defaults = CrawlOptions::default();
        Self { store, resources, defaults, students, max_tasks: 8, max_running: 5, search: None }
    }

    /// Starts the worker on its own thread.
    pub fn start(self) -> Result<WorkerHandle, CrawlError> {
        let (calls, heard) = unbounded();
        let work = WorkLoop::new(self, heard, calls.clone());
        let thread = std::thread::Builder::new().name("worker".into()).spawn(|| work.run());
        Ok(WorkerHandle { calls, thread: thread.map_err(CrawlError::from_thread_error)? })
    }
}

/// A running worker.
pub struct WorkerHandle {
    calls: Sender<WorkerCall>,
    thread: JoinHandle<Result<(), CrawlError>>,
}

enum WorkerCall {
    /// Check the store for commands now.
    Look,
    /// A task has ended; contains the run if it failed.
    Over(JobId, Option<RunId>),
    End,
}

impl WorkerHandle {
    /// Makes the worker check the store for commands at once.
    pub fn wake(&self) {
        let _ = self.calls.send(WorkerCall::Look);
    }

    /// Stops the worker: requests in flight end or are left for the next time, and running tasks
    /// are queued.
    pub fn stop(&self) {
        let _ = self.calls.send(WorkerCall::End);
    }

    /// Waits until the worker has ended. Returns an error only if the worker itself could not run.
    pub fn wait(self) -> Result<(), CrawlError> {
        self.thread.join().unwrap_or(Err(CrawlError::Broken("the worker")))
    }
}

/// Logs a store failure; the next round tries again.
fn log_failure<T>(doing: &str, outcome: Result<T, StoreError>) {
    match outcome {
        Err(error) if error.is_unavailable() => tracing::debug!("{doing} has to wait: {error}"),
        Err(error) => tracing::error!("{doing} failed: {error}"),
        Ok(_) => {}
    }
}
