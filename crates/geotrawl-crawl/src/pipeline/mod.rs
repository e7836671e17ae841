//! The crawl pipeline, in the order of the data:
//! seeds -> frontier -> fetch -> extract -> identify -> catalogue.
//!
//! [`CrawlRun::builder`] configures a crawl; [`CrawlRun::start`] runs it on its own threads. Its
//! stages are [`SeedStage`] (opens groups of seeds), [`Scheduler`] (decides what to request next),
//! [`Visitor`] (sends requests on the I/O runtime, judges answers on the CPU pool) and
//! [`CommitStage`] (commits batches to the store). They communicate only through bounded channels.

mod commit_stage;
mod handle;
mod scheduler;
pub(crate) mod seed_stage;

pub use commit_stage::FinishedWork;
pub use handle::{CrawlFlags, CrawlHandle, CrawlStopper};

use crate::apps::{AppReader, ScriptAnalyzer};
use crate::focus::{self, RankingFactory};
use crate::frontier::SchedulerSignal;
use crate::known::KnownPages;
use crate::leased::{self, LeaseRenewer, RetryingStore};
use crate::observe::{CrawlObserver, NoObserver};
use crate::options::CrawlOptions;
use crate::render::{PageRenderer, RenderConfig};
use crate::resources::SharedResources;
use crate::traces::TraceLabel;
use crate::visit::Visitor;
use commit_stage::CommitStage;
use crossbeam_channel::{Receiver, Sender, bounded};
use geotrawl_kinds::probe::CrawlTarget;
use geotrawl_model::focus::SavedModel;
use geotrawl_model::store::CrawlStore;
use geotrawl_model::{OpenTask, RankedSeed, RunCounters, RunId, StoreError, TaskSpec};
use geotrawl_rank::FrontierRanking;
use scheduler::Scheduler;
use seed_stage::SeedStage;
use std::sync::Arc;
use std::sync::atomic::Ordering as Memory;
use tokio::sync::watch;

/// Number of finished visits that may wait for the commit stage.
const MOST_FINISHED: usize = 256;

/// Why a crawl ended before its frontier was empty.
#[derive(Debug, thiserror::Error)]
pub enum CrawlError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A thread or the runtime could not be started, or an option is invalid.
    #[error("cannot start: {0}")]
    Start(String),
    /// A seed is not a web address.
    #[error("'{seed}' is not a web address to crawl: {cause}")]
    Seed { seed: String, cause: String },
    /// A thread panicked.
    #[error("{0} stopped because of an internal error; the log says where")]
    Broken(&'static str),
}

impl CrawlError {
    /// Returns the error for a thread that could not be started.
    pub(crate) fn from_thread_error(error: std::io::Error) -> Self {
        Self::Start(error.to_string())
    }
}

/// What to crawl.
#[derive(Debug, Clone, Default)]
pub struct CrawlSpec {
    pub name: String,
    pub seeds: Vec<String>,
    /// Names of stored seed lists.
    pub lists: Vec<String>,
    pub options: CrawlOptions,
}

/// Prefix that marks names of lists among the seeds of a stored task.
const LIST: &str = "list:";

impl TryFrom<&CrawlSpec> for TaskSpec {
    type Error = CrawlError;

    fn try_from(spec: &CrawlSpec) -> Result<Self, CrawlError> {
        let options =
            serde_json::to_value(&spec.options).map_err(|error| CrawlError::Start(error.to_string()))?;
        let mut seeds = spec.seeds.clone();
        seeds.extend(spec.lists.iter().map(|list| format!("{LIST}{list}")));
        Ok(Self { name: spec.name.clone(), seeds, options })
    }
}

impl TryFrom<&TaskSpec> for CrawlSpec {
    type Error = CrawlError;

    fn try_from(spec: &TaskSpec) -> Result<Self, CrawlError> {
        let options = serde_json::from_value(spec.options.clone()).map_err(|error| {
            CrawlError::Start(format!("cannot read the options of the task '{}': {error}", spec.name))
        })?;
        let (mut seeds, mut lists) = (Vec::new(), Vec::new());
        for seed in &spec.seeds {
            match seed.strip_prefix(LIST) {
                Some(list) => lists.push(list.to_owned()),
                None => seeds.push(seed.clone()),
            }
        }
        Ok(Self { name: spec.name.clone(), seeds, lists, options })
    }
}

/// How a crawl ended.
#[derive(Debug, Clone)]
pub struct CrawlSummary {
    pub run: RunId,
    pub resumed: bool,
    /// Whether it was stopped before the frontier was empty.
    pub interrupted: bool,
    /// Whether this process ended or paused the run. On a shared store, another process may have
    /// done so, or may still be working on it.
    pub ended: bool,
    pub counters: RunCounters,
}

/// Configures a crawl.
pub struct CrawlBuilder {
    store: Arc<dyn CrawlStore>,
    resources: Arc<SharedResources>,
    spec: CrawlSpec,
    observer: Arc<dyn CrawlObserver>,
    students: ScriptAnalyzer,
    ranked_seeds: Vec<RankedSeed>,
    ordering: Option<Box<RankingFactory>>,
    joined: Option<OpenTask>,
}

impl CrawlBuilder {
    /// Sets the observer of the crawl.
    #[must_use]
    pub fn with_observer(self, observer: Arc<dyn CrawlObserver>) -> Self {
        Self { observer, ..self }
    }

    /// Sets where the code of map applications is analyzed.
    #[must_use]
    pub fn with_analyzer(self, students: ScriptAnalyzer) -> Self {
        Self { students, ..self }
    }

    /// Adds seeds ranked by search engines, best first, after those of the spec. A continued run
    /// keeps the seeds that it began with.
    #[must_use]
    pub fn with_ranked_seeds(self, ranked_seeds: Vec<RankedSeed>) -> Self {
        Self { ranked_seeds, ..self }
    }

    /// Replaces the ranking that the options name; what it learns is saved under that name.
    #[must_use]
    pub fn with_ranking(self, make: Box<RankingFactory>) -> Self {
        Self { ordering: Some(make), ..self }
    }

    /// Joins a run that another process has started, on a store that both share.
    #[must_use]
    pub fn join_run(self, task: OpenTask) -> Self {
        Self { joined: Some(task), ..self }
    }

    /// Opens the task and starts the crawl.
    pub fn start(self) -> Result<CrawlHandle, CrawlError> {
        self.open()?.start()
    }

    /// Opens the task. Nothing is requested before [`CrawlRun::start`].
    pub fn open(self) -> Result<CrawlRun, CrawlError> {
        let Self { store, resources, spec, observer, students, ranked_seeds, ordering, joined } = self;
        let connectors = resources.registry.connectors();
        let targets_of = |seed| seed_stage::seed_targets(connectors, seed, "");
        let named = spec.seeds.iter().map(|seed| targets_of(seed)).collect::<Result<_, _>>()?;
        let (ordering, model) = focus::load_ranking(&*store, &spec.options, ordering.as_deref())?;
        let renderer =
            spec.options.render.then(|| PageRenderer::new(RenderConfig::default(), &resources.client));
        let renderer = renderer.transpose().map_err(|failure| CrawlError::Start(failure.message))?;
        let task = match joined {
            Some(task) => task,
            None => store.open_task(&TaskSpec::try_from(&spec)?, jiff::Timestamp::now())?,
        };
        let label = Arc::new(TraceLabel::new(&*observer, &spec.name, task.run));
        let apps = Arc::new(AppReader::new(students).with_renderer(renderer));
        Ok(CrawlRun {
            store,
            resources,
            spec,
            named,
            ranked_seeds,
            ordering,
            model,
            task,
            observer,
            label,
            apps,
        })
    }
}

/// A crawl whose task is open.
pub struct CrawlRun {
    pub(crate) store: Arc<dyn CrawlStore>,
    pub(crate) resources: Arc<SharedResources>,
    pub(crate) spec: CrawlSpec,
    /// Targets of the seeds of the spec.
    named: Vec<Vec<CrawlTarget>>,
    ranked_seeds: Vec<RankedSeed>,
    ordering: Arc<dyn FrontierRanking>,
    /// The saved model of the ranking.
    model: Option<SavedModel>,
    pub(crate) task: OpenTask,
    observer: Arc<dyn CrawlObserver>,
    label: Arc<TraceLabel>,
    apps: Arc<AppReader>,
}

impl CrawlRun {
    /// Returns a builder for a crawl of `spec` into `store`.
    pub fn builder(
        store: Arc<dyn CrawlStore>,
        resources: &Arc<SharedResources>,
        spec: CrawlSpec,
    ) -> CrawlBuilder {
        CrawlBuilder {
            store,
            resources: Arc::clone(resources),
            spec,
            observer: Arc::new(NoObserver),
            students: ScriptAnalyzer::Here,
            ranked_seeds: Vec::new(),
            ordering: None,
            joined: None,
        }
    }

    /// Returns the task with its run.
    pub fn task(&self) -> &OpenTask {
        &self.task
    }

    /// Starts the crawl on its own threads.
    pub fn start(self) -> Result<CrawlHandle, CrawlError> {
        let (signals, signalled) = bounded(self.resources.concurrency() * 2 + 1_024);
        let stopper = CrawlStopper { signals, flags: Arc::default() };
        let (span, own) = (self.label.span.clone(), stopper.clone());
        let run = move || span.in_scope(|| self.run(&own, signalled));
        let thread = std::thread::Builder::new().name("crawl".into()).spawn(run);
        Ok(CrawlHandle { stopper, thread: thread.map_err(CrawlError::from_thread_error)? })
    }

    /// Runs the stages until the frontier is exhausted or the crawl is stopped.
    fn run(
        self,
        stopper: &CrawlStopper,
        signals: Receiver<SchedulerSignal>,
    ) -> Result<CrawlSummary, CrawlError> {
        let (run, leases) = (self.task.run, &self.resources.leases);
        let store = RetryingStore::new(self.store.clone(), leases.clone(), stopper.flags.clone());
        let store = &Arc::new(store);
        let mut seeds = SeedStage::open(&self, store)?;
        let commits = CommitStage::new(&self, store, stopper)?;
        let (finished, to_commit) = bounded(MOST_FINISHED + leased::outage_reserve(&self));
        let robots = self.resources.robots.subscribe(run, finished.clone());
        let (cancel, cancelled) = watch::channel(false);
        let visitor = self.visitor(finished, commits.known_pages(), stopper, cancelled);
        let keeper = LeaseRenewer::start(&self.store, leases, run, stopper, &self.label)?;
        let committing = commits.spawn(to_commit)?;
        let mut hosts = leased::host_source(&self, store);
        let scheduler = Scheduler { crawl: &self, store, visitor: &visitor, flags: &stopper.flags, signals };
        let scheduled = scheduler.run(&mut seeds, &mut *hosts);

        // Visits that are still in flight are abandoned, and their entries stay pending. The commit
        // stage ends when the last sender of finished visits is dropped.
        let _ = cancel.send(true);
        drop((robots, visitor));
        let committed = committing.wait();
        // Not earlier: other processes would request again what is finished but not committed.
        hosts.release_all();
        drop(keeper);

        let commits = committed?;
        let interrupted = scheduled? && !stopper.flags.closed.load(Memory::Acquire);
        commits.save_learned(interrupted)?;
        let ended = store.end_run(run, interrupted)?;
        let counters = store.retry(|store| store.run_counters(run))?;
        Ok(CrawlSummary { run, resumed: self.task.resumed, interrupted, ended, counters })
    }

    fn visitor(
        &self,
        finished: Sender<FinishedWork>,
        known: &Arc<KnownPages>,
        stopper: &CrawlStopper,
        cancelled: watch::Receiver<bool>,
    ) -> Arc<Visitor> {
        let resources = &self.resources;
        Arc::new(Visitor {
            client: resources.client.clone(),
            options: Arc::new(self.spec.options.clone()),
            ordering: Arc::clone(&self.ordering),
            cpu: resources.cpu.clone(),
            lanes: resources.lanes.clone(),
            runtime: resources.runtime().clone(),
            finished,
            scheduler: stopper.signals.clone(),
            known: Arc::clone(known),
            leases: Arc::clone(&resources.leases),
            registry: resources.registry.clone(),
            observer: Arc::clone(&self.observer),
            label: Arc::clone(&self.label),
            apps: Arc::clone(&self.apps),
            cancelled,
        })
    }
}
