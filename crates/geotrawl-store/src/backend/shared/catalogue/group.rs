//! Groups of rows that are aliases of one service. Groups are computed from the rows and never
//! stored: a row leaves or joins by itself when its content changes. Only merges by users are
//! stored.

use super::super::database_error::DatabaseResult;
use crate::sql::{self, Conn, OptionalExtension, read_row};

/// SQL condition: row `r` represents its group.
pub(crate) const STANDS_FOR_GROUP: &str = "(NOT EXISTS (SELECT 1 FROM merged m WHERE m.resource = r.id) \
     AND (r.fingerprint IS NULL OR NOT EXISTS (SELECT 1 FROM resource b WHERE \
     b.kind = r.kind AND b.domain = r.domain AND b.fingerprint = r.fingerprint AND b.preference < r.preference)))";

/// Maximum number of rows read per group.
const GROUP_LIMIT: usize = 200;

/// Returns the rows of a row's group: the one that represents it first, rows merged into it last.
pub(crate) fn members_of(conn: Conn<'_>, resource: i64) -> DatabaseResult<Vec<i64>> {
    let resource = successor_of(conn, resource)?.unwrap_or(resource);
    let mut members: Vec<i64> = conn
        .prepare_cached(
            "SELECT g.id FROM resource r JOIN resource g ON g.kind = r.kind AND g.domain = r.domain \
             AND g.fingerprint = r.fingerprint WHERE r.id = ?1 ORDER BY g.preference LIMIT ?2",
        )?
        .query_map([resource, GROUP_LIMIT as i64], read_row)?
        .collect::<sql::Result<_>>()?;
    if members.is_empty() {
        members.push(resource);
    }
    let mut select = conn.prepare_cached("SELECT resource FROM merged WHERE successor = ?1 LIMIT ?2")?;
    for at in 0..members.len() {
        let Some(member) = members.get(at).copied() else { break };
        let room = GROUP_LIMIT.saturating_sub(members.len()) as i64;
        for merged in select.query_map([member, room], read_row)? {
            members.push(merged?);
        }
    }
    Ok(members)
}

/// Returns the row that this one was merged into.
pub(crate) fn successor_of(conn: Conn<'_>, resource: i64) -> DatabaseResult<Option<i64>> {
    let mut select = conn.prepare_cached("SELECT successor FROM merged WHERE resource = ?1")?;
    Ok(select.query_row([resource], read_row).optional()?)
}
