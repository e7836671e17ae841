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
use crate::frontier::{Signal, with_pauses};
use crate::known::KnownPages;
use crate::means::{Means, io_runtime};
use crate::observe::Observer;
use crate::options::CrawlOptions;
use crate::patient::Patient;
use crate::render::{RenderConfig, Renderer};
use crate::schedule::{ClientPauses, Ended, Scheduler};
use crate::traces::Label;
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
    /// It was this process that ended the run or let it rest; on a shared store another one may have done so, or may
    /// be at work still.
    pub ended: bool,
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

    /// Asks the crawl to stop here, and leaves the run to others: what is on loan is given back.
    pub fn leave(&self) {
        self.flags.leave.store(true, Ordering::Release);
        self.stop();
    }
}

/// What the threads of a crawl tell each other besides signals.
#[derive(Default)]
pub(crate) struct Flags {
    /// The scheduler has nothing to do before the next commit.
    pub hungry: AtomicBool,
    /// Somebody asked to stop.
    pub stop: AtomicBool,
    /// The run goes on elsewhere.
    pub leave: AtomicBool,
    /// Another process has ended the run.
    pub closed: AtomicBool,
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
        self.run_task(store, means, given, None, started)
    }

    /// Takes part in a run that another process has begun, on a store that both share.
    pub fn join(
        self,
        store: &dyn Store,
        means: &Means,
        task: OpenTask,
        started: impl FnOnce(&OpenTask, Stopper),
    ) -> Result<Summary, CrawlError> {
        self.run_task(store, means, Given::default(), Some(task), started)
    }

    fn run_task(
        self,
        lender: &dyn Store,
        means: &Means,
        given: Given,
        joined: Option<OpenTask>,
        started: impl FnOnce(&OpenTask, Stopper),
    ) -> Result<Summary, CrawlError> {
        let shared = lender.is_shared();
        let concurrency = self.fetch.concurrency.max(1);
        // While a shared store is away, what is under way can still end.
        let (finished, to_write) = bounded::<Finished>(if shared { concurrency + 256 } else { 256 });
        let (signals, signalled) = bounded::<Signal>(concurrency * 2 + 1_024);
        let named = self.seeds.iter().map(|seed| groups::targets_of(seed, "")).collect::<Result<_, _>>()?;
        let (ordering, learned) = focus::ordering(lender, &self.options, given.ordering.as_deref())?;
        let renderer = self.renderer(&means.client)?;
        let task = joined.map_or_else(|| self.open(lender), Ok)?;
        let label = Arc::new(Label::new(&*self.observer, &self.name, task.run));
        let _run = label.span.clone().entered();
        let flags = Arc::new(Flags::default());
        let patient = Patient { store: lender, loans: &means.loans, flags: &flags };
        let store: &dyn Store = if shared { &patient } else { lender };
        started(&task, Stopper { signals: signals.clone(), flags: Arc::clone(&flags) });
        let mut groups = Groups::new(&self, store, task.run, &*ordering, named, &given.ranked)?;
        groups.begin()?;
        let mut lessons = Lessons::new(Arc::clone(&ordering), self.options.patience().is_some());
        let mut keeper = Keeper::new(store, task.run, &self.options.ordering, learned)?;
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
            loans: Arc::clone(&means.loans),
            observer: Arc::clone(&self.observer),
            label: Arc::clone(&label),
            apps: AppReader::new(self.students.clone()).rendering(renderer),
            cancelled,
        });
        let member = shared.then(|| means.loans.join(task.run, signals.clone()));
        let interrupted = std::thread::scope(|threads| {
            let (observer, flags, loans, run) = (&self.observer, &*flags, &*means.loans, task.run);
            let (lessons, keeper) = (&mut lessons, &mut keeper);
            let (over, is_over) = bounded::<()>(0);
            if shared {
                let (signals, renewing) = (signals.clone(), is_over.clone());
                let label = &label;
                threads.spawn(move || {
                    label.span.in_scope(|| loans.renew(lender, run, flags, &signals, &renewing));
                });
                threads.spawn(move || label.span.in_scope(|| loans.watch(lender, run, &is_over)));
            }
            let label = &*label;
            let writing = threads.spawn(move || {
                let _run = label.span.enter();
                let (scheduler, hungry) = (&signals, &flags.hungry);
                let hearers = Hearers { scheduler, hungry, known: &known, loans, observer, label };
                let outcome = writer::run(store, run, &to_write, &hearers, lessons, keeper);
                // Whatever ended the writer, the scheduler must not wait for it.
                let _ = signals.send(Signal::Stop);
                outcome
            });
            let scheduler = Scheduler { crawl: &self, store, task: &task, means, visitor: &visitor, flags };
            let mut ended = Ended::default();
            let scheduled = scheduler.run(&signalled, &ordering, &mut groups, &mut ended);
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
            // Only now: what was finished and not yet committed would have been asked for again.
            if shared {
                self.give_back(lender, means, run, &mut ended);
            }
            drop(over);
            written.map_err(CrawlError::from).and(scheduled).map(|()| ended.interrupted)
        })?;
        drop(member);
        let interrupted = interrupted && !flags.closed.load(Ordering::Acquire);
        // What is open when a person stops goes on later, and is no lesson yet.
        if !interrupted {
            lessons.finish();
        }
        keeper.keep(&mut lessons)?;
        let goes_on = shared
            && interrupted
            && (flags.leave.load(Ordering::Acquire) || store.held_elsewhere(task.run)?);
        let state = if interrupted { TaskState::Paused } else { TaskState::Finished };
        let ended = !goes_on && store.end_run(task.run, state, jiff::Timestamp::now())?;
        let counters = store.counters(task.run)?;
        Ok(Summary { run: task.run, resumed: task.resumed, interrupted, ended, counters })
    }

    /// Gives back what is on loan, with what is left of its pauses. What cannot be given back runs out by itself.
    fn give_back(&self, store: &dyn Store, means: &Means, run: RunId, ended: &mut Ended) {
        let pauses = ClientPauses { client: &means.client, shared: true };
        let (back, busy) = with_pauses(std::mem::take(&mut ended.held), &pauses);
        let pause = self.fetch.politeness.delay;
        let mut hosts: Vec<_> = back.into_iter().map(|(held, rest)| (held.host, rest)).collect();
        hosts.extend(busy.into_iter().map(|held| (held.host, pause)));
        let given = if hosts.is_empty() { Ok(()) } else { store.give_back(run, &hosts) };
        let returned = match self.options.max_pages {
            Some(most) if ended.claimed > 0 => {
                store.claim_pages(run, most, -i64::try_from(ended.claimed).unwrap_or(i64::MAX)).map(|_| ())
            }
            _ => Ok(()),
        };
        if let Err(error) = given.and(returned) {
            tracing::warn!("hosts could not be given back: {error}");
        }
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
