//! Reads the frontier: hosts with work, pending items, finished pages.

use super::super::shared::frontier::{ClosedPage, read_closed_page, read_item, read_past_page};
use super::super::shared::hosts;
use super::database_error::DatabaseResult;
use super::inbox;
use super::robots;
use crate::sql::{Conn, Row};
use geotrawl_model::{FrontierEntry, FrontierEntryId, HostId, HostWork, PastPage, RunId};
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::BTreeSet;

/// Returns hosts with pending items, best head first, and those among them with a non-empty inbox.
pub(super) fn hosts_with_work(
    conn: &Connection,
    run: RunId,
    limit: usize,
    skip: &dyn Fn(HostId) -> bool,
) -> DatabaseResult<(Vec<HostWork>, Vec<HostId>)> {
    let mut work = Vec::new();
    let mut unsettled = Vec::new();
    let mut ready = conn.prepare_cached(
        "SELECT host, best_priority FROM host_run WHERE run = ?1 AND best_priority IS NOT NULL \
         ORDER BY best_priority, host",
    )?;
    let mut details = conn.prepare_cached(
        "SELECT h.name, r.pending, r.done, r.inbox IS NOT NULL FROM host_run r JOIN host h ON h.id = r.host \
         WHERE r.run = ?1 AND r.host = ?2",
    )?;
    let mut rows = ready.query([run])?;
    while work.len() < limit
        && let Some(row) = rows.next()?
    {
        let host: HostId = row.get(0)?;
        if skip(host) {
            continue;
        }
        let best_priority = row.get(1)?;
        let (name, pending, done, strewn): (String, i64, i64, bool) =
            details.query_row([run, host], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
        if strewn {
            unsettled.push(host);
        }
        let robots = robots::read_robots(Conn::from(conn), host, &name)?;
        work.push(HostWork {
            host,
            name,
            pending: pending.max(0) as u64,
            best_priority,
            done: done.max(0) as u64,
            robots,
            rest: std::time::Duration::ZERO,
        });
    }
    Ok((work, unsettled))
}

/// Returns the best pending items of a host in order. Returns `None` if its inbox must be moved to
/// the queue first, which happens only if `can_settle` is set.
pub(super) fn read_pending(
    conn: &Connection,
    run: RunId,
    host: HostId,
    limit: usize,
    skip: &dyn Fn(FrontierEntryId) -> bool,
    can_settle: bool,
) -> DatabaseResult<Option<Vec<FrontierEntry>>> {
    let tx = conn.unchecked_transaction()?;
    let name = hosts::read_name(Conn::from(&*tx), host)?;
    let mut strewn = Vec::new();
    if let Some(head) = inbox::read_head(&tx, run, host)? {
        if can_settle {
            return Ok(None);
        }
        strewn = read_inbox_items(&tx, head, &name)?;
    }
    let mut items = Vec::new();
    let mut select =
        conn.prepare_cached(&format!("{SELECT_ITEM} WHERE run = ?1 AND host = ?2 ORDER BY priority, id"))?;
    let mut rows = select.query([run, host])?;
    while items.len() < limit
        && let Some(row) = rows.next()?
    {
        if !skip(row.get(1)?) {
            items.push(read_item(Row::Lite(row), &name)?);
        }
    }
    strewn.retain(|item| !skip(item.id));
    items.extend(strewn);
    items.sort_by_key(|item| (item.priority, item.id));
    items.truncate(limit);
    Ok(Some(items))
}

/// Reads the items of the inbox chain with this head.
pub(super) fn read_inbox_items(
    conn: &Connection,
    head: FrontierEntryId,
    host_name: &str,
) -> DatabaseResult<Vec<FrontierEntry>> {
    let mut select = conn.prepare_cached(&format!("{SELECT_STREWN_ITEM} WHERE id = ?1"))?;
    let mut items = Vec::new();
    for id in inbox::read_chain(conn, head)? {
        let mut rows = select.query([id])?;
        if let Some(row) = rows.next()? {
            items.push(read_item(Row::Lite(row), host_name)?);
        }
    }
    Ok(items)
}

/// The columns that [`read_item`] reads.
pub(super) const SELECT_ITEM: &str = "SELECT host, id, path, intent, priority, depth, parent, way, words, hops, attempts, width, origin, \
     distance FROM queue";

/// The same columns in the inbox.
const SELECT_STREWN_ITEM: &str = "SELECT host, id, path, intent, priority, depth, parent, way, words, hops, 0, width, origin, distance \
     FROM inbox";

/// Returns the latest pages of a host in a run, newest first, by following their chain.
pub(super) fn read_history(
    conn: &Connection,
    run: RunId,
    host: HostId,
    limit: usize,
) -> DatabaseResult<Vec<PastPage>> {
    let name = hosts::read_name(Conn::from(conn), host)?;
    let mut pages = Vec::new();
    let mut select = conn.prepare_cached(
        "SELECT path, intent, class, reason, simhash, found, previous FROM page WHERE id = ?1",
    )?;
    let mut next = read_last_page(conn, run, host)?;
    while pages.len() < limit
        && let Some(id) = next
    {
        let mut rows = select.query([id])?;
        let row = rows.next()?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
        pages.push(read_past_page(Row::Lite(row), &name)?);
        next = row.get(6)?;
    }
    Ok(pages)
}

/// Returns the head of the chain of a host's pages in a run.
pub(super) fn read_last_page(
    conn: &Connection,
    run: RunId,
    host: HostId,
) -> DatabaseResult<Option<FrontierEntryId>> {
    let mut select = conn.prepare_cached("SELECT last_page FROM host_run WHERE run = ?1 AND host = ?2")?;
    Ok(select.query_row(params![run, host], |row| row.get(0)).optional()?.flatten())
}

/// Returns the hosts with the best heads.
pub(crate) fn read_best_hosts(conn: &Connection, run: RunId, most: usize) -> DatabaseResult<Vec<HostId>> {
    Ok(conn
        .prepare_cached(
            "SELECT host FROM host_run WHERE run = ?1 AND best_priority IS NOT NULL \
             ORDER BY best_priority, host LIMIT ?2",
        )?
        .query_map(params![run, most as i64], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?)
}

/// Returns the best items of a host from queue and inbox.
pub(crate) fn read_best_items(
    conn: &Connection,
    run: RunId,
    host: HostId,
    most: usize,
) -> DatabaseResult<Vec<FrontierEntry>> {
    Ok(read_pending(conn, run, host, most, &|_| false, false)?.unwrap_or_default())
}

/// Returns the pages of a host with one of these paths, by following the host's chain.
pub(crate) fn read_closed_pages(
    conn: &Connection,
    run: RunId,
    host: HostId,
    paths: &[&str],
) -> DatabaseResult<Vec<ClosedPage>> {
    let mut select = conn
        .prepare_cached(
            "SELECT id, path, intent, depth, class, reason, at, width, origin, distance, previous FROM page WHERE id = ?1",
        )?;
    let mut pages = Vec::new();
    let mut next = read_last_page(conn, run, host)?;
    while let Some(id) = next {
        let mut rows = select.query([id])?;
        let Some(row) = rows.next()? else { break };
        next = row.get(10)?;
        let path = row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?;
        if paths.contains(&path) {
            pages.push(read_closed_page(Row::Lite(row))?);
        }
    }
    Ok(pages)
}

/// Returns the pending items of a host with one of these paths.
pub(crate) fn read_waiting_items(
    conn: &Connection,
    run: RunId,
    host: HostId,
    origin: &str,
    paths: &[&str],
) -> DatabaseResult<Vec<FrontierEntry>> {
    let mut items: Vec<FrontierEntry> = Vec::new();
    let mut queued =
        conn.prepare_cached(&format!("{SELECT_ITEM} WHERE run = ?1 AND host = ?2 AND path = ?3"))?;
    for path in paths.iter().collect::<BTreeSet<_>>() {
        let mut rows = queued.query(params![run, host, path])?;
        while let Some(row) = rows.next()? {
            items.push(read_item(Row::Lite(row), origin)?);
        }
    }
    if let Some(head) = inbox::read_head(conn, run, host)? {
        let urls: Vec<String> = paths.iter().map(|path| hosts::full_url(origin, path)).collect();
        items.extend(
            read_inbox_items(conn, head, origin)?.into_iter().filter(|item| urls.contains(&item.url)),
        );
    }
    Ok(items)
}
