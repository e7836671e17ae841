//! The set of known URLs: exact, durable, bounded in memory.
//!
//! Log-structured, inside the SQLite file. New keys of a batch go to `seen_log` in the batch's own
//! transaction, and to a table in memory. When that table is full it becomes a sorted *segment* of
//! one-page blocks and the log is emptied, in one transaction. Segments of a level are merged into
//! one of the next in slices. In memory each segment has a Bloom filter and the first key of every
//! block. A positive answer of the filter is confirmed in the block, so a false positive costs one
//! read and never drops a URL.
//!
//! Every run has its own set, so that a finished run's keys can be removed at once and use no
//! memory.

mod fill;
mod filter;
mod key;
mod merge;
mod segment;

use super::database_error::DatabaseResult;
use super::options::KnownUrlLimits;
use geotrawl_model::RunId;
use key::KeySet;
use merge::SegmentMerge;
use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use segment::{KeySegment, SegmentBuilder, first_block};
use std::collections::BTreeMap;

pub(crate) use fill::{KnownUrlLoader, visit_keys};
pub(crate) use key::{LinkHasher, RecentKeyCache};

/// Keys merged per new key. A key is rewritten once per level, and there are fewer levels than
/// this, so merging always keeps up.
const MERGED_PER_NEW_KEY: usize = 5;
/// Minimum slice of merging per batch, so that small batches finish merges as well.
const MIN_SLICE: usize = 2_000;
/// Blocks of dead segments deleted per batch.
const DELETED_PER_BATCH: i64 = 512;

/// The known URLs of one run.
pub(super) struct KnownUrlSet {
    run: RunId,
    limits: KnownUrlLimits,
    memtable: KeySet,
    hot: RecentKeyCache,
    /// Largest first, because a known key is most likely there.
    segments: Vec<KeySegment>,
    /// At most one merge per level.
    merges: BTreeMap<u32, SegmentMerge>,
    /// Dead segments whose blocks have yet to be deleted.
    garbage: Vec<i64>,
}

impl KnownUrlSet {
    /// Loads the set of a run: filters and first keys from the blocks, everything else from the
    /// log.
    pub fn load(conn: &Connection, run: RunId, limits: KnownUrlLimits) -> DatabaseResult<Self> {
        let mut set = Self {
            run,
            limits,
            memtable: KeySet::default(),
            hot: RecentKeyCache::with_slots(limits.hot_keys.max(1)),
            segments: Vec::new(),
            merges: BTreeMap::new(),
            garbage: Vec::new(),
        };
        let mut stored = conn.prepare("SELECT id, level, keys, live FROM seen_segment WHERE run = ?1")?;
        let mut rows = stored.query([run])?;
        while let Some(row) = rows.next()? {
            let id = row.get(0)?;
            if row.get(3)? {
                set.segments.push(KeySegment::load(conn, id, row.get(1)?, row.get::<_, i64>(2)? as u64)?);
            } else {
                set.garbage.push(id);
            }
        }
        set.order_segments();
        let mut log = conn.prepare("SELECT keys FROM seen_log WHERE run = ?1")?;
        let mut rows = log.query([run])?;
        while let Some(row) = rows.next()? {
            set.memtable
                .extend(segment::decode_keys(row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?));
        }
        Ok(set)
    }

    /// Returns for each key whether it is new. Of two equal keys only the first counts as new.
    pub fn find_new(&mut self, conn: &Connection, keys: &[u128]) -> DatabaseResult<Vec<bool>> {
        let mut candidates: Vec<(u128, u32)> = Vec::new();
        for (at, &key) in keys.iter().enumerate() {
            if !self.hot.contains(key) && !self.memtable.contains(&key) {
                candidates.push((key, at as u32));
            }
        }
        // Sorted, so that filters and blocks are walked once, front to back.
        candidates.sort_unstable();
        candidates.dedup_by_key(|(key, _)| *key);
        for segment in &self.segments {
            segment.remove_known(conn, &mut candidates, |key| self.hot.insert(key))?;
        }
        let mut fresh = vec![false; keys.len()];
        for (_, at) in candidates {
            if let Some(flag) = fresh.get_mut(at as usize) {
                *flag = true;
            }
        }
        Ok(fresh)
    }

    /// Appends new keys to the log, within the batch's transaction.
    pub fn append_log(&self, tx: &Connection, keys: &[u128]) -> DatabaseResult<()> {
        if !keys.is_empty() {
            let bytes: Vec<u8> = keys.iter().flat_map(|key| key.to_be_bytes()).collect();
            tx.prepare_cached("INSERT INTO seen_log (run, keys) VALUES (?1, ?2)")?
                .execute(params![self.run, bytes])?;
        }
        Ok(())
    }

    /// Adds keys to the memory table after their batch was committed.
    pub fn add_committed_keys(&mut self, keys: &[u128]) {
        self.memtable.extend(keys);
    }

    /// Maintains the set after a batch with `new` keys: flush, a slice of merging, some deletions.
    /// Each step is a separate transaction; a failure leaves the set unchanged.
    pub fn maintain(&mut self, conn: &Connection, new: usize) -> DatabaseResult<()> {
        if self.memtable.len() >= self.limits.memtable_keys.max(1) {
            self.flush(conn)?;
        }
        self.start_merges(conn)?;
        self.advance_merge(conn, (new * MERGED_PER_NEW_KEY).max(MIN_SLICE))?;
        self.delete_garbage(conn)
    }

    /// Returns the approximate memory used, in bytes.
    pub fn memory_bytes(&self) -> usize {
        let table = self.memtable.capacity() * (size_of::<u128>() + 1) * 8 / 7;
        table + self.hot.memory_bytes() + self.segments.iter().map(KeySegment::memory_bytes).sum::<usize>()
    }

    /// Writes the memory table as a segment and empties the log.
    fn flush(&mut self, conn: &Connection) -> DatabaseResult<()> {
        let mut keys: Vec<u128> = self.memtable.iter().copied().collect();
        keys.sort_unstable();
        let tx = begin(conn)?;
        let id = self.create_segment(&tx, 0, keys.len() as u64, true)?;
        let mut builder = SegmentBuilder::new(id, 0, keys.len() as u64);
        for key in keys {
            builder.push_key(&tx, key)?;
        }
        let segment = builder.finish(&tx)?;
        tx.prepare_cached("DELETE FROM seen_log WHERE run = ?1")?.execute([self.run])?;
        tx.commit()?;
        self.memtable.clear();
        self.segments.push(segment);
        self.order_segments();
        Ok(())
    }

    /// Starts a merge on every level with enough idle segments.
    fn start_merges(&mut self, conn: &Connection) -> DatabaseResult<()> {
        let mut per_level: BTreeMap<u32, usize> = BTreeMap::new();
        for segment in &self.segments {
            *per_level.entry(segment.level).or_default() += 1;
        }
        for (level, count) in per_level {
            if count < self.limits.fan_out.max(2) || self.merges.contains_key(&level) {
                continue;
            }
            let keys = self.segments.iter().filter(|s| s.level == level).map(|s| s.keys).sum();
            let tx = begin(conn)?;
            let id = self.create_segment(&tx, level + 1, keys, false)?;
            tx.commit()?;
            let inputs = self.segments.iter().filter(|segment| segment.level == level);
            self.merges.insert(level, SegmentMerge::new(id, level + 1, inputs));
        }
        Ok(())
    }

    /// Advances the merge of the lowest level. Those merges are short and keep lookups few.
    fn advance_merge(&mut self, conn: &Connection, keys: usize) -> DatabaseResult<()> {
        // Taken out while it runs: if a slice fails, the merge is dropped and starts over later.
        let Some((level, mut merge)) = self.merges.pop_first() else { return Ok(()) };
        // Counts as garbage until this slice succeeds, so that a failed merge is cleaned up.
        self.garbage.push(merge.output_id());
        let tx = begin(conn)?;
        if !merge.advance(&tx, keys)? {
            tx.commit()?;
            self.garbage.pop();
            self.merges.insert(level, merge);
            return Ok(());
        }
        let inputs: Vec<i64> = merge.input_ids().collect();
        let output = merge.output_id();
        let segment = merge.finish(&tx)?;
        tx.prepare_cached("UPDATE seen_segment SET live = 1 WHERE id = ?1")?.execute([output])?;
        for input in &inputs {
            tx.prepare_cached("UPDATE seen_segment SET live = 0 WHERE id = ?1")?.execute([input])?;
        }
        tx.commit()?;
        self.garbage.pop();
        self.segments.retain(|segment| !inputs.contains(&segment.id));
        self.garbage.extend(inputs);
        self.segments.push(segment);
        self.order_segments();
        Ok(())
    }

    /// Deletes some blocks of a dead segment, and its row with the last of them.
    fn delete_garbage(&mut self, conn: &Connection) -> DatabaseResult<()> {
        let Some(&id) = self.garbage.last() else { return Ok(()) };
        let tx = begin(conn)?;
        let gone = delete_segment(&tx, id, DELETED_PER_BATCH)?;
        tx.commit()?;
        if gone {
            self.garbage.pop();
        }
        Ok(())
    }

    fn create_segment(&self, tx: &Connection, level: u32, keys: u64, live: bool) -> DatabaseResult<i64> {
        tx.prepare_cached("INSERT INTO seen_segment (run, level, keys, live) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![self.run, level, keys as i64, live])?;
        Ok(tx.last_insert_rowid())
    }

    fn order_segments(&mut self) {
        self.segments.sort_by_key(|segment| std::cmp::Reverse(segment.keys));
    }
}

/// Returns finished runs that still have keys because forgetting them was interrupted.
pub(super) fn runs_to_forget(conn: &Connection) -> DatabaseResult<Vec<RunId>> {
    Ok(conn
        .prepare(
            "SELECT id FROM run WHERE state = 'finished' AND (id IN (SELECT run FROM seen_segment) \
             OR EXISTS (SELECT 1 FROM seen_log WHERE seen_log.run = run.id))",
        )?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?)
}

/// Deletes all keys of a run, a slice per transaction.
pub(super) fn forget_run(conn: &Connection, run: RunId) -> DatabaseResult<()> {
    let tx = begin(conn)?;
    tx.execute("DELETE FROM seen_log WHERE run = ?1", [run])?;
    tx.execute("UPDATE seen_segment SET live = 0 WHERE run = ?1", [run])?;
    tx.commit()?;
    let segments: Vec<i64> = conn
        .prepare("SELECT id FROM seen_segment WHERE run = ?1")?
        .query_map([run], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    for id in segments {
        loop {
            let tx = begin(conn)?;
            let gone = delete_segment(&tx, id, 16 * DELETED_PER_BATCH)?;
            tx.commit()?;
            if gone {
                break;
            }
        }
    }
    Ok(())
}

/// Deletes up to `limit` blocks of a segment. Returns `true` when the segment is gone.
fn delete_segment(tx: &Connection, id: i64, limit: i64) -> DatabaseResult<bool> {
    let first: Option<i64> = tx
        .prepare_cached("SELECT min(id) FROM seen_block WHERE id >= ?1 AND id < ?2")?
        .query_row([first_block(id), first_block(id + 1)], |row| row.get(0))?;
    let Some(first) = first else {
        tx.prepare_cached("DELETE FROM seen_segment WHERE id = ?1")?.execute([id])?;
        return Ok(true);
    };
    let end = first_block(id + 1).min(first + limit);
    tx.prepare_cached("DELETE FROM seen_block WHERE id >= ?1 AND id < ?2")?.execute([first, end])?;
    Ok(false)
}

fn begin(conn: &Connection) -> DatabaseResult<Transaction<'_>> {
    Ok(Transaction::new_unchecked(conn, TransactionBehavior::Immediate)?)
}

#[cfg(test)]
mod tests;
