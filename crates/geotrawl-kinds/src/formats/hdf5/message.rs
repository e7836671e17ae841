//! Messages in an object header: attributes, links, data types, data spaces.

use super::super::acdd::{AttributeValue, Attributes};
use super::super::cursor::{self, ByteCursor};
use super::{Hdf5File, Hdf5Object, MAX_ATTRIBUTES, MAX_LINKS, NOWHERE};

/// Number of values to keep of an attribute.
const MAX_VALUES: u64 = 256;
/// Maximum length of a text attribute.
const MAX_TEXT: usize = 64 * 1024;

/// Iterator over the messages of a block.
pub(super) struct HeaderMessages<'a> {
    pub cursor: ByteCursor<'a>,
    pub version_2: bool,
    /// Whether messages carry their creation order.
    pub creation_order: bool,
}

impl<'a> Iterator for HeaderMessages<'a> {
    /// Type, flags, body.
    type Item = (u16, u8, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let cursor = &mut self.cursor;
        let (kind, size, flags);
        if self.version_2 {
            kind = u16::from(cursor.read_u8()?);
            size = cursor.read_u16()?;
            flags = cursor.read_u8()?;
            if self.creation_order {
                cursor.skip(2)?;
            }
        } else {
            kind = cursor.read_u16()?;
            size = cursor.read_u16()?;
            flags = cursor.read_u8()?;
            cursor.skip(3)?;
        }
        Some((kind, flags, cursor.take(usize::from(size))?))
    }
}

/// Collects the messages of a dataset until its values can be located.
#[derive(Default)]
pub(super) struct ArrayBuilder {
    kind: Option<Hdf5Datatype>,
    count: Option<u64>,
    layout: Option<(u64, u64)>,
}

impl ArrayBuilder {
    pub(super) fn into_array(self) -> Option<Hdf5Array> {
        let (at, length) = self.layout?;
        Some(Hdf5Array { at, length, kind: self.kind?, count: self.count? })
    }
}

/// Location and type of contiguous dataset values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hdf5Array {
    pub(super) at: u64,
    pub(super) length: u64,
    kind: Hdf5Datatype,
    count: u64,
}

impl Hdf5Array {
    /// Decodes bytes as numbers.
    pub fn decode_numbers(&self, bytes: &[u8]) -> Vec<f64> {
        self.kind.numbers(bytes, self.count)
    }
}

/// Data type, as far as it is supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Hdf5Datatype {
    class: u8,
    big: bool,
    signed: bool,
    /// Whether this is a text, of fixed or variable length.
    text: bool,
    size: u32,
}

impl Hdf5Datatype {
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut cursor = ByteCursor::little_endian(bytes);
        let class = cursor.read_u8()? & 15;
        let bits = cursor.read_u8()?;
        cursor.skip(2)?;
        let size = cursor.read_u32()?;
        let text = class == 3 || (class == 9 && bits & 15 == 1);
        Some(Self { class, big: bits & 1 != 0, signed: bits & 8 != 0, text, size })
    }

    fn numbers(self, bytes: &[u8], count: u64) -> Vec<f64> {
        let mut cursor = ByteCursor::with_byte_order(bytes, self.big);
        let width = self.size as usize;
        let mut numbers = Vec::new();
        while (numbers.len() as u64) < count {
            let number = match (self.class, width) {
                (1, 4) => cursor.read_f32().map(f64::from),
                (1, 8) => cursor.read_f64(),
                (0, 1 | 2 | 4 | 8) => cursor.read_uint(width).map(|raw| {
                    let shift = 64 - 8 * width as u32;
                    if self.signed { ((raw << shift).cast_signed() >> shift) as f64 } else { raw as f64 }
                }),
                _ => None,
            };
            match number {
                Some(number) => numbers.push(number),
                None => break,
            }
        }
        numbers
    }
}

impl Hdf5File<'_> {
    pub(super) fn read_message(
        &self,
        kind: u16,
        flags: u8,
        body: &[u8],
        state: &mut ArrayBuilder,
        object: &mut Hdf5Object,
    ) {
        // Shared messages are stored elsewhere. None of those we need is shared.
        if flags & 2 != 0 && kind != 0x0C {
            return;
        }
        let mut cursor = ByteCursor::little_endian(body);
        match kind {
            0x01 => state.count = self.count(body),
            0x03 => state.kind = Hdf5Datatype::read(body),
            0x08 => state.layout = self.layout(body),
            0x0C => {
                if let Some((name, value, _)) = self.attribute(body) {
                    keep(&mut object.attributes, name, value);
                }
            }
            0x11 => {
                if let (Some(tree), Some(heap)) = (self.address(&mut cursor), self.address(&mut cursor)) {
                    self.symbol_table(tree, heap, &mut object.links);
                }
            }
            0x06 => {
                if let Some((name, at, _)) = self.link(body) {
                    keep_link(&mut object.links, name, at);
                }
            }
            0x02 | 0x15 => {
                let _ = cursor.skip(1);
                let Some(flags) = cursor.read_u8() else { return };
                // Skip the maximum creation index: eight bytes for links, two for attributes.
                let width = if kind == 0x02 { 8 } else { 2 };
                if flags & 1 != 0 && cursor.skip(width).is_none() {
                    return;
                }
                let Some(heap) = self.address(&mut cursor).filter(|at| *at != NOWHERE) else { return };
                self.scan_heap(heap, |bytes| {
                    if kind == 0x02 {
                        let (name, at, used) = self.link(bytes)?;
                        keep_link(&mut object.links, name, at);
                        Some(used)
                    } else {
                        let (name, value, used) = self.attribute(bytes)?;
                        keep(&mut object.attributes, name, value);
                        Some(used)
                    }
                });
            }
            _ => {}
        }
    }

    /// Returns the number of elements of a data space.
    fn count(&self, body: &[u8]) -> Option<u64> {
        let mut cursor = ByteCursor::little_endian(body);
        let version = cursor.read_u8()?;
        let rank = cursor.read_u8()?;
        cursor.skip(if version == 1 { 6 } else { 2 })?;
        (0..rank).try_fold(1_u64, |count, _| count.checked_mul(self.size(&mut cursor)?))
    }

    /// Returns the address and length of contiguous values.
    fn layout(&self, body: &[u8]) -> Option<(u64, u64)> {
        let mut cursor = ByteCursor::little_endian(body);
        let version = cursor.read_u8()?;
        (matches!(version, 3 | 4) && cursor.read_u8()? == 1).then_some(())?;
        Some((self.address(&mut cursor).filter(|at| *at != NOWHERE)?, self.size(&mut cursor)?))
    }

    /// Parses a link: name, target address and length of the message.
    fn link(&self, body: &[u8]) -> Option<(String, u64, usize)> {
        let mut cursor = ByteCursor::little_endian(body);
        (cursor.read_u8()? == 1).then_some(())?;
        let flags = cursor.read_u8()?;
        (flags & 0xe0 == 0).then_some(())?;
        let kind = if flags & 8 != 0 { cursor.read_u8()? } else { 0 };
        cursor.skip(if flags & 4 != 0 { 8 } else { 0 })?;
        cursor.skip(usize::from(flags & 16 != 0))?;
        let length = cursor.read_uint(1 << (flags & 3))?;
        let name = cursor.take(usize::try_from(length).ok().filter(|l| (1..=1024).contains(l))?)?;
        let name = std::str::from_utf8(name).ok()?.to_owned();
        (kind == 0).then_some(())?;
        let at = self.address(&mut cursor)?;
        Some((name, at, cursor.position()))
    }

    /// Parses an attribute: name, value and length of the message.
    fn attribute(&self, body: &[u8]) -> Option<(String, Option<AttributeValue>, usize)> {
        let mut cursor = ByteCursor::little_endian(body);
        let version = cursor.read_u8()?;
        let flags = cursor.read_u8()?;
        let sizes = [cursor.read_u16()?, cursor.read_u16()?, cursor.read_u16()?].map(usize::from);
        if version == 3 {
            cursor.skip(1)?;
        }
        let plausible =
            matches!(version, 1..=3) && flags < 4 && (2..=1024).contains(&sizes[0]) && sizes[1] >= 8;
        plausible.then_some(())?;
        // Version 1 pads every part to a multiple of eight bytes.
        let part = |cursor: &mut ByteCursor<'_>, size: usize| {
            let start = cursor.position();
            cursor.skip(size)?;
            if version == 1 {
                cursor.skip(size.wrapping_neg() % 8)?;
            }
            body.get(start..start + size)
        };
        let name = cursor::text_until_nul(part(&mut cursor, sizes[0])?);
        (!name.is_empty() && !name.contains(char::is_control)).then_some(())?;
        let kind = part(&mut cursor, sizes[1])?;
        let shape = part(&mut cursor, sizes[2])?;
        if version > 1 && flags != 0 {
            // The data type is stored elsewhere. Keep the name, which may be enough.
            return Some((name, None, body.len()));
        }
        let kind = Hdf5Datatype::read(kind)?;
        let count = self.count(shape)?;
        let length = usize::try_from(count.checked_mul(u64::from(kind.size))?).ok()?;
        let data = cursor.take(length)?;
        let used = cursor.position();
        Some((name, self.value(kind, count.min(MAX_VALUES), data), used))
    }

    fn value(&self, kind: Hdf5Datatype, count: u64, data: &[u8]) -> Option<AttributeValue> {
        match kind.class {
            3 => {
                let data = data.get(..MAX_TEXT).unwrap_or(data);
                Some(AttributeValue::Text(cursor::text_until_nul(data)))
            }
            9 if kind.text => {
                let mut cursor = ByteCursor::little_endian(data);
                cursor.skip(4)?;
                let (heap, index) = (self.address(&mut cursor)?, cursor.read_u32()?);
                self.global_heap_object(heap, index).map(|bytes| {
                    AttributeValue::Text(cursor::text_until_nul(bytes.get(..MAX_TEXT).unwrap_or(bytes)))
                })
            }
            0 | 1 => Some(AttributeValue::Numbers(kind.numbers(data, count))),
            _ => None,
        }
    }
}

fn keep(attributes: &mut Attributes, name: String, value: Option<AttributeValue>) {
    if attributes.0.len() < MAX_ATTRIBUTES {
        attributes.0.push((name, value.unwrap_or(AttributeValue::Numbers(Vec::new()))));
    }
}

fn keep_link(links: &mut Vec<(String, u64)>, name: String, at: u64) {
    if links.len() < MAX_LINKS {
        links.push((name, at));
    }
}
