//! Bodies of answers, as far as a check keeps them.

use geotrawl_kinds::probe::ResponseBody;
use std::io::Read;

/// Reads at most `limit` bytes of a body into memory. A body that breaks off returns the bytes read
/// so far.
pub fn read_body(body: ResponseBody<'_>, limit: u64) -> Vec<u8> {
    match body {
        ResponseBody::Whole(bytes) => {
            bytes[..bytes.len().min(usize::try_from(limit).unwrap_or(usize::MAX))].to_vec()
        }
        ResponseBody::Stream(stream) => {
            let mut bytes = Vec::new();
            let _ = stream.take(limit).read_to_end(&mut bytes);
            bytes
        }
    }
}

/// A reader that keeps the first bytes that pass through it.
pub struct PrefixReader<'s> {
    stream: &'s mut dyn Read,
    kept: Vec<u8>,
    limit: usize,
}

impl<'s> PrefixReader<'s> {
    /// Wraps a stream and keeps at most `limit` bytes.
    pub fn new(stream: &'s mut dyn Read, limit: usize) -> Self {
        Self { stream, kept: Vec::new(), limit }
    }

    /// Returns the kept bytes.
    pub fn into_kept(self) -> Vec<u8> {
        self.kept
    }
}

impl Read for PrefixReader<'_> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let n = self.stream.read(buf)?;
        let room = self.limit.saturating_sub(self.kept.len());
        self.kept.extend_from_slice(&buf[..n.min(room)]);
        Ok(n)
    }
}
