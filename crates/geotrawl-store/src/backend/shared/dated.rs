//! Changes by date, for harvesting clients. Reads only rows of `change`, not the records.

use super::database_error::DatabaseResult;
use super::moment::{from_micros, to_micros};
use super::{SqlEngine, SqlStore};
use crate::sql::{Conn, OptionalExtension, Row, params, read_row};
use geotrawl_model::Host;
use geotrawl_model::change::{ChangeFilter, ChangeHead};
use geotrawl_model::store::{DatedChangeStore, Result};
use jiff::Timestamp;

/// A clock further than this behind the last recorded time was set back on purpose.
const TOLERANCE: i64 = 3_600_000_000;
const COLUMNS: &str = "seq, at, id, gone, kind, themes, ip";

/// Returns the time of a change: now, but never before the last recorded time, so that clients who
/// continue from the latest time they have seen miss nothing.
pub(crate) fn next_change_time(tx: Conn<'_>, now: Timestamp) -> DatabaseResult<i64> {
    let now = to_micros(now);
    let last: Option<i64> = tx
        .prepare_cached("SELECT max(at) FROM change WHERE at <= ?1")?
        .query_row([now.saturating_add(TOLERANCE)], read_row)?;
    Ok(last.map_or(now, |last| last.max(now)))
}

/// Reads a row, and the IP address of its host.
fn read_change_head(row: Row<'_>) -> DatabaseResult<(ChangeHead, Option<String>)> {
    let themes: Option<String> = row.get(5)?;
    let head = ChangeHead {
        seq: row.get(0)?,
        at: row.get(1)?,
        id: row.get(2)?,
        gone: row.get(3)?,
        kind: row.get(4)?,
        themes: themes.map(|themes| serde_json::from_str(&themes)).transpose()?.unwrap_or_default(),
        country: None,
    };
    Ok((head, row.get(6)?))
}

/// Passes the rows of a filter to `take` in order until it returns `false`. Does not filter by
/// country.
fn visit_changes(
    conn: Conn<'_>,
    filter: &ChangeFilter,
    mut take: impl FnMut(Row<'_>) -> DatabaseResult<bool>,
) -> DatabaseResult<()> {
    let from = filter.from.map(to_micros);
    let mut after = filter.after;
    if let Some(from) = from {
        // The time index finds the start of the range, so nothing before it is read.
        let first: Option<i64> = conn
            .prepare_cached(&format!(
                "SELECT min(seq) FROM change{} WHERE at >= ?1",
                conn.index_hint(" INDEXED BY change_at")
            ))?
            .query_row([from], read_row)?;
        let Some(first) = first else { return Ok(()) };
        after = after.max(first.saturating_sub(1));
    }
    let theme = filter.theme.as_ref().map(serde_json::to_string).transpose()?;
    let mut select = conn.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM change WHERE seq > ?1 AND seq <= ?2 AND at >= ?3 AND at < ?4 \
         AND (?5 IS NULL OR kind = ?5) AND (?6 IS NULL OR {}(themes, ?6) > 0) ORDER BY seq",
        conn.position_function()
    ))?;
    let mut rows = select.query(params![
        after,
        filter.bound.unwrap_or(i64::MAX),
        from.unwrap_or(i64::MIN),
        filter.before.map_or(i64::MAX, to_micros),
        filter.kind,
        theme,
    ])?;
    while let Some(row) = rows.next()? {
        if !take(row)? {
            break;
        }
    }
    Ok(())
}

fn country_of<E: SqlEngine>(store: &SqlStore<E>, ip: Option<String>) -> Option<String> {
    let mut host = Host { ip: Some(ip?), ..Host::default() };
    store.locate_host(&mut host);
    host.country
}

impl<E: SqlEngine> DatedChangeStore for SqlStore<E> {
    fn list_dated_changes(&self, filter: &ChangeFilter, limit: usize) -> Result<Vec<ChangeHead>> {
        if limit == 0 {
            return Ok(Vec::new());
        }
        self.read("reading changes", |conn| {
            let mut heads = Vec::new();
            visit_changes(conn, filter, |row| {
                let (mut one, ip) = read_change_head(row)?;
                one.country = country_of(self, ip);
                if filter.country.is_none() || filter.country == one.country {
                    heads.push(one);
                }
                Ok(heads.len() < limit)
            })?;
            Ok(heads)
        })
    }

    fn count_dated_changes(&self, filter: &ChangeFilter) -> Result<u64> {
        self.read("counting changes", |conn| {
            let mut count = 0;
            visit_changes(conn, filter, |row| {
                let counts = match &filter.country {
                    None => true,
                    wanted => country_of(self, row.get(6)?) == *wanted,
                };
                count += u64::from(counts);
                Ok(true)
            })?;
            Ok(count)
        })
    }

    fn latest_change_of(&self, id: &str) -> Result<Option<ChangeHead>> {
        self.read("reading a change", |conn| {
            let mut select = conn.prepare_cached(&format!("SELECT {COLUMNS} FROM change WHERE id = ?1"))?;
            let Some((mut one, ip)) =
                select.query_row([id], |row| Ok(read_change_head(row))).optional()?.transpose()?
            else {
                return Ok(None);
            };
            one.country = country_of(self, ip);
            Ok(Some(one))
        })
    }

    fn first_change_time(&self) -> Result<Option<Timestamp>> {
        self.read("reading changes", |conn| {
            let first: Option<i64> = conn.query_row("SELECT min(at) FROM change", [], read_row)?;
            Ok(first.map(from_micros))
        })
    }
}
