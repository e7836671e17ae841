//! One task of a worker: its crawl, and how it ends.

use super::sharing::JoinedRun;
use super::{TaskWatch, Worker, log_failure, plan};
use crate::pipeline::{CrawlBuilder, CrawlError, CrawlRun, CrawlSpec, CrawlStopper, CrawlSummary};
use crate::seeds::search::SearchError;
use geotrawl_model::task::{Job, JobState};
use geotrawl_model::{RankedSeed, RunId, TaskState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// Maximum number of words of earlier runs to use in search queries.
const MOST_TERMS: usize = 100;

/// A running task as the worker sees it.
pub(super) struct RunningTask {
    thread: JoinHandle<()>,
    shared: Arc<TaskProgress>,
    pub is_stopping: bool,
}

impl RunningTask {
    /// Waits for the thread of a finished task.
    pub fn join(self) {
        let _ = self.thread.join();
    }

    /// Stops the crawl; returns `false` when there is none yet.
    pub fn stop(&self, stop: impl FnOnce(&CrawlStopper)) -> bool {
        self.shared.lock().stopper.as_ref().map(stop).is_some()
    }

    /// Writes the progress of the task.
    pub fn report_progress(&self, worker: &Worker) {
        // Locked until it is written, so that the task's thread writes the final figures
        // afterwards.
        let state = self.shared.lock();
        if let (Some(run), false) = (state.run, state.over) {
            match worker.store.run_counters(run) {
                Ok(counters) => {
                    let live = self.shared.watch.live_figures(run, counters);
                    log_failure("writing", worker.write_live(&self.shared.watch, &live));
                }
                Err(error) => log_failure::<()>("reading the progress of a task", Err(error)),
            }
        }
    }
}

/// State shared between a task's thread and the worker.
struct TaskProgress {
    watch: Arc<TaskWatch>,
    state: Mutex<CrawlState>,
}

#[derive(Default)]
struct CrawlState {
    run: Option<RunId>,
    stopper: Option<CrawlStopper>,
    over: bool,
}

impl TaskProgress {
    fn lock(&self) -> MutexGuard<'_, CrawlState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A task on its own thread.
pub(super) struct TaskThread {
    worker: Arc<Worker>,
    pub job: Job,
    /// The run to join; `None` to start a run or continue its own.
    joined: Option<JoinedRun>,
    shared: Arc<TaskProgress>,
}

impl TaskThread {
    /// Creates the thread of a task that was taken from the queue.
    pub fn new(worker: &Arc<Worker>, job: Job) -> Self {
        let watch = Arc::new(TaskWatch::with_name(&job.name).with_task(job.id));
        let shared = Arc::new(TaskProgress { watch, state: Mutex::default() });
        Self { worker: Arc::clone(worker), job, joined: None, shared }
    }

    /// Joins a run that another process has started.
    pub fn join_run(self, run: JoinedRun) -> Self {
        Self { joined: Some(run), ..self }
    }

    /// Starts the thread. It calls `over` at its end, with the run if that failed here and others
    /// may continue it.
    pub fn spawn(self, over: impl FnOnce(Option<RunId>) + Send + 'static) -> std::io::Result<RunningTask> {
        let shared = Arc::clone(&self.shared);
        let name = format!("task-{}", self.job.id);
        let thread = std::thread::Builder::new().name(name).spawn(move || {
            let _task = tracing::error_span!("job", task = %self.job.id).entered();
            over(self.run());
        })?;
        Ok(RunningTask { thread, shared, is_stopping: false })
    }

    /// Runs the task to its end and records how it ended.
    fn run(&self) -> Option<RunId> {
        let outcome = catch_unwind(AssertUnwindSafe(|| self.crawl()));
        let run = self.close();
        let (state, error) = match outcome {
            Ok(Ok(summary)) => self.ending_of(&summary)?,
            // The task continues where it was once the store is back.
            Ok(Err(CrawlError::Store(error))) if error.is_unavailable() => return None,
            Ok(Err(error)) if self.worker.continues_elsewhere(run) => {
                tracing::error!(task = self.job.id, "leaving a run to other workers: {error}");
                return run;
            }
            Ok(Err(error)) => (JobState::Failed, Some(sentence(&error.to_string()))),
            Err(_panic) => {
                let reason = "The crawl failed because of an internal error; see the log for details.";
                (JobState::Failed, Some(reason.to_owned()))
            }
        };
        // A run that a command started determines the state of its task.
        if self.joined.as_ref().is_none_or(|joined| !joined.by_command) {
            let now = jiff::Timestamp::now();
            log_failure(
                "ending a task",
                self.worker.store.end_job(self.job.id, state, error.as_deref(), now),
            );
        }
        (state == JobState::Failed && self.worker.store.is_shared()).then_some(run).flatten()
    }

    /// Writes the final figures of the run, if there was one.
    fn close(&self) -> Option<RunId> {
        let run = {
            let mut state = self.shared.lock();
            state.over = true;
            state.stopper = None;
            state.run
        }?;
        let watch = &self.shared.watch;
        match self.worker.store.run_counters(run) {
            Ok(counters) => {
                log_failure("writing", self.worker.write_live(watch, &watch.final_figures(run, counters)));
            }
            Err(error) => log_failure::<()>("reading the final figures of a run", Err(error)),
        }
        Some(run)
    }

    /// Returns the state of the task after its crawl; `None` if the crawl continues, here or
    /// elsewhere.
    fn ending_of(&self, summary: &CrawlSummary) -> Option<(JobState, Option<String>)> {
        if !summary.ended {
            return None;
        }
        if summary.interrupted {
            return match self.worker.wanted_state(self.job.id) {
                JobState::Pausing => Some((JobState::Paused, None)),
                JobState::Stopping => {
                    let now = jiff::Timestamp::now();
                    let ended = self.worker.store.set_task_state(summary.run, TaskState::Finished, now);
                    log_failure("ending a run", ended);
                    Some((JobState::Stopped, None))
                }
                // The worker itself ends, and the task is queued again.
                _ => None,
            };
        }
        Some(match nothing_read(summary, &self.shared.watch) {
            Some(reason) => (JobState::Failed, Some(reason)),
            None => (JobState::Finished, None),
        })
    }

    fn crawl(&self) -> Result<CrawlSummary, CrawlError> {
        let crawl = match &self.joined {
            Some(joined) => {
                tracing::info!(task = self.job.id, run = joined.task.run, "joining a run");
                self.builder(CrawlSpec::try_from(&joined.task.spec)?).join_run(joined.task.clone()).open()?
            }
            None => self.open()?,
        };
        let run = crawl.task().run;
        self.shared.lock().run = Some(run);
        let handle = crawl.start()?;
        self.shared.lock().stopper = Some(handle.stopper());
        handle.wait()
    }

    fn builder(&self, spec: CrawlSpec) -> CrawlBuilder {
        CrawlRun::builder(self.worker.store.clone(), &self.worker.resources, spec)
            .with_observer(self.shared.watch.clone())
            .with_analyzer(self.worker.students.clone())
    }

    /// Opens the task for its own run.
    fn open(&self) -> Result<CrawlRun, CrawlError> {
        let (store, Job { spec, name, .. }) = (&self.worker.store, &self.job);
        let options = plan::crawl_options(spec, &self.worker.defaults).map_err(CrawlError::Start)?;
        let lists = store.seed_lists()?;
        if let Some(gone) = spec.lists.iter().find(|name| !lists.iter().any(|list| list.name == **name)) {
            return Err(CrawlError::Start(format!("there is no list of seeds named '{gone}'")));
        }
        let ranked = self.ranked_seeds()?;
        let (seeds, lists) = (spec.seeds.clone(), spec.lists.clone());
        let spec = CrawlSpec { name: name.clone(), seeds, lists, options };
        let crawl = self.builder(spec).with_ranked_seeds(ranked).open()?;
        let task = crawl.task();
        if task.resumed {
            self.worker.restore_tallies(task.run, &self.shared.watch);
        }
        log_failure("noting a run", store.set_job_run(self.job.id, task.run));
        Ok(crawl)
    }

    /// Searches for the keywords of a task, with additional queries from indicative words of its
    /// earlier runs. A failing engine is skipped, unless that leaves nothing to start from.
    fn ranked_seeds(&self) -> Result<Vec<RankedSeed>, CrawlError> {
        let (worker, job, spec) = (&self.worker, &self.job, &self.job.spec);
        if spec.engines.is_empty() {
            return Ok(Vec::new());
        }
        let Some(search) = &worker.search else {
            return Err(CrawlError::Start("no search engines are configured where the task runs".into()));
        };
        let terms = job
            .run
            .map(|run| worker.store.indicative_terms(run, MOST_TERMS))
            .transpose()?
            .unwrap_or_default();
        let wanted = plan::search_request(spec, terms);
        let runtime = worker.resources.runtime();
        let found = runtime.block_on(search.search(&wanted)).map_err(|error| match error {
            SearchError::Setup(error) => CrawlError::Start(error.to_string()),
            SearchError::Store(error) => CrawlError::Store(error),
        })?;
        for fault in found.error_messages() {
            tracing::warn!(task = job.id, "a search engine query failed: {fault}");
        }
        if found.seeds.is_empty() && spec.seeds.is_empty() && spec.lists.is_empty() {
            return Err(CrawlError::Start(found.empty_reason()));
        }
        Ok(found.seeds.iter().map(RankedSeed::from).collect())
    }
}

/// Returns why a crawl that ended on its own has read nothing at all.
fn nothing_read(summary: &CrawlSummary, watch: &TaskWatch) -> Option<String> {
    let counters = &summary.counters;
    if counters.pages + counters.probes > counters.failures {
        return None;
    }
    Some(match watch.first_failure() {
        Some((url, reason)) => sentence(&format!("Nothing could be read. {url}: {reason}")),
        None => "There was nothing to read: no seed could be requested.".to_owned(),
    })
}

fn sentence(text: &str) -> String {
    const MOST: usize = 1_000;
    let mut text: String = text.get(..text.floor_char_boundary(MOST)).unwrap_or_default().to_owned();
    if let Some(first) = text.get(..1) {
        text = format!("{}{}", first.to_uppercase(), text.get(1..).unwrap_or_default());
    }
    if !text.ends_with('.') {
        text.push('.');
    }
    text
}
