//! Documents that are generated while they are read, so that they are never in memory.

use std::io::Read;

/// Document that is generated part by part.
pub struct GeneratedDocument<F> {
    part: F,
    index: u64,
    parts: u64,
    buffer: Vec<u8>,
    at: usize,
}

impl<F: FnMut(u64, &mut String)> GeneratedDocument<F> {
    /// Creates a document of `parts` parts.
    pub fn new(parts: u64, part: F) -> Self {
        Self { part, index: 0, parts, buffer: Vec::new(), at: 0 }
    }
}

impl<F: FnMut(u64, &mut String)> Read for GeneratedDocument<F> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        while self.at == self.buffer.len() {
            if self.index == self.parts {
                return Ok(0);
            }
            let mut text = String::from_utf8(std::mem::take(&mut self.buffer)).unwrap_or_default();
            text.clear();
            (self.part)(self.index, &mut text);
            self.buffer = text.into_bytes();
            self.index += 1;
            self.at = 0;
        }
        let n = out.len().min(self.buffer.len() - self.at);
        out[..n].copy_from_slice(&self.buffer[self.at..self.at + n]);
        self.at += n;
        Ok(n)
    }
}
