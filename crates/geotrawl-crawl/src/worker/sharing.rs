//! Several workers on one store: a worker joins the runs that others have begun, goes on with those whose worker
//! died, and leaves them to others when it ends. On a store of its own none of this happens.

use super::rounds::WorkLoop;
use super::task::TaskThread;
use super::{TaskWatch, Worker, log_failure};
use crate::pipeline::CrawlStopper;
use geotrawl_model::live::LiveFigures;
use geotrawl_model::task::{Job, JobFilter, JobId, JobState};
use geotrawl_model::{OpenTask, RunId, StoreError, TaskState};
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// How often is looked for runs to join.
const LOOK: Duration = Duration::from_secs(1);
/// How long a run may have no open group of seeds before others join it: the worker that began it is gone.
const UNOPENED: Duration = Duration::from_mins(1);
/// How long a task may be marked as running without an open run before it is queued again: its worker died early.
const ORPHANED: Duration = Duration::from_mins(2);
/// While the store is away it is asked again after this, doubled each time ...
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// ... up to this.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// What a worker remembers of runs and tasks of other workers.
#[derive(Default)]
pub(super) struct OtherWorkers {
    looked: Option<Instant>,
    /// Runs that failed here; others may do better.
    failed: HashSet<RunId>,
    /// Since when something looks as if it was left behind.
    unopened: HashMap<RunId, Instant>,
    orphans: HashMap<JobId, Instant>,
    /// The store is away: nothing is asked before this moment.
    away_until: Option<Instant>,
    pause: Duration,
}

impl OtherWorkers {
    /// Whether the store is worth asking now.
    pub fn is_store_reachable(&self) -> bool {
        self.away_until.is_none_or(|until| Instant::now() >= until)
    }

    /// Takes note of whether the store was reached.
    pub fn note_outcome<T>(&mut self, outcome: &Result<T, StoreError>) {
        if matches!(outcome, Err(error) if error.is_unavailable()) {
            let pause = self.pause.max(FIRST_PAUSE);
            self.away_until = Some(Instant::now() + pause.mul_f64(0.5 + fastrand::f64() / 2.0));
            self.pause = (pause * 2).min(LONGEST_PAUSE);
        } else {
            self.away_until = None;
            self.pause = FIRST_PAUSE;
        }
    }

    /// A run failed here: it is not joined again.
    pub fn note_failed(&mut self, run: RunId) {
        self.failed.insert(run);
    }
}

/// A run of a store that others share.
pub(super) struct JoinedRun {
    pub task: OpenTask,
    /// Begun by a command: nobody keeps a state of its task but the run.
    pub by_command: bool,
}

impl WorkLoop {
    /// Joins runs that are going on, as long as there is room.
    pub(super) fn join_runs(&mut self) {
        let is_due = self.others.looked.is_none_or(|at| at.elapsed() >= LOOK);
        if !is_due || !self.worker.store.is_shared() || !self.others.is_store_reachable() {
            return;
        }
        self.others.looked = Some(Instant::now());
        let outcome = self.look_for_runs();
        self.others.note_outcome(&outcome);
        log_failure("looking for runs to join", outcome);
    }

    fn look_for_runs(&mut self) -> Result<(), StoreError> {
        let mut known = HashSet::new();
        for task in self.worker.store.open_runs()? {
            let run = task.run;
            let Some(id) = self.worker.store.job_of_run(run)? else { continue };
            known.insert(id);
            if self.running.contains_key(&id) || self.others.failed.contains(&run) {
                continue;
            }
            let Some(job) = self.worker.store.find_job(id)? else { continue };
            match job.state {
                // Of a task of the command line only its run says that it runs.
                JobState::Running | JobState::Paused => {}
                JobState::Pausing | JobState::Stopping => {
                    self.worker.settle_job(&job, run)?;
                    continue;
                }
                _ => continue,
            }
            if !self.has_room() || !self.is_begun(run)? {
                continue;
            }
            let by_command = job.state == JobState::Paused;
            let thread = TaskThread::new(&self.worker, job).join_run(JoinedRun { task, by_command });
            if let Err(error) = self.start(thread) {
                tracing::error!("a run cannot be joined: {error}");
            }
        }
        self.others.unopened.retain(|_, since| since.elapsed() < UNOPENED * 10);
        self.requeue_orphans(&known)
    }

    /// Whether the seeds of a run are known: those that search engines gave are kept before its first group is opened.
    fn is_begun(&mut self, run: RunId) -> Result<bool, StoreError> {
        if !self.worker.store.list_seed_groups(run)?.is_empty() {
            self.others.unopened.remove(&run);
            return Ok(true);
        }
        let since = *self.others.unopened.entry(run).or_insert_with(Instant::now);
        Ok(since.elapsed() >= UNOPENED)
    }

    /// Queues tasks again that were taken by a worker which died before their run began.
    fn requeue_orphans(&mut self, open: &HashSet<JobId>) -> Result<(), StoreError> {
        let states = vec![JobState::Running, JobState::Pausing, JobState::Stopping];
        let (jobs, _) =
            self.worker.store.list_jobs(&JobFilter { states, limit: 1_000, ..JobFilter::default() })?;
        let left: HashMap<JobId, JobState> = jobs
            .iter()
            .filter(|job| !open.contains(&job.id) && !self.running.contains_key(&job.id))
            .map(|job| (job.id, job.state))
            .collect();
        self.others.orphans.retain(|id, _| left.contains_key(id));
        for (id, state) in left {
            let since = *self.others.orphans.entry(id).or_insert_with(Instant::now);
            if since.elapsed() < ORPHANED {
                continue;
            }
            self.others.orphans.remove(&id);
            let state = match state {
                JobState::Pausing => JobState::Paused,
                JobState::Stopping => JobState::Stopped,
                _ => JobState::Queued,
            };
            self.worker.store.end_job(id, state, None, jiff::Timestamp::now())?;
        }
        Ok(())
    }
}

impl Worker {
    /// A task that is to pause or stop, and that nobody works on any more, has done so.
    fn settle_job(&self, job: &Job, run: RunId) -> Result<(), StoreError> {
        if self.store.is_leased_elsewhere(run)? {
            return Ok(());
        }
        let now = jiff::Timestamp::now();
        let (run_state, state) = match job.state {
            JobState::Stopping => (TaskState::Finished, JobState::Stopped),
            _ => (TaskState::Paused, JobState::Paused),
        };
        if self.store.end_run(run, run_state, now)? {
            self.store.end_job(job.id, state, None, now)?;
        }
        Ok(())
    }

    /// Queues tasks again that were interrupted by the end of the only worker. What another worker crawls is no orphan.
    pub(super) fn requeue_interrupted(&self) -> Result<(), StoreError> {
        if !self.store.is_shared() {
            self.store.requeue_orphans(jiff::Timestamp::now())?;
        }
        Ok(())
    }

    /// Returns what a person wants of a task that runs here; while the store is unavailable, it goes on.
    pub(super) fn wanted_state(&self, id: JobId) -> JobState {
        if !self.store.is_shared() {
            return self.store.wanted_job_state(id).unwrap_or(JobState::Running);
        }
        match self.store.find_job(id).map(|job| job.map(|job| job.state)) {
            Ok(Some(state @ (JobState::Pausing | JobState::Stopping))) => state,
            Ok(None) => JobState::Stopping,
            Ok(Some(_)) | Err(_) => JobState::Running,
        }
    }

    /// Stops a crawl; a task that nobody wants to stop is left to other workers.
    pub(super) fn stop_crawl(&self, crawl: &CrawlStopper, wanted: JobState) {
        if wanted == JobState::Running && self.store.is_shared() {
            crawl.leave_run();
        } else {
            crawl.stop();
        }
    }

    /// Returns whether other workers may go on with a run that failed here.
    pub(super) fn continues_elsewhere(&self, run: Option<RunId>) -> bool {
        self.store.is_shared() && run.is_some_and(|run| self.store.is_leased_elsewhere(run).unwrap_or(true))
    }

    /// Lets `watch` count on from an earlier part of a run. Of several workers each counts only what it has seen.
    pub(super) fn restore_tallies(&self, run: RunId, watch: &TaskWatch) {
        if self.store.is_shared() {
            return;
        }
        if let Some(live) = self.store.live_figures(&[run]).ok().and_then(|live| live.into_iter().next()) {
            watch.restore_tallies(live.tallies);
        }
    }

    /// Writes down what goes on in a run; of several workers each adds what it has seen.
    pub(super) fn write_live(&self, watch: &TaskWatch, live: &LiveFigures) -> Result<(), StoreError> {
        if !self.store.is_shared() {
            return self.store.write_live(live);
        }
        self.store.add_live(live)?;
        watch.subtract_written(&live.tallies);
        Ok(())
    }
}
