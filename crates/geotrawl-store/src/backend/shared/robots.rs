//! Robots verdicts per host.

use super::database_error::{DatabaseError, DatabaseResult};
use crate::sql::{Conn, OptionalExtension, params, read_row};
use geotrawl_model::{HostId, RobotsRecord};

/// Saves a host's robots verdict.
pub(crate) fn save_robots(tx: Conn<'_>, host: HostId, record: &RobotsRecord) -> DatabaseResult<()> {
    tx.prepare_cached(
        "INSERT INTO robots (host, fetched_at, verdict) VALUES (?1, ?2, ?3) \
         ON CONFLICT (host) DO UPDATE SET fetched_at = ?2, verdict = ?3",
    )?
    .execute(params![host, record.fetched_at.to_string(), serde_json::to_string(&record.verdict)?])?;
    Ok(())
}

/// Returns a host's robots verdict, if it was fetched.
pub(crate) fn read_robots(conn: Conn<'_>, host: HostId, name: &str) -> DatabaseResult<Option<RobotsRecord>> {
    let mut select = conn.prepare_cached("SELECT fetched_at, verdict FROM robots WHERE host = ?1")?;
    let stored: Option<(String, String)> = select.query_row([host], read_row).optional()?;
    let Some((fetched_at, verdict)) = stored else { return Ok(None) };
    let fetched_at = fetched_at.parse().map_err(|error| {
        DatabaseError::Inconsistent(format!("cannot parse the fetch time of a robots.txt: {error}"))
    })?;
    Ok(Some(RobotsRecord { host: name.to_owned(), fetched_at, verdict: serde_json::from_str(&verdict)? }))
}
