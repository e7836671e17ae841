//! A small seeded random generator: the same seed must give the same web in every release, which
//! the common crates do not guarantee for their value streams.

/// SplitMix64: one word of state, good enough for drawing pages and layers.
#[derive(Debug, Clone)]
pub(crate) struct SeededRng(u64);

/// Mixes two words into one, for seeds that depend on a position in the web.
pub(crate) fn mix_seeds(a: u64, b: u64) -> u64 {
    let mut rng = SeededRng(a ^ b.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    rng.next()
}

impl SeededRng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed ^ 0x5DEE_CE66_D1CE_4E5B)
    }

    /// Returns an independent generator for a named part, so that more draws in one part do not
    /// shift the others.
    pub(crate) fn fork(&self, tag: u64) -> Self {
        Self(mix_seeds(self.0, tag))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a number below `n`; 0 if `n` is 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        if n == 0 {
            return 0;
        }
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    /// Returns a number in `low..=high`.
    pub(crate) fn range(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// Returns true in `percent` of 100 draws.
    pub(crate) fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Returns a number in `0.0..1.0`.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns one of `items`, which must not be empty.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_pinned_forever() {
        let mut rng = SeededRng::new(7);
        let drawn: Vec<usize> = (0..6).map(|_| rng.below(1000)).collect();
        let mut again = SeededRng::new(7);
        assert_eq!(drawn, (0..6).map(|_| again.below(1000)).collect::<Vec<_>>());
        assert_ne!(SeededRng::new(7).fork(1).next(), SeededRng::new(7).fork(2).next());
    }

    #[test]
    fn draws_stay_in_their_bounds() {
        let mut rng = SeededRng::new(1);
        for _ in 0..1000 {
            assert!(rng.below(3) < 3);
            assert!((5..=9).contains(&rng.range(5, 9)));
            assert!((0.0..1.0).contains(&rng.unit()));
        }
        assert_eq!(rng.below(0), 0);
    }
}
