//! What goes on in a run, and its history in few points.

use super::fault::Step;
use super::moment::{from_micros, to_micros};
use crate::RunId;
use crate::jobs::{Live, Sample};
use crate::sql::{self, Conn, OptionalExtension, params};

/// A history stays below this: when it is reached, every second point goes and the rest comes at twice the
/// distance.
const MOST_POINTS: i64 = 600;
/// Distance of the points at first.
const FIRST_STEP: i64 = 1_000_000;

/// Overwrites what goes on in a run, and adds a point to its history when one is due.
pub(crate) fn write(tx: Conn<'_>, live: &Live) -> Step<()> {
    let at = to_micros(live.at);
    let known: Option<(i64, i64, i64)> = tx
        .prepare_cached("SELECT step, sampled, points FROM live WHERE run = ?1")?
        .query_row([live.run], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let (mut step, mut sampled, mut points) = known.unwrap_or((FIRST_STEP, i64::MIN, 0));
    if at.saturating_sub(sampled) >= step {
        let c = &live.counters;
        points += tx
            .prepare_cached(
                "INSERT INTO sample (run, at, pages, probes, failures, resources, pending, bytes) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING",
            )?
            .execute(params![
                live.run,
                at,
                c.pages as i64,
                c.probes as i64,
                c.failures as i64,
                c.resources as i64,
                c.pending as i64,
                c.bytes as i64
            ])? as i64;
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

/// As [`write`], with the sums added to those that are there.
pub(crate) fn add(tx: Conn<'_>, live: &Live) -> Step<()> {
    let mut all = live.clone();
    if let Some(known) = read(tx, &[live.run])?.first() {
        all.tallies.add(&known.tallies);
    }
    write(tx, &all)
}

/// What goes on in these runs.
pub(crate) fn read(conn: Conn<'_>, runs: &[RunId]) -> Step<Vec<Live>> {
    let mut select = conn.prepare_cached("SELECT body FROM live WHERE run = ?1")?;
    let mut all = Vec::new();
    for run in runs {
        let text: Option<String> = select.query_row([run], |row| row.get(0)).optional()?;
        if let Some(text) = text {
            all.push(serde_json::from_str(&text)?);
        }
    }
    Ok(all)
}

/// The history of a run.
pub(crate) fn samples(conn: Conn<'_>, run: RunId) -> Step<Vec<Sample>> {
    let mut select = conn.prepare_cached(
        "SELECT at, pages, probes, failures, resources, pending, bytes FROM sample WHERE run = ?1 ORDER BY at",
    )?;
    let samples = select
        .query_map([run], |row| {
            let count = |at| row.get::<i64>(at).map(|n| n.max(0) as u64);
            Ok(Sample {
                at: from_micros(row.get(0)?),
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
