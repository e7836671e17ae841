//! Tasks as the API returns them.

use crate::Problem;
use crate::auth::Caller;
use geotrawl_model::account::UserId;
use geotrawl_model::live::Sample;
use geotrawl_model::task::{Job, JobCommand, JobSpec, JobState};
use geotrawl_model::{RunCounters, SeedList, ShortRecord};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A task to create.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct NewTask {
    #[serde(flatten)]
    pub spec: JobSpec,
    /// Start it immediately.
    #[serde(default)]
    pub start: bool,
}

/// Owner of a task.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Owner {
    pub id: i64,
    pub name: String,
}

/// A task.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Task {
    pub id: i64,
    pub name: String,
    pub owner: Option<Owner>,
    /// Whether the caller owns it.
    pub mine: bool,
    pub spec: JobSpec,
    pub state: JobState,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    pub created: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_run: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<i64>,
    /// Totals of the latest run.
    pub counters: RunCounters,
    /// Actions available to the caller now.
    pub may: Vec<TaskAction>,
}

/// An action on a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TaskAction {
    Start,
    Pause,
    Resume,
    Stop,
    Edit,
    Delete,
    Clone,
}

/// A list of tasks.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TaskList {
    pub total: u64,
    pub results: Vec<Task>,
}

/// Whether the caller may see a task: its owner, everybody for public ones, and admins.
pub fn may_see(caller: &Caller, owner: Option<UserId>, public: bool) -> bool {
    public || may_change(caller, owner)
}

/// Whether the caller may change a task: its owner and admins.
pub fn may_change(caller: &Caller, owner: Option<UserId>) -> bool {
    caller.is_admin() || caller.user.as_ref().is_some_and(|user| owner == Some(user.id))
}

/// Returns the actions available to the caller now.
pub fn allowed_actions(caller: &Caller, job: &Job) -> Vec<TaskAction> {
    let mut may = Vec::new();
    if may_change(caller, job.owner) {
        let wishes = [
            (TaskAction::Start, JobCommand::Start),
            (TaskAction::Pause, JobCommand::Pause),
            (TaskAction::Resume, JobCommand::Resume),
            (TaskAction::Stop, JobCommand::Stop),
        ];
        let possible = wishes.into_iter().filter(|(_, wish)| job.state.after_command(*wish).is_some());
        may.extend(possible.map(|(action, _)| action));
        if !job.state.is_active() {
            may.extend([TaskAction::Edit, TaskAction::Delete]);
        }
    }
    if caller.user.is_some() && may_see(caller, job.owner, job.spec.public) {
        may.push(TaskAction::Clone);
    }
    may
}

impl Task {
    /// Converts a task, as seen by this caller.
    pub fn from_job(job: &Job, owner: Option<Owner>, caller: &Caller) -> Self {
        Self {
            id: job.id,
            name: job.name.clone(),
            mine: caller.user.as_ref().is_some_and(|user| job.owner == Some(user.id)),
            owner,
            spec: job.spec.clone(),
            state: job.state,
            error: job.error.clone(),
            created: job.created,
            started: job.started,
            ended: job.ended,
            next_run: job.next_run,
            run: job.run,
            counters: job.counters.clone(),
            may: allowed_actions(caller, job),
        }
    }
}

/// The history of the latest run.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct History {
    pub samples: Vec<Sample>,
}

/// A find of a run.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Find {
    #[serde(flatten)]
    pub record: ShortRecord,
    /// Event number.
    pub seq: i64,
}

/// Finds of the latest run.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Finds {
    pub results: Vec<Find>,
    /// Value of `after` for the next page; `null` if there are no more.
    pub next: Option<i64>,
}

/// Stored lists of seeds.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SeedLists {
    pub results: Vec<SeedList>,
}

/// A schedule to evaluate.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ScheduleText {
    #[schema(max_length = 200)]
    pub text: String,
}

/// The next times of a schedule.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ScheduleMoments {
    pub next: Vec<String>,
}

/// Parses a list of states.
pub fn parse_states(text: Option<&str>) -> Result<Vec<JobState>, Problem> {
    let words = text.unwrap_or_default().split(',').map(str::trim).filter(|word| !word.is_empty());
    let unknown = |word: &str| {
        let known = JobState::ALL.map(JobState::as_str).join(", ");
        Problem::bad_request("state", format!("'{word}' is not one of {known}."))
    };
    words.map(|word| JobState::from_word(word).ok_or_else(|| unknown(word))).collect()
}
