//! Records the results of checks.

use super::super::catalogue::{assemble, content, group, observe};
use super::super::changes;
use super::super::database_error::DatabaseResult;
use super::super::moment::to_micros;
use super::alerts::AlertSubscribers;
use super::notices::{self, NewNotice};
use super::{MICROS_PER_DAY, MICROS_PER_HOUR, changes_within, diff, evidence, history, schedule, successors};
use crate::sql::{self, Conn, OptionalExtension, insert, insert_returning, read_row, update};
use geotrawl_model::monitoring::{CheckResult, FieldChange, KEPT_CHECKS, KEPT_TURNS, RecordedCheck};
use geotrawl_model::notice::NoticeKind;
use geotrawl_model::schedule::{CheckPace, ScheduleLimits};
use geotrawl_model::standing::{ResourceStatus, StatusTransition};
use geotrawl_model::{Check, CheckHistory, Observation, Outcome, Purpose, Record, Score, Status};
use geotrawl_trust::standing::{self};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How long checks without evidence stay listed, in microseconds, so that the last day is known to
/// the minute.
const LISTED: i64 = 2 * MICROS_PER_DAY;
/// Number of latest results in the history of a score.
const LATEST: usize = 5;
/// Number of description changes kept.
const KEPT_CHANGES: i64 = 100;
/// Smallest change of the score that followers of the catalogue are told about.
const NOTED_SCORE: i64 = 2;

/// Stored part of a check: everything the score is computed from.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredCheck {
    pub check: Check,
    pub history: CheckHistory,
    pub standing: ResourceStatus,
}

/// The schedule's row, as far as recording a check needs it.
struct ScheduleRow {
    host: i64,
    due: i64,
    asked: Option<i64>,
    checks: i64,
    score: Option<i64>,
    noted: Option<i64>,
    latest: CheckHistory,
    standing: Option<ResourceStatus>,
    moved_url: Option<String>,
}

/// The catalogue's row, as far as recording a check needs it.
struct CheckedRecord {
    public_id: String,
    kind: String,
    url: String,
    host: String,
    ip: Option<String>,
    status: Status,
    title: Option<String>,
}

/// Records all results.
pub(super) fn record_results(
    tx: Conn<'_>,
    results: &[CheckResult],
    limits: &ScheduleLimits,
    now: Timestamp,
) -> DatabaseResult<Vec<RecordedCheck>> {
    let mut hosts = BTreeSet::new();
    let mut told = AlertSubscribers::default();
    let mut all = Vec::with_capacity(results.len());
    for result in results {
        all.extend(record_result(tx, result, limits, now, &mut hosts, &mut told)?);
    }
    for host in hosts {
        schedule::update_next_check(tx, host)?;
    }
    Ok(all)
}

fn record_result(
    tx: Conn<'_>,
    result: &CheckResult,
    limits: &ScheduleLimits,
    now: Timestamp,
    hosts: &mut BTreeSet<i64>,
    told: &mut AlertSubscribers,
) -> DatabaseResult<Option<RecordedCheck>> {
    let Some(row) = super::row_of(tx, &result.id)? else { return Ok(None) };
    let check = &result.check;
    schedule::schedule_record(tx, row, to_micros(check.at))?;
    let known = read_record(tx, row)?;
    let before = read_schedule_row(tx, row)?;
    let (standing, turn) = standing::update_standing(before.standing.as_ref(), check);
    let millis = standing::operation_millis(check);
    let history = history::count_check(tx, row, check, &before.latest, millis)?;
    let score = geotrawl_trust::score::score_check(check, &history);
    let turned = before.standing.as_ref().is_none_or(|before| before.verdict != check.verdict);
    let kept = StoredCheck { check: check.clone(), history, standing };
    let number = insert_check(tx, row, &kept, &score, turned)?;
    let StoredCheck { history, standing, .. } = kept;
    prune_checks(tx, row, to_micros(now))?;
    history::update_outages(tx, row, &standing, check)?;

    let mut left = BTreeSet::new();
    let (mut visible, changes) = update_content(tx, row, result, &known, &mut left, told)?;
    visible |= update_address(tx, row, check, &known)?;
    if known.status != standing.status {
        update!(tx, resource { status: standing.status, reason: standing.reason } where id = row)?;
        visible = true;
    }
    visible |= before.standing.as_ref().is_none_or(|before| before.cause != standing.cause);

    let moved = (check.cause == "moved").then(|| moved_url(check)).flatten();
    let news = |kind, reason: &str, body| NewNotice {
        at: check.at,
        kind,
        id: &known.public_id,
        title: known.title.as_deref(),
        url: &known.url,
        host: &known.host,
        record_kind: &known.kind,
        reason: reason.to_owned(),
        body,
    };
    if let Some(turn) = turn {
        let reason = match turn {
            StatusTransition::Recovered | StatusTransition::Reborn => &check.reason,
            _ => &standing.reason,
        };
        notices::append_notice(tx, &news(turn.into(), reason, None), told)?;
    }
    if moved.is_some() && moved != before.moved_url {
        let body = serde_json::json!({ "url": moved });
        notices::append_notice(tx, &news(NoticeKind::Moved, &check.reason, Some(body)), told)?;
        visible = true;
    }
    let pace = CheckPace {
        kind: known.kind.clone(),
        checks: (before.checks + 1).clamp(0, i64::from(u32::MAX)) as u32,
        changes: changes_within(tx, row, now)?,
        seed: schedule::schedule_hash(&known.public_id),
    };
    let next = geotrawl_trust::schedule::next_check(&pace, &standing, limits).max(now);
    let value = score.value.map(i64::from);
    // Followers are told about a new score only if it changed noticeably or crossed a band.
    let drifted = match (value, before.noted) {
        (Some(value), Some(noted)) => {
            (value - noted).abs() >= NOTED_SCORE || score_band(value) != score_band(noted)
        }
        (value, noted) => value != noted,
    };
    visible |= drifted || before.score.is_none() != value.is_none();
    let noted = if visible { value } else { before.noted };
    // If someone requested a check while this one was running, another one follows.
    let asked = before.asked.filter(|asked| *asked > to_micros(check.at));
    let host = schedule::host_id(tx, &known.host)?;
    hosts.extend([before.host, host]);
    let latest = CheckHistory {
        checks: 0,
        available: 0,
        latest: history.latest.clone(),
        millis: history.millis.clone(),
    };
    update!(
        tx,
        watch {
            host: host,
            next: if asked.is_some() { 0 } else { to_micros(next) },
            due: to_micros(next).max(before.due.min(to_micros(check.at))),
            asked: asked,
            checked: check.at,
            last_ok: standing.last_ok,
            score: value,
            provisional: score.provisional,
            noted: noted,
            points: serde_json::to_string(&component_points(&score))?,
            latest: serde_json::to_string(&latest)?,
            moved_url: moved,
            standing: serde_json::to_string(&standing)?,
        } also "leased = NULL, checks = checks + 1" where resource = row
    )?;
    if turn == Some(StatusTransition::Died) {
        visible |= successors::find_successors(tx, row, check.at, told)?;
    }
    if visible {
        note_change(tx, row, left, check.at)?;
    }
    Ok(Some(RecordedCheck { id: result.id.clone(), number, standing, turn, score, changes, next }))
}

/// Records a change for followers of the catalogue.
fn note_change(tx: Conn<'_>, row: i64, mut left: BTreeSet<i64>, now: Timestamp) -> DatabaseResult<()> {
    let members = group::members_of(tx, row)?;
    let mut noted = BTreeSet::new();
    if let Some(head) = assemble::assemble_record_without_datasets(tx, &members)? {
        changes::note_change(tx, &head.record, now)?;
        noted.extend(members.first());
    }
    left.remove(&row);
    changes::note_group_changes(tx, &left, &mut noted, now)
}

fn read_record(tx: Conn<'_>, row: i64) -> DatabaseResult<CheckedRecord> {
    Ok(tx
        .prepare_cached("SELECT public_id, kind, url, host, ip, status, title FROM resource WHERE id = ?1")?
        .query_row([row], |row| {
            let public_id: String = row.get(0)?;
            Ok(CheckedRecord {
                status: row.parse(5, format_args!("record {public_id}"))?,
                public_id,
                kind: row.get(1)?,
                url: row.get(2)?,
                host: row.get(3)?,
                ip: row.get(4)?,
                title: row.get(6)?,
            })
        })?)
}

fn read_schedule_row(tx: Conn<'_>, row: i64) -> DatabaseResult<ScheduleRow> {
    type JsonColumns = (Option<String>, Option<String>);
    let (mut before, (latest, standing)): (ScheduleRow, JsonColumns) = tx
        .prepare_cached(
            "SELECT host, due, asked, checks, score, noted, moved_url, latest, standing FROM watch WHERE resource = ?1",
        )?
        .query_row([row], |row| {
            let before = ScheduleRow {
                host: row.get(0)?,
                due: row.get(1)?,
                asked: row.get(2)?,
                checks: row.get(3)?,
                score: row.get(4)?,
                noted: row.get(5)?,
                moved_url: row.get(6)?,
                latest: CheckHistory::default(),
                standing: None,
            };
            Ok((before, (row.get(7)?, row.get(8)?)))
        })?;
    before.latest = latest.as_deref().map(serde_json::from_str).transpose()?.unwrap_or_default();
    before.standing = standing.as_deref().map(serde_json::from_str).transpose()?;
    Ok(before)
}

/// Stores a check; `turned` tells whether its verdict differs from the previous one.
fn insert_check(
    tx: Conn<'_>,
    row: i64,
    kept: &StoredCheck,
    score: &Score,
    turned: bool,
) -> DatabaseResult<i64> {
    let check = &kept.check;
    let (at, millis) = (to_micros(check.at), standing::operation_millis(check));
    let number = insert_returning!(
        tx,
        check_log {
            resource: row,
            at: at,
            verdict: check.verdict,
            cause: check.cause,
            turned: turned,
            score: score.value,
            millis: millis,
            reason: check.reason,
            evidence: evidence::pack(kept)?,
            available: standing::check_availability(check),
        } "RETURNING number"
    )?;
    history::add_check_to_hour(tx, at.div_euclid(MICROS_PER_HOUR), millis)?;
    Ok(number)
}

/// Removes checks and evidence beyond the latest checks and the latest turns.
fn prune_checks(tx: Conn<'_>, row: i64, now: i64) -> DatabaseResult<()> {
    let edge: Option<i64> = tx
        .prepare_cached(
            "SELECT number FROM check_log WHERE resource = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2",
        )?
        .query_row([row, KEPT_CHECKS as i64], read_row)
        .optional()?;
    let Some(edge) = edge else { return Ok(()) };
    let old: Vec<(i64, i64, bool, bool)> = tx
        .prepare_cached(
            "SELECT number, at, turned, evidence IS NOT NULL FROM check_log WHERE resource = ?1 AND number <= ?2 \
             ORDER BY number DESC",
        )?
        .query_map([row, edge], read_row)?
        .collect::<sql::Result<_>>()?;
    let mut turns = 0;
    for (number, at, turned, has_evidence) in old {
        turns += usize::from(turned);
        if turned && turns <= KEPT_TURNS {
            continue;
        }
        if at < now - LISTED {
            tx.execute("DELETE FROM check_log WHERE number = ?1", [number])?;
        } else if has_evidence {
            tx.execute("UPDATE check_log SET evidence = NULL WHERE number = ?1", [number])?;
        }
    }
    Ok(())
}

/// Replaces the content if the check read a different description. Returns whether anything visible
/// changed.
fn update_content(
    tx: Conn<'_>,
    row: i64,
    result: &CheckResult,
    known: &CheckedRecord,
    left: &mut BTreeSet<i64>,
    told: &mut AlertSubscribers,
) -> DatabaseResult<(bool, Vec<FieldChange>)> {
    let mut visible = false;
    if let Some(themes) = &result.themes {
        visible |= super::set_themes(tx, row, themes)?;
    }
    let Some(resource) = &result.resource else { return Ok((visible, Vec::new())) };
    if resource.kind != known.kind {
        return Ok((visible, Vec::new()));
    }
    let mut resource = resource.clone();
    resource.url.clone_from(&known.url);
    let was = {
        let body: String = tx.query_row("SELECT body FROM resource WHERE id = ?1", [row], read_row)?;
        if !observe::has_changed(tx, row, &resource)? {
            successors::store_fingerprint(tx, row, None)?;
            return Ok((visible, Vec::new()));
        }
        content::read_resource(tx, row, &body, &known.url, true)?
    };
    observe::replace_description(tx, row, &resource, &to_evidence(&result.check, &known.url), left)?;
    successors::store_fingerprint(tx, row, Some(&resource))?;
    let changes = diff::diff_resources(&was, &resource);
    if !changes.is_empty() {
        let (at, body) = (to_micros(result.check.at), evidence::pack(&changes)?);
        insert!(tx, metadata_change { resource: row, at: at, body: body })?;
        tx.prepare_cached(
            "DELETE FROM metadata_change WHERE id IN (SELECT id FROM metadata_change WHERE resource = ?1 \
             ORDER BY at DESC LIMIT 9223372036854775807 OFFSET ?2)",
        )?
        .execute([row, KEPT_CHANGES])?;
        notices::append_notice(
            tx,
            &NewNotice {
                at: result.check.at,
                kind: NoticeKind::Changed,
                id: &known.public_id,
                title: resource.title.as_deref(),
                url: &known.url,
                host: &known.host,
                record_kind: &known.kind,
                reason: summarise_changes(&changes),
                body: Some(serde_json::json!({ "changes": changes.iter().take(10).collect::<Vec<_>>() })),
            },
            told,
        )?;
    }
    Ok((true, changes))
}

/// Summarises changes in one sentence.
fn summarise_changes(changes: &[FieldChange]) -> String {
    let mut paths: Vec<&str> = changes.iter().map(|one| one.path.as_str()).collect();
    let more = paths.len().saturating_sub(4);
    paths.truncate(4);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("Changed: {}{more}", paths.join(", "))
}

/// Builds evidence from the description request, as far as grouping of aliases needs it.
fn to_evidence(check: &Check, url: &str) -> geotrawl_model::Evidence {
    let seen = description(check);
    let mut proof = geotrawl_model::Evidence {
        request: url.to_owned(),
        at: check.at,
        ..geotrawl_model::Evidence::default()
    };
    if let Some(seen) = seen {
        proof.request.clone_from(&seen.request.url);
        proof.range.clone_from(&seen.request.range);
        if let Some(answer) = seen.answer.as_ref().filter(|answer| !answer.truncated) {
            proof.bytes = answer.bytes;
            proof.hash.clone_from(&answer.hash);
        }
    }
    proof
}

/// Updates the IP address of the host.
fn update_address(tx: Conn<'_>, row: i64, check: &Check, known: &CheckedRecord) -> DatabaseResult<bool> {
    let host = url::Url::parse(&known.url).ok().and_then(|url| url.host_str().map(str::to_owned));
    let ip = check.observations.iter().rev().filter_map(|seen| seen.answer.as_ref()).find_map(|answer| {
        // An answer after a redirect to another host says nothing about this one.
        let own = url::Url::parse(&answer.url).ok().and_then(|url| url.host_str().map(str::to_owned)) == host;
        answer.ip.as_deref().filter(|_| own)
    });
    let Some(ip) = ip.filter(|ip| known.ip.as_deref() != Some(ip)) else { return Ok(false) };
    update!(tx, resource { ip: ip } where id = row)?;
    Ok(true)
}

/// Returns the URL that answered.
fn moved_url(check: &Check) -> Option<String> {
    description(check)?.answer.as_ref().map(|answer| answer.url.clone())
}

/// Returns the request that delivered the description, which an HTML page or a refusal may have
/// preceded.
fn description(check: &Check) -> Option<&Observation> {
    let mut asked = check.observations.iter().filter(|seen| seen.purpose == Purpose::Description);
    asked.clone().find(|seen| seen.outcome == Outcome::Valid).or_else(|| asked.next())
}

fn score_band(score: i64) -> i64 {
    match score {
        ..=25 => 0,
        26..=50 => 1,
        51..=75 => 2,
        _ => 3,
    }
}

/// Returns points by component, rounded to a tenth.
fn component_points(score: &Score) -> BTreeMap<String, f64> {
    let tenth = |points: f64| (points * 10.0).round() / 10.0;
    score.components.iter().map(|part| (part.id.clone(), tenth(part.weight * part.share))).collect()
}

/// Prepends the newest result and keeps the latest few.
pub(super) fn push_latest<T: Clone>(newest: Option<T>, before: &[T]) -> Vec<T> {
    newest.into_iter().chain(before.iter().cloned()).take(LATEST).collect()
}

/// Sets status and reason of a record from its checks.
pub(super) fn apply_status(record: &mut Record, standing: &ResourceStatus) {
    if standing.status != Status::Unchecked {
        record.status = standing.status;
        record.reason.clone_from(&standing.reason);
    }
}
