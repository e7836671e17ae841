//! Tasks in the database, through which the web side and the workers communicate.

use super::database_error::DatabaseResult;
use super::events;
use super::moment::{from_micros, to_micros};
use super::{SqlEngine, SqlStore, accounts, accounts_log, host_locations, jobs_live, jobs_remove, tasks};
use crate::sql::{self, Bind, Conn, LockDomain, OptionalExtension, Row, insert, params, read_row};
use crate::task_rules::next_schedule_time;
use geotrawl_model::account::{UserId, UserRole};
use geotrawl_model::live::{LiveFigures, Sample};
use geotrawl_model::store::{JobStore, Result};
use geotrawl_model::task::{Job, JobCommand, JobCommandOutcome, JobFilter, JobId, JobSpec, JobState};
use geotrawl_model::{RunCounters, RunId, StreamEvent, TaskSpec, TaskState};
use jiff::Timestamp;

/// Columns that [`read_job`] reads, of `task t` and its latest run `r`.
const COLUMNS: &str = "t.id, t.name, t.owner, t.spec, t.error, t.created, t.ended, t.next_run, r.id, r.started, \
     r.changed, r.state, r.spec, r.pages, r.probes, r.failures, r.skipped, r.bytes, r.resources, r.known, \
     r.pending, r.hosts, ";
/// State of a task. Tasks created on the command line have no stored state, so it is derived from
/// their latest run.
const STATE: &str = "coalesce(t.state, CASE WHEN r.id IS NULL THEN 'draft' WHEN r.state = 'finished' \
     THEN 'finished' ELSE 'paused' END)";
const FROM: &str = " FROM task t LEFT JOIN run r ON r.id = (SELECT max(id) FROM run WHERE task = t.id) \
     WHERE t.removed = 0 ";

fn read_job(row: Row<'_>) -> DatabaseResult<Job> {
    let count = |at| row.get::<Option<i64>>(at).map(|n| n.unwrap_or(0).max(0) as u64);
    let moment = |at| row.get::<Option<i64>>(at).map(|at| at.map(from_micros));
    let state: String = row.get(22)?;
    let state = JobState::from_word(&state).unwrap_or(JobState::Draft);
    let spec = match row.get::<Option<String>>(3)? {
        Some(text) => serde_json::from_str(&text)?,
        None => foreign_spec(&row.get::<String>(1)?, row.get::<Option<String>>(12)?.as_deref()),
    };
    let run_ended = row.get::<Option<String>>(11)?.as_deref() == Some("finished");
    let own_end = moment(6)?;
    Ok(Job {
        id: row.get(0)?,
        name: row.get(1)?,
        owner: row.get(2)?,
        spec,
        state,
        error: row.get(4)?,
        created: row.get(5)?,
        run: row.get(8)?,
        started: moment(9)?,
        ended: match own_end {
            None if run_ended && !state.is_active() => moment(10)?,
            ended => ended,
        },
        next_run: moment(7)?,
        counters: RunCounters {
            pages: count(13)?,
            probes: count(14)?,
            failures: count(15)?,
            skipped: count(16)?,
            bytes: count(17)?,
            resources: count(18)?,
            known: count(19)?,
            pending: count(20)?,
            hosts: count(21)?,
        },
    })
}

/// Reconstructs the specification of a task created on the command line, as far as possible.
fn foreign_spec(name: &str, run_spec: Option<&str>) -> JobSpec {
    let mut spec =
        JobSpec { title: name.to_owned(), max_pages: None, scope: "any".into(), ..JobSpec::default() };
    let Some(run) = run_spec.and_then(|text| serde_json::from_str::<TaskSpec>(text).ok()) else {
        return spec;
    };
    for seed in run.seeds {
        match seed.strip_prefix("list:") {
            Some(list) => spec.lists.push(list.to_owned()),
            None => spec.seeds.push(seed),
        }
    }
    let options = &run.options;
    let number = |member: &str| options.get(member).and_then(serde_json::Value::as_u64);
    let word = |member: &str| options.get(member).and_then(|value| value.as_str()).map(str::to_owned);
    spec.depth = number("depth").map_or(spec.depth, |depth| u32::try_from(depth).unwrap_or(u32::MAX));
    spec.width = number("width").and_then(|width| u32::try_from(width).ok());
    spec.links_per_page = number("links_per_page").and_then(|links| u32::try_from(links).ok());
    spec.max_pages = number("max_pages");
    spec.max_per_host = number("max_per_host");
    spec.scope = word("scope").unwrap_or(spec.scope);
    spec.ordering = word("ordering").unwrap_or(spec.ordering);
    spec.render = options.get("render").and_then(serde_json::Value::as_bool).unwrap_or_default();
    let member = |name: &str| options.get(name).cloned().unwrap_or_default();
    spec.kinds = serde_json::from_value(member("kinds")).unwrap_or_default();
    spec.area = serde_json::from_value(member("bbox")).unwrap_or_default();
    if number("harvest_pages") == Some(u64::from(u32::MAX)) {
        spec.kind = geotrawl_model::task::JobKind::Harvest;
        spec.max_per_host = None;
    }
    spec
}

pub(crate) fn find_job(conn: Conn<'_>, id: JobId) -> DatabaseResult<Option<Job>> {
    let mut select = conn.prepare_cached(&format!("SELECT {COLUMNS}{STATE}{FROM} AND t.id = ?1"))?;
    let mut rows = select.query([id])?;
    rows.next()?.map(read_job).transpose()
}

fn list_jobs(conn: Conn<'_>, filter: &JobFilter) -> DatabaseResult<(Vec<Job>, u64)> {
    let mut which = match (filter.owner, filter.or_public) {
        (None, false) => "1 = 1".to_owned(),
        (None, true) => "t.public = 1".to_owned(),
        (Some(owner), false) => format!("t.owner = {owner}"),
        (Some(owner), true) => format!("(t.owner = {owner} OR t.public = 1)"),
    };
    let states: Vec<&str> = filter.states.iter().map(|state| state.as_str()).collect();
    let values: Vec<&dyn Bind> = states.iter().map(|state| state as &dyn Bind).collect();
    if !states.is_empty() {
        let marks = vec!["?"; states.len()].join(", ");
        which = format!("{which} AND {STATE} IN ({marks})");
    }
    let snapshot = conn.snapshot()?;
    let tx = snapshot.conn();
    let total: i64 = tx.query_row(&format!("SELECT count(*){FROM} AND {which}"), &values[..], read_row)?;
    let (limit, offset) = (filter.limit.min(1_000), filter.offset.min(i64::MAX as u64));
    let mut select = tx.prepare_cached(&format!(
        "SELECT {COLUMNS}{STATE}{FROM} AND {which} ORDER BY t.id DESC LIMIT {limit} OFFSET {offset}"
    ))?;
    let mut rows = select.query(&values[..])?;
    let mut jobs = Vec::new();
    while let Some(row) = rows.next()? {
        jobs.push(read_job(row)?);
    }
    Ok((jobs, total as u64))
}

fn insert_job(tx: Conn<'_>, owner: Option<UserId>, spec: &JobSpec, now: Timestamp) -> DatabaseResult<JobId> {
    // The name appears in the provenance of records, which everybody can see, so it does not
    // contain the title.
    let id: JobId = tx.query_row(tx.next_task_id_query(), [], read_row)?;
    let mut name = format!("task-{id}");
    let taken = |name: &str| tx.exists("SELECT 1 FROM task WHERE name = ?1", [name]);
    let mut more = 1;
    while taken(&name)? {
        more += 1;
        name = format!("task-{id}-{more}");
    }
    insert!(
        tx,
        task {
            id: id,
            name: name,
            created: now,
            owner: owner,
            spec: serde_json::to_string(spec)?,
            state: "draft",
            public: spec.public,
            next_run: next_start(spec, now),
        }
    )?;
    append_state_event(tx, id, None, JobState::Draft, now)?;
    Ok(id)
}

/// Returns when the schedule starts the task next.
fn next_start(spec: &JobSpec, now: Timestamp) -> Option<i64> {
    spec.schedule.as_deref().and_then(|text| next_schedule_time(text, now).ok()).map(to_micros)
}

fn update_job(tx: Conn<'_>, id: JobId, spec: &JobSpec, now: Timestamp) -> DatabaseResult<Option<Job>> {
    let Some(job) = find_job(tx, id)?.filter(|job| !job.state.is_active()) else { return Ok(None) };
    tx.prepare_cached(
        "UPDATE task SET spec = ?2, public = ?3, next_run = ?4, state = coalesce(state, ?5) WHERE id = ?1",
    )?
    .execute(params![
        id,
        serde_json::to_string(spec)?,
        spec.public,
        next_start(spec, now),
        job.state.as_str()
    ])?;
    // Tells watchers that they may have to reload the task.
    append_state_event(tx, id, job.run, job.state, now)?;
    find_job(tx, id)
}

/// Sets the state of a task and appends an event about it.
fn set_state(
    tx: Conn<'_>,
    job: &Job,
    state: JobState,
    error: Option<&str>,
    now: Timestamp,
) -> DatabaseResult<()> {
    let at = to_micros(now);
    let over = matches!(state, JobState::Stopped | JobState::Finished | JobState::Failed);
    // A task created on the command line gets a specification when it is first controlled from
    // here.
    tx.prepare_cached(
        "UPDATE task SET state = ?2, error = ?3, ended = ?4, queued = coalesce(?5, queued), \
         spec = coalesce(spec, ?6) WHERE id = ?1",
    )?
    .execute(params![
        job.id,
        state.as_str(),
        error,
        over.then_some(at),
        (state == JobState::Queued).then_some(at),
        serde_json::to_string(&job.spec)?,
    ])?;
    append_state_event(tx, job.id, job.run, state, now)
}

fn append_state_event(
    tx: Conn<'_>,
    id: JobId,
    run: Option<RunId>,
    state: JobState,
    now: Timestamp,
) -> DatabaseResult<()> {
    let body = serde_json::json!({ "state": state, "run": run }).to_string();
    events::append_task_event(tx, now, Some(id), run, "state", &body)
}

/// Ends the latest run of a task, so that the next start creates a new run.
fn finish_run(tx: Conn<'_>, job: &Job, now: Timestamp) -> DatabaseResult<Option<RunId>> {
    let Some(run) = job.run else { return Ok(None) };
    let state: String = tx.query_row("SELECT state FROM run WHERE id = ?1", [run], read_row)?;
    if state != "finished" {
        tasks::write_state(tx, run, TaskState::Finished, now)?;
    }
    Ok(Some(run))
}

/// Counts the tasks of a user that are queued or running.
fn count_active(tx: Conn<'_>, owner: UserId) -> DatabaseResult<u32> {
    let count = tx
        .prepare_cached(
            "SELECT count(*) FROM task WHERE owner = ?1 AND removed = 0 \
             AND state IN ('queued', 'running', 'pausing', 'stopping')",
        )?
        .query_row([owner], read_row)?;
    Ok(count)
}

/// Returns how many such tasks a user may have: the user's own limit, unlimited for administrators,
/// the limit in the settings, or the default `usual`.
fn running_limit(tx: Conn<'_>, owner: UserId, usual: u32) -> DatabaseResult<u32> {
    let person: Option<(Option<u32>, String)> = tx
        .query_row("SELECT max_running, role FROM user_account WHERE id = ?1", [owner], read_row)
        .optional()?;
    match person {
        Some((Some(own), _)) => return Ok(own),
        Some((None, role)) if role == accounts::role_name(UserRole::Admin) => return Ok(u32::MAX),
        _ => {}
    }
    let set = accounts_log::read_setting(tx, "max_running")?.and_then(|value| value.as_u64());
    Ok(set.map_or(usual, |most| u32::try_from(most).unwrap_or(u32::MAX)))
}

/// Applies a requested state change. Returns the result, and the run that it ended.
pub(crate) fn apply_request(
    tx: Conn<'_>,
    id: JobId,
    wish: JobCommand,
    usual: u32,
    now: Timestamp,
) -> DatabaseResult<(JobCommandOutcome, Option<RunId>)> {
    let Some(job) = find_job(tx, id)? else { return Ok((JobCommandOutcome::Unknown, None)) };
    let Some(state) = job.state.after_command(wish) else {
        return Ok((JobCommandOutcome::NotNow(job.state), None));
    };
    if state == JobState::Queued
        && let Some(owner) = job.owner
    {
        let most = running_limit(tx, owner, usual)?;
        if count_active(tx, owner)? >= most {
            return Ok((JobCommandOutcome::TooMany(most), None));
        }
    }
    let ended = if wish == JobCommand::Start || state == JobState::Stopped {
        finish_run(tx, &job, now)?
    } else {
        None
    };
    set_state(tx, &job, state, None, now)?;
    let job =
        find_job(tx, id)?.map_or(JobCommandOutcome::Unknown, |job| JobCommandOutcome::Noted(Box::new(job)));
    Ok((job, ended))
}

fn take_next_job(tx: Conn<'_>, now: Timestamp) -> DatabaseResult<Option<Job>> {
    let next: Option<JobId> = tx
        .prepare_cached(
            "SELECT t.id FROM task t WHERE t.state = 'queued' AND t.removed = 0 ORDER BY (SELECT count(*) FROM \
             task o WHERE o.owner IS NOT DISTINCT FROM t.owner AND o.state IN ('running', 'pausing', 'stopping')), t.queued, t.id \
             LIMIT 1",
        )?
        .query_row([], read_row)
        .optional()?;
    let Some(job) = next.map(|id| find_job(tx, id)).transpose()?.flatten() else { return Ok(None) };
    set_state(tx, &job, JobState::Running, None, now)?;
    find_job(tx, job.id)
}

fn jobs_in_states(tx: Conn<'_>, states: &str) -> DatabaseResult<Vec<Job>> {
    let mut select =
        tx.prepare_cached(&format!("SELECT {COLUMNS}{STATE}{FROM} AND t.state IN ({states})"))?;
    let mut rows = select.query([])?;
    let mut jobs = Vec::new();
    while let Some(row) = rows.next()? {
        jobs.push(read_job(row)?);
    }
    Ok(jobs)
}

/// Returns whether the run of a task ended after the task was queued, because its worker died
/// before updating the task. Queueing it again would repeat the whole crawl.
fn has_ended(tx: Conn<'_>, job: &Job) -> DatabaseResult<bool> {
    Ok(tx
        .prepare_cached(
            "SELECT 1 FROM task t JOIN run r ON r.id = ?2 WHERE t.id = ?1 AND r.state = 'finished' AND r.changed > t.queued",
        )?
        .exists(params![job.id, job.run])?)
}

fn requeue_jobs(tx: Conn<'_>, now: Timestamp) -> DatabaseResult<u64> {
    let jobs = jobs_in_states(tx, "'running', 'pausing', 'stopping'")?;
    for job in &jobs {
        let state = match job.state {
            JobState::Pausing => JobState::Paused,
            JobState::Stopping => JobState::Stopped,
            _ if has_ended(tx, job)? => JobState::Finished,
            _ => JobState::Queued,
        };
        if state == JobState::Stopped {
            finish_run(tx, job, now)?;
        }
        set_state(tx, job, state, None, now)?;
    }
    Ok(jobs.len() as u64)
}

fn queue_due(tx: Conn<'_>, usual: u32, now: Timestamp) -> DatabaseResult<u64> {
    let due_jobs: Vec<JobId> = tx
        .prepare_cached("SELECT id FROM task WHERE next_run <= ?1 AND removed = 0 ORDER BY next_run, id")?
        .query_map([to_micros(now)], read_row)?
        .collect::<sql::Result<_>>()?;
    let mut queued = 0;
    for id in due_jobs {
        let Some(job) = find_job(tx, id)? else { continue };
        // A task that is running or was paused by a user is left alone until its next scheduled
        // time.
        let starts = job.state.after_command(JobCommand::Start) == Some(JobState::Queued);
        if starts
            && let Some(owner) = job.owner
            && count_active(tx, owner)? >= running_limit(tx, owner, usual)?
        {
            // It stays due and starts when the owner has fewer running tasks.
            continue;
        }
        tx.execute("UPDATE task SET next_run = ?2 WHERE id = ?1", params![id, next_start(&job.spec, now)])?;
        if starts {
            finish_run(tx, &job, now)?;
            set_state(tx, &job, JobState::Queued, None, now)?;
            queued += 1;
        }
    }
    Ok(queued)
}

impl<E: SqlEngine> JobStore for SqlStore<E> {
    fn add_job(&self, owner: Option<UserId>, spec: &JobSpec, now: Timestamp) -> Result<Job> {
        let doing = "adding a task";
        let job = self.change(LockDomain::Catalogue, doing, |tx| {
            let id = insert_job(tx, owner, spec, now)?;
            find_job(tx, id)
        })?;
        job.ok_or_else(|| geotrawl_model::StoreError::Engine {
            doing: doing.into(),
            cause: "the new row is missing".into(),
        })
    }

    fn find_job(&self, id: JobId) -> Result<Option<Job>> {
        self.read("reading a task", |conn| find_job(conn, id))
    }

    fn job_of_run(&self, run: RunId) -> Result<Option<JobId>> {
        self.read("reading a run", |conn| events::job_of_run(conn, run))
    }

    fn list_jobs(&self, filter: &JobFilter) -> Result<(Vec<Job>, u64)> {
        self.read("reading tasks", |conn| list_jobs(conn, filter))
    }

    fn change_job(&self, id: JobId, spec: &JobSpec, now: Timestamp) -> Result<Option<Job>> {
        self.change(LockDomain::Catalogue, "changing a task", |tx| update_job(tx, id, spec, now))
    }

    fn remove_job(&self, id: JobId) -> Result<bool> {
        let doing = "removing a task";
        let runs = self.change(LockDomain::Catalogue, doing, |tx| jobs_remove::hide_job(tx, id))?;
        let Some(runs) = runs else { return Ok(false) };
        self.clear_runs(&runs)?;
        for run in runs {
            let needed = self.read(doing, |conn| jobs_remove::pages_to_keep(conn, run))?;
            self.clear_pages(run, &needed)?;
        }
        Ok(true)
    }

    fn apply_job_command(
        &self,
        id: JobId,
        wanted: JobCommand,
        usual: u32,
        now: Timestamp,
    ) -> Result<JobCommandOutcome> {
        let doing = "changing the state of a task";
        let (wished, ended) =
            self.change(LockDomain::Catalogue, doing, |tx| apply_request(tx, id, wanted, usual, now))?;
        if let Some(run) = ended {
            self.forget_runs(&[run])?;
        }
        Ok(wished)
    }

    fn take_job(&self, now: Timestamp) -> Result<Option<Job>> {
        // Called several times a second, so it only opens a write transaction if a task is queued.
        let waiting = self.read("looking for tasks", |conn| {
            Ok(conn.exists("SELECT 1 FROM task WHERE state = 'queued' LIMIT 1", [])?)
        })?;
        if waiting {
            self.change(LockDomain::Catalogue, "taking a task", |tx| take_next_job(tx, now))
        } else {
            Ok(None)
        }
    }

    fn wanted_job_state(&self, id: JobId) -> Result<JobState> {
        self.read("reading the state of a task", |conn| {
            let state: Option<Option<String>> = conn
                .query_row("SELECT state FROM task WHERE id = ?1 AND removed = 0", [id], read_row)
                .optional()?;
            Ok(state.flatten().and_then(|word| JobState::from_word(&word)).unwrap_or(JobState::Stopping))
        })
    }

    fn set_job_run(&self, id: JobId, run: RunId) -> Result<()> {
        self.change(LockDomain::Catalogue, "recording the run of a task", |tx| {
            // The row of the run holds its task; the event tells watchers about the new run.
            let state = find_job(tx, id)?.map_or(JobState::Running, |job| job.state);
            append_state_event(tx, id, Some(run), state, Timestamp::now())
        })
    }

    fn end_job(&self, id: JobId, state: JobState, error: Option<&str>, now: Timestamp) -> Result<()> {
        self.change(LockDomain::Catalogue, "ending a task", |tx| match find_job(tx, id)? {
            Some(job) if state == JobState::Queued && has_ended(tx, &job)? => {
                set_state(tx, &job, JobState::Finished, None, now)
            }
            Some(job) => set_state(tx, &job, state, error, now),
            None => Ok(()),
        })
    }

    fn requeue_orphans(&self, now: Timestamp) -> Result<u64> {
        self.change(LockDomain::Catalogue, "looking for abandoned tasks", |tx| requeue_jobs(tx, now))
    }

    fn queue_due_jobs(&self, usual: u32, now: Timestamp) -> Result<u64> {
        let due = self.read("looking for tasks that are due", |conn| {
            Ok(conn
                .prepare_cached("SELECT 1 FROM task WHERE next_run <= ?1 AND removed = 0 LIMIT 1")?
                .exists([to_micros(now)])?)
        })?;
        if due {
            self.change(LockDomain::Catalogue, "queueing tasks that are due", |tx| queue_due(tx, usual, now))
        } else {
            Ok(0)
        }
    }

    fn write_live(&self, live: &LiveFigures) -> Result<()> {
        self.change(LockDomain::Live, "writing live data", |tx| jobs_live::write_live_stats(tx, live))
    }

    fn add_live(&self, live: &LiveFigures) -> Result<()> {
        self.change(LockDomain::Live, "writing live data", |tx| jobs_live::add_to_live_stats(tx, live))
    }

    fn live_figures(&self, runs: &[RunId]) -> Result<Vec<LiveFigures>> {
        self.read("reading live data", |conn| jobs_live::read_live_stats(conn, runs))
    }

    fn list_samples(&self, run: RunId) -> Result<Vec<Sample>> {
        self.read("reading the history of a run", |conn| jobs_live::read_samples(conn, run))
    }

    fn list_events(&self, after: i64, run: Option<RunId>, limit: usize) -> Result<Vec<StreamEvent>> {
        let events = self.read("reading events", |conn| match run {
            Some(run) => events::events_of_run(conn, after, run, limit),
            None => events::events_after(conn, after, limit),
        })?;
        Ok(host_locations::fill_event_locations(self, events))
    }

    fn task_events(&self, task: JobId, after: i64, limit: usize) -> Result<Vec<StreamEvent>> {
        let events = self.read("reading events", |conn| events::events_of_task(conn, after, task, limit))?;
        Ok(host_locations::fill_event_locations(self, events))
    }

    fn last_event(&self) -> Result<i64> {
        self.read("reading events", events::last_sequence_number)
    }

    fn list_finds(&self, run: RunId, after: i64, limit: usize) -> Result<Vec<StreamEvent>> {
        let events =
            self.read("reading finds", |conn| events::discoveries_of_run(conn, after, run, limit))?;
        Ok(host_locations::fill_event_locations(self, events))
    }
}
