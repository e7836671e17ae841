//! Tasks, their runs and counters.

use super::fault::{Fault, Step};
use super::moment::to_micros;
use crate::{Counters, OpenTask, RunId, TaskSpec, TaskState};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

/// Pending rows deleted per transaction when an old run is cleared.
const CLEARED_PER_TRANSACTION: i64 = 50_000;

/// Continues the unfinished run of a task or starts a new one.
pub(super) fn open(conn: &Connection, spec: &TaskSpec, now: Timestamp) -> Step<OpenTask> {
    let tx = Transaction::new_unchecked(conn, TransactionBehavior::Immediate)?;
    let at = to_micros(now);
    tx.execute("INSERT OR IGNORE INTO task (name, created) VALUES (?1, ?2)", params![spec.name, at])?;
    let task: i64 = tx.query_row("SELECT id FROM task WHERE name = ?1", [&spec.name], |row| row.get(0))?;
    // A removed task that is crawled again is there again.
    tx.execute(
        "UPDATE task SET removed = 0, spec = NULL, state = NULL WHERE id = ?1 AND removed = 1",
        [task],
    )?;
    let last: Option<(RunId, String, String)> = tx
        .query_row(
            "SELECT id, state, spec FROM run WHERE task = ?1 ORDER BY id DESC LIMIT 1",
            [task],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )
        .optional()?;
    let (run, resumed, stored_spec) = match last {
        Some((run, state, stored)) if state != state_word(TaskState::Finished) => {
            (run, true, serde_json::from_str(&stored)?)
        }
        _ => {
            tx.execute(
                "INSERT INTO run (task, spec, state, started, changed) VALUES (?1, ?2, ?3, ?4, ?4)",
                params![task, serde_json::to_string(spec)?, state_word(TaskState::Running), at],
            )?;
            let run = tx.last_insert_rowid();
            super::events::sweep_followed(&tx, task, run)?;
            (run, false, spec.clone())
        }
    };
    write_state(&tx, run, TaskState::Running, now)?;
    let counters = counters(&tx, run)?;
    tx.commit()?;
    Ok(OpenTask { run, resumed, spec: stored_spec, counters })
}

/// Sets the state of a run.
pub(super) fn set_state(conn: &Connection, run: RunId, state: TaskState, now: Timestamp) -> Step<()> {
    let tx = Transaction::new_unchecked(conn, TransactionBehavior::Immediate)?;
    write_state(&tx, run, state, now)?;
    Ok(tx.commit()?)
}

/// Sets the state of a run, within a transaction.
pub(super) fn write_state(tx: &Connection, run: RunId, state: TaskState, now: Timestamp) -> Step<()> {
    let changed = tx.execute(
        "UPDATE run SET state = ?2, changed = ?3 WHERE id = ?1",
        params![run, state_word(state), to_micros(now)],
    )?;
    if changed == 0 {
        return Err(no_such_run(run));
    }
    super::events::write(tx, now, Some(run), "run", &serde_json::json!({ "run": run, "state": state }))
}

/// Finished runs that still have something pending though a later run of their task has begun. Found by
/// looking, not by remembering: a crash while they are cleared leaves the rest for the next time.
pub(super) fn superseded(conn: &Connection) -> Step<Vec<RunId>> {
    Ok(conn
        .prepare(
            "SELECT old.id FROM run old WHERE old.state = 'finished' AND old.pending > 0 \
             AND EXISTS (SELECT 1 FROM run new WHERE new.task = old.task AND new.id > old.id)",
        )?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?)
}

/// Deletes what is still pending of a run that another has followed.
pub(super) fn clear_pending(conn: &Connection, run: RunId) -> Step<()> {
    clear_inbox(conn, run)?;
    loop {
        let tx = Transaction::new_unchecked(conn, TransactionBehavior::Immediate)?;
        let hosts: Vec<(i64, i64)> = tx
            .prepare_cached(
                "SELECT host, pending FROM host_run WHERE run = ?1 AND best_priority IS NOT NULL \
                 ORDER BY best_priority, host LIMIT 1000",
            )?
            .query_map([run], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<_>>()?;
        if hosts.is_empty() {
            return Ok(());
        }
        let mut cleared = 0;
        for (host, pending) in hosts {
            tx.prepare_cached("DELETE FROM queue WHERE run = ?1 AND host = ?2")?.execute([run, host])?;
            tx.prepare_cached(
                "UPDATE host_run SET pending = 0, best_priority = NULL, inbox = NULL, inbox_length = 0 WHERE run = ?1 AND host = ?2",
            )?
            .execute([run, host])?;
            tx.prepare_cached("UPDATE run SET pending = max(pending - ?2, 0) WHERE id = ?1")?
                .execute([run, pending])?;
            cleared += pending;
            if cleared >= CLEARED_PER_TRANSACTION {
                break;
            }
        }
        tx.commit()?;
    }
}

/// Deletes the inbox of a run: its chains end here, the heads go with the hosts' pending items.
fn clear_inbox(conn: &Connection, run: RunId) -> Step<()> {
    let (mut from, to): (i64, i64) = conn.query_row(
        "SELECT (SELECT coalesce(min(id), 1) FROM inbox), (SELECT coalesce(max(id), 0) FROM inbox)",
        [],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    while from <= to {
        conn.prepare_cached("DELETE FROM inbox WHERE id >= ?1 AND id < ?1 + ?2 AND run = ?3")?.execute([
            from,
            CLEARED_PER_TRANSACTION,
            run,
        ])?;
        from += CLEARED_PER_TRANSACTION;
    }
    Ok(())
}

/// Number and name of the task of a run.
pub(super) fn name(conn: &Connection, run: RunId) -> Step<(i64, String)> {
    let mut select =
        conn.prepare_cached("SELECT t.id, t.name FROM run r JOIN task t ON t.id = r.task WHERE r.id = ?1")?;
    let found = select.query_row([run], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    found.ok_or_else(|| no_such_run(run))
}

/// Totals of a run.
pub(super) fn counters(conn: &Connection, run: RunId) -> Step<Counters> {
    let mut select = conn.prepare_cached(
        "SELECT pages, probes, failures, skipped, bytes, resources, known, pending, hosts FROM run WHERE id = ?1",
    )?;
    let found = select
        .query_row([run], |row| {
            let count = |at| row.get::<_, i64>(at).map(|n| n.max(0) as u64);
            Ok(Counters {
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

/// Adds to the totals of a run.
pub(super) fn count(tx: &Connection, run: RunId, more: &Counters, pending: i64) -> Step<()> {
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

fn no_such_run(run: RunId) -> Fault {
    Fault::Inconsistent(format!("there is no run {run} in this store"))
}

fn state_word(state: TaskState) -> &'static str {
    match state {
        TaskState::Running => "running",
        TaskState::Paused => "paused",
        TaskState::Finished => "finished",
    }
}
