//! A fast hash for words that is the same on every machine, and maps keyed by such hashes.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// Hasher for keys that are already hashes.
#[derive(Default)]
pub struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = hash_bytes(self.0, bytes);
    }

    fn write_u64(&mut self, number: u64) {
        let number = (number ^ (number >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = number ^ (number >> 29);
    }
}

/// A map whose keys are well mixed numbers.
pub type NumberMap<V> = HashMap<u64, V, BuildHasherDefault<NumberHasher>>;

/// A set of well mixed numbers.
pub type NumberSet = HashSet<u64, BuildHasherDefault<NumberHasher>>;

/// Returns the FNV-1a hash of the bytes.
pub fn hash_bytes(seed: u64, bytes: &[u8]) -> u64 {
    let start = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xCBF2_9CE4_8422_2325;
    bytes.iter().fold(start, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3))
}
