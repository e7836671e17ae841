//! Tasks as the API shows them.

use crate::Problem;
use crate::auth::Caller;
use geotrawl_model::account::UserId;
use geotrawl_model::live::Sample;
use geotrawl_model::task::{Job, JobCommand, JobSpec, JobState};
use geotrawl_model::{RunCounters, SeedList, ShortRecord};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A task to make.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct NewTask {
    #[serde(flatten)]
    pub spec: JobSpec,
    /// Start it at once.
    #[serde(default)]
    pub start: bool,
}

/// Whose task it is.
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
    /// It is the caller's own.
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
    /// What the caller may do with it now.
    pub may: Vec<TaskAction>,
}

/// What a person may do with a task.
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

/// Tasks of a list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TaskList {
    pub total: u64,
    pub results: Vec<Task>,
}

/// Whether the caller may see a task: one's own, public ones; an admin all.
pub fn may_see(caller: &Caller, owner: Option<UserId>, public: bool) -> bool {
    public || may_change(caller, owner)
}

/// Whether the caller may change a task: its owner and admins.
pub fn may_change(caller: &Caller, owner: Option<UserId>) -> bool {
    caller.is_admin() || caller.user.as_ref().is_some_and(|user| owner == Some(user.id))
}

/// What the caller may do with a task now.
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
    /// A task as this caller sees it.
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
    /// Its number in the sequence of events.
    pub seq: i64,
}

/// Finds of the latest run.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Finds {
    pub results: Vec<Find>,
    /// Ask again with this as `after` for more; `null` when this was all.
    pub next: Option<i64>,
}

/// Stored lists of seeds.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SeedLists {
    pub results: Vec<SeedList>,
}

/// A schedule to look at.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ScheduleText {
    #[schema(max_length = 200)]
    pub text: String,
}

/// The next moments of a schedule.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ScheduleMoments {
    pub next: Vec<String>,
}

/// The states named in a parameter.
pub fn parse_states(text: Option<&str>) -> Result<Vec<JobState>, Problem> {
    let words = text.unwrap_or_default().split(',').map(str::trim).filter(|word| !word.is_empty());
    let unknown = |word: &str| {
        let known = JobState::ALL.map(JobState::as_str).join(", ");
        Problem::bad_request("state", format!("'{word}' is not one of {known}."))
    };
    words.map(|word| JobState::from_word(word).ok_or_else(|| unknown(word))).collect()
}
