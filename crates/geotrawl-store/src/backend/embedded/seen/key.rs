//! Keys of the known-URL set: a keyed 128-bit hash, so that nobody on the web can make two URLs collide.
//!
//! SipHash-1-3, the variant that guards Rust's own hash tables: the key is secret and no hash is ever
//! shown, so the margin of 2-4 would cost time on every link and buy nothing.

use siphasher::sip128::SipHasher13;
use std::hash::{BuildHasherDefault, Hasher};

/// Makes keys; the secret is random per store and kept in it.
#[derive(Clone)]
pub(crate) struct LinkHasher {
    hasher: SipHasher13,
}

impl LinkHasher {
    /// From the store's secret.
    pub fn new(secret: &[u8; 16]) -> Self {
        Self { hasher: SipHasher13::new_with_key(secret) }
    }

    /// The key of a link. At a thousand million links the odds of any collision are about 1e-21.
    pub fn hash_link(&self, link: &str) -> u128 {
        self.hasher.hash(link.as_bytes()).as_u128()
    }
}

/// Keys are hashes already: the table takes their low half as it is.
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

/// Keys lately found to be known, one per slot: most links of a site's pages are the same few.
pub(crate) struct HotKeys {
    slots: Vec<u128>,
}

impl HotKeys {
    /// With room for this many keys.
    pub fn with_slots(slots: usize) -> Self {
        Self { slots: vec![0; slots.next_power_of_two()] }
    }

    /// Whether the key is held. Zero marks an empty slot, so that key is never held.
    pub fn contains(&self, key: u128) -> bool {
        key != 0 && self.slots.get(self.slot(key)) == Some(&key)
    }

    /// Holds the key, in the place of another.
    pub fn insert(&mut self, key: u128) {
        let at = self.slot(key);
        if let Some(slot) = self.slots.get_mut(at) {
            *slot = key;
        }
    }

    /// Memory it takes.
    pub fn memory_bytes(&self) -> usize {
        self.slots.len() * size_of::<u128>()
    }

    fn slot(&self, key: u128) -> usize {
        key as usize & (self.slots.len() - 1)
    }
}
