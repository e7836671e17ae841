//! A sorted segment: keys on disk in blocks of one page each, filter and first keys in memory.

use super::super::database_error::{DatabaseError, DatabaseResult};
use super::filter::BloomFilter;
use rusqlite::{Connection, params};

/// Keys per full block. With its row header a block fills one 4,096-byte leaf page without
/// overflow.
pub(super) const BLOCK_KEYS: usize = 250;
/// Bytes per key.
const KEY_BYTES: usize = size_of::<u128>();
/// Bits of a block's row id that number the block within its segment.
const BLOCK_BITS: u32 = 24;

const READ_BLOCK: &str = "SELECT keys FROM seen_block WHERE id = ?1";

/// Returns the first row id of a segment's blocks.
pub(super) fn first_block(segment: i64) -> i64 {
    segment << BLOCK_BITS
}

/// Decodes the keys of a block.
pub(super) fn decode_keys(bytes: &[u8]) -> impl Iterator<Item = u128> {
    bytes.as_chunks::<KEY_BYTES>().0.iter().map(|chunk| u128::from_be_bytes(*chunk))
}

/// A live segment.
pub(super) struct KeySegment {
    pub id: i64,
    pub level: u32,
    pub keys: u64,
    filter: BloomFilter,
    /// First key of each block.
    fences: Vec<u128>,
}

impl KeySegment {
    /// Reads a segment's blocks and rebuilds its filter and fences.
    pub fn load(conn: &Connection, id: i64, level: u32, keys: u64) -> DatabaseResult<Self> {
        let mut builder = SegmentBuilder::new(id, level, keys);
        let mut blocks =
            conn.prepare_cached("SELECT keys FROM seen_block WHERE id >= ?1 AND id < ?2 ORDER BY id")?;
        let mut rows = blocks.query([first_block(id), first_block(id + 1)])?;
        while let Some(row) = rows.next()? {
            builder.note_block(row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?);
        }
        if builder.written == keys {
            Ok(builder.into_segment())
        } else {
            Err(DatabaseError::Inconsistent(format!(
                "the known-URL set is damaged: segment {id} has {} keys instead of {keys}; restore a backup, \
                 or move the file away and crawl again",
                builder.written
            )))
        }
    }

    /// Returns the number of blocks.
    pub fn block_count(&self) -> i64 {
        self.fences.len() as i64
    }

    /// Returns the memory used, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.filter.memory_bytes() + self.fences.capacity() * KEY_BYTES
    }

    /// Removes the keys that the segment holds from the sorted candidates and passes them to
    /// `known`. Confirms the filter's positives in the block, reading each block once.
    pub fn remove_known<T>(
        &self,
        conn: &Connection,
        candidates: &mut Vec<(u128, T)>,
        mut known: impl FnMut(u128),
    ) -> DatabaseResult<()> {
        let mut read = conn.prepare_cached(READ_BLOCK)?;
        let mut block = Vec::with_capacity(BLOCK_KEYS * KEY_BYTES);
        let mut loaded = None;
        let mut fault = None;
        // `retain` cannot stop early, so remember the error and keep the remaining candidates.
        candidates.retain(|&(key, _)| {
            if fault.is_some() || !self.filter.may_contain(key) {
                return true;
            }
            // The last block whose first key is not greater; none if the key is below all of them.
            let Some(number) = self.fences.partition_point(|fence| *fence <= key).checked_sub(1) else {
                return true;
            };
            if loaded != Some(number) {
                let row = read.query_row([first_block(self.id) + number as i64], |row| {
                    block.clear();
                    block.extend_from_slice(row.get_ref(0)?.as_blob()?);
                    Ok(())
                });
                if let Err(error) = row {
                    fault = Some(error);
                    return true;
                }
                loaded = Some(number);
            }
            let held = block.as_chunks::<KEY_BYTES>().0.binary_search(&key.to_be_bytes()).is_ok();
            if held {
                known(key);
            }
            !held
        });
        fault.map_or(Ok(()), |error| Err(error.into()))
    }
}

/// Builds a segment from keys in ascending order.
pub(super) struct SegmentBuilder {
    segment: KeySegment,
    written: u64,
    buffer: Vec<u8>,
}

impl SegmentBuilder {
    /// Creates a builder for exactly this many keys.
    pub fn new(id: i64, level: u32, keys: u64) -> Self {
        let fences = Vec::with_capacity(keys.div_ceil(BLOCK_KEYS as u64) as usize);
        Self {
            segment: KeySegment { id, level, keys, filter: BloomFilter::for_keys(keys), fences },
            written: 0,
            buffer: Vec::with_capacity(BLOCK_KEYS * KEY_BYTES),
        }
    }

    /// Returns the id of the segment being built.
    pub fn id(&self) -> i64 {
        self.segment.id
    }

    /// Appends a key; writes the block when it is full.
    pub fn push_key(&mut self, conn: &Connection, key: u128) -> DatabaseResult<()> {
        self.buffer.extend_from_slice(&key.to_be_bytes());
        if self.buffer.len() == BLOCK_KEYS * KEY_BYTES { self.write_block(conn) } else { Ok(()) }
    }

    /// Writes the remaining keys and returns the segment.
    pub fn finish(mut self, conn: &Connection) -> DatabaseResult<KeySegment> {
        if !self.buffer.is_empty() {
            self.write_block(conn)?;
        }
        Ok(self.into_segment())
    }

    fn write_block(&mut self, conn: &Connection) -> DatabaseResult<()> {
        let id = first_block(self.segment.id) + self.segment.block_count();
        conn.prepare_cached("INSERT INTO seen_block (id, keys) VALUES (?1, ?2)")?
            .execute(params![id, self.buffer])?;
        let block = std::mem::take(&mut self.buffer);
        self.note_block(&block);
        self.buffer = block;
        self.buffer.clear();
        Ok(())
    }

    /// Adds a block that is on disk to the filter and the fences.
    fn note_block(&mut self, block: &[u8]) {
        for (nth, key) in decode_keys(block).enumerate() {
            if nth == 0 {
                self.segment.fences.push(key);
            }
            self.segment.filter.insert(key);
            self.written += 1;
        }
    }

    fn into_segment(self) -> KeySegment {
        self.segment
    }
}
