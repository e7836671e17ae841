//! A body, looked at from its start, then read as far as needed.

use super::ResponseBody;
use crate::sniff::SNIFF_LEN;
use std::borrow::Cow;
use std::io::Read;

/// A body whose first bytes are known.
pub struct PeekedBody<'a> {
    head: Cow<'a, [u8]>,
    rest: Option<&'a mut dyn Read>,
}

impl<'a> PeekedBody<'a> {
    /// Looks at the first bytes.
    pub fn peek(body: ResponseBody<'a>) -> Self {
        match body {
            ResponseBody::Whole(bytes) => Self { head: Cow::Borrowed(bytes), rest: None },
            ResponseBody::Stream(stream) => {
                let mut head = Vec::with_capacity(SNIFF_LEN);
                // A stream that breaks at once is an empty one; the reader tells more.
                let _ = (&mut *stream).take(SNIFF_LEN as u64).read_to_end(&mut head);
                Self { head: Cow::Owned(head), rest: Some(stream) }
            }
        }
    }

    /// The first bytes, at least [`SNIFF_LEN`] if there are so many.
    pub fn prefix(&self) -> &[u8] {
        &self.head
    }

    /// Whether everything is in memory already.
    pub fn is_whole(&self) -> bool {
        self.rest.is_none()
    }

    /// The body in memory, at most `limit` bytes.
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

    /// The body as a stream.
    pub fn into_stream(self) -> ContentStream<'a> {
        ContentStream { head: self.head, at: 0, rest: self.rest }
    }
}

/// A body from its start.
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
