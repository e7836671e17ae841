//! Availability, latency and outages over time.

use super::super::catalogue::group;
use super::super::database_error::DatabaseResult;
use super::super::moment::{from_micros, to_micros};
use super::histogram::LatencyHistogram;
use super::{MICROS_PER_DAY, MICROS_PER_HOUR, check_results, row_of};
use crate::sql::{self, Conn, OptionalExtension, params, read_row};
use geotrawl_model::host_report::Latency;
use geotrawl_model::monitoring::KEPT_DAYS;
use geotrawl_model::standing::ResourceStatus;
use geotrawl_model::uptime::{Day, Outage, Uptime, Window};
use geotrawl_model::{Check, CheckHistory, Status};
use geotrawl_trust::standing::{self};
use jiff::Timestamp;

/// Consecutive failures that make an outage.
const OUTAGE: u32 = 2;
/// Maximum number of outages kept per record.
const KEPT_OUTAGES: i64 = 200;
/// Maximum number of outages shown.
const SHOWN_OUTAGES: i64 = 100;
/// Number of hours whose sums are kept.
const KEPT_HOURS: i64 = 48;

/// Adds a check to the sums of its day, and returns the history including this check.
pub(super) fn count_check(
    tx: Conn<'_>,
    row: i64,
    check: &Check,
    before: &CheckHistory,
    millis: Option<u32>,
) -> DatabaseResult<CheckHistory> {
    let day = to_micros(check.at).div_euclid(MICROS_PER_DAY);
    let given = standing::check_availability(check);
    if given.is_some() || millis.is_some() {
        let (mut checks, mut available, mut latency) = read_day(tx, row, day)?;
        let first = checks == 0;
        checks += i64::from(given.is_some());
        available += i64::from(given == Some(true));
        if let Some(millis) = millis {
            latency.add_value(millis);
        }
        tx.prepare_cached(
            "INSERT INTO check_day (resource, day, checks, available, latency) VALUES (?1, ?2, ?3, ?4, ?5) \
             ON CONFLICT (resource, day) DO UPDATE SET checks = ?3, available = ?4, latency = ?5",
        )?
        .execute(params![row, day, checks, available, latency.to_bytes()])?;
        // Prune once a day, with the first check of the day.
        if first {
            tx.prepare_cached("DELETE FROM check_day WHERE resource = ?1 AND day < ?2")?
                .execute([row, day - KEPT_DAYS])?;
        }
    }
    let (checks, available): (i64, i64) = tx
        .prepare_cached(
            "SELECT coalesce(sum(checks), 0), coalesce(sum(available), 0) FROM check_day \
             WHERE resource = ?1 AND day > ?2 AND day <= ?3",
        )?
        .query_row([row, day - 30, day], read_row)?;
    Ok(CheckHistory {
        checks: checks.max(0) as u32,
        available: available.max(0) as u32,
        latest: check_results::push_latest(given, &before.latest),
        millis: check_results::push_latest(millis, &before.millis),
    })
}

fn read_day(conn: Conn<'_>, row: i64, day: i64) -> DatabaseResult<(i64, i64, LatencyHistogram)> {
    Ok(conn
        .prepare_cached("SELECT checks, available, latency FROM check_day WHERE resource = ?1 AND day = ?2")?
        .query_row([row, day], |row| {
            Ok((row.get(0)?, row.get(1)?, LatencyHistogram::from_bytes(row.get_ref(2)?.as_blob()?)))
        })
        .optional()?
        .unwrap_or_default())
}

/// Adds a check to the sums of its hour over all records.
pub(super) fn add_check_to_hour(tx: Conn<'_>, hour: i64, millis: Option<u32>) -> DatabaseResult<()> {
    let known: Option<(i64, LatencyHistogram)> = tx
        .prepare_cached("SELECT checks, latency FROM check_hour WHERE hour = ?1")?
        .query_row([hour], |row| Ok((row.get(0)?, LatencyHistogram::from_bytes(row.get_ref(1)?.as_blob()?))))
        .optional()?;
    if known.is_none() {
        tx.execute("DELETE FROM check_hour WHERE hour < ?1", [hour - KEPT_HOURS])?;
    }
    let (checks, mut latency) = known.unwrap_or_default();
    if let Some(millis) = millis {
        latency.add_value(millis);
    }
    tx.prepare_cached("INSERT INTO check_hour (hour, checks, latency) VALUES (?1, ?2, ?3) ON CONFLICT (hour) DO UPDATE SET checks = ?2, latency = ?3")?
        .execute(params![hour, checks + 1, latency.to_bytes()])?;
    Ok(())
}

/// Returns the number of checks in the last 24 hours and their latency.
pub(super) fn checks_in_last_day(conn: Conn<'_>, now: Timestamp) -> DatabaseResult<(u64, Option<Latency>)> {
    let hour = to_micros(now).div_euclid(MICROS_PER_HOUR);
    let mut select =
        conn.prepare_cached("SELECT checks, latency FROM check_hour WHERE hour > ?1 AND hour <= ?2")?;
    let mut rows = select.query([hour - 24, hour])?;
    let (mut checks, mut all) = (0, LatencyHistogram::default());
    while let Some(row) = rows.next()? {
        checks += row.get::<u64>(0)?;
        all.merge(&LatencyHistogram::from_bytes(row.get_ref(1)?.as_blob()?));
    }
    let latency = all.percentile(0.5).zip(all.percentile(0.95)).map(|(p50, p95)| Latency { p50, p95 });
    Ok((checks, latency))
}

/// Opens an outage when failures are confirmed, and closes it when the service answers.
pub(super) fn update_outages(
    tx: Conn<'_>,
    row: i64,
    now: &ResourceStatus,
    check: &Check,
) -> DatabaseResult<()> {
    let works = matches!(check.verdict, Status::Alive | Status::Degraded);
    // A server that denies access is reachable, so this ends an outage as well.
    if works || matches!(check.verdict, Status::Restricted | Status::Blocked) {
        tx.prepare_cached("UPDATE outage SET ended = ?2 WHERE resource = ?1 AND ended IS NULL")?
            .execute([row, to_micros(check.at)])?;
        return Ok(());
    }
    let Some(began) = now.failing_since.filter(|_| now.failures >= OUTAGE) else { return Ok(()) };
    let new = tx
        .prepare_cached(
            "INSERT INTO outage (resource, began, cause, reason) SELECT ?1, ?2, ?3, ?4 \
             WHERE NOT EXISTS (SELECT 1 FROM outage WHERE resource = ?1 AND ended IS NULL) ON CONFLICT DO NOTHING",
        )?
        .execute(params![row, to_micros(began), check.cause, check.reason])?;
    if new > 0 {
        tx.prepare_cached(
            "DELETE FROM outage WHERE resource = ?1 AND (began < ?2 OR began IN (SELECT began FROM outage \
             WHERE resource = ?1 ORDER BY began DESC LIMIT 9223372036854775807 OFFSET ?3)) AND ended IS NOT NULL",
        )?
        .execute([row, to_micros(check.at) - KEPT_DAYS * MICROS_PER_DAY, KEPT_OUTAGES])?;
    }
    Ok(())
}

#[derive(Default)]
struct UptimeSum {
    checks: i64,
    available: i64,
    latency: LatencyHistogram,
}

impl UptimeSum {
    fn window(&self) -> Window {
        Window {
            checks: self.checks.max(0) as u64,
            available: self.available.max(0) as u64,
            share: (self.checks > 0).then(|| self.available as f64 / self.checks as f64),
            p50: self.latency.percentile(0.5),
            p95: self.latency.percentile(0.95),
            p99: self.latency.percentile(0.99),
        }
    }
}

/// Returns availability, latency and outages of a record.
pub(super) fn read_uptime(conn: Conn<'_>, id: &str, now: Timestamp) -> DatabaseResult<Uptime> {
    let snapshot = conn.snapshot()?;
    let tx = snapshot.conn();
    let Some(row) = row_of(tx, id)? else { return Ok(Uptime::default()) };
    let today = to_micros(now).div_euclid(MICROS_PER_DAY);
    let (mut month, mut year) = (UptimeSum::default(), UptimeSum::default());
    let mut days = Vec::new();
    let mut select = tx.prepare_cached(
        "SELECT day, checks, available, latency FROM check_day WHERE resource = ?1 AND day > ?2 ORDER BY day",
    )?;
    let mut rows = select.query([row, today - 365])?;
    while let Some(found) = rows.next()? {
        let (day, checks, available): (i64, i64, i64) = (found.get(0)?, found.get(1)?, found.get(2)?);
        let latency = LatencyHistogram::from_bytes(found.get_ref(3)?.as_blob()?);
        for (sum, wanted) in [(&mut month, day > today - 30), (&mut year, true)] {
            if wanted {
                sum.checks += checks;
                sum.available += available;
                sum.latency.merge(&latency);
            }
        }
        days.push(Day {
            day: from_micros(day * MICROS_PER_DAY).to_string().chars().take(10).collect(),
            checks: checks.max(0) as u64,
            available: available.max(0) as u64,
            p50: latency.percentile(0.5),
        });
    }
    let windows =
        [("24h", sum_last_day(tx, row, now)?.window()), ("30d", month.window()), ("1y", year.window())];
    let mut outages = Vec::new();
    for member in group::members_of(tx, row)? {
        outages.extend(read_outages(tx, member)?);
    }
    outages.sort_by_key(|outage| std::cmp::Reverse(outage.began));
    outages.truncate(SHOWN_OUTAGES as usize);
    Ok(Uptime { windows: windows.map(|(name, window)| (name.to_owned(), window)).into(), days, outages })
}

/// Sums the last 24 hours from the list of checks.
fn sum_last_day(conn: Conn<'_>, row: i64, now: Timestamp) -> DatabaseResult<UptimeSum> {
    let from = to_micros(now) - MICROS_PER_DAY;
    let mut select = conn.prepare_cached(
        "SELECT at, available, millis FROM check_log WHERE resource = ?1 ORDER BY number DESC LIMIT 500",
    )?;
    let mut rows = select.query([row])?;
    let mut sum = UptimeSum::default();
    while let Some(found) = rows.next()? {
        if found.get::<i64>(0)? < from {
            break;
        }
        let (given, millis): (Option<bool>, Option<u32>) = (found.get(1)?, found.get(2)?);
        sum.checks += i64::from(given.is_some());
        sum.available += i64::from(given == Some(true));
        if let Some(millis) = millis {
            sum.latency.add_value(millis);
        }
    }
    Ok(sum)
}

/// Returns the outages of a row, newest first.
pub(super) fn read_outages(conn: Conn<'_>, row: i64) -> DatabaseResult<Vec<Outage>> {
    let outages = conn
        .prepare_cached(
            "SELECT began, ended, cause, reason FROM outage WHERE resource = ?1 ORDER BY began DESC LIMIT ?2",
        )?
        .query_map([row, SHOWN_OUTAGES], |row| {
            Ok(Outage { began: row.get(0)?, ended: row.get(1)?, cause: row.get(2)?, reason: row.get(3)? })
        })?
        .collect::<sql::Result<_>>()?;
    Ok(outages)
}
