//! Known links of a run: an exact set in one table, behind a cache of recently seen links.

use super::session::Session;
use super::{DatabaseResult, hosts, shard};
use crate::backend::embedded::seen::{LinkHasher, RecentKeyCache};
use geotrawl_model::{HostId, NewLink, RunId};
use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use uuid::Uuid;

/// Maximum number of keys per statement.
const KEYS_AT_ONCE: usize = 16_384;
/// Bits of a key that depend on its host. The other 96 distinguish links of one host: at 10^9 links
/// per host the probability of a collision is about 1e-11.
const HOST_BITS: u32 = 32;

/// Hashes links and caches keys that are known.
pub(crate) struct KnownLinkCache {
    maker: LinkHasher,
    hot: Mutex<HashMap<RunId, RecentKeyCache>>,
    slots: usize,
}

/// A link with its shard, host and key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ResolvedLink<'l> {
    pub link: &'l NewLink,
    /// Position in the batch of the item the link was found on.
    pub shown_by: usize,
    /// Position of the link in the batch.
    pub at: usize,
    pub shard: i32,
    pub key: u128,
    pub host: HostId,
}

/// Links that may be new, sorted by key, and counts of those that are certainly known.
pub(crate) struct LinkCandidates<'l> {
    pub maybe: Vec<ResolvedLink<'l>>,
    /// Number of known links per item they were found on.
    pub known: HashMap<usize, u64>,
}

impl KnownLinkCache {
    /// Creates a cache with the store's secret and room for `slots` keys per run.
    pub fn new(secret: &[u8; 16], slots: usize) -> Self {
        Self { maker: LinkHasher::new(secret), hot: Mutex::new(HashMap::new()), slots: slots.max(1) }
    }

    /// Computes keys and hosts of links. Must run outside a transaction.
    pub async fn resolve_links<'l>(
        &self,
        session: &Session,
        host_ids: &hosts::SharedHostIdCache,
        run: RunId,
        links: impl Iterator<Item = (usize, &'l NewLink)>,
    ) -> DatabaseResult<LinkCandidates<'l>> {
        let mut placement = self.drop_cached(run, links);
        let names = placement.maybe.iter().map(|placed| placed.link.host.as_str());
        let ids = host_ids.find_or_create(session, names).await?;
        for placed in &mut placement.maybe {
            placed.host = ids.get(placed.link.host.as_str()).copied().unwrap_or_default();
        }
        Ok(placement)
    }

    fn drop_cached<'l>(
        &self,
        run: RunId,
        links: impl Iterator<Item = (usize, &'l NewLink)>,
    ) -> LinkCandidates<'l> {
        let mut placement = LinkCandidates { maybe: Vec::new(), known: HashMap::new() };
        let Ok(hot) = self.hot.lock() else { return placement };
        let hot = hot.get(&run);
        let mut last: Option<(&'l str, i32, u128)> = None;
        for (at, (shown_by, link)) in links.enumerate() {
            let (shard, host_bits) = match last {
                Some((name, shard, bits)) if name == link.host => (shard, bits),
                _ => (shard::of_name(&link.host), host_bits(&self.maker, &link.host)),
            };
            last = Some((&link.host, shard, host_bits));
            let key = host_bits | (self.maker.hash_link(&link.key) >> HOST_BITS);
            // Such host names do not exist on the internet, so their links are skipped like known
            // ones.
            let nowhere = link.host.len() > hosts::LONGEST_NAME || link.host.contains('\0');
            if nowhere || hot.is_some_and(|hot| hot.contains(key)) {
                *placement.known.entry(shown_by).or_default() += 1;
            } else {
                placement.maybe.push(ResolvedLink { link, shown_by, at, shard, key, host: 0 });
            }
        }
        // All processes insert in this order, so two batches with the same links cannot deadlock.
        placement.maybe.sort_unstable_by_key(|placed| (placed.shard, placed.key, placed.at));
        placement
    }

    /// Caches keys whose transaction is committed.
    pub fn add_committed_keys(&self, run: RunId, keys: &[u128]) {
        let Ok(mut hot) = self.hot.lock() else { return };
        let hot = hot.entry(run).or_insert_with(|| RecentKeyCache::with_slots(self.slots));
        for key in keys {
            hot.insert(*key);
        }
    }

    /// Drops the cached keys of a run.
    pub fn forget_run(&self, run: RunId) {
        if let Ok(mut hot) = self.hot.lock() {
            hot.remove(&run);
        }
    }
}

/// Returns the bits of a key that depend on the host.
fn host_bits(maker: &LinkHasher, host: &str) -> u128 {
    maker.hash_link(host) >> (128 - HOST_BITS) << (128 - HOST_BITS)
}

/// Returns the key of a link ([`NewLink::key`]) on a host.
pub(crate) fn link_key(maker: &LinkHasher, host: &str, link: &str) -> u128 {
    host_bits(maker, host) | (maker.hash_link(link) >> HOST_BITS)
}

/// Inserts keys, which must be sorted and unique, and returns the new ones.
pub(super) async fn insert_keys(
    session: &Session,
    run: RunId,
    links: &[ResolvedLink<'_>],
) -> DatabaseResult<HashSet<u128>> {
    let mut fresh = HashSet::new();
    for piece in links.chunks(KEYS_AT_ONCE) {
        let shards: Vec<i32> = piece.iter().map(|placed| placed.shard).collect();
        let keys: Vec<Uuid> = piece.iter().map(|placed| Uuid::from_u128(placed.key)).collect();
        let rows = session
            .query_once(
                "INSERT INTO seen (shard, run, key) SELECT t.shard, $2, t.key \
                 FROM unnest($1::int4[], $3::uuid[]) AS t (shard, key) \
                 ON CONFLICT (shard, run, key) DO NOTHING RETURNING key",
                &[&shards, &run, &keys],
            )
            .await?;
        for row in rows {
            fresh.insert(row.try_get::<_, Uuid>(0)?.as_u128());
        }
    }
    Ok(fresh)
}
