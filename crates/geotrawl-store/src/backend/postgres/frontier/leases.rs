//! Lending hosts: statements of one shard each, by the database's clock.
//!
//! Whoever locks rows of `host` does so in the order of shard and id, or skips what is locked: no two
//! processes, nor two threads of one, ever wait for each other in a circle.

use super::loans::{Loans, Token};
use super::session::Session;
use super::{Step, shard};
use futures_util::future::try_join_all;
use geotrawl_model::{FrontierEntryId, HostId, RunId};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::{Duration, Instant};
use tokio_postgres::Statement;

/// Lends hosts of one shard that are free: nobody's, or of a loan that ended long enough ago. What is left of a rest is
/// reckoned from the end of the loan: a distributed database returns nothing that looks at a clock.
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

/// `rest_until` never goes back: what an earlier process asked for holds on. The moment is reckoned in the inner query:
/// a distributed database sets no column to what depends on a clock and a row.
const GIVE_BACK: &str = "UPDATE host SET owner = NULL, expires = NULL, \
     rest_until = greatest(rest_until, t.until) \
     FROM (SELECT h.id, now() + t.rest * interval '1 second' AS until FROM host h \
     JOIN unnest($3::int8[], $4::int8[], $5::float8[]) AS t (id, token, rest) ON h.id = t.id AND h.token = t.token \
     WHERE h.shard = $1 AND h.id = ANY ($3::int8[]) AND h.owner = $2 ORDER BY h.id FOR UPDATE OF h) AS t \
     WHERE host.shard = $1 AND host.id = t.id";

const LOCK: &str = "SELECT id, owner = $3, token, owner IS NOT NULL AND expires >= now() - $4::float8 * interval '1 second' \
     FROM host WHERE shard = $1 AND id = ANY ($2::int8[]) ORDER BY id FOR UPDATE";

/// A host that is ours.
pub(super) struct Lent {
    pub name: String,
    /// How long it must rest.
    pub rest: Duration,
}

/// Lends those of these hosts that are free. In a transaction of its own.
pub(super) async fn lend(
    session: &Session,
    loans: &Loans,
    run: RunId,
    hosts: &[HostId],
) -> Step<HashMap<HostId, Lent>> {
    if hosts.is_empty() {
        return Ok(HashMap::new());
    }
    // Before the database can have looked at its clock.
    let asked = Instant::now();
    let shards = group(hosts.iter().map(|host| (*host, ())));
    let (duration, grace) = (loans.options.duration.as_secs_f64(), loans.options.grace.as_secs_f64());
    let statement = session.ready(LEND)?;
    session.begin("BEGIN")?;
    let rows = try_join_all(shards.iter().map(async |(shard, hosts)| {
        let ids: Vec<HostId> = hosts.iter().map(|(id, ())| *id).collect();
        session.rows(&statement, &[shard, &loans.owner, &ids, &duration, &grace]).await
    }))
    .await;
    let mut lent = HashMap::new();
    for row in session.end(rows)?.iter().flatten() {
        let (host, token): (HostId, i64) = (row.try_get(0)?, row.try_get(1)?);
        loans.lent(run, host, token, asked);
        lent.insert(host, Lent { name: row.try_get(2)?, rest: seconds(row.try_get(3)?) });
    }
    Ok(lent)
}

/// Those of the hosts that we have which we still have, for this run, too.
pub(super) async fn still_ours(
    session: &Session,
    loans: &Loans,
    run: RunId,
    hosts: &[HostId],
) -> Step<HashMap<HostId, Lent>> {
    if hosts.is_empty() {
        return Ok(HashMap::new());
    }
    let shards: Vec<i32> = hosts.iter().map(|host| shard::of_host(*host)).collect();
    let rows = session
        .query(
            "SELECT h.id, h.name, extract(epoch FROM h.rest_until - now())::float8 \
             FROM unnest($1::int4[], $2::int8[]) AS t (shard, id) \
             JOIN host h ON h.shard = t.shard AND h.id = t.id WHERE h.owner = $3",
            &[&shards, &hosts, &loans.owner],
        )
        .await?;
    let mut ours = HashMap::new();
    for row in rows {
        let host = row.try_get(0)?;
        loans.shared(run, host);
        ours.insert(host, Lent { name: row.try_get(1)?, rest: seconds(row.try_get(2)?) });
    }
    Ok(ours)
}

/// Renews all loans and gives the hosts that others have now.
pub(super) async fn renew(session: &Session, loans: &Loans) -> Step<Vec<HostId>> {
    let asked = Instant::now();
    let held = loans.by_shard();
    let duration = loans.options.duration.as_secs_f64();
    note_process(session, loans).await?;
    if held.is_empty() {
        return Ok(Vec::new());
    }
    let statement = session.ready(RENEW)?;
    session.begin("BEGIN")?;
    let rows = try_join_all(held.iter().map(async |(shard, tokens)| {
        let (ids, tokens): (Vec<HostId>, Vec<i64>) = tokens.iter().copied().unzip();
        session.rows(&statement, &[shard, &loans.owner, &ids, &duration, &tokens]).await
    }))
    .await;
    let renewed: Vec<HostId> = ids(session.end(rows)?)?;
    loans.renewed(&renewed, asked);
    let renewed: HashSet<HostId> = renewed.into_iter().collect();
    let missing: Vec<Token> =
        held.into_values().flatten().filter(|(host, _)| !renewed.contains(host)).collect();
    if missing.is_empty() {
        return Ok(Vec::new());
    }
    // Locked by a commit of ours, or another's.
    let shards = group(missing.iter().copied());
    let statement = session.ready(STILL)?;
    let rows = try_join_all(shards.iter().map(async |(shard, tokens)| {
        let (ids, tokens): (Vec<HostId>, Vec<i64>) = tokens.iter().copied().unzip();
        session.rows(&statement, &[shard, &loans.owner, &ids, &tokens]).await
    }))
    .await?;
    let still: HashSet<HostId> = ids(rows)?.into_iter().collect();
    let mut lost = Vec::new();
    for token in missing {
        // One that was given back meanwhile is not lost: it is not ours to lose.
        if !still.contains(&token.0) && loans.token(token.0) == Some(token.1) {
            loans.lost(token);
            lost.push(token.0);
        }
    }
    Ok(lost)
}

/// Says that this process is there, for so long as a loan lasts.
pub(super) async fn note_process(session: &Session, loans: &Loans) -> Step<()> {
    let lasts = (loans.options.duration + loans.options.grace).as_secs_f64();
    session
        .change(
            "INSERT INTO process AS p (owner, expires) VALUES ($1, now() + $2::float8 * interval '1 second') \
             ON CONFLICT (owner) DO UPDATE SET expires = greatest(p.expires, excluded.expires)",
            &[&loans.owner, &lasts],
        )
        .await?;
    Ok(())
}

/// Gives hosts back. In a transaction of its own.
pub(super) async fn give_back(session: &Session, loans: &Loans, hosts: &[(Token, Duration)]) -> Step<()> {
    if hosts.is_empty() {
        return Ok(());
    }
    let shards = group(hosts.iter().map(|((host, token), rest)| (*host, (*token, rest.as_secs_f64()))));
    let statement = session.ready(GIVE_BACK)?;
    session.begin("BEGIN")?;
    let given = try_join_all(shards.iter().map(async |(shard, hosts)| {
        let ids: Vec<HostId> = hosts.iter().map(|(id, _)| *id).collect();
        let tokens: Vec<i64> = hosts.iter().map(|(_, (token, _))| *token).collect();
        let rests: Vec<f64> = hosts.iter().map(|(_, (_, rest))| *rest).collect();
        session.rows(&statement, &[shard, &loans.owner, &ids, &tokens, &rests]).await
    }))
    .await;
    session.end(given)?;
    Ok(())
}

/// Ends this process in the store: its loans, and what it has claimed.
pub(super) async fn go(session: &Session, loans: &Loans) -> Step<()> {
    let rest = loans.options.rest;
    let hosts: Vec<(Token, Duration)> = loans.clear().into_iter().map(|token| (token, rest)).collect();
    give_back(session, loans, &hosts).await?;
    session.change("DELETE FROM claim WHERE owner = $1", &[&loans.owner]).await?;
    session.change("DELETE FROM process WHERE owner = $1", &[&loans.owner]).await?;
    Ok(())
}

/// Locks these hosts until the end of the transaction and gives those whose items may be closed by us: on loan
/// to us under the number that we know, or, where we never borrowed (an import), on loan to nobody.
pub(super) async fn lock(
    session: &Session,
    loans: &Loans,
    hosts: impl Iterator<Item = HostId>,
) -> Step<HashSet<HostId>> {
    let shards = group(hosts.map(|host| (host, ())));
    let grace = loans.options.grace.as_secs_f64();
    let statement = session.ready(LOCK)?;
    let rows = try_join_all(shards.iter().map(async |(shard, hosts)| {
        let ids: Vec<HostId> = hosts.iter().map(|(id, ())| *id).collect();
        session.rows(&statement, &[shard, &ids, &loans.owner, &grace]).await
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

/// Pages that may be read of the budget of a run. In a transaction of its own.
pub(super) async fn claim_pages(
    session: &Session,
    loans: &Loans,
    run: RunId,
    most: u64,
    wanted: i64,
) -> Step<u64> {
    note_process(session, loans).await?;
    session.begin("BEGIN")?;
    let granted = claim(session, loans, run, i64::try_from(most).unwrap_or(i64::MAX), wanted).await;
    Ok(session.end(granted)?.max(0) as u64)
}

async fn claim(session: &Session, loans: &Loans, run: RunId, most: i64, wanted: i64) -> Step<i64> {
    // One at a time per run; the row of the run itself is left to the commits.
    session.query("SELECT pg_advisory_xact_lock($1, $2)", &[&CLAIMS, &(run as i32)]).await?;
    let row = session
        .one(
            "SELECT coalesce((SELECT pages FROM run WHERE id = $1), 0), \
             coalesce((SELECT sum(c.pages)::int8 FROM claim c JOIN process p ON p.owner = c.owner \
             WHERE c.run = $1 AND p.expires > now()), 0), \
             coalesce((SELECT pages FROM claim WHERE run = $1 AND owner = $2), 0)",
            &[&run, &loans.owner],
        )
        .await?;
    let (read, outstanding, own): (i64, i64, i64) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
    let left = most.saturating_sub(read).saturating_sub(outstanding).max(0);
    let change = wanted.min(left).max(-own);
    if change != 0 {
        session
            .change(
                "INSERT INTO claim AS c (run, owner, pages) VALUES ($1, $2, $3) \
                 ON CONFLICT (run, owner) DO UPDATE SET pages = c.pages + excluded.pages",
                &[&run, &loans.owner, &change],
            )
            .await?;
    }
    Ok(change)
}

/// What [`use_claim`] does.
pub(super) const USE_CLAIM: &str =
    "UPDATE claim SET pages = greatest(pages - $3, 0) WHERE run = $1 AND owner = $2";

/// Notes that pages which were claimed are read; within the transaction that counts them.
pub(super) async fn use_claim(
    session: &Session,
    statement: &Statement,
    loans: &Loans,
    run: RunId,
    pages: i64,
) -> Step<()> {
    if pages > 0 {
        session.changed(statement, &[&run, &loans.owner, &pages]).await?;
    }
    Ok(())
}

/// Number of the lock under which pages are claimed, beside that of the run.
const CLAIMS: i32 = 0x6765_6f01;

/// By shard, in the order of ids.
fn group<T>(hosts: impl Iterator<Item = (HostId, T)>) -> BTreeMap<i32, Vec<(HostId, T)>> {
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

fn ids(rows: Vec<Vec<tokio_postgres::Row>>) -> Step<Vec<FrontierEntryId>> {
    rows.iter().flatten().map(|row| Ok(row.try_get(0)?)).collect()
}

fn seconds(seconds: Option<f64>) -> Duration {
    Duration::try_from_secs_f64(seconds.unwrap_or(0.0).max(0.0)).unwrap_or_default()
}
