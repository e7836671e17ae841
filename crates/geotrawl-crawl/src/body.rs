//! Bodies on their way from the network to the parsers, within a fixed share of memory.

use bytes::Bytes;
use sha2::{Digest, Sha256};
use std::io::{self, Read};
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Most pages fit in this; it needs no permit.
pub const SMALL: usize = 256 * 1024;
/// What is larger than this is read as a stream, or cut when its reader cannot stream.
pub const LARGE: usize = 8 * 1024 * 1024;

/// Permits for bodies that are more than small, so that a thousand hostile servers cannot fill the memory.
#[derive(Clone)]
pub struct Lanes {
    /// Bodies between [`SMALL`] and [`LARGE`] held at once.
    pub large: Arc<Semaphore>,
    /// Documents streamed at once: each may build a large record.
    pub streams: Arc<Semaphore>,
}

impl Default for Lanes {
    fn default() -> Self {
        Self { large: Arc::new(Semaphore::new(8)), streams: Arc::new(Semaphore::new(2)) }
    }
}

/// A [`Read`] over chunks that arrive from elsewhere; hashes what passes. Blocks: not for the runtime.
pub struct ChunkReader {
    chunks: Receiver<Bytes>,
    current: Bytes,
    hash: Sha256,
    read: u64,
}

/// Both ends of a bounded pipe of chunks.
pub fn pipe() -> (Sender<Bytes>, ChunkReader) {
    let (sender, chunks) = channel(16);
    (sender, ChunkReader { chunks, current: Bytes::new(), hash: Sha256::new(), read: 0 })
}

impl ChunkReader {
    /// SHA-256 and length of all that was read.
    pub fn finish(self) -> (Sha256, u64) {
        (self.hash, self.read)
    }
}

impl Read for ChunkReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.current.is_empty() {
            match self.chunks.blocking_recv() {
                Some(chunk) => self.current = chunk,
                // The sender is gone: the end of the body.
                None => return Ok(0),
            }
        }
        let n = out.len().min(self.current.len());
        out[..n].copy_from_slice(&self.current.split_to(n));
        self.hash.update(&out[..n]);
        self.read += n as u64;
        Ok(n)
    }
}

/// Lower-case hexadecimal.
pub fn hex(digest: Sha256) -> String {
    use std::fmt::Write as _;
    digest.finalize().iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_come_out_as_they_went_in_and_are_hashed() {
        let (send, mut reader) = pipe();
        let writer = std::thread::spawn(move || {
            for part in ["Ge", "", "otrawl"] {
                send.blocking_send(Bytes::from_static(part.as_bytes())).unwrap();
            }
        });
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        writer.join().unwrap();
        assert_eq!(text, "Geotrawl");
        let (hash, length) = reader.finish();
        assert_eq!(length, 8);
        assert_eq!(hex(hash), hex(Sha256::new_with_prefix(b"Geotrawl")));
    }
}
