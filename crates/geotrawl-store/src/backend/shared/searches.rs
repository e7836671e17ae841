//! Search engine usage: cached answers, quotas and failures.

use super::database_error::DatabaseResult;
use super::moment::{from_micros, to_micros};
use super::monitoring::MICROS_PER_HOUR;
use super::{SqlEngine, SqlStore};
use crate::sql::{Conn, LockDomain, OptionalExtension, params, read_row};
use geotrawl_model::search_engine::{
    EngineBackoff, EngineQuota, EngineUsage, LastFailure, MOST_ANSWERS, QuotaPeriod, SearchPermit,
};
use geotrawl_model::store::{Result, SearchEngineStore};
use jiff::{SignedDuration, Timestamp};

/// Number of whole hours that cover the last 24 hours, including the current one.
const HOURS_OF_DAY: i64 = 25;
/// Number of whole hours that cover the last 31 days.
const HOURS_OF_MONTH: i64 = 31 * 24 + 1;
/// Maximum number of doublings of a growing back-off.
const MOST_DOUBLINGS: u32 = 16;

fn hour_of(now: Timestamp) -> i64 {
    to_micros(now).div_euclid(MICROS_PER_HOUR)
}

/// Converts a span to microseconds.
fn micros(span: SignedDuration) -> i64 {
    i64::try_from(span.as_micros()).unwrap_or(i64::MAX)
}

/// Counts requests of the last `hours`. Includes future hours, which exist after a clock was set
/// back.
fn count_requests(conn: Conn<'_>, engine: &str, now: Timestamp, hours: i64) -> DatabaseResult<u64> {
    let sum: i64 = conn
        .prepare_cached("SELECT coalesce(sum(asked), 0) FROM search_use WHERE engine = ?1 AND hour > ?2")?
        .query_row(params![engine, hour_of(now) - hours], read_row)?;
    Ok(sum as u64)
}

/// Returns the quota that is used up, if any.
fn find_spent_quota(
    conn: Conn<'_>,
    engine: &str,
    allowance: &EngineQuota,
    now: Timestamp,
) -> DatabaseResult<Option<SearchPermit>> {
    for (period, quota, hours) in [
        (QuotaPeriod::Month, allowance.per_month, HOURS_OF_MONTH),
        (QuotaPeriod::Day, allowance.per_day, HOURS_OF_DAY),
    ] {
        let Some(quota) = quota else { continue };
        let mut left = count_requests(conn, engine, now, hours)?;
        if left < quota {
            continue;
        }
        // Find out when enough old requests leave the window.
        let mut free = None;
        let mut select = conn.prepare_cached(
            "SELECT hour, asked FROM search_use WHERE engine = ?1 AND hour > ?2 ORDER BY hour",
        )?;
        let mut rows = select.query(params![engine, hour_of(now) - hours])?;
        while let Some(row) = rows.next()? {
            left = left.saturating_sub(row.get(1)?);
            if left < quota {
                free = Some(from_micros((row.get::<i64>(0)? + hours).saturating_mul(MICROS_PER_HOUR)));
                break;
            }
        }
        return Ok(Some(SearchPermit::Spent { period, quota, free }));
    }
    Ok(None)
}

fn take_turn(
    tx: Conn<'_>,
    engine: &str,
    allowance: &EngineQuota,
    now: Timestamp,
) -> DatabaseResult<SearchPermit> {
    let state: Option<(i64, i64, Option<String>)> = tx
        .query_row("SELECT next, rests, message FROM search_engine WHERE name = ?1", [engine], read_row)
        .optional()?;
    let (next, rests, why) = state.unwrap_or_default();
    let moment = to_micros(now);
    if rests > moment {
        return Ok(SearchPermit::Resting { until: from_micros(rests), why: why.unwrap_or_default() });
    }
    if let Some(turn) = find_spent_quota(tx, engine, allowance, now)? {
        return Ok(turn);
    }
    let pause = micros(allowance.pause);
    // After a clock was set back, never wait longer than the pause itself.
    let next = next.min(moment.saturating_add(pause));
    if next > moment {
        return Ok(SearchPermit::Later(from_micros(next)));
    }
    tx.prepare_cached(
        "INSERT INTO search_engine (name, next) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET next = ?2",
    )?
    .execute(params![engine, moment.saturating_add(pause)])?;
    tx.prepare_cached(
        "INSERT INTO search_use (engine, hour, asked) VALUES (?1, ?2, 1) \
         ON CONFLICT (engine, hour) DO UPDATE SET asked = search_use.asked + 1",
    )?
    .execute(params![engine, hour_of(now)])?;
    tx.prepare_cached("DELETE FROM search_use WHERE engine = ?1 AND hour <= ?2")?
        .execute(params![engine, hour_of(now) - HOURS_OF_MONTH])?;
    Ok(SearchPermit::Granted)
}

fn note_failure(
    tx: Conn<'_>,
    engine: &str,
    class: &str,
    message: &str,
    rest: EngineBackoff,
    now: Timestamp,
) -> DatabaseResult<()> {
    let strikes: u32 = tx
        .prepare_cached(
            "INSERT INTO search_engine (name, strikes, class, message, failed) VALUES (?1, 1, ?2, ?3, ?4) \
             ON CONFLICT (name) DO UPDATE SET strikes = CASE WHEN search_engine.strikes < 1000 THEN search_engine.strikes + 1 ELSE 1000 END, class = ?2, message = ?3, \
             failed = ?4 RETURNING strikes",
        )?
        .query_row(params![engine, class, message, to_micros(now)], read_row)?;
    let rests = match rest {
        EngineBackoff::None => return Ok(()),
        EngineBackoff::Until(until) => to_micros(until),
        EngineBackoff::Growing { first, most } => {
            let doubled = micros(first).saturating_mul(1 << strikes.saturating_sub(1).min(MOST_DOUBLINGS));
            to_micros(now).saturating_add(doubled.min(micros(most)))
        }
    };
    tx.execute("UPDATE search_engine SET rests = ?2 WHERE name = ?1", params![engine, rests])?;
    Ok(())
}

fn read_engine_use(conn: Conn<'_>, engine: &str, now: Timestamp) -> DatabaseResult<EngineUsage> {
    let state: Option<(i64, Option<LastFailure>)> = conn
        .prepare_cached("SELECT rests, class, message, failed FROM search_engine WHERE name = ?1")?
        .query_row([engine], |row| {
            let failure = match (row.get(1)?, row.get(2)?, row.get(3)?) {
                (Some(class), Some(message), Some(at)) => {
                    Some(LastFailure { class, message, at: from_micros(at) })
                }
                _ => None,
            };
            Ok((row.get(0)?, failure))
        })
        .optional()?;
    let (rests, failure) = state.unwrap_or_default();
    Ok(EngineUsage {
        day: count_requests(conn, engine, now, HOURS_OF_DAY)?,
        month: count_requests(conn, engine, now, HOURS_OF_MONTH)?,
        rests_until: Some(from_micros(rests)).filter(|until| *until > now),
        failure,
    })
}

impl<E: SqlEngine> SearchEngineStore for SqlStore<E> {
    fn find_cached_response(&self, engine: &str, request: &str, since: Timestamp) -> Result<Option<String>> {
        self.read("looking for a kept answer", |conn| {
            Ok(conn
                .prepare_cached(
                    "SELECT body FROM search_answer WHERE engine = ?1 AND request = ?2 AND at >= ?3",
                )?
                .query_row(params![engine, request, to_micros(since)], read_row)
                .optional()?)
        })
    }

    fn cache_response(
        &self,
        engine: &str,
        request: &str,
        body: &str,
        now: Timestamp,
        forget_before: Timestamp,
    ) -> Result<()> {
        self.change(LockDomain::Searches, "keeping an answer", |tx| {
            tx.prepare_cached(&format!(
                "INSERT INTO search_answer (engine, request, at, body) VALUES (?1, ?2, ?3, ?4) \
                 ON CONFLICT (engine, {}) DO UPDATE SET at = ?3, body = ?4",
                tx.index_key_expression("request")
            ))?
            .execute(params![engine, request, to_micros(now), body])?;
            tx.execute("DELETE FROM search_answer WHERE at < ?1", [to_micros(forget_before)])?;
            // Uses the index on times, which is small.
            let last: Option<i64> = tx
                .prepare_cached("SELECT at FROM search_answer ORDER BY at DESC LIMIT 1 OFFSET ?1")?
                .query_row([MOST_ANSWERS as i64], read_row)
                .optional()?;
            if let Some(last) = last {
                tx.execute("DELETE FROM search_answer WHERE at <= ?1", [last])?;
            }
            Ok(())
        })
    }

    fn request_permit(&self, engine: &str, allowance: &EngineQuota, now: Timestamp) -> Result<SearchPermit> {
        self.change(LockDomain::Searches, "counting a request", |tx| take_turn(tx, engine, allowance, now))
    }

    fn record_engine_success(&self, engine: &str) -> Result<()> {
        self.change(LockDomain::Searches, "recording an answer", |tx| {
            tx.prepare_cached(
                "UPDATE search_engine SET rests = 0, strikes = 0, class = NULL, message = NULL, failed = NULL \
                 WHERE name = ?1",
            )?
            .execute([engine])?;
            Ok(())
        })
    }

    fn record_engine_failure(
        &self,
        engine: &str,
        class: &str,
        message: &str,
        rest: EngineBackoff,
        now: Timestamp,
    ) -> Result<()> {
        self.change(LockDomain::Searches, "recording a failure", |tx| {
            note_failure(tx, engine, class, message, rest, now)
        })
    }

    fn engine_usage(&self, engine: &str, now: Timestamp) -> Result<EngineUsage> {
        self.read("reading the use of an engine", |conn| read_engine_use(conn, engine, now))
    }
}
