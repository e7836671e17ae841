//! What is read of the frontier, which every engine keeps in its own way.

use super::super::embedded::frontier_read as lite;
use super::super::postgres::frontier as postgres;
use super::fault::Step;
use super::moment::from_micros;
use crate::sql::{Conn, Row};
use crate::{Bearing, HostId, Item, ItemId, RunId};
use jiff::Timestamp;

/// Items of one host among the next ones, where there are enough hosts.
const NEXT_OF_HOST: usize = 5;

/// A closed item, as far as people ask for it.
pub(crate) struct ClosedPage {
    pub id: ItemId,
    pub path: String,
    pub intent: String,
    pub depth: u32,
    pub class: String,
    pub reason: String,
    pub at: Timestamp,
    pub bearing: Bearing,
}

fn closed_page(row: Row<'_>) -> Step<ClosedPage> {
    Ok(ClosedPage {
        id: row.get(0)?,
        path: row.get(1)?,
        intent: row.get(2)?,
        depth: row.get(3)?,
        class: row.get(4)?,
        reason: row.get(5)?,
        at: from_micros(row.get(6)?),
        bearing: Bearing { width: row.get(7)?, origin: row.get(8)?, distance: row.get(9)? },
    })
}

/// Pages of a host in a run with one of these paths, newest first.
pub(super) fn closed_pages(
    conn: Conn<'_>,
    run: RunId,
    host: HostId,
    paths: &[&str],
) -> Step<Vec<ClosedPage>> {
    match conn {
        Conn::Lite(conn) => lite::closed_pages(conn, run, host, paths),
        Conn::Pg(client) => {
            let rows = postgres::closed_pages(client, run, host, paths)?;
            rows.iter().map(|row| closed_page(Row::Pg(row))).collect()
        }
    }
}

/// Pending items of a host in a run with one of these paths.
pub(super) fn waiting_items(
    conn: Conn<'_>,
    run: RunId,
    host: HostId,
    origin: &str,
    paths: &[&str],
) -> Step<Vec<Item>> {
    match conn {
        Conn::Lite(conn) => lite::waiting_items(conn, run, host, origin, paths),
        Conn::Pg(client) => postgres::waiting_items(client, run, host, origin, paths),
    }
}

/// What is next in a run, from many hosts.
pub(super) fn next_items(conn: Conn<'_>, run: RunId, most: usize) -> Step<Vec<Item>> {
    let hosts = match conn {
        Conn::Lite(conn) => lite::best_hosts(conn, run, most)?,
        Conn::Pg(client) => postgres::best_hosts(client, run, most)?,
    };
    let of_host = NEXT_OF_HOST.max(most.div_ceil(hosts.len().max(1)));
    let mut items = Vec::new();
    for host in hosts {
        items.extend(match conn {
            Conn::Lite(conn) => lite::best_of_host(conn, run, host, of_host)?,
            Conn::Pg(client) => postgres::pending(client, run, host, of_host, &|_| false)?,
        });
    }
    items.sort_by_key(|item| (item.priority, item.id));
    items.truncate(most);
    Ok(items)
}
