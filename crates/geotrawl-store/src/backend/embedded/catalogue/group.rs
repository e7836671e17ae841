//! Rows that are doors to one service. The grouping is a function of the rows, never stored: when what a
//! door offers changes, it leaves or joins by itself.

use super::super::fault::Step;
use rusqlite::Connection;

/// SQL: the row `r` stands for its group.
pub(super) const STANDS_FOR_GROUP: &str = "(r.fingerprint IS NULL OR NOT EXISTS (SELECT 1 FROM resource b WHERE \
     b.kind = r.kind AND b.domain = r.domain AND b.fingerprint = r.fingerprint AND b.preference < r.preference))";

/// Most rows of one group that are looked at.
const GROUP_LIMIT: usize = 200;

/// Rows of the group of a row, the one that stands for it first.
pub(in super::super) fn of(conn: &Connection, resource: i64) -> Step<Vec<i64>> {
    let mut members: Vec<i64> = conn
        .prepare_cached(
            "SELECT g.id FROM resource r JOIN resource g ON g.kind = r.kind AND g.domain = r.domain \
             AND g.fingerprint = r.fingerprint WHERE r.id = ?1 ORDER BY g.preference LIMIT ?2",
        )?
        .query_map([resource, GROUP_LIMIT as i64], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    if members.is_empty() {
        members.push(resource);
    }
    Ok(members)
}
