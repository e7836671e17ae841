//! Frontier queries that work on either engine.

use super::super::embedded::frontier_read as lite;
use super::super::postgres::frontier::read as postgres;
use super::database_error::DatabaseResult;
use super::hosts::{full_url, stored_path};
use crate::sql::{Conn, Row};
use geotrawl_model::{
    CrawlContext, FrontierEntry, FrontierEntryId, HostId, Intent, NewLink, PastPage, RunId,
};
use jiff::Timestamp;
use pollster::block_on;

/// Maximum number of next items per host, if there are enough hosts.
const NEXT_OF_HOST: usize = 5;

/// A closed item, with the columns that explanations need.
pub(crate) struct ClosedPage {
    pub id: FrontierEntryId,
    pub path: String,
    pub intent: Intent,
    pub depth: u32,
    pub class: String,
    pub reason: String,
    pub at: Timestamp,
    pub bearing: CrawlContext,
}

/// A row of the queue.
pub(crate) struct QueueRow<'a> {
    pub host: HostId,
    pub priority: u32,
    pub id: FrontierEntryId,
    pub path: &'a str,
    pub intent: &'a Intent,
    pub depth: u32,
    pub parent: Option<FrontierEntryId>,
    pub way: &'a str,
    pub words: &'a str,
    pub hops: u32,
    pub attempts: u32,
    pub bearing: CrawlContext,
}

impl<'a> QueueRow<'a> {
    /// Creates the row of a new link.
    pub fn from_link(link: &'a NewLink, host: HostId, id: FrontierEntryId) -> Self {
        Self {
            host,
            priority: link.priority,
            id,
            path: stored_path(&link.host, &link.url),
            intent: &link.intent,
            depth: link.depth,
            parent: link.parent,
            way: &link.way,
            words: &link.words,
            hops: link.hops,
            attempts: 0,
            bearing: link.bearing,
        }
    }

    /// Creates the row of an item to be retried, behind items of its own priority.
    pub fn from_retry(item: &'a FrontierEntry, path: &'a str, penalty: u32) -> Self {
        Self {
            host: item.host,
            priority: item.priority.saturating_add(penalty),
            id: item.id,
            path,
            intent: &item.intent,
            depth: item.depth,
            parent: item.parent,
            way: &item.way,
            words: &item.words,
            hops: item.hops,
            attempts: item.attempts.saturating_add(1),
            bearing: item.bearing,
        }
    }
}

/// Reads a page from the columns id, path, intent, depth, class, reason, at, width, origin,
/// distance.
pub(crate) fn read_closed_page(row: Row<'_>) -> DatabaseResult<ClosedPage> {
    let id = row.get(0)?;
    Ok(ClosedPage {
        id,
        path: row.get(1)?,
        intent: row.parse(2, format_args!("page {id}"))?,
        depth: row.get(3)?,
        class: row.get(4)?,
        reason: row.get(5)?,
        at: row.get(6)?,
        bearing: CrawlContext { width: row.get(7)?, origin: row.get(8)?, distance: row.get(9)? },
    })
}

/// Reads an item from the columns host, id, path, intent, priority, depth, parent, way, words, hops, attempts, width,
/// origin, distance.
pub(crate) fn read_item(row: Row<'_>, host_name: &str) -> DatabaseResult<FrontierEntry> {
    let id: FrontierEntryId = row.get(1)?;
    Ok(FrontierEntry {
        host: row.get(0)?,
        id,
        url: full_url(host_name, row.get_ref(2)?.as_str()?),
        intent: row.parse(3, format_args!("pending item {id}"))?,
        priority: row.get(4)?,
        depth: row.get(5)?,
        parent: row.get(6)?,
        way: row.get(7)?,
        words: row.get(8)?,
        hops: row.get(9)?,
        attempts: row.get(10)?,
        bearing: CrawlContext { width: row.get(11)?, origin: row.get(12)?, distance: row.get(13)? },
    })
}

/// Reads a past page of a host from the columns path, intent, class, reason, simhash, found.
pub(crate) fn read_past_page(row: Row<'_>, host_name: &str) -> DatabaseResult<PastPage> {
    let url = full_url(host_name, row.get_ref(0)?.as_str()?);
    Ok(PastPage {
        intent: row.parse(1, format_args!("page {url}"))?,
        url,
        class: row.get(2)?,
        reason: row.get(3)?,
        simhash: row.get::<Option<i64>>(4)?.map(|hash| hash as u64),
        found: row.get(5)?,
    })
}

/// Returns the pages of a host in a run with one of these paths, newest first.
pub(super) fn read_closed_pages(
    conn: Conn<'_>,
    run: RunId,
    host: HostId,
    paths: &[&str],
) -> DatabaseResult<Vec<ClosedPage>> {
    match conn {
        Conn::Lite(conn) => lite::read_closed_pages(conn, run, host, paths),
        Conn::Pg(client) => {
            let rows = block_on(postgres::read_closed_pages(client, run, host, paths))?;
            rows.iter().map(|row| read_closed_page(Row::Pg(row))).collect()
        }
    }
}

/// Returns the pending items of a host in a run with one of these paths.
pub(super) fn read_waiting_items(
    conn: Conn<'_>,
    run: RunId,
    host: HostId,
    origin: &str,
    paths: &[&str],
) -> DatabaseResult<Vec<FrontierEntry>> {
    match conn {
        Conn::Lite(conn) => lite::read_waiting_items(conn, run, host, origin, paths),
        Conn::Pg(client) => block_on(postgres::read_waiting_items(client, run, host, origin, paths)),
    }
}

/// Returns the next items of a run, from many hosts.
pub(super) fn read_next_items(conn: Conn<'_>, run: RunId, most: usize) -> DatabaseResult<Vec<FrontierEntry>> {
    let hosts = match conn {
        Conn::Lite(conn) => lite::read_best_hosts(conn, run, most)?,
        Conn::Pg(client) => block_on(postgres::read_best_hosts(client, run, most))?,
    };
    let of_host = NEXT_OF_HOST.max(most.div_ceil(hosts.len().max(1)));
    let mut items = Vec::new();
    for host in hosts {
        items.extend(match conn {
            Conn::Lite(conn) => lite::read_best_items(conn, run, host, of_host)?,
            Conn::Pg(client) => block_on(postgres::read_pending(client, run, host, of_host, &|_| false))?,
        });
    }
    items.sort_by_key(|item| (item.priority, item.id));
    items.truncate(most);
    Ok(items)
}
