//! What is read of the frontier, which every engine keeps in its own way.

use super::super::embedded::frontier_read as lite;
use super::super::postgres::frontier_read as postgres;
use super::fault::Step;
use crate::sql::Conn;
use crate::{Bearing, HostId, Item, ItemId, RunId};
use jiff::Timestamp;

/// Items of one host among the next ones, where there are enough hosts.
const NEXT_OF_HOST: usize = 5;

/// A closed item, as far as people ask for it.
pub(in crate::backend) struct ClosedPage {
    pub id: ItemId,
    pub path: String,
    pub intent: String,
    pub depth: u32,
    pub class: String,
    pub reason: String,
    pub at: Timestamp,
    pub bearing: Bearing,
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
        Conn::Pg(_) => postgres::closed_pages(conn, run, host, paths),
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
        Conn::Pg(_) => postgres::waiting_items(conn, run, host, origin, paths),
    }
}

/// What is next in a run, from many hosts.
pub(super) fn next_items(conn: Conn<'_>, run: RunId, most: usize) -> Step<Vec<Item>> {
    let hosts = match conn {
        Conn::Lite(conn) => lite::best_hosts(conn, run, most)?,
        Conn::Pg(_) => postgres::best_hosts(conn, run, most)?,
    };
    let of_host = NEXT_OF_HOST.max(most.div_ceil(hosts.len().max(1)));
    let mut items = Vec::new();
    for host in hosts {
        items.extend(match conn {
            Conn::Lite(conn) => lite::best_of_host(conn, run, host, of_host)?,
            Conn::Pg(_) => postgres::best_of_host(conn, run, host, of_host)?,
        });
    }
    items.sort_by_key(|item| (item.priority, item.id));
    items.truncate(most);
    Ok(items)
}
