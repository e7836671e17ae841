//! Keys of the known-URL set: a keyed 128-bit hash, so that no site can craft URLs that collide.
//!
//! Uses SipHash-1-3, like Rust's own hash tables. The secret stays private and hashes are never
//! shown, so the margin of SipHash-2-4 would cost time on every link without a benefit.

use siphasher::sip128::SipHasher13;
use std::hash::{BuildHasherDefault, Hasher};

/// Hashes links to keys. The secret is random per store and stored in it.
#[derive(Clone)]
pub(crate) struct LinkHasher {
    hasher: SipHasher13,
}

impl LinkHasher {
    /// Creates a hasher with the store's secret.
    pub fn new(secret: &[u8; 16]) -> Self {
        Self { hasher: SipHasher13::new_with_key(secret) }
    }

    /// Returns the key of a link. At 10^9 links the probability of any collision is about 1e-21.
    pub fn hash_link(&self, link: &str) -> u128 {
        self.hasher.hash(link.as_bytes()).as_u128()
    }
}

/// Hasher that uses the low half of a key unchanged, because keys are already hashes.
#[derive(Default, Clone, Copy)]
pub(super) struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// A set of keys in memory.
pub(super) type KeySet = std::collections::HashSet<u128, BuildHasherDefault<IdentityHasher>>;

/// Cache of recently confirmed keys, one per slot. Most links on the pages of a site are the same
/// few.
pub(crate) struct RecentKeyCache {
    slots: Vec<u128>,
}

impl RecentKeyCache {
    /// Creates a cache with room for this many keys.
    pub fn with_slots(slots: usize) -> Self {
        Self { slots: vec![0; slots.next_power_of_two()] }
    }

    /// Returns whether the key is cached. Zero marks an empty slot, so key 0 is never cached.
    pub fn contains(&self, key: u128) -> bool {
        key != 0 && self.slots.get(self.slot(key)) == Some(&key)
    }

    /// Caches the key, replacing another one.
    pub fn insert(&mut self, key: u128) {
        let at = self.slot(key);
        if let Some(slot) = self.slots.get_mut(at) {
            *slot = key;
        }
    }

    /// Returns the memory used, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.slots.len() * size_of::<u128>()
    }

    fn slot(&self, key: u128) -> usize {
        key as usize & (self.slots.len() - 1)
    }
}
