//! Heaps, which store long lists of attributes and links, and texts of variable length.

use super::super::cursor::ByteCursor;
use super::{Hdf5File, MAX_PIECE, NOWHERE};

/// Number of blocks to read from one heap.
const MAX_BLOCKS: usize = 32;

/// Parts of a fractal heap's header that lead to its blocks.
struct FractalHeap {
    width: u64,
    first_size: u64,
    max_direct: u64,
    /// Width of an offset inside the heap, in bytes.
    offset_len: u64,
    root: u64,
    rows: u16,
    checksums: bool,
}

impl Hdf5File<'_> {
    /// Calls `each` with the bytes that start at every object of a fractal heap. `each` returns the
    /// length of the object.
    ///
    /// The objects are stored one after another in the heap's blocks, so its index is not needed.
    pub(super) fn scan_heap(&self, at: u64, mut each: impl FnMut(&[u8]) -> Option<usize>) {
        let Some(heap) = self.fractal_heap(at) else { return };
        for (at, size) in self.direct_blocks(&heap) {
            let Some(block) = self.piece(at, size) else { continue };
            if !block.starts_with(b"FHDB") {
                continue;
            }
            let checksum = if heap.checksums { 4 } else { 0 };
            let mut start = 5 + self.offset + heap.offset_len as usize + checksum;
            while let Some(rest) = block.get(start..).filter(|rest| rest.len() > 8) {
                // Skip holes byte by byte; blocks are small enough for that.
                start += each(rest).unwrap_or(1).max(1);
            }
        }
    }

    fn fractal_heap(&self, at: u64) -> Option<FractalHeap> {
        let (o, l) = (self.offset as u64, self.length as u64);
        let header = self.piece(at, 22 + 12 * l + 3 * o)?;
        header.starts_with(b"FRHP").then_some(())?;
        let mut cursor = ByteCursor::little_endian(header);
        let filters = cursor.seek(7).read_u16()?;
        // Compressed heaps are not supported.
        (filters == 0).then_some(())?;
        let flags = cursor.read_u8()?;
        cursor.skip(4 + (10 * l + 2 * o) as usize)?;
        let width = u64::from(cursor.read_u16()?);
        let first_size = self.size(&mut cursor)?;
        let max_direct = self.size(&mut cursor)?;
        let offset_len = u64::from(cursor.read_u16()?).div_ceil(8);
        cursor.skip(2)?;
        let root = self.address(&mut cursor)?;
        let rows = cursor.read_u16()?;
        let sane = (1..=256).contains(&width) && first_size <= MAX_PIECE && offset_len <= 8;
        (sane && root != NOWHERE).then_some(FractalHeap {
            width,
            first_size,
            max_direct,
            offset_len,
            root,
            rows,
            checksums: flags & 2 != 0,
        })
    }

    fn direct_blocks(&self, heap: &FractalHeap) -> Vec<(u64, u64)> {
        if heap.rows == 0 {
            return vec![(heap.root, heap.first_size)];
        }
        let start = 5 + self.offset as u64 + heap.offset_len;
        let entries = u64::from(heap.rows.min(16)) * heap.width;
        let Some(bytes) = self.piece(heap.root, start + entries * self.offset as u64) else {
            return Vec::new();
        };
        if !bytes.starts_with(b"FHIB") {
            return Vec::new();
        }
        let mut cursor = ByteCursor::little_endian(bytes);
        cursor.seek(start as usize);
        let mut blocks = Vec::new();
        for entry in 0..entries {
            let Some(at) = self.address(&mut cursor) else { break };
            let row = entry / heap.width;
            // The first two rows have blocks of the initial size; every later row doubles it.
            let size = heap.first_size << row.saturating_sub(1).min(20);
            if size > heap.max_direct || size > MAX_PIECE || blocks.len() >= MAX_BLOCKS {
                break;
            }
            if at != NOWHERE {
                blocks.push((at, size));
            }
        }
        blocks
    }

    /// Returns an object of a global heap.
    pub(super) fn global_heap_object(&self, at: u64, index: u32) -> Option<&[u8]> {
        let head_len = 8 + self.length as u64;
        let head = self.piece(at, head_len)?;
        head.starts_with(b"GCOL").then_some(())?;
        let size = self.size(ByteCursor::little_endian(head).seek(8))?.min(MAX_PIECE);
        let body = self.piece(at, size)?;
        let mut cursor = ByteCursor::little_endian(body);
        cursor.seek(head_len as usize);
        loop {
            let number = cursor.read_u16()?;
            cursor.skip(6)?;
            let length = usize::try_from(self.size(&mut cursor)?).ok()?;
            if number == 0 {
                return None;
            }
            let bytes = cursor.take(length)?;
            if u32::from(number) == index {
                return Some(bytes);
            }
            cursor.skip(length.wrapping_neg() % 8)?;
        }
    }
}
