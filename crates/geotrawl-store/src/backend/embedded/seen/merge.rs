//! Merges the segments of one level into one segment of the next, one slice at a time.

use super::super::database_error::DatabaseResult;
use super::segment::{KeySegment, SegmentBuilder, decode_keys, first_block};
use rusqlite::{Connection, OptionalExtension};

/// A merge in progress. Its output only becomes live with the last slice, so a crash merely leaves
/// blocks that belong to no live segment; the next start deletes them.
pub(super) struct SegmentMerge {
    inputs: Vec<SegmentCursor>,
    output: SegmentBuilder,
}

impl SegmentMerge {
    /// Starts a merge of these segments into segment `id`.
    pub fn new<'a>(id: i64, level: u32, inputs: impl Iterator<Item = &'a KeySegment>) -> Self {
        let mut keys = 0;
        let inputs = inputs
            .map(|segment| {
                keys += segment.keys;
                SegmentCursor::new(segment)
            })
            .collect();
        Self { inputs, output: SegmentBuilder::new(id, level, keys) }
    }

    /// Returns the id of the segment being written.
    pub fn output_id(&self) -> i64 {
        self.output.id()
    }

    /// Returns the ids of the segments being merged.
    pub fn input_ids(&self) -> impl Iterator<Item = i64> {
        self.inputs.iter().map(|input| input.segment)
    }

    /// Merges about this many keys. Returns `true` when no key is left.
    pub fn advance(&mut self, conn: &Connection, keys: usize) -> DatabaseResult<bool> {
        for input in &mut self.inputs {
            input.fill(conn)?;
        }
        for _ in 0..keys {
            // With this few inputs a linear search is as fast as a heap.
            let least = self.inputs.iter_mut().min_by_key(|input| (input.head().is_none(), input.head()));
            let Some((input, key)) = least.and_then(|input| input.head().map(|key| (input, key))) else {
                return Ok(true);
            };
            input.next += 1;
            if input.next == input.block.len() {
                input.fill(conn)?;
            }
            self.output.push_key(conn, key)?;
        }
        Ok(false)
    }

    /// Writes the last block and returns the segment.
    pub fn finish(self, conn: &Connection) -> DatabaseResult<KeySegment> {
        self.output.finish(conn)
    }
}

/// Read position in a segment.
struct SegmentCursor {
    segment: i64,
    blocks: i64,
    read: i64,
    block: Vec<u128>,
    next: usize,
}

impl SegmentCursor {
    fn new(segment: &KeySegment) -> Self {
        Self { segment: segment.id, blocks: segment.block_count(), read: 0, block: Vec::new(), next: 0 }
    }

    fn head(&self) -> Option<u128> {
        self.block.get(self.next).copied()
    }

    /// Reads the next block when the current one is used up.
    fn fill(&mut self, conn: &Connection) -> DatabaseResult<()> {
        if self.next < self.block.len() || self.read == self.blocks {
            return Ok(());
        }
        self.block.clear();
        self.next = 0;
        let block = &mut self.block;
        conn.prepare_cached("SELECT keys FROM seen_block WHERE id = ?1")?
            .query_row([first_block(self.segment) + self.read], |row| {
                block.extend(decode_keys(row.get_ref(0)?.as_blob()?));
                Ok(())
            })
            .optional()?;
        self.read += 1;
        Ok(())
    }
}
