//! Tasks, their runs and counters.

use super::database_error::{DatabaseError, DatabaseResult};
use super::moment::to_micros;
use crate::sql::{self, Conn, OptionalExtension, params, read_row};
use geotrawl_model::{OpenTask, RunCounters, RunId, TaskSpec, TaskState};
use jiff::Timestamp;

/// Continues the unfinished run of a task or starts a new one.
pub(crate) fn open_task(tx: Conn<'_>, spec: &TaskSpec, now: Timestamp) -> DatabaseResult<OpenTask> {
    let at = to_micros(now);
    tx.execute(
        "INSERT INTO task (name, created) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
        params![spec.name, at],
    )?;
    let task: i64 = tx.query_row("SELECT id FROM task WHERE name = ?1", [&spec.name], read_row)?;
    // Crawling a removed task again restores it.
    tx.execute(
        "UPDATE task SET removed = 0, spec = NULL, state = NULL WHERE id = ?1 AND removed = 1",
        [task],
    )?;
    let last: Option<(RunId, String, String)> = tx
        .query_row(
            "SELECT id, state, spec FROM run WHERE task = ?1 ORDER BY id DESC LIMIT 1",
            [task],
            read_row,
        )
        .optional()?;
    let (run, resumed, stored_spec) = match last {
        Some((run, state, stored)) if state != state_word(TaskState::Finished) => {
            (run, true, serde_json::from_str(&stored)?)
        }
        _ => {
            let run = tx.query_row(
                "INSERT INTO run (task, spec, state, started, changed) VALUES (?1, ?2, ?3, ?4, ?4) RETURNING id",
                params![task, serde_json::to_string(spec)?, state_word(TaskState::Running), at],
                read_row,
            )?;
            super::events::remove_old_events(tx, task, run)?;
            (run, false, spec.clone())
        }
    };
    write_state(tx, run, TaskState::Running, now)?;
    let counters = read_counters(tx, run)?;
    Ok(OpenTask { run, resumed, spec: stored_spec, counters })
}

/// Sets the state of a run.
pub(crate) fn write_state(tx: Conn<'_>, run: RunId, state: TaskState, now: Timestamp) -> DatabaseResult<()> {
    let changed = tx.execute(
        "UPDATE run SET state = ?2, changed = ?3 WHERE id = ?1",
        params![run, state_word(state), to_micros(now)],
    )?;
    if changed == 0 {
        return Err(no_such_run(run));
    }
    super::events::append_event(tx, now, Some(run), "run", &serde_json::json!({ "run": run, "state": state }))
}

/// Ends or pauses a run. Returns `false` if it is not running.
pub(crate) fn end_run(tx: Conn<'_>, run: RunId, state: TaskState, now: Timestamp) -> DatabaseResult<bool> {
    let open = is_open(tx, run)?;
    if open {
        write_state(tx, run, state, now)?;
    }
    Ok(open)
}

/// Returns whether a run is running.
pub(crate) fn is_open(conn: Conn<'_>, run: RunId) -> DatabaseResult<bool> {
    Ok(conn.exists("SELECT 1 FROM run WHERE id = ?1 AND state = 'running'", [run])?)
}

/// Returns the running runs, oldest first.
pub(crate) fn unfinished_runs(conn: Conn<'_>) -> DatabaseResult<Vec<OpenTask>> {
    let found: Vec<(RunId, String)> = conn
        .prepare_cached(
            "SELECT r.id, r.spec FROM run r JOIN task t ON t.id = r.task WHERE r.state = 'running' AND t.removed = 0 \
             ORDER BY r.id",
        )?
        .query_map([], read_row)?
        .collect::<sql::Result<_>>()?;
    let mut open = Vec::new();
    for (run, spec) in found {
        let spec = serde_json::from_str(&spec)?;
        open.push(OpenTask { run, resumed: true, spec, counters: read_counters(conn, run)? });
    }
    Ok(open)
}

/// Returns finished runs that still have pending items although a later run of their task has
/// begun. Determined by query rather than remembered, so that a crash during cleanup leaves the
/// rest for the next time.
pub(crate) fn superseded_runs(conn: Conn<'_>) -> DatabaseResult<Vec<RunId>> {
    Ok(conn
        .prepare_cached(
            "SELECT old.id FROM run old WHERE old.state = 'finished' AND old.pending > 0 \
             AND EXISTS (SELECT 1 FROM run new WHERE new.task = old.task AND new.id > old.id)",
        )?
        .query_map([], read_row)?
        .collect::<sql::Result<_>>()?)
}

/// Returns number and name of the task of a run.
pub(crate) fn task_of_run(conn: Conn<'_>, run: RunId) -> DatabaseResult<(i64, String)> {
    let mut select =
        conn.prepare_cached("SELECT t.id, t.name FROM run r JOIN task t ON t.id = r.task WHERE r.id = ?1")?;
    let found = select.query_row([run], read_row).optional()?;
    found.ok_or_else(|| no_such_run(run))
}

/// Returns the counters of a run.
pub(crate) fn read_counters(conn: Conn<'_>, run: RunId) -> DatabaseResult<RunCounters> {
    let mut select = conn.prepare_cached(
        "SELECT pages, probes, failures, skipped, bytes, resources, known, pending, hosts FROM run WHERE id = ?1",
    )?;
    let found = select
        .query_row([run], |row| {
            let count = |at| row.get::<u64>(at);
            Ok(RunCounters {
                pages: count(0)?,
                probes: count(1)?,
                failures: count(2)?,
                skipped: count(3)?,
                bytes: count(4)?,
                resources: count(5)?,
                known: count(6)?,
                pending: count(7)?,
                hosts: count(8)?,
            })
        })
        .optional()?;
    found.ok_or_else(|| no_such_run(run))
}

/// Adds to the counters of a run.
pub(crate) fn add_counters(tx: Conn<'_>, run: RunId, more: &RunCounters, pending: i64) -> DatabaseResult<()> {
    let changed = tx
        .prepare_cached(
            "UPDATE run SET pages = pages + ?2, probes = probes + ?3, failures = failures + ?4, \
             skipped = skipped + ?5, bytes = bytes + ?6, resources = resources + ?7, known = known + ?8, \
             pending = pending + ?9, hosts = hosts + ?10 WHERE id = ?1",
        )?
        .execute(params![
            run,
            more.pages as i64,
            more.probes as i64,
            more.failures as i64,
            more.skipped as i64,
            more.bytes as i64,
            more.resources as i64,
            more.known as i64,
            pending,
            more.hosts as i64,
        ])?;
    if changed == 1 { Ok(()) } else { Err(no_such_run(run)) }
}

fn no_such_run(run: RunId) -> DatabaseError {
    DatabaseError::Inconsistent(format!("this store has no run {run}"))
}

fn state_word(state: TaskState) -> &'static str {
    match state {
        TaskState::Running => "running",
        TaskState::Paused => "paused",
        TaskState::Finished => "finished",
    }
}
