//! Bounds-checked reading of numbers in either byte order.

/// Position in a byte slice. Every read is bounds-checked and advances the position.
#[derive(Debug, Clone, Copy)]
pub struct ByteCursor<'a> {
    bytes: &'a [u8],
    at: usize,
    big: bool,
}

impl<'a> ByteCursor<'a> {
    /// Creates a cursor for little-endian numbers.
    pub fn little_endian(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, big: false }
    }

    /// Creates a cursor for big-endian numbers.
    pub fn big_endian(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, big: true }
    }

    /// Creates a cursor for numbers of the given byte order.
    pub fn with_byte_order(bytes: &'a [u8], big: bool) -> Self {
        Self { bytes, at: 0, big }
    }

    /// Returns the position of the next read.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Moves to a position. Reads beyond the end return `None`.
    pub fn seek(&mut self, at: usize) -> &mut Self {
        self.at = at;
        self
    }

    /// Skips `count` bytes.
    pub fn skip(&mut self, count: usize) -> Option<()> {
        self.take(count).map(|_| ())
    }

    /// Returns the remaining bytes.
    pub fn remaining(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Reads the next `count` bytes.
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(count)?;
        let bytes = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(bytes)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    /// Reads an unsigned integer of `width` bytes, up to eight.
    pub fn read_uint(&mut self, width: usize) -> Option<u64> {
        let bytes = self.take(width).filter(|_| width <= 8)?;
        let join = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        Some(if self.big { bytes.iter().fold(0, join) } else { bytes.iter().rev().fold(0, join) })
    }

    /// Reads one byte.
    pub fn read_u8(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }

    /// Reads a 16-bit integer.
    pub fn read_u16(&mut self) -> Option<u16> {
        self.array().map(if self.big { u16::from_be_bytes } else { u16::from_le_bytes })
    }

    /// Reads a 32-bit integer.
    pub fn read_u32(&mut self) -> Option<u32> {
        self.array().map(if self.big { u32::from_be_bytes } else { u32::from_le_bytes })
    }

    /// Reads a 64-bit integer.
    pub fn read_u64(&mut self) -> Option<u64> {
        self.array().map(if self.big { u64::from_be_bytes } else { u64::from_le_bytes })
    }

    /// Reads a signed 32-bit integer.
    pub fn read_i32(&mut self) -> Option<i32> {
        self.read_u32().map(u32::cast_signed)
    }

    /// Reads a 32-bit float.
    pub fn read_f32(&mut self) -> Option<f32> {
        self.read_u32().map(f32::from_bits)
    }

    /// Reads a 64-bit float.
    pub fn read_f64(&mut self) -> Option<f64> {
        self.read_u64().map(f64::from_bits)
    }
}

/// Returns the text before the first zero byte.
pub fn text_until_nul(bytes: &[u8]) -> String {
    let end = memchr::memchr(0, bytes).unwrap_or(bytes.len());
    String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_orders_are_read_and_the_end_is_the_end() {
        let bytes = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        assert_eq!(ByteCursor::little_endian(&bytes).read_u16(), Some(0x0201));
        assert_eq!(ByteCursor::big_endian(&bytes).read_u32(), Some(0x0102_0304));
        assert_eq!(ByteCursor::big_endian(&bytes).read_uint(3), Some(0x01_0203));
        assert_eq!(ByteCursor::little_endian(&bytes).read_uint(3), Some(0x03_0201));
        assert_eq!(ByteCursor::little_endian(&bytes).seek(8).read_u8(), Some(9));
        assert_eq!(ByteCursor::little_endian(&bytes).seek(8).read_u16(), None);
        assert_eq!(ByteCursor::little_endian(&bytes).seek(usize::MAX).read_u16(), None);
        assert_eq!(text_until_nul(b"abc\0def"), "abc");
    }
}
