//! The whole way, once, in order:
//! seeds -> frontier -> fetch -> extract -> identify -> catalogue.
//!
//! Four kinds of threads: this one schedules ([`Scheduler`]), the runtime does I/O ([`Visitor`]), the CPU
//! pool parses, and the writer commits. They meet only in bounded channels.

use crate::apps::{AppReader, Students};
use crate::fetch::{Client, FetchConfig};
use crate::focus::groups::{self, Groups};
use crate::focus::keeper::Keeper;
use crate::focus::lessons::Lessons;
use crate::focus::{self, Given};
use crate::frontier::Signal;
use crate::known::KnownPages;
use crate::means::{Means, io_runtime};
use crate::observe::Observer;
use crate::options::CrawlOptions;
use crate::render::{RenderConfig, Renderer};
use crate::schedule::Scheduler;
use crate::visit::Visitor;
use crate::writer::{self, Finished, Hearers};
use crossbeam_channel::{Sender, bounded};
use geotrawl_store::{Counters, OpenTask, RunId, Store, StoreError, TaskSpec, TaskState};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::watch;

/// What ends a crawl before its frontier is empty.
#[derive(Debug, thiserror::Error)]
pub enum CrawlError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A thread or the runtime could not be had.
    #[error("cannot start: {0}")]
    Start(String),
    /// A seed is no web address.
    #[error("'{seed}' is not a web address to crawl: {cause}")]
    Seed { seed: String, cause: String },
}

/// A crawl to run.
pub struct Crawl {
    pub name: String,
    pub seeds: Vec<String>,
    /// Names of stored lists of seeds.
    pub lists: Vec<String>,
    pub options: CrawlOptions,
    pub fetch: FetchConfig,
    pub observer: Arc<dyn Observer>,
    /// Threads that parse; 0 = one per core.
    pub cpu_threads: usize,
    /// Who studies the code of map applications.
    pub students: Students,
}

/// How a crawl ended.
#[derive(Debug, Clone)]
pub struct Summary {
    pub run: RunId,
    pub resumed: bool,
    /// Stopped by a person before the frontier was empty.
    pub interrupted: bool,
    pub counters: Counters,
}

/// Lets another thread stop a crawl.
#[derive(Clone)]
pub struct Stopper {
    signals: Sender<Signal>,
    flags: Arc<Flags>,
}

impl Stopper {
    /// Asks the crawl to stop: what is in flight is finished and kept.
    pub fn stop(&self) {
        self.flags.stop.store(true, Ordering::Release);
        // Only to wake the scheduler: when so many signals wait that there is no room, it is awake anyway.
        let _ = self.signals.try_send(Signal::Stop);
    }
}

/// What the threads of a crawl tell each other besides signals.
#[derive(Default)]
pub(crate) struct Flags {
    /// The scheduler has nothing to do before the next commit.
    pub hungry: AtomicBool,
    /// Somebody asked to stop.
    pub stop: AtomicBool,
}

impl Crawl {
    /// Runs the crawl to its end. `started` is told how to stop it.
    pub fn run(self, store: &dyn Store, started: impl FnOnce(Stopper)) -> Result<Summary, CrawlError> {
        self.run_from(store, Given::default(), started)
    }

    /// As [`Self::run`], with ranked seeds or an ordering of one's own.
    pub fn run_from(
        self,
        store: &dyn Store,
        given: Given,
        started: impl FnOnce(Stopper),
    ) -> Result<Summary, CrawlError> {
        let runtime = io_runtime()?;
        let means = Means::new(&self.fetch, self.cpu_threads, runtime.handle().clone())?;
        let ended = self.run_given(store, &means, given, |_, stopper| started(stopper));
        runtime.shutdown_timeout(Duration::from_secs(5));
        ended
    }

    /// Runs the crawl to its end with means that other crawls may use too. `started` is told the run, and how to
    /// stop it.
    pub fn run_with(
        self,
        store: &dyn Store,
        means: &Means,
        started: impl FnOnce(&OpenTask, Stopper),
    ) -> Result<Summary, CrawlError> {
        self.run_given(store, means, Given::default(), started)
    }

    /// As [`Self::run_with`], with ranked seeds or an ordering of one's own.
    pub fn run_given(
        self,
        store: &dyn Store,
        means: &Means,
        given: Given,
        started: impl FnOnce(&OpenTask, Stopper),
    ) -> Result<Summary, CrawlError> {
        let concurrency = self.fetch.concurrency.max(1);
        let (finished, to_write) = bounded::<Finished>(256);
        let (signals, signalled) = bounded::<Signal>(concurrency * 2 + 1_024);
        let named = self.seeds.iter().map(|seed| groups::targets_of(seed, "")).collect::<Result<_, _>>()?;
        let ordering = focus::ordering(store, &self.options, given.ordering.as_deref())?;
        let renderer = self.renderer(&means.client)?;
        let task = self.open(store)?;
        let mut groups = Groups::new(&self, store, task.run, &*ordering, named, &given.ranked)?;
        groups.begin()?;
        let mut lessons = Lessons::new(Arc::clone(&ordering), self.options.patience().is_some());
        let mut keeper = Keeper::new(store, task.run, &self.options.ordering);
        let known = Arc::new(KnownPages::default());
        let (cancel, cancelled) = watch::channel(false);
        let relayed = means.robots.join(task.run, finished.clone());
        let visitor = Arc::new(Visitor {
            client: means.client.clone(),
            options: Arc::new(self.options.clone()),
            ordering: Arc::clone(&ordering),
            cpu: means.cpu.clone(),
            lanes: means.lanes.clone(),
            runtime: means.runtime.clone(),
            finished,
            scheduler: signals.clone(),
            known: Arc::clone(&known),
            observer: Arc::clone(&self.observer),
            apps: AppReader::new(self.students.clone()).rendering(renderer),
            cancelled,
        });
        let flags = Arc::new(Flags::default());
        started(&task, Stopper { signals: signals.clone(), flags: Arc::clone(&flags) });
        let interrupted = std::thread::scope(|threads| {
            let (observer, flags) = (&self.observer, &*flags);
            let (lessons, keeper) = (&mut lessons, &mut keeper);
            let writing = threads.spawn(move || {
                let hearers = Hearers { scheduler: &signals, hungry: &flags.hungry, known: &known, observer };
                let outcome = writer::run(store, task.run, &to_write, &hearers, lessons, keeper);
                // Whatever ended the writer, the scheduler must not wait for it.
                let _ = signals.send(Signal::Stop);
                outcome
            });
            let scheduler = Scheduler { crawl: &self, store, task: &task, means, visitor: &visitor, flags };
            let scheduled = scheduler.run(&signalled, &ordering, &mut groups);
            // Nobody waits for what is still under way: its items stay pending.
            let _ = cancel.send(true);
            // Nor may those who end now wait for a scheduler that is gone.
            drop(signalled);
            // The writer ends when the last sender is gone: the visitor's, the relay's and the visits'.
            drop(relayed);
            drop(visitor);
            let written = writing.join().unwrap_or_else(|_| {
                Err(StoreError::Engine { doing: "committing".into(), cause: "the writer failed".into() })
            });
            written.map_err(CrawlError::from).and(scheduled)
        })?;
        // What is open when a person stops goes on later, and is no lesson yet.
        if !interrupted {
            lessons.finish();
        }
        keeper.keep(&mut lessons)?;
        let state = if interrupted { TaskState::Paused } else { TaskState::Finished };
        store.set_task_state(task.run, state, jiff::Timestamp::now())?;
        Ok(Summary { run: task.run, resumed: task.resumed, interrupted, counters: store.counters(task.run)? })
    }

    /// The browser, where the task wants one.
    fn renderer(&self, client: &Client) -> Result<Option<Renderer>, CrawlError> {
        let made = self.options.render.then(|| Renderer::new(RenderConfig::default(), client)).transpose();
        made.map_err(|failure| CrawlError::Start(failure.message))
    }

    fn open(&self, store: &dyn Store) -> Result<OpenTask, CrawlError> {
        let options =
            serde_json::to_value(&self.options).map_err(|error| CrawlError::Start(error.to_string()))?;
        let mut named = self.seeds.clone();
        named.extend(self.lists.iter().map(|list| format!("list:{list}")));
        let spec = TaskSpec { name: self.name.clone(), seeds: named, options };
        Ok(store.open_task(&spec, jiff::Timestamp::now())?)
    }
}
