//! Tasks as people see them. The web side writes what is wanted, the worker side what is; they meet only in these rows.

use super::Result;
use crate::account::UserId;
use crate::live::{LiveFigures, Sample};
use crate::task::{Job, JobCommand, JobCommandOutcome, JobFilter, JobId, JobSpec, JobState};
use crate::{RunId, StreamEvent};
use jiff::Timestamp;

/// Tasks of a store. One contract suite runs over every backend.
pub trait JobStore: Send + Sync {
    /// Adds a task (a draft).
    fn add_job(&self, owner: Option<UserId>, spec: &JobSpec, now: Timestamp) -> Result<Job>;
    /// A task.
    fn find_job(&self, id: JobId) -> Result<Option<Job>>;
    /// The task that a run belongs to.
    fn job_of_run(&self, run: RunId) -> Result<Option<JobId>>;
    /// Tasks, newest first, and how many there are.
    fn list_jobs(&self, filter: &JobFilter) -> Result<(Vec<Job>, u64)>;
    /// Changes what is asked for; only while it does not run. `None` when there is no such task or it runs.
    fn change_job(&self, id: JobId, spec: &JobSpec, now: Timestamp) -> Result<Option<Job>>;
    /// Removes a task that does not run, with its frontier, pages and events. What it found stays, and so do
    /// the name of the task and the pages on the way to what it found: records name them.
    fn remove_job(&self, id: JobId) -> Result<bool>;
    /// Notes what a person wants, in one transaction with the check that the owner's places (for tasks that are
    /// queued, running, pausing, stopping) suffice. `usual` is how many a person has for whom nothing else is set;
    /// those who administer have as many as they like.
    fn apply_job_command(
        &self,
        id: JobId,
        wish: JobCommand,
        usual: u32,
        now: Timestamp,
    ) -> Result<JobCommandOutcome>;

    /// The next queued task for a worker, marked as running (fair: the owner with the fewest running first,
    /// then the oldest). `None` when nothing waits.
    fn take_job(&self, now: Timestamp) -> Result<Option<Job>>;
    /// Whether the worker should go on with a task it runs.
    fn wanted_job_state(&self, id: JobId) -> Result<JobState>;
    /// Says which run a task is in.
    fn set_job_run(&self, id: JobId, run: RunId) -> Result<()>;
    /// Says how a run of a task ended.
    fn end_job(&self, id: JobId, state: JobState, error: Option<&str>, now: Timestamp) -> Result<()>;
    /// At start-up of the only worker: tasks that were running when it died are queued again.
    fn requeue_orphans(&self, now: Timestamp) -> Result<u64>;
    /// Queues the tasks whose schedule is due and that do not run; says how many. One whose owner has no place free
    /// (see [`Jobs::wish`]) stays due until there is one.
    fn queue_due_jobs(&self, usual: u32, now: Timestamp) -> Result<u64>;

    /// Writes what is going on in a run, and a point of its history when one is due. The history of a run is
    /// thinned so that it stays below 600 points.
    fn write_live(&self, live: &LiveFigures) -> Result<()>;
    /// The same of one of several processes on a run: its sums are added to those that are written, in one
    /// transaction.
    fn add_live(&self, live: &LiveFigures) -> Result<()>;
    /// What is going on in these runs.
    fn live_figures(&self, runs: &[RunId]) -> Result<Vec<LiveFigures>>;
    /// The history of a run.
    fn list_samples(&self, run: RunId) -> Result<Vec<Sample>>;

    /// Events after a sequence number, in order; of one run or of all.
    fn list_events(&self, after: i64, run: Option<RunId>, limit: usize) -> Result<Vec<StreamEvent>>;
    /// `find` and `state` events of a task after a sequence number, in order.
    fn task_events(&self, task: JobId, after: i64, limit: usize) -> Result<Vec<StreamEvent>>;
    /// The last sequence number.
    fn last_event(&self) -> Result<i64>;
    /// `find` events of a run in the order of finding, after a sequence number. The store keeps at least those
    /// of the latest run of every task.
    fn list_finds(&self, run: RunId, after: i64, limit: usize) -> Result<Vec<StreamEvent>>;
}
