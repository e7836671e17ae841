//! Names and ids of hosts.

use super::session::Session;
use super::{DatabaseResult, shard};
use geotrawl_model::HostId;
use std::collections::{BTreeSet, HashMap};
use std::sync::Mutex;
use tokio_postgres::Statement;

/// Longest name of a host that is kept. Names of the internet are much shorter; the index of names cannot
/// hold much longer ones.
pub(super) const LONGEST_NAME: usize = 1000;

/// Ids of host names, with a bounded memory of them. A host never goes and never changes its id.
pub(crate) struct SharedHostIdCache {
    known: Mutex<HashMap<Box<str>, HostId>>,
    limit: usize,
}

impl SharedHostIdCache {
    /// Remembers at most this many.
    pub fn with_limit(limit: usize) -> Self {
        Self { known: Mutex::new(HashMap::new()), limit: limit.max(1) }
    }

    /// Ids of these hosts; those that are new are made. Must be called outside of a transaction, so that
    /// nobody waits for a name and what is remembered is true whatever becomes of the batch.
    pub async fn find_or_create<'n>(
        &self,
        session: &Session,
        names: impl Iterator<Item = &'n str>,
    ) -> DatabaseResult<HashMap<&'n str, HostId>> {
        let mut ids: HashMap<&'n str, HostId> = HashMap::new();
        // By shard and name: the order in which everybody makes hosts.
        let mut unknown: BTreeSet<(i32, &'n str)> = BTreeSet::new();
        if let Ok(known) = self.known.lock() {
            for name in names {
                if ids.contains_key(name) {
                    continue;
                }
                match known.get(name) {
                    Some(id) => _ = ids.insert(name, *id),
                    None => _ = unknown.insert((shard::of_name(name), name)),
                }
            }
        }
        if unknown.is_empty() {
            return Ok(ids);
        }
        let unknown: Vec<(i32, &'n str)> = unknown.into_iter().collect();
        let mut found = find_hosts(session, &unknown).await?;
        let missing: Vec<(i32, &'n str)> =
            unknown.iter().copied().filter(|(_, name)| !found.contains_key(*name)).collect();
        if !missing.is_empty() {
            create_hosts(session, &missing).await?;
            // Ours, and those that another process has made meanwhile.
            found.extend(find_hosts(session, &missing).await?);
        }
        if let Ok(mut known) = self.known.lock() {
            for (_, name) in unknown {
                let Some(id) = found.get(name) else { continue };
                ids.insert(name, *id);
                if known.len() >= self.limit {
                    // Half of them, whichever: a host that is still met comes back with one lookup.
                    let mut keep = false;
                    known.retain(|_, _| {
                        keep = !keep;
                        keep
                    });
                }
                known.insert(name.into(), *id);
            }
        }
        Ok(ids)
    }
}

async fn find_hosts(session: &Session, names: &[(i32, &str)]) -> DatabaseResult<HashMap<String, HostId>> {
    let (shards, names): (Vec<i32>, Vec<&str>) = names.iter().copied().unzip();
    let rows = session
        .query_once(
            "SELECT h.name, h.id FROM unnest($1::int4[], $2::text[]) AS t (shard, name) \
             JOIN host h ON h.shard = t.shard AND h.name = t.name",
            &[&shards, &names],
        )
        .await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

async fn create_hosts(session: &Session, names: &[(i32, &str)]) -> DatabaseResult<()> {
    let (shards, names): (Vec<i32>, Vec<&str>) = names.iter().copied().unzip();
    session
        .execute_once(
            "INSERT INTO host (shard, id, name) \
             SELECT t.shard, nextval('host_number') * 256 + t.shard, t.name \
             FROM unnest($1::int4[], $2::text[]) AS t (shard, name) ON CONFLICT (shard, name) DO NOTHING",
            &[&shards, &names],
        )
        .await?;
    Ok(())
}

/// What [`name`] asks.
pub(super) const NAME: &str = "SELECT name FROM host WHERE shard = $1 AND id = $2";

/// Name of a host; empty when there is no such host.
pub(super) async fn read_name(
    session: &Session,
    statement: &Statement,
    id: HostId,
) -> DatabaseResult<String> {
    let rows = session.query_prepared(statement, &[&shard::of_host(id), &id]).await?;
    Ok(match rows.first() {
        Some(row) => row.try_get(0)?,
        None => String::new(),
    })
}
