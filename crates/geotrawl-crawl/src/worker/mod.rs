//! The worker: takes tasks that people have started, and crawls several of them at once.
//!
//! All tasks share one guarded client, so crawl delays of a host or an address hold for all tasks of all people
//! together, and one runtime, one set of parsing threads and one number of requests under way, which is shared fairly
//! ([`crate::resources::RequestBudget`]). What people want is read from the rows of the store: a task that is to pause
//! or stop is told so within a quarter of a second. Whatever happens to one task, the worker and the others go on.
//! On a store that several workers share they also crawl one task together ([`sharing`]).

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

/// How long a task that pauses or stops waits for what is under way.
pub const SHUTDOWN_GRACE: Duration = Duration::from_millis(1_200);

/// Settings of a worker.
pub struct Worker {
    pub store: Arc<dyn TaskStore>,
    /// Resources of all its tasks; others may use them too: what they request and what tasks request takes turns.
    pub resources: Arc<SharedResources>,
    /// What tasks do not say.
    pub defaults: CrawlOptions,
    /// Who studies the code of map applications.
    pub students: ScriptAnalyzer,
    /// Tasks at once.
    pub max_tasks: usize,
    /// Tasks that a person may have at once when nothing else is set.
    pub max_running: u32,
    /// Who is asked for seeds.
    pub search: Option<MetaSearch>,
}

impl Worker {
    /// Returns a worker with the usual settings.
    pub fn new(store: Arc<dyn TaskStore>, resources: Arc<SharedResources>, students: ScriptAnalyzer) -> Self {
        let defaults = CrawlOptions::default();
        Self { store, resources, defaults, students, max_tasks: 8, max_running: 5, search: None }
    }

    /// Starts the worker on a thread of its own.
    pub fn start(self) -> Result<WorkerHandle, CrawlError> {
        let (calls, heard) = unbounded();
        let work = WorkLoop::new(self, heard, calls.clone());
        let thread = std::thread::Builder::new().name("worker".into()).spawn(|| work.run());
        Ok(WorkerHandle { calls, thread: thread.map_err(CrawlError::from_thread_error)? })
    }
}

/// A worker at work.
pub struct WorkerHandle {
    calls: Sender<WorkerCall>,
    thread: JoinHandle<Result<(), CrawlError>>,
}

enum WorkerCall {
    /// Look at the rows now.
    Look,
    /// A task has ended; the run, where it failed.
    Over(JobId, Option<RunId>),
    End,
}

impl WorkerHandle {
    /// Makes the worker look at the rows at once.
    pub fn wake(&self) {
        let _ = self.calls.send(WorkerCall::Look);
    }

    /// Ends the worker: what is under way is finished or left for next time, and what runs is queued again.
    pub fn stop(&self) {
        let _ = self.calls.send(WorkerCall::End);
    }

    /// Waits until the worker has ended. Only what keeps it from working at all is an error.
    pub fn wait(self) -> Result<(), CrawlError> {
        self.thread.join().unwrap_or(Err(CrawlError::Broken("the worker")))
    }
}

/// Logs a failure of the store; the next round tries again.
fn log_failure<T>(doing: &str, outcome: Result<T, StoreError>) {
    match outcome {
        Err(error) if error.is_unavailable() => tracing::debug!("{doing} must wait: {error}"),
        Err(error) => tracing::error!("{doing} failed: {error}"),
        Ok(_) => {}
    }
}
