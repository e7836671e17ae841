//! What people read of the frontier.

use super::super::shared::fault::Step;
use super::super::shared::frontier::ClosedPage;
use super::super::shared::hosts;
use super::super::shared::moment::from_micros;
use crate::sql::{Conn, Row, params};
use crate::{Bearing, HostId, Item, RunId};

/// Columns that [`read_item`] reads.
const ITEM: &str = "q.host, q.id, q.path, q.intent, q.priority, q.depth, q.parent, q.way, q.words, q.hops, \
     q.attempts, q.width, q.origin, q.distance";

fn read_item(row: Row<'_>, host_name: &str) -> crate::sql::Result<Item> {
    Ok(Item {
        host: row.get(0)?,
        id: row.get(1)?,
        url: hosts::full_url(host_name, row.get_ref(2)?.as_str()?),
        intent: row.get(3)?,
        priority: row.get(4)?,
        depth: row.get(5)?,
        parent: row.get(6)?,
        way: row.get(7)?,
        words: row.get(8)?,
        hops: row.get(9)?,
        attempts: row.get(10)?,
        bearing: Bearing { width: row.get(11)?, origin: row.get(12)?, distance: row.get(13)? },
    })
}

/// Hosts with the best heads, of all shards.
pub(in crate::backend) fn best_hosts(conn: Conn<'_>, run: RunId, most: usize) -> Step<Vec<HostId>> {
    Ok(conn
        .prepare_cached(
            "SELECT b.host FROM generate_series(0, 255) AS s (shard) CROSS JOIN LATERAL (SELECT r.host, \
             r.best_priority FROM host_run r WHERE r.shard = s.shard AND r.run = ?1 AND r.best_priority IS NOT NULL \
             ORDER BY r.best_priority, r.host LIMIT ?2) AS b ORDER BY b.best_priority, b.host LIMIT ?2",
        )?
        .query_map(params![run, most as i64], |row| row.get(0))?
        .collect::<crate::sql::Result<_>>()?)
}

/// The best items of a host.
pub(in crate::backend) fn best_of_host(
    conn: Conn<'_>,
    run: RunId,
    host: HostId,
    most: usize,
) -> Step<Vec<Item>> {
    let name = hosts::name(conn, host)?;
    Ok(conn
        .prepare_cached(&format!(
            "SELECT {ITEM} FROM queue q WHERE q.shard = (?2 & 255)::int4 AND q.run = ?1 AND q.host = ?2 \
             ORDER BY q.priority, q.id LIMIT ?3"
        ))?
        .query_map(params![run, host, most as i64], |row| read_item(row, &name))?
        .collect::<crate::sql::Result<_>>()?)
}

/// Pages of the host with one of these paths, newest first, along the host's chain.
pub(in crate::backend) fn closed_pages(
    conn: Conn<'_>,
    run: RunId,
    host: HostId,
    paths: &[&str],
) -> Step<Vec<ClosedPage>> {
    let mut select = conn.prepare_cached(
        "WITH RECURSIVE chain AS (SELECT p.*, 1 AS place FROM host_run r JOIN page p ON p.shard = r.shard AND \
         p.id = r.last_page WHERE r.shard = (?2 & 255)::int4 AND r.run = ?1 AND r.host = ?2 \
         UNION ALL SELECT p.*, chain.place + 1 FROM chain JOIN page p ON p.shard = chain.shard AND p.id = chain.previous) \
         SELECT id, path, intent, depth, class, reason, at, width, origin, distance FROM chain WHERE path = ?3 \
         ORDER BY place",
    )?;
    let mut pages = Vec::new();
    let mut asked: Vec<&str> = Vec::new();
    for path in paths {
        if asked.contains(path) {
            continue;
        }
        asked.push(path);
        let mut rows = select.query(params![run, host, path])?;
        while let Some(row) = rows.next()? {
            pages.push(ClosedPage {
                id: row.get(0)?,
                path: row.get(1)?,
                intent: row.get(2)?,
                depth: row.get(3)?,
                class: row.get(4)?,
                reason: row.get(5)?,
                at: from_micros(row.get(6)?),
                bearing: Bearing { width: row.get(7)?, origin: row.get(8)?, distance: row.get(9)? },
            });
        }
    }
    Ok(pages)
}

/// Pending items of the host with one of these paths.
pub(in crate::backend) fn waiting_items(
    conn: Conn<'_>,
    run: RunId,
    host: HostId,
    origin: &str,
    paths: &[&str],
) -> Step<Vec<Item>> {
    let mut select = conn.prepare_cached(&format!(
        "SELECT {ITEM} FROM queue q WHERE q.shard = (?2 & 255)::int4 AND q.run = ?1 AND q.host = ?2 AND q.path = ?3 \
         ORDER BY q.priority, q.id"
    ))?;
    let mut items = Vec::new();
    let mut asked: Vec<&str> = paths.to_vec();
    asked.sort_unstable();
    asked.dedup();
    for path in asked {
        let mut rows = select.query(params![run, host, path])?;
        while let Some(row) = rows.next()? {
            items.push(read_item(row, origin)?);
        }
    }
    Ok(items)
}
