//! Tasks: crawls and harvests ordered by users.

use super::extract::{Bounded, Json, JsonMembers, Path, Query, SequenceNumber};
use super::task_model::{
    Find, Finds, History, NewTask, Owner, ScheduleMoments, ScheduleText, SeedLists, Task, TaskList,
    may_change, may_see, parse_states,
};
use crate::auth::Caller;
use crate::{App, Problem};
use axum::Extension;
use axum::extract::{FromRequestParts, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use geotrawl_model::StreamEvent;
use geotrawl_model::account::{NewAuditEntry, UserId};
use geotrawl_model::live::LiveFigures;
use geotrawl_model::task::{Job, JobCommand, JobCommandOutcome, JobFilter, JobId, JobSpec};
use geotrawl_store::task_rules::{check_job_spec, next_schedule_time};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Maximum number of tasks per user.
const MOST_TASKS: u64 = 1_000;

/// Task id in a path; anything but a number is not found.
pub(super) struct TaskId(pub JobId);

impl<S: Send + Sync> FromRequestParts<S> for TaskId {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = Path::<JobId>::from_request_parts(parts, state).await;
        path.map(|Path(id)| Self(id)).map_err(|_problem| unknown_task())
    }
}

fn unknown_task() -> Problem {
    Problem::not_found("There is no such task.")
}

/// Builds the router.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(one, change, remove))
        .routes(routes!(start))
        .routes(routes!(pause))
        .routes(routes!(resume))
        .routes(routes!(stop))
        .routes(routes!(clone))
        .routes(routes!(finds))
        .routes(routes!(live))
        .routes(routes!(history))
        .routes(routes!(seeds))
        .routes(routes!(schedule))
}

/// Returns the task if the caller may see it; hidden tasks look like missing ones.
pub(super) fn require_visible(app: &App, caller: &Caller, id: JobId) -> Result<Job, Problem> {
    let job = app.store.find_job(id)?.filter(|job| may_see(caller, job.owner, job.spec.public));
    job.ok_or_else(unknown_task)
}

/// Returns the task if the caller may change it.
fn require_owned(app: &App, caller: &Caller, id: JobId) -> Result<Job, Problem> {
    let job = require_visible(app, caller, id)?;
    if may_change(caller, job.owner) {
        Ok(job)
    } else {
        Err(Problem::forbidden(
            "Only the owner of the task or an admin can change it. You can copy it instead.",
        ))
    }
}

fn view(app: &App, caller: &Caller, job: &Job) -> Result<Task, Problem> {
    let owner = match job.owner {
        Some(id) => {
            let name = app.store.find_user(id)?.map(|user| user.name);
            Some(Owner { id, name: name.unwrap_or_else(|| format!("user {id}")) })
        }
        None => None,
    };
    Ok(Task::from_job(job, owner, caller))
}

/// Parses the specification of a task. A blank schedule means none.
fn read_spec(members: Map<String, Value>) -> Result<JobSpec, Problem> {
    let mut spec: JobSpec = JsonMembers(members).parse()?;
    spec.schedule = spec.schedule.filter(|text| !text.trim().is_empty());
    Ok(spec)
}

/// Checks that a task can be stored and that its seeds may be requested.
fn check(app: &App, spec: &JobSpec) -> Result<(), Problem> {
    check_job_spec(spec, app.now())
        .map_err(|(member, message)| Problem::unprocessable(member, format!("{message}.")))?;
    for seed in &spec.seeds {
        let with_scheme = if seed.contains("://") { seed.clone() } else { format!("http://{seed}") };
        let refused = match url::Url::parse(&with_scheme) {
            Ok(url) => app.outbound.check_url(&url).err(),
            Err(error) => Some(error.to_string()),
        };
        if let Some(reason) = refused {
            return Err(Problem::unprocessable("seeds", format!("{seed} must not be requested: {reason}")));
        }
    }
    if !spec.engines.is_empty() {
        let known = app.engines.list_engines()?;
        if let Some(name) = spec.engines.iter().find(|name| !known.iter().any(|one| one.name == **name)) {
            return Err(Problem::unprocessable(
                "engines",
                format!("This server has no search engine named '{name}'."),
            ));
        }
    }
    if !spec.lists.is_empty() {
        let known = app.store.seed_lists()?;
        if let Some(list) = spec.lists.iter().find(|list| !known.iter().any(|one| one.name == **list)) {
            return Err(Problem::unprocessable("lists", format!("There is no list named '{list}'.")));
        }
    }
    Ok(())
}

fn audit(app: &App, caller: &Caller, action: &str, id: JobId) -> Result<(), Problem> {
    let entry = NewAuditEntry {
        user: caller.user.as_ref().map(|user| user.id),
        who: caller.audit_name().to_owned(),
        action: action.to_owned(),
        subject: format!("task {id}"),
        address: caller.address.map(|address| address.to_string()),
        detail: serde_json::Value::Null,
    };
    Ok(app.store.add_audit_entry(&entry, app.now())?)
}

/// Adds a task, unless the user has too many.
fn add(app: &App, caller: &Caller, owner: UserId, spec: &JobSpec, action: &str) -> Result<Job, Problem> {
    let own = JobFilter { owner: Some(owner), limit: 1, ..JobFilter::default() };
    if app.store.list_jobs(&own)?.1 >= MOST_TASKS {
        return Err(Problem::conflict(format!("You already have {MOST_TASKS} tasks; delete some first.")));
    }
    let job = app.store.add_job(Some(owner), spec, app.now())?;
    audit(app, caller, action, job.id)?;
    Ok(job)
}

fn act(app: &App, caller: &Caller, id: JobId, wish: JobCommand, action: &str) -> Result<Task, Problem> {
    let job = require_owned(app, caller, id)?;
    if matches!(wish, JobCommand::Start | JobCommand::Resume) {
        // Address policy, engines and seed lists may have changed since the task was stored.
        check(app, &job.spec)?;
    }
    match app.store.apply_job_command(id, wish, app.config.max_running, app.now())? {
        JobCommandOutcome::Noted(job) => {
            audit(app, caller, action, id)?;
            view(app, caller, &job)
        }
        JobCommandOutcome::NotNow(state) => Err(Problem::conflict(format!(
            "The task is {}; this action is not possible now.",
            state.as_str()
        ))),
        JobCommandOutcome::TooMany(most) => Err(Problem::conflict(format!(
            "{most} tasks of the owner are already running or waiting, which is the limit. Pause or stop one first."
        ))),
        JobCommandOutcome::Unknown => Err(unknown_task()),
    }
}

/// Filters of the task list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct TaskListQuery {
    /// Only the caller's own tasks.
    mine: Option<bool>,
    /// States, separated by commas.
    state: Option<String>,
    #[serde(default)]
    #[param(inline)]
    limit: Bounded<50, 1, 200>,
    #[serde(default)]
    #[param(inline)]
    offset: Bounded<0, 0, 1_000_000>,
}

/// List the tasks that the caller may see, newest first
#[utoipa::path(get, path = "/tasks", tag = "tasks", params(TaskListQuery),
    responses((status = 200, body = TaskList), (status = 400, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read"))))]
async fn list(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Query(which): Query<TaskListQuery>,
) -> Result<Json<TaskList>, Problem> {
    let user = caller.user.as_ref().map(|user| user.id);
    let mine = which.mine.unwrap_or_default();
    let filter = JobFilter {
        owner: if caller.is_admin() && !mine { None } else { user },
        or_public: !mine && !caller.is_admin(),
        states: parse_states(which.state.as_deref())?,
        limit: which.limit.get(),
        offset: which.offset.get(),
    };
    if mine && user.is_none() {
        return Ok(Json(TaskList { total: 0, results: Vec::new() }));
    }
    let list = app.blocking(move |app| {
        let (jobs, total) = app.store.list_jobs(&filter)?;
        let results = jobs.iter().map(|job| view(app, &caller, job)).collect::<Result<_, _>>()?;
        Ok(TaskList { total, results })
    });
    list.await.map(Json)
}

/// Create a task
#[utoipa::path(post, path = "/tasks", tag = "tasks", request_body = NewTask,
    responses((status = 201, body = Task), (status = 400, body = Problem), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 409, body = Problem), (status = 422, body = Problem)),
    extensions(("x-needs" = json!("user")), ("x-scope" = json!("tasks"))))]
async fn create(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    JsonMembers(mut members): JsonMembers,
) -> Result<(StatusCode, Json<Task>), Problem> {
    let start = match members.remove("start") {
        None => false,
        Some(serde_json::Value::Bool(start)) => start,
        Some(_) => return Err(Problem::unprocessable("start", "start must be true or false.")),
    };
    let spec = read_spec(members)?;
    let made = app.blocking(move |app| {
        let Some(user) = &caller.user else {
            return Err(Problem::unauthenticated("Tasks need an owner; log in first."));
        };
        check(app, &spec)?;
        let job = add(app, &caller, user.id, &spec, "task-create")?;
        if !start {
            return view(app, &caller, &job);
        }
        let started = act(app, &caller, job.id, JobCommand::Start, "task-start");
        if started.is_err() {
            // All or nothing: a retry must not leave drafts behind.
            app.store.remove_job(job.id)?;
        }
        started
    });
    made.await.map(|task| (StatusCode::CREATED, Json(task)))
}

/// Get a task
#[utoipa::path(get, path = "/tasks/{id}", tag = "tasks", params(("id" = i64, Path)),
    responses((status = 200, body = Task), (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read"))))]
async fn one(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    TaskId(id): TaskId,
) -> Result<Json<Task>, Problem> {
    app.blocking(move |app| view(app, &caller, &require_visible(app, &caller, id)?)).await.map(Json)
}

/// Change a task that is not running; absent members stay as they are
#[utoipa::path(patch, path = "/tasks/{id}", tag = "tasks", params(("id" = i64, Path)), request_body = JobSpec,
    responses((status = 200, body = Task), (status = 400, body = Problem), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem),
        (status = 422, body = Problem)),
    extensions(("x-needs" = json!("user")), ("x-scope" = json!("tasks"))))]
async fn change(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    TaskId(id): TaskId,
    JsonMembers(given): JsonMembers,
) -> Result<Json<Task>, Problem> {
    let changed = app.blocking(move |app| {
        let job = require_owned(app, &caller, id)?;
        let Ok(serde_json::Value::Object(mut members)) = serde_json::to_value(&job.spec) else {
            return Err(Problem::internal("cannot serialise a task as JSON"));
        };
        members.extend(given);
        let spec = read_spec(members)?;
        check(app, &spec)?;
        match app.store.change_job(id, &spec, app.now())? {
            Some(job) => {
                audit(app, &caller, "task-change", id)?;
                view(app, &caller, &job)
            }
            None => Err(Problem::conflict("The task is running or waiting. Pause or stop it first.")),
        }
    });
    changed.await.map(Json)
}

/// Delete a task; what it found stays in the catalogue
#[utoipa::path(delete, path = "/tasks/{id}", tag = "tasks", params(("id" = i64, Path)),
    responses((status = 204), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem)),
    extensions(("x-needs" = json!("user")), ("x-scope" = json!("tasks"))))]
async fn remove(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    TaskId(id): TaskId,
) -> Result<StatusCode, Problem> {
    let removed = app.blocking(move |app| {
        require_owned(app, &caller, id)?;
        if !app.store.remove_job(id)? {
            return Err(Problem::conflict("The task is running or waiting. Stop it first."));
        }
        audit(app, &caller, "task-delete", id)
    });
    removed.await.map(|()| StatusCode::NO_CONTENT)
}

macro_rules! wishes {
    ($($(#[$doc:meta])* $name:ident $path:literal $wish:ident $action:literal;)*) => {$(
        $(#[$doc])*
        #[utoipa::path(post, path = $path, tag = "tasks", params(("id" = i64, Path)),
            responses((status = 200, body = Task), (status = 401, body = Problem), (status = 403, body = Problem),
                (status = 404, body = Problem), (status = 409, body = Problem), (status = 422, body = Problem)),
            extensions(("x-needs" = json!("user")), ("x-scope" = json!("tasks"))))]
        async fn $name(
            State(app): State<App>,
            Extension(caller): Extension<Caller>,
            TaskId(id): TaskId,
        ) -> Result<Json<Task>, Problem> {
                    app.blocking(move |app| act(app, &caller, id, JobCommand::$wish, $action)).await.map(Json)
        }
    )*};
}

wishes! {
    /// Start a new run of a task
    start "/tasks/{id}/start" Start "task-start";
    /// Pause a task; it can be resumed later
    pause "/tasks/{id}/pause" Pause "task-pause";
    /// Resume a paused task
    resume "/tasks/{id}/resume" Resume "task-resume";
    /// Stop a task for good; the next start is a new run
    stop "/tasks/{id}/stop" Stop "task-stop";
}

/// Copy a task as the caller's own draft
#[utoipa::path(post, path = "/tasks/{id}/clone", tag = "tasks", params(("id" = i64, Path)),
    responses((status = 201, body = Task), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem)),
    extensions(("x-needs" = json!("user")), ("x-scope" = json!("tasks"))))]
async fn clone(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    TaskId(id): TaskId,
) -> Result<(StatusCode, Json<Task>), Problem> {
    let made = app.blocking(move |app| {
        let Some(user) = &caller.user else {
            return Err(Problem::unauthenticated("Tasks need an owner; log in first."));
        };
        let spec = require_visible(app, &caller, id)?.spec;
        // A copy starts when its owner wants it, not on the schedule of the original.
        let spec = JobSpec { schedule: None, public: false, ..spec };
        let job = add(app, &caller, user.id, &spec, "task-clone")?;
        view(app, &caller, &job)
    });
    made.await.map(|task| (StatusCode::CREATED, Json(task)))
}

/// Page of finds.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct FindsQuery {
    /// Number of the last find that the caller has.
    #[serde(default)]
    #[param(inline)]
    after: SequenceNumber,
    #[serde(default)]
    #[param(inline)]
    limit: Bounded<200, 1, 1000>,
}

/// List the finds of the latest run, oldest first
#[utoipa::path(get, path = "/tasks/{id}/finds", tag = "tasks", params(("id" = i64, Path), FindsQuery),
    responses((status = 200, body = Finds), (status = 400, body = Problem), (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read"))))]
async fn finds(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    TaskId(id): TaskId,
    Query(which): Query<FindsQuery>,
) -> Result<Json<Finds>, Problem> {
    let (after, limit) = (which.after.get() as i64, which.limit.get() as usize);
    let found = app.blocking(move |app| {
        let Some(run) = require_visible(app, &caller, id)?.run else {
            return Ok(Finds { results: Vec::new(), next: None });
        };
        let events = app.store.list_finds(run, after, limit)?;
        let next = events.last().map(|event| event.seq).filter(|_| events.len() == limit);
        let find = |event: StreamEvent| {
            let record = serde_json::from_value(event.body)
                .map_err(|error| Problem::internal(&format!("event {} is not a find: {error}", event.seq)))?;
            Ok(Find { record, seq: event.seq })
        };
        let results = events.into_iter().map(find).collect::<Result<_, Problem>>()?;
        Ok(Finds { results, next })
    });
    found.await.map(Json)
}

/// Live figures of the latest run
#[utoipa::path(get, path = "/tasks/{id}/live", tag = "tasks", params(("id" = i64, Path)),
    responses((status = 200, body = LiveFigures), (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read"))))]
async fn live(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    TaskId(id): TaskId,
) -> Result<Json<LiveFigures>, Problem> {
    let live = app.blocking(move |app| {
        let job = require_visible(app, &caller, id)?;
        let live = job.run.map(|run| app.store.live_figures(&[run])).transpose()?.unwrap_or_default();
        // Before the first figures arrive there is nothing to return, which is not an error.
        Ok(live.into_iter().next().unwrap_or_default())
    });
    live.await.map(Json)
}

/// History of the latest run
#[utoipa::path(get, path = "/tasks/{id}/history", tag = "tasks", params(("id" = i64, Path)),
    responses((status = 200, body = History), (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read"))))]
async fn history(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    TaskId(id): TaskId,
) -> Result<Json<History>, Problem> {
    let history = app.blocking(move |app| {
        let job = require_visible(app, &caller, id)?;
        let samples = job.run.map(|run| app.store.list_samples(run)).transpose()?.unwrap_or_default();
        Ok(History { samples })
    });
    history.await.map(Json)
}

/// List the stored seed lists
#[utoipa::path(get, path = "/seeds", tag = "tasks",
    responses((status = 200, body = SeedLists), (status = 401, body = Problem)),
    extensions(("x-needs" = json!("user")), ("x-scope" = json!("tasks"))))]
async fn seeds(State(app): State<App>) -> Result<Json<SeedLists>, Problem> {
    app.blocking(|app| Ok(SeedLists { results: app.store.seed_lists()? })).await.map(Json)
}

/// Compute the next five times of a schedule
#[utoipa::path(post, path = "/schedule", tag = "tasks", request_body = ScheduleText,
    responses((status = 200, body = ScheduleMoments), (status = 400, body = Problem), (status = 401, body = Problem),
        (status = 422, body = Problem)),
    extensions(("x-needs" = json!("user")), ("x-scope" = json!("tasks"))))]
async fn schedule(State(app): State<App>, members: JsonMembers) -> Result<Json<ScheduleMoments>, Problem> {
    let ScheduleText { text } = members.parse()?;
    let mut moments = Vec::new();
    let mut at = app.now();
    for _ in 0..5 {
        at = next_schedule_time(&text, at)
            .map_err(|message| Problem::unprocessable("text", format!("{message}.")))?;
        moments.push(at.to_string());
    }
    Ok(Json(ScheduleMoments { next: moments }))
}
