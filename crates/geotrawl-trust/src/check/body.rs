//! The body of an answer, as far as a check keeps it.

use geotrawl_kinds::probe::ResponseBody;
use std::io::Read;

/// Reads a body into memory, at most `limit` bytes. One that breaks off is as good as its bytes.
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

/// A stream whose first bytes are kept on the way.
pub struct PrefixReader<'s> {
    stream: &'s mut dyn Read,
    kept: Vec<u8>,
    limit: usize,
}

impl<'s> PrefixReader<'s> {
    /// Keeps at most `limit` bytes.
    pub fn new(stream: &'s mut dyn Read, limit: usize) -> Self {
        Self { stream, kept: Vec::new(), limit }
    }

    /// What was kept.
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
