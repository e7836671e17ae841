//! Sets of the documents of a segment, with one bit per document: 250 KB for two million documents,
//! combined 64 at a time.

/// A set of document or slot numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BitSet(Vec<u64>);

impl BitSet {
    /// Returns an empty set over `documents` documents.
    pub fn empty(documents: u32) -> Self {
        Self(vec![0; (documents as usize).div_ceil(64)])
    }

    /// Returns the set of all `documents` documents.
    pub fn full(documents: u32) -> Self {
        let mut bits = Self(vec![u64::MAX; (documents as usize).div_ceil(64)]);
        if let (Some(last), rest @ 1..) = (bits.0.last_mut(), documents % 64) {
            *last = (1 << rest) - 1;
        }
        bits
    }

    /// Adds documents; numbers beyond the size of the set are ignored.
    #[inline]
    pub fn insert_all(&mut self, documents: &[u32]) {
        for document in documents {
            if let Some(word) = self.0.get_mut(*document as usize / 64) {
                *word |= 1 << (document % 64);
            }
        }
    }

    /// Adds the documents of another set.
    pub fn union_with(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    /// Keeps only the documents that are also in another set.
    pub fn intersect_with(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= other);
    }

    /// Removes the documents of another set.
    pub fn subtract(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= !other);
    }

    /// Adds the documents that are in both of two other sets.
    pub fn union_with_intersection(&mut self, of: &Self, other: &Self) {
        self.0.iter_mut().zip(of.0.iter().zip(&other.0)).for_each(|(word, (a, b))| *word |= a & b);
    }

    /// Calls `found` for every document, in ascending order.
    #[inline]
    pub fn for_each(&self, mut found: impl FnMut(u32)) {
        for (at, word) in self.0.iter().enumerate() {
            let mut word = *word;
            while word != 0 {
                found(at as u32 * 64 + word.trailing_zeros());
                word &= word - 1;
            }
        }
    }

    /// Returns whether the set contains a document.
    #[inline]
    pub fn contains(&self, document: u32) -> bool {
        self.0.get(document as usize / 64).is_some_and(|word| (word >> (document % 64)) & 1 != 0)
    }

    /// Returns the first document at or after `from`.
    #[inline]
    pub fn next_from(&self, from: u32) -> Option<u32> {
        let mut at = from as usize / 64;
        let mut word = self.0.get(at)? & (u64::MAX << (from % 64));
        while word == 0 {
            at += 1;
            word = *self.0.get(at)?;
        }
        Some(at as u32 * 64 + word.trailing_zeros())
    }

    /// Returns the first document from `from` up to, but not including, `to`.
    #[inline]
    pub fn next_in_range(&self, from: u32, to: u32) -> Option<u32> {
        let mut at = from as usize / 64;
        let mut word = self.0.get(at)? & (u64::MAX << (from % 64));
        while word == 0 {
            at += 1;
            if at as u32 * 64 >= to {
                return None;
            }
            word = *self.0.get(at)?;
        }
        Some(at as u32 * 64 + word.trailing_zeros()).filter(|document| *document < to)
    }

    /// Returns the number of documents in the set.
    pub fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns the memory used by the bits, in bytes.
    pub fn size_bytes(&self) -> usize {
        self.0.len() * 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn of(documents: &BTreeSet<u32>) -> BitSet {
        let mut bits = BitSet::empty(300);
        bits.insert_all(&documents.iter().copied().collect::<Vec<_>>());
        bits
    }

    fn list(bits: &BitSet) -> BTreeSet<u32> {
        let mut found = BTreeSet::new();
        let mut at = bits.next_from(0);
        while let Some(document) = at {
            found.insert(document);
            at = bits.next_from(document + 1);
        }
        found
    }

    proptest! {
        #[test]
        fn they_are_sets(
            a in proptest::collection::btree_set(0_u32..300, 0..200),
            b in proptest::collection::btree_set(0_u32..300, 0..200),
        ) {
            prop_assert_eq!(list(&of(&a)), a.clone());
            prop_assert_eq!(of(&a).count(), a.len());
            let mut each = Vec::new();
            of(&a).for_each(|document| each.push(document));
            prop_assert!(each.iter().eq(&a));
            prop_assert!((0..400).all(|document| of(&a).contains(document) == a.contains(&document)));
            for (from, to) in [(0, 0), (0, 300), (63, 65), (64, 128), (70, 250), (299, 300)] {
                prop_assert_eq!(of(&a).next_in_range(from, to), a.range(from..to).next().copied());
            }
            let mut joined = of(&a);
            joined.union_with(&of(&b));
            prop_assert_eq!(list(&joined), a.union(&b).copied().collect());
            let mut cut = of(&a);
            cut.intersect_with(&of(&b));
            prop_assert_eq!(list(&cut), a.intersection(&b).copied().collect());
            let mut rest = of(&a);
            rest.subtract(&of(&b));
            prop_assert_eq!(list(&rest), a.difference(&b).copied().collect());
            let mut both = BitSet::empty(300);
            both.union_with_intersection(&of(&a), &of(&b));
            prop_assert_eq!(both, cut);
        }
    }

    #[test]
    fn all_are_no_more_than_there_are() {
        for documents in [0, 1, 63, 64, 65, 300] {
            assert_eq!(list(&BitSet::full(documents)).len(), documents as usize);
        }
    }
}
