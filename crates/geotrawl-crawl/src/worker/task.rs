//! One task of a worker: its crawl, and how that ended.

use super::sharing::JoinedRun;
use super::{TaskWatch, Worker, log_failure, plan};
use crate::pipeline::{CrawlBuilder, CrawlError, CrawlRun, CrawlSpec, CrawlStopper, CrawlSummary};
use crate::seeds::search::SearchError;
use geotrawl_model::task::{Job, JobState};
use geotrawl_model::{RankedSeed, RunId, TaskState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// Words of earlier runs that become questions to search engines.
const MOST_TERMS: usize = 100;

/// A task that runs, as the worker sees it.
pub(super) struct RunningTask {
    thread: JoinHandle<()>,
    shared: Arc<TaskProgress>,
    pub is_stopping: bool,
}

impl RunningTask {
    /// Waits for the thread of a task that is over.
    pub fn join(self) {
        let _ = self.thread.join();
    }

    /// Stops the crawl; returns `false` when there is none yet.
    pub fn stop(&self, stop: impl FnOnce(&CrawlStopper)) -> bool {
        self.shared.lock().stopper.as_ref().map(stop).is_some()
    }

    /// Writes down what goes on.
    pub fn report_progress(&self, worker: &Worker) {
        // Held until it is written: the task's own thread reports the end of the run, after this.
        let state = self.shared.lock();
        if let (Some(run), false) = (state.run, state.over) {
            match worker.store.run_counters(run) {
                Ok(counters) => {
                    let live = self.shared.watch.live_figures(run, counters);
                    log_failure("writing", worker.write_live(&self.shared.watch, &live));
                }
                Err(error) => log_failure::<()>("telling what goes on", Err(error)),
            }
        }
    }
}

/// What a task's thread and the worker both know.
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

/// A task on a thread of its own.
pub(super) struct TaskThread {
    worker: Arc<Worker>,
    pub job: Job,
    /// The run that it joins; `None`: it begins one, or continues its own.
    joined: Option<JoinedRun>,
    shared: Arc<TaskProgress>,
}

impl TaskThread {
    /// Returns the thread of a task that was taken from the queue.
    pub fn new(worker: &Arc<Worker>, job: Job) -> Self {
        let watch = Arc::new(TaskWatch::with_name(&job.name).with_task(job.id));
        let shared = Arc::new(TaskProgress { watch, state: Mutex::default() });
        Self { worker: Arc::clone(worker), job, joined: None, shared }
    }

    /// Takes part in a run that another process has begun.
    pub fn join_run(self, run: JoinedRun) -> Self {
        Self { joined: Some(run), ..self }
    }

    /// Starts the thread. `over` is called at its end, with the run when that failed here and others may go on with it.
    pub fn spawn(self, over: impl FnOnce(Option<RunId>) + Send + 'static) -> std::io::Result<RunningTask> {
        let shared = Arc::clone(&self.shared);
        let name = format!("task-{}", self.job.id);
        let thread = std::thread::Builder::new().name(name).spawn(move || {
            let _task = tracing::error_span!("job", task = %self.job.id).entered();
            over(self.run());
        })?;
        Ok(RunningTask { thread, shared, is_stopping: false })
    }

    /// Runs the task to its end and notes how it ended.
    fn run(&self) -> Option<RunId> {
        let outcome = catch_unwind(AssertUnwindSafe(|| self.crawl()));
        let run = self.close();
        let (state, error) = match outcome {
            Ok(Ok(summary)) => self.ending_of(&summary)?,
            // It goes on where it was when the store is back.
            Ok(Err(CrawlError::Store(error))) if error.is_unavailable() => return None,
            Ok(Err(error)) if self.worker.continues_elsewhere(run) => {
                tracing::error!(task = self.job.id, "a run is left to others: {error}");
                return run;
            }
            Ok(Err(error)) => (JobState::Failed, Some(sentence(&error.to_string()))),
            Err(_panic) => {
                let reason = "The crawl broke off by a fault of this program; the log names it.";
                (JobState::Failed, Some(reason.to_owned()))
            }
        };
        // What a command has begun is shown as its run is.
        if self.joined.as_ref().is_none_or(|joined| !joined.by_command) {
            let now = jiff::Timestamp::now();
            log_failure(
                "ending a task",
                self.worker.store.end_job(self.job.id, state, error.as_deref(), now),
            );
        }
        (state == JobState::Failed && self.worker.store.is_shared()).then_some(run).flatten()
    }

    /// Reports the end of the run, if there was one.
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
                log_failure("writing", self.worker.write_live(watch, &watch.final_figures(run, counters)))
            }
            Err(error) => log_failure::<()>("telling the end of a run", Err(error)),
        }
        Some(run)
    }

    /// Returns the state that the task is in after its crawl; `None` when the crawl goes on, here or elsewhere.
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
                // The worker itself ends: the task is queued again.
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

    /// Opens the task for a run of its own.
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

    /// What search engines answer to the keywords of a task; what its earlier runs have found telling makes new
    /// questions. An engine that fails is left out, unless there would be nothing to start from.
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
            tracing::warn!(task = job.id, "a search engine was asked in vain: {fault}");
        }
        if found.seeds.is_empty() && spec.seeds.is_empty() && spec.lists.is_empty() {
            return Err(CrawlError::Start(found.empty_reason()));
        }
        Ok(found.seeds.iter().map(RankedSeed::from).collect())
    }
}

/// Why a crawl that ended by itself has read nothing at all.
fn nothing_read(summary: &CrawlSummary, watch: &TaskWatch) -> Option<String> {
    let counters = &summary.counters;
    if counters.pages + counters.probes > counters.failures {
        return None;
    }
    Some(match watch.first_failure() {
        Some((url, reason)) => sentence(&format!("Nothing could be read. {url}: {reason}")),
        None => "There was nothing to read: no seed could be asked.".to_owned(),
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
