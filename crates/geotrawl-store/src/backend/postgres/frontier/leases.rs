//! Leasing of hosts. Each statement handles one shard and uses the database's clock.
//!
//! Rows of `host` are always locked in the order of shard and id, or skipped if locked, so that
//! neither processes nor threads can deadlock.

use super::held_leases::{HeldLeases, LeaseToken};
use super::session::Session;
use super::{DatabaseResult, shard};
use futures_util::future::try_join_all;
use geotrawl_model::{FrontierEntryId, HostId, RunId};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::{Duration, Instant};
use tokio_postgres::Statement;

/// Leases free hosts of one shard: hosts without an owner, or whose lease expired long enough ago.
/// The remaining crawl delay is computed from the end of the lease, because a distributed database
/// cannot return values that depend on a clock.
const LEND: &str = "UPDATE host SET owner = $2, token = token + 1, expires = now() + $4::float8 * interval '1 second' \
     WHERE shard = $1 AND id IN (SELECT id FROM host WHERE shard = $1 AND id = ANY ($3::int8[]) \
     AND (owner IS NULL OR owner = $2 OR expires < now() - $5::float8 * interval '1 second') \
     ORDER BY id FOR UPDATE SKIP LOCKED) \
     RETURNING id, token, name, extract(epoch FROM rest_until - expires)::float8 + $4::float8";

const RENEW: &str = "UPDATE host SET expires = now() + $4::float8 * interval '1 second' \
     WHERE shard = $1 AND id IN (SELECT h.id FROM host h \
     JOIN unnest($3::int8[], $5::int8[]) AS t (id, token) ON h.id = t.id AND h.token = t.token \
     WHERE h.shard = $1 AND h.id = ANY ($3::int8[]) AND h.owner = $2 ORDER BY h.id FOR UPDATE OF h SKIP LOCKED) \
     RETURNING id";

const STILL: &str = "SELECT h.id FROM host h \
     JOIN unnest($3::int8[], $4::int8[]) AS t (id, token) ON h.id = t.id AND h.token = t.token \
     WHERE h.shard = $1 AND h.id = ANY ($3::int8[]) AND h.owner = $2";

/// `rest_until` never decreases: a delay requested by an earlier process stays in force. The time
/// is computed in the inner query, because a distributed database cannot set a column to a value
/// that depends on both a clock and a row.
const GIVE_BACK: &str = "UPDATE host SET owner = NULL, expires = NULL, \
     rest_until = greatest(rest_until, t.until) \
     FROM (SELECT h.id, now() + t.rest * interval '1 second' AS until FROM host h \
     JOIN unnest($3::int8[], $4::int8[], $5::float8[]) AS t (id, token, rest) ON h.id = t.id AND h.token = t.token \
     WHERE h.shard = $1 AND h.id = ANY ($3::int8[]) AND h.owner = $2 ORDER BY h.id FOR UPDATE OF h) AS t \
     WHERE host.shard = $1 AND host.id = t.id";

const LOCK: &str = "SELECT id, owner = $3, token, owner IS NOT NULL AND expires >= now() - $4::float8 * interval '1 second' \
     FROM host WHERE shard = $1 AND id = ANY ($2::int8[]) ORDER BY id FOR UPDATE";

/// A host leased by this process.
pub(super) struct LeasedHost {
    pub name: String,
    /// Remaining crawl delay.
    pub rest: Duration,
}

/// Leases those of these hosts that are free, in a separate transaction.
pub(super) async fn lease_hosts(
    session: &Session,
    loans: &HeldLeases,
    run: RunId,
    hosts: &[HostId],
) -> DatabaseResult<HashMap<HostId, LeasedHost>> {
    if hosts.is_empty() {
        return Ok(HashMap::new());
    }
    // Taken before the request, so that our deadline is never later than the database's.
    let asked = Instant::now();
    let shards = group_by_shard(hosts.iter().map(|host| (*host, ())));
    let (duration, grace) = (loans.options.duration.as_secs_f64(), loans.options.grace.as_secs_f64());
    let statement = session.prepare_statement(LEND)?;
    session.begin("BEGIN")?;
    let rows = try_join_all(shards.iter().map(async |(shard, hosts)| {
        let ids: Vec<HostId> = hosts.iter().map(|(id, ())| *id).collect();
        session.query_prepared(&statement, &[shard, &loans.owner, &ids, &duration, &grace]).await
    }))
    .await;
    let mut lent = HashMap::new();
    for row in session.end_transaction(rows)?.iter().flatten() {
        let (host, token): (HostId, i64) = (row.try_get(0)?, row.try_get(1)?);
        loans.note_leased(run, host, token, asked);
        lent.insert(host, LeasedHost { name: row.try_get(2)?, rest: to_duration(row.try_get(3)?) });
    }
    Ok(lent)
}

/// Returns which of the hosts leased by this process still are, and adds this run to them.
pub(super) async fn recheck_hosts(
    session: &Session,
    loans: &HeldLeases,
    run: RunId,
    hosts: &[HostId],
) -> DatabaseResult<HashMap<HostId, LeasedHost>> {
    if hosts.is_empty() {
        return Ok(HashMap::new());
    }
    let shards: Vec<i32> = hosts.iter().map(|host| shard::of_host(*host)).collect();
    let rows = session
        .query_once(
            "SELECT h.id, h.name, extract(epoch FROM h.rest_until - now())::float8 \
             FROM unnest($1::int4[], $2::int8[]) AS t (shard, id) \
             JOIN host h ON h.shard = t.shard AND h.id = t.id WHERE h.owner = $3",
            &[&shards, &hosts, &loans.owner],
        )
        .await?;
    let mut ours = HashMap::new();
    for row in rows {
        let host = row.try_get(0)?;
        loans.add_run(run, host);
        ours.insert(host, LeasedHost { name: row.try_get(1)?, rest: to_duration(row.try_get(2)?) });
    }
    Ok(ours)
}

/// Renews all leases and returns the hosts that other processes have taken over.
pub(super) async fn renew_leases(session: &Session, loans: &HeldLeases) -> DatabaseResult<Vec<HostId>> {
    let asked = Instant::now();
    let held = loans.by_shard();
    let duration = loans.options.duration.as_secs_f64();
    // Even without leases, because claims count only while their process is registered.
    register_process(session, loans).await?;
    if held.is_empty() {
        return Ok(Vec::new());
    }
    let statement = session.prepare_statement(RENEW)?;
    session.begin("BEGIN")?;
    let rows = try_join_all(held.iter().map(async |(shard, tokens)| {
        let (ids, tokens): (Vec<HostId>, Vec<i64>) = tokens.iter().copied().unzip();
        session.query_prepared(&statement, &[shard, &loans.owner, &ids, &duration, &tokens]).await
    }))
    .await;
    let renewed: Vec<HostId> = read_ids(session.end_transaction(rows)?)?;
    loans.note_renewed(&renewed, asked);
    let renewed: HashSet<HostId> = renewed.into_iter().collect();
    let missing: Vec<LeaseToken> =
        held.into_values().flatten().filter(|(host, _)| !renewed.contains(host)).collect();
    if missing.is_empty() {
        return Ok(Vec::new());
    }
    // These rows may only be locked, by a commit of this process or of another.
    let shards = group_by_shard(missing.iter().copied());
    let statement = session.prepare_statement(STILL)?;
    let rows = try_join_all(shards.iter().map(async |(shard, tokens)| {
        let (ids, tokens): (Vec<HostId>, Vec<i64>) = tokens.iter().copied().unzip();
        session.query_prepared(&statement, &[shard, &loans.owner, &ids, &tokens]).await
    }))
    .await?;
    let still: HashSet<HostId> = read_ids(rows)?.into_iter().collect();
    let mut lost = Vec::new();
    for token in missing {
        // A lease that was released meanwhile is not lost.
        if !still.contains(&token.0) && loans.token(token.0) == Some(token.1) {
            loans.note_lost(token);
            lost.push(token.0);
        }
    }
    Ok(lost)
}

/// Registers this process as alive for the duration of a lease.
pub(super) async fn register_process(session: &Session, loans: &HeldLeases) -> DatabaseResult<()> {
    let lasts = (loans.options.duration + loans.options.grace).as_secs_f64();
    session
        .execute_once(
            "INSERT INTO process AS p (owner, expires) VALUES ($1, now() + $2::float8 * interval '1 second') \
             ON CONFLICT (owner) DO UPDATE SET expires = greatest(p.expires, excluded.expires)",
            &[&loans.owner, &lasts],
        )
        .await?;
    Ok(())
}

/// Releases hosts, in a separate transaction.
pub(super) async fn release_hosts(
    session: &Session,
    loans: &HeldLeases,
    hosts: &[(LeaseToken, Duration)],
) -> DatabaseResult<()> {
    if hosts.is_empty() {
        return Ok(());
    }
    let shards =
        group_by_shard(hosts.iter().map(|((host, token), rest)| (*host, (*token, rest.as_secs_f64()))));
    let statement = session.prepare_statement(GIVE_BACK)?;
    session.begin("BEGIN")?;
    let given = try_join_all(shards.iter().map(async |(shard, hosts)| {
        let ids: Vec<HostId> = hosts.iter().map(|(id, _)| *id).collect();
        let tokens: Vec<i64> = hosts.iter().map(|(_, (token, _))| *token).collect();
        let rests: Vec<f64> = hosts.iter().map(|(_, (_, rest))| *rest).collect();
        session.query_prepared(&statement, &[shard, &loans.owner, &ids, &tokens, &rests]).await
    }))
    .await;
    session.end_transaction(given)?;
    Ok(())
}

/// Removes this process from the store: its leases, claims and registration.
pub(super) async fn release_all(session: &Session, loans: &HeldLeases) -> DatabaseResult<()> {
    let rest = loans.options.rest;
    let hosts: Vec<(LeaseToken, Duration)> =
        loans.take_all().into_iter().map(|token| (token, rest)).collect();
    release_hosts(session, loans, &hosts).await?;
    session.execute_once("DELETE FROM claim WHERE owner = $1", &[&loans.owner]).await?;
    session.execute_once("DELETE FROM process WHERE owner = $1", &[&loans.owner]).await?;
    Ok(())
}

/// Locks these hosts until the end of the transaction. Returns those whose items this process may
/// close: hosts leased to it under the known token, or, for hosts it never leased (an import),
/// hosts leased to nobody.
pub(super) async fn lock_hosts(
    session: &Session,
    loans: &HeldLeases,
    hosts: impl Iterator<Item = HostId>,
) -> DatabaseResult<HashSet<HostId>> {
    let shards = group_by_shard(hosts.map(|host| (host, ())));
    let grace = loans.options.grace.as_secs_f64();
    let statement = session.prepare_statement(LOCK)?;
    let rows = try_join_all(shards.iter().map(async |(shard, hosts)| {
        let ids: Vec<HostId> = hosts.iter().map(|(id, ())| *id).collect();
        session.query_prepared(&statement, &[shard, &ids, &loans.owner, &grace]).await
    }))
    .await?;
    let mut ours = HashSet::new();
    for row in rows.iter().flatten() {
        let host: HostId = row.try_get(0)?;
        let mine: bool = row.try_get::<_, Option<bool>>(1)?.unwrap_or(false);
        let token: i64 = row.try_get(2)?;
        let lent: bool = row.try_get::<_, Option<bool>>(3)?.unwrap_or(false);
        let may = match loans.token(host) {
            Some(known) => mine && known == token,
            None => mine || !lent,
        };
        if may {
            ours.insert(host);
        }
    }
    Ok(ours)
}

/// Claims pages from the budget of a run, in a separate transaction.
pub(super) async fn claim_pages(
    session: &Session,
    loans: &HeldLeases,
    run: RunId,
    most: u64,
    wanted: i64,
) -> DatabaseResult<u64> {
    register_process(session, loans).await?;
    session.begin("BEGIN")?;
    let granted = change_claim(session, loans, run, i64::try_from(most).unwrap_or(i64::MAX), wanted).await;
    Ok(session.end_transaction(granted)?.max(0) as u64)
}

async fn change_claim(
    session: &Session,
    loans: &HeldLeases,
    run: RunId,
    most: i64,
    wanted: i64,
) -> DatabaseResult<i64> {
    // One process at a time per run. Does not lock the row of the run, which commits need.
    session.query_once("SELECT pg_advisory_xact_lock($1, $2)", &[&CLAIMS, &(run as i32)]).await?;
    let row = session
        .query_one(
            "SELECT coalesce((SELECT pages FROM run WHERE id = $1), 0), \
             coalesce((SELECT sum(c.pages)::int8 FROM claim c JOIN process p ON p.owner = c.owner \
             WHERE c.run = $1 AND p.expires > now()), 0), \
             coalesce((SELECT pages FROM claim WHERE run = $1 AND owner = $2), 0)",
            &[&run, &loans.owner],
        )
        .await?;
    let (read, outstanding, own): (i64, i64, i64) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
    // Fetched pages and the outstanding claims of live processes both use up the budget.
    let left = most.saturating_sub(read).saturating_sub(outstanding).max(0);
    // A negative `wanted` returns pages, but never more than this process has claimed.
    let change = wanted.min(left).max(-own);
    if change != 0 {
        session
            .execute_once(
                "INSERT INTO claim AS c (run, owner, pages) VALUES ($1, $2, $3) \
                 ON CONFLICT (run, owner) DO UPDATE SET pages = c.pages + excluded.pages",
                &[&run, &loans.owner, &change],
            )
            .await?;
    }
    Ok(change)
}

/// Statement of [`use_claim`].
pub(super) const USE_CLAIM: &str =
    "UPDATE claim SET pages = greatest(pages - $3, 0) WHERE run = $1 AND owner = $2";

/// Deducts fetched pages from the claim, within the transaction that counts them.
pub(super) async fn use_claim(
    session: &Session,
    statement: &Statement,
    loans: &HeldLeases,
    run: RunId,
    pages: i64,
) -> DatabaseResult<()> {
    if pages > 0 {
        session.execute_prepared(statement, &[&run, &loans.owner, &pages]).await?;
    }
    Ok(())
}

/// First key of the advisory lock for claiming pages; the second is the run.
const CLAIMS: i32 = 0x6765_6f01;

/// Groups hosts by shard, sorted by id.
fn group_by_shard<T>(hosts: impl Iterator<Item = (HostId, T)>) -> BTreeMap<i32, Vec<(HostId, T)>> {
    let mut shards: BTreeMap<i32, Vec<(HostId, T)>> = BTreeMap::new();
    for (host, with) in hosts {
        shards.entry(shard::of_host(host)).or_default().push((host, with));
    }
    for hosts in shards.values_mut() {
        hosts.sort_by_key(|(host, _)| *host);
        hosts.dedup_by_key(|(host, _)| *host);
    }
    shards
}

fn read_ids(rows: Vec<Vec<tokio_postgres::Row>>) -> DatabaseResult<Vec<FrontierEntryId>> {
    rows.iter().flatten().map(|row| Ok(row.try_get(0)?)).collect()
}

fn to_duration(seconds: Option<f64>) -> Duration {
    Duration::try_from_secs_f64(seconds.unwrap_or(0.0).max(0.0)).unwrap_or_default()
}
