//! Removes the data of runs that are over.

use super::database_error::DatabaseResult;
use geotrawl_model::{FrontierEntryId, HostId, RunId};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use std::collections::HashSet;

/// Pending rows deleted per transaction while clearing an old run.
const CLEARED_PER_TRANSACTION: i64 = 50_000;
/// Pages deleted per transaction.
const PAGES_AT_ONCE: usize = 2_000;

/// Deletes the pending items of a run that was replaced by a newer one.
pub(super) fn clear_pending(conn: &Connection, run: RunId) -> DatabaseResult<()> {
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
            // Bounds the transaction, so that other writers do not wait long.
            if cleared >= CLEARED_PER_TRANSACTION {
                break;
            }
        }
        tx.commit()?;
    }
}

/// Deletes the inbox of a run. The heads of its chains are reset together with the pending items of
/// the hosts.
fn clear_inbox(conn: &Connection, run: RunId) -> DatabaseResult<()> {
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

/// Deletes some pages of a run that no record refers to, and hosts whose pages are all handled.
/// Returns whether more remain.
pub(super) fn clear_pages(
    tx: &Connection,
    run: RunId,
    needed: &HashSet<FrontierEntryId>,
) -> DatabaseResult<bool> {
    let host: Option<(HostId, Option<FrontierEntryId>)> = tx
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
    // The next call continues from here.
    match next {
        Some(_) => tx.execute(
            "UPDATE host_run SET last_page = ?3 WHERE run = ?1 AND host = ?2",
            params![run, host, next],
        )?,
        None => tx.execute("DELETE FROM host_run WHERE run = ?1 AND host = ?2", [run, host])?,
    };
    Ok(true)
}
