//! What may be tuned; the defaults suit a laptop and a 20-million-URL crawl alike.

/// How much a power failure may cost. A killed process never loses a committed batch in either mode,
/// because the operating system already has its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// SQLite's `synchronous=NORMAL`: the journal is forced to disk at checkpoints only. After a power
    /// failure or a kernel crash the file is intact and ends at some earlier commit: the last batches
    /// are crawled again.
    #[default]
    Normal,
    /// `synchronous=FULL`: every commit waits for the disk and survives a power failure.
    Full,
}

/// Bounds and habits of an embedded store.
#[derive(Debug, Clone)]
pub struct StoreOptions {
    /// What a power failure may cost.
    pub durability: Durability,
    /// Page cache of the writing connection, in bytes.
    pub cache_bytes: u64,
    /// Page cache of each reading connection, in bytes.
    pub reader_cache_bytes: u64,
    /// Idle reading connections kept open.
    pub readers: usize,
    /// The journal is folded into the file when it has grown to about this size.
    pub journal_bytes: u64,
    /// The file may not grow beyond this; reaching it is reported as a full disk.
    pub max_bytes: Option<u64>,
    /// Host names whose ids are kept in memory.
    pub host_names: usize,
    /// Added to the priority of an item that is put back for another attempt.
    pub retry_penalty: u32,
    /// Bounds of the known-URL set of each active run.
    pub seen: SeenLimits,
}

/// Bounds of the known-URL set.
#[derive(Debug, Clone, Copy)]
pub struct SeenLimits {
    /// New keys held in memory before they are written as a sorted segment.
    pub memtable_keys: usize,
    /// Segments of one level that are merged into one of the next.
    pub fan_out: usize,
    /// Slots for keys lately found to be known (16 bytes each), rounded up to a power of two.
    pub hot_keys: usize,
}

impl Default for SeenLimits {
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
            seen: SeenLimits::default(),
        }
    }
}
