//! JSON of any size in bounded memory: what is needed to know a document and to read its metadata.
//!
//! The text is mended on the way ([`text`]) and parsed by `serde_json` as a stream; what is built of it
//! ([`build`]) is a tree that keeps the beginning of every long array, the extent of coordinates instead of
//! the coordinates, and all that came before a break.

mod build;
mod text;

use build::JsonTreeBuilder;
use serde::de::DeserializeSeed as _;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufReader, Read};

pub use text::looks_like_json;

/// How much of a document is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonLimits {
    /// Elements kept of an array.
    pub elements: usize,
    /// Features kept of a collection: their properties are of little use here.
    pub features: usize,
    /// Bytes of the tree, about; what comes after is counted and measured, not kept.
    pub bytes: usize,
}

impl Default for JsonLimits {
    fn default() -> Self {
        Self { elements: 10_000, features: 2_000, bytes: 24 << 20 }
    }
}

/// A JSON document, pruned where it is long.
#[derive(Debug, Clone, Default)]
pub struct JsonDocument {
    /// The tree. Long arrays hold their first elements only, long strings their beginning. More than a few
    /// positions in a member called `coordinates` are replaced by the two corners of their extent.
    pub root: Value,
    /// The document ended as it should; `false` for one that was cut or breaks off.
    pub complete: bool,
    /// True lengths of arrays that were pruned, by JSON pointer.
    pub lengths: BTreeMap<String, u64>,
    /// West, south, east, north of all positions in members called `coordinates`, as written.
    pub coordinates: Option<[f64; 4]>,
    /// The same inside members called `place` (JSON-FG), which have a coordinate system of their own.
    pub place: Option<[f64; 4]>,
    /// Extent of the arcs of a topology, as written.
    pub arcs: Option<[f64; 4]>,
    /// Extent of the arcs of a topology when every position is added to the one before it.
    pub delta_arcs: Option<[f64; 4]>,
    /// The text was several values, one after the other (text sequence, lines): `root` is their array.
    pub sequence: bool,
    /// The text was no JSON strictly, and was mended: comments, trailing commas, `NaN`, a script around it.
    pub mended: bool,
}

impl JsonDocument {
    /// Reads a document; `None` when it is no JSON object or array at all.
    pub fn from_reader(stream: &mut dyn Read) -> Option<Self> {
        Self::from_reader_with_limits(stream, JsonLimits::default())
    }

    /// Reads a document, keeping as much of it as `limits` say.
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

    /// True length of the array at `pointer`.
    pub fn array_len(&self, pointer: &str) -> Option<u64> {
        let here = self.root.pointer(pointer)?.as_array()?.len() as u64;
        Some(self.lengths.get(pointer).copied().unwrap_or(here))
    }

    /// Member of the root object.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.root.get(name)
    }

    /// Whether the root object has a member that is not null.
    pub fn has_member(&self, name: &str) -> bool {
        self.root.get(name).is_some_and(|value| !value.is_null())
    }

    /// Text of a member of the root object.
    pub fn text_member(&self, name: &str) -> Option<&str> {
        self.root.get(name)?.as_str()
    }
}

#[cfg(test)]
mod tests;
