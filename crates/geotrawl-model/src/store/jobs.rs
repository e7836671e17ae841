//! Tasks of users. The web side writes commands, the worker writes states; they meet only in these
//! rows.

use super::Result;
use crate::account::UserId;
use crate::live::{LiveFigures, Sample};
use crate::task::{Job, JobCommand, JobCommandOutcome, JobFilter, JobId, JobSpec, JobState};
use crate::{RunId, StreamEvent};
use jiff::Timestamp;

/// Tasks. One contract suite runs against every backend.
pub trait JobStore: Send + Sync {
    /// Adds a task as a draft.
    fn add_job(&self, owner: Option<UserId>, spec: &JobSpec, now: Timestamp) -> Result<Job>;
    /// Returns a task.
    fn find_job(&self, id: JobId) -> Result<Option<Job>>;
    /// Returns the task that a run belongs to.
    fn job_of_run(&self, run: RunId) -> Result<Option<JobId>>;
    /// Returns tasks, newest first, and their total number.
    fn list_jobs(&self, filter: &JobFilter) -> Result<(Vec<Job>, u64)>;
    /// Changes the settings of a task; returns `None` if there is no such task or it is running.
    fn change_job(&self, id: JobId, spec: &JobSpec, now: Timestamp) -> Result<Option<Job>>;
    /// Removes a task that is not running, with its frontier, pages and events. Its finds are kept,
    /// and so are the task's name and the pages that led to them, because records refer to them.
    fn remove_job(&self, id: JobId) -> Result<bool>;
    /// Applies a command in the same transaction that checks the owner's limit on active tasks
    /// (queued, running, pausing, stopping). `usual` is the limit of users without one of their
    /// own; administrators have none.
    fn apply_job_command(
        &self,
        id: JobId,
        wish: JobCommand,
        usual: u32,
        now: Timestamp,
    ) -> Result<JobCommandOutcome>;

    /// Returns the next queued task and marks it as running; `None` if none is queued. Fair: the
    /// owner with the fewest running tasks comes first, then the oldest task.
    fn take_job(&self, now: Timestamp) -> Result<Option<Job>>;
    /// Returns the stored state of a task, by which its worker decides whether to continue.
    fn wanted_job_state(&self, id: JobId) -> Result<JobState>;
    /// Records which run a task is in.
    fn set_job_run(&self, id: JobId, run: RunId) -> Result<()>;
    /// Records how a run of a task ended.
    fn end_job(&self, id: JobId, state: JobState, error: Option<&str>, now: Timestamp) -> Result<()>;
    /// Queues the tasks that were running when the only worker died. Called when a worker starts.
    fn requeue_orphans(&self, now: Timestamp) -> Result<u64>;
    /// Queues the tasks whose schedule is due and that are not running; returns how many. Tasks
    /// whose owner has reached the limit (see [`JobStore::apply_job_command`]) stay due.
    fn queue_due_jobs(&self, usual: u32, now: Timestamp) -> Result<u64>;

    /// Writes the current figures of a run, and a point of its history when one is due. The history
    /// is thinned to fewer than 600 points.
    fn write_live(&self, live: &LiveFigures) -> Result<()>;
    /// Adds the figures of one of several processes on a run to the stored ones, in one
    /// transaction.
    fn add_live(&self, live: &LiveFigures) -> Result<()>;
    /// Returns the current figures of these runs.
    fn live_figures(&self, runs: &[RunId]) -> Result<Vec<LiveFigures>>;
    /// Returns the history of a run.
    fn list_samples(&self, run: RunId) -> Result<Vec<Sample>>;

    /// Returns events after a sequence number, in order, of one run or of all.
    fn list_events(&self, after: i64, run: Option<RunId>, limit: usize) -> Result<Vec<StreamEvent>>;
    /// Returns `find` and `state` events of a task after a sequence number, in order.
    fn task_events(&self, task: JobId, after: i64, limit: usize) -> Result<Vec<StreamEvent>>;
    /// Returns the last sequence number.
    fn last_event(&self) -> Result<i64>;
    /// Returns `find` events of a run after a sequence number, in order. The store keeps at least
    /// those of the latest run of every task.
    fn list_finds(&self, run: RunId, after: i64, limit: usize) -> Result<Vec<StreamEvent>>;
}
