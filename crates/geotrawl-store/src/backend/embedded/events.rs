//! The sequence of events: what happened, in order, for those who watch.

use super::fault::Step;
use super::moment::{from_micros, to_micros};
use crate::{Event, RunId};
use jiff::Timestamp;
use rusqlite::{Connection, params};

/// Appends an event, within the transaction of what it tells.
pub(super) fn write(
    tx: &Connection,
    at: Timestamp,
    run: Option<RunId>,
    kind: &str,
    body: &serde_json::Value,
) -> Step<()> {
    tx.prepare_cached("INSERT INTO event (at, run, type, body) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![to_micros(at), run, kind, body.to_string()])?;
    Ok(())
}

/// Events after a sequence number, in order.
pub(super) fn after(conn: &Connection, seq: i64, limit: usize) -> Step<Vec<Event>> {
    let mut select = conn
        .prepare_cached("SELECT seq, at, run, type, body FROM event WHERE seq > ?1 ORDER BY seq LIMIT ?2")?;
    let mut rows = select.query(params![seq, limit as i64])?;
    let mut events = Vec::new();
    while let Some(row) = rows.next()? {
        events.push(Event {
            seq: row.get(0)?,
            at: from_micros(row.get(1)?),
            run: row.get(2)?,
            kind: row.get(3)?,
            body: serde_json::from_str(row.get_ref(4)?.as_str().map_err(rusqlite::Error::from)?)?,
        });
    }
    Ok(events)
}
