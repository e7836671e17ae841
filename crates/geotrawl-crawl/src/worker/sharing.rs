//! Several workers on one store: a worker joins runs of other workers, continues those whose worker
//! died, and leaves its runs to others when it ends. None of this happens on a store that is not
//! shared.

use super::rounds::WorkLoop;
use super::task::TaskThread;
use super::{TaskWatch, Worker, log_failure};
use crate::pipeline::CrawlStopper;
use geotrawl_model::live::LiveFigures;
use geotrawl_model::task::{Job, JobFilter, JobId, JobState};
use geotrawl_model::{OpenTask, RunId, StoreError, TaskState};
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// How often to look for runs to join.
const LOOK: Duration = Duration::from_secs(1);
/// Time without an open seed group after which other workers join a run: its own worker is gone.
const UNOPENED: Duration = Duration::from_mins(1);
/// Time that a task may be marked as running without an open run before it is queued again.
const ORPHANED: Duration = Duration::from_mins(2);
/// First delay before an unavailable store is asked again, doubled each time ...
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// ... up to this.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// What a worker remembers about runs and tasks of other workers.
#[derive(Default)]
pub(super) struct OtherWorkers {
    looked: Option<Instant>,
    /// Runs that failed here and are left to other workers.
    failed: HashSet<RunId>,
    /// Runs and tasks that seem abandoned, and since when.
    unopened: HashMap<RunId, Instant>,
    orphans: HashMap<JobId, Instant>,
    /// The store is unavailable and is not asked before this moment.
    away_until: Option<Instant>,
    pause: Duration,
}

impl OtherWorkers {
    /// Returns whether the store is worth asking now.
    pub fn is_store_reachable(&self) -> bool {
        self.away_until.is_none_or(|until| Instant::now() >= until)
    }

    /// Notes whether the store was available.
    pub fn note_outcome<T>(&mut self, outcome: &Result<T, StoreError>) {
        if matches!(outcome, Err(error) if error.is_unavailable()) {
            let pause = self.pause.max(FIRST_PAUSE);
            // Jitter, so that the workers do not all return at once.
            self.away_until = Some(Instant::now() + pause.mul_f64(0.5 + fastrand::f64() / 2.0));
            self.pause = (pause * 2).min(LONGEST_PAUSE);
        } else {
            self.away_until = None;
            self.pause = FIRST_PAUSE;
        }
    }

    /// Notes that a run failed here, so that it is not joined again.
    pub fn note_failed(&mut self, run: RunId) {
        self.failed.insert(run);
    }
}

/// A run on a shared store.
pub(super) struct JoinedRun {
    pub task: OpenTask,
    /// Whether a command started it. The state of its task then depends on the run alone.
    pub by_command: bool,
}

impl WorkLoop {
    /// Joins open runs as long as there is room.
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
                // Tasks of the command line are never marked as running; only their open run shows
                // it.
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
            // A task that is marked as paused but has an open run was started by a command.
            let by_command = job.state == JobState::Paused;
            let thread = TaskThread::new(&self.worker, job).join_run(JoinedRun { task, by_command });
            if let Err(error) = self.start(thread) {
                tracing::error!("cannot join a run: {error}");
            }
        }
        self.others.unopened.retain(|_, since| since.elapsed() < UNOPENED * 10);
        self.requeue_orphans(&known)
    }

    /// Returns whether the seeds of a run are known: search results are saved before the first
    /// group is opened.
    fn is_begun(&mut self, run: RunId) -> Result<bool, StoreError> {
        if !self.worker.store.list_seed_groups(run)?.is_empty() {
            self.others.unopened.remove(&run);
            return Ok(true);
        }
        let since = *self.others.unopened.entry(run).or_insert_with(Instant::now);
        Ok(since.elapsed() >= UNOPENED)
    }

    /// Queues tasks again whose worker died before their run began.
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
            // Its worker may just be starting the run, so it must look abandoned for a while.
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
    /// Completes pausing or stopping a task that no process works on any more.
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

    /// Queues tasks again that the only worker left behind. On a shared store they may belong to
    /// other workers.
    pub(super) fn requeue_interrupted(&self) -> Result<(), StoreError> {
        if !self.store.is_shared() {
            self.store.requeue_orphans(jiff::Timestamp::now())?;
        }
        Ok(())
    }

    /// Returns the state that a task running here should have; while the store is unavailable, it
    /// continues.
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

    /// Stops a crawl; a task that nobody asked to stop is left to other workers.
    pub(super) fn stop_crawl(&self, crawl: &CrawlStopper, wanted: JobState) {
        if wanted == JobState::Running && self.store.is_shared() {
            crawl.leave_run();
        } else {
            crawl.stop();
        }
    }

    /// Returns whether other workers may continue a run that failed here.
    pub(super) fn continues_elsewhere(&self, run: Option<RunId>) -> bool {
        self.store.is_shared() && run.is_some_and(|run| self.store.is_leased_elsewhere(run).unwrap_or(true))
    }

    /// Makes `watch` continue the counts of an earlier part of a run. With several workers, each
    /// counts only its own work.
    pub(super) fn restore_tallies(&self, run: RunId, watch: &TaskWatch) {
        if self.store.is_shared() {
            return;
        }
        if let Some(live) = self.store.live_figures(&[run]).ok().and_then(|live| live.into_iter().next()) {
            watch.restore_tallies(live.tallies);
        }
    }

    /// Writes the figures of a run; with several workers, each adds its own.
    pub(super) fn write_live(&self, watch: &TaskWatch, live: &LiveFigures) -> Result<(), StoreError> {
        if !self.store.is_shared() {
            return self.store.write_live(live);
        }
        self.store.add_live(live)?;
        watch.subtract_written(&live.tallies);
        Ok(())
    }
}
