//! A response body whose start can be inspected before the rest is read.

use super::ResponseBody;
use crate::sniff::SNIFF_LEN;
use std::borrow::Cow;
use std::io::Read;

/// A response body whose first bytes are in memory.
pub struct PeekedBody<'a> {
    head: Cow<'a, [u8]>,
    rest: Option<&'a mut dyn Read>,
}

impl<'a> PeekedBody<'a> {
    /// Reads the first bytes of a body.
    pub fn peek(body: ResponseBody<'a>) -> Self {
        match body {
            ResponseBody::Whole(bytes) => Self { head: Cow::Borrowed(bytes), rest: None },
            ResponseBody::Stream(stream) => {
                let mut head = Vec::with_capacity(SNIFF_LEN);
                // A read error here yields an empty body, which is reported as such later.
                let _ = (&mut *stream).take(SNIFF_LEN as u64).read_to_end(&mut head);
                Self { head: Cow::Owned(head), rest: Some(stream) }
            }
        }
    }

    /// Returns the first bytes: at least [`SNIFF_LEN`], unless the body is shorter.
    pub fn prefix(&self) -> &[u8] {
        &self.head
    }

    /// Returns whether the whole body is in memory.
    pub fn is_whole(&self) -> bool {
        self.rest.is_none()
    }

    /// Reads the body into memory, at most `limit` bytes.
    pub fn into_bytes(self, limit: usize) -> Cow<'a, [u8]> {
        match (self.head, self.rest) {
            (Cow::Borrowed(head), None) => Cow::Borrowed(&head[..head.len().min(limit)]),
            (head, rest) => {
                let mut all = head.into_owned();
                if let Some(rest) = rest {
                    let room = limit.saturating_sub(all.len()) as u64;
                    let _ = rest.take(room).read_to_end(&mut all);
                }
                all.truncate(limit);
                Cow::Owned(all)
            }
        }
    }

    /// Returns a reader over the whole body.
    pub fn into_stream(self) -> ContentStream<'a> {
        ContentStream { head: self.head, at: 0, rest: self.rest }
    }
}

/// Reads a body from its start.
pub struct ContentStream<'a> {
    head: Cow<'a, [u8]>,
    at: usize,
    rest: Option<&'a mut dyn Read>,
}

impl Read for ContentStream<'_> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        if self.at < self.head.len() {
            let n = buf.len().min(self.head.len() - self.at);
            buf[..n].copy_from_slice(&self.head[self.at..self.at + n]);
            self.at += n;
            return Ok(n);
        }
        match &mut self.rest {
            Some(rest) => rest.read(buf),
            None => Ok(0),
        }
    }
}
