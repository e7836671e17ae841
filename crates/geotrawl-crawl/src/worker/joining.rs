//! Several workers on one store: a worker joins the runs that others have begun, goes on with those whose worker
//! died, and leaves them to others when it ends.

use super::{Call, Running, Shared, Worker, report};
use crate::means::Means;
use crate::options::CrawlOptions;
use crate::pipeline::{Crawl, CrawlError, Summary};
use crossbeam_channel::Sender;
use geotrawl_store::jobs::{Job, JobFilter, JobId, JobState};
use geotrawl_store::{OpenTask, RunId, StoreError, TaskState};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often is looked for runs to join.
const LOOK: Duration = Duration::from_secs(1);
/// A run that nobody has opened a group of seeds of is joined after this: whoever began it is gone.
const UNOPENED: Duration = Duration::from_mins(1);
/// A task that is said to run, and has no run that goes on, is queued again after this: its worker died before it began.
const ORPHANED: Duration = Duration::from_mins(2);
/// While the store is away it is asked again after this, doubled each time ...
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// ... up to this.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// What a worker remembers of runs and tasks of others.
#[derive(Default)]
pub(super) struct Others {
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

impl Others {
    /// Whether the store is worth asking now.
    pub fn may_ask(&self) -> bool {
        self.away_until.is_none_or(|until| Instant::now() >= until)
    }

    /// Takes note of whether the store was reached.
    pub fn note<T>(&mut self, outcome: &Result<T, StoreError>) {
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
    pub fn failed(&mut self, run: RunId) {
        self.failed.insert(run);
    }
}

/// A run of a store that others share.
pub(super) struct Joined {
    pub task: OpenTask,
    /// Begun by a command: nobody keeps a state of its task but the run.
    pub by_command: bool,
}

impl Worker {
    /// Joins runs that are going on, as long as there is room.
    pub(super) fn join_runs(
        self: &Arc<Self>,
        running: &mut HashMap<JobId, Running>,
        others: &mut Others,
        means: &Arc<Means>,
        calls: &Sender<Call>,
    ) {
        if others.looked.is_some_and(|at| at.elapsed() < LOOK) {
            return;
        }
        others.looked = Some(Instant::now());
        let outcome = self.look_for_runs(running, others, means, calls);
        others.note(&outcome);
        report("looking for runs to join", outcome);
    }

    fn look_for_runs(
        self: &Arc<Self>,
        running: &mut HashMap<JobId, Running>,
        others: &mut Others,
        means: &Arc<Means>,
        calls: &Sender<Call>,
    ) -> Result<(), StoreError> {
        let open = self.store.open_runs()?;
        let mut known = HashSet::new();
        for task in open {
            let run = task.run;
            let Some(id) = self.store.job_of_run(run)? else { continue };
            known.insert(id);
            if running.contains_key(&id) || others.failed.contains(&run) {
                continue;
            }
            let Some(job) = self.store.job(id)? else { continue };
            match job.state {
                // Of a task of the command line only its run says that it runs.
                JobState::Running | JobState::Paused => {}
                JobState::Pausing | JobState::Stopping => {
                    self.settle(&job, run)?;
                    continue;
                }
                _ => continue,
            }
            if running.len() >= self.max_tasks.max(1) || !self.is_begun(run, others)? {
                continue;
            }
            let by_command = job.state == JobState::Paused;
            self.start(running, job, Some(Joined { task, by_command }), means, calls);
        }
        others.unopened.retain(|_, since| since.elapsed() < UNOPENED * 10);
        self.requeue_orphans(running, others, &known)
    }

    /// Whether the seeds of a run are known: those that search engines gave are kept before its first group is opened.
    fn is_begun(&self, run: RunId, others: &mut Others) -> Result<bool, StoreError> {
        if !self.store.widths(run)?.is_empty() {
            others.unopened.remove(&run);
            return Ok(true);
        }
        let since = *others.unopened.entry(run).or_insert_with(Instant::now);
        Ok(since.elapsed() >= UNOPENED)
    }

    /// A task that is to pause or stop, and that nobody works on any more, has done so.
    fn settle(&self, job: &Job, run: RunId) -> Result<(), StoreError> {
        if self.store.held_elsewhere(run)? {
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

    /// Queues tasks again that were taken by a worker which died before their run began.
    fn requeue_orphans(
        &self,
        running: &HashMap<JobId, Running>,
        others: &mut Others,
        open: &HashSet<JobId>,
    ) -> Result<(), StoreError> {
        let states = vec![JobState::Running, JobState::Pausing, JobState::Stopping];
        let (jobs, _) = self.store.jobs(&JobFilter { states, limit: 1_000, ..JobFilter::default() })?;
        let left: HashMap<JobId, JobState> = jobs
            .iter()
            .filter(|job| !open.contains(&job.id) && !running.contains_key(&job.id))
            .map(|job| (job.id, job.state))
            .collect();
        others.orphans.retain(|id, _| left.contains_key(id));
        for (id, state) in left {
            let since = *others.orphans.entry(id).or_insert_with(Instant::now);
            if since.elapsed() < ORPHANED {
                continue;
            }
            others.orphans.remove(&id);
            let state = match state {
                JobState::Pausing => JobState::Paused,
                JobState::Stopping => JobState::Stopped,
                _ => JobState::Queued,
            };
            self.store.end_job(id, state, None, jiff::Timestamp::now())?;
        }
        Ok(())
    }

    /// What a person wants of a task that runs here, where others may run it too.
    pub(super) fn wanted_of_all(&self, id: JobId) -> Result<JobState, StoreError> {
        Ok(match self.store.job(id)?.map(|job| job.state) {
            Some(state @ (JobState::Pausing | JobState::Stopping)) => state,
            Some(_) => JobState::Running,
            None => JobState::Stopping,
        })
    }

    /// Takes part in a run.
    pub(super) fn join(
        &self,
        job: &Job,
        joined: &Joined,
        shared: &Arc<Shared>,
        means: &Means,
    ) -> Result<Summary, CrawlError> {
        let spec = &joined.task.spec;
        let mut options: CrawlOptions = serde_json::from_value(spec.options.clone()).map_err(|error| {
            CrawlError::Start(format!("the options of the task '{}' cannot be read: {error}", job.name))
        })?;
        options.render &= self.may_render;
        let (lists, seeds): (Vec<&String>, Vec<&String>) =
            spec.seeds.iter().partition(|seed| seed.starts_with("list:"));
        let crawl = Crawl {
            name: spec.name.clone(),
            seeds: seeds.into_iter().cloned().collect(),
            lists: lists
                .into_iter()
                .filter_map(|list| list.strip_prefix("list:"))
                .map(str::to_owned)
                .collect(),
            options,
            fetch: self.fetch.clone(),
            observer: shared.watch.clone(),
            cpu_threads: self.cpu_threads,
            students: self.students.clone(),
        };
        let store: &dyn super::WorkerStore = &*self.store;
        tracing::info!(task = job.id, run = joined.task.run, "joining a run");
        crawl.join(store, means, joined.task.clone(), |task, stopper| {
            let mut shown = shared.lock();
            shown.run = Some(task.run);
            shown.stopper = Some(stopper);
        })
    }
}
