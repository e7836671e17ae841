//! Reads `data.json` and JSON-LD as a stream: a catalogue of a hundred megabytes is read dataset by
//! dataset.

use super::nodes::local_name;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;
use std::io::Read;

/// Everything except the datasets of the list: the catalogue itself, and the nodes of a graph.
#[derive(Default)]
pub struct CatalogueNodes {
    /// Nodes other than the datasets, at most [`NODES`].
    pub nodes: Vec<Value>,
    /// The first members of the root.
    pub root: Map<String, Value>,
    /// There were more nodes than the limit.
    pub cut: bool,
    /// Why reading stopped early.
    pub mistake: Option<String>,
}

/// Maximum number of nodes kept of a graph.
const NODES: usize = 200_000;

/// Reads a document and passes every dataset of the list to `each`; returns the rest.
pub fn read_datasets(stream: &mut dyn Read, each: &mut dyn FnMut(Value)) -> CatalogueNodes {
    let mut rest = CatalogueNodes::default();
    let mut deserializer = serde_json::Deserializer::from_reader(stream);
    let document = RootVisitor { rest: &mut rest, each };
    if let Err(error) = document.deserialize(&mut deserializer) {
        rest.mistake = Some(error.to_string());
    }
    rest
}

struct RootVisitor<'a> {
    rest: &'a mut CatalogueNodes,
    each: &'a mut dyn FnMut(Value),
}

impl<'de> DeserializeSeed<'de> for RootVisitor<'_> {
    type Value = ();
    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for RootVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a catalogue")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { rest, each } = self;
        while let Some(key) = map.next_key::<String>()? {
            match local_name(&key) {
                "dataset" => map.next_value_seed(ListVisitor { each: &mut |value| each(value) })?,
                "@graph" => map.next_value_seed(ListVisitor { each: &mut |value| rest.keep(value) })?,
                // Catalogue records repeat what the datasets say.
                "record" => {
                    map.next_value::<IgnoredAny>()?;
                }
                _ => {
                    let value = map.next_value::<Value>()?;
                    if rest.root.len() < 200 {
                        rest.root.insert(key, value);
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads expanded JSON-LD, which is a list of nodes.
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(value) = seq.next_element::<Value>()? {
            self.rest.keep(value);
        }
        Ok(())
    }
}

impl CatalogueNodes {
    fn keep(&mut self, value: Value) {
        if self.nodes.len() < NODES {
            self.nodes.push(value);
        } else {
            self.cut = true;
        }
    }
}

/// A list, or a single value in place of a list of one.
struct ListVisitor<'a> {
    each: &'a mut dyn FnMut(Value),
}

impl<'de> DeserializeSeed<'de> for ListVisitor<'_> {
    type Value = ();
    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ListVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(value) = seq.next_element::<Value>()? {
            (self.each)(value);
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut object = Map::new();
        while let Some((key, value)) = map.next_entry::<String, Value>()? {
            object.insert(key, value);
        }
        (self.each)(Value::Object(object));
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        (self.each)(Value::String(text.to_owned()));
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}
