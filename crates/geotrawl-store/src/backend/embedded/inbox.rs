//! Links to hosts that are not being crawled yet.
//!
//! The queue is clustered by host and priority, so that leasing a host reads adjacent rows. Links
//! to other hosts would scatter over the file, and each insert would rewrite a page. They are
//! appended here instead, chained per host, and move to the queue when the host first gets work or
//! its chain is long. In a frontier that grows faster than it is crawled, most of them never move.

use super::super::shared::frontier::QueueRow;
use super::database_error::{DatabaseError, DatabaseResult};
use crate::sql::insert;
use geotrawl_model::{FrontierEntryId, HostId, RunId};
use rusqlite::{Connection, OptionalExtension};

/// Longest chain of a host. Bounds the duration of the first request for its work.
pub(super) const CHAIN_LIMIT: u32 = 1000;

/// Appends a link to the chain with head `next`; its id becomes the new head.
pub(super) fn append_item(
    tx: &Connection,
    run: RunId,
    next: Option<FrontierEntryId>,
    row: &QueueRow<'_>,
) -> DatabaseResult<()> {
    insert!(
        tx,
        inbox {
            id: row.id,
            run: run,
            host: row.host,
            next: next,
            priority: row.priority,
            path: row.path,
            intent: row.intent.as_text(),
            depth: row.depth,
            parent: row.parent,
            way: row.way,
            words: row.words,
            hops: row.hops,
            width: row.bearing.width,
            origin: row.bearing.origin,
            distance: row.bearing.distance,
        }
    )?;
    Ok(())
}

/// Moves a chain to the queue.
pub(super) fn move_to_queue(tx: &Connection, head: FrontierEntryId) -> DatabaseResult<()> {
    let mut copy = tx.prepare_cached(
        "INSERT INTO queue (run, host, priority, id, path, intent, depth, parent, way, words, hops, attempts, \
         width, origin, distance) SELECT run, host, priority, id, path, intent, depth, parent, way, words, hops, 0, \
         width, origin, distance FROM inbox WHERE id = ?1",
    )?;
    let mut remove = tx.prepare_cached("DELETE FROM inbox WHERE id = ?1")?;
    for id in read_chain(tx, head)? {
        if copy.execute([id])? != 1 || remove.execute([id])? != 1 {
            return Err(DatabaseError::Inconsistent(format!("the chain of pending item {id} is broken")));
        }
    }
    Ok(())
}

/// Returns the ids of a chain, oldest first.
pub(super) fn read_chain(conn: &Connection, head: FrontierEntryId) -> DatabaseResult<Vec<FrontierEntryId>> {
    let mut follow = conn.prepare_cached("SELECT next FROM inbox WHERE id = ?1")?;
    let mut ids = Vec::new();
    let mut at = Some(head);
    while let Some(id) = at {
        ids.push(id);
        // A chain only leads to older items. Anything else is damage and ends the walk.
        at = follow
            .query_row([id], |row| row.get::<_, Option<FrontierEntryId>>(0))
            .optional()?
            .flatten()
            .filter(|next| *next < id);
    }
    ids.reverse();
    Ok(ids)
}

/// Returns the head of the chain of a host in a run.
pub(super) fn read_head(
    conn: &Connection,
    run: RunId,
    host: HostId,
) -> DatabaseResult<Option<FrontierEntryId>> {
    let mut select = conn.prepare_cached("SELECT inbox FROM host_run WHERE run = ?1 AND host = ?2")?;
    Ok(select.query_row([run, host], |row| row.get(0)).optional()?.flatten())
}
