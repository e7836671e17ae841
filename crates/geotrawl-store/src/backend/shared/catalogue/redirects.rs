//! Where URLs led, so that the aliases of a resource are all the doors that end at it.

use super::super::fault::DatabaseResult;
use crate::sql::{self, Conn, params, read_row};
use std::collections::{BTreeSet, HashSet, VecDeque};

/// URLs looked at when the doors of one resource are collected, and shown at most.
pub(super) const DOORS_LIMIT: usize = 500;

/// Why one URL stands for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RedirectKind {
    /// The server said so.
    Redirect,
    /// The item with this URL proved the resource with that one.
    Proof,
}

/// Notes to which URL another led. Whoever notes several gives them in their order, so that two who do it at once do
/// not wait for each other.
pub(crate) fn add_redirects<'u>(
    tx: Conn<'_>,
    to_and_from: impl IntoIterator<Item = (&'u str, &'u str)>,
    edge: RedirectKind,
) -> DatabaseResult<()> {
    let mut edges = to_and_from.into_iter().filter(|(to, from)| to != from).peekable();
    if edges.peek().is_none() {
        return Ok(());
    }
    let mut insert = tx.prepare_cached(&format!(
        "INSERT INTO redirect (to_url, from_url, shown) VALUES (?1, ?2, ?3) \
         ON CONFLICT ({}, {}) DO UPDATE SET shown = 1 WHERE excluded.shown > redirect.shown",
        tx.hashed_column("to_url"),
        tx.hashed_column("from_url")
    ))?;
    let mut many = insert.start_batch();
    for (to, from) in edges {
        many.add_values(params![to, from, edge == RedirectKind::Redirect])?;
    }
    many.finish()?;
    Ok(())
}

/// All URLs from which redirects end at one of these, and the given ones.
pub(super) fn find_aliases(conn: Conn<'_>, own: Vec<String>) -> DatabaseResult<BTreeSet<String>> {
    let mut select = conn.prepare_cached(
        "SELECT from_url, shown FROM redirect WHERE to_url = ?1 ORDER BY from_url LIMIT ?2",
    )?;
    let mut seen: HashSet<String> = own.iter().cloned().collect();
    let mut shown: BTreeSet<String> = own.iter().cloned().collect();
    let mut queue: VecDeque<String> = own.into();
    while let Some(url) = queue.pop_front() {
        let mut rows = select.query(params![url, DOORS_LIMIT as i64])?;
        while let Some(row) = rows.next()? {
            let from: String = row.get(0)?;
            if row.get(1)? && shown.len() < DOORS_LIMIT {
                shown.insert(from.clone());
            }
            if seen.len() < DOORS_LIMIT && seen.insert(from.clone()) {
                queue.push_back(from);
            }
        }
    }
    Ok(shown)
}

/// Where a URL led, at once.
pub(crate) fn find_targets(conn: Conn<'_>, from: &str) -> DatabaseResult<Vec<String>> {
    Ok(conn
        .prepare_cached("SELECT to_url FROM redirect WHERE from_url = ?1 ORDER BY to_url LIMIT 50")?
        .query_map([from], read_row)?
        .collect::<sql::Result<_>>()?)
}
