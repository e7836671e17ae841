//! Reads JSON of any size in bounded memory, keeping what is needed to identify a document and read
//! its metadata.
//!
//! [`text`] repairs the input on the fly, and `serde_json` parses it as a stream. [`build`]
//! constructs a tree with the beginning of every long array, the extent of coordinates instead of
//! the coordinates, and everything that precedes a syntax error.

mod build;
mod text;

use build::JsonTreeBuilder;
use serde::de::DeserializeSeed as _;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufReader, Read};

pub use text::looks_like_json;

/// Limits on how much of a document is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonLimits {
    /// Elements to keep per array.
    pub elements: usize,
    /// Features to keep per collection. Their properties are of little use here.
    pub features: usize,
    /// Approximate size of the tree in bytes. Anything beyond is counted and measured but not kept.
    pub bytes: usize,
}

impl Default for JsonLimits {
    fn default() -> Self {
        Self { elements: 10_000, features: 2_000, bytes: 24 << 20 }
    }
}

/// JSON document, pruned where it is long.
#[derive(Debug, Clone, Default)]
pub struct JsonDocument {
    /// Pruned tree. Long arrays hold their first elements and long strings their beginning.
    /// Positions in a member called `coordinates` are replaced by the two corners of their extent,
    /// unless they are few.
    pub root: Value,
    /// Whether the document is complete. `false` if it was cut or has a syntax error.
    pub complete: bool,
    /// Original lengths of pruned arrays, by JSON pointer.
    pub lengths: BTreeMap<String, u64>,
    /// West, south, east and north of all positions in members called `coordinates`, as written.
    pub coordinates: Option<[f64; 4]>,
    /// The same for members called `place` (JSON-FG), which have their own coordinate system.
    pub place: Option<[f64; 4]>,
    /// Extent of the arcs of a TopoJSON topology, as written.
    pub arcs: Option<[f64; 4]>,
    /// Extent of the arcs if every position is relative to the previous one.
    pub delta_arcs: Option<[f64; 4]>,
    /// Whether the text was a sequence of values (text sequence, JSON lines). `root` is an array of
    /// them.
    pub sequence: bool,
    /// Whether the text was repaired: comments, trailing commas, `NaN`, a script around the value.
    pub mended: bool,
}

impl JsonDocument {
    /// Parses a document. Returns `None` if it is not a JSON object or array.
    pub fn from_reader(stream: &mut dyn Read) -> Option<Self> {
        Self::from_reader_with_limits(stream, JsonLimits::default())
    }

    /// Parses a document, keeping as much of it as `limits` allow.
    pub fn from_reader_with_limits(stream: &mut dyn Read, limits: JsonLimits) -> Option<Self> {
        let mut text = text::JsonRepairReader::new(stream);
        let mut builder = JsonTreeBuilder::new(limits);
        let mut values: Vec<Value> = Vec::new();
        let mut count = 0_u64;
        let mut complete = true;
        {
            let mut parser =
                serde_json::Deserializer::from_reader(BufReader::with_capacity(32 << 10, &mut text));
            loop {
                if parser.end().is_ok() {
                    break;
                }
                builder.begin_value(count);
                let keep = values.len() < limits.features && builder.has_room();
                match builder.value_seed(keep).deserialize(&mut parser) {
                    Ok(value) => {
                        count += 1;
                        if keep {
                            values.push(value);
                        }
                    }
                    Err(_broken) => {
                        complete = false;
                        if let Some(part) = builder.take_partial() {
                            count += 1;
                            if keep {
                                values.push(part);
                            }
                        }
                        break;
                    }
                }
            }
        }
        complete &= !text.has_trailing_data();
        let sequence = count > 1;
        let root = if sequence { Value::Array(values) } else { values.pop()? };
        let empty = match &root {
            Value::Object(members) => members.is_empty() && !complete,
            Value::Array(elements) => elements.is_empty() && !complete,
            _ => true,
        };
        if empty {
            return None;
        }
        let mut doc = Self { root, complete, sequence, mended: text.was_repaired(), ..Self::default() };
        builder.finish_into(&mut doc, sequence.then_some(count));
        Some(doc)
    }

    /// Returns the original length of the array at `pointer`.
    pub fn array_len(&self, pointer: &str) -> Option<u64> {
        let here = self.root.pointer(pointer)?.as_array()?.len() as u64;
        Some(self.lengths.get(pointer).copied().unwrap_or(here))
    }

    /// Returns a member of the root object.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.root.get(name)
    }

    /// Returns whether the root object has a member that is not null.
    pub fn has_member(&self, name: &str) -> bool {
        self.root.get(name).is_some_and(|value| !value.is_null())
    }

    /// Returns the text of a member of the root object.
    pub fn text_member(&self, name: &str) -> Option<&str> {
        self.root.get(name)?.as_str()
    }
}

#[cfg(test)]
mod tests;
