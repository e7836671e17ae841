//! Reads the frontier: hosts with work, pending items, finished pages.

use super::held_leases::HeldLeases;
use super::session::{BoundValue, Session};
use super::{DatabaseError, DatabaseResult, hosts, leases, shard};
use crate::backend::shared::frontier::{read_item, read_past_page};
use crate::sql;
use futures_util::future::try_join_all;
use futures_util::try_join;
use geotrawl_model::{FrontierEntry, FrontierEntryId, HostId, HostWork, PastPage, RobotsRecord, RunId};
use std::collections::{BTreeMap, HashMap, HashSet};
use tokio_postgres::{Row, Statement};

/// Maximum number of items read at a time.
const ITEMS_AT_ONCE: usize = 4_096;
/// Rounds of reading further into shards that have more.
const ROUNDS: usize = 6;

/// Hosts of a shard that have work and are free or leased by this process, best first, after a
/// position. Uses no join: the planner treats shard and id as independent, expects hardly any rows
/// and sorts all hosts of the shard.
const LOOK: &str = "SELECT r.host, r.best_priority, r.pending, r.done FROM host_run r \
     WHERE r.shard = $1 AND r.run = $2 AND r.best_priority IS NOT NULL \
     AND (r.best_priority, r.host) > ($5, $6) AND r.host <> ALL ($4::int8[]) \
     AND (SELECT h.owner IS NULL OR h.owner = $3 OR h.expires < now() - $7::float8 * interval '1 second' \
     FROM host h WHERE h.shard = $1 AND h.id = r.host) \
     ORDER BY r.best_priority, r.host LIMIT $8";

/// Hosts of a shard that have work, whether leased or not.
const BEST: &str = "SELECT host, best_priority FROM host_run \
     WHERE shard = $1 AND run = $2 AND best_priority IS NOT NULL ORDER BY best_priority, host LIMIT $3";

/// Items of a host in order, after a position.
const PENDING: &str = "SELECT host, id, path, intent, priority, depth, parent, way, words, hops, attempts, width, \
     origin, distance FROM queue WHERE shard = $1 AND run = $2 AND host = $3 AND (priority, id) > ($4, $5) \
     ORDER BY priority, id LIMIT $6";

/// Leases and returns hosts with pending items, best head first.
pub(super) async fn hosts_with_work(
    session: &Session,
    loans: &HeldLeases,
    run: RunId,
    limit: usize,
    skip: &dyn Fn(HostId) -> bool,
) -> DatabaseResult<Vec<HostWork>> {
    if limit == 0 {
        return Ok(Vec::new());
    }
    let mut candidates = find_candidates(session, loans, run, limit, skip).await?.into_iter();
    let mut works: Vec<HostWork> = Vec::new();
    while works.len() < limit {
        let next: Vec<HostWork> = candidates.by_ref().take(limit - works.len()).collect();
        if next.is_empty() {
            break;
        }
        let (ours, free): (Vec<HostId>, Vec<HostId>) =
            next.iter().map(|work| work.host).partition(|host| loans.holds(*host));
        let mut had = leases::lease_hosts(session, loans, run, &free).await?;
        had.extend(leases::recheck_hosts(session, loans, run, &ours).await?);
        for mut work in next {
            // Missing hosts were leased by another process first.
            if let Some(host) = had.remove(&work.host) {
                (work.name, work.rest) = (host.name, host.rest);
                works.push(work);
            }
        }
    }
    works.sort_by_key(|work| (work.best_priority, work.host));
    add_robots(session, &mut works).await?;
    Ok(works)
}

/// Finds the best hosts over all shards, and more than requested where that costs nothing.
async fn find_candidates(
    session: &Session,
    loans: &HeldLeases,
    run: RunId,
    limit: usize,
    skip: &dyn Fn(HostId) -> bool,
) -> DatabaseResult<Vec<HostWork>> {
    let statement = session.prepare_statement(LOOK)?;
    let grace = loans.options.grace.as_secs_f64();
    // Exclude our own busy hosts in the query instead of reading them.
    let mut in_use: HashMap<i32, Vec<HostId>> = HashMap::new();
    for (shard, tokens) in loans.by_shard() {
        in_use.insert(shard, tokens.iter().map(|(host, _)| *host).filter(|host| skip(*host)).collect());
    }
    // Hosts are spread evenly over the shards, so a few per shard usually suffice.
    let mut slice: i64 = (limit / 64 + 4) as i64;
    // Position to continue from in each shard that may have more.
    let mut open: BTreeMap<i32, (i64, HostId)> =
        shard::shards_from(0).map(|shard| (shard, (-1, 0))).collect();
    let mut found: Vec<HostWork> = Vec::new();
    for _ in 0..ROUNDS {
        let none = Vec::new();
        let answers = try_join_all(open.iter().map(async |(shard, (best, host))| {
            let busy = in_use.get(shard).unwrap_or(&none);
            let rows = session
                .query_prepared(&statement, &[shard, &run, &loans.owner, busy, best, host, &grace, &slice])
                .await?;
            Ok::<_, DatabaseError>((*shard, rows))
        }))
        .await?;
        let mut more = BTreeMap::new();
        for (shard, rows) in answers {
            if let Some(last) = rows.last()
                && rows.len() as i64 == slice
            {
                more.insert(shard, (last.try_get(1)?, last.try_get(0)?));
            }
            for row in rows {
                let work = read_work(&row)?;
                if !skip(work.host) {
                    found.push(work);
                }
            }
        }
        found.sort_unstable_by_key(|work| (work.best_priority, work.host));
        // A shard whose last host ranks behind the last one needed has nothing to add.
        let behind = found.get(limit.saturating_sub(1)).map(|work| i64::from(work.best_priority));
        more.retain(|_, (best, _)| behind.is_none_or(|behind| *best < behind));
        open = more;
        if open.is_empty() {
            break;
        }
        slice = (slice * 4).min(1_000);
    }
    Ok(found)
}

/// Reads a row of [`LOOK`]; name, robots and crawl delay are filled in later.
fn read_work(row: &Row) -> DatabaseResult<HostWork> {
    Ok(HostWork {
        host: row.try_get(0)?,
        best_priority: sql::Row::Pg(row).get(1)?,
        pending: row.try_get::<_, i64>(2)?.max(0) as u64,
        done: row.try_get::<_, i64>(3)?.max(0) as u64,
        name: String::new(),
        robots: None,
        rest: std::time::Duration::ZERO,
    })
}

async fn add_robots(session: &Session, works: &mut [HostWork]) -> DatabaseResult<()> {
    let hosts: Vec<HostId> = works.iter().map(|work| work.host).collect();
    let rows = session
        .query_once("SELECT host, fetched_at, verdict FROM robots WHERE host = ANY ($1::int8[])", &[&hosts])
        .await?;
    let mut stored: HashMap<HostId, (String, String)> = HashMap::new();
    for row in rows {
        stored.insert(row.try_get(0)?, (row.try_get(1)?, row.try_get(2)?));
    }
    for work in works {
        if let Some((fetched_at, verdict)) = stored.remove(&work.host) {
            let fetched_at = fetched_at.parse().map_err(|error| {
                DatabaseError::Inconsistent(format!("cannot parse the fetch time of a robots.txt: {error}"))
            })?;
            let verdict = serde_json::from_str(&verdict)?;
            work.robots = Some(RobotsRecord { host: work.name.clone(), fetched_at, verdict });
        }
    }
    Ok(())
}

/// Returns up to `most` hosts of a run with the best heads, whether leased or not.
pub(crate) async fn read_best_hosts(
    session: &Session,
    run: RunId,
    most: usize,
) -> DatabaseResult<Vec<HostId>> {
    let statement = session.prepare_statement(BEST)?;
    let limit = i64::try_from(most).unwrap_or(i64::MAX);
    let answers = try_join_all(
        shard::shards_from(0)
            .map(async |shard| session.query_prepared(&statement, &[&shard, &run, &limit]).await),
    )
    .await?;
    let mut best: Vec<(i64, HostId)> = Vec::new();
    for row in answers.iter().flatten() {
        best.push((row.try_get(1)?, row.try_get(0)?));
    }
    best.sort_unstable();
    best.truncate(most);
    Ok(best.into_iter().map(|(_, host)| host).collect())
}

/// Returns the best pending items of a host, in order.
pub(crate) async fn read_pending(
    session: &Session,
    run: RunId,
    host: HostId,
    limit: usize,
    skip: &dyn Fn(FrontierEntryId) -> bool,
) -> DatabaseResult<Vec<FrontierEntry>> {
    let shard = shard::of_host(host);
    let (statement, naming) = (session.prepare_statement(PENDING)?, session.prepare_statement(hosts::NAME)?);
    let mut name = None;
    let mut items: Vec<FrontierEntry> = Vec::new();
    let mut after: (i64, FrontierEntryId) = (-1, 0);
    while items.len() < limit {
        // Read a few more than needed, because some may be in flight.
        let slice = (limit - items.len()).saturating_add(16).min(ITEMS_AT_ONCE);
        let size = slice as i64;
        let values: [BoundValue<'_>; 6] = [&shard, &run, &host, &after.0, &after.1, &size];
        let read = session.query_prepared(&statement, &values);
        let (rows, name) = if let Some(name) = &name {
            (read.await?, name)
        } else {
            let (rows, read) = try_join!(read, hosts::read_name(session, &naming, host))?;
            (rows, &*name.insert(read))
        };
        for row in &rows {
            let item = read_item(sql::Row::Pg(row), name)?;
            after = (item.priority.into(), item.id);
            if items.len() < limit && !skip(item.id) {
                items.push(item);
            }
        }
        if rows.len() < slice {
            break;
        }
    }
    Ok(items)
}

/// Returns the latest pages of a host in a run, newest first, by following their chain.
pub(crate) async fn read_history(
    session: &Session,
    run: RunId,
    host: HostId,
    limit: usize,
) -> DatabaseResult<Vec<PastPage>> {
    let shard = shard::of_host(host);
    let most = i64::try_from(limit).unwrap_or(i64::MAX);
    let values: [BoundValue<'_>; 4] = [&shard, &run, &host, &most];
    let naming = session.prepare_statement(hosts::NAME)?;
    let statement = session.prepare_statement(
        "WITH RECURSIVE past AS (SELECT p.previous, p.path, p.intent, p.class, p.reason, p.simhash, p.found, \
         1::int8 AS nth FROM page p WHERE p.shard = $1 AND $4::int8 > 0 AND p.id = \
         (SELECT last_page FROM host_run WHERE shard = $1 AND run = $2 AND host = $3) \
         UNION ALL SELECT p.previous, p.path, p.intent, p.class, p.reason, p.simhash, p.found, past.nth + 1 \
         FROM past JOIN page p ON p.shard = $1 AND p.id = past.previous WHERE past.nth < $4) \
         SELECT path, intent, class, reason, simhash, found FROM past ORDER BY nth",
    )?;
    let (rows, name) =
        try_join!(session.query_prepared(&statement, &values), hosts::read_name(session, &naming, host))?;
    rows.iter().map(|row| read_past_page(sql::Row::Pg(row), &name)).collect()
}

/// Returns the pages of a host in a run with one of these paths, newest first, by following their
/// chain. Columns: id, path, intent, depth, class, reason, at, width, origin, distance.
pub(crate) async fn read_closed_pages(
    session: &Session,
    run: RunId,
    host: HostId,
    paths: &[&str],
) -> DatabaseResult<Vec<Row>> {
    let shard = shard::of_host(host);
    session
        .query_once(
            "WITH RECURSIVE past AS (SELECT p.id, p.previous, p.path, 1::int8 AS nth FROM page p \
             WHERE p.shard = $1 AND p.id = \
             (SELECT last_page FROM host_run WHERE shard = $1 AND run = $2 AND host = $3) \
             UNION ALL SELECT p.id, p.previous, p.path, past.nth + 1 \
             FROM past JOIN page p ON p.shard = $1 AND p.id = past.previous) \
             SELECT p.id, p.path, p.intent, p.depth, p.class, p.reason, p.at, p.width, p.origin, p.distance \
             FROM past JOIN page p ON p.shard = $1 AND p.id = past.id \
             WHERE past.path = ANY ($4::text[]) ORDER BY past.nth",
            &[&shard, &run, &host, &paths],
        )
        .await
}

/// Returns the pending items of a host in a run with one of these paths.
pub(crate) async fn read_waiting_items(
    session: &Session,
    run: RunId,
    host: HostId,
    host_name: &str,
    paths: &[&str],
) -> DatabaseResult<Vec<FrontierEntry>> {
    let rows = session
        .query_once(
            "SELECT host, id, path, intent, priority, depth, parent, way, words, hops, attempts, width, origin, \
             distance FROM queue WHERE shard = $1 AND run = $2 AND host = $3 AND path = ANY ($4::text[]) \
             ORDER BY path, priority, id",
            &[&shard::of_host(host), &run, &host, &paths],
        )
        .await?;
    rows.iter().map(|row| read_item(sql::Row::Pg(row), host_name)).collect()
}

/// Returns whether a run has no pending items.
pub(crate) async fn is_exhausted(session: &Session, run: RunId) -> DatabaseResult<bool> {
    Ok(read_best_hosts(session, run, 1).await?.is_empty())
}

/// Query of [`read_last_pages`].
pub(super) const LAST_PAGES: &str = "SELECT h.id, h.name, r.last_page FROM unnest($1::int4[], $3::int8[]) AS t (shard, id) \
     JOIN host h ON h.shard = t.shard AND h.id = t.id \
     LEFT JOIN host_run r ON r.shard = h.shard AND r.run = $2 AND r.host = h.id";

/// Returns names and latest pages of these hosts in a run.
pub(super) async fn read_last_pages(
    session: &Session,
    statement: &Statement,
    run: RunId,
    hosts: &HashSet<HostId>,
) -> DatabaseResult<HashMap<HostId, (String, Option<FrontierEntryId>)>> {
    let hosts: Vec<HostId> = hosts.iter().copied().collect();
    let shards: Vec<i32> = hosts.iter().map(|host| shard::of_host(*host)).collect();
    let rows = session.query_prepared(statement, &[&shards, &run, &hosts]).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, (row.try_get(1)?, row.try_get(2)?)))).collect()
}
