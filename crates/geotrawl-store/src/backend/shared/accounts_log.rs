//! The audit log, settings, and reports about records.

use super::database_error::DatabaseResult;
use super::moment::to_micros;
use crate::sql::{self, Conn, OptionalExtension, params, read_row};
use geotrawl_model::account::{AuditEntry, NewAuditEntry};
use geotrawl_model::report::{NewRecordReport, OPEN_REPORTS, OPEN_REPORTS_OF_RECORD, RecordReport};
use jiff::Timestamp;
use serde_json::Value;

/// Maximum length of the audit log, so that failed logins from outside cannot fill the disk.
const AUDIT_LINES: i64 = 1_000_000;

/// Appends an entry to the audit log.
pub(crate) fn append_audit(conn: Conn<'_>, entry: &NewAuditEntry, now: Timestamp) -> DatabaseResult<()> {
    let last: i64 = conn
        .prepare_cached(
        "INSERT INTO audit (at, \"user\", who, action, subject, address, detail) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) RETURNING seq",
    )?
    .query_row(params![
        to_micros(now),
        entry.user,
        entry.who,
        entry.action,
        entry.subject,
        entry.address,
        entry.detail.to_string()
    ], read_row)?;
    conn.execute("DELETE FROM audit WHERE seq <= ?1", [last - AUDIT_LINES])?;
    Ok(())
}

/// Returns entries before a sequence number (0: the newest), newest first.
pub(crate) fn audit_before(conn: Conn<'_>, before: i64, limit: i64) -> DatabaseResult<Vec<AuditEntry>> {
    let before = if before <= 0 { i64::MAX } else { before };
    let mut select = conn.prepare_cached(
        "SELECT seq, at, \"user\", who, action, subject, address, detail FROM audit \
         WHERE seq < ?1 ORDER BY seq DESC LIMIT ?2",
    )?;
    let mut rows = select.query([before, limit])?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        let detail: String = row.get(7)?;
        entries.push(AuditEntry {
            seq: row.get(0)?,
            at: row.get(1)?,
            user: row.get(2)?,
            who: row.get(3)?,
            action: row.get(4)?,
            subject: row.get(5)?,
            address: row.get(6)?,
            detail: serde_json::from_str(&detail)?,
        });
    }
    Ok(entries)
}

/// Returns a setting.
pub(crate) fn read_setting(conn: Conn<'_>, key: &str) -> DatabaseResult<Option<Value>> {
    let text: Option<String> =
        conn.query_row("SELECT value FROM setting WHERE key = ?1", [key], read_row).optional()?;
    Ok(text.map(|text| serde_json::from_str(&text)).transpose()?)
}

/// Returns all settings, by key.
pub(crate) fn read_settings(conn: Conn<'_>) -> DatabaseResult<Vec<(String, Value)>> {
    let mut select = conn.prepare_cached("SELECT key, value FROM setting ORDER BY key")?;
    let mut rows = select.query([])?;
    let mut settings = Vec::new();
    while let Some(row) = rows.next()? {
        let text: String = row.get(1)?;
        settings.push((row.get(0)?, serde_json::from_str(&text)?));
    }
    Ok(settings)
}

/// Sets or removes a setting.
pub(crate) fn set_setting(conn: Conn<'_>, key: &str, value: Option<&Value>) -> DatabaseResult<()> {
    match value {
        Some(value) => conn.execute(
            "INSERT INTO setting (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2",
            params![key, value.to_string()],
        )?,
        None => conn.execute("DELETE FROM setting WHERE key = ?1", [key])?,
    };
    Ok(())
}

/// Adds a report unless too many are open.
pub(crate) fn add_report(
    conn: Conn<'_>,
    report: &NewRecordReport,
    now: Timestamp,
) -> DatabaseResult<Option<i64>> {
    let (all, own): (u32, u32) = conn
        .prepare_cached("SELECT count(*), count(*) FILTER (WHERE record = ?1) FROM report WHERE closed = 0")?
        .query_row([&report.record], read_row)?;
    if own >= OPEN_REPORTS_OF_RECORD || all >= OPEN_REPORTS {
        return Ok(None);
    }
    let id = conn.query_row(
        "INSERT INTO report (at, record, \"user\", text) VALUES (?1, ?2, ?3, ?4) RETURNING id",
        params![to_micros(now), report.record, report.user, report.text],
        read_row,
    )?;
    Ok(Some(id))
}

/// Returns reports, newest first.
pub(crate) fn read_reports(conn: Conn<'_>, all: bool, limit: i64) -> DatabaseResult<Vec<RecordReport>> {
    let sql = if all {
        "SELECT id, at, record, \"user\", text, closed FROM report ORDER BY id DESC LIMIT ?1"
    } else {
        "SELECT id, at, record, \"user\", text, closed FROM report WHERE closed = 0 ORDER BY id DESC LIMIT ?1"
    };
    let reports = conn
        .prepare_cached(sql)?
        .query_map([limit], |row| {
            Ok(RecordReport {
                id: row.get(0)?,
                at: row.get(1)?,
                record: row.get(2)?,
                user: row.get(3)?,
                text: row.get(4)?,
                closed: row.get(5)?,
            })
        })?
        .collect::<sql::Result<_>>()?;
    Ok(reports)
}
