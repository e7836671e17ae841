//! The worker: takes tasks that people have started, and crawls several of them at once.
//!
//! All tasks share one guarded client, so pauses between requests to a host or an address hold for all tasks of
//! all people together, and one runtime, one set of parsing threads and one number of requests under way, which
//! is shared fairly ([`crate::means::Share`]). What people want is read from the rows of the store: a task that is to pause or
//! stop is told so within a quarter of a second. Whatever happens to one task, the worker and the others go on.
//! On a store that several workers share they also crawl one task together ([`joining`]).

mod joining;
mod plan;
mod watch;

pub use plan::options;
pub use watch::Watch;

use crate::apps::Students;
use crate::fetch::FetchConfig;
use crate::focus::Given;
use crate::means::{Means, io_runtime};
use crate::options::CrawlOptions;
use crate::pipeline::{Crawl, CrawlError, Stopper, Summary};
use crate::seeds::search::{MetaSearch, SearchError};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use geotrawl_store::focus::RankedSeed;
use geotrawl_store::jobs::{Job, JobId, JobState, Jobs, Live};
use geotrawl_store::{RunId, Store, StoreError, TaskState};
use joining::{Joined, Others};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often the rows are looked at.
const LOOK: Duration = Duration::from_millis(250);
/// How often what goes on is written down.
const TELL: Duration = Duration::from_millis(500);
/// How often schedules are looked at.
const SCHEDULES: Duration = Duration::from_secs(5);
/// Words of earlier runs that become questions to search engines.
const MOST_TERMS: usize = 100;
/// A task that pauses or stops waits so long for what is under way.
pub const PATIENCE: Duration = Duration::from_millis(1_200);

/// All that a worker needs of a store.
pub trait WorkerStore: Store + Jobs {}
impl<T: Store + Jobs> WorkerStore for T {}

/// Settings of a worker.
pub struct Worker {
    pub store: Arc<dyn WorkerStore>,
    pub fetch: FetchConfig,
    /// What tasks do not say.
    pub defaults: CrawlOptions,
    /// Who studies the code of map applications.
    pub students: Students,
    /// Tasks at once.
    pub max_tasks: usize,
    /// Threads that parse; 0 = one per core.
    pub cpu_threads: usize,
    /// Whether tasks may have a browser look at applications.
    pub may_render: bool,
    /// Tasks that a person may have at once when nothing else is set.
    pub max_running: u32,
    /// Who is asked for seeds.
    pub search: Option<MetaSearch>,
}

/// Tells a worker that there is something to do, or to end.
#[derive(Clone)]
pub struct WorkerHandle {
    calls: Sender<Call>,
}

/// The receiving end of a [`WorkerHandle`].
pub struct Calls {
    calls: Receiver<Call>,
    own: Sender<Call>,
}

enum Call {
    /// Look at the rows now.
    Look,
    /// A task has ended; the run, where it failed.
    Over(JobId, Option<RunId>),
    End,
}

impl WorkerHandle {
    /// A handle, and what the worker listens to.
    pub fn new() -> (Self, Calls) {
        let (own, calls) = unbounded();
        (Self { calls: own.clone() }, Calls { calls, own })
    }

    /// Lets the worker look at the rows at once.
    pub fn look(&self) {
        let _ = self.calls.send(Call::Look);
    }

    /// Ends the worker: what is under way is finished or left for next time, and what runs is queued again.
    pub fn end(&self) {
        let _ = self.calls.send(Call::End);
    }
}

/// A task that runs.
struct Running {
    thread: JoinHandle<()>,
    shared: Arc<Shared>,
    told_to_stop: bool,
}

/// What a task's thread and the worker both know.
struct Shared {
    watch: Arc<Watch>,
    state: Mutex<Shown>,
}

#[derive(Default)]
struct Shown {
    run: Option<RunId>,
    stopper: Option<Stopper>,
    over: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Shown> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Worker {
    /// A worker with the usual settings.
    pub fn new(store: Arc<dyn WorkerStore>, fetch: FetchConfig, students: Students) -> Self {
        let defaults = CrawlOptions::default();
        Self {
            store,
            fetch,
            defaults,
            students,
            max_tasks: 8,
            cpu_threads: 0,
            may_render: true,
            max_running: 5,
            search: None,
        }
    }

    /// Works until it is told to end. Only what keeps it from working at all is an error.
    pub fn run(self, calls: Calls) -> Result<(), CrawlError> {
        let runtime = io_runtime()?;
        let means = Means::new(&self.fetch, self.cpu_threads, runtime.handle().clone())?;
        let outcome = self.run_with(calls, Arc::new(means.patience(PATIENCE)));
        runtime.shutdown_timeout(Duration::from_secs(2));
        outcome
    }

    /// As [`Self::run`], with means that others share: what they ask and what tasks ask takes turns.
    pub fn run_with(self, calls: Calls, means: Arc<Means>) -> Result<(), CrawlError> {
        let worker = Arc::new(self);
        let shared = worker.store.is_shared();
        let mut others = Others::default();
        // What another worker crawls is no orphan.
        if !shared {
            worker.store.requeue_orphans(jiff::Timestamp::now())?;
        }
        let mut running: HashMap<JobId, Running> = HashMap::new();
        let (mut looked, mut told, mut scheduled) = (None::<Instant>, Instant::now(), None::<Instant>);
        let mut ending = false;
        loop {
            let due = |at: Option<Instant>, every: Duration| at.is_none_or(|at| at.elapsed() >= every);
            if due(scheduled, SCHEDULES) && !ending && others.may_ask() {
                scheduled = Some(Instant::now());
                let queued = worker.store.queue_due(worker.max_running, jiff::Timestamp::now());
                others.note(&queued);
                report("queueing what is due", queued);
            }
            if due(looked, LOOK) {
                looked = Some(Instant::now());
                worker.heed_wishes(&mut running, ending);
                if !ending && others.may_ask() {
                    worker.take_tasks(&mut running, &mut others, &means, &calls.own);
                    if shared && others.may_ask() {
                        worker.join_runs(&mut running, &mut others, &means, &calls.own);
                    }
                }
            }
            if told.elapsed() >= TELL {
                told = Instant::now();
                worker.tell(&running);
            }
            if ending && running.is_empty() {
                break;
            }
            match calls.calls.recv_timeout(LOOK.min(TELL.saturating_sub(told.elapsed()))) {
                Ok(Call::Look) => looked = None,
                Ok(Call::Over(id, failed)) => {
                    if let Some(run) = failed {
                        others.failed(run);
                    }
                    if let Some(over) = running.remove(&id) {
                        let _ = over.thread.join();
                    }
                    looked = None;
                }
                Ok(Call::End) => {
                    ending = true;
                    looked = None;
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
        }
        if !shared {
            worker.store.requeue_orphans(jiff::Timestamp::now())?;
        }
        drop(means);
        Ok(())
    }

    /// Stops what is to pause or stop.
    fn heed_wishes(&self, running: &mut HashMap<JobId, Running>, ending: bool) {
        let shared = self.store.is_shared();
        for (id, task) in running.iter_mut().filter(|(_, task)| !task.told_to_stop) {
            let wanted = self.wanted(*id);
            if (ending || wanted != JobState::Running)
                && let Some(stopper) = &task.shared.lock().stopper
            {
                // Others go on with it, or whoever comes next.
                if shared && wanted == JobState::Running {
                    stopper.leave();
                } else {
                    stopper.stop();
                }
                task.told_to_stop = true;
            }
        }
    }

    /// What a person wants of a task that runs here; while nobody can tell, it goes on.
    fn wanted(&self, id: JobId) -> JobState {
        let wanted = if self.store.is_shared() { self.wanted_of_all(id) } else { self.store.job_wanted(id) };
        wanted.unwrap_or(JobState::Running)
    }

    fn take_tasks(
        self: &Arc<Self>,
        running: &mut HashMap<JobId, Running>,
        others: &mut Others,
        means: &Arc<Means>,
        calls: &Sender<Call>,
    ) {
        while running.len() < self.max_tasks.max(1) {
            let taken = self.store.take_job(jiff::Timestamp::now());
            others.note(&taken);
            match taken {
                Ok(Some(job)) => {
                    if !self.start(running, job, None, means, calls) {
                        return;
                    }
                }
                Ok(None) => return,
                Err(error) => {
                    report::<()>("taking a task", Err(error));
                    return;
                }
            }
        }
    }

    /// Starts a thread for a task; `false` when that fails.
    fn start(
        self: &Arc<Self>,
        running: &mut HashMap<JobId, Running>,
        job: Job,
        joined: Option<Joined>,
        means: &Arc<Means>,
        calls: &Sender<Call>,
    ) -> bool {
        let (id, name) = (job.id, job.name.clone());
        let is_joined = joined.is_some();
        let shared =
            Arc::new(Shared { watch: Arc::new(Watch::of(&name).numbered(id)), state: Mutex::default() });
        let (worker, means, calls) = (Arc::clone(self), Arc::clone(means), calls.clone());
        let own = Arc::clone(&shared);
        let started = std::thread::Builder::new().name(format!("task-{id}")).spawn(move || {
            let _task = tracing::error_span!("job", task = %id).entered();
            let failed = worker.work(&job, joined.as_ref(), &own, &means);
            let _ = calls.send(Call::Over(id, failed));
        });
        match started {
            Ok(thread) => {
                running.insert(id, Running { thread, shared, told_to_stop: false });
                true
            }
            Err(error) if is_joined => {
                tracing::error!("a run cannot be joined: {error}");
                false
            }
            Err(error) => {
                let reason = format!("The crawl could not be started: {error}");
                let now = jiff::Timestamp::now();
                report("ending a task", self.store.end_job(id, JobState::Failed, Some(&reason), now));
                false
            }
        }
    }

    /// Runs one task to its end and notes how it ended; gives the run that failed here, where others may go on with it.
    fn work(&self, job: &Job, joined: Option<&Joined>, shared: &Arc<Shared>, means: &Means) -> Option<RunId> {
        let outcome = catch_unwind(AssertUnwindSafe(|| match joined {
            Some(joined) => self.join(job, joined, shared, means),
            None => self.crawl(job, shared, means),
        }));
        let now = jiff::Timestamp::now();
        let run = {
            let mut shown = shared.lock();
            shown.over = true;
            shown.stopper = None;
            shown.run
        };
        if let Some(run) = run {
            match self.store.counters(run) {
                Ok(counters) => {
                    report("writing", self.write_live(&shared.watch, &shared.watch.last(run, counters)));
                }
                Err(error) => report::<()>("telling the end of a run", Err(error)),
            }
        }
        let is_shared = self.store.is_shared();
        let (state, error) = match outcome {
            // Another worker has ended it, or is at work still.
            Ok(Ok(summary)) if !summary.ended => return None,
            Ok(Ok(summary)) if summary.interrupted => {
                match self.wanted(job.id) {
                    JobState::Pausing => (JobState::Paused, None),
                    JobState::Stopping => {
                        let ended = self.store.set_task_state(summary.run, TaskState::Finished, now);
                        report("ending a run", ended);
                        (JobState::Stopped, None)
                    }
                    // The worker itself ends: the task is queued again.
                    _ => return None,
                }
            }
            Ok(Ok(summary)) => match nothing_read(&summary, shared) {
                Some(reason) => (JobState::Failed, Some(reason)),
                None => (JobState::Finished, None),
            },
            // It goes on where it was when the store is back.
            Ok(Err(CrawlError::Store(error))) if error.is_unavailable() => return None,
            Ok(Err(error))
                if is_shared && run.is_some_and(|run| self.store.held_elsewhere(run).unwrap_or(true)) =>
            {
                tracing::error!(task = job.id, "a run is left to others: {error}");
                return run;
            }
            Ok(Err(error)) => (JobState::Failed, Some(sentence(&error.to_string()))),
            Err(_panic) => {
                let reason = "The crawl broke off by a fault of this program; the log names it.";
                (JobState::Failed, Some(reason.to_owned()))
            }
        };
        // What a command has begun is shown as its run is.
        if joined.is_none_or(|joined| !joined.by_command) {
            report("ending a task", self.store.end_job(job.id, state, error.as_deref(), now));
        }
        (state == JobState::Failed && is_shared).then_some(run).flatten()
    }

    fn crawl(&self, job: &Job, shared: &Arc<Shared>, means: &Means) -> Result<Summary, CrawlError> {
        let mut options = plan::options(&job.spec, &self.defaults).map_err(CrawlError::Start)?;
        options.render &= self.may_render;
        let lists = self.store.seed_lists()?;
        if let Some(gone) = job.spec.lists.iter().find(|name| !lists.iter().any(|list| list.name == **name)) {
            return Err(CrawlError::Start(format!("there is no list of seeds named '{gone}'")));
        }
        let given = Given { ranked: self.ranked(job, means)?, ordering: None };
        let crawl = Crawl {
            name: job.name.clone(),
            seeds: job.spec.seeds.clone(),
            lists: job.spec.lists.clone(),
            options,
            fetch: self.fetch.clone(),
            observer: shared.watch.clone(),
            cpu_threads: self.cpu_threads,
            students: self.students.clone(),
        };
        let store: &dyn WorkerStore = &*self.store;
        crawl.run_given(store, means, given, |task, stopper| {
            if task.resumed
                && !self.store.is_shared()
                && let Ok(live) = self.store.live(&[task.run])
                && let Some(live) = live.into_iter().next()
            {
                shared.watch.go_on_from(live.tallies);
            }
            report("noting a run", self.store.job_run(job.id, task.run));
            let mut shown = shared.lock();
            shown.run = Some(task.run);
            shown.stopper = Some(stopper);
        })
    }

    /// What search engines answer to the keywords of a task; what its earlier runs have found telling makes new
    /// questions. An engine that fails is left out, unless there would be nothing to start from.
    fn ranked(&self, job: &Job, means: &Means) -> Result<Vec<RankedSeed>, CrawlError> {
        let spec = &job.spec;
        if spec.engines.is_empty() {
            return Ok(Vec::new());
        }
        let Some(search) = &self.search else {
            return Err(CrawlError::Start("no search engines are configured where the task runs".into()));
        };
        let terms = job.run.map(|run| self.store.terms(run, MOST_TERMS)).transpose()?.unwrap_or_default();
        let wanted = plan::search(spec, terms);
        let found = means.runtime.block_on(search.ranked(&wanted)).map_err(|error| match error {
            SearchError::Setup(error) => CrawlError::Start(error.to_string()),
            SearchError::Store(error) => CrawlError::Store(error),
        })?;
        for fault in found.faults() {
            tracing::warn!(task = job.id, "a search engine was asked in vain: {fault}");
        }
        if found.seeds.is_empty() && spec.seeds.is_empty() && spec.lists.is_empty() {
            return Err(CrawlError::Start(found.emptiness()));
        }
        Ok(found.seeds.iter().map(RankedSeed::from).collect())
    }

    /// Writes down what goes on in a run; of several workers each adds what it has seen.
    fn write_live(&self, watch: &Watch, live: &Live) -> Result<(), StoreError> {
        if !self.store.is_shared() {
            return self.store.write_live(live);
        }
        self.store.add_live(live)?;
        watch.told(&live.tallies);
        Ok(())
    }

    /// Writes down what goes on in every task.
    fn tell(&self, running: &HashMap<JobId, Running>) {
        for task in running.values() {
            // Held until it is written: the last word about a run is spoken by its own thread, after this.
            let shown = task.shared.lock();
            let (Some(run), false) = (shown.run, shown.over) else { continue };
            match self.store.counters(run) {
                Ok(counters) => {
                    let live = task.shared.watch.live(run, counters);
                    report("writing", self.write_live(&task.shared.watch, &live));
                }
                Err(error) => report::<()>("telling what goes on", Err(error)),
            }
        }
    }
}

/// Why a crawl that ended by itself has read nothing at all.
fn nothing_read(summary: &Summary, shared: &Shared) -> Option<String> {
    let counters = &summary.counters;
    if counters.pages + counters.probes > counters.failures {
        return None;
    }
    Some(match shared.watch.first_failure() {
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

/// A failure of the store is told in the log; the next look tries again.
fn report<T>(doing: &str, outcome: Result<T, StoreError>) {
    match outcome {
        Err(error) if error.is_unavailable() => tracing::debug!("{doing} must wait: {error}"),
        Err(error) => tracing::error!("{doing} failed: {error}"),
        Ok(_) => {}
    }
}
