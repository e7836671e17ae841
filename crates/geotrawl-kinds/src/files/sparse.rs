//! A remote file of which only some byte ranges have been fetched.

use std::cell::Cell;
use std::io;

/// Why bytes cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SparseReadError {
    /// First and last byte that must be fetched.
    Bytes(u64, u64),
    /// The bytes do not exist, or the contents are invalid.
    Damage,
}

/// The ranges of a file that have been fetched so far.
///
/// Readers use it as if it were the whole file. It records reads of missing bytes, so that the
/// probe knows that more must be fetched.
#[derive(Debug, Default)]
pub struct SparseFile {
    /// Size of the whole file, if known.
    total: Option<u64>,
    /// Fetched ranges, sorted and never adjacent.
    segments: Vec<(u64, Vec<u8>)>,
    /// A reader needed bytes that have not been fetched.
    missed: Cell<bool>,
}

impl SparseFile {
    /// Creates a file that is completely in memory.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self {
            total: Some(bytes.len() as u64),
            segments: if bytes.is_empty() { Vec::new() } else { vec![(0, bytes)] },
            missed: Cell::new(false),
        }
    }

    /// Returns the size of the whole file, if known.
    pub fn total(&self) -> Option<u64> {
        self.total
    }

    /// Sets the size of the whole file.
    pub fn set_total(&mut self, total: u64) {
        self.total = Some(total);
    }

    /// Returns whether every byte has been fetched.
    pub fn is_complete(&self) -> bool {
        match self.total {
            None => false,
            Some(0) => true,
            Some(total) => self.has_range(0, total - 1),
        }
    }

    /// Returns the number of bytes in memory.
    pub fn held_bytes(&self) -> u64 {
        self.segments.iter().map(|(_, bytes)| bytes.len() as u64).sum()
    }

    /// Adds a fetched range. Bytes already present are not overwritten.
    pub fn insert_range(&mut self, at: u64, bytes: &[u8]) {
        let Some(end) = at.checked_add(bytes.len() as u64) else { return };
        if bytes.is_empty() {
            return;
        }
        let mut merged_at = at;
        let mut merged = bytes.to_vec();
        let mut kept = Vec::with_capacity(self.segments.len() + 1);
        for (start, old) in self.segments.drain(..) {
            let old_end = start + old.len() as u64;
            if old_end < at || start > end {
                kept.push((start, old));
                continue;
            }
            // Overlapping or adjacent ranges: merge them, keeping the old bytes.
            let from = merged_at.min(start);
            let to = (merged_at + merged.len() as u64).max(old_end);
            let mut joined = vec![0; (to - from) as usize];
            let new_at = (merged_at - from) as usize;
            joined[new_at..new_at + merged.len()].copy_from_slice(&merged);
            let old_at = (start - from) as usize;
            joined[old_at..old_at + old.len()].copy_from_slice(&old);
            merged_at = from;
            merged = joined;
        }
        kept.push((merged_at, merged));
        kept.sort_unstable_by_key(|(start, _)| *start);
        self.segments = kept;
    }

    /// Returns the contiguous bytes available from `at` on; empty if `at` itself is missing.
    pub fn bytes_from(&self, at: u64) -> &[u8] {
        for (start, bytes) in &self.segments {
            if let Some(skip) = at.checked_sub(*start)
                && let Some(rest) = usize::try_from(skip).ok().and_then(|skip| bytes.get(skip..))
            {
                return rest;
            }
        }
        &[]
    }

    /// Returns the bytes available at the start of the file.
    pub fn head(&self) -> &[u8] {
        self.bytes_from(0)
    }

    /// Returns whether `first..=last` is available.
    pub fn has_range(&self, first: u64, last: u64) -> bool {
        first > last || self.bytes_from(first).len() as u64 > last - first
    }

    /// Returns the missing part of `first..=last`, from its first to its last missing byte.
    pub fn missing_range(&self, first: u64, last: u64) -> Option<(u64, u64)> {
        let first = first + self.bytes_from(first).len() as u64;
        if first > last {
            return None;
        }
        // If the end is available, only the part before it is missing.
        let last = match self.segments.iter().find(|(at, b)| *at <= last && last < at + b.len() as u64) {
            Some((at, _)) => at.saturating_sub(1),
            None => last,
        };
        Some((first, last))
    }

    /// Returns exactly `len` bytes at `at`, or the range that is missing.
    pub fn read_range(&self, at: u64, len: u64) -> Result<&[u8], SparseReadError> {
        if len == 0 {
            return Ok(&[]);
        }
        let last = at.checked_add(len - 1).ok_or(SparseReadError::Damage)?;
        if self.total.is_some_and(|total| last >= total) {
            return Err(SparseReadError::Damage);
        }
        let at_hand = self.bytes_from(at);
        match usize::try_from(len).ok().and_then(|len| at_hand.get(..len)) {
            Some(bytes) => Ok(bytes),
            None => Err(SparseReadError::Bytes(at, last)),
        }
    }

    /// Returns whether a reader needed missing bytes since the last call.
    pub fn take_missed(&self) -> bool {
        self.missed.take()
    }
}

impl rawzip::ReaderAt for SparseFile {
    fn read_at(&self, buf: &mut [u8], offset: u64) -> io::Result<usize> {
        let at_hand = self.bytes_from(offset);
        if at_hand.is_empty() {
            if self.total.is_some_and(|total| offset >= total) {
                return Ok(0);
            }
            self.missed.set(true);
            return Err(io::Error::new(io::ErrorKind::WouldBlock, "not fetched"));
        }
        let n = at_hand.len().min(buf.len());
        buf[..n].copy_from_slice(&at_hand[..n]);
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rawzip::ReaderAt;

    #[test]
    fn ranges_join_and_gaps_are_told() {
        let mut file = SparseFile::default();
        file.set_total(100);
        file.insert_range(0, &[1; 10]);
        file.insert_range(50, &[2; 50]);
        assert_eq!(file.missing_range(5, 99), Some((10, 49)));
        assert_eq!(file.missing_range(60, 99), None);
        assert!(!file.is_complete());
        file.insert_range(8, &[3; 44]);
        assert!(file.is_complete());
        assert_eq!(file.head()[8..12], [1, 1, 3, 3]);
        assert_eq!(file.head()[48..52], [3, 3, 2, 2]);
    }

    #[test]
    fn reading_a_gap_is_an_error_and_reading_past_the_end_is_not() {
        let mut file = SparseFile::default();
        file.set_total(20);
        file.insert_range(0, b"ten bytes!");
        let mut buf = [0; 4];
        assert_eq!(file.read_at(&mut buf, 8).unwrap(), 2);
        assert!(!file.take_missed());
        assert!(file.read_at(&mut buf, 10).is_err());
        assert!(file.take_missed());
        assert_eq!(file.read_at(&mut buf, 20).unwrap(), 0);
    }

    proptest! {
        #[test]
        fn any_order_of_ranges_gives_back_the_file(parts in prop::collection::vec((0u64..200, 0usize..60), 0..20)) {
            let truth: Vec<u8> = (0..=255).collect();
            let mut file = SparseFile::default();
            file.set_total(256);
            let mut known = [false; 256];
            for (at, len) in parts {
                let end = (at as usize + len).min(256);
                file.insert_range(at, &truth[at as usize..end]);
                known[at as usize..end].fill(true);
            }
            for (at, known) in known.iter().enumerate() {
                prop_assert_eq!(file.bytes_from(at as u64).first().copied(), known.then_some(truth[at]));
            }
            prop_assert_eq!(file.held_bytes(), known.iter().filter(|k| **k).count() as u64);
        }
    }
}
