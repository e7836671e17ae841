//! Monitoring of records over time.

pub(crate) mod alerts;
mod check_results;
mod diff;
mod evidence;
mod histogram;
mod history;
pub(crate) mod notices;
mod reports;
pub(crate) mod schedule;
pub(crate) mod successors;

use super::catalogue::{assemble, group};
use super::changes;
use super::database_error::DatabaseResult;
use super::moment::to_micros;
use super::{SqlEngine, SqlStore};
use crate::sql::{Conn, LockDomain, OptionalExtension, params, read_row};
use geotrawl_model::account::UserId;
use geotrawl_model::alert::{Alert, AlertChange, AlertDelivery, NewAlert};
use geotrawl_model::host_report::{HostOrder, HostReport, HostSummary, Overview};
use geotrawl_model::monitoring::{
    CheckResult, CheckSummary, DueCheck, DueCheckQuery, MetadataChange, MonitoringState, RecordedCheck,
    StoredCheck,
};
use geotrawl_model::notice::{Notice, NoticeFilter};
use geotrawl_model::schedule::ScheduleLimits;
use geotrawl_model::standing::ResourceStatus;
use geotrawl_model::store::{MonitoringStore, Result};
use geotrawl_model::successor::{ServiceLikeness, Successor};
use geotrawl_model::uptime::Uptime;
use geotrawl_model::{Host, MovedTo, Record, Theme};
use jiff::{SignedDuration, Timestamp};

pub(crate) const MICROS_PER_HOUR: i64 = 3_600_000_000;
pub(crate) const MICROS_PER_DAY: i64 = 24 * MICROS_PER_HOUR;
/// Maximum number of listed addresses of merged records.
const MOVED_FROM_SHOWN: usize = 20;

/// Returns the row that represents the record with this id.
fn row_of(conn: Conn<'_>, id: &str) -> DatabaseResult<Option<i64>> {
    let row: Option<i64> =
        conn.query_row("SELECT id FROM resource WHERE public_id = ?1", [id], read_row).optional()?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(group::members_of(conn, row)?.first().copied().unwrap_or(row)))
}

/// Counts changes of a row's description in the last 30 days.
fn changes_within(conn: Conn<'_>, row: i64, now: Timestamp) -> DatabaseResult<u32> {
    Ok(conn
        .prepare_cached("SELECT count(*) FROM metadata_change WHERE resource = ?1 AND at > ?2")?
        .query_row([row, to_micros(now) - 30 * MICROS_PER_DAY], read_row)?)
}

/// Sets the themes of a row. Returns whether they changed.
pub(crate) fn set_themes(tx: Conn<'_>, row: i64, themes: &[Theme]) -> DatabaseResult<bool> {
    if themes.is_empty() {
        return Ok(tx.execute("DELETE FROM theme_of WHERE resource = ?1", [row])? > 0);
    }
    let changed = tx
        .prepare_cached(
            "INSERT INTO theme_of (resource, body) VALUES (?1, ?2) ON CONFLICT (resource) DO UPDATE \
             SET body = excluded.body WHERE theme_of.body <> excluded.body",
        )?
        .execute(params![row, serde_json::to_string(themes)?])?;
    Ok(changed > 0)
}

/// Returns whether the status of a row comes from checks.
pub(crate) fn is_watched(conn: Conn<'_>, row: i64) -> DatabaseResult<bool> {
    Ok(conn.exists("SELECT 1 FROM watch WHERE resource = ?1 AND checks > 0", [row])?)
}

/// Fills in a record's results of checks, themes and successors.
pub(crate) fn fill_monitoring_results(
    conn: Conn<'_>,
    row: i64,
    members: &[i64],
    record: &mut Record,
) -> DatabaseResult<()> {
    let themes: Option<String> =
        conn.query_row("SELECT body FROM theme_of WHERE resource = ?1", [row], read_row).optional()?;
    record.themes = themes.as_deref().map(serde_json::from_str).transpose()?.unwrap_or_default();
    let mut select = conn.prepare_cached(
        "SELECT checked, last_ok, score, provisional, points, moved_url, standing FROM watch \
         WHERE resource = ?1 AND checked IS NOT NULL",
    )?;
    let mut rows = select.query([row])?;
    let mut moved_url: Option<String> = None;
    if let Some(row) = rows.next()? {
        let checked: Option<Timestamp> = row.get(0)?;
        record.checked = checked;
        record.last_ok = record.last_ok.max(row.get(1)?);
        record.last_seen = record.last_ok.map_or(record.last_seen, |ok| record.last_seen.max(ok));
        record.score = row.get(2)?;
        record.provisional = record.score.is_some() && row.get(3)?;
        let points: Option<String> = row.get(4)?;
        if record.score.is_some() {
            record.score_points =
                points.as_deref().map(serde_json::from_str).transpose()?.unwrap_or_default();
        }
        moved_url = row.get(5)?;
        let standing: Option<String> = row.get(6)?;
        if let Some(standing) = standing.as_deref().map(serde_json::from_str::<ResourceStatus>).transpose()? {
            check_results::apply_status(record, &standing);
        }
    }
    record.moved_to = find_successor(conn, row)?
        .or_else(|| moved_url.map(|url| MovedTo { id: None, url, confidence: 1.0 }));
    for member in members.iter().filter(|member| **member != row) {
        if record.moved_from.len() < MOVED_FROM_SHOWN && group::successor_of(conn, *member)?.is_some() {
            let url = conn.query_row("SELECT url FROM resource WHERE id = ?1", [*member], read_row)?;
            record.moved_from.push(url);
        }
    }
    Ok(())
}

/// Returns the most likely successor of a dead row.
fn find_successor(conn: Conn<'_>, row: i64) -> DatabaseResult<Option<MovedTo>> {
    Ok(conn
        .prepare_cached(
            "SELECT r.public_id, r.url, s.confidence FROM successor s JOIN resource r ON r.id = s.other \
             JOIN resource own ON own.id = s.gone WHERE s.gone = ?1 AND s.state <> 'rejected' AND own.status = 'dead' \
             ORDER BY s.confidence DESC, s.other LIMIT 1",
        )?
        .query_row([row], |row| {
            Ok(MovedTo { id: Some(row.get(0)?), url: row.get(1)?, confidence: row.get(2)? })
        })
        .optional()?)
}

/// Builds a check with its score from the stored parts.
fn to_stored_check(number: i64, id: String, kept: check_results::StoredCheck) -> StoredCheck {
    let check_results::StoredCheck { check, history, standing } = kept;
    let score = geotrawl_trust::score::score_check(&check, &history);
    StoredCheck { number, id, check, history, score, standing }
}

fn read_check(conn: Conn<'_>, number: i64) -> DatabaseResult<Option<StoredCheck>> {
    let found: Option<(i64, Option<Vec<u8>>)> = conn
        .query_row("SELECT resource, evidence FROM check_log WHERE number = ?1", [number], read_row)
        .optional()?;
    let Some((row, Some(packed))) = found else { return Ok(None) };
    Ok(Some(to_stored_check(number, id_of(conn, row)?, evidence::unpack(&packed)?)))
}

fn id_of(conn: Conn<'_>, row: i64) -> DatabaseResult<String> {
    Ok(conn.query_row("SELECT public_id FROM resource WHERE id = ?1", [row], read_row)?)
}

fn read_checks(
    conn: Conn<'_>,
    id: &str,
    before: Option<i64>,
    limit: usize,
) -> DatabaseResult<Vec<CheckSummary>> {
    let snapshot = conn.snapshot()?;
    let tx = snapshot.conn();
    let Some(row) = row_of(tx, id)? else { return Ok(Vec::new()) };
    let mut select = tx.prepare_cached(
        "SELECT number, at, verdict, cause, reason, score, millis, evidence IS NOT NULL FROM check_log \
         WHERE resource = ?1 AND number < ?2 ORDER BY number DESC LIMIT ?3",
    )?;
    let mut all: Vec<CheckSummary> = Vec::new();
    for member in group::members_of(tx, row)? {
        let mut rows = select.query(params![member, before.unwrap_or(i64::MAX), limit as i64])?;
        while let Some(row) = rows.next()? {
            let number = row.get(0)?;
            all.push(CheckSummary {
                number,
                at: row.get(1)?,
                verdict: row.parse(2, format_args!("check {number}"))?,
                cause: row.get(3)?,
                reason: row.get(4)?,
                score: row.get(5)?,
                millis: row.get(6)?,
                kept: row.get(7)?,
            });
        }
    }
    all.sort_by_key(|one| std::cmp::Reverse(one.number));
    all.truncate(limit);
    Ok(all)
}

fn read_changes(conn: Conn<'_>, id: &str, limit: usize) -> DatabaseResult<Vec<MetadataChange>> {
    let snapshot = conn.snapshot()?;
    let tx = snapshot.conn();
    let Some(row) = row_of(tx, id)? else { return Ok(Vec::new()) };
    let mut select = tx.prepare_cached(
        "SELECT at, body FROM metadata_change WHERE resource = ?1 ORDER BY at DESC, id DESC LIMIT ?2",
    )?;
    let mut all: Vec<MetadataChange> = Vec::new();
    for member in group::members_of(tx, row)? {
        let mut rows = select.query(params![member, limit as i64])?;
        while let Some(row) = rows.next()? {
            let packed = row.get_ref(1)?.as_blob()?;
            all.push(MetadataChange { at: row.get(0)?, changes: evidence::unpack(packed)? });
        }
    }
    all.sort_by_key(|one| std::cmp::Reverse(one.at));
    all.truncate(limit);
    Ok(all)
}

fn locate_hosts<E: SqlEngine>(store: &SqlStore<E>, hosts: reports::HostsWithAddress) -> Vec<HostSummary> {
    let locate = |(mut summary, ip): (HostSummary, Option<String>)| {
        let mut host = Host { name: summary.host.clone(), ip, ..Host::default() };
        store.locate_host(&mut host);
        summary.country = host.country;
        summary
    };
    hosts.into_iter().map(locate).collect()
}

impl<E: SqlEngine> MonitoringStore for SqlStore<E> {
    fn enrol_records(&self, now: Timestamp, over: SignedDuration) -> Result<u64> {
        let mut all = 0;
        // In slices, so that each transaction is short.
        loop {
            let (enrolled, more) = self.change(LockDomain::Catalogue, "enrolling records", |tx| {
                schedule::enrol_records(tx, now, over)
            })?;
            all += enrolled;
            if !more {
                return Ok(all);
            }
        }
    }

    fn take_due_checks(&self, take: &DueCheckQuery, skip: &dyn Fn(&str) -> bool) -> Result<Vec<DueCheck>> {
        let mut due = self.change(LockDomain::Catalogue, "looking for due checks", |tx| {
            schedule::lease_due_checks(tx, take, skip)
        })?;
        for check in &mut due {
            self.locate_host(&mut check.record.host);
        }
        Ok(due)
    }

    fn renew_check_leases(&self, ids: &[String], until: Timestamp) -> Result<()> {
        self.change(LockDomain::Catalogue, "renewing leases", |tx| schedule::renew_leases(tx, ids, until))
    }

    fn release_check_leases(&self, ids: &[String]) -> Result<()> {
        self.change(LockDomain::Catalogue, "releasing leases", |tx| schedule::release_leases(tx, ids))
    }

    fn next_due_time(&self) -> Result<Option<Timestamp>> {
        self.read("looking for due checks", schedule::next_due)
    }

    fn record_checks(
        &self,
        results: &[CheckResult],
        limits: &ScheduleLimits,
        now: Timestamp,
    ) -> Result<Vec<RecordedCheck>> {
        if results.is_empty() {
            return Ok(Vec::new());
        }
        self.change(LockDomain::Catalogue, "recording checks", |tx| {
            check_results::record_results(tx, results, limits, now)
        })
    }

    fn request_check(&self, id: &str, now: Timestamp) -> Result<bool> {
        self.change(LockDomain::Catalogue, "requesting a check", |tx| schedule::request_check(tx, id, now))
    }

    fn monitoring_state(&self, id: &str) -> Result<Option<MonitoringState>> {
        self.read("reading the schedule", |conn| schedule::read_monitoring_state(conn, id))
    }

    fn latest_check(&self, id: &str) -> Result<Option<StoredCheck>> {
        self.read("reading a check", |conn| {
            let Some(row) = row_of(conn, id)? else { return Ok(None) };
            let Some((number, kept)) = reports::latest_check(conn, row)? else { return Ok(None) };
            Ok(Some(to_stored_check(number, id_of(conn, row)?, kept)))
        })
    }

    fn find_check(&self, number: i64) -> Result<Option<StoredCheck>> {
        self.read("reading a check", |conn| read_check(conn, number))
    }

    fn list_checks(&self, id: &str, before: Option<i64>, limit: usize) -> Result<Vec<CheckSummary>> {
        self.read("reading checks", |conn| read_checks(conn, id, before, limit))
    }

    fn uptime(&self, id: &str, now: Timestamp) -> Result<Uptime> {
        self.read("reading availability", |conn| history::read_uptime(conn, id, now))
    }

    fn metadata_changes(&self, id: &str, limit: usize) -> Result<Vec<MetadataChange>> {
        self.read("reading changes", |conn| read_changes(conn, id, limit))
    }

    fn list_notices(&self, filter: &NoticeFilter, limit: usize) -> Result<Vec<Notice>> {
        self.read("reading notices", |conn| notices::list_notices(conn, filter, limit))
    }

    fn overview(&self, now: Timestamp) -> Result<Overview> {
        let (mut overview, hosts) = self.read("counting checks", |conn| reports::read_overview(conn, now))?;
        overview.hosts = locate_hosts(self, hosts);
        Ok(overview)
    }

    fn host_report(&self, host: &str, now: Timestamp) -> Result<Option<HostReport>> {
        let mut report = self.read("reporting on a host", |conn| reports::host_report(conn, host, now))?;
        if let Some(place) = report.as_mut().and_then(|report| report.place.as_mut()) {
            self.locate_host(place);
        }
        Ok(report)
    }

    fn list_hosts(
        &self,
        words: &str,
        order: HostOrder,
        offset: u64,
        limit: u64,
    ) -> Result<(Vec<HostSummary>, u64)> {
        let (hosts, total) =
            self.read("counting hosts", |conn| reports::list_hosts(conn, words, order, offset, limit))?;
        Ok((locate_hosts(self, hosts), total))
    }

    fn add_alert(&self, user: UserId, alert: &NewAlert, now: Timestamp) -> Result<Option<Alert>> {
        self.change(LockDomain::Catalogue, "adding an alert", |tx| alerts::insert_alert(tx, user, alert, now))
    }

    fn list_alerts(&self, user: UserId) -> Result<Vec<Alert>> {
        self.read("reading alerts", |conn| alerts::list_alerts(conn, user))
    }

    fn find_alert(&self, user: UserId, number: i64) -> Result<Option<Alert>> {
        self.read("reading an alert", |conn| alerts::find_alert(conn, user, number))
    }

    fn change_alert(&self, user: UserId, number: i64, change: &AlertChange) -> Result<Option<Alert>> {
        self.change(LockDomain::Catalogue, "changing an alert", |tx| {
            alerts::update_alert(tx, user, number, change)
        })
    }

    fn remove_alert(&self, user: UserId, number: i64) -> Result<bool> {
        self.change(LockDomain::Catalogue, "removing an alert", |tx| alerts::remove_alert(tx, user, number))
    }

    fn due_deliveries(&self, now: Timestamp, until: Timestamp, limit: usize) -> Result<Vec<AlertDelivery>> {
        let doing = "looking for messages to send";
        // There is rarely anything to send, so avoid taking the write lock.
        let any = self.read(doing, |conn| {
            Ok(conn
                .prepare_cached("SELECT 1 FROM delivery WHERE due IS NOT NULL AND due <= ?1 LIMIT 1")?
                .exists([to_micros(now)])?)
        })?;
        if !any {
            return Ok(Vec::new());
        }
        self.change(LockDomain::Catalogue, doing, |tx| alerts::take_due_deliveries(tx, now, until, limit))
    }

    fn mark_delivered(&self, number: i64, now: Timestamp) -> Result<()> {
        self.change(LockDomain::Catalogue, "recording a delivery", |tx| {
            alerts::mark_delivered(tx, number, now)
        })
    }

    fn record_delivery_failure(
        &self,
        number: i64,
        error: &str,
        not_before: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<bool> {
        self.change(LockDomain::Catalogue, "recording a delivery", |tx| {
            alerts::mark_failed(tx, number, error, not_before, now)
        })
    }

    fn abandon_delivery(&self, number: i64, error: &str) -> Result<()> {
        self.change(LockDomain::Catalogue, "recording a delivery", |tx| {
            alerts::mark_abandoned(tx, number, error)
        })
    }

    fn set_themes(&self, records: &[(String, Vec<Theme>)], now: Timestamp) -> Result<()> {
        self.change(LockDomain::Catalogue, "labelling records", |tx| {
            for (id, themes) in records {
                let Some(row) = row_of(tx, id)? else { continue };
                if set_themes(tx, row, themes)?
                    && let Some(assembled) =
                        assemble::assemble_record_without_datasets(tx, &group::members_of(tx, row)?)?
                {
                    changes::note_change(tx, &assembled.record, now)?;
                }
            }
            Ok(())
        })
    }

    fn propose_successor(
        &self,
        gone: &str,
        other: &str,
        likeness: &ServiceLikeness,
        now: Timestamp,
    ) -> Result<bool> {
        self.change(LockDomain::Catalogue, "proposing a successor", |tx| {
            successors::propose_successor(tx, gone, other, likeness, now)
        })
    }

    fn list_successors(&self, id: &str) -> Result<Vec<Successor>> {
        self.read("reading successors", |conn| successors::list_successors(conn, id))
    }

    fn decide_successor(&self, gone: &str, other: &str, accept: bool, now: Timestamp) -> Result<bool> {
        self.change(LockDomain::Catalogue, "deciding on a successor", |tx| {
            successors::apply_successor_decision(tx, gone, other, accept, now)
        })
    }

    fn merge_records(&self, gone: &str, successor: &str, now: Timestamp) -> Result<bool> {
        self.change(LockDomain::Catalogue, "merging records", |tx| {
            successors::merge_records(tx, gone, successor, now)
        })
    }
}
