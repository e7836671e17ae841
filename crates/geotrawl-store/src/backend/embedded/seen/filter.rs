//! A Bloom filter made for sorted keys that are hashes already.
//!
//! Written here because of one property that general filters lack: the cache line of a key is a monotone
//! function of the key, so that building a filter from a sorted segment (on open, flush and merge) and
//! asking it for a sorted batch walk through memory in order. One key costs one cache line.

/// Bits a key takes; with [`PROBES`] about one question in a hundred for an absent key is answered "maybe".
const BITS_PER_KEY: u64 = 12;
/// Bits set per key; nine bits of the key's low half choose each.
const PROBES: usize = 7;
/// Bits of a cache line.
const LINE_BITS: u64 = 512;

/// A set of keys that may say "maybe" for a key it does not hold, never "no" for one it does.
pub(super) struct BloomFilter {
    lines: Vec<[u64; 8]>,
}

impl BloomFilter {
    /// An empty filter for this many keys.
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

    /// Whether the key may have been added.
    pub fn may_contain(&self, key: u128) -> bool {
        match self.lines.get(self.line_of(key)) {
            Some(line) => probes(key).all(|(word, mask)| line[word] & mask != 0),
            None => true,
        }
    }

    /// Memory it takes.
    pub fn memory_bytes(&self) -> usize {
        self.lines.len() * size_of::<[u64; 8]>()
    }

    /// Scales the high half of the key to the number of lines.
    fn line_of(&self, key: u128) -> usize {
        (((key >> 64) * self.lines.len() as u128) >> 64) as usize
    }
}

/// Word and mask of each bit of the key within its line, from its low half.
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

    /// A fixed, well mixed sequence: deterministic, no generator needed.
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
