//! Groups and attributes of an HDF5 file of which only some parts are available.
//!
//! Implemented here because the existing readers are either recent first releases (`hdf5-reader`,
//! `hdf5-pure`) or the C library, and all of them need the whole file. A probe needs the attributes
//! that can be read, and the byte ranges that would give more. Dataset values are read only if they
//! are contiguous.

mod heap;
mod message;

use super::acdd::Attributes;
use super::cursor::ByteCursor;
use crate::files::{SparseFile, SparseReadError};
use std::cell::{Cell, RefCell};

pub use message::Hdf5Array;

/// First eight bytes of a file, or of the part after its user block.
pub const MAGIC: &[u8] = b"\x89HDF\r\n\x1a\n";
/// Marks an undefined address.
const NOWHERE: u64 = u64::MAX;
/// Number of pieces to read for one question. Bounds long chains and cycles.
const BUDGET: u32 = 2000;
/// Number of bytes to read from one file: a hostile file may refer to the same blocks again and
/// again.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
/// Maximum length of a piece.
const MAX_PIECE: u64 = 128 * 1024;
/// Maximum number of members to keep of a group.
const MAX_LINKS: usize = 2000;
/// Maximum number of attributes to keep of an object.
const MAX_ATTRIBUTES: usize = 500;
/// Maximum depth of the tree of a group.
const MAX_LEVELS: usize = 6;

/// HDF5 file of which only some parts are available.
#[derive(Debug)]
pub struct Hdf5File<'a> {
    file: &'a SparseFile,
    /// Base that addresses are relative to.
    base: u64,
    /// Width of an address in bytes.
    offset: usize,
    /// Width of a length in bytes.
    length: usize,
    root: u64,
    /// Version of the superblock.
    pub version: u8,
    budget: Cell<u32>,
    bytes_left: Cell<u64>,
    lacking: RefCell<Vec<(u64, u64)>>,
}

/// Group or dataset.
#[derive(Debug, Clone, Default)]
pub struct Hdf5Object {
    pub attributes: Attributes,
    /// Names and addresses of the members.
    pub links: Vec<(String, u64)>,
    /// Values, if they are contiguous.
    pub array: Option<Hdf5Array>,
}

/// Returns the offset of the superblock if the bytes start an HDF5 file.
pub fn find_superblock(head: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        if head.get(at..)?.starts_with(MAGIC) {
            return Some(at);
        }
        // After a user block, the superblock is at 512, 1024, 2048 and so on.
        at = if at == 0 { 512 } else { at * 2 };
    }
}

impl<'a> Hdf5File<'a> {
    /// Opens a file by its superblock.
    pub fn open(file: &'a SparseFile) -> Option<Self> {
        let head = file.head();
        let start = find_superblock(head)?;
        let block = head.get(start..)?;
        let version = *block.get(8)?;
        let sizes_at = if version < 2 { 13 } else { 9 };
        let (offset, length) = (usize::from(*block.get(sizes_at)?), usize::from(*block.get(sizes_at + 1)?));
        if version > 3 || !matches!(offset, 2 | 4 | 8) || !matches!(length, 2 | 4 | 8) {
            return None;
        }
        let mut cursor = ByteCursor::little_endian(block);
        cursor.seek(match version {
            0 => 24,
            1 => 28,
            _ => 12,
        });
        let base = cursor.read_uint(offset)?;
        cursor.skip(3 * offset)?;
        // Versions 0 and 1 hold an entry for the root group, whose address follows its name. Later
        // versions hold the address itself.
        let root = if version < 2 {
            cursor.skip(offset)?;
            cursor.read_uint(offset)?
        } else {
            cursor.seek(12 + 3 * offset).read_uint(offset)?
        };
        let base = if base == 0 { start as u64 } else { base };
        let (budget, bytes_left) = (Cell::new(BUDGET), Cell::new(MAX_BYTES));
        let lacking = RefCell::default();
        Some(Self { file, base, offset, length, root, version, budget, bytes_left, lacking })
    }

    /// Returns the root group.
    pub fn root_group(&self) -> Option<Hdf5Object> {
        self.read_object(self.root)
    }

    /// Returns the byte ranges that were needed but are not available.
    pub fn missing_ranges(&self) -> Vec<(u64, u64)> {
        let mut spans = self.lacking.borrow().clone();
        spans.sort_unstable();
        spans
    }

    /// Clears the missing ranges, for parts that are not worth a request.
    pub fn clear_missing_ranges(&self) {
        self.lacking.borrow_mut().clear();
    }

    /// Returns the address of a member.
    pub fn member_address(object: &Hdf5Object, name: &str) -> Option<u64> {
        object.links.iter().find(|(n, _)| n == name).map(|(_, at)| *at)
    }

    /// Returns the bytes of an array that is at most `max` bytes long.
    pub fn array_bytes(&self, array: &Hdf5Array, max: u64) -> Option<&'a [u8]> {
        (array.length <= max).then(|| self.piece(array.at, array.length)).flatten()
    }

    /// Returns the bytes at an address, and records the range if it is not available.
    fn piece(&self, at: u64, length: u64) -> Option<&'a [u8]> {
        let left = self.budget.get().checked_sub(1)?;
        self.budget.set(left);
        if at == NOWHERE || length > MAX_PIECE {
            return None;
        }
        self.bytes_left.set(self.bytes_left.get().checked_sub(length)?);
        match self.file.read_range(at.checked_add(self.base)?, length) {
            Ok(bytes) => Some(bytes),
            Err(SparseReadError::Bytes(first, last)) => {
                self.lacking.borrow_mut().push((first, last));
                None
            }
            Err(SparseReadError::Damage) => None,
        }
    }

    fn address(&self, cursor: &mut ByteCursor<'_>) -> Option<u64> {
        let value = cursor.read_uint(self.offset)?;
        // All bits set means "undefined" in every width.
        let all_ones = u64::MAX >> (64 - 8 * self.offset);
        Some(if value == all_ones { NOWHERE } else { value })
    }

    fn size(&self, cursor: &mut ByteCursor<'_>) -> Option<u64> {
        cursor.read_uint(self.length)
    }

    /// Reads an object: its header and what the header messages refer to.
    pub fn read_object(&self, at: u64) -> Option<Hdf5Object> {
        let start = self.piece(at, 16)?;
        let mut object = Hdf5Object::default();
        let mut state = message::ArrayBuilder::default();
        let mut blocks = Vec::new();
        let version_2 = start.starts_with(b"OHDR");
        let mut creation_order = false;
        if version_2 {
            let flags = *start.get(5)?;
            let mut skip = 6;
            skip += if flags & 0x20 != 0 { 16 } else { 0 };
            skip += if flags & 0x10 != 0 { 4 } else { 0 };
            let width = 1_u64 << (flags & 3);
            let size = ByteCursor::little_endian(self.piece(at + skip, width)?).read_uint(width as usize)?;
            creation_order = flags & 4 != 0;
            blocks.push((at + skip + width, size));
        } else {
            if start.first() != Some(&1) {
                return None;
            }
            blocks.push((at + 16, u64::from(ByteCursor::little_endian(start).seek(8).read_u32()?)));
        }
        let mut next = 0;
        while let Some(&(at, length)) = blocks.get(next)
            && next < 64
        {
            next += 1;
            let Some(bytes) = self.piece(at, length) else { continue };
            let messages = message::HeaderMessages {
                cursor: ByteCursor::little_endian(bytes),
                version_2,
                creation_order,
            };
            for (kind, flags, body) in messages {
                if kind == 0x10 {
                    let mut cursor = ByteCursor::little_endian(body);
                    if let (Some(at), Some(length)) = (self.address(&mut cursor), self.size(&mut cursor)) {
                        // Continuation blocks of version 2 have a signature before and a checksum
                        // after the messages.
                        let trim = if version_2 { 4 } else { 0 };
                        if at != NOWHERE && length > 2 * trim {
                            blocks.push((at.saturating_add(trim), length - 2 * trim));
                        }
                    }
                } else {
                    self.read_message(kind, flags, body, &mut state, &mut object);
                }
            }
        }
        object.array = state.into_array();
        Some(object)
    }

    /// Reads the members of an old-style group: a tree of symbol tables, with the names in a heap.
    fn symbol_table(&self, tree: u64, heap: u64, links: &mut Vec<(String, u64)>) -> Option<()> {
        let head = self.piece(heap, 8 + 2 * self.length as u64 + self.offset as u64)?;
        head.starts_with(b"HEAP").then_some(())?;
        let mut cursor = ByteCursor::little_endian(head);
        cursor.seek(8);
        let names_len = self.size(&mut cursor)?.min(MAX_PIECE);
        self.size(&mut cursor)?;
        let names = self.piece(self.address(&mut cursor)?, names_len)?;
        let mut pending = vec![(tree, 0_usize)];
        while let Some((at, depth)) = pending.pop() {
            if depth > MAX_LEVELS || links.len() >= MAX_LINKS {
                break;
            }
            let Some(mark) = self.piece(at, 8) else { continue };
            let mut cursor = ByteCursor::little_endian(mark);
            if mark.starts_with(b"TREE") {
                let count = u64::from(cursor.seek(6).read_u16()?);
                let width = (self.offset + self.length) as u64;
                let body_at = at + 8 + 2 * self.offset as u64;
                let Some(body) = self.piece(body_at, count.min(512) * width) else { continue };
                let mut cursor = ByteCursor::little_endian(body);
                let mut children = Vec::new();
                while let (Some(_), Some(child)) = (self.size(&mut cursor), self.address(&mut cursor)) {
                    children.push((child, depth + 1));
                }
                pending.extend(children.into_iter().rev());
            } else if mark.starts_with(b"SNOD") {
                let count = u64::from(cursor.seek(6).read_u16()?);
                let width = 2 * self.offset as u64 + 24;
                let Some(body) = self.piece(at + 8, count.min(512) * width) else { continue };
                for entry in body.chunks_exact(width as usize) {
                    let mut cursor = ByteCursor::little_endian(entry);
                    let name_at = cursor.read_uint(self.offset)?;
                    let target = self.address(&mut cursor)?;
                    let name = usize::try_from(name_at).ok().and_then(|at| names.get(at..));
                    if let Some(name) = name {
                        links.push((super::cursor::text_until_nul(name.get(..256).unwrap_or(name)), target));
                    }
                }
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_user_block_may_stand_before_the_superblock() {
        let mut bytes = vec![b'#'; 1024];
        bytes.extend_from_slice(MAGIC);
        assert_eq!(find_superblock(&bytes), Some(1024));
        assert_eq!(find_superblock(&bytes[..900]), None);
    }

    proptest! {
        #[test]
        fn no_bytes_panic_or_loop(tail in prop::collection::vec(any::<u8>(), 0..600), version in 0_u8..4) {
            let mut bytes = MAGIC.to_vec();
            // The root group is at byte 48 in either version.
            if version < 2 {
                bytes.extend([version, 0, 0, 0, 0, 8, 8, 0, 4, 0, 16, 0, 0, 0, 0, 0]);
            } else {
                bytes.extend([version, 8, 8, 0]);
                bytes.extend([0; 24]);
                bytes.extend([48, 0, 0, 0, 0, 0, 0, 0]);
            }
            bytes.extend(&tail);
            let file = SparseFile::from_bytes(bytes);
            if let Some(hdf) = Hdf5File::open(&file) {
                for at in [48, 96, 0] {
                    if let Some(object) = hdf.read_object(at) {
                        for (_, link) in object.links.iter().take(10) {
                            let _ = hdf.read_object(*link);
                        }
                    }
                }
            }
        }

        #[test]
        fn headers_of_either_form_never_panic(tail in prop::collection::vec(any::<u8>(), 0..300), new in any::<bool>()) {
            let mut bytes = MAGIC.to_vec();
            bytes.extend([2, 8, 8, 0]);
            bytes.extend([0; 24]);
            bytes.extend([48, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
            if new {
                bytes.extend(b"OHDR\x02\x01\x2c\x01");
            } else {
                bytes.extend([1, 0, 9, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
            }
            bytes.extend(&tail);
            bytes.resize(bytes.len().max(500), 0);
            let file = SparseFile::from_bytes(bytes);
            if let Some(hdf) = Hdf5File::open(&file) {
                let _ = hdf.root_group();
            }
        }
    }
}
