//! Tasks as people see them: asked for, started, paused, watched, scheduled. The web side writes what is
//! wanted, the worker side what is; they meet only in these rows.

use crate::accounts::UserId;
use crate::record::Record;
use crate::{Counters, Event, Result, RunId};
use geotrawl_kinds::model::Bbox;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Number of a task.
pub type JobId = i64;

/// What a task does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobKind {
    Crawl,
    Harvest,
}

/// What a person asks for. Stored whole, shown and cloned as given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JobSpec {
    /// For people.
    pub title: String,
    pub kind: JobKind,
    /// What it is about; kept with the task, and used by the orderings that know words.
    pub keywords: Vec<String>,
    /// Addresses to start from.
    pub seeds: Vec<String>,
    /// Stored lists of seeds to start from.
    pub lists: Vec<String>,
    pub depth: u32,
    /// Links of one page that are followed at most; `None`: all.
    pub width: Option<u32>,
    pub max_pages: Option<u64>,
    pub max_per_host: Option<u64>,
    /// `host`, `domain`, `any`.
    pub scope: String,
    /// Kinds that are wanted; empty: all.
    pub kinds: Vec<String>,
    pub area: Option<Bbox>,
    /// `hints`, `fifo`.
    pub ordering: String,
    /// Let a browser look at map applications.
    pub render: bool,
    /// Cron text (five fields, UTC) for tasks that repeat.
    pub schedule: Option<String>,
    /// Everybody may look at it.
    pub public: bool,
}

impl Default for JobSpec {
    fn default() -> Self {
        Self {
            title: String::new(),
            kind: JobKind::Crawl,
            keywords: Vec::new(),
            seeds: Vec::new(),
            lists: Vec::new(),
            depth: 2,
            width: None,
            max_pages: Some(10_000),
            max_per_host: None,
            scope: "domain".into(),
            kinds: Vec::new(),
            area: None,
            ordering: "hints".into(),
            render: false,
            schedule: None,
            public: false,
        }
    }
}

/// State of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    /// Never started.
    Draft,
    /// Waits for a worker.
    Queued,
    Running,
    /// Its worker is finishing what is in flight.
    Pausing,
    Paused,
    /// Its worker is finishing what is in flight; will not go on.
    Stopping,
    /// Ended by a person before its frontier was empty.
    Stopped,
    /// Ended by itself.
    Finished,
    /// Ended by a fault, which `error` names.
    Failed,
}

/// A task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Job {
    pub id: JobId,
    /// Unique name of the crawler's task; tasks of the command line have no owner.
    pub name: String,
    pub owner: Option<UserId>,
    pub spec: JobSpec,
    pub state: JobState,
    pub error: Option<String>,
    pub created: Timestamp,
    /// Of the latest run.
    pub run: Option<RunId>,
    pub started: Option<Timestamp>,
    pub ended: Option<Timestamp>,
    /// When the schedule starts it next.
    pub next_run: Option<Timestamp>,
    pub counters: Counters,
}

/// What a person wants of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wish {
    Start,
    Pause,
    Resume,
    Stop,
}

/// What became of a wish.
#[derive(Debug, Clone, PartialEq)]
pub enum Wished {
    /// Noted; the task as it is now.
    Noted(Box<Job>),
    /// The task's state does not allow it.
    NotNow(JobState),
    /// The owner already runs as many as allowed.
    TooMany(u32),
    /// There is no such task.
    Unknown,
}

/// Which tasks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JobFilter {
    /// Those of this person ...
    pub owner: Option<UserId>,
    /// ... and those that everybody may look at.
    pub or_public: bool,
    pub states: Vec<JobState>,
    pub offset: u64,
    pub limit: u64,
}

/// What is going on right now in a running task; overwritten about twice a second, never a history.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Live {
    pub run: RunId,
    pub at: Timestamp,
    pub counters: Counters,
    pub in_flight: u32,
    pub active_hosts: u32,
    pub pages_per_second: f32,
    pub finds_per_minute: f32,
    pub tallies: Tallies,
    /// Latest requests, newest last, at most 30: those without `millis` are being fetched now.
    pub fetches: Vec<Fetch>,
}

/// A request of a running task.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Fetch {
    pub url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub millis: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
}

/// Sums of a run by what they are of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tallies {
    /// Pages read at each depth.
    pub pages_by_depth: BTreeMap<u32, u64>,
    /// Resources proven at each depth.
    pub finds_by_depth: BTreeMap<u32, u64>,
    pub kinds: BTreeMap<String, u64>,
    /// Outcomes of requests by class.
    pub outcomes: BTreeMap<String, u64>,
}

/// A point of a run's history.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    pub at: Timestamp,
    pub pages: u64,
    pub probes: u64,
    pub failures: u64,
    pub resources: u64,
    pub pending: u64,
    pub bytes: u64,
}

/// Tasks of a store. One contract suite runs over every backend.
pub trait Jobs: Send + Sync {
    /// Adds a task (a draft).
    fn add_job(&self, owner: Option<UserId>, spec: &JobSpec, now: Timestamp) -> Result<Job>;
    /// A task.
    fn job(&self, id: JobId) -> Result<Option<Job>>;
    /// The task that a run belongs to.
    fn job_of_run(&self, run: RunId) -> Result<Option<JobId>>;
    /// Tasks, newest first, and how many there are.
    fn jobs(&self, filter: &JobFilter) -> Result<(Vec<Job>, u64)>;
    /// Changes what is asked for; only while it does not run. `None` when there is no such task or it runs.
    fn change_job(&self, id: JobId, spec: &JobSpec) -> Result<Option<Job>>;
    /// Removes a task that does not run, with its runs, pages and events; what it found stays.
    fn remove_job(&self, id: JobId) -> Result<bool>;
    /// Notes what a person wants, in one transaction with the check that `max_running` (queued, running,
    /// pausing, stopping) tasks of the owner are not exceeded.
    fn wish(&self, id: JobId, wish: Wish, max_running: u32, now: Timestamp) -> Result<Wished>;

    /// The next queued task for a worker, marked as running (fair: the owner with the fewest running first,
    /// then the oldest). `None` when nothing waits.
    fn take_job(&self, now: Timestamp) -> Result<Option<Job>>;
    /// Whether the worker should go on with a task it runs.
    fn job_wanted(&self, id: JobId) -> Result<JobState>;
    /// Says which run a task is in.
    fn job_run(&self, id: JobId, run: RunId) -> Result<()>;
    /// Says how a run of a task ended.
    fn end_job(&self, id: JobId, state: JobState, error: Option<&str>, now: Timestamp) -> Result<()>;
    /// At start-up of the only worker: tasks that were running when it died are queued again.
    fn requeue_orphans(&self, now: Timestamp) -> Result<u64>;
    /// Queues the tasks whose schedule is due and that do not run; says how many.
    fn queue_due(&self, now: Timestamp) -> Result<u64>;

    /// Writes what is going on in a run, and a point of its history when one is due. The history of a run is
    /// thinned so that it stays below 600 points.
    fn write_live(&self, live: &Live) -> Result<()>;
    /// What is going on in these runs.
    fn live(&self, runs: &[RunId]) -> Result<Vec<Live>>;
    /// The history of a run.
    fn samples(&self, run: RunId) -> Result<Vec<Sample>>;

    /// Events after a sequence number, in order; of one run or of all.
    fn events(&self, after: i64, run: Option<RunId>, limit: usize) -> Result<Vec<Event>>;
    /// The last sequence number.
    fn last_event(&self) -> Result<i64>;
    /// Finds of a run in the order of finding, after a sequence number of events.
    fn finds(&self, run: RunId, after: i64, limit: usize) -> Result<Vec<(i64, Record)>>;
}
