//! Tuning options. The defaults suit both a laptop and a crawl of 20 million URLs.

/// How much a power failure may lose. A killed process never loses a committed batch in either
/// mode, because the operating system already has its data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// SQLite's `synchronous=NORMAL`: the journal is flushed to disk only at checkpoints. After a
    /// power failure or kernel crash the file is intact but ends at an earlier commit; the last
    /// batches are crawled again.
    #[default]
    Normal,
    /// `synchronous=FULL`: every commit waits for the disk and survives a power failure.
    Full,
}

/// Limits and settings of an embedded store.
#[derive(Debug, Clone)]
pub struct StoreOptions {
    /// How much a power failure may lose.
    pub durability: Durability,
    /// Page cache of the writing connection, in bytes.
    pub cache_bytes: u64,
    /// Page cache of each reading connection, in bytes.
    pub reader_cache_bytes: u64,
    /// Idle reading connections kept open.
    pub readers: usize,
    /// Size at which the journal is checkpointed into the file, approximately.
    pub journal_bytes: u64,
    /// Maximum size of the file. Reaching it is reported as a full disk.
    pub max_bytes: Option<u64>,
    /// Host names whose ids are kept in memory.
    pub host_names: usize,
    /// Added to the priority of an item that is queued again after a failure.
    pub retry_penalty: u32,
    /// Limits of the known-URL set of each active run.
    pub seen: KnownUrlLimits,
}

/// Limits of a known-URL set.
#[derive(Debug, Clone, Copy)]
pub struct KnownUrlLimits {
    /// New keys held in memory before they are written as a sorted segment.
    pub memtable_keys: usize,
    /// Segments per level that are merged into one of the next level.
    pub fan_out: usize,
    /// Slots of the cache of recently confirmed keys (16 bytes each), rounded up to a power of two.
    pub hot_keys: usize,
}

impl Default for KnownUrlLimits {
    fn default() -> Self {
        Self { memtable_keys: 1 << 19, fan_out: 6, hot_keys: 1 << 19 }
    }
}

impl Default for StoreOptions {
    fn default() -> Self {
        Self {
            durability: Durability::default(),
            cache_bytes: 128 << 20,
            reader_cache_bytes: 8 << 20,
            readers: 4,
            journal_bytes: 128 << 20,
            max_bytes: None,
            host_names: 200_000,
            retry_penalty: 1000,
            seen: KnownUrlLimits::default(),
        }
    }
}
