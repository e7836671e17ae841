//! The whole way, once, in order:
//! seeds -> frontier -> fetch -> extract -> identify -> catalogue.
//!
//! Four kinds of threads: this one schedules ([`Frontier`]), the runtime does I/O ([`Visitor`]), the CPU
//! pool parses, and the writer commits. They meet only in bounded channels.

use crate::apps::{AppReader, Students};
use crate::fetch::{Client, FetchConfig};
use crate::frontier::{Frontier, Next, Signal};
use crate::known::KnownPages;
use crate::means::{Means, io_runtime};
use crate::observe::Observer;
use crate::options::CrawlOptions;
use crate::render::{RenderConfig, Renderer};
use crate::visit::Visitor;
use crate::writer::{self, Finished};
use crate::{outcome, scope, seeds};
use crossbeam_channel::{Receiver, Sender, bounded};
use geotrawl_kinds::connectors;
use geotrawl_kinds::probe::{Intent, Target};
use geotrawl_kinds::urls;
use geotrawl_store::{Counters, Item, OpenTask, RunId, Store, StoreError, TaskSpec, TaskState};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use url::Url;

/// When nothing is left but hosts that asked us to stay away for longer than this, the crawl is over.
const LONGEST_REST: Duration = Duration::from_mins(1);

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
struct Flags {
    /// The scheduler has nothing to do before the next commit.
    hungry: AtomicBool,
    /// Somebody asked to stop.
    stop: AtomicBool,
}

impl Crawl {
    /// Runs the crawl to its end. `started` is told how to stop it.
    pub fn run(self, store: &dyn Store, started: impl FnOnce(Stopper)) -> Result<Summary, CrawlError> {
        let runtime = io_runtime()?;
        let means = Means::new(&self.fetch, self.cpu_threads, runtime.handle().clone())?;
        let ended = self.run_with(store, &means, |_, stopper| started(stopper));
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
        let concurrency = self.fetch.concurrency.max(1);
        let (finished, to_write) = bounded::<Finished>(256);
        let (signals, signalled) = bounded::<Signal>(concurrency * 2 + 1_024);
        let seeds = self.seed_targets()?;
        let renderer = self.renderer(&means.client)?;
        let task = self.open(store, &seeds)?;
        self.add_lists(store, task.run)?;
        let known = Arc::new(KnownPages::default());
        let (cancel, cancelled) = watch::channel(false);
        let relayed = means.robots.join(task.run, finished.clone());
        let visitor = Arc::new(Visitor {
            client: means.client.clone(),
            options: Arc::new(self.options.clone()),
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
            let writing = threads.spawn(move || {
                let outcome =
                    writer::run(store, task.run, &to_write, &signals, &flags.hungry, &known, observer);
                // Whatever ended the writer, the scheduler must not wait for it.
                let _ = signals.send(Signal::Stop);
                outcome
            });
            let scheduled = self.schedule(store, &task, means, &visitor, &signalled, flags);
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
        let state = if interrupted { TaskState::Paused } else { TaskState::Finished };
        store.set_task_state(task.run, state, jiff::Timestamp::now())?;
        Ok(Summary { run: task.run, resumed: task.resumed, interrupted, counters: store.counters(task.run)? })
    }

    /// The browser, where the task wants one.
    fn renderer(&self, client: &Client) -> Result<Option<Renderer>, CrawlError> {
        let made = self.options.render.then(|| Renderer::new(RenderConfig::default(), client)).transpose();
        made.map_err(|failure| CrawlError::Start(failure.message))
    }

    fn seed_targets(&self) -> Result<Vec<Target>, CrawlError> {
        let mut targets = Vec::new();
        for seed in &self.seeds {
            let with_scheme = if seed.contains("://") { seed.clone() } else { format!("http://{seed}") };
            let url = Url::parse(&with_scheme)
                .map_err(|error| CrawlError::Seed { seed: seed.clone(), cause: error.to_string() })?;
            if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
                let cause = "only http and https addresses can be crawled".to_owned();
                return Err(CrawlError::Seed { seed: seed.clone(), cause });
            }
            // A catalogue that the operator described is read as described.
            if let Some(own) = connectors::declared_for(&url) {
                targets.push(connectors::first_page(own.id(), url));
                continue;
            }
            let before = targets.len();
            urls::targets(url.clone(), "seed".into(), "", &mut targets);
            // What a person names is read, also where a link to it would be passed over.
            if targets.len() == before {
                let url = urls::canonical(&url);
                targets.push(Target::new(url, Intent::Page, "seed"));
            }
        }
        Ok(targets)
    }

    fn open(&self, store: &dyn Store, seeds: &[Target]) -> Result<OpenTask, CrawlError> {
        let options =
            serde_json::to_value(&self.options).map_err(|error| CrawlError::Start(error.to_string()))?;
        let mut named = self.seeds.clone();
        named.extend(self.lists.iter().map(|list| format!("list:{list}")));
        let spec = TaskSpec { name: self.name.clone(), seeds: named, options };
        let task = store.open_task(&spec, jiff::Timestamp::now())?;
        // Also when resuming: a crash may have come between opening and seeding, and known ones are ignored.
        let links: Vec<_> = seeds.iter().map(|target| scope::seed(&self.options, target)).collect();
        store.add_links(task.run, &links)?;
        Ok(task)
    }

    /// Adds the seeds of stored lists, in pieces: a registry holds many.
    fn add_lists(&self, store: &dyn Store, run: RunId) -> Result<(), CrawlError> {
        for list in &self.lists {
            let mut links = Vec::new();
            store.seeds(list, &mut |seed| {
                let mut targets = Vec::new();
                seeds::targets(&seed, &mut targets);
                links.extend(targets.iter().map(|target| scope::seed(&self.options, target)));
                true
            })?;
            for piece in links.chunks(10_000) {
                store.add_links(run, piece)?;
            }
        }
        Ok(())
    }

    /// Since when changes are wanted, for the first page of a catalogue.
    fn since(&self, store: &dyn Store, item: &Item) -> Result<Option<String>, CrawlError> {
        let CrawlOptions { incremental, since, .. } = &self.options;
        if !item.intent.starts_with("harvest:") || !(*incremental || since.is_some()) {
            return Ok(None);
        }
        match Intent::parse(&item.intent) {
            Intent::Harvest { connector, page: 0, .. } => match since {
                Some(moment) => Ok(Some(moment.clone())),
                None => Ok(store.harvested_at(&item.url, &connector)?.map(|at| at.to_string())),
            },
            _ => Ok(None),
        }
    }

    /// Hands out work until there is none; `true` when somebody stopped it.
    fn schedule(
        &self,
        store: &dyn Store,
        task: &OpenTask,
        means: &Means,
        visitor: &Arc<Visitor>,
        signals: &Receiver<Signal>,
        flags: &Flags,
    ) -> Result<bool, CrawlError> {
        let concurrency = self.fetch.concurrency.max(1);
        let per_host = self.fetch.politeness.per_host.max(1);
        let most_active = (concurrency * 4).max(1_024);
        let mut frontier =
            Frontier::new(store, task.run, &self.options, per_host, most_active, task.counters.pages);
        let ready_at = |host: &str| visitor.client.ready_at(host).map(tokio::time::Instant::into_std);
        let mut stop_by: Option<Instant> = None;
        let share = means.share.join();
        loop {
            let now = Instant::now();
            if flags.stop.load(Ordering::Acquire) {
                stop_by = stop_by.or(Some(now + means.patience));
            }
            let concurrency = share.allowance(frontier.in_flight());
            let mut wake = now + Duration::from_millis(500);
            let mut idle = false;
            while stop_by.is_none() && frontier.in_flight() < concurrency {
                match frontier.next(Instant::now(), &ready_at)? {
                    Next::Visit(mut dispatch) => {
                        dispatch.since = self.since(store, &dispatch.item)?;
                        if let Some(record) = frontier.take_robots(dispatch.item.host) {
                            visitor.client.preload(&record);
                        }
                        visitor.start(*dispatch);
                    }
                    Next::Skip(item, reason) => visitor.close(*item, outcome::skipped("trap", reason)),
                    Next::Wait(at) if frontier.unfinished() == 0 && at > now + LONGEST_REST => {
                        return Ok(false);
                    }
                    Next::Wait(at) => {
                        wake = wake.min(at);
                        break;
                    }
                    Next::Idle => {
                        idle = true;
                        break;
                    }
                }
            }
            share.report(frontier.in_flight());
            flags.hungry.store((idle && frontier.in_flight() == 0) || stop_by.is_some(), Ordering::Release);
            self.observer.pulse(frontier.in_flight(), frontier.hosts());
            if stop_by.is_some_and(|by| frontier.unfinished() == 0 || now >= by) {
                return Ok(true);
            }
            if idle && stop_by.is_none() && frontier.exhausted(now)? {
                return Ok(false);
            }
            let timeout = wake.saturating_duration_since(Instant::now());
            let Ok(first) = signals.recv_timeout(timeout) else { continue };
            for signal in std::iter::once(first).chain(signals.try_iter()) {
                match signal {
                    Signal::Free { host, url, seen } => {
                        let at = ready_at(&urls::host_key(&url)).unwrap_or_else(Instant::now);
                        frontier.free(host, &url, &seen, at);
                    }
                    Signal::Committed { ids, gained } => frontier.committed(&ids, &gained, Instant::now()),
                    Signal::Stop => stop_by = stop_by.or(Some(Instant::now() + means.patience)),
                }
            }
        }
    }
}
