//! The commit stage: collects finished visits into batches and commits each as one transaction.

use super::{CrawlError, CrawlFlags, CrawlRun, CrawlStopper};
use crate::focus::PageNote;
use crate::focus::feedback::{RankingExample, RankingFeedback};
use crate::focus::progress::ProgressSaver;
use crate::frontier::SchedulerSignal;
use crate::known::KnownPages;
use crate::leased::{LeaseRegistry, RetryingStore};
use crate::observe::CrawlObserver;
use crate::traces::TraceLabel;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use geotrawl_model::{CrawlBatch, FinishedItem, FrontierEntryId, RobotsRecord, StoreError};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A batch is committed when it is this old ...
const OLDEST: Duration = Duration::from_millis(250);
/// (or this old, if the ranking learns from it),
const OLDEST_EXAMPLE: Duration = Duration::from_millis(100);
/// ... or holds this many pages ...
const MOST_PAGES: usize = 512;
/// ... or this many links.
const MOST_LINKS: usize = 30_000;

/// A message to the commit stage.
pub enum FinishedWork {
    /// A finished visit, with a note for the ranking if a page was read.
    Visit(Box<FinishedItem>, Option<Box<PageNote>>),
    /// A robots.txt that was read.
    Robots(RobotsRecord),
}

/// Components notified after each commit.
struct CommitListeners {
    scheduler: Sender<SchedulerSignal>,
    flags: Arc<CrawlFlags>,
    known: Arc<KnownPages>,
    leases: Arc<LeaseRegistry>,
    observer: Arc<dyn CrawlObserver>,
    label: Arc<TraceLabel>,
}

/// Commits finished visits, and saves what is learned from them.
pub(crate) struct CommitStage {
    store: Arc<RetryingStore>,
    listeners: CommitListeners,
    feedback: RankingFeedback,
    progress: ProgressSaver,
    batch: CrawlBatch,
    /// One example per visit of the batch.
    examples: Vec<RankingExample>,
    links: usize,
    opened: Option<Instant>,
    oldest: Duration,
}

impl CommitStage {
    /// Creates the commit stage of a crawl; running time counts from now on.
    pub fn new(
        crawl: &CrawlRun,
        store: &Arc<RetryingStore>,
        stopper: &CrawlStopper,
    ) -> Result<Self, StoreError> {
        let options = &crawl.spec.options;
        let feedback = RankingFeedback::new(Arc::clone(&crawl.ordering), options.dry_page_limit().is_some());
        let listeners = CommitListeners {
            scheduler: stopper.signals.clone(),
            flags: Arc::clone(&stopper.flags),
            known: Arc::default(),
            leases: Arc::clone(&crawl.resources.leases),
            observer: Arc::clone(&crawl.observer),
            label: Arc::clone(&crawl.label),
        };
        let (run, model) = (crawl.task.run, crawl.model.clone());
        Ok(Self {
            store: Arc::clone(store),
            listeners,
            oldest: if feedback.learns() { OLDEST_EXAMPLE } else { OLDEST },
            feedback,
            progress: ProgressSaver::new(store, run, &options.ordering, model)?,
            batch: CrawlBatch { run, ..CrawlBatch::default() },
            examples: Vec::new(),
            links: 0,
            opened: None,
        })
    }

    /// Returns the table of committed pages.
    pub fn known_pages(&self) -> &Arc<KnownPages> {
        &self.listeners.known
    }

    /// Starts the commit thread.
    pub fn spawn(mut self, finished: Receiver<FinishedWork>) -> Result<CommitThread, CrawlError> {
        let commit = move || {
            let span = self.listeners.label.span.clone();
            let outcome = span.in_scope(|| self.run(&finished));
            // However it ended, the scheduler must not wait for this thread.
            let _ = self.listeners.scheduler.send(SchedulerSignal::Stop);
            outcome.map(|()| self)
        };
        let thread = std::thread::Builder::new().name("commit".into()).spawn(commit);
        Ok(CommitThread { thread: thread.map_err(CrawlError::from_thread_error)? })
    }

    /// Saves what was learned, once everything is committed.
    pub fn save_learned(mut self, interrupted: bool) -> Result<(), StoreError> {
        // Pages that are open when a person stops the crawl continue later, and are no examples
        // yet.
        if !interrupted {
            self.feedback.finish();
        }
        self.progress.save(&mut self.feedback)
    }

    /// Runs until every sender is dropped, then commits the rest.
    fn run(&mut self, finished: &Receiver<FinishedWork>) -> Result<(), StoreError> {
        loop {
            let ended = match finished.recv_timeout(self.patience()) {
                Ok(finished) => {
                    self.add_finished(finished);
                    false
                }
                Err(RecvTimeoutError::Timeout) => false,
                Err(RecvTimeoutError::Disconnected) => true,
            };
            if self.opened.is_some() && (ended || self.is_due(finished.is_empty())) {
                self.commit()?;
            }
            if ended {
                return Ok(());
            }
        }
    }

    /// Returns whether the scheduler waits for the commit, so that a fuller batch would only cost
    /// time.
    fn is_awaited(&self) -> bool {
        self.listeners.flags.hungry.load(Ordering::Acquire)
    }

    fn patience(&self) -> Duration {
        match self.opened {
            None => Duration::from_hours(1),
            Some(_) if self.is_awaited() => Duration::from_millis(1),
            Some(at) => self.oldest.saturating_sub(at.elapsed()).min(Duration::from_millis(20)),
        }
    }

    fn is_due(&self, nothing_waits: bool) -> bool {
        self.opened.is_some_and(|at| at.elapsed() >= self.oldest)
            || (nothing_waits && self.is_awaited())
            || self.batch.done.len() >= MOST_PAGES
            || self.links >= MOST_LINKS
    }

    fn add_finished(&mut self, finished: FinishedWork) {
        match finished {
            FinishedWork::Visit(done, note) => {
                self.links += done.links.len();
                self.examples.push(self.feedback.note_visit(&done, note));
                if let Some(turned) = self.feedback.take_yields_if_many() {
                    let early = SchedulerSignal::Committed { ids: Vec::new(), gained: Vec::new(), turned };
                    let _ = self.listeners.scheduler.send(early);
                }
                self.batch.done.push(*done);
            }
            FinishedWork::Robots(record) => self.batch.robots.push(record),
        }
        self.opened.get_or_insert_with(Instant::now);
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        let Self { listeners, batch, examples, feedback, .. } = self;
        batch.now = jiff::Timestamp::now();
        let span = listeners.label.commit_span(batch, self.links).entered();
        let committed = self.store.retry(|store| store.commit(batch))?;
        span.record("records", committed.resources.len());
        tracing::debug!(new = committed.added.new, "committed");
        drop(span);
        listeners.leases.count_commit(committed.ignored);
        listeners.known.note_commit(batch, &committed);
        let ids = batch.done.iter().map(|done| done.item.id).collect();
        drop_rejected_items(&committed.left_out, &mut batch.done, examples);
        listeners.observer.on_commit(batch, &committed);
        feedback.note_commit(&mut batch.done, examples, &committed);
        batch.robots.clear();
        self.links = 0;
        self.opened = None;
        let (gained, turned) = (committed.added.heads, feedback.take_yields());
        // The scheduler is gone only when the crawl is over.
        let _ = listeners.scheduler.send(SchedulerSignal::Committed { ids, gained, turned });
        self.progress.save_when_due(feedback)
    }
}

/// The running commit thread.
pub(crate) struct CommitThread {
    thread: JoinHandle<Result<CommitStage, StoreError>>,
}

impl CommitThread {
    /// Waits until everything is committed.
    pub fn wait(self) -> Result<CommitStage, StoreError> {
        self.thread.join().unwrap_or_else(|_panic| {
            Err(StoreError::Engine {
                doing: "committing".into(),
                cause: "the commit thread panicked; the log says where".into(),
            })
        })
    }
}

/// Removes entries that the store rejected; the process that now holds their host reports them.
fn drop_rejected_items(
    items: &[FrontierEntryId],
    done: &mut Vec<FinishedItem>,
    examples: &mut Vec<RankingExample>,
) {
    if items.is_empty() {
        return;
    }
    let items: HashSet<FrontierEntryId> = items.iter().copied().collect();
    let mut kept = done.iter().map(|done| !items.contains(&done.item.id)).collect::<Vec<_>>().into_iter();
    examples.retain(|_| kept.next().unwrap_or(true));
    done.retain(|done| !items.contains(&done.item.id));
}
