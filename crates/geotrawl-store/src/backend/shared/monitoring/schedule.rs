//! The check schedule: due times, leases, and the daily budget of each host.

use super::super::catalogue::{content, group};
use super::super::database_error::DatabaseResult;
use super::super::moment::{from_micros, to_micros};
use super::{MICROS_PER_DAY, changes_within, fill_monitoring_results, row_of};
use crate::sql::{self, Conn, OptionalExtension, params, read_row};
use geotrawl_model::monitoring::{DUE_DATASETS, DueCheck, DueCheckQuery, MonitoringState};
use geotrawl_model::schedule::CheckPace;
use geotrawl_model::standing::ResourceStatus;
use geotrawl_model::{Host, Record, Status};
use jiff::{SignedDuration, Timestamp};
use siphasher::sip::SipHasher13;
use std::collections::BTreeSet;
use std::hash::Hasher;

/// Records enrolled per transaction.
const ENROLLED_AT_ONCE: i64 = 5_000;

/// Returns a value that spreads records over time; always the same for a record.
pub(super) fn schedule_hash(id: &str) -> u64 {
    let mut hasher = SipHasher13::new();
    hasher.write(id.as_bytes());
    hasher.finish()
}

/// Schedules records that changed since the last call and are not scheduled yet. Returns how many,
/// and whether more remain.
pub(super) fn enrol_records(
    tx: Conn<'_>,
    now: Timestamp,
    over: SignedDuration,
) -> DatabaseResult<(u64, bool)> {
    let mark: i64 = tx
        .query_row("SELECT value FROM meta WHERE key = 'enrolled'", [], read_row)
        .optional()?
        .unwrap_or_default();
    type ChangedRecord = (i64, Option<i64>, Option<String>);
    let changed: Vec<ChangedRecord> = tx
        .prepare_cached(
            "SELECT c.seq, r.id, r.public_id FROM change c LEFT JOIN resource r ON r.public_id = c.id AND c.gone = 0 \
             WHERE c.seq > ?1 ORDER BY c.seq LIMIT ?2",
        )?
        .query_map([mark, ENROLLED_AT_ONCE], read_row)?
        .collect::<sql::Result<_>>()?;
    let (mut enrolled, mut hosts) = (0, BTreeSet::new());
    let span = to_span(over);
    for (_, resource, id) in &changed {
        let (Some(resource), Some(id)) = (resource, id) else { continue };
        // Only the head of a group is checked.
        if group::members_of(tx, *resource)?.first() != Some(resource) {
            continue;
        }
        let due = to_micros(now) + (schedule_hash(id) % span) as i64;
        if let Some(host) = schedule_record(tx, *resource, due)? {
            hosts.insert(host);
            enrolled += 1;
        }
    }
    if let Some((seq, ..)) = changed.last() {
        tx.prepare_cached("INSERT INTO meta (key, value) VALUES ('enrolled', ?1) ON CONFLICT (key) DO UPDATE SET value = ?1")?
            .execute([seq])?;
    }
    hosts.iter().try_for_each(|host| update_next_check(tx, *host))?;
    Ok((enrolled, changed.len() as i64 == ENROLLED_AT_ONCE))
}

fn to_span(over: SignedDuration) -> u64 {
    (over.as_micros().clamp(1, i128::from(u32::MAX) * 1_000_000)) as u64
}

/// Schedules a row unless it is scheduled already. Returns its host if it was added.
pub(super) fn schedule_record(tx: Conn<'_>, resource: i64, due: i64) -> DatabaseResult<Option<i64>> {
    if tx.exists("SELECT 1 FROM watch WHERE resource = ?1", [resource])? {
        return Ok(None);
    }
    let (host, status, reason, last_ok): (String, Status, String, Option<i64>) = tx
        .prepare_cached("SELECT host, status, reason, last_ok FROM resource WHERE id = ?1")?
        .query_row([resource], |row| {
            let status = row.parse(1, format_args!("record in row {resource}"))?;
            Ok((row.get(0)?, status, row.get(2)?, row.get(3)?))
        })?;
    let host = host_id(tx, &host)?;
    // A service that was found working gets that as its standing, so one failure does not make it
    // dead.
    let status = if status == Status::Degraded { status } else { Status::Alive };
    let standing = last_ok.map(|at| ResourceStatus::from_finding(status, &reason, from_micros(at)));
    tx.prepare_cached("INSERT INTO watch (resource, host, next, due, standing) VALUES (?1, ?2, ?3, ?3, ?4)")?
        .execute(params![
            resource,
            host,
            due,
            standing.map(|one| serde_json::to_string(&one)).transpose()?
        ])?;
    Ok(Some(host))
}

/// Returns the number of a host, creating the host if it is new.
pub(super) fn host_id(tx: Conn<'_>, name: &str) -> DatabaseResult<i64> {
    let known: Option<i64> =
        tx.query_row("SELECT id FROM watch_host WHERE name = ?1", [name], read_row).optional()?;
    if let Some(id) = known {
        return Ok(id);
    }
    Ok(tx.query_row("INSERT INTO watch_host (name) VALUES (?1) RETURNING id", [name], read_row)?)
}

/// Recomputes when a host's next check is due.
pub(super) fn update_next_check(tx: Conn<'_>, host: i64) -> DatabaseResult<()> {
    tx.prepare_cached(
        "UPDATE watch_host SET next = (SELECT CASE WHEN min(w.next) > 0 AND min(w.next) < watch_host.held \
         THEN watch_host.held ELSE min(w.next) END FROM watch w WHERE w.host = ?1) WHERE id = ?1",
    )?
    .execute([host])?;
    Ok(())
}

struct DueHost {
    id: i64,
    day: i64,
    taken: i64,
}

/// Leases due checks and returns them.
pub(super) fn lease_due_checks(
    tx: Conn<'_>,
    take: &DueCheckQuery,
    skip: &dyn Fn(&str) -> bool,
) -> DatabaseResult<Vec<DueCheck>> {
    let mut all = Vec::new();
    loop {
        let hosts = due_hosts(tx, take, skip)?;
        let (first, more) = (all.len(), !hosts.is_empty());
        for host in hosts {
            if all.len() >= take.limit {
                break;
            }
            let room = take.per_host.min(take.limit - all.len());
            take_from_host(tx, take, &host, room, &mut all)?;
        }
        // Hosts that yielded nothing, because their daily budget is used up or their records left
        // the schedule, are no longer due now, so look for others.
        if !more || all.len() > first {
            return Ok(all);
        }
    }
}

fn due_hosts(
    tx: Conn<'_>,
    take: &DueCheckQuery,
    skip: &dyn Fn(&str) -> bool,
) -> DatabaseResult<Vec<DueHost>> {
    let mut hosts: Vec<DueHost> = Vec::new();
    let mut select = tx.prepare_cached(
        "SELECT id, name, day, taken FROM watch_host WHERE next IS NOT NULL AND next <= ?1 ORDER BY next",
    )?;
    let mut rows = select.query([to_micros(take.now)])?;
    while let Some(row) = rows.next()? {
        if hosts.len() >= take.hosts.min(take.limit) {
            break;
        }
        if !skip(row.get_ref(1)?.as_str()?) {
            hosts.push(DueHost { id: row.get(0)?, day: row.get(2)?, taken: row.get(3)? });
        }
    }
    Ok(hosts)
}

fn take_from_host(
    tx: Conn<'_>,
    take: &DueCheckQuery,
    host: &DueHost,
    room: usize,
    all: &mut Vec<DueCheck>,
) -> DatabaseResult<()> {
    let (now, until) = (to_micros(take.now), to_micros(take.until));
    let today = now.div_euclid(MICROS_PER_DAY);
    let mut taken = if host.day == today { host.taken } else { 0 };
    let mut held = 0;
    // Read all rows before changing any, and a few more than needed, because some may be group
    // members only.
    let rows: Vec<(i64, i64, i64, bool)> = tx
        .prepare_cached(
            "SELECT resource, next, due, asked IS NOT NULL FROM watch WHERE host = ?1 AND next <= ?2 \
             ORDER BY next LIMIT ?3",
        )?
        .query_map(params![host.id, now, room as i64 + 8], read_row)?
        .collect::<sql::Result<_>>()?;
    let before = all.len();
    for (resource, next, due, asked) in rows {
        if all.len() - before >= room {
            break;
        }
        // `next` is 0 for requested checks, which ignore the daily budget.
        if next > 0 && taken >= i64::from(take.per_host_day) {
            held = (today + 1) * MICROS_PER_DAY;
            break;
        }
        if !is_group_head(tx, resource)? {
            continue;
        }
        let Some(check) = read_due_check(tx, resource, take.now, asked, due)? else {
            tx.execute("DELETE FROM watch WHERE resource = ?1", [resource])?;
            continue;
        };
        tx.execute("UPDATE watch SET next = ?2, leased = ?2 WHERE resource = ?1", [resource, until])?;
        taken += 1;
        all.push(check);
    }
    tx.prepare_cached("UPDATE watch_host SET day = ?2, taken = ?3, held = CASE WHEN held > ?4 THEN held ELSE ?4 END WHERE id = ?1")?
        .execute([host.id, today, taken, held])?;
    update_next_check(tx, host.id)
}

/// Returns whether the row represents its group. If not, moves its schedule and history to the row
/// that does.
fn is_group_head(tx: Conn<'_>, resource: i64) -> DatabaseResult<bool> {
    let members = group::members_of(tx, resource)?;
    let head = members.first().copied().unwrap_or(resource);
    if head == resource {
        return Ok(true);
    }
    // A merged row keeps its own history and only leaves the schedule.
    if group::successor_of(tx, resource)?.is_none() {
        for sql in [
            "UPDATE watch SET resource = ?2 WHERE resource = ?1 AND NOT EXISTS (SELECT 1 FROM watch o WHERE o.resource = ?2)",
            "UPDATE check_day SET resource = ?2 WHERE resource = ?1 AND NOT EXISTS (SELECT 1 FROM check_day o \
             WHERE o.resource = ?2 AND o.day = check_day.day)",
            "UPDATE outage SET resource = ?2 WHERE resource = ?1 AND NOT EXISTS (SELECT 1 FROM outage o \
             WHERE o.resource = ?2 AND o.began = outage.began)",
            "UPDATE check_log SET resource = ?2 WHERE resource = ?1",
            "UPDATE metadata_change SET resource = ?2 WHERE resource = ?1",
        ] {
            tx.execute(sql, [resource, head])?;
        }
    }
    tx.execute("DELETE FROM watch WHERE resource = ?1", [resource])?;
    Ok(false)
}

/// Reads a due check with everything that is needed to perform it.
fn read_due_check(
    tx: Conn<'_>,
    resource: i64,
    now: Timestamp,
    asked: bool,
    due: i64,
) -> DatabaseResult<Option<DueCheck>> {
    let mut select = tx.prepare_cached(
        "SELECT r.public_id, r.url, r.host, r.ip, r.first_seen, r.last_seen, r.last_ok, r.body, w.standing, w.checks \
         FROM resource r JOIN watch w ON w.resource = r.id WHERE r.id = ?1",
    )?;
    let mut rows = select.query([resource])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let (id, url): (String, String) = (row.get(0)?, row.get(1)?);
    let body = row.get_ref(7)?.as_str()?;
    let mut described = content::read_resource(tx, resource, body, &url, false)?;
    let mut some =
        tx.prepare_cached("SELECT crs, body FROM dataset WHERE resource = ?1 ORDER BY ordinal LIMIT ?2")?;
    described.datasets =
        content::read_datasets(resource, body, some.query([resource, DUE_DATASETS as i64])?)?;
    let mut record = Record {
        id: id.clone(),
        resource: described,
        host: Host { name: row.get(2)?, ip: row.get(3)?, ..Host::default() },
        first_seen: row.get(4)?,
        last_seen: row.get(5)?,
        last_ok: row.get(6)?,
        ..Record::default()
    };
    let standing: Option<String> = row.get(8)?;
    let pace = CheckPace {
        kind: record.resource.kind.clone(),
        checks: row.get::<i64>(9)?.clamp(0, i64::from(u32::MAX)) as u32,
        changes: changes_within(tx, resource, now)?,
        seed: schedule_hash(&id),
    };
    fill_monitoring_results(tx, resource, &[resource], &mut record)?;
    let standing = standing.as_deref().map(serde_json::from_str).transpose()?;
    Ok(Some(DueCheck { id, record, standing, pace, asked, due: from_micros(due) }))
}

/// Extends leases.
pub(super) fn renew_leases(tx: Conn<'_>, ids: &[String], until: Timestamp) -> DatabaseResult<()> {
    let mut hosts = BTreeSet::new();
    for id in ids {
        let Some(resource) = row_of(tx, id)? else { continue };
        let until = to_micros(until);
        let changed = tx
            .prepare_cached(
                "UPDATE watch SET next = ?2, leased = ?2 WHERE resource = ?1 AND leased IS NOT NULL",
            )?
            .execute([resource, until])?;
        if changed > 0 {
            hosts.extend(host_of(tx, resource)?);
        }
    }
    hosts.into_iter().try_for_each(|host| update_next_check(tx, host))
}

/// Releases leases.
pub(super) fn release_leases(tx: Conn<'_>, ids: &[String]) -> DatabaseResult<()> {
    let mut hosts = BTreeSet::new();
    for id in ids {
        let Some(resource) = row_of(tx, id)? else { continue };
        let changed = tx
            .prepare_cached(
                "UPDATE watch SET next = CASE WHEN asked IS NULL THEN due ELSE 0 END, leased = NULL \
                 WHERE resource = ?1 AND leased IS NOT NULL",
            )?
            .execute([resource])?;
        if changed > 0
            && let Some(host) = host_of(tx, resource)?
        {
            // The check did not happen, so it does not count towards the daily budget.
            tx.prepare_cached(
                "UPDATE watch_host SET taken = CASE WHEN taken > 0 THEN taken - 1 ELSE 0 END WHERE id = ?1",
            )?
            .execute([host])?;
            hosts.insert(host);
        }
    }
    hosts.into_iter().try_for_each(|host| update_next_check(tx, host))
}

fn host_of(tx: Conn<'_>, resource: i64) -> DatabaseResult<Option<i64>> {
    let mut select = tx.prepare_cached("SELECT host FROM watch WHERE resource = ?1")?;
    Ok(select.query_row([resource], read_row).optional()?)
}

/// Returns when the next check is due.
pub(super) fn next_due(conn: Conn<'_>) -> DatabaseResult<Option<Timestamp>> {
    let next: Option<i64> =
        conn.query_row("SELECT min(next) FROM watch_host WHERE next IS NOT NULL", [], read_row)?;
    Ok(next.map(from_micros))
}

/// Schedules a check that a user has requested.
pub(super) fn request_check(tx: Conn<'_>, id: &str, now: Timestamp) -> DatabaseResult<bool> {
    let Some(resource) = row_of(tx, id)? else { return Ok(false) };
    schedule_record(tx, resource, to_micros(now))?;
    tx.prepare_cached(
        "UPDATE watch SET asked = ?2, next = CASE WHEN leased > ?2 THEN next ELSE 0 END WHERE resource = ?1",
    )?
    .execute([resource, to_micros(now)])?;
    if let Some(host) = host_of(tx, resource)? {
        update_next_check(tx, host)?;
    }
    Ok(true)
}

/// Schedules an early check of a row whose state a crawl found changed.
pub(crate) fn check_soon(tx: Conn<'_>, resource: i64, now: Timestamp) -> DatabaseResult<()> {
    let changed = tx
        .prepare_cached(
            "UPDATE watch SET next = CASE WHEN next < ?2 THEN next ELSE ?2 END, \
         due = CASE WHEN due < ?2 THEN due ELSE ?2 END WHERE resource = ?1 AND leased IS NULL",
        )?
        .execute([resource, to_micros(now)])?;
    if changed > 0
        && let Some(host) = host_of(tx, resource)?
    {
        update_next_check(tx, host)?;
    }
    Ok(())
}

/// Returns the schedule of a record.
pub(super) fn read_monitoring_state(conn: Conn<'_>, id: &str) -> DatabaseResult<Option<MonitoringState>> {
    let Some(resource) = row_of(conn, id)? else { return Ok(None) };
    type WatchedRow = (Option<String>, i64, Option<i64>, i64);
    let row: Option<WatchedRow> = conn
        .prepare_cached("SELECT standing, due, asked, checks FROM watch WHERE resource = ?1")?
        .query_row([resource], read_row)
        .optional()?;
    let Some((standing, due, asked, checks)) = row else { return Ok(None) };
    Ok(Some(MonitoringState {
        standing: standing.as_deref().map(serde_json::from_str).transpose()?,
        next: from_micros(due),
        asked: asked.map(from_micros),
        checks: checks.max(0) as u64,
    }))
}
