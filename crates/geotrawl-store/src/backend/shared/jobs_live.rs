//! Live data of a run, and its history in a limited number of points.

use super::database_error::DatabaseResult;
use super::moment::to_micros;
use crate::sql::{self, Conn, OptionalExtension, insert, params, read_row};
use geotrawl_model::RunId;
use geotrawl_model::live::{LiveFigures, Sample};

/// Maximum number of points. When it is reached, every second point is removed and the interval
/// doubles.
const MOST_POINTS: i64 = 600;
/// Initial interval between points, in microseconds.
const FIRST_STEP: i64 = 1_000_000;

/// Replaces the live data of a run, and adds a point to its history if one is due.
pub(crate) fn write_live_stats(tx: Conn<'_>, live: &LiveFigures) -> DatabaseResult<()> {
    let at = to_micros(live.at);
    let known: Option<(i64, i64, i64)> = tx
        .query_row("SELECT step, sampled, points FROM live WHERE run = ?1", [live.run], read_row)
        .optional()?;
    let (mut step, mut sampled, mut points) = known.unwrap_or((FIRST_STEP, i64::MIN, 0));
    if at.saturating_sub(sampled) >= step {
        let c = &live.counters;
        points += insert!(
            tx,
            sample {
                run: live.run,
                at: at,
                pages: c.pages,
                probes: c.probes,
                failures: c.failures,
                resources: c.resources,
                pending: c.pending,
                bytes: c.bytes,
            } "ON CONFLICT DO NOTHING"
        )? as i64;
        sampled = at;
        if points >= MOST_POINTS {
            points -= tx
                .prepare_cached(
                    "DELETE FROM sample WHERE run = ?1 AND at IN (SELECT at FROM (SELECT at, row_number() OVER \
                     (ORDER BY at) AS n FROM sample WHERE run = ?1) AS numbered WHERE n % 2 = 0)",
                )?
                .execute([live.run])? as i64;
            step *= 2;
        }
    }
    tx.prepare_cached(
        "INSERT INTO live (run, body, step, sampled, points) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (run) DO UPDATE \
         SET body = ?2, step = ?3, sampled = ?4, points = ?5",
    )?
    .execute(params![live.run, serde_json::to_string(live)?, step, sampled, points])?;
    Ok(())
}

/// Like [`write_live_stats`], but adds the tallies to the stored ones.
pub(crate) fn add_to_live_stats(tx: Conn<'_>, live: &LiveFigures) -> DatabaseResult<()> {
    let mut all = live.clone();
    if let Some(known) = read_live_stats(tx, &[live.run])?.first() {
        all.tallies.add(&known.tallies);
    }
    write_live_stats(tx, &all)
}

/// Returns the live data of these runs.
pub(crate) fn read_live_stats(conn: Conn<'_>, runs: &[RunId]) -> DatabaseResult<Vec<LiveFigures>> {
    let mut select = conn.prepare_cached("SELECT body FROM live WHERE run = ?1")?;
    let mut all = Vec::new();
    for run in runs {
        let text: Option<String> = select.query_row([run], read_row).optional()?;
        if let Some(text) = text {
            all.push(serde_json::from_str(&text)?);
        }
    }
    Ok(all)
}

/// Returns the history of a run.
pub(crate) fn read_samples(conn: Conn<'_>, run: RunId) -> DatabaseResult<Vec<Sample>> {
    let mut select = conn.prepare_cached(
        "SELECT at, pages, probes, failures, resources, pending, bytes FROM sample WHERE run = ?1 ORDER BY at",
    )?;
    let samples = select
        .query_map([run], |row| {
            let count = |at| row.get::<u64>(at);
            Ok(Sample {
                at: row.get(0)?,
                pages: count(1)?,
                probes: count(2)?,
                failures: count(3)?,
                resources: count(4)?,
                pending: count(5)?,
                bytes: count(6)?,
            })
        })?
        .collect::<sql::Result<_>>()?;
    Ok(samples)
}
