//! Summaries over many records.

use super::super::catalogue::content;
use super::super::database_error::DatabaseResult;
use super::super::moment::to_micros;
use super::check_results::StoredCheck;
use super::{MICROS_PER_DAY, MICROS_PER_HOUR, evidence, history, schedule};
use crate::sql::{self, Conn, OptionalExtension, Row, params, read_row};
use geotrawl_model::host_report::{
    CostlyPoint, HostOrder, HostOutage, HostReport, HostService, HostSummary, Overview,
};
use geotrawl_model::{Host, Status};
use jiff::Timestamp;
use std::collections::BTreeMap;

/// Number of hosts in the overview.
const WORST_HOSTS: i64 = 20;
/// Maximum number of services evaluated per host.
const SERVICES: i64 = 200;
/// Maximum number of outages shown per host.
const OUTAGES: usize = 50;
/// Maximum number of records named per missing point.
const NAMED: usize = 20;
/// Maximum number of organisations shown per host.
const ORGANISATIONS: usize = 10;

/// Returns the columns of a host summary, computed from the rows of `change`: host, records, dead,
/// degraded, score, address, and the number of records of each status.
fn summary_columns() -> String {
    let of = |status: Status| format!("count(*) FILTER (WHERE status = '{status}')");
    let each: Vec<String> = Status::ALL.into_iter().map(of).collect();
    let (dead, degraded) = (of(Status::Dead), of(Status::Degraded));
    format!("host, count(*), {dead}, {degraded}, avg(score), max(ip), {}", each.join(", "))
}

fn read_summary(row: Row<'_>) -> sql::Result<(HostSummary, Option<String>)> {
    let count = |at| row.get::<u64>(at);
    let mut statuses = BTreeMap::new();
    for (status, at) in Status::ALL.into_iter().zip(6..) {
        let n = count(at)?;
        if n > 0 {
            statuses.insert(status.to_string(), n);
        }
    }
    let summary = HostSummary {
        host: row.get(0)?,
        records: count(1)?,
        dead: count(2)?,
        degraded: count(3)?,
        statuses,
        score: row.get(4)?,
        country: None,
    };
    Ok((summary, row.get(5)?))
}

/// Host summaries with the IP address of one of their records.
pub(super) type HostsWithAddress = Vec<(HostSummary, Option<String>)>;

/// Returns the overview without countries, which the caller fills in.
pub(super) fn read_overview(conn: Conn<'_>, now: Timestamp) -> DatabaseResult<(Overview, HostsWithAddress)> {
    let snapshot = conn.snapshot()?;
    let tx = snapshot.conn();
    let moment = to_micros(now);
    let statuses: BTreeMap<String, u64> =
        tx.query_all("SELECT status, count(*) FROM change WHERE gone = 0 GROUP BY status", [], read_row)?;
    // The due time of a leased check is the end of its lease, so running checks do not count as
    // due.
    let (enrolled, due, overdue): (i64, i64, i64) = tx
        .prepare_cached(
            "SELECT count(*), count(*) FILTER (WHERE next <= ?1), count(*) FILTER (WHERE next > 0 AND next <= ?2) FROM watch",
        )?
        .query_row([moment, moment - MICROS_PER_HOUR], read_row)?;
    let (checks_24h, latency) = history::checks_in_last_day(tx, now)?;
    let hosts = tx
        .prepare_cached(&format!(
            "SELECT {} FROM change WHERE gone = 0 GROUP BY host HAVING \
             count(*) FILTER (WHERE status IN ('dead', 'degraded')) > 0 \
             ORDER BY 3 DESC, 4 DESC, 1 LIMIT ?1",
            summary_columns()
        ))?
        .query_map([WORST_HOSTS], read_summary)?
        .collect::<sql::Result<_>>()?;
    let count = |n: i64| n.max(0) as u64;
    let overview = Overview {
        statuses,
        enrolled: count(enrolled),
        due: count(due),
        overdue: count(overdue),
        checks_24h,
        next: schedule::next_due(tx)?,
        latency,
        hosts: Vec::new(),
    };
    Ok((overview, hosts))
}

/// Returns hosts whose name contains a text.
pub(super) fn list_hosts(
    conn: Conn<'_>,
    words: &str,
    order: HostOrder,
    offset: u64,
    limit: u64,
) -> DatabaseResult<(HostsWithAddress, u64)> {
    let mut pattern = String::from("%");
    for c in words.trim().to_lowercase().chars().take(200) {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    let order = match order {
        HostOrder::Records => "2 DESC, 1",
        HostOrder::Dead => "3 DESC, 2 DESC, 1",
        HostOrder::Score => "avg(score) IS NULL, avg(score), 1",
    };
    let snapshot = conn.snapshot()?;
    let tx = snapshot.conn();
    let total: i64 = tx
        .prepare_cached(&format!(
            "SELECT count(DISTINCT host) FROM change WHERE gone = 0 AND host {} ?1 ESCAPE '\\'",
            conn.like_operator()
        ))?
        .query_row([&pattern], read_row)?;
    let found = tx
        .prepare_cached(&format!(
            "SELECT {} FROM change WHERE gone = 0 AND host {} ?1 ESCAPE '\\' GROUP BY host ORDER BY {order} \
             LIMIT ?2 OFFSET ?3",
            summary_columns(),
            conn.like_operator()
        ))?
        .query_map(params![pattern, limit.min(1000) as i64, offset.min(1 << 40) as i64], read_summary)?
        .collect::<sql::Result<_>>()?;
    Ok((found, total.max(0) as u64))
}

/// Returns what is broken and missing on a host, without its location, which the caller fills in.
pub(super) fn host_report(conn: Conn<'_>, host: &str, now: Timestamp) -> DatabaseResult<Option<HostReport>> {
    let snapshot = conn.snapshot()?;
    let tx = snapshot.conn();
    let sums = tx
        .prepare_cached(&format!(
            "SELECT {} FROM change WHERE gone = 0 AND host = ?1 GROUP BY host",
            summary_columns()
        ))?
        .query_row([host], read_summary)
        .optional()?;
    let Some((sums, ip)) = sums else { return Ok(None) };
    let datasets: i64 = tx
        .prepare_cached("SELECT coalesce(sum(datasets), 0) FROM change WHERE gone = 0 AND host = ?1")?
        .query_row([host], read_row)?;
    let mut report = HostReport {
        host: sums.host,
        place: Some(Host { name: host.to_owned(), ip, ..Host::default() }),
        records: sums.records,
        datasets: datasets.max(0) as u64,
        statuses: sums.statuses,
        score: sums.score,
        ..HostReport::default()
    };
    let rows = read_services(tx, host, &mut report)?;
    let day = to_micros(now).div_euclid(MICROS_PER_DAY);
    let (mut checks, mut available) = (0_i64, 0_i64);
    let mut problems: BTreeMap<String, CostlyPoint> = BTreeMap::new();
    for (row, service) in rows.iter().zip(&report.services) {
        let sums: (i64, i64) = tx
            .prepare_cached(
                "SELECT coalesce(sum(checks), 0), coalesce(sum(available), 0) FROM check_day WHERE resource = ?1 \
                 AND day > ?2",
            )?
            .query_row([*row, day - 30], read_row)?;
        checks += sums.0;
        available += sums.1;
        add_missing_points(tx, *row, &service.id, &mut problems)?;
        report.outages.extend(history::read_outages(tx, *row)?.into_iter().map(|outage| HostOutage {
            id: service.id.clone(),
            title: service.title.clone(),
            began: outage.began,
            ended: outage.ended,
            reason: outage.reason,
        }));
    }
    report.uptime_30d = (checks > 0).then(|| available as f64 / checks as f64);
    report.outages.sort_by_key(|outage| std::cmp::Reverse(outage.began));
    report.outages.truncate(OUTAGES);
    report.problems = problems.into_values().collect();
    report.problems.sort_by(|a, b| b.cost.total_cmp(&a.cost).then_with(|| a.id.cmp(&b.id)));
    Ok(Some(report))
}

/// Adds the services of a host, worst first, and their providers. Returns the rows of the services.
fn read_services(conn: Conn<'_>, host: &str, report: &mut HostReport) -> DatabaseResult<Vec<i64>> {
    let mut select = conn.prepare_cached(
        "SELECT r.id, r.public_id, r.title, r.kind, r.url, r.status, r.reason, w.score, r.body, w.standing FROM change c \
         JOIN resource r ON r.public_id = c.id LEFT JOIN watch w ON w.resource = r.id WHERE c.gone = 0 AND c.host = ?1 \
         ORDER BY CASE r.status WHEN 'dead' THEN 0 WHEN 'degraded' THEN 1 WHEN 'alive' THEN 3 ELSE 2 END, \
         coalesce(w.score, 101), r.url LIMIT ?2",
    )?;
    let mut rows = select.query(params![host, SERVICES])?;
    let (mut ids, mut organisations) = (Vec::new(), BTreeMap::<String, u64>::new());
    while let Some(row) = rows.next()? {
        let (id, url): (i64, String) = (row.get(0)?, row.get(4)?);
        let body = row.get_ref(8)?.as_str()?;
        let described = content::read_resource(conn, id, body, &url, false)?;
        if let Some(name) = described.provider.or(described.contact.organisation) {
            *organisations.entry(name).or_default() += 1;
        }
        let standing: Option<String> = row.get(9)?;
        let standing: Option<geotrawl_model::standing::ResourceStatus> =
            standing.as_deref().map(serde_json::from_str).transpose()?;
        let public_id: String = row.get(1)?;
        report.services.push(HostService {
            title: row.get(2)?,
            kind: row.get(3)?,
            url,
            status: row.parse(5, format_args!("record {public_id}"))?,
            reason: match standing {
                Some(standing) => standing.reason,
                None => row.get(6)?,
            },
            score: row.get(7)?,
            id: public_id,
        });
        ids.push(id);
    }
    let mut organisations: Vec<(String, u64)> = organisations.into_iter().collect();
    organisations.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    report.organisations = organisations.into_iter().take(ORGANISATIONS).map(|(name, _)| name).collect();
    Ok(ids)
}

/// Adds the points that the latest check of a row lost.
fn add_missing_points(
    conn: Conn<'_>,
    row: i64,
    id: &str,
    into: &mut BTreeMap<String, CostlyPoint>,
) -> DatabaseResult<()> {
    let Some((_, kept)) = latest_check(conn, row)? else { return Ok(()) };
    let score = geotrawl_trust::score::score_check(&kept.check, &kept.history);
    for part in &score.components {
        for point in part.points.iter().filter(|point| point.got + 1e-9 < point.of) {
            let problem = into.entry(point.id.clone()).or_insert_with(|| CostlyPoint {
                id: point.id.clone(),
                what: point.what.clone(),
                advice: point.advice.clone(),
                count: 0,
                cost: 0.0,
                records: Vec::new(),
            });
            problem.count += 1;
            problem.cost += (point.of - point.got) * part.weight;
            if problem.records.len() < NAMED {
                problem.records.push(id.to_owned());
            }
        }
    }
    Ok(())
}

/// Returns the latest check of a row that still has evidence.
pub(super) fn latest_check(conn: Conn<'_>, row: i64) -> DatabaseResult<Option<(i64, StoredCheck)>> {
    let found: Option<(i64, Vec<u8>)> = conn
        .prepare_cached(
            "SELECT number, evidence FROM check_log WHERE resource = ?1 AND evidence IS NOT NULL \
             ORDER BY number DESC LIMIT 1",
        )?
        .query_row([row], read_row)
        .optional()?;
    found.map(|(number, packed)| Ok((number, evidence::unpack(&packed)?))).transpose()
}
