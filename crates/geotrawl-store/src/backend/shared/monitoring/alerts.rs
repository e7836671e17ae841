//! Alerts and their outgoing messages.

use super::super::database_error::DatabaseResult;
use super::super::moment::{from_micros, to_micros};
use super::MICROS_PER_DAY;
use super::notices::{self, NewNotice};
use crate::sql::{self, Conn, OptionalExtension, Row, params, read_row, update};
use geotrawl_model::account::UserId;
use geotrawl_model::alert::{
    Alert, AlertChange, AlertDelivery, Channel, Frequency, MOST_ALERTS, NewAlert, NoticeGroup,
};
use geotrawl_model::notice::NoticeKind;
use geotrawl_trust::alerts::{SETTLE, retry_after, same_alert};
use jiff::Timestamp;
use std::collections::HashSet;

/// Maximum number of notices listed in one message; the rest is only counted.
const MOST_NOTICES: i64 = 1_000;
/// Maximum number of notices shown per host and kind.
const SHOWN: usize = 20;
/// Maximum length of a stored error, in characters.
const MOST_ERROR: usize = 500;
/// Number of delivered or abandoned messages kept per alert.
const KEPT_DELIVERIES: i64 = 20;

const COLUMNS: &str = "a.number, a.user, a.name, a.channel, a.target, a.secret, a.kinds, a.hosts, a.records, \
     a.frequency, a.active, a.created, a.last_delivery, a.last_error";

/// Active alerts, loaded once per transaction.
#[derive(Default)]
pub(crate) struct AlertSubscribers(Option<Vec<AlertSubscriber>>);

struct AlertSubscriber {
    alert: Alert,
    hosts: HashSet<String>,
    records: HashSet<String>,
}

impl AlertSubscribers {
    /// Queues a notice for all alerts that match it.
    pub fn notify(&mut self, tx: Conn<'_>, seq: i64, news: &NewNotice<'_>) -> DatabaseResult<()> {
        if self.0.is_none() {
            self.0 = Some(active_subscribers(tx)?);
        }
        for one in self.0.iter().flatten() {
            let named = one.records.contains(news.id);
            let everything = one.hosts.is_empty() && one.records.is_empty();
            let wanted = one.alert.kinds.is_empty() || one.alert.kinds.contains(&news.kind);
            if wanted && (named || everything || one.hosts.contains(news.host)) {
                enqueue(tx, &one.alert, named, seq, news)?;
            }
        }
        Ok(())
    }
}

fn active_subscribers(tx: Conn<'_>) -> DatabaseResult<Vec<AlertSubscriber>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM alert a WHERE a.active = 1 AND NOT EXISTS (SELECT 1 FROM user_account u \
         WHERE u.id = a.user AND u.disabled = 1)"
    );
    let alerts: Vec<Alert> = tx.query_all(&sql, [], read_alert)?;
    Ok(alerts
        .into_iter()
        .map(|alert| AlertSubscriber {
            hosts: alert.hosts.iter().map(|host| host.to_lowercase()).collect(),
            records: alert.records.iter().cloned().collect(),
            alert,
        })
        .collect())
}

/// Adds a notice to the next message of an alert, unless that alert was already told about this
/// host and kind.
fn enqueue(tx: Conn<'_>, alert: &Alert, named: bool, seq: i64, news: &NewNotice<'_>) -> DatabaseResult<()> {
    let at = to_micros(news.at);
    // The message still being gathered, which was not tried yet.
    let open: Option<i64> = tx
        .prepare_cached(
            "SELECT number FROM delivery WHERE alert = ?1 AND due IS NOT NULL AND attempts = 0 AND taken = 0 \
             ORDER BY number DESC LIMIT 1",
        )?
        .query_row([alert.number], read_row)
        .optional()?;
    // Only immediate alerts suppress repetitions; digests list every notice.
    if alert.frequency == Frequency::Immediate {
        let group: Option<(i64, i64)> = tx
            .prepare_cached(
                "SELECT opened, latest FROM alert_group WHERE alert = ?1 AND host = ?2 AND kind = ?3",
            )?
            .query_row(params![alert.number, news.host, news.kind.as_str()], read_row)
            .optional()?;
        let told = group
            .is_some_and(|(opened, latest)| same_alert(from_micros(opened), from_micros(latest), news.at));
        tx.prepare_cached(
            "INSERT INTO alert_group (alert, host, kind, opened, latest) VALUES (?1, ?2, ?3, ?4, ?4) \
             ON CONFLICT (alert, host, kind) DO UPDATE SET latest = ?4, \
             opened = CASE WHEN ?5 <> 0 THEN alert_group.opened ELSE ?4 END",
        )?
        .execute(params![alert.number, news.host, news.kind.as_str(), at, told])?;
        let gathering = match open {
            Some(open) => is_listed(tx, open, news)?,
            None => false,
        };
        if told && !named && !gathering {
            return Ok(());
        }
    }
    let delivery = if let Some(open) = open {
        open
    } else {
        let number = tx
            .prepare_cached(
                "INSERT INTO delivery (alert, created, due) VALUES (?1, ?2, ?3) RETURNING number",
            )?
            .query_row([alert.number, at, due_time(alert.frequency, at)], read_row)?;
        sweep(tx, alert.number)?;
        number
    };
    tx.prepare_cached(
        "INSERT INTO delivery_notice (delivery, notice) SELECT ?1, ?2 WHERE \
         (SELECT notices FROM delivery WHERE number = ?1) < ?3 ON CONFLICT DO NOTHING",
    )?
    .execute([delivery, seq, MOST_NOTICES])?;
    tx.execute("UPDATE delivery SET notices = notices + 1 WHERE number = ?1", [delivery])?;
    Ok(())
}

/// Returns whether a message being gathered already has a notice of the same host and kind.
fn is_listed(tx: Conn<'_>, delivery: i64, news: &NewNotice<'_>) -> DatabaseResult<bool> {
    Ok(tx
        .prepare_cached(
            "SELECT 1 FROM delivery_notice d JOIN notice n ON n.seq = d.notice WHERE d.delivery = ?1 AND n.host = ?2 \
             AND n.kind = ?3 LIMIT 1",
        )?
        .exists(params![delivery, news.host, news.kind.as_str()])?)
}

fn due_time(frequency: Frequency, at: i64) -> i64 {
    let tomorrow = at.div_euclid(MICROS_PER_DAY) + 1;
    match frequency {
        Frequency::Immediate => at + SETTLE.as_micros() as i64,
        Frequency::Daily => tomorrow * MICROS_PER_DAY,
        // 1970-01-01 was a Thursday, so the first Monday is day 4.
        Frequency::Weekly => (tomorrow + (4 - tomorrow).rem_euclid(7)) * MICROS_PER_DAY,
    }
}

/// Removes old messages of an alert that were delivered or abandoned.
fn sweep(tx: Conn<'_>, alert: i64) -> DatabaseResult<()> {
    let old: Vec<i64> = tx
        .prepare_cached(
            "SELECT number FROM delivery WHERE alert = ?1 AND due IS NULL ORDER BY number DESC LIMIT 9223372036854775807 OFFSET ?2",
        )?
        .query_map([alert, KEPT_DELIVERIES], read_row)?
        .collect::<sql::Result<_>>()?;
    old.into_iter().try_for_each(|number| remove_delivery(tx, number))
}

fn remove_delivery(tx: Conn<'_>, number: i64) -> DatabaseResult<()> {
    tx.execute("DELETE FROM delivery_notice WHERE delivery = ?1", [number])?;
    tx.execute("DELETE FROM delivery WHERE number = ?1", [number])?;
    Ok(())
}

fn to_word<T: serde::Serialize>(value: T) -> DatabaseResult<String> {
    Ok(serde_json::to_value(value)?.as_str().unwrap_or_default().to_owned())
}

fn read_alert(row: Row<'_>) -> sql::Result<Alert> {
    fn list<T: serde::de::DeserializeOwned>(row: Row<'_>, at: usize) -> sql::Result<Vec<T>> {
        Ok(serde_json::from_str(row.get_ref(at)?.as_str()?).unwrap_or_default())
    }
    let frequency = match row.get_ref(9)?.as_str()? {
        "daily" => Frequency::Daily,
        "weekly" => Frequency::Weekly,
        _ => Frequency::Immediate,
    };
    Ok(Alert {
        number: row.get(0)?,
        user: row.get(1)?,
        name: row.get(2)?,
        channel: if row.get_ref(3)?.as_str()? == "email" { Channel::Email } else { Channel::Webhook },
        target: row.get(4)?,
        secret: row.get(5)?,
        kinds: list(row, 6)?,
        hosts: list(row, 7)?,
        records: list(row, 8)?,
        frequency,
        active: row.get(10)?,
        created: row.get(11)?,
        last_delivery: row.get(12)?,
        last_error: row.get(13)?,
    })
}

/// Adds an alert.
pub(super) fn insert_alert(
    tx: Conn<'_>,
    user: UserId,
    alert: &NewAlert,
    now: Timestamp,
) -> DatabaseResult<Option<Alert>> {
    let count: u32 = tx.query_row("SELECT count(*) FROM alert WHERE \"user\" = ?1", [user], read_row)?;
    if count >= MOST_ALERTS {
        return Ok(None);
    }
    let number = tx
        .prepare_cached(
        "INSERT INTO alert (\"user\", name, channel, target, secret, kinds, hosts, records, frequency, active, created) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) RETURNING number",
    )?
    .query_row(params![
        user,
        alert.name,
        to_word(alert.channel)?,
        alert.target,
        alert.secret,
        serde_json::to_string(&alert.kinds)?,
        serde_json::to_string(&alert.hosts)?,
        serde_json::to_string(&alert.records)?,
        to_word(alert.frequency)?,
        alert.active,
        to_micros(now),
    ], read_row)?;
    find_alert(tx, user, number)
}

/// Returns the alerts of a user.
pub(super) fn list_alerts(conn: Conn<'_>, user: UserId) -> DatabaseResult<Vec<Alert>> {
    let sql = format!("SELECT {COLUMNS} FROM alert a WHERE a.user = ?1 ORDER BY a.number");
    let alerts = conn.query_all(&sql, [user], read_alert)?;
    Ok(alerts)
}

/// Returns an alert of a user.
pub(super) fn find_alert(conn: Conn<'_>, user: UserId, number: i64) -> DatabaseResult<Option<Alert>> {
    let sql = format!("SELECT {COLUMNS} FROM alert a WHERE a.number = ?2 AND a.user = ?1");
    Ok(conn.query_row(&sql, [user, number], read_alert).optional()?)
}

/// Changes an alert.
pub(super) fn update_alert(
    tx: Conn<'_>,
    user: UserId,
    number: i64,
    change: &AlertChange,
) -> DatabaseResult<Option<Alert>> {
    let Some(mut alert) = find_alert(tx, user, number)? else { return Ok(None) };
    let AlertChange { name, channel, target, secret, kinds, hosts, records, frequency, active } =
        change.clone();
    alert.name = name.unwrap_or(alert.name);
    alert.channel = channel.unwrap_or(alert.channel);
    alert.target = target.unwrap_or(alert.target);
    alert.secret = secret.unwrap_or(alert.secret);
    alert.kinds = kinds.unwrap_or(alert.kinds);
    alert.hosts = hosts.unwrap_or(alert.hosts);
    alert.records = records.unwrap_or(alert.records);
    alert.frequency = frequency.unwrap_or(alert.frequency);
    alert.active = active.unwrap_or(alert.active);
    update!(
        tx,
        alert {
            name: alert.name,
            channel: to_word(alert.channel)?,
            target: alert.target,
            secret: alert.secret,
            kinds: serde_json::to_string(&alert.kinds)?,
            hosts: serde_json::to_string(&alert.hosts)?,
            records: serde_json::to_string(&alert.records)?,
            frequency: to_word(alert.frequency)?,
            active: alert.active,
        } where number = number
    )?;
    Ok(Some(alert))
}

/// Removes an alert and its outgoing messages.
pub(super) fn remove_alert(tx: Conn<'_>, user: UserId, number: i64) -> DatabaseResult<bool> {
    let removed = tx.execute("DELETE FROM alert WHERE number = ?2 AND \"user\" = ?1", [user, number])?;
    if removed > 0 {
        tx.prepare_cached(
            "DELETE FROM delivery_notice WHERE delivery IN (SELECT number FROM delivery WHERE alert = ?1)",
        )?
        .execute([number])?;
        tx.execute("DELETE FROM delivery WHERE alert = ?1", [number])?;
        tx.execute("DELETE FROM alert_group WHERE alert = ?1", [number])?;
    }
    Ok(removed > 0)
}

/// Removes all alerts of a user.
pub(crate) fn remove_alerts_of(tx: Conn<'_>, user: UserId) -> DatabaseResult<()> {
    for alert in list_alerts(tx, user)? {
        remove_alert(tx, user, alert.number)?;
    }
    Ok(())
}

/// Takes the deliveries that are due.
pub(super) fn take_due_deliveries(
    tx: Conn<'_>,
    now: Timestamp,
    until: Timestamp,
    limit: usize,
) -> DatabaseResult<Vec<AlertDelivery>> {
    type DueDelivery = (i64, i64, u32, i64, i64);
    let due: Vec<DueDelivery> = tx
        .prepare_cached(
            "SELECT number, alert, attempts, created, notices FROM delivery WHERE due IS NOT NULL AND due <= ?1 \
             ORDER BY due LIMIT ?2",
        )?
        .query_map([to_micros(now), limit as i64], read_row)?
        .collect::<sql::Result<_>>()?;
    let mut all = Vec::new();
    for (number, alert, attempts, created, notices) in due {
        let sql = format!("SELECT {COLUMNS} FROM alert a WHERE a.number = ?1 AND a.active = 1");
        let alert = tx.query_row(&sql, [alert], read_alert).optional()?;
        let Some(alert) = alert else {
            remove_delivery(tx, number)?;
            continue;
        };
        tx.prepare_cached("UPDATE delivery SET due = ?2, taken = 1 WHERE number = ?1")?
            .execute([number, to_micros(until)])?;
        let groups = group_notices(tx, number, notices.max(0) as u64)?;
        all.push(AlertDelivery { number, alert, attempts, created: from_micros(created), groups });
    }
    Ok(all)
}

/// Returns the notices of a message, grouped by host and kind.
fn group_notices(conn: Conn<'_>, delivery: i64, total: u64) -> DatabaseResult<Vec<NoticeGroup>> {
    let sql = format!(
        "SELECT {} FROM delivery_notice d JOIN notice n ON n.seq = d.notice WHERE d.delivery = ?1 ORDER BY n.seq",
        notices::COLUMNS
    );
    let mut groups: Vec<NoticeGroup> = Vec::new();
    let mut places: std::collections::HashMap<(String, NoticeKind), usize> = std::collections::HashMap::new();
    let mut listed = 0;
    for notice in conn.prepare_cached(&sql)?.query_map([delivery], notices::read_notice)? {
        let Some(notice) = notice? else { continue };
        listed += 1;
        let place = *places.entry((notice.host.clone(), notice.kind)).or_insert_with(|| {
            groups.push(NoticeGroup {
                host: notice.host.clone(),
                kind: notice.kind,
                count: 0,
                notices: Vec::new(),
            });
            groups.len() - 1
        });
        if let Some(group) = groups.get_mut(place) {
            group.count += 1;
            if group.notices.len() < SHOWN {
                group.notices.push(notice);
            }
        }
    }
    // Notices beyond the limit of a message count towards the last group.
    if let Some(last) = groups.last_mut() {
        last.count += total.saturating_sub(listed);
    }
    Ok(groups)
}

/// Marks a delivery as successful.
pub(super) fn mark_delivered(tx: Conn<'_>, number: i64, now: Timestamp) -> DatabaseResult<()> {
    tx.execute("UPDATE delivery SET due = NULL WHERE number = ?1", [number])?;
    tx.prepare_cached(
        "UPDATE alert SET last_delivery = ?2, last_error = NULL WHERE number = (SELECT alert FROM delivery \
         WHERE number = ?1)",
    )?
    .execute([number, to_micros(now)])?;
    Ok(())
}

/// Records a failed delivery. Returns whether it will be retried.
pub(super) fn mark_failed(
    tx: Conn<'_>,
    number: i64,
    error: &str,
    not_before: Option<Timestamp>,
    now: Timestamp,
) -> DatabaseResult<bool> {
    let attempts: Option<u32> = tx
        .prepare_cached("SELECT attempts FROM delivery WHERE number = ?1 AND due IS NOT NULL")?
        .query_row([number], read_row)
        .optional()?;
    let Some(attempts) = attempts else { return Ok(false) };
    let earliest = not_before.map_or(i64::MIN, to_micros);
    let again =
        retry_after(attempts + 1).map(|wait| (to_micros(now) + wait.as_micros() as i64).max(earliest));
    note_attempt(tx, number, error, again)?;
    Ok(again.is_some())
}

/// Records a delivery that failed for good.
pub(super) fn mark_abandoned(tx: Conn<'_>, number: i64, error: &str) -> DatabaseResult<()> {
    note_attempt(tx, number, error, None)
}

/// Records a failed attempt; `again` is the time of the next one, if any.
fn note_attempt(tx: Conn<'_>, number: i64, error: &str, again: Option<i64>) -> DatabaseResult<()> {
    tx.prepare_cached("UPDATE delivery SET attempts = attempts + 1, due = ?2 WHERE number = ?1")?
        .execute(params![number, again])?;
    let error: String = error.chars().take(MOST_ERROR).collect();
    tx.prepare_cached(
        "UPDATE alert SET last_error = ?2 WHERE number = (SELECT alert FROM delivery WHERE number = ?1)",
    )?
    .execute(params![number, error])?;
    Ok(())
}
