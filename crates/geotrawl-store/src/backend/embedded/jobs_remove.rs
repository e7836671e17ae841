//! Removing a task. What it found stays, with the way there: rows of the task and its runs, and the pages from
//! the seeds to the finds. All else goes, in pieces, so that crawls beside it never wait for long.

use super::EmbeddedStore;
use super::fault::Step;
use super::focus;
use super::jobs::find;
use crate::jobs::JobId;
use crate::{HostId, ItemId, Result, RunId};
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::HashSet;

/// Pages removed in one transaction.
const PAGES_AT_ONCE: usize = 2_000;

/// Takes a task out of sight, with its events and what went on in it; its runs, or `None` when there is no such
/// task or it runs.
pub(super) fn hide(tx: &Connection, id: JobId) -> Step<Option<Vec<RunId>>> {
    if find(tx, id)?.is_none_or(|job| job.state.is_active()) {
        return Ok(None);
    }
    tx.execute(
        "UPDATE task SET removed = 1, state = 'stopped', spec = '{}', public = 0, error = NULL, next_run = NULL, \
         owner = NULL WHERE id = ?1",
        [id],
    )?;
    let runs: Vec<RunId> = tx
        .prepare("SELECT id FROM run WHERE task = ?1")?
        .query_map([id], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    for run in &runs {
        tx.execute("UPDATE run SET state = 'finished' WHERE id = ?1", [run])?;
        tx.execute("DELETE FROM live WHERE run = ?1", [run])?;
        tx.execute("DELETE FROM sample WHERE run = ?1", [run])?;
        focus::forget(tx, *run)?;
    }
    tx.execute("DELETE FROM event WHERE task = ?1", [id])?;
    Ok(Some(runs))
}

/// Removes the pages of a run that no find needs, and its hosts.
pub(super) fn clear(store: &EmbeddedStore, run: RunId) -> Result<()> {
    let doing = "removing pages of a task";
    let needed = store.read(doing, |conn| needed(conn, run))?;
    loop {
        let more = store.in_transaction(doing, |tx| {
            let host: Option<(HostId, Option<ItemId>)> = tx
                .prepare_cached("SELECT host, last_page FROM host_run WHERE run = ?1 LIMIT 1")?
                .query_row([run], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?;
            let Some((host, mut next)) = host else { return Ok(false) };
            let mut read = tx.prepare_cached("SELECT previous FROM page WHERE id = ?1")?;
            let mut remove = tx.prepare_cached("DELETE FROM page WHERE id = ?1")?;
            for _ in 0..PAGES_AT_ONCE {
                let Some(id) = next else { break };
                next = read.query_row([id], |row| row.get(0)).optional()?.flatten();
                if !needed.contains(&id) {
                    remove.execute([id])?;
                }
            }
            match next {
                Some(_) => tx.execute(
                    "UPDATE host_run SET last_page = ?3 WHERE run = ?1 AND host = ?2",
                    params![run, host, next],
                )?,
                None => tx.execute("DELETE FROM host_run WHERE run = ?1 AND host = ?2", [run, host])?,
            };
            Ok(true)
        })?;
        if !more {
            return Ok(());
        }
    }
}

/// The pages on the way to what a run found.
fn needed(conn: &Connection, run: RunId) -> Step<HashSet<ItemId>> {
    let mut needed = HashSet::new();
    let mut proofs = conn.prepare("SELECT item FROM provenance WHERE run = ?1")?;
    let mut parent = conn.prepare_cached("SELECT parent FROM page WHERE id = ?1")?;
    let mut rows = proofs.query([run])?;
    while let Some(row) = rows.next()? {
        let mut next: Option<ItemId> = Some(row.get(0)?);
        while let Some(id) = next
            && needed.insert(id)
        {
            next = parent.query_row([id], |row| row.get(0)).optional()?.flatten();
        }
    }
    Ok(needed)
}
