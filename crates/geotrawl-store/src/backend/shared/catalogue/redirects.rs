//! Redirects between URLs, from which the aliases of a resource are derived.

use super::super::database_error::DatabaseResult;
use crate::sql::{self, Conn, params, read_row};
use std::collections::{BTreeSet, HashSet, VecDeque};

/// Maximum number of URLs visited while collecting the aliases of a resource, and of aliases shown.
pub(super) const DOORS_LIMIT: usize = 500;

/// Reason why one URL leads to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RedirectKind {
    /// The server redirected.
    Redirect,
    /// The item with this URL proved the resource at the other.
    Proof,
}

/// Records that URLs lead to others. Callers must pass several in sorted order, so that concurrent
/// transactions cannot deadlock.
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
        tx.index_key_expression("to_url"),
        tx.index_key_expression("from_url")
    ))?;
    let mut many = insert.start_batch();
    for (to, from) in edges {
        many.add_values(params![to, from, edge == RedirectKind::Redirect])?;
    }
    many.finish()?;
    Ok(())
}

/// Returns the given URLs and all URLs whose redirects end at one of them.
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
            // Proofs are followed but not shown: only redirects by a server make aliases.
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

/// Returns the direct redirect targets of a URL.
pub(crate) fn find_targets(conn: Conn<'_>, from: &str) -> DatabaseResult<Vec<String>> {
    Ok(conn
        .prepare_cached("SELECT to_url FROM redirect WHERE from_url = ?1 ORDER BY to_url LIMIT 50")?
        .query_map([from], read_row)?
        .collect::<sql::Result<_>>()?)
}
