//! Host names and ids.

use super::session::Session;
use super::{DatabaseResult, shard};
use geotrawl_model::HostId;
use std::collections::{BTreeSet, HashMap};
use std::sync::Mutex;
use tokio_postgres::Statement;

/// Longest host name that is stored. Real host names are much shorter, and the index cannot hold
/// much longer ones.
pub(super) const LONGEST_NAME: usize = 1000;

/// Ids of host names, with a bounded cache. Hosts are never deleted and never change their id.
pub(crate) struct SharedHostIdCache {
    known: Mutex<HashMap<Box<str>, HostId>>,
    limit: usize,
}

impl SharedHostIdCache {
    /// Creates a cache of at most `limit` names.
    pub fn with_limit(limit: usize) -> Self {
        Self { known: Mutex::new(HashMap::new()), limit: limit.max(1) }
    }

    /// Returns the ids of these hosts, creating new ones. Must run outside a transaction, so that
    /// nobody waits for a name and cached ids stay valid whatever happens to the batch.
    pub async fn find_or_create<'n>(
        &self,
        session: &Session,
        names: impl Iterator<Item = &'n str>,
    ) -> DatabaseResult<HashMap<&'n str, HostId>> {
        let mut ids: HashMap<&'n str, HostId> = HashMap::new();
        // Sorted by shard and name. All processes create hosts in this order, which prevents
        // deadlocks.
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
            // The ones just created, and those that another process created at the same time.
            found.extend(find_hosts(session, &missing).await?);
        }
        if let Ok(mut known) = self.known.lock() {
            for (_, name) in unknown {
                let Some(id) = found.get(name) else { continue };
                ids.insert(name, *id);
                if known.len() >= self.limit {
                    // Evict an arbitrary half: a host that is still in use costs one lookup to come
                    // back.
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

/// Query of [`read_name`].
pub(super) const NAME: &str = "SELECT name FROM host WHERE shard = $1 AND id = $2";

/// Returns the name of a host, or an empty string if there is no such host.
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
