//! Tasks as people see them: asked for, started, paused, scheduled.

use crate::account::UserId;
use crate::{Bbox, RunCounters, RunId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The ordering of a task that names none.
pub const DEFAULT_ORDERING: &str = "learned";

/// Number of a task.
pub type JobId = i64;

/// What a task does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = TaskKind))]
#[serde(rename_all = "lowercase")]
pub enum JobKind {
    Crawl,
    Harvest,
}

/// What a person asks for. Stored whole, shown and cloned as given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = TaskSpec))]
#[serde(default, deny_unknown_fields)]
pub struct JobSpec {
    /// For people.
    #[cfg_attr(feature = "openapi", schema(max_length = 200))]
    pub title: String,
    pub kind: JobKind,
    /// What it is about; kept with the task, and used by the orderings that know words.
    #[cfg_attr(feature = "openapi", schema(max_items = 50))]
    pub keywords: Vec<String>,
    /// Addresses to start from.
    #[cfg_attr(feature = "openapi", schema(max_items = 1000))]
    pub seeds: Vec<String>,
    /// Stored lists of seeds to start from.
    #[cfg_attr(feature = "openapi", schema(max_items = 50))]
    pub lists: Vec<String>,
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 50))]
    pub depth: u32,
    /// Groups of ten seeds that are opened at most, the best ones first, each when the one before is exhausted;
    /// `None`: all seeds at once.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 1_000_000_000))]
    pub width: Option<u32>,
    /// Links of one page that are followed at most; `None`: all.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 1_000_000_000))]
    pub links_per_page: Option<u32>,
    /// Search engines that are asked for seeds with the keywords, by the names of their configuration.
    #[cfg_attr(feature = "openapi", schema(max_items = 20))]
    pub engines: Vec<String>,
    /// Languages (ISO 639-1) in which engines are asked and pages are followed; empty: all.
    #[cfg_attr(feature = "openapi", schema(max_items = 50))]
    pub languages: Vec<String>,
    /// Minutes after which the task ends.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 527_040))]
    pub max_minutes: Option<u32>,
    /// A group of seeds, or a branch of a site, ends after this many pages in a row that gave nothing new; 0: never.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 1_000_000_000))]
    pub patience: Option<u32>,
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 1_000_000_000))]
    pub max_pages: Option<u64>,
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 1_000_000_000))]
    pub max_per_host: Option<u64>,
    /// `host`, `domain`, `any`.
    #[cfg_attr(feature = "openapi", schema(pattern = "^(host|domain|any)$"))]
    pub scope: String,
    /// Kinds that are wanted; empty: all.
    pub kinds: Vec<String>,
    pub area: Option<Bbox>,
    /// Name of a frontier ordering.
    #[cfg_attr(feature = "openapi", schema(max_length = 60))]
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
            links_per_page: None,
            engines: Vec::new(),
            languages: Vec::new(),
            max_minutes: None,
            patience: None,
            max_pages: Some(10_000),
            max_per_host: None,
            scope: "domain".into(),
            kinds: Vec::new(),
            area: None,
            ordering: DEFAULT_ORDERING.into(),
            render: false,
            schedule: None,
            public: false,
        }
    }
}

/// State of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = TaskState))]
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

impl JobState {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Draft,
        Self::Queued,
        Self::Running,
        Self::Pausing,
        Self::Paused,
        Self::Stopping,
        Self::Stopped,
        Self::Finished,
        Self::Failed,
    ];

    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Pausing => "pausing",
            Self::Paused => "paused",
            Self::Stopping => "stopping",
            Self::Stopped => "stopped",
            Self::Finished => "finished",
            Self::Failed => "failed",
        }
    }

    /// The state of this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }

    /// Whether it takes one of its owner's places: it waits for a worker or has one.
    pub fn is_active(self) -> bool {
        matches!(self, Self::Queued | Self::Running | Self::Pausing | Self::Stopping)
    }

    /// What a wish makes of a task in this state; `None` when it cannot be had now.
    pub fn after_command(self, wish: JobCommand) -> Option<Self> {
        match (wish, self) {
            (JobCommand::Start, Self::Draft | Self::Stopped | Self::Finished | Self::Failed)
            | (JobCommand::Resume, Self::Paused | Self::Failed) => Some(Self::Queued),
            (JobCommand::Pause, Self::Queued) => Some(Self::Paused),
            (JobCommand::Pause, Self::Running) => Some(Self::Pausing),
            (JobCommand::Stop, Self::Queued | Self::Paused) => Some(Self::Stopped),
            (JobCommand::Stop, Self::Running | Self::Pausing) => Some(Self::Stopping),
            _ => None,
        }
    }
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
    pub counters: RunCounters,
}

/// What a person wants of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobCommand {
    Start,
    Pause,
    Resume,
    Stop,
}

/// What became of a wish.
#[derive(Debug, Clone, PartialEq)]
pub enum JobCommandOutcome {
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
