//! Reading numbers of either byte order from a slice, never past its end.

/// A place in a slice. Every read is checked and moves on.
#[derive(Debug, Clone, Copy)]
pub struct ByteCursor<'a> {
    bytes: &'a [u8],
    at: usize,
    big: bool,
}

impl<'a> ByteCursor<'a> {
    /// Reads little-endian numbers.
    pub fn little_endian(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, big: false }
    }

    /// Reads big-endian numbers.
    pub fn big_endian(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, big: true }
    }

    /// Reads numbers of the given order.
    pub fn with_byte_order(bytes: &'a [u8], big: bool) -> Self {
        Self { bytes, at: 0, big }
    }

    /// Where the next read happens.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Goes to a place; reads beyond the end give nothing.
    pub fn seek(&mut self, at: usize) -> &mut Self {
        self.at = at;
        self
    }

    /// Passes over bytes.
    pub fn skip(&mut self, count: usize) -> Option<()> {
        self.take(count).map(|_| ())
    }

    /// What is left.
    pub fn remaining(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// The next `count` bytes.
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(count)?;
        let bytes = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(bytes)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    /// An unsigned number of `width` bytes, at most eight.
    pub fn read_uint(&mut self, width: usize) -> Option<u64> {
        let bytes = self.take(width).filter(|_| width <= 8)?;
        let join = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        Some(if self.big { bytes.iter().fold(0, join) } else { bytes.iter().rev().fold(0, join) })
    }

    /// A byte.
    pub fn read_u8(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }

    /// Two bytes.
    pub fn read_u16(&mut self) -> Option<u16> {
        self.array().map(if self.big { u16::from_be_bytes } else { u16::from_le_bytes })
    }

    /// Four bytes.
    pub fn read_u32(&mut self) -> Option<u32> {
        self.array().map(if self.big { u32::from_be_bytes } else { u32::from_le_bytes })
    }

    /// Eight bytes.
    pub fn read_u64(&mut self) -> Option<u64> {
        self.array().map(if self.big { u64::from_be_bytes } else { u64::from_le_bytes })
    }

    /// Four bytes, signed.
    pub fn read_i32(&mut self) -> Option<i32> {
        self.read_u32().map(u32::cast_signed)
    }

    /// Four bytes, floating.
    pub fn read_f32(&mut self) -> Option<f32> {
        self.read_u32().map(f32::from_bits)
    }

    /// Eight bytes, floating.
    pub fn read_f64(&mut self) -> Option<f64> {
        self.read_u64().map(f64::from_bits)
    }
}

/// Text up to its first zero byte.
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
