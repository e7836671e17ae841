//! Builds the tree of a document within limits. What was built survives a syntax error.

use super::{JsonDocument, JsonLimits};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;
use std::fmt::Write as _;

/// Number of values to keep unchanged in a `coordinates` member.
const KEPT_NUMBERS: usize = 64;
/// Approximate memory of an object: its first node.
const OBJECT: usize = 640;
/// Approximate memory of a value or key besides its text.
const VALUE: usize = 48;

/// Smallest box around positions.
#[derive(Debug, Clone, Copy, Default)]
pub struct PositionExtent(Option<[f64; 4]>);

impl PositionExtent {
    fn add(&mut self, x: f64, y: f64) {
        let known = self.0.unwrap_or([x, y, x, y]);
        self.0 = Some([known[0].min(x), known[1].min(y), known[2].max(x), known[3].max(y)]);
    }

    fn join(&mut self, other: Self) {
        if let Some([w, s, e, n]) = other.0 {
            self.add(w, s);
            self.add(e, n);
        }
    }
}

/// Builds the tree and collects lengths and extents along the way.
pub struct JsonTreeBuilder {
    limits: JsonLimits,
    spent: usize,
    path: String,
    lengths: Vec<(u64, String, u64)>,
    value: u64,
    coordinates: PositionExtent,
    place: PositionExtent,
    arcs: PositionExtent,
    delta_arcs: PositionExtent,
    in_place: usize,
    depth: usize,
    /// Partial content of a container that was cut off, on its way up to the root.
    partial: Option<Value>,
}

impl JsonTreeBuilder {
    pub fn new(limits: JsonLimits) -> Self {
        Self {
            limits,
            spent: 0,
            path: String::new(),
            lengths: Vec::new(),
            value: 0,
            coordinates: PositionExtent::default(),
            place: PositionExtent::default(),
            arcs: PositionExtent::default(),
            delta_arcs: PositionExtent::default(),
            in_place: 0,
            depth: 0,
            partial: None,
        }
    }

    /// Starts the value with this number in a sequence.
    pub fn begin_value(&mut self, value: u64) {
        self.value = value;
        self.path.clear();
        self.depth = 0;
        self.in_place = 0;
        self.partial = None;
    }

    pub fn has_room(&self) -> bool {
        self.spent < self.limits.bytes
    }

    pub fn take_partial(&mut self) -> Option<Value> {
        self.partial.take()
    }

    pub fn value_seed(&mut self, keep: bool) -> ValueSeed<'_> {
        ValueSeed { to: self, keep, features: false }
    }

    /// Moves the collected data to the document. `count` is the number of values in a sequence.
    pub fn finish_into(self, doc: &mut JsonDocument, count: Option<u64>) {
        for (value, path, length) in self.lengths {
            let pointer = if count.is_some() { format!("/{value}{path}") } else { path };
            doc.lengths.insert(pointer, length);
        }
        if let Some(count) =
            count.filter(|n| doc.root.as_array().is_some_and(|kept| (kept.len() as u64) < *n))
        {
            doc.lengths.insert(String::new(), count);
        }
        doc.coordinates = self.coordinates.0;
        doc.place = self.place.0;
        doc.arcs = self.arcs.0;
        doc.delta_arcs = self.delta_arcs.0;
    }

    fn spend(&mut self, bytes: usize) {
        self.spent = self.spent.saturating_add(bytes);
    }
}

/// Deserializes one value.
pub struct ValueSeed<'b> {
    to: &'b mut JsonTreeBuilder,
    /// Whether to add the value to the tree. Otherwise it is only measured.
    keep: bool,
    /// Whether the value is the features of a collection.
    features: bool,
}

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        if !self.keep {
            return Ok(Value::Null);
        }
        self.to.spend(text.len());
        Ok(Value::String(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let Self { to, keep, features } = self;
        let limit = if features { to.limits.features } else { to.limits.elements };
        let mut elements = Vec::new();
        let mut count = 0_u64;
        let here = to.path.len();
        to.depth += 1;
        loop {
            let keep_it = keep && elements.len() < limit && to.has_room();
            if keep_it {
                let _ = write!(to.path, "/{count}");
                to.spend(VALUE);
            }
            let next = access.next_element_seed(ValueSeed { to, keep: keep_it, features: false });
            to.path.truncate(here);
            match next {
                Ok(Some(value)) => {
                    count += 1;
                    if keep_it {
                        elements.push(value);
                    }
                }
                Ok(None) => break,
                // `serde_json` drops everything on an error, so hand the part that was read to the
                // parent instead.
                Err(error) => {
                    if let Some(part) = to.partial.take() {
                        count += 1;
                        if keep_it {
                            elements.push(part);
                        }
                    }
                    note_length(to, keep, elements.len(), count);
                    to.partial = Some(Value::Array(elements));
                    return Err(error);
                }
            }
        }
        to.depth -= 1;
        note_length(to, keep, elements.len(), count);
        Ok(Value::Array(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let Self { to, keep, .. } = self;
        let mut members = Map::new();
        if keep {
            to.spend(OBJECT);
        }
        let here = to.path.len();
        to.depth += 1;
        loop {
            let keep_it = keep && members.len() < to.limits.elements && to.has_room();
            let key = match access.next_key_seed(KeySeed { keep: keep_it }) {
                Ok(Some(key)) => key,
                Ok(None) => break,
                Err(error) => {
                    to.partial = Some(Value::Object(members));
                    return Err(error);
                }
            };
            if keep_it {
                to.spend(VALUE + key.name.len());
                to.path.push('/');
                for character in key.name.chars() {
                    match character {
                        '~' => to.path.push_str("~0"),
                        '/' => to.path.push_str("~1"),
                        other => to.path.push(other),
                    }
                }
            }
            let place = usize::from(key.sort == MemberKind::Place);
            to.in_place += place;
            let next = match key.sort {
                MemberKind::Coordinates => {
                    access.next_value_seed(PositionsSeed { to, keep: keep_it, arcs: false })
                }
                MemberKind::Arcs if to.depth == 1 => {
                    access.next_value_seed(PositionsSeed { to, keep: keep_it, arcs: true })
                }
                sort => access.next_value_seed(ValueSeed {
                    to,
                    keep: keep_it,
                    features: sort == MemberKind::Features,
                }),
            };
            to.path.truncate(here);
            match next {
                Ok(value) => {
                    to.in_place -= place;
                    if keep_it {
                        members.insert(key.name, value);
                    }
                }
                Err(error) => {
                    if let Some(part) = to.partial.take().filter(|_| keep_it) {
                        members.insert(key.name, part);
                    }
                    to.partial = Some(Value::Object(members));
                    return Err(error);
                }
            }
        }
        to.depth -= 1;
        Ok(Value::Object(members))
    }
}

fn note_length(to: &mut JsonTreeBuilder, keep: bool, kept: usize, count: u64) {
    if keep && (kept as u64) < count {
        to.lengths.push((to.value, to.path.clone(), count));
    }
}

/// What the name of a member says about its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MemberKind {
    Coordinates,
    Arcs,
    Features,
    Place,
    Other,
}

struct MemberKey {
    sort: MemberKind,
    name: String,
}

struct KeySeed {
    keep: bool,
}

impl<'de> DeserializeSeed<'de> for KeySeed {
    type Value = MemberKey;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<MemberKey, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeed {
    type Value = MemberKey;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<MemberKey, E> {
        let sort = match name {
            "coordinates" => MemberKind::Coordinates,
            "arcs" => MemberKind::Arcs,
            "features" => MemberKind::Features,
            "place" => MemberKind::Place,
            _ => MemberKind::Other,
        };
        Ok(MemberKey { sort, name: if self.keep { name.to_owned() } else { String::new() } })
    }
}

/// Measures positions, and keeps them if they are few.
struct PositionsSeed<'b> {
    to: &'b mut JsonTreeBuilder,
    keep: bool,
    /// Whether these are lines of a topology, whose positions may be relative to the previous one.
    arcs: bool,
}

impl<'de> DeserializeSeed<'de> for PositionsSeed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'b> PositionsSeed<'b> {
    /// Treats a value that is not a list of positions like any other.
    fn other(self) -> ValueSeed<'b> {
        ValueSeed { to: self.to, keep: self.keep, features: false }
    }
}

impl<'de> Visitor<'de> for PositionsSeed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("positions")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        self.other().visit_u64(value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        self.other().visit_i64(value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        self.other().visit_f64(value)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        self.other().visit_str(text)
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<Value, A::Error> {
        self.other().visit_map(access)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<Value, A::Error> {
        let Self { to, keep, arcs } = self;
        let mut sum = PositionCollector {
            room: if keep && !arcs { KEPT_NUMBERS } else { 0 },
            ..PositionCollector::default()
        };
        let read = PositionLevel { sum: &mut sum }.visit_seq(access);
        if arcs {
            to.arcs.join(sum.plain);
            to.delta_arcs.join(sum.added);
        } else if to.in_place > 0 {
            to.place.join(sum.plain);
        } else {
            to.coordinates.join(sum.plain);
        }
        let value = match read? {
            Some(PositionNode::Kept(value)) if keep => value,
            _ => match sum.plain.0 {
                Some([w, s, e, n]) if keep && !arcs => serde_json::json!([[w, s], [e, n]]),
                _ => Value::Array(Vec::new()),
            },
        };
        if keep {
            to.spend(KEPT_NUMBERS * 32);
        }
        Ok(value)
    }
}

#[derive(Default)]
struct PositionCollector {
    plain: PositionExtent,
    added: PositionExtent,
    /// Number of values that may still be kept.
    room: usize,
    /// Running sum of the current line.
    running: (f64, f64),
}

enum PositionNode {
    Number(f64),
    Position,
    Kept(Value),
}

struct PositionLevel<'s> {
    sum: &'s mut PositionCollector,
}

impl<'de> DeserializeSeed<'de> for PositionLevel<'_> {
    /// `None` if the value is not kept.
    type Value = Option<PositionNode>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<PositionNode>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl PositionLevel<'_> {
    fn number(self, number: f64) -> PositionNode {
        self.sum.room = self.sum.room.saturating_sub(1);
        PositionNode::Number(number)
    }
}

impl<'de> Visitor<'de> for PositionLevel<'_> {
    type Value = Option<PositionNode>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("positions")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Some(self.number(value as f64)))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Some(self.number(value as f64)))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Some(self.number(value)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        let keep = self.sum.room > 0 && text.len() < 256;
        Ok(keep.then(|| PositionNode::Kept(Value::String(text.to_owned()))))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        self.sum.room = 0;
        while access.next_entry::<serde::de::IgnoredAny, serde::de::IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let sum = self.sum;
        let mut kept = Vec::new();
        let mut first: [Option<f64>; 2] = [None, None];
        let mut at = 0_usize;
        let mut whole = true;
        let mut line = false;
        while let Some(node) = access.next_element_seed(PositionLevel { sum })? {
            match node {
                Some(PositionNode::Number(number)) => {
                    if at < 2 {
                        first[at] = Some(number);
                    }
                    if sum.room > 0 {
                        kept.push(Number::from_f64(number).map_or(Value::Null, Value::Number));
                    }
                }
                Some(PositionNode::Kept(value)) => kept.push(value),
                Some(PositionNode::Position) => {
                    line = true;
                    whole = false;
                }
                None => whole = false,
            }
            at += 1;
        }
        if let [Some(x), Some(y)] = first {
            sum.plain.add(x, y);
            sum.running = (sum.running.0 + x, sum.running.1 + y);
            let (x, y) = sum.running;
            sum.added.add(x, y);
            if sum.room == 0 {
                return Ok(Some(PositionNode::Position));
            }
        } else if line || first[0].is_none() {
            // End of a line: the next line starts with an absolute position.
            sum.running = (0.0, 0.0);
        }
        Ok((whole && sum.room > 0).then_some(PositionNode::Kept(Value::Array(kept))))
    }
}
