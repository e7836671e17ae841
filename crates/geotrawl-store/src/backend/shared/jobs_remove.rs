//! Removes tasks. Keeps what they found and the path to it: rows of the task and its runs, and
//! pages from the seeds to the finds. Everything else is deleted in pieces, so that concurrent
//! crawls never wait long.

use super::database_error::DatabaseResult;
use super::focus;
use super::jobs::find_job;
use crate::sql::{Conn, OptionalExtension, read_row};
use geotrawl_model::task::JobId;
use geotrawl_model::{FrontierEntryId, RunId};
use std::collections::HashSet;

/// Hides a task and deletes its events and live data. Returns its runs, or `None` if the task does
/// not exist or is running.
pub(crate) fn hide_job(tx: Conn<'_>, id: JobId) -> DatabaseResult<Option<Vec<RunId>>> {
    if find_job(tx, id)?.is_none_or(|job| job.state.is_active()) {
        return Ok(None);
    }
    tx.execute(
        "UPDATE task SET removed = 1, state = 'stopped', spec = '{}', public = 0, error = NULL, next_run = NULL, \
         owner = NULL WHERE id = ?1",
        [id],
    )?;
    let runs: Vec<RunId> = tx.query_all("SELECT id FROM run WHERE task = ?1", [id], read_row)?;
    for run in &runs {
        tx.execute("UPDATE run SET state = 'finished' WHERE id = ?1", [run])?;
        tx.execute("DELETE FROM live WHERE run = ?1", [run])?;
        tx.execute("DELETE FROM sample WHERE run = ?1", [run])?;
        focus::forget_run(tx, *run)?;
    }
    tx.execute("DELETE FROM event WHERE task = ?1", [id])?;
    Ok(Some(runs))
}

/// Returns the pages on the paths to everything that a run found.
pub(crate) fn pages_to_keep(conn: Conn<'_>, run: RunId) -> DatabaseResult<HashSet<FrontierEntryId>> {
    let mut needed = HashSet::new();
    let mut proofs = conn.prepare_cached("SELECT item FROM provenance WHERE run = ?1")?;
    let mut parent =
        conn.prepare_cached(&format!("SELECT p.parent FROM page p WHERE {}", conn.id_condition("p", "?1")))?;
    let mut rows = proofs.query([run])?;
    while let Some(row) = rows.next()? {
        let mut next: Option<FrontierEntryId> = Some(row.get(0)?);
        while let Some(id) = next
            && needed.insert(id)
        {
            next = parent.query_row([id], read_row).optional()?.flatten();
        }
    }
    Ok(needed)
}
