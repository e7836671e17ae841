//! Rows that are doors to one service. The grouping is a function of the rows, never stored: when what a
//! door offers changes, it leaves or joins by itself. Only rows that people merged into another are noted.

use super::super::fault::DatabaseResult;
use crate::sql::{self, Conn, OptionalExtension, read_row};

/// SQL: the row `r` stands for its group.
pub(crate) const STANDS_FOR_GROUP: &str = "(NOT EXISTS (SELECT 1 FROM merged m WHERE m.resource = r.id) \
     AND (r.fingerprint IS NULL OR NOT EXISTS (SELECT 1 FROM resource b WHERE \
     b.kind = r.kind AND b.domain = r.domain AND b.fingerprint = r.fingerprint AND b.preference < r.preference)))";

/// Most rows of one group that are looked at.
const GROUP_LIMIT: usize = 200;

/// Rows of the group of a row, the one that stands for it first, those merged into it last.
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

/// The row into which this one was merged.
pub(crate) fn successor_of(conn: Conn<'_>, resource: i64) -> DatabaseResult<Option<i64>> {
    let mut select = conn.prepare_cached("SELECT successor FROM merged WHERE resource = ?1")?;
    Ok(select.query_row([resource], read_row).optional()?)
}
