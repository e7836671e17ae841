//! The sequence of events, for live watchers.
//!
//! The newest [`KEPT`] events are always kept. Older ones are removed as new ones arrive, except
//! for the finds of the latest run of every task, which its page lists. This bounds the table by
//! that number and the catalogue.

use super::database_error::DatabaseResult;
use super::moment::to_micros;
use crate::sql::{Conn, Row, Rows, params, read_row};
use geotrawl_model::task::JobId;
use geotrawl_model::{RunId, StreamEvent};
use jiff::Timestamp;

/// Number of events that are always kept.
const KEPT: i64 = 200_000;
/// Old events are removed each time this many new ones have arrived, so that no commit waits long.
const SWEEP_EVERY: i64 = 1_000;

/// Appends an event, within the transaction of the change that it reports.
pub(crate) fn append_event(
    tx: Conn<'_>,
    at: Timestamp,
    run: Option<RunId>,
    kind: &str,
    body: &serde_json::Value,
) -> DatabaseResult<()> {
    let task = match run {
        Some(run) => job_of_run(tx, run)?,
        None => None,
    };
    append_task_event(tx, at, task, run, kind, &body.to_string())
}

/// Appends an event of a task.
pub(crate) fn append_task_event(
    tx: Conn<'_>,
    at: Timestamp,
    task: Option<JobId>,
    run: Option<RunId>,
    kind: &str,
    body: &str,
) -> DatabaseResult<()> {
    let last: i64 = tx
        .prepare_cached(
            "INSERT INTO event (at, run, type, body, task) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING seq",
        )?
        .query_row(params![to_micros(at), run, kind, body, task], read_row)?;
    if last % SWEEP_EVERY == 0 {
        sweep(tx, last - KEPT)?;
    }
    Ok(())
}

/// Removes expired events up to this number. Earlier calls have already handled older ones.
fn sweep(tx: Conn<'_>, up_to: i64) -> DatabaseResult<()> {
    if up_to > 0 {
        tx.prepare_cached(
            "DELETE FROM event WHERE seq > ?1 AND seq <= ?2 AND NOT (type = 'find' AND run = (SELECT max(r.id) \
             FROM run r WHERE r.task = event.task))",
        )?
        .execute([up_to - 2 * SWEEP_EVERY, up_to])?;
    }
    Ok(())
}

/// Removes old events of earlier runs of a task.
pub(crate) fn remove_old_events(tx: Conn<'_>, task: JobId, run: RunId) -> DatabaseResult<()> {
    let up_to = last_sequence_number(tx)? - KEPT;
    if up_to > 0 {
        tx.execute("DELETE FROM event WHERE task = ?1 AND seq <= ?2 AND run < ?3", [task, up_to, run])?;
    }
    Ok(())
}

/// Returns the task of a run.
pub(crate) fn job_of_run(conn: Conn<'_>, run: RunId) -> DatabaseResult<Option<JobId>> {
    let mut select = conn.prepare_cached("SELECT task FROM run WHERE id = ?1")?;
    let mut rows = select.query([run])?;
    Ok(rows.next()?.map(read_row).transpose()?)
}

/// Returns events after a sequence number, in order.
pub(crate) fn events_after(conn: Conn<'_>, seq: i64, limit: usize) -> DatabaseResult<Vec<StreamEvent>> {
    let mut select = conn.prepare_cached(
        "SELECT seq, at, run, task, type, body FROM event WHERE seq > ?1 ORDER BY seq LIMIT ?2",
    )?;
    read_events(select.query(params![seq, limit as i64])?)
}

/// Returns events of a run after a sequence number, in order.
pub(crate) fn events_of_run(
    conn: Conn<'_>,
    seq: i64,
    run: RunId,
    limit: usize,
) -> DatabaseResult<Vec<StreamEvent>> {
    let mut select = conn.prepare_cached(
        "SELECT seq, at, run, task, type, body FROM event WHERE task = (SELECT task FROM run WHERE id = ?2) \
         AND seq > ?1 AND run = ?2 ORDER BY seq LIMIT ?3",
    )?;
    read_events(select.query(params![seq, run, limit as i64])?)
}

/// Returns the events shown to watchers of a task, after a sequence number, in order.
pub(crate) fn events_of_task(
    conn: Conn<'_>,
    seq: i64,
    task: JobId,
    limit: usize,
) -> DatabaseResult<Vec<StreamEvent>> {
    let mut select = conn.prepare_cached(
        "SELECT seq, at, run, task, type, body FROM event WHERE task = ?2 AND seq > ?1 \
         AND type IN ('find', 'state') ORDER BY seq LIMIT ?3",
    )?;
    read_events(select.query(params![seq, task, limit as i64])?)
}

/// Returns finds of a run after a sequence number, in order.
pub(crate) fn discoveries_of_run(
    conn: Conn<'_>,
    seq: i64,
    run: RunId,
    limit: usize,
) -> DatabaseResult<Vec<StreamEvent>> {
    let mut select = conn.prepare_cached(
        "SELECT seq, at, run, task, type, body FROM event WHERE task = (SELECT task FROM run WHERE id = ?2) \
         AND seq > ?1 AND run = ?2 AND type = 'find' ORDER BY seq LIMIT ?3",
    )?;
    read_events(select.query(params![seq, run, limit as i64])?)
}

/// Returns the last sequence number assigned, even if its event was removed.
pub(crate) fn last_sequence_number(conn: Conn<'_>) -> DatabaseResult<i64> {
    Ok(conn.query_row(conn.last_event_query(), [], read_row)?)
}

fn read_events(mut rows: Rows<'_>) -> DatabaseResult<Vec<StreamEvent>> {
    let mut events = Vec::new();
    while let Some(row) = rows.next()? {
        events.push(read_event(row)?);
    }
    Ok(events)
}

fn read_event(row: Row<'_>) -> DatabaseResult<StreamEvent> {
    Ok(StreamEvent {
        seq: row.get(0)?,
        at: row.get(1)?,
        run: row.get(2)?,
        task: row.get(3)?,
        kind: row.get(4)?,
        body: serde_json::from_str(row.get_ref(5)?.as_str()?)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::Connection;

    /// Creates a store with two runs of one task and `count` events that cycle through three types.
    fn with_events(count: i64) -> Connection {
        let mut conn = Connection::open_in_memory().unwrap();
        super::super::super::embedded::schema::migrate(&mut conn).unwrap();
        conn.execute_batch(
            "INSERT INTO task (id, name, created) VALUES (1, 'a', 0);
             INSERT INTO run (id, task, spec, state, started, changed) VALUES (1, 1, '', '', 0, 0), (2, 1, '', '', 0, 0);",
        )
        .unwrap();
        // In turn: a find of the old run, a find of the latest run, a state of the latest run.
        conn.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) \
             INSERT INTO event (at, run, type, body, task) \
             SELECT 0, iif(i % 3 = 0, 1, 2), iif(i % 3 = 2, 'state', 'find'), '{}', 1 FROM n",
            [count],
        )
        .unwrap();
        conn
    }

    fn kept(conn: &Connection, up_to: i64, what: &str) -> i64 {
        let sql = format!("SELECT count(*) FROM event WHERE seq <= ?1 AND {what}");
        conn.query_row(&sql, [up_to], |row| row.get(0)).unwrap()
    }

    #[test]
    fn old_events_go_but_for_the_finds_of_the_latest_run() {
        let conn = with_events(3_000);
        // Pretend that enough events followed to make the first thousand old.
        conn.execute("UPDATE sqlite_sequence SET seq = ?1 WHERE name = 'event'", [KEPT + SWEEP_EVERY - 1])
            .unwrap();
        append_task_event(Conn::from(&conn), Timestamp::UNIX_EPOCH, Some(1), Some(2), "state", "{}").unwrap();
        assert_eq!(last_sequence_number(Conn::from(&conn)).unwrap(), KEPT + SWEEP_EVERY);
        assert_eq!(
            kept(&conn, 1_000, "type = 'find' AND run = 2"),
            334,
            "finds of the latest run were removed"
        );
        assert_eq!(kept(&conn, 1_000, "true"), 334, "other old events were kept");
        assert_eq!(kept(&conn, 3_000, "seq > 1000"), 2_000, "new events were removed");
        // A new run starts, so the finds of its predecessor may go.
        remove_old_events(Conn::from(&conn), 1, 3).unwrap();
        assert_eq!(kept(&conn, 1_000, "true"), 0);
        assert_eq!(kept(&conn, 3_000, "true"), 2_000);
        assert_eq!(events_of_task(Conn::from(&conn), 0, 1, 10_000).unwrap().len(), 2_001);
    }
}
