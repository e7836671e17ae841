//! A Bloom filter for sorted keys that are already hashes.
//!
//! Written here for a property that general filters lack: the cache line of a key is a monotone
//! function of the key, so building a filter from a sorted segment (on open, flush and merge) and
//! querying it with a sorted batch both walk through memory in order. Each key touches one cache
//! line.

/// Bits per key. With [`PROBES`], about 1 % of absent keys are false positives.
const BITS_PER_KEY: u64 = 12;
/// Bits set per key; nine bits of the key's low half select each.
const PROBES: usize = 7;
/// Bits per cache line.
const LINE_BITS: u64 = 512;

/// A set of keys that may report false positives but never false negatives.
pub(super) struct BloomFilter {
    lines: Vec<[u64; 8]>,
}

impl BloomFilter {
    /// Creates an empty filter for this many keys.
    pub fn for_keys(keys: u64) -> Self {
        let lines = (keys * BITS_PER_KEY).div_ceil(LINE_BITS).max(1);
        Self { lines: vec![[0; 8]; lines as usize] }
    }

    /// Adds a key.
    pub fn insert(&mut self, key: u128) {
        let at = self.line_of(key);
        if let Some(line) = self.lines.get_mut(at) {
            for (word, mask) in probes(key) {
                line[word] |= mask;
            }
        }
    }

    /// Returns whether the key may have been added.
    pub fn may_contain(&self, key: u128) -> bool {
        match self.lines.get(self.line_of(key)) {
            Some(line) => probes(key).all(|(word, mask)| line[word] & mask != 0),
            // Unreachable; "maybe" is the safe answer.
            None => true,
        }
    }

    /// Returns the memory used, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.lines.len() * size_of::<[u64; 8]>()
    }

    /// Scales the high half of the key to the number of lines.
    fn line_of(&self, key: u128) -> usize {
        (((key >> 64) * self.lines.len() as u128) >> 64) as usize
    }
}

/// Returns word and mask of each bit of the key within its line, computed from its low half.
fn probes(key: u128) -> impl Iterator<Item = (usize, u64)> {
    let low = key as u64;
    (0..PROBES).map(move |probe| {
        let bit = (low >> (probe * 9)) & (LINE_BITS - 1);
        ((bit >> 6) as usize, 1 << (bit & 63))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the nth key of a fixed, well mixed sequence; needs no random generator.
    fn key(n: u64) -> u128 {
        let mix = |x: u64| {
            let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            x ^ (x >> 31)
        };
        (u128::from(mix(n.wrapping_mul(2) + 1)) << 64) | u128::from(mix(n.wrapping_mul(2)))
    }

    #[test]
    fn never_denies_what_it_holds_and_seldom_affirms_what_it_does_not() {
        let mut filter = BloomFilter::for_keys(20_000);
        (0..20_000).for_each(|n| filter.insert(key(n)));
        assert!((0..20_000).all(|n| filter.may_contain(key(n))));
        let wrong = (20_000..120_000).filter(|&n| filter.may_contain(key(n))).count();
        assert!(wrong < 1_500, "{wrong} of 100,000 absent keys were affirmed");
    }

    #[test]
    fn extreme_keys_stay_inside() {
        let mut filter = BloomFilter::for_keys(0);
        for extreme in [0, u128::MAX, 1, u128::MAX - 1] {
            filter.insert(extreme);
            assert!(filter.may_contain(extreme));
        }
    }
}
