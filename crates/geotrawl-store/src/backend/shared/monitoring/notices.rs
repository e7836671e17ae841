//! Notices: written in the transaction of the change they report, read in order, limited in number.

use super::super::database_error::DatabaseResult;
use super::alerts::AlertSubscribers;
use crate::sql::{self, Bind, Conn, Row, insert_returning};
use geotrawl_model::notice::{Notice, NoticeFilter, NoticeKind};
use jiff::Timestamp;

/// Number of notices kept.
const KEPT: i64 = 200_000;
/// Old notices are removed each time this many new ones have been written.
const SWEEP_EVERY: i64 = 1_000;

/// A notice to be written.
pub(crate) struct NewNotice<'a> {
    pub at: Timestamp,
    pub kind: NoticeKind,
    pub id: &'a str,
    pub title: Option<&'a str>,
    pub url: &'a str,
    pub host: &'a str,
    pub record_kind: &'a str,
    pub reason: String,
    pub body: Option<serde_json::Value>,
}

/// Writes a notice and queues it for matching alerts.
pub(crate) fn append_notice(
    tx: Conn<'_>,
    news: &NewNotice<'_>,
    told: &mut AlertSubscribers,
) -> DatabaseResult<()> {
    let seq: i64 = insert_returning!(
        tx,
        notice {
            at: news.at,
            kind: news.kind.as_str(),
            record: news.id,
            title: news.title,
            url: news.url,
            host: news.host,
            record_kind: news.record_kind,
            reason: news.reason,
            body: news.body.as_ref().map(ToString::to_string),
        } "RETURNING seq"
    )?;
    if seq % SWEEP_EVERY == 0 {
        tx.execute("DELETE FROM notice WHERE seq <= ?1", [seq - KEPT])?;
    }
    told.notify(tx, seq, news)
}

/// Columns of a notice `n`.
pub(super) const COLUMNS: &str =
    "n.seq, n.at, n.kind, n.record, n.title, n.url, n.host, n.record_kind, n.reason, n.body";

/// Reads a notice; `None` if its kind is unknown to this version.
pub(super) fn read_notice(row: Row<'_>) -> sql::Result<Option<Notice>> {
    let Some(kind) = NoticeKind::parse(row.get_ref(2)?.as_str()?) else { return Ok(None) };
    let body: Option<String> = row.get(9)?;
    Ok(Some(Notice {
        seq: row.get(0)?,
        at: row.get(1)?,
        kind,
        id: row.get(3)?,
        title: row.get(4)?,
        url: row.get(5)?,
        host: row.get(6)?,
        record_kind: row.get(7)?,
        reason: row.get(8)?,
        body: body.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default(),
    }))
}

/// Returns the notices that match a filter.
pub(super) fn list_notices(
    conn: Conn<'_>,
    filter: &NoticeFilter,
    limit: usize,
) -> DatabaseResult<Vec<Notice>> {
    let mut sql = format!("SELECT {COLUMNS} FROM notice n WHERE 1 = 1");
    let mut values: Vec<Box<dyn Bind>> = Vec::new();
    let mut and = |condition: &str, value: Box<dyn Bind>| {
        sql.push_str(condition);
        values.push(value);
    };
    if let Some(after) = filter.after {
        and(" AND n.seq > ?", Box::new(after));
    }
    if let Some(before) = filter.before {
        and(" AND n.seq < ?", Box::new(before));
    }
    if let Some(record) = &filter.record {
        and(" AND n.record = ?", Box::new(record.clone()));
    }
    if let Some(host) = &filter.host {
        and(" AND n.host = ?", Box::new(host.clone()));
    }
    if !filter.kinds.is_empty() {
        // The index on kinds serves a single kind; for several, the index on the sequence is
        // better.
        let marks = vec!["?"; filter.kinds.len()].join(", ");
        let by_order = if filter.kinds.len() == 1 { "" } else { " || ''" };
        sql = format!("{sql} AND n.kind{by_order} IN ({marks})");
        for kind in &filter.kinds {
            values.push(Box::new(kind.as_str()));
        }
    }
    sql.push_str(if filter.after.is_some() {
        " ORDER BY n.seq LIMIT ?"
    } else {
        " ORDER BY n.seq DESC LIMIT ?"
    });
    values.push(Box::new(limit as i64));
    let values: Vec<&dyn Bind> = values.iter().map(|value| &**value).collect();
    let mut select = conn.prepare_cached(&sql)?;
    let all: Vec<Option<Notice>> = select.query_map(&values[..], read_notice)?.collect::<sql::Result<_>>()?;
    Ok(all.into_iter().flatten().collect())
}
