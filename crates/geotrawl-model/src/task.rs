//! Tasks as users see them: created, started, paused, scheduled.

use crate::account::UserId;
use crate::{Bbox, RunCounters, RunId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Ranking of tasks that do not name one.
pub const DEFAULT_ORDERING: &str = "learned";

/// Number of a task.
pub type JobId = i64;

/// Type of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = TaskKind))]
#[serde(rename_all = "lowercase")]
pub enum JobKind {
    Crawl,
    Harvest,
}

/// Settings of a task, stored, shown and cloned unchanged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = TaskSpec))]
#[serde(default, deny_unknown_fields)]
pub struct JobSpec {
    /// Display title.
    #[cfg_attr(feature = "openapi", schema(max_length = 200))]
    pub title: String,
    pub kind: JobKind,
    /// Keywords of the task; used by rankings that consider text.
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
    /// Maximum number of groups of ten seeds to open, best first; each opens when the one before is
    /// exhausted. `None` opens all seeds at once.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 1_000_000_000))]
    pub width: Option<u32>,
    /// Maximum number of links to follow per page; `None` for all.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 1_000_000_000))]
    pub links_per_page: Option<u32>,
    /// Configured search engines that provide seeds for the keywords.
    #[cfg_attr(feature = "openapi", schema(max_items = 20))]
    pub engines: Vec<String>,
    /// Languages (ISO 639-1) of search queries and of pages to follow; empty for all.
    #[cfg_attr(feature = "openapi", schema(max_items = 50))]
    pub languages: Vec<String>,
    /// Maximum running time in minutes.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 527_040))]
    pub max_minutes: Option<u32>,
    /// Ends a seed group or a site section after this many consecutive pages without a find; 0 for
    /// never.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 1_000_000_000))]
    pub patience: Option<u32>,
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 1_000_000_000))]
    pub max_pages: Option<u64>,
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 1_000_000_000))]
    pub max_per_host: Option<u64>,
    /// `host`, `domain`, `any`.
    #[cfg_attr(feature = "openapi", schema(pattern = "^(host|domain|any)$"))]
    pub scope: String,
    /// Kinds to look for; empty for all.
    pub kinds: Vec<String>,
    pub area: Option<Bbox>,
    /// Name of a frontier ranking.
    #[cfg_attr(feature = "openapi", schema(max_length = 60))]
    pub ordering: String,
    /// Whether map applications are rendered in a browser.
    pub render: bool,
    /// Cron expression (five fields, UTC) for repeated runs.
    pub schedule: Option<String>,
    /// Whether everyone may view it.
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
    /// Its worker finishes the requests in flight.
    Pausing,
    Paused,
    /// Its worker finishes the requests in flight; the run will not continue.
    Stopping,
    /// Stopped by a person before its frontier was empty.
    Stopped,
    /// Ended on its own.
    Finished,
    /// Ended by an error, which `error` describes.
    Failed,
}

impl JobState {
    /// Every state.
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

    /// Returns the stored name.
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

    /// Parses a stored name.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }

    /// Returns whether it counts towards the owner's limit: it waits for a worker or has one.
    pub fn is_active(self) -> bool {
        matches!(self, Self::Queued | Self::Running | Self::Pausing | Self::Stopping)
    }

    /// Returns the state after a command; `None` if the command is not allowed in this state.
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
    /// Name of the crawler's task, unique. Tasks of the command line have no owner.
    pub name: String,
    pub owner: Option<UserId>,
    pub spec: JobSpec,
    pub state: JobState,
    pub error: Option<String>,
    pub created: Timestamp,
    /// The latest run.
    pub run: Option<RunId>,
    pub started: Option<Timestamp>,
    pub ended: Option<Timestamp>,
    /// Time of the next scheduled start.
    pub next_run: Option<Timestamp>,
    pub counters: RunCounters,
}

/// A command to a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobCommand {
    Start,
    Pause,
    Resume,
    Stop,
}

/// Result of a command to a task.
#[derive(Debug, Clone, PartialEq)]
pub enum JobCommandOutcome {
    /// Accepted; the task as it is now.
    Noted(Box<Job>),
    /// Not allowed in the current state.
    NotNow(JobState),
    /// The owner already runs the maximum number of tasks.
    TooMany(u32),
    /// No such task.
    Unknown,
}

/// Selects tasks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JobFilter {
    /// Tasks of this user ...
    pub owner: Option<UserId>,
    /// ... and those that everyone may view.
    pub or_public: bool,
    pub states: Vec<JobState>,
    pub offset: u64,
    pub limit: u64,
}
